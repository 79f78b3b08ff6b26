/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two stock rtpbins with an rtparcbwe before the sending one and linkemu between them, in real
 * time. Feedback is TWCC of rtpsession, on sockets beside the link. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../link/emulator.h"
#include "quiet.h"

#define FIRST_BPS 2000000
#define SECOND_BPS 700000
#define START_BPS 500000       /* the default of rtparcbwe */
#define FALL_S 6
#define OVERHEAD_BYTES 28
#define EXTMAP "extmap-1=(string)" \
    "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define PLAIN_CAPS "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000"
#define CAPS PLAIN_CAPS "," EXTMAP
#define RECEIVER "rtpbin name=bin rtp-profile=avpf " \
    "udpsrc name=media address=127.0.0.1 port=0 caps=" CAPS " ! bin.recv_rtp_sink_0 " \
    "bin. ! rtph264depay ! fakesink sync=false async=false " \
    "bin.send_rtcp_src_0 ! udpsink name=feedback host=127.0.0.1 sync=false async=false"
#define SENDER "rtpbin name=bin rtp-profile=avpf " \
    "videotestsrc is-live=true pattern=snow ! video/x-raw,width=320,height=240,framerate=30/1 " \
    "! x264enc name=encoder tune=zerolatency speed-preset=ultrafast key-int-max=300 " \
    "vbv-buf-capacity=200 ! rtph264pay mtu=1100 ! %s ! rtparcbwe name=bwe max-bitrate=10000000 " \
    "! bin.send_rtp_sink_0 " \
    "bin.send_rtp_src_0 ! udpsink host=127.0.0.1 port=%u sync=false async=false " \
    "udpsrc name=feedback address=127.0.0.1 port=0 caps=application/x-rtcp ! bin.recv_rtcp_sink_0"

typedef struct
{
  GstElement *sender, *receiver;
  GPid link;
  int link_stderr;
  gint bits;                    /* atomic: received, in units of 1024 bits, with headers */
} Call;

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gsize bytes = gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)) + OVERHEAD_BYTES;

  g_atomic_int_add (&((Call *) user_data)->bits, (gint) (bytes * 8));
  return GST_PAD_PROBE_OK;
}

static GstElement *
named (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  gst_object_unref (element);   /* the pipeline keeps it */
  return element;
}

static GstElement *
play (const gchar * line)
{
  GstElement *pipeline = gst_parse_launch (line, NULL);

  fail_unless (pipeline != NULL, "%s", line);
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

static gint
get_int (GstElement * element, const gchar * property)
{
  gint value;

  g_object_get (element, property, &value, NULL);
  return value;
}

/* Returns the port to send to. */
static guint
start_link (Call * call, gint to)
{
  return emulator_fall (to, FIRST_BPS, FALL_S, SECOND_BPS, "--delay 20 --queue 300ms", &call->link,
      &call->link_stderr);
}

static void
call_start (Call * call, const gchar * caps)
{
  GstPad *pad;
  g_autofree gchar *line = NULL;

  *call = (Call) { play (RECEIVER) };
  call->receiver = call->sender;
  pad = gst_element_get_static_pad (named (call->receiver, "media"), "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count, call, NULL);
  gst_object_unref (pad);
  line = g_strdup_printf (SENDER, caps, start_link (call, get_int (named (call->receiver, "media"),
              "port")));
  call->sender = play (line);
  g_object_set (named (call->receiver, "feedback"), "port",
      get_int (named (call->sender, "feedback"), "port"), NULL);
}

static void
call_stop (Call * call)
{
  int status;

  gst_element_set_state (call->sender, GST_STATE_NULL);
  gst_element_set_state (call->receiver, GST_STATE_NULL);
  gst_object_unref (call->sender);
  gst_object_unref (call->receiver);
  kill (call->link, SIGTERM);
  fail_unless (waitpid (call->link, &status, 0) == call->link);
  close (call->link_stderr);
}

/* On the network, over the next so many seconds. */
static gdouble
measure_bps (Call * call, guint seconds)
{
  gint64 begin_us = g_get_monotonic_time ();

  g_atomic_int_set (&call->bits, 0);
  g_usleep (seconds * G_USEC_PER_SEC);
  return g_atomic_int_get (&call->bits) * 1e6 / (gdouble) (g_get_monotonic_time () - begin_us);
}

static guint
encoder_kbps (Call * call)
{
  return (guint) get_int (named (call->sender, "encoder"), "bitrate");
}

CLAIM_TIMEOUT_S (200)

TIMED_CLAIM (test_encoder_follows_the_link_between_two_rtpbins)
{
  gdouble first_bps, second_bps;
  AT_END (call_stop) Call call;

  call_start (&call, CAPS);
  g_usleep (3 * G_USEC_PER_SEC);
  first_bps = measure_bps (&call, 2);
  fail_unless (first_bps > 0.5 * FIRST_BPS, "%g", first_bps);
  fail_unless (encoder_kbps (&call) > SECOND_BPS / 1000, "%u", encoder_kbps (&call));
  g_usleep (3 * G_USEC_PER_SEC);
  second_bps = measure_bps (&call, 2);
  fail_unless (second_bps > 0.5 * SECOND_BPS && second_bps < 1.1 * SECOND_BPS, "%g", second_bps);
  fail_unless (encoder_kbps (&call) < 1.1 * SECOND_BPS / 1000, "%u", encoder_kbps (&call));
}

static gboolean
goes_by_reports (Call * call)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 reports, rate_bps;
  gboolean goes;

  g_object_get (named (call->sender, "bwe"), "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "reports-received", G_TYPE_UINT64, &reports, "rate",
          G_TYPE_UINT64, &rate_bps, NULL));
  goes = reports > 0 && rate_bps != START_BPS;
  return goes;
}

/* The packets have no header extension, so there is no other feedback. A receiver report comes each
 * few seconds. */
CLAIM (test_receiver_reports_are_used_where_nothing_better_comes)
{
  gboolean goes = FALSE;
  AT_END (call_stop) Call call;

  call_start (&call, PLAIN_CAPS);
  for (guint i = 0; i < 600 && !goes; i++) {
    g_usleep (G_USEC_PER_SEC / 10);
    goes = goes_by_reports (&call);
  }
  fail_unless (goes);
}
