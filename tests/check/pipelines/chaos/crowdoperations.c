/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

/* More streams under one key than a small table holds come and go, and others after them. No packet
 * may be refused or come twice. */

#define STREAMS 70
#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define CROWD_PORT 11           /* after the scene's first */
#define CAPS "application/x-rtp,media=audio,encoding-name=PCMA,payload=8,clock-rate=8000"

static GstElement *
parse (GString * line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line->str, &error);

  if (!pipeline)
    watchdog_fail ("%s: %s", line->str, error->message);
  g_string_free (line, TRUE);
  return pipeline;
}

static GstElement *
new_receiver (guint port)
{
  GString *line = g_string_new (NULL);

  g_string_printf (line, "arcsrc name=in port=%u srtp-key=" KEY " caps=\"" CAPS
      "\" ! fakesink async=false", port);
  return parse (line);
}

static GstElement *
new_sender (guint port, guint32 first_ssrc)
{
  GString *line = g_string_new (NULL);

  g_string_printf (line, "funnel name=crowd ! rmcsink name=sink host=127.0.0.1 port=%u async=false "
      "congestion-control=fixed start-bitrate=8000000 srtp-key=" KEY, port);
  for (guint i = 0; i < STREAMS; i++)
    g_string_append_printf (line, " audiotestsrc is-live=true samplesperbuffer=320 "
        "! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay pt=8 ssrc=%u ! crowd.",
        first_ssrc + i);
  return parse (line);
}

static guint64
count (GstElement * pipeline, const gchar * name, const gchar * field)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, field, &value))
    watchdog_fail ("%s has no %s", name, field);
  return value;
}

static void
stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

gboolean
operate_crowd (Scene * scene, Actor * actor)
{
  guint port = scene->port + CROWD_PORT, rounds = 1 + actor_below (actor, 2);
  GstElement *receiver;
  guint64 rejected, refused = 0;

  actor_will (actor, "%u streams under one key, %u times", STREAMS, rounds);
  receiver = new_receiver (port);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  for (guint i = 0; i < rounds; i++) {
    GstElement *sender = new_sender (port, scene->next_ssrc);

    scene->next_ssrc += STREAMS;
    gst_element_set_state (sender, GST_STATE_PLAYING);
    g_usleep (700 * 1000);
    refused += count (sender, "sink", "srtp-unsent");
    stop (sender);
  }
  rejected = count (receiver, "in", "rejected");
  stop (receiver);
  if (rejected + refused > 0)
    watchdog_fail ("%u streams under one key: %" G_GUINT64_FORMAT " packets refused, %"
        G_GUINT64_FORMAT " rejected", STREAMS, refused, rejected);
  actor_done (actor);
  return TRUE;
}
