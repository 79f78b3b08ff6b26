/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Media that already has gaps in its numbers when rmcsink gets it: nothing of it is lost on the
 * path, which is the loopback. */
#include "launch.h"
#include "readstat.h"

#define PATIENCE (60 * G_TIME_SPAN_SECOND)
#define MEDIA "application/x-rtp,media=audio,encoding-name=L16,clock-rate=48000,payload=96," \
    "extmap-1=(string)http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
/* 250 packets a second. */
#define CAMERA(ssrc) \
    "audiotestsrc is-live=true samplesperbuffer=192 " \
    "! audio/x-raw,format=S16BE,rate=48000,channels=1 ! rtpL16pay mtu=500 pt=96 ssrc=" ssrc \
    " auto-header-extension=false ! capssetter caps=\"" MEDIA "\" replace=true "
#define SINK "rmcsink name=sink host=127.0.0.1 port=%d min-bitrate=1000000 start-bitrate=2000000"
#define RECEIVER \
    "arcsrc name=src address=127.0.0.1 port=0 feedback=%s caps=\"" MEDIA "\" ! fakesink"

typedef struct
{
  const gchar *sender;
  void (*begin_gap) (GstElement * gaps);
  void (*end_gap) (GstElement * gaps);
} Cause;

static void
select_pad (GstElement * gaps, const gchar * name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (gaps, name);

  g_object_set (gaps, "active-pad", pad, NULL);
}

static void
select_other (GstElement * gaps)
{
  select_pad (gaps, "sink_1");
}

static void
select_first (GstElement * gaps)
{
  select_pad (gaps, "sink_0");
}

static void
close_valve (GstElement * gaps)
{
  g_object_set (gaps, "drop", TRUE, NULL);
}

static void
open_valve (GstElement * gaps)
{
  g_object_set (gaps, "drop", FALSE, NULL);
}

static void
drop_many (GstElement * gaps)
{
  g_object_set (gaps, "drop-probability", 0.5, NULL);
}

static void
drop_none (GstElement * gaps)
{
  g_object_set (gaps, "drop-probability", 0.0, NULL);
}

static const Cause causes[] = {
  {"input-selector name=gaps sync-streams=false ! " SINK " " CAMERA ("1") "! gaps.sink_0 "
        CAMERA ("2") "! gaps.sink_1", select_other, select_first},
  {CAMERA ("1") "! valve name=gaps ! " SINK, close_valve, open_valve},
  {CAMERA ("1") "! identity name=gaps ! " SINK, drop_many, drop_none},
};

static const gchar *const formats[] = { "arc", "ccfb", "twcc", "rr" };

static void
wait_for_rise (GstElement * element, const gchar * name, guint by)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  guint64 before = read_stat (element, name);

  while (read_stat (element, name) < before + by) {
    fail_if (g_get_monotonic_time () > end, "%s does not rise", name);
    g_usleep (20000);
  }
}

static GstElement *
play (gchar * text, const gchar * name, GstElement ** element)
{
  GstElement *pipeline = launch (text);

  g_free (text);
  *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

CLAIM_TIMEOUT_S (300)

CLAIMS (test_gaps_in_the_media_are_no_losses_of_the_path,
    G_N_ELEMENTS (causes) * G_N_ELEMENTS (formats))
{
  const Cause *cause = &causes[__i__ % G_N_ELEMENTS (causes)];
  const gchar *format = formats[__i__ / G_N_ELEMENTS (causes)];
  guint reports = g_str_equal (format, "rr") ? 1 : 10;
  g_autoptr (GstElement) src = NULL, sink = NULL, gaps = NULL;
  STOPPED GstElement *receiver = NULL, *sender = NULL;
  gint port;

  receiver = play (g_strdup_printf (RECEIVER, format), "src", &src);
  g_object_get (src, "port", &port, NULL);
  sender = play (g_strdup_printf (cause->sender, port), "sink", &sink);
  gaps = gst_bin_get_by_name (GST_BIN (sender), "gaps");
  wait_for_rise (sink, "reports-received", reports);
  for (guint i = 0; i < 2; i++) {
    cause->begin_gap (gaps);
    g_usleep (G_USEC_PER_SEC);
    cause->end_gap (gaps);
    wait_for_rise (sink, "packets-sent", 50);
    wait_for_rise (sink, "reports-received", reports);
  }
  fail_unless (read_stat (sink, "packets-lost") < 20, "%" G_GUINT64_FORMAT " lost (%s)",
      read_stat (sink, "packets-lost"), format);
}
