/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The way of a stamp through the elements: rmcsink claims, arcreceiver echoes what relays
 * offered, rmcsink obeys. */
#include "rmcsinkfixture.h"

#include <rtp/ratestamp.h>
#include <gst/check/gstharness.h>

#define START_BPS 1000000
#define MIN_BPS 200000
#define MAX_BPS 5000000
#define OTHER_ID 5
#define PACKET_BYTES 500

/* --- rmcsink --- */

static void
sender_open (Fixture * f, const gchar * law)
{
  gchar *properties = g_strdup_printf ("congestion-control=%s start-bitrate=%d min-bitrate=%d "
      "max-bitrate=%d", law, START_BPS, MIN_BPS, MAX_BPS);

  fixture_init (f, TRUE, properties);
  g_free (properties);
  fixture_play (f);
}

#define STAMPING_SINK(law) Fixture, f, sender_open (f, law), fixture_clear (f)

/* Sends one packet. Its stamp, or NULL. */
static const guint8 *
next_stamp (Fixture * f, Datagram * d)
{
  fail_unless_equals_int (push_frame (f, f->seq, FALSE, 1, PACKET_BYTES), GST_FLOW_OK);
  fail_unless (receive_rtp (f, d, PATIENCE));
  return rate_stamp_find (d->data, (gsize) d->size, RATE_STAMP_ID);
}

/* All that was sent has come; this is what relays offered. */
static void
echo (Fixture * f, const Datagram * last, guint64 offered_bps)
{
  guint64 before = stat_of (f, "reports-received");
  RcReport report = {.ssrc = SSRC,.number = (guint32) before + 1,
      .highest_seq = last->seq,.received_pkts = f->seq, .received_bytes = f->seq * PACKET_BYTES,
      .arrival_us_remote = (guint64) (last->at / RC_USEC), .explicit_rate_bps = offered_bps };

  send_report (f, report);
  wait_until (stat_of (f, "reports-received") == before + 1);
}

TIMED_CLAIM_ON (test_sender_claims_its_round_trip_and_the_time_between_reports,
    STAMPING_SINK ("piqi-rcp"))
{
  const guint8 *stamp;
  RcTime between;
  Datagram d;

  stamp = next_stamp (f, &d);
  fail_unless (stamp != NULL);
  fail_unless_equals_uint64 (rate_stamp_bps (stamp), 0);
  fail_unless_equals_int64 (rate_stamp_rtt (stamp), RC_TIME_NONE);
  g_usleep (100000);
  echo (f, &d, 0);
  stamp = next_stamp (f, &d);
  fail_unless (rate_stamp_rtt (stamp) >= 110 * RC_MSEC,
      "%" G_GINT64_FORMAT, rate_stamp_rtt (stamp));
  between = rate_stamp_rtt (stamp) - (RcTime) stat_of (f, "rtt");
  fail_unless (between >= 10 * RC_MSEC && between <= RC_SECOND, "%" G_GINT64_FORMAT, between);
}

CLAIM_ON (test_other_laws_stamp_nothing, STAMPING_SINK ("arc"))
{
  Datagram d;

  fail_unless (next_stamp (f, &d) == NULL);
}

CLAIM_ON (test_sender_obeys_within_its_own_limits, STAMPING_SINK ("rcp"))
{
  static const struct { guint64 offered, rate; } rows[] = {
    {300000, 300000}, {1, MIN_BPS}, {400000, 400000}, {0, 400000},
  };
  Datagram d;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    next_stamp (f, &d);
    echo (f, &d, rows[i].offered);
    fail_unless_equals_uint64 (stat_of (f, "rate"), rows[i].rate);
  }
  next_stamp (f, &d);
  echo (f, &d, RC_WIRE_MAX_BPS);
  fail_unless (stat_of (f, "rate") <= MAX_BPS);
}

/* --- arcreceiver --- */

static GstHarness *reports;

static GstHarness *
receiver_new (const gchar * caps)
{
  GstHarness *h;

  h = gst_harness_new_with_padnames ("arcreceiver", "sink", "src");
  gst_harness_set_src_caps_str (h, caps);
  reports = gst_harness_new_with_element (h->element, NULL, "rtcp_src");
  return h;
}

static void
receiver_free (GstHarness * h)
{
  gst_harness_teardown (reports);
  gst_harness_teardown (h);
}

/* kbps: what the stamp says on the wire. */
static GstBuffer *
stamped_new (guint16 seq, guint8 id, guint32 kbps)
{
  GstBuffer *buffer = rate_stamp_insert (rtp_new (SSRC, seq, 0, FALSE, PACKET_BYTES), id,
      50 * RC_MSEC);
  const guint32 be = GUINT32_TO_BE (kbps);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  memcpy (rate_stamp_find (map.data, map.size, id), &be, sizeof be);    /* lies at an odd address */
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* What the report about this packet echoes: until the sender has told its RTT, each packet is
 * reported at once. */
static guint64
echoed_bps (GstHarness * h, GstBuffer * packet)
{
  RtcpMessage feedback;
  g_autoptr (GstBuffer) report = NULL;

  fail_unless_equals_int (gst_harness_push (h, packet), GST_FLOW_OK);
  report = gst_harness_pull (reports);
  fail_unless (report && rtcp_message_read_buffer (&feedback, report) == RTCP_VALID);
  return feedback.reports[0].explicit_rate_bps;
}

CLAIM (test_receiver_echoes_the_last_stamp_and_bounds_it)
{
  GstHarness *h = receiver_new ("application/x-rtp, media=video, clock-rate=90000, payload=96");

  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (1, RATE_STAMP_ID, 5000)), 5000000);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (2, RATE_STAMP_ID, 3000)), 3000000);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (3, RATE_STAMP_ID, G_MAXUINT32 - 1)),
      RC_WIRE_MAX_BPS);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (4, RATE_STAMP_ID, G_MAXUINT32)), 0);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (5, RATE_STAMP_ID, 7000)), 7000000);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (6, RATE_STAMP_ID, 0)), 0);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (7, OTHER_ID, 7000)), 0);
  fail_unless_equals_uint64 (echoed_bps (h, rtp_new (SSRC, 8, 0, FALSE, PACKET_BYTES)), 0);
  receiver_free (h);
}

CLAIM (test_receiver_finds_the_stamp_by_the_id_of_its_caps)
{
  GstHarness *h = receiver_new ("application/x-rtp, media=video, clock-rate=90000, payload=96, "
      "extmap-5=(string)" RATE_STAMP_URI);

  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (1, OTHER_ID, 5000)), 5000000);
  fail_unless_equals_uint64 (echoed_bps (h, stamped_new (2, RATE_STAMP_ID, 7000)), 0);
  receiver_free (h);
}

/* As arcsrc does under SRTP. */
CLAIM (test_receiver_echoes_what_relays_stamped_behind_the_packet)
{
  GstHarness *h = receiver_new ("application/x-rtp, media=video, clock-rate=90000, payload=96");
  GstBuffer *packet = rtp_new (SSRC, 1, 0, FALSE, PACKET_BYTES);

  fail_unless_equals_uint64 (echoed_bps (h, rate_stamp_attach (packet, 4000000)), 4000000);
  packet = rate_stamp_attach (stamped_new (2, RATE_STAMP_ID, 7000), 3000000);
  fail_unless_equals_uint64 (echoed_bps (h, packet), 3000000);
  fail_unless_equals_uint64 (echoed_bps (h, rtp_new (SSRC, 3, 0, FALSE, PACKET_BYTES)), 0);
  receiver_free (h);
}
