/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What gives each viewer its stream: the tee `head`, or another element behind it. One that takes
 * several encodings has a Pacer before each of its sink pads. */

#include "gstarcserversinkprivate.h"

#include "base/binparts.h"

/* --- the pace of an encoding --- */

/* A tee and a fakesink, which holds the tee up while a source that is not live runs ahead. Each
 * encoding needs its own: queues before one that is not held up let it run ahead of the others, and
 * viewers could not change from it to them. */
static GstElement *
pacer_new (void)
{
  GstElement *bin = gst_bin_new (NULL), *tee = bin_part_make (bin, "tee", NULL);
  GstElement *pace = bin_part_make (bin, "fakesink", "pace");

  g_object_set (tee, "allow-not-linked", TRUE, NULL);
  g_object_set (pace, "enable-last-sample", FALSE, NULL);
  gst_object_unref (gst_element_request_pad_simple (tee, "src_%u"));
  gst_element_link_pads (tee, "src_1", pace, "sink");
  bin_part_show (bin, tee, "sink", NULL);
  bin_part_show (bin, tee, "src_0", NULL);
  return bin;
}

void
gst_arc_server_sink_follow_liveness (GstPad * pad, GstElement * pace)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live = TRUE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  g_object_set (pace, "sync", !live, NULL);
}

static GstPadProbeReturn
on_encoding (GstPad * pad, GstPadProbeInfo * info, gpointer pace)
{
  if (GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT)
    gst_arc_server_sink_follow_liveness (pad, pace);
  return GST_PAD_PROBE_OK;
}

/* The pad that leads to it. */
static GstPad *
put_pacer_before (GstArcServerSink * self, GstPad * target, GstPadTemplate * templ)
{
  GstElement *pacer = pacer_new (), *pace = gst_bin_get_by_name (GST_BIN (pacer), "pace");
  GstPad *src = gst_element_get_static_pad (pacer, "src_0");
  GstPad *sink = gst_element_get_static_pad (pacer, "sink");
  GstPad *ghost;

  gst_bin_add (GST_BIN (self), pacer);  /* unlinks its pads */
  ghost = gst_ghost_pad_new_from_template (GST_PAD_NAME (target), sink, templ);
  gst_pad_add_probe (ghost, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_encoding, pace,
      gst_object_unref);
  gst_pad_link (src, target);
  gst_element_sync_state_with_parent (pacer);
  gst_object_unref (src);
  gst_object_unref (sink);
  return ghost;
}

/* --- pads --- */

GstPad *
gst_arc_server_sink_request_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK_CAST (element);
  GstPad *target = self->splitter == self->head ? NULL
      : gst_element_request_pad_simple (self->splitter, name ? name : "sink_%u");
  GstPad *pad;

  if (!target) {
    GST_WARNING_OBJECT (self, "a pad for one of several encodings needs "
        "splitter=\"arcladder rungs=0\"");
    return NULL;
  }
  pad = put_pacer_before (self, target, templ);
  gst_object_unref (target);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

/* Takes the pacer of the pad away, and the splitter's pad behind it. */
static void
remove_pacer (GstArcServerSink * self, GstPad * pad)
{
  GstPad *sink = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
  GstElement *pacer = sink ? gst_pad_get_parent_element (sink) : NULL;
  GstPad *src = pacer ? gst_element_get_static_pad (pacer, "src_0") : NULL;
  GstPad *target = src ? gst_pad_get_peer (src) : NULL;

  if (pacer)
    bin_part_take_out (pacer);
  if (target)
    gst_element_release_request_pad (self->splitter, target);
  gst_clear_object (&target);
  gst_clear_object (&src);
  gst_clear_object (&pacer);
  gst_clear_object (&sink);
}

void
gst_arc_server_sink_release_pad (GstElement * element, GstPad * pad)
{
  gst_pad_set_active (pad, FALSE);
  remove_pacer (GST_ARC_SERVER_SINK_CAST (element), pad);
  gst_element_remove_pad (element, pad);
}

/* --- the property --- */

/* What is wrong with it (g_free()); NULL: nothing. */
static gchar *
find_fault (GstArcServerSink * self, GstElement * splitter)
{
  GstPadTemplate *templ = gst_element_get_pad_template (splitter, "src_%u");
  GstObject *parent = gst_object_get_parent (GST_OBJECT (splitter));
  gchar *fault = NULL;

  if (parent)
    fault = g_strdup_printf ("%s cannot be the splitter: it is in %s. Set an element that is in no "
        "bin", GST_OBJECT_NAME (splitter), GST_OBJECT_NAME (parent));
  else if (splitter == GST_ELEMENT (self)
      || gst_object_has_as_ancestor (GST_OBJECT (self), GST_OBJECT (splitter)))
    fault = g_strdup_printf ("%s cannot be the splitter: this element is in it",
        GST_OBJECT_NAME (splitter));
  else if (!templ || GST_PAD_TEMPLATE_PRESENCE (templ) != GST_PAD_REQUEST)
    fault = g_strdup_printf ("%s cannot be the splitter: it has no request pads src_%%u. Set "
        "arcladder or its like", GST_OBJECT_NAME (splitter));
  gst_clear_object (&parent);
  return fault;
}

/* Where some of the stream comes by in any case. Behind pacers it has no part in pace and preroll:
 * until a frame has come to them all, arcladder need not send it one. */
static void
seat_idle (GstArcServerSink * self, GstElement * source)
{
  GstPad *sinkpad = gst_element_get_static_pad (self->idle, "sink");
  GstPad *before = gst_pad_get_peer (sinkpad);

  if (before)
    gst_pad_unlink (before, sinkpad);
  gst_clear_object (&before);
  gst_element_link_pads (source, "src_%u", self->idle, "sink");
  g_object_set (self->idle, "sync", FALSE, "async", source == self->head, NULL);
  gst_object_unref (sinkpad);
}

void
gst_arc_server_sink_clear_splitter (GstArcServerSink * self)
{
  if (self->splitter != self->head)
    gst_object_unref (self->splitter);
  self->splitter = self->head;
}

void
gst_arc_server_sink_set_splitter (GstArcServerSink * self, GstElement * splitter)
{
  GstElement *wanted = splitter ? splitter : self->head;
  gchar *fault = NULL;

  if (wanted == self->splitter)
    return;
  if (GST_STATE (self) != GST_STATE_NULL)
    fault = g_strdup ("splitter can change in the NULL state only, and stays as it is");
  else if (GST_ELEMENT (self)->numsinkpads > 1)
    fault = g_strdup ("splitter stays as it is: release the request pads that lead to it first");
  else if (splitter)
    fault = find_fault (self, splitter);
  if (fault) {
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", fault), (NULL));
    g_free (fault);
    return;
  }
  if (self->splitter != self->head)
    gst_bin_remove (GST_BIN (self), self->splitter);
  gst_arc_server_sink_clear_splitter (self);
  self->splitter = wanted;
  if (splitter)
    gst_bin_add (GST_BIN (self), gst_object_ref_sink (splitter));
  /* One that has no such pad is fed by sink_%u. */
  seat_idle (self, splitter && !gst_element_link_pads (self->head, NULL, splitter, "sink")
      ? splitter : self->head);
}
