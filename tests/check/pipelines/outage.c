/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An outage that begins within a picture, with stock depayloaders and decoders and a sink that
 * reports lateness (qos=true): when the sink shows the present again, and what a recording of the
 * same stream holds. */
#include <glib/gstdio.h>

#include "launch.h"
#include "quiet.h"

#define CAMERA "videotestsrc is-live=true horizontal-speed=3 ! " \
    "video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! "
#define X264 "x264enc tune=zerolatency speed-preset=ultrafast threads=4 sliced-threads=true " \
    "key-int-max=300 ! "
#define AWAY_US (3 * G_USEC_PER_SEC)
/* Decoders that skip as much as pictures are late freeze for 6 s, and behind tsdemux, which adds a
 * latency of a second, for 4.5 s. */
#define MOST_FROZEN_US (AWAY_US + 3 * G_USEC_PER_SEC / 4)
#define FRESH (1500 * GST_MSECOND)      /* an older picture is of before the outage */
#define FRAMES 30

static const struct
{
  const gchar *needs[3], *encoder, *decoder;
} codecs[] = {
  { { "x264enc", "avdec_h264" }, X264 "rtph264pay config-interval=-1 mtu=1200",
    "rtph264depay ! avdec_h264" },
  { { "x265enc", "avdec_h265" },
    "x265enc tune=zerolatency speed-preset=ultrafast option-string=slices=4 key-int-max=300 ! "
    "rtph265pay config-interval=-1 mtu=1200", "rtph265depay ! avdec_h265" },
  { { "x264enc", "avdec_h264", "tsdemux" }, X264 "mpegtsmux alignment=6 ! rtpmp2tpay mtu=1200",
    "rtpmp2tdepay ! tsdemux ! h264parse ! avdec_h264 ! queue" },
};

typedef struct
{
  GstElement *sender, *receiver;
  GMutex lock;
  GCond changed;
  /* under the lock */
  gboolean wanted, away;        /* the outage is to begin; it lasts */
  guint parts;                  /* of the picture that is sent */
  gint64 away_at, back_at;      /* 0: not yet */
  guint shown;                  /* pictures that were fresh, as the next */
  gint64 shown_at;              /* the last; 0: none yet */
  gint64 frozen_us;             /* the longest time between two */
} Outage;

/* Within a picture, behind a delimiter and a slice. */
static gboolean
is_place (Outage * self, GstPadProbeInfo * info)
{
  GstBuffer *last = info->data;
  guint8 byte = 0;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)
    last = gst_buffer_list_get (info->data, gst_buffer_list_length (info->data) - 1);
  gst_buffer_extract (last, 1, &byte, 1);
  self->parts = byte & 0x80 ? 0 : self->parts + 1;      /* the marker ends a picture */
  return self->parts >= 2;
}

static GstPadProbeReturn
on_sent (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Outage *o = user_data;
  gint64 now = g_get_monotonic_time ();
  gboolean drops;

  g_mutex_lock (&o->lock);
  if (o->away && now >= o->away_at + AWAY_US) {
    o->away = FALSE;
    o->back_at = now;
  }
  drops = o->away;
  if (is_place (o, info) && o->wanted) {
    o->wanted = FALSE;
    o->away = TRUE;
    o->away_at = now;
  }
  g_mutex_unlock (&o->lock);
  return drops ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void
on_shown (GstElement * sink, GstBuffer * buffer, GstPad * pad, Outage * o)
{
  GstClockTime now = gst_element_get_current_running_time (sink), running;
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  gint64 now_us = g_get_monotonic_time ();
  const GstSegment *segment;

  gst_event_parse_segment (event, &segment);
  running = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gst_event_unref (event);
  g_mutex_lock (&o->lock);
  if (now < running + FRESH) {
    o->frozen_us = MAX (o->frozen_us, o->shown_at != 0 ? now_us - o->shown_at : 0);
    o->shown_at = now_us;
    o->shown++;
  }
  g_cond_signal (&o->changed);
  g_mutex_unlock (&o->lock);
}

static gint
port_of (GstElement * receiver)
{
  GstElement *src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  gint port;

  g_object_get (src, "port", &port, NULL);
  gst_object_unref (src);
  fail_unless (port > 0);
  return port;
}

/* branch: from the tee behind the depayloader; empty: none. */
static void
outage_start (Outage * self, gint codec, const gchar * decoder, const gchar * branch)
{
  gchar *text = g_strdup_printf ("arcsrc name=src address=127.0.0.1 port=0 ! rtpjitterbuffer "
      "latency=100 ! %s ! fakesink name=out sync=true qos=true signal-handoffs=true %s",
      decoder, branch);
  GstElement *out, *sink;
  GstPad *pad;

  *self = (Outage) { .receiver = launch (text) };
  g_free (text);
  out = gst_bin_get_by_name (GST_BIN (self->receiver), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (on_shown), self);
  gst_object_unref (out);
  gst_element_set_state (self->receiver, GST_STATE_PLAYING);

  text = g_strdup_printf (CAMERA "%s ! rmcsink name=sink port=%d max-bitrate=2000000",
      codecs[codec].encoder, port_of (self->receiver));
  self->sender = launch (text);
  g_free (text);
  sink = gst_bin_get_by_name (GST_BIN (self->sender), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_sent,
      self, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
  gst_element_set_state (self->sender, GST_STATE_PLAYING);
}

static void
outage_stop (Outage * self)
{
  gst_element_set_state (self->sender, GST_STATE_NULL);
  gst_object_unref (self->sender);
  gst_element_set_state (self->receiver, GST_STATE_NULL);
  gst_object_unref (self->receiver);
}

/* Until so many were shown, and one after the outage if there is any. */
static void
wait_for_pictures (Outage * self, guint shown)
{
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;
  gboolean came = TRUE;

  g_mutex_lock (&self->lock);
  while (came && (self->shown < shown || self->wanted || self->away
          || self->shown_at < self->back_at))
    came = g_cond_wait_until (&self->changed, &self->lock, end);
  g_mutex_unlock (&self->lock);
  fail_unless (came, "%u pictures, %s", self->shown,
      self->wanted ? "no outage" : self->away ? "it lasts" : "none after it");
}

static void
begin (Outage * self)
{
  wait_for_pictures (self, FRAMES);
  g_mutex_lock (&self->lock);
  self->wanted = TRUE;
  self->frozen_us = 0;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_there (gint codec)
{
  for (guint i = 0; i < G_N_ELEMENTS (codecs[codec].needs) && codecs[codec].needs[i]; i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (codecs[codec].needs[i]);

    if (!factory)
      return FALSE;
  }
  return TRUE;
}

TIMED_CLAIM (test_the_present_is_shown_as_soon_as_media_is_back)
{
  Outage outages[G_N_ELEMENTS (codecs)];

  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (is_there (i))
      outage_start (&outages[i], i, codecs[i].decoder, "");
  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (is_there (i))
      begin (&outages[i]);
  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++) {
    if (!is_there (i))
      continue;
    wait_for_pictures (&outages[i], 2 * FRAMES);
    outage_stop (&outages[i]);
    fail_unless (outages[i].frozen_us > AWAY_US / 2 && outages[i].frozen_us < MOST_FROZEN_US,
        "%s: frozen for %" G_GINT64_FORMAT " us", codecs[i].decoder, outages[i].frozen_us);
  }
}

static void
count (GstElement * sink, GstBuffer * buffer, GstPad * pad, guint * n)
{
  ++*n;
}

/* Those that a file of Matroska holds. */
static guint
frames_of (const gchar * file)
{
  gchar *text = g_strdup_printf ("filesrc location=%s ! matroskademux ! fakesink name=out "
      "signal-handoffs=true", file);
  g_autoptr (GstElement) pipeline = launch (text), out = gst_bin_get_by_name (GST_BIN (pipeline),
      "out");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  guint n = 0;

  g_signal_connect (out, "handoff", G_CALLBACK (count), &n);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 30 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_free (text);
  return n;
}

CLAIM (test_a_recording_holds_what_was_before_and_after_an_outage)
{
  g_autofree gchar *folder = g_dir_make_tmp ("arc-outage-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "rec.mkv", NULL), *branch =
      g_strdup_printf ("t. ! queue ! h264parse ! matroskamux ! filesink location=%s", file);
  guint shown, recorded;
  Outage o;

  if (is_there (0)) {
    outage_start (&o, 0, "rtph264depay ! tee name=t ! queue ! avdec_h264", branch);
    begin (&o);
    wait_for_pictures (&o, 2 * FRAMES);
    gst_element_send_event (o.receiver, gst_event_new_eos ());
    g_usleep (G_USEC_PER_SEC / 2);      /* the muxer writes its index; frames are there before */
    outage_stop (&o);
    shown = o.shown;
    recorded = frames_of (file);
    fail_unless (recorded >= shown - FRAMES / 2, "%u frames in the file, %u shown", recorded,
        shown);
  }
  g_unlink (file);
  g_rmdir (folder);
}
