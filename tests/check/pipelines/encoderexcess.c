/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An encoder that makes far more than the network takes is told of once, with what to do. Noise
 * at the worst quality of JPEG is several times 100 kbit/s. */
#include "claim.h"

#define NOISE \
    "videotestsrc is-live=true pattern=snow " \
    "! video/x-raw,format=I420,width=320,height=240,framerate=15/1 ! jpegenc name=noisy " \
    "! rtpjpegpay"
#define PATIENCE (60 * GST_SECOND)     /* until the first warning */
#define WATCH_TIME (4 * GST_SECOND)      /* for another one */

static guint
count_warnings (const gchar * launch, const gchar * text)
{
  GError *error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, &error);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstClockTime end = gst_util_get_timestamp () + PATIENCE, now;
  GstMessage *message;
  guint n = 0;

  fail_unless (error == NULL, "%s", error ? error->message : "");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((now = gst_util_get_timestamp ()) < end) {
    message = gst_bus_timed_pop_filtered (bus, end - now, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
    if (message == NULL)
      break;
    gst_message_parse_warning (message, &error, NULL);
    GST_INFO ("%s", error->message);
    if (strstr (error->message, text) && n++ == 0)
      end = gst_util_get_timestamp () + WATCH_TIME;
    g_clear_error (&error);
    gst_message_unref (message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return n;
}

CLAIM_TIMEOUT_S (120)

CLAIM (test_encoder_above_what_the_network_takes_is_told_of_once)
{
  fail_unless_equals_int (count_warnings (NOISE " ! rmcsink host=127.0.0.1 port=15726 "
          "congestion-control=fixed start-bitrate=100000", "noisy made "), 1);
}

CLAIM (test_the_same_behind_rampscheduler)
{
  fail_unless_equals_int (count_warnings ("rampscheduler name=r ! rmcsink host=127.0.0.1 "
          "port=15728 congestion-control=fixed start-bitrate=100000  " NOISE " ! r.",
          "noisy made "), 1);
}
