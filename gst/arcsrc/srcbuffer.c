/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A jitter buffer inside, for those that make a source of a URI and cannot place one behind it,
 * such as uridecodebin and playbin. */

#include "gstarcsrcprivate.h"

static GstPad *
own_pad (GstArcSrc * self)
{
  return gst_element_get_static_pad (GST_ELEMENT (self), "src");
}

/* Media leaves by this element from now on. */
static void
lead_out_of (GstArcSrc * self, GstElement * last)
{
  GstPad *pad = own_pad (self), *target = gst_element_get_static_pad (last, "src");

  gst_ghost_pad_set_target (GST_GHOST_PAD (pad), target);
  gst_object_unref (target);
  gst_object_unref (pad);
}

static void
set_buffer_latency (GstArcSrc * self, GstClockTime latency)
{
  g_object_set (self->buffer, "latency", (guint) (latency / GST_MSECOND), NULL);
}

static gboolean
add_buffer (GstArcSrc * self, GstClockTime latency)
{
  self->buffer = gst_element_factory_make ("rtpjitterbuffer", "buffer");
  if (!self->buffer) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN,
        ("the latency of arcsrc needs rtpjitterbuffer of gst-plugins-good: install it"), (NULL));
    return FALSE;
  }
  g_object_set (self->buffer, "do-retransmission", TRUE, "max-dropout-time", 0, NULL);
  gst_bin_add (GST_BIN (self), self->buffer);
  lead_out_of (self, self->buffer);
  gst_element_link_pads (self->receiver, "src", self->buffer, "sink");
  set_buffer_latency (self, latency);
  return TRUE;
}

static void
remove_buffer (GstArcSrc * self)
{
  gst_element_unlink (self->receiver, self->buffer);
  lead_out_of (self, self->receiver);
  gst_bin_remove (GST_BIN (self), self->buffer);
  self->buffer = NULL;
}

gboolean
gst_arc_src_begin_buffer (GstArcSrc * self)
{
  GstClockTime latency;

  GST_OBJECT_LOCK (self);
  latency = self->latency;
  GST_OBJECT_UNLOCK (self);
  if (self->buffer && latency == 0)
    remove_buffer (self);
  else if (self->buffer)
    set_buffer_latency (self, latency);
  else if (latency > 0)
    return add_buffer (self, latency);
  return TRUE;
}

void
gst_arc_src_set_latency (GstArcSrc * self, GstClockTime latency)
{
  gboolean open = peer_port (&self->peer) != 0;

  GST_OBJECT_LOCK (self);
  self->latency = latency;
  self->latency_set = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (open && self->buffer && latency > 0)
    set_buffer_latency (self, latency);
  else if (open && (self->buffer != NULL) != (latency > 0))
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("the jitter buffer of arcsrc comes and goes "
            "with latency at the next start only; set it in the NULL state"), (NULL));
}
