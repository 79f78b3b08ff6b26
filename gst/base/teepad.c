/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A new pad of a tee begins with the sticky events that the tee has by then, and gets those that
 * come once it is there. An event that the tee has forwarded to the other pads, and not yet kept
 * for itself, is neither: data comes without a segment, or with the caps of before. So the pad is
 * requested while nothing is on its way into the tee. */

#include "base/teepad.h"

/* A push that lasts longer waits for its time, or for PLAYING: it is none of an event. */
#define LONGEST_PUSH_US G_USEC_PER_SEC

/* Of two threads, counted references. */
typedef struct
{
  GMutex lock;
  GCond there;
  GstElement *tee;              /* of which the waiting thread has a reference */
  gboolean is_taken, is_there;  /* a thread requests the pad; it has */
  GstPad *pad;
} Request;

static void
request_clear (gpointer data)
{
  Request *self = data;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->there);
}

static void
request_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, request_clear);
}

/* FALSE: the other thread does. */
static gboolean
request_make (Request * self)
{
  gboolean taken;
  GstPad *pad;

  g_mutex_lock (&self->lock);
  taken = self->is_taken;
  self->is_taken = TRUE;
  g_mutex_unlock (&self->lock);
  if (taken)
    return FALSE;
  pad = gst_element_request_pad_simple (self->tee, "src_%u");
  g_mutex_lock (&self->lock);
  self->pad = pad;
  self->is_there = TRUE;
  g_cond_signal (&self->there);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static GstPadProbeReturn
on_idle (GstPad * pad, GstPadProbeInfo * info, gpointer request)
{
  return request_make (request) ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK;
}

static GstPad *
request_while_idle (Request * self, GstPad * into)
{
  gint64 until = g_get_monotonic_time () + LONGEST_PUSH_US;
  gulong probe = gst_pad_add_probe (into, GST_PAD_PROBE_TYPE_IDLE, on_idle,
      g_atomic_rc_box_acquire (self), request_unref);

  g_mutex_lock (&self->lock);
  while (!self->is_there && g_cond_wait_until (&self->there, &self->lock, until));
  g_mutex_unlock (&self->lock);
  if (request_make (self))
    gst_pad_remove_probe (into, probe);
  g_mutex_lock (&self->lock);
  while (!self->is_there)
    g_cond_wait (&self->there, &self->lock);
  g_mutex_unlock (&self->lock);
  return self->pad;
}

GstPad *
tee_pad_request (GstElement * tee)
{
  GstPad *sinkpad = gst_element_get_static_pad (tee, "sink"), *into = gst_pad_get_peer (sinkpad);
  Request *request = g_atomic_rc_box_new0 (Request);
  GstPad *pad;

  g_mutex_init (&request->lock);
  g_cond_init (&request->there);
  request->tee = tee;
  if (into)
    pad = request_while_idle (request, into);
  else
    pad = gst_element_request_pad_simple (tee, "src_%u");
  request_unref (request);
  g_clear_object (&into);
  gst_object_unref (sinkpad);
  return pad;
}
