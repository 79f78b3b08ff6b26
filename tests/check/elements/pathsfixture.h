/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink with several paths and arcsrc, and which packets came. */
#pragma once

#include "claim.h"
#include "readstat.h"

#include <gio/gio.h>
#include <string.h>

#define PAYLOAD 96
#define CAPS "application/x-rtp,media=audio,encoding-name=L16,clock-rate=48000,channels=1," \
    "payload=96"
#define MEDIA "audiotestsrc is-live=true samplesperbuffer=480 ! " \
    "audio/x-raw,format=S16BE,rate=48000,channels=1 ! rtpL16pay mtu=500 pt=96"

typedef struct
{
  GstElement *sender, *sink, *receiver, *src, *out;
  guint16 port;
  /* of the streaming thread of the receiver, under the lock */
  GMutex lock;
  guint came, doubles, strange;
  guint32 ssrc;
  gboolean seen[65536];
  guint16 lowest, highest;
} World;

static void
on_packet (GstElement * out, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  World *w = user_data;
  guint8 header[12];
  guint16 seq;
  guint32 ssrc;

  gst_buffer_extract (buffer, 0, header, sizeof header);
  seq = GST_READ_UINT16_BE (header + 2);
  ssrc = GST_READ_UINT32_BE (header + 8);
  g_mutex_lock (&w->lock);
  if (w->came == 0) {
    w->ssrc = ssrc;
    w->lowest = w->highest = seq;
  }
  w->came++;
  w->strange += ssrc != w->ssrc || (header[0] & 0x20) != 0;
  w->doubles += w->seen[seq];
  w->seen[seq] = TRUE;
  if ((gint16) (seq - w->highest) > 0)
    w->highest = seq;
  g_mutex_unlock (&w->lock);
}

/* Without caps unless the settings have them. */
static void
start_receiver_with (World * w, const gchar * settings)
{
  GError *error = NULL;
  g_autofree gchar *line = g_strdup_printf ("arcsrc name=src address=127.0.0.1 port=%u %s ! "
      "application/x-rtp ! fakesink name=out sync=false async=false signal-handoffs=true",
      w->port, settings);

  w->receiver = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  w->src = gst_bin_get_by_name (GST_BIN (w->receiver), "src");
  w->out = gst_bin_get_by_name (GST_BIN (w->receiver), "out");
  g_signal_connect (w->out, "handoff", G_CALLBACK (on_packet), w);
  gst_element_set_state (w->receiver, GST_STATE_PLAYING);
  if (w->port == 0) {
    guint port;

    g_object_get (w->src, "port", &port, NULL);
    w->port = (guint16) port;
  }
}

static G_GNUC_UNUSED void
start_receiver (World * w, const gchar * settings)
{
  g_autofree gchar *all = g_strdup_printf ("caps=%s %s", CAPS, settings);

  start_receiver_with (w, all);
}

static void
start_sender (World * w, const gchar * settings)
{
  GError *error = NULL;
  g_autofree gchar *line = g_strdup_printf (MEDIA " ! rmcsink name=sink host=127.0.0.1 port=%u "
      "start-bitrate=4000000 min-bitrate=2000000 %s", w->port, settings);

  w->sender = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  w->sink = gst_bin_get_by_name (GST_BIN (w->sender), "sink");
  gst_element_set_state (w->sender, GST_STATE_PLAYING);
}

static void
world_open (World * w)
{
  memset (w, 0, sizeof *w);
  g_mutex_init (&w->lock);
}

static void
stop (GstElement ** pipeline, GstElement ** element)
{
  if (!*pipeline)
    return;
  gst_element_set_state (*pipeline, GST_STATE_NULL);
  g_clear_object (element);
  g_clear_object (pipeline);
}

static void
world_close (World * w)
{
  stop (&w->sender, &w->sink);
  stop (&w->receiver, &w->src);
  g_clear_object (&w->out);
  g_mutex_clear (&w->lock);
}

#define WORLD World, w, world_open (w), world_close (w)

/* What came until now does not count: until a receiver answers each path is tried in turn. */
static G_GNUC_UNUSED void
count_anew (World * w)
{
  g_mutex_lock (&w->lock);
  w->came = w->doubles = w->strange = 0;
  memset (w->seen, 0, sizeof w->seen);
  g_mutex_unlock (&w->lock);
}

/* Of the streaming thread, such as &w->doubles. */
static G_GNUC_UNUSED guint
counted (World * w, const guint * count)
{
  guint n;

  g_mutex_lock (&w->lock);
  n = *count;
  g_mutex_unlock (&w->lock);
  return n;
}

/* Numbers between the first and the last that did not come. */
static G_GNUC_UNUSED guint
missing (World * w)
{
  guint n = 0;

  g_mutex_lock (&w->lock);
  for (guint16 seq = w->lowest; seq != w->highest; seq++)
    n += !w->seen[seq];
  g_mutex_unlock (&w->lock);
  return n;
}

/* A number of the sender's statistics. */
static G_GNUC_UNUSED guint64
stat_of (World * w, const gchar * field)
{
  return read_stat (w->sink, field);
}

/* The field of the path in the statistics; FALSE: there is no such path. */
static G_GNUC_UNUSED gboolean
path_value (World * w, const gchar * name, const gchar * field, GValue * value)
{
  const GValue *paths;
  g_autoptr (GstStructure) stats = NULL;
  gboolean found = FALSE;

  g_object_get (w->sink, "stats", &stats, NULL);
  paths = gst_structure_get_value (stats, "paths");
  for (guint i = 0; paths && i < gst_value_array_get_size (paths) && !found; i++) {
    const GstStructure *path =
        gst_value_get_structure (gst_value_array_get_value (paths, i));

    found = g_str_equal (gst_structure_get_string (path, "path"), name);
    if (found) {
      g_value_init (value, G_VALUE_TYPE (gst_structure_get_value (path, field)));
      g_value_copy (gst_structure_get_value (path, field), value);
    }
  }
  return found;
}

/* 0: there is no such path. */
static G_GNUC_UNUSED guint64
path_count (World * w, const gchar * name, const gchar * field)
{
  GValue value = G_VALUE_INIT;
  guint64 n = path_value (w, name, field, &value) ? g_value_get_uint64 (&value) : 0;

  if (G_IS_VALUE (&value))
    g_value_unset (&value);
  return n;
}

static G_GNUC_UNUSED guint64
packets_of (World * w, const gchar * name)
{
  return path_count (w, name, "packets-sent");
}

static G_GNUC_UNUSED gboolean
is_carrying (World * w, const gchar * name)
{
  GValue value = G_VALUE_INIT;
  gboolean is = path_value (w, name, "state", &value)
      && g_str_equal (g_value_get_string (&value), "carrying");

  if (G_IS_VALUE (&value))
    g_value_unset (&value);
  return is;
}

/* Up to half a minute. The condition is asked no more once it held: a rate may fall again. */
#define await(condition) \
  do { \
    gboolean held_ = FALSE; \
    for (guint tries_ = 0; tries_ <= 600 && !(held_ = (condition)); tries_++) \
      g_usleep (50000); \
    fail_unless (held_, "%s", #condition); \
  } while (0)

static G_GNUC_UNUSED void
await_packets (World * w, guint n)
{
  guint before = counted (w, &w->came);

  await (counted (w, &w->came) >= before + n);
}
