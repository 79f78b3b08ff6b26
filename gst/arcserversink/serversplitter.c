/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What gives each viewer its stream: the tee `head`, or another element behind it. */

#include "gstarcserversinkprivate.h"

GstPad *
gst_arc_server_sink_request_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (element);
  GstPad *target = self->splitter == self->head ? NULL
      : gst_element_request_pad_simple (self->splitter, "sink_%u");
  GstPad *pad;

  if (!target) {
    GST_WARNING_OBJECT (self, "a pad for one of several encodings needs splitter=arcselect");
    return NULL;
  }
  pad = gst_ghost_pad_new_from_template (GST_PAD_NAME (target), target, templ);
  gst_object_unref (target);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

void
gst_arc_server_sink_release_pad (GstElement * element, GstPad * pad)
{
  GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));

  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
  if (target)
    gst_element_release_request_pad (GST_ARC_SERVER_SINK_CAST (element)->splitter, target);
  gst_clear_object (&target);
}

/* Where some of the stream comes by in any case. */
static void
seat_idle (GstArcServerSink * self, GstElement * source)
{
  GstPad *sinkpad = gst_element_get_static_pad (self->idle, "sink");
  GstPad *before = gst_pad_get_peer (sinkpad);

  if (before)
    gst_pad_unlink (before, sinkpad);
  gst_clear_object (&before);
  gst_element_link_pads (source, "src_%u", self->idle, "sink");
  gst_object_unref (sinkpad);
}

void
gst_arc_server_sink_set_splitter (GstArcServerSink * self, GstElement * splitter)
{
  if (GST_STATE (self) != GST_STATE_NULL || splitter == self->splitter) {
    if (splitter != self->splitter)
      GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("splitter can change in the NULL state only, "
              "and stays as it is"), (NULL));
    return;
  }
  if (self->splitter != self->head)
    gst_bin_remove (GST_BIN (self), self->splitter);
  self->splitter = splitter ? splitter : self->head;
  if (splitter)
    gst_bin_add (GST_BIN (self), splitter);
  /* One that has no such pad is fed by sink_%u. */
  seat_idle (self, splitter && !gst_element_link_pads (self->head, NULL, splitter, "sink")
      ? splitter : self->head);
}
