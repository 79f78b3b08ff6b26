/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink, linkemu that marks what waited for 10 ms, arcsrc; in real time. The source always has
 * more to send. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../link/emulator.h"
#include "quiet.h"
#include "readstat.h"

#define FIRST_BPS 2000000
#define SECOND_BPS 1000000
#define FALL_S 4
#define OVERHEAD_BYTES 28
#define SENDER \
    "videotestsrc pattern=black ! video/x-raw,format=I420,width=320,height=240 ! rtpvrawpay " \
    "mtu=1200 ! rmcsink name=sink sync=false max-bitrate=10000000 port=%u " \
    "ecn=true"

typedef struct
{
  GstElement *sender, *receiver, *sink, *source;
  GPid link;
  int link_stderr;
} Call;

static GstElement *
play (const gchar * text, const gchar * name, GstElement ** named)
{
  GstElement *pipeline = gst_parse_launch (text, NULL);

  fail_unless (pipeline != NULL, "%s", text);
  *named = gst_bin_get_by_name (GST_BIN (pipeline), name);
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

/* Returns the port to send to. */
static guint
start_link (Call * call, gint to)
{
  return emulator_fall (to, FIRST_BPS, FALL_S, SECOND_BPS, "--delay 25 --mark 10", &call->link,
      &call->link_stderr);
}

static void
call_start (Call * call)
{
  g_autofree gchar *line = NULL;
  gint port;

  call->receiver = play ("arcsrc name=source address=127.0.0.1 port=0 caps=application/x-rtp "
      "! fakesink sync=false", "source", &call->source);
  g_object_get (call->source, "port", &port, NULL);
  line = g_strdup_printf (SENDER, start_link (call, port));
  call->sender = play (line, "sink", &call->sink);
}

/* Returns what the link says about itself (g_free). */
static gchar *
call_stop (Call * call)
{
  gchar *summary;
  int status;

  gst_element_set_state (call->sender, GST_STATE_NULL);
  gst_element_set_state (call->receiver, GST_STATE_NULL);
  gst_object_unref (call->sink);
  gst_object_unref (call->source);
  gst_object_unref (call->sender);
  gst_object_unref (call->receiver);
  kill (call->link, SIGTERM);
  summary = emulator_read_line (call->link_stderr);
  fail_unless (waitpid (call->link, &status, 0) == call->link);
  close (call->link_stderr);
  return summary;
}

/* On the network, over the next so many seconds. */
static gdouble
measure_bps (Call * call, guint seconds)
{
  guint64 bytes = read_stat (call->source, "bytes-received"),
      pkts = read_stat (call->source, "packets-received");
  gint64 begin_us = g_get_monotonic_time ();

  g_usleep (seconds * G_USEC_PER_SEC);
  bytes = read_stat (call->source, "bytes-received") - bytes;
  pkts = read_stat (call->source, "packets-received") - pkts;
  return (bytes + pkts * OVERHEAD_BYTES) * 8e6 / (g_get_monotonic_time () - begin_us);
}

CLAIM_TIMEOUT_S (180)

TIMED_CLAIM (test_rate_follows_a_link_that_marks_and_nothing_is_lost)
{
  Call call;
  gdouble first_bps, second_bps;
  guint64 seen, told;
  g_autofree gchar *summary = NULL;

  call_start (&call);
  g_usleep (2 * G_USEC_PER_SEC);
  first_bps = measure_bps (&call, FALL_S - 2);
  g_usleep (2 * G_USEC_PER_SEC);
  second_bps = measure_bps (&call, 2);
  fail_unless (first_bps > 0.5 * FIRST_BPS, "%g", first_bps);
  fail_unless (second_bps > 0.5 * SECOND_BPS && second_bps < 1.05 * SECOND_BPS, "%g", second_bps);
  fail_unless_equals_uint64 (read_stat (call.sink, "packets-lost"), 0);
  told = read_stat (call.sink, "packets-ce");
  seen = read_stat (call.source, "packets-ce");
  fail_unless (told > 0 && told <= seen, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, told, seen);
  summary = call_stop (&call);
  fail_unless (emulator_fact (summary, "marked ") >= seen, "%u of %" G_GUINT64_FORMAT,
      emulator_fact (summary, "marked "), seen);
  fail_unless_equals_int (emulator_fact (summary, "tail drops "), 0);
}
