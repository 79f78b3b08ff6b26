/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "victims.h"

#include "forgery.h"

#include <string.h>

#define RTP_HEADER_BYTES 12
/* 100 packets a second, 170 kbit/s: the start bitrate is three times that. */
#define SENDER "audiotestsrc is-live=true samplesperbuffer=80 " \
    "! audio/x-raw,rate=8000,channels=1,format=S16BE ! rtpL16pay pt=96 ! valve name=valve " \
    "! rmcsink name=element host=" VICTIMS_RECEIVER " port=%d bind-address=" VICTIMS_SENDER \
    " bind-port=%d min-bitrate=%u start-bitrate=500000 adapt-encoder=false %s%s"
#define RECEIVER "arcsrc name=element address=" VICTIMS_RECEIVER " port=%d timeout=0 %s%s " \
    "caps=\"application/x-rtp,media=audio,encoding-name=L16,payload=96,clock-rate=8000\" " \
    "! fakesink name=end sync=false async=false"

void
victims_init (Victims * self, const gchar * key, guint min_bps)
{
  *self = (Victims) {.key = key,.min_bps = min_bps };
}

static GstElement *
play (gchar * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (!pipeline || error)
    g_error ("%s: %s", line, error ? error->message : "no pipeline");
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    g_error ("%s: does not play", line);
  g_free (line);
  return pipeline;
}

static GstPadProbeReturn
on_delivered (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Victims *self = user_data;

  g_atomic_int_inc (&self->delivered);
  if (gst_buffer_memcmp (GST_PAD_PROBE_INFO_BUFFER (info), RTP_HEADER_BYTES, FORGERY_MARK,
          strlen (FORGERY_MARK)) == 0)
    g_atomic_int_inc (&self->false_media);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_made (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Victims *self = user_data;

  g_atomic_int_inc (&self->made);
  return GST_PAD_PROBE_OK;
}

static void
probe (GstElement * pipeline, const gchar * name, GstPadProbeCallback on_buffer, Victims * self)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

void
victims_start_receiver (Victims * self)
{

  self->receiver = play (g_strdup_printf (RECEIVER, VICTIMS_RECEIVER_PORT,
          self->key ? "srtp-key=" : "", self->key ? self->key : ""));
  probe (self->receiver, "end", on_delivered, self);
}

void
victims_start_sender (Victims * self)
{
  self->sender = play (g_strdup_printf (SENDER, VICTIMS_RECEIVER_PORT, VICTIMS_SENDER_PORT,
          self->min_bps,
          self->key ? "srtp-key=" : "", self->key ? self->key : ""));
  probe (self->sender, "element", on_made, self);
}

static void
restart (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
}

void
victims_restart_receiver (Victims * self)
{
  restart (self->receiver);
}

void
victims_restart_sender (Victims * self)
{
  restart (self->sender);
}

static void
stop (GstElement ** pipeline)
{
  if (*pipeline)
    gst_element_set_state (*pipeline, GST_STATE_NULL);
  gst_clear_object (pipeline);
}

void
victims_stop_sender (Victims * self)
{
  stop (&self->sender);
}

void
victims_mute (Victims * self)
{
  GstElement *valve = gst_bin_get_by_name (GST_BIN (self->sender), "valve");

  g_object_set (valve, "drop", TRUE, NULL);
  gst_object_unref (valve);
}

void
victims_stop (Victims * self)
{
  stop (&self->sender);
  stop (&self->receiver);
}

/* --- what can be seen of them --- */

static GstStructure *
stats_of (GstElement * pipeline)
{
  GstStructure *stats = NULL;
  GstElement *element;

  if (!pipeline)
    return NULL;
  element = gst_bin_get_by_name (GST_BIN (pipeline), "element");
  g_object_get (element, "stats", &stats, NULL);
  gst_object_unref (element);
  return stats;
}

Snapshot
snapshot_take (Victims * victims)
{
  return (Snapshot) {
    stats_of (victims->sender), stats_of (victims->receiver),
    g_atomic_int_get (&victims->made), g_atomic_int_get (&victims->delivered),
    g_atomic_int_get (&victims->false_media)
  };
}

void
snapshot_clear (Snapshot * self)
{
  g_clear_pointer (&self->sender, gst_structure_free);
  g_clear_pointer (&self->receiver, gst_structure_free);
}

guint64
snapshot_get (const GstStructure * stats, const gchar * name)
{
  guint64 value = 0;

  if (stats)
    gst_structure_get_uint64 (stats, name, &value);
  return value;
}
