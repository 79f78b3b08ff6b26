/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "streams.h"

#include <string.h>

#define HOLD_S 5        /* more than the keyframe interval of most cameras */
#define VIDEO_PID 65
#define AUDIO_PID 97
#define PROBE "probe"   /* of a pad that is held: what holds it */
#define AWAITED "awaited"       /* of a parsebin without a pad; none tells which is the last */

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

/* Into the pipeline, behind the pad (NULL: pads come to it) and before the pad `at` (NULL: any) of
 * next (NULL: pads come of it). */
static void
put (GstElement * pipeline, GstPad * pad, GstElement * chain, const gchar * next, const gchar * at)
{
  g_autoptr (GstElement) behind = next ? gst_bin_get_by_name (GST_BIN (pipeline), next) : NULL;
  g_autoptr (GstPad) into = pad ? gst_element_get_static_pad (chain, "sink") : NULL;

  gst_bin_add (GST_BIN (pipeline), chain);
  if ((next && !gst_element_link_pads (chain, NULL, behind, at))
      || (pad && gst_pad_link (pad, into) != GST_PAD_LINK_OK))
    GST_ELEMENT_ERROR (chain, STREAM, MUX, ("MPEG-TS cannot hold this stream"), (NULL));
  gst_element_sync_state_with_parent (chain);
}

/* A free pad of the muxer, named by its PID (g_free). A program that is the same when the input
 * comes again does not stop a demuxer that is linked: so kinds have PIDs, and the clock is of the
 * first picture. */
static gchar *
add_mux (GstElement * pipeline, gboolean is_video)
{
  g_autoptr (GstElement) mux = gst_bin_get_by_name (GST_BIN (pipeline), "mux");
  guint pid = is_video ? VIDEO_PID : AUDIO_PID;

  if (!mux) {
    g_autoptr (GstStructure) map = gst_structure_new ("map", "PCR_1", G_TYPE_STRING,
        "sink_" G_STRINGIFY (VIDEO_PID), NULL);

    mux = gst_object_ref (gst_element_factory_make ("mpegtsmux", "mux"));
    g_object_set (mux, "alignment", 7, "prog-map", map, NULL);
    put (pipeline, NULL, mux, "join", NULL);
  }
  while (TRUE) {
    g_autofree gchar *name = g_strdup_printf ("sink_%u", pid++);
    g_autoptr (GstPad) taken = gst_element_get_static_pad (mux, name);

    if (!taken)
      return g_steal_pointer (&name);
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

static GstPad *
add_end (GstElement * bin, const gchar * element, const gchar * name)
{
  g_autoptr (GstElement) queue = gst_bin_get_by_name (GST_BIN (bin), element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (queue, name);
  GstPad *end = gst_ghost_pad_new (name, pad);

  gst_element_add_pad (bin, end);
  return end;
}

/* Locked. */
static void
release (Streams * self)
{
  for (GList * tail = self->tails; tail; tail = tail->next)
    if (g_object_get_data (tail->data, PROBE))
      gst_pad_remove_probe (tail->data, (gulong) g_object_get_data (tail->data, PROBE));
  g_clear_list (&self->tails, gst_object_unref);
  self->released = TRUE;
}

/* What never sends has no chain. A chain without caps decodes, and waits for a keyframe. */
static gboolean
on_held_long (gpointer streams)
{
  Streams *self = streams;
  gboolean has_caps = TRUE, released;

  g_mutex_lock (&self->lock);
  for (GList * tail = self->tails; tail; tail = tail->next)
    has_caps &= gst_pad_has_current_caps (tail->data);
  if (!self->released && has_caps) {
    g_autoptr (GstElement) chain = gst_pad_get_parent_element (self->tails->data);
    g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (GST_OBJECT_PARENT (chain)), "in");

    GST_ELEMENT_WARNING (in, STREAM, MUX, ("MPEG-TS begins without a stream of the input that has "
            "sent nothing for %u s", HOLD_S), (NULL));
    release (self);
  }
  released = self->released;
  self->timer = released ? 0 : self->timer;
  g_mutex_unlock (&self->lock);
  return released ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* A stream, or a source of streams, that was awaited is there. Locked. */
static void
arrived (Streams * self)
{
  if (--self->awaited == 0)
    release (self);
}

/* mpegtsmux begins with the streams that have caps: it gets no data before all have. */
static GstPadProbeReturn
on_data (GstPad * pad, GstPadProbeInfo * info, gpointer streams)
{
  Streams *self = streams;
  GstPadProbeReturn then = GST_PAD_PROBE_OK;

  g_mutex_lock (&self->lock);
  if (self->released) {
    then = GST_PAD_PROBE_REMOVE;
  } else if (GST_IS_EVENT (info->data) && GST_EVENT_TYPE (info->data) != GST_EVENT_EOS) {
    then = GST_PAD_PROBE_PASS;
  } else if (!g_object_get_data (G_OBJECT (pad), PROBE)) {
    g_object_set_data (G_OBJECT (pad), PROBE, (gpointer) GST_PAD_PROBE_INFO_ID (info));
    if (!self->timer)
      self->timer = g_timeout_add_seconds (HOLD_S, on_held_long, self);
    arrived (self);
  }
  g_mutex_unlock (&self->lock);
  return then;
}

static void
hold (Streams * self, GstPad * tail)
{
  g_mutex_lock (&self->lock);
  if (!self->released) {
    self->awaited++;
    self->tails = g_list_prepend (self->tails, gst_object_ref (tail));
    gst_pad_add_probe (tail, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, on_data, self, NULL);
  }
  g_mutex_unlock (&self->lock);
}

static void
arrived_unlocked (Streams * self)
{
  g_mutex_lock (&self->lock);
  arrived (self);
  g_mutex_unlock (&self->lock);
}

static void
await (Streams * self)
{
  g_mutex_lock (&self->lock);
  self->awaited++;
  g_mutex_unlock (&self->lock);
}

static void put_parser (GstElement * pipeline, GstPad * pad, Streams * self);

/* One stream, of rtspsrc as RTP, or of a parsebin. */
static void
on_stream (GstElement * source, GstPad * pad, Streams * self)
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
    g_autofree gchar *into = add_mux (pipeline, g_str_has_prefix (media, "video/"));

    add_end (chain, "head", "sink");
    hold (self, add_end (chain, "tail", "src"));
    put (pipeline, pad, chain, "mux", into);
  }
  if (g_object_steal_data (G_OBJECT (source), AWAITED))
    arrived_unlocked (self);
}

static void
put_parser (GstElement * pipeline, GstPad * pad, Streams * self)
{
  GstElement *parser = gst_element_factory_make ("parsebin", NULL);

  await (self);
  g_object_set_data (G_OBJECT (parser), AWAITED, parser);
  g_signal_connect (parser, "pad-added", G_CALLBACK (on_stream), self);
  put (pipeline, pad, parser, NULL, NULL);
}

static void
on_type (GstElement * type, guint probability, GstCaps * caps, Streams * self)
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
  put (pipeline, pad, chain, "join", NULL);
}

/* Metadata has no place in our MPEG-TS, and comes too rarely to be awaited. */
static gboolean
on_select (GstElement * in, guint number, GstCaps * caps)
{
  const gchar *media = gst_structure_get_string (gst_caps_get_structure (caps, 0), "media");

  return g_strcmp0 (media, "application") != 0;
}

/* A demuxer waits 0.7 s by default, for what a jitter buffer before it has waited for. */
static void
on_part (GstBin * pipeline, GstBin * bin, GstElement * element)
{
  if (g_str_has_prefix (GST_OBJECT_NAME (element), "tsdemux"))
    g_object_set (element, "latency", 0, NULL);
}

void
streams_stop (Streams * self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_list (&self->tails, gst_object_unref);
  self->awaited = 0;
  self->released = FALSE;
}

void
streams_watch (Streams * self, GstElement * pipeline)
{
  g_autoptr (GstElement) type = gst_bin_get_by_name (GST_BIN (pipeline), "type");
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "in");

  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_part), NULL);
  if (type) {
    g_signal_connect (type, "have-type", G_CALLBACK (on_type), self);
  } else {
    await (self);
    g_signal_connect (in, "select-stream", G_CALLBACK (on_select), NULL);
    g_signal_connect (in, "pad-added", G_CALLBACK (on_stream), self);
    g_signal_connect_swapped (in, "no-more-pads", G_CALLBACK (arrived_unlocked), self);
  }
}
