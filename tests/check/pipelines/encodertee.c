/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One encoder, a tee, several rmcsinks: with a receiver, with one that is not there, and with one
 * whose network is away for a while. Real sockets and time. */
#include <signal.h>
#include <sys/wait.h>

#include "../link/emulator.h"
#include "quiet.h"

#define SENDER \
    "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,width=320,height=180,framerate=30/1 ! x264enc name=e tune=zerolatency " \
    "speed-preset=ultrafast vbv-buf-capacity=200 ! rtph264pay config-interval=-1 mtu=1200 " \
    "! tee name=t  t. ! queue ! rmcsink name=living port=15780 max-bitrate=1000000 " \
    "t. ! queue ! rmcsink name=dead port=15782 start-bitrate=200000 " \
    "controller-params=\"params,stop=1.0\""
#define RECEIVER \
    "arcsrc address=127.0.0.1 port=15780 " \
    "caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 ! fakesink"
#define WATCH_TIME (8 * GST_SECOND)
#define STEP_TIME (GST_SECOND / 5)
/* For another warning; meanwhile the dead viewer's sink stops. */
#define AGAIN_TIME (3 * GST_SECOND)

static guint
target_of (GstElement * pipeline, const gchar * name, const gchar * property)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  guint value;

  g_object_get (element, property, &value, NULL);
  return value;
}

static guint
count_warnings (GstBus * bus, const gchar * text, GstClockTime span)
{
  GstClockTime end = gst_util_get_timestamp () + span, now;
  GstMessage *message;
  guint n = 0;

  while ((now = gst_util_get_timestamp ()) < end) {
    g_autoptr (GError) warning = NULL;

    message = gst_bus_timed_pop_filtered (bus, end - now, GST_MESSAGE_WARNING);
    if (message == NULL)
      break;
    gst_message_parse_warning (message, &warning, NULL);
    n += strstr (warning->message, text) != NULL;
    gst_message_unref (message);
  }
  return n;
}

/* The encoder makes what the living viewer's network carries, and the dead one wants less. */
static gboolean
follows_the_living (GstElement * sender)
{
  guint bps = 1000 * target_of (sender, "e", "bitrate");
  guint living_bps = target_of (sender, "living", "target-bitrate");
  guint dead_bps = target_of (sender, "dead", "target-bitrate");

  GST_INFO ("%u bit/s; living %u, dead %u", bps, living_bps, dead_bps);
  return bps > living_bps * 0.9 && bps < living_bps * 1.1 && dead_bps < bps * 0.7;
}

CLAIM_TIMEOUT_S (120)

TIMED_CLAIM (test_dead_viewer_does_not_pull_the_encoder_down_and_sharing_is_told_once)
{
  STOPPED GstElement *receiver = gst_parse_launch (RECEIVER, NULL),
      *sender = gst_parse_launch (SENDER, NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);
  guint warnings = 0;

  gst_element_set_state (receiver, GST_STATE_PLAYING);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  for (GstClockTime span = 0; span < WATCH_TIME && !(warnings > 0 && follows_the_living (sender));
      span += STEP_TIME)
    warnings += count_warnings (bus, "e feeds 2 sinks", STEP_TIME);
  warnings += count_warnings (bus, "e feeds 2 sinks", AGAIN_TIME);
  fail_unless (follows_the_living (sender), "%u kbit/s, of %u and %u bit/s",
      target_of (sender, "e", "bitrate"), target_of (sender, "living", "target-bitrate"),
      target_of (sender, "dead", "target-bitrate"));
  fail_unless_equals_int (warnings, 1);
}

#define THREE \
    "videotestsrc is-live=true pattern=snow ! video/x-raw,width=320,height=180,framerate=30/1 " \
    "! x264enc name=e tune=zerolatency speed-preset=ultrafast ! rtph264pay mtu=1200 " \
    "! tee name=t  t. ! queue ! rmcsink name=s0 port=15784 max-bitrate=2000000 " \
    "t. ! queue ! rmcsink name=s1 port=15786 max-bitrate=2000000 " \
    "t. ! queue ! rmcsink name=s2 port=%u max-bitrate=2000000"
#define RECEIVER_AT \
    "arcsrc address=127.0.0.1 port=%u " \
    "caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 ! fakesink"
#define BEHIND_PORT 15788
#define AWAY_MS 3000
#define BACK_MS 5000

static GstElement *
play_receiver (guint port)
{
  g_autofree gchar *text = g_strdup_printf (RECEIVER_AT, port);
  GstElement *receiver = gst_parse_launch (text, NULL);

  gst_element_set_state (receiver, GST_STATE_PLAYING);
  return receiver;
}

/* The least that the encoder is set to meanwhile. */
static guint
least_kbps (GstElement * sender, guint span_ms)
{
  guint least = G_MAXUINT;

  for (guint ms = 0; ms < span_ms; ms += 100) {
    GST_INFO ("%u kbit/s; %u, %u, %u", target_of (sender, "e", "bitrate"),
        target_of (sender, "s0", "target-bitrate"), target_of (sender, "s1", "target-bitrate"),
        target_of (sender, "s2", "target-bitrate"));
    least = MIN (least, target_of (sender, "e", "bitrate"));
    g_usleep (100000);
  }
  return least;
}

TIMED_CLAIM (test_a_viewer_whose_network_is_away_for_a_while_costs_the_others_nothing)
{
  g_autofree gchar *options = g_strdup_printf ("--listen 0 --to 127.0.0.1:%u --rate 4M --delay 20",
      BEHIND_PORT), *text = NULL;
  STOPPED GstElement *one = play_receiver (15784), *two = play_receiver (15786),
      *behind = play_receiver (BEHIND_PORT), *sender = NULL;
  guint before, away, back;
  int stderr_fd;
  GPid link;

  text = g_strdup_printf (THREE, emulator_listen (options, &link, &stderr_fd));
  sender = gst_parse_launch (text, NULL);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  for (guint i = 0; i < 30 && target_of (sender, "e", "bitrate") < 1500; i++)
    g_usleep (500000);
  before = target_of (sender, "e", "bitrate");
  kill (link, SIGSTOP);
  away = least_kbps (sender, AWAY_MS);
  kill (link, SIGCONT);
  back = least_kbps (sender, BACK_MS);
  kill (link, SIGTERM);
  waitpid (link, NULL, 0);
  fail_unless (before > 1500 && away > before / 2 && back > before / 2,
      "%u kbit/s before, at least %u while one is away and %u when it is back", before, away, back);
}
