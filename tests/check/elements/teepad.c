/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pad of a tee that is requested while the stream flows. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/check/gstcheck.h>

#include "base/teepad.h"
#include "claim.h"

#define PATIENCE (30 * G_TIME_SPAN_SECOND)
#define wait_until(condition) do { \
    gint64 until_ = g_get_monotonic_time () + PATIENCE; \
    while (!(condition)) { \
      fail_unless (g_get_monotonic_time () < until_, "timeout: %s", #condition); \
      g_usleep (1000); \
    } \
  } while (0)

static GstElement *tee;
static GstPad *source, *branch;  /* before the tee, and behind it */
static gint held, open_gate;    /* atomic */

static gboolean
has_segment (GstPad * pad)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  gboolean has = event != NULL;

  gst_clear_event (&event);
  return has;
}

static gboolean
new_pad_has_segment (void)
{
  g_autoptr (GstPad) pad = tee_pad_request (tee);
  gboolean has = has_segment (pad);

  return has;
}

/* In place of GStreamer's: a tee that has looked at its events and adds its pad only when the one
 * on its way has passed. */
gboolean
gst_element_add_pad (GstElement * element, GstPad * pad)
{
  static gboolean (*real) (GstElement *, GstPad *);

  if (!real)
    real = (gboolean (*)(GstElement *, GstPad *)) dlsym (RTLD_NEXT, "gst_element_add_pad");
  if (element == tee && g_atomic_int_get (&held)) {
    g_autoptr (GstPad) sink = gst_element_get_static_pad (tee, "sink");

    g_atomic_int_set (&open_gate, TRUE);
    wait_until (has_segment (sink));
  }
  return real (element, pad);
}

/* Until the pad is requested, if it is within a moment. */
static gboolean
hold_segment (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean holds = GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT;

  gst_event_unref (event);
  if (holds) {
    g_atomic_int_set (&held, TRUE);
    for (guint i = 0; i < 50 && !g_atomic_int_get (&open_gate); i++)
      g_usleep (1000);
  }
  return TRUE;
}

static GstFlowReturn
hold_buffer (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  g_atomic_int_set (&held, TRUE);
  wait_until (g_atomic_int_get (&open_gate));
  return GST_FLOW_OK;
}

static gpointer
push_stream (gpointer data)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (source, gst_event_new_stream_start ("s"));
  gst_pad_push_event (source, gst_event_new_segment (&segment));
  return GINT_TO_POINTER (gst_pad_push (source, gst_buffer_new_allocate (NULL, 9, NULL)));
}

BEFORE_EACH
{
  GstPad *sink, *src;

  held = open_gate = FALSE;
  tee = gst_element_factory_make ("tee", NULL);
  sink = gst_element_get_static_pad (tee, "sink");
  source = gst_pad_new ("source", GST_PAD_SRC);
  branch = gst_pad_new ("branch", GST_PAD_SINK);
  gst_pad_set_active (source, TRUE);
  gst_pad_set_active (branch, TRUE);
  src = gst_element_request_pad_simple (tee, "src_%u");
  gst_pad_link (src, branch);
  gst_pad_link (source, sink);
  gst_object_unref (src);
  gst_object_unref (sink);
  gst_element_set_state (tee, GST_STATE_PLAYING);
}

AFTER_EACH
{
  gst_element_set_state (tee, GST_STATE_NULL);
  gst_object_unref (source);
  gst_object_unref (branch);
  gst_clear_object (&tee);
}

CLAIM (test_a_pad_that_is_requested_amid_an_event_has_it)
{
  GThread *stream;

  gst_pad_set_event_function (branch, hold_segment);
  gst_pad_set_chain_function (branch, gst_check_chain_func);
  stream = g_thread_new ("stream", push_stream, NULL);
  wait_until (g_atomic_int_get (&held));
  fail_unless (new_pad_has_segment ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (stream)), GST_FLOW_OK);
  gst_check_drop_buffers ();
}

/* A file's frame that waits for its time, or for PLAYING. */
CLAIM (test_a_push_that_waits_holds_up_no_request)
{
  GThread *stream;

  gst_pad_set_chain_function (branch, hold_buffer);
  stream = g_thread_new ("stream", push_stream, NULL);
  wait_until (g_atomic_int_get (&held));
  fail_unless (new_pad_has_segment ());
  g_atomic_int_set (&open_gate, TRUE);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (stream)), GST_FLOW_OK);
}
