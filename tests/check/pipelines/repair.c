/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink to arcsrc with one packet in ten lost before arcsrc measures it: rtpjitterbuffer asks for
 * them, and gets them. Patient: a latency of a second, so that a slow machine is in time too. Where
 * it stalls, the round trip seems long, and repairs pass for packets that were merely late. */
#include "quiet.h"
#include "readstat.h"

#include <gst/rtp/rtp.h>

#define CAPS "application/x-rtp,media=video,encoding-name=RAW,sampling=YCbCr-4:2:0," \
    "depth=(string)8,width=(string)64,height=(string)48,payload=96,clock-rate=90000"
#define JITTERBUFFER "rtpjitterbuffer name=jitter do-retransmission=true latency=1000"
#define OUT "rtpvrawdepay ! fakesink name=out sync=false async=false signal-handoffs=true"
#define SOURCE "videotestsrc is-live=true num-buffers=60 " \
    "! video/x-raw,format=I420,width=64,height=48,framerate=60/1 ! rtpvrawpay mtu=700 "
#define FIXED "congestion-control=fixed start-bitrate=8000000 rtx-time=1000000000 "

static struct
{
  GRand *rand;
  guint sent, dropped, frames;  /* of media, seen before arcsrc; out of it */
} world;

static gboolean
is_media (GstBuffer * buffer)
{
  guint8 head[2];

  return gst_buffer_extract (buffer, 0, head, 2) == 2 && head[0] >> 6 == 2
      && !(head[1] >= 192 && head[1] <= 223);
}

/* Of udpsrc's thread. */
static GstPadProbeReturn
lose (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (!is_media (GST_PAD_PROBE_INFO_BUFFER (info)))
    return GST_PAD_PROBE_OK;
  world.sent++;
  if (g_rand_int_range (world.rand, 0, 10) > 0)
    return GST_PAD_PROBE_OK;
  world.dropped++;
  return GST_PAD_PROBE_DROP;
}

static void
on_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  g_atomic_int_inc ((gint *) & world.frames);
}

static GstElement *
launch (const gchar * text)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error);

  fail_unless (error == NULL, "%s", error ? error->message : "");
  return pipeline;
}

static GstElement *
open_receiver (const gchar * line, guint * port)
{
  GstElement *receiver = launch (line);
  g_autoptr (GstElement) udpsrc = gst_bin_get_by_name (GST_BIN (receiver), "udpsrc");
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (receiver), "out");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (udpsrc, "src");

  world.rand = g_rand_new_with_seed (1);
  world.sent = world.dropped = world.frames = 0;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, lose, NULL, NULL);
  g_signal_connect (out, "handoff", G_CALLBACK (on_frame), NULL);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  g_object_get (src, "port", port, NULL);
  return receiver;
}

static void
run_to_end (GstElement * sender)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (sender, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
}

/* receiver: from arcsrc to the jitter buffer. sender: with a place for the port, at its end. */
static void
assert_repaired (const gchar * receiver_line, const gchar * sender_line)
{
  guint port;
  GstElement *receiver = open_receiver (receiver_line, &port), *sender;
  gchar *line = g_strdup_printf ("%s port=%u", sender_line, port);
  guint64 lost, missing;

  sender = launch (line);
  run_to_end (sender);
  for (guint i = 0; i < 300; i++) {     /* until the jitter buffer is empty */
    guint frames = g_atomic_int_get ((gint *) & world.frames);

    g_usleep (100000);
    if (frames > 0 && frames == (guint) g_atomic_int_get ((gint *) & world.frames) && i > 10)
      break;
  }
  missing = read_stat_in (receiver, "jitter", "num-lost");
  lost = read_stat_in (sender, "sink", "packets-lost");
  fail_unless (world.dropped > 20, "%u of %u were dropped", world.dropped, world.sent);
  fail_unless (missing < world.dropped / 5, "%" G_GUINT64_FORMAT " packets of %u are missing",
      missing, world.dropped);
  fail_unless (world.frames >= 55, "%u frames of 60 came", world.frames);
  fail_unless (read_stat_in (sender, "sink", "rtx-resent") >= world.dropped / 2,
      "%" G_GUINT64_FORMAT " of %u", read_stat_in (sender, "sink", "rtx-resent"), world.dropped);
  fail_unless (read_stat_in (receiver, "src", "rtx-asked") >= world.dropped / 2,
      "%" G_GUINT64_FORMAT " of %u", read_stat_in (receiver, "src", "rtx-asked"), world.dropped);
  fail_unless (read_stat_in (receiver, "src", "rtx-repaired") >= world.dropped / 2,
      "%" G_GUINT64_FORMAT " of %u", read_stat_in (receiver, "src", "rtx-repaired"), world.dropped);
  /* To the law they are lost nevertheless. */
  fail_unless (lost >= world.dropped / 2, "%" G_GUINT64_FORMAT " of %u were told", lost,
      world.dropped);
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_object_unref (sender);
  gst_object_unref (receiver);
  g_rand_free (world.rand);
  g_free (line);
}

CLAIM_TIMEOUT_S (120)

TIMED_CLAIM (test_lost_packets_come_again_as_they_were)
{
  assert_repaired ("arcsrc name=src address=127.0.0.1 port=0 caps=\"" CAPS "\" ! " JITTERBUFFER
      " ! " OUT, SOURCE "! rmcsink name=sink " FIXED);
}

TIMED_CLAIM (test_stock_rtprtxreceive_understands_what_we_send_again)
{
  assert_repaired ("arcsrc name=src address=127.0.0.1 port=0 caps=\"" CAPS "\" ! rtprtxreceive "
      "payload-type-map=\"application/x-rtp-pt-map,96=(uint)97\" ! " JITTERBUFFER " ! " OUT,
      SOURCE "! rmcsink name=sink " FIXED
      "rtx-payload-type-map=\"application/x-rtp-pt-map,96=(uint)97\"");
}
