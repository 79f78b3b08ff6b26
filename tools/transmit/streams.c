/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "streams.h"

/* From a queue `head` to a queue `tail`. One chain from the start on, or the muxer would begin
 * without what has to be decoded first. */
#define CHAIN(elements) "queue name=head ! " elements " ! queue name=tail"
#define VIDEO_ENCODED CHAIN ("decodebin ! videoconvert ! video/x-raw,format=I420 ! %s")
#define AUDIO_ENCODED CHAIN ("decodebin ! audioconvert ! audioresample ! avenc_aac bitrate=96000 " \
    "! aacparse")

/* What players of MPEG-TS play. */
static const struct
{
  const gchar *caps, *line;
} carried[] = {
  {"video/x-h264", CHAIN ("h264parse config-interval=-1")},
  {"video/x-h265", CHAIN ("h265parse config-interval=-1")},
  {"audio/mpeg,mpegversion={2,4}", CHAIN ("aacparse")},
  {"video/mpeg,mpegversion=[1,2],systemstream=false;audio/mpeg,mpegversion=1;audio/x-ac3",
      CHAIN ("identity")},
};

/* Into the pipeline, behind the pad (NULL: pads come to it) and before next (NULL: pads come of
 * it). */
static void
put (GstElement * pipeline, GstPad * pad, GstElement * chain, const gchar * next)
{
  g_autoptr (GstElement) behind = next ? gst_bin_get_by_name (GST_BIN (pipeline), next) : NULL;
  g_autoptr (GstPad) into = pad ? gst_element_get_static_pad (chain, "sink") : NULL;

  gst_bin_add (GST_BIN (pipeline), chain);
  if ((next && !gst_element_link (chain, behind))
      || (pad && gst_pad_link (pad, into) != GST_PAD_LINK_OK))
    GST_ELEMENT_ERROR (chain, STREAM, MUX, ("MPEG-TS cannot hold this stream"), (NULL));
  gst_element_sync_state_with_parent (chain);
}

static void
add_mux (GstElement * pipeline)
{
  g_autoptr (GstElement) known = gst_bin_get_by_name (GST_BIN (pipeline), "mux");
  GstElement *mux = known ? NULL : gst_element_factory_make ("mpegtsmux", "mux");

  if (mux) {
    g_object_set (mux, "alignment", 7, NULL);
    put (pipeline, NULL, mux, "join");
  }
}

/* NULL: it is no picture and no sound. */
static gchar *
line_for (const Streams * self, const gchar * media, GstCaps * caps)
{
  for (guint i = 0; i < G_N_ELEMENTS (carried); i++) {
    g_autoptr (GstCaps) known = gst_caps_from_string (carried[i].caps);

    if (gst_caps_can_intersect (caps, known)
        && !(self->adapt && g_str_has_prefix (media, "video/")))
      return g_strdup (carried[i].line);
  }
  if (g_str_has_prefix (media, "video/"))
    return g_strdup_printf (VIDEO_ENCODED, self->encoder);
  return g_strdup (g_str_has_prefix (media, "audio/") ? AUDIO_ENCODED : NULL);
}

static void
add_end (GstElement * bin, const gchar * element, const gchar * name)
{
  g_autoptr (GstElement) queue = gst_bin_get_by_name (GST_BIN (bin), element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (queue, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
}

static void put_parser (GstElement * pipeline, GstPad * pad, const Streams * self);

/* One stream, of rtspsrc as RTP, or of a parsebin. */
static void
on_stream (GstElement * source, GstPad * pad, const Streams * self)
{
  GstElement *pipeline = GST_ELEMENT (GST_OBJECT_PARENT (source)), *chain;
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);
  const gchar *media = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  g_autofree gchar *line = line_for (self, media, caps);
  g_autoptr (GError) error = NULL;

  if (g_str_equal (media, "application/x-rtp"))
    put_parser (pipeline, pad, self);
  else if (!line)
    GST_ELEMENT_WARNING (source, STREAM, FORMAT, ("%s is left out: MPEG-TS does not hold it",
            media), (NULL));
  else if (!(chain = gst_parse_bin_from_description_full (line, FALSE, NULL,
              GST_PARSE_FLAG_FATAL_ERRORS, &error)))
    GST_ELEMENT_ERROR (source, CORE, MISSING_PLUGIN, ("%s", error->message), (NULL));
  else {
    add_mux (pipeline);
    add_end (chain, "head", "sink");
    add_end (chain, "tail", "src");
    put (pipeline, pad, chain, "mux");
  }
}

static void
put_parser (GstElement * pipeline, GstPad * pad, const Streams * self)
{
  GstElement *parser = gst_element_factory_make ("parsebin", NULL);

  g_signal_connect (parser, "pad-added", G_CALLBACK (on_stream), (gpointer) self);
  put (pipeline, pad, parser, NULL);
}

static void
on_type (GstElement * type, guint probability, GstCaps * caps, const Streams * self)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  GstElement *pipeline = GST_ELEMENT (GST_OBJECT_PARENT (type)), *chain;
  g_autoptr (GstPad) pad = gst_element_get_static_pad (type, "src");

  if (self->adapt || !(gst_structure_has_name (s, "video/mpegts")
          || g_strcmp0 (gst_structure_get_string (s, "encoding-name"), "MP2T") == 0)) {
    put_parser (pipeline, pad, self);
    return;
  }
  if (gst_structure_has_name (s, "video/mpegts")) {
    chain = gst_element_factory_make ("tsparse", NULL);
    g_object_set (chain, "set-timestamps", self->paced, NULL);
  } else {
    chain = gst_element_factory_make ("rtpmp2tdepay", NULL);
  }
  put (pipeline, pad, chain, "join");
}

/* A demuxer waits 0.7 s by default, for what a jitter buffer before it has waited for. */
static void
on_part (GstBin * pipeline, GstBin * bin, GstElement * element)
{
  if (g_str_has_prefix (GST_OBJECT_NAME (element), "tsdemux"))
    g_object_set (element, "latency", 0, NULL);
}

void
streams_watch (const Streams * self, GstElement * pipeline)
{
  g_autoptr (GstElement) type = gst_bin_get_by_name (GST_BIN (pipeline), "type");
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "in");

  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_part), NULL);
  if (type)
    g_signal_connect (type, "have-type", G_CALLBACK (on_type), (gpointer) self);
  else
    g_signal_connect (in, "pad-added", G_CALLBACK (on_stream), (gpointer) self);
}
