/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What rcprelay does to packets, between sockets of the test: order, rate, stamps, counters. */
#include "rcprelayfixture.h"

#include <pacing/pacingengine.h>
#include <rcprelay/gstrcprelay.h>

POINTER_END (pacing_engine_unref, PacingEngine)

/* With the pacing engine that is linked, which one claim holds up. */
BEFORE_ALL
{
  GST_ELEMENT_REGISTER (rcprelay, NULL);
}

static void
send_long (Fixture * f)
{
  gchar bytes[4000] = { 0 };

  send_bytes (f, 0, bytes, sizeof bytes);
}

CLAIM_ON (test_packets_are_stamped_and_answers_find_their_sender, RELAY (""))
{
  gchar answer[16];
  guint sender;

  for (guint i = 0; i < SENDERS; i++)
    send_stamped (f, i, 500, 50 * RC_MSEC);
  for (guint i = 0; i < SENDERS; i++) {
    guint64 bps = receive_stamped (f, &sender);

    fail_unless (bps >= 10000 && bps <= 0.95 * CAPACITY, "%" G_GUINT64_FORMAT, bps);
  }
  fail_unless_equals_uint64 (stat_of (f, "flows"), SENDERS);
  fail_unless_equals_uint64 (stat_of (f, "packets-stamped"), SENDERS);
  for (guint i = 0; i < SENDERS; i++) {
    answer[0] = (gchar) ('a' + i);
    fail_unless (g_socket_send_to (f->host, f->from[i], answer, 1, NULL, NULL) == 1);
  }
  for (guint i = 0; i < SENDERS; i++) {
    g_autoptr (GSocketAddress) from = NULL;

    fail_unless (g_socket_receive_from (f->senders[i], &from, answer, sizeof answer, NULL, NULL)
        == 1);
    fail_unless (answer[0] == (gchar) ('a' + i));
    fail_unless (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from))
        == g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f->relay_address)),
        "it comes from where was sent to");
  }
  fail_unless_equals_uint64 (stat_of (f, "feedback-packets"), SENDERS);
}

CLAIM_ON (test_rate_of_a_relay_before_is_lowered_but_never_raised, RELAY (""))
{
  guint64 own, lower, higher;
  guint sender;

  send_offered (f, 0, 500, 50 * RC_MSEC, 50000);
  lower = receive_stamped (f, &sender);
  fail_unless_equals_uint64 (lower, 50000);
  send_stamped (f, 0, 500, 50 * RC_MSEC);
  own = receive_stamped (f, &sender);
  send_offered (f, 0, 500, 50 * RC_MSEC, 2 * CAPACITY);
  higher = receive_stamped (f, &sender);
  fail_unless (own > 50000 && higher >= own && higher <= 0.95 * CAPACITY,
      "%" G_GUINT64_FORMAT, higher);
}

CLAIM_ON (test_what_has_no_stamp_passes_untouched_once_its_sender_has_sent_rtp, RELAY (""))
{
  gchar text[] = "neither RTP nor RTCP", got[64];
  guint8 rtp[12] = { 0x80, 96 };

  send_bytes (f, 0, rtp, sizeof rtp);
  fail_unless_equals_int (g_socket_receive (f->host, got, sizeof got, NULL, NULL), sizeof rtp);
  fail_unless (memcmp (got, rtp, sizeof rtp) == 0);
  send_bytes (f, 0, text, sizeof text);
  fail_unless_equals_int (g_socket_receive (f->host, got, sizeof got, NULL, NULL), sizeof text);
  fail_unless_equals_string (got, text);
  fail_unless_equals_uint64 (stat_of (f, "packets-stamped"), 0);
  fail_unless_equals_uint64 (stat_of (f, "bytes-out"),
      sizeof rtp + sizeof text + 2 * RC_OVERHEAD_IPV4_BYTES);
}

/* Each from a sender that is not known; the last two would be RTP if they were longer, or RTCP
 * of ours. */
CLAIM_ON (test_only_rtp_and_what_senders_say_to_arcsrc_make_a_flow, RELAY (""))
{
  static const struct
  {
    guint8 bytes[20];
    guint size;
  } refused[] = {
    {{'x'}, 1}, {{0}, 0}, {{0x80, 96}, 11}, {{0x40, 96}, 20}, {{0x8f, 96}, 20},
    {{0x90, 96,[14] = 0xff}, 16},
    {{0x80, 201, 0, 1}, 8},
    {{0x81, 204, 0, 3,[8] = 'A', 'R', 'C', 'S'}, 16},
  };
  RcSenderInfo info = { 1, 0, 50000 };
  g_autoptr (GstBuffer) buffer = rtcp_new_infos (1, &info, 1);
  GstMapInfo map;
  gchar got[64];

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    send_bytes (f, 0, refused[i].bytes, refused[i].size);
  wait_for (f, "packets-in", G_N_ELEMENTS (refused));
  fail_unless_equals_uint64 (stat_of (f, "flows"), 0);
  fail_unless_equals_uint64 (stat_of (f, "packets-implausible"), G_N_ELEMENTS (refused));
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  send_bytes (f, 0, map.data, map.size);
  fail_unless_equals_int (g_socket_receive (f->host, got, sizeof got, NULL, NULL), map.size);
  fail_unless_equals_uint64 (stat_of (f, "flows"), 1);
  gst_buffer_unmap (buffer, &map);
}

static gint
us_to_pass (Fixture * f, guint packets)
{
  gint64 began = g_get_monotonic_time ();
  guint sender;

  for (guint i = 0; i < packets; i++)
    send_stamped (f, 0, 1000, 0);
  for (guint i = 0; i < packets; i++)
    receive_stamped (f, &sender);
  return (gint) (g_get_monotonic_time () - began);
}

/* 100 packets of 1028 bytes are 103 ms at 8 Mbit/s, 25 are at 2; a pause earns nothing. */
TIMED_CLAIM_ON (test_packets_leave_at_the_capacity, RELAY (""))
{
  static const struct
  {
    guint64 capacity;
    guint packets;
    gint least_us;
  } spans[] = { {CAPACITY, 100, 90000}, {CAPACITY, 50, 40000}, {CAPACITY / 4, 25, 80000} };

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    gint us;

    g_object_set (f->relay, "capacity", spans[i].capacity, NULL);
    us = us_to_pass (f, spans[i].packets);
    fail_unless (us > spans[i].least_us, "%u: %d us", i, us);
    if (i == 0) {
      fail_unless (stat_of (f, "max-queue-packets") > 10, "%" G_GUINT64_FORMAT " packets",
          stat_of (f, "max-queue-packets"));
      fail_unless_equals_uint64 (stat_of (f, "packets-out"), 100);
      g_usleep (300 * 1000);
    }
  }
}

TIMED_CLAIM_ON (test_full_queue_drops_and_counts, RELAY ("max-queue-time=20000000"))
{
  guint64 dropped;

  for (guint i = 0; i < 100; i++)
    send_stamped (f, 0, 1000, 0);
  for (guint i = 0; i < 3000 && stat_of (f, "packets-in") < 100; i++)
    g_usleep (10000);
  dropped = stat_of (f, "packets-dropped");
  fail_unless (dropped > 30, "%" G_GUINT64_FORMAT " packets", dropped);
  fail_unless (stat_of (f, "max-queue-packets") <= 22, "%" G_GUINT64_FORMAT " packets",
      stat_of (f, "max-queue-packets"));
  g_object_set (f->relay, "max-queue-time", (guint64) GST_SECOND, NULL);
  dropped = stat_of (f, "packets-dropped");
  for (guint i = 0; i < 100; i++)
    send_stamped (f, 0, 1000, 0);
  for (guint i = 0; i < 3000 && stat_of (f, "packets-in") < 200; i++)
    g_usleep (10000);
  fail_unless_equals_uint64 (stat_of (f, "packets-dropped"), dropped);
  gst_element_set_state (f->relay, GST_STATE_READY);
  fail_unless_equals_uint64 (stat_of (f, "packets-dropped"), dropped); /* of the run before */
}

/* 16 Mbit/s for 300 ms, of which half is dropped. A thread that is woken late counts all at
 * once: only the mean holds. */
TIMED_CLAIM_ON (test_load_counts_what_is_dropped_and_what_has_no_stamp,
    RELAY ("max-queue-time=10000000"))
{
  const guint n = 600, size = 1000 - RC_OVERHEAD_IPV4_BYTES;
  gint64 began = g_get_monotonic_time ();
  guint8 packet[1000] = { 0x80, 96 };
  gdouble sum_bps = 0;
  guint samples = 0;

  for (guint i = 0; i < n; i++) {
    while (g_get_monotonic_time () < began + i * 500)
      g_usleep (200);
    g_socket_send_to (f->senders[0], f->relay_address, (gchar *) packet, size, NULL, NULL);
    if (i % 10 == 0 && i > 100) {
      sum_bps += (gdouble) stat_of (f, "arrival-bitrate");
      samples++;
    }
  }
  fail_unless (stat_of (f, "packets-dropped") > n / 4, "%" G_GUINT64_FORMAT " packets",
      stat_of (f, "packets-dropped"));
  fail_unless (sum_bps / samples > 1.6 * CAPACITY, "%g", sum_bps / samples);
}

/* RCP's rate falls to the least while a queue of 100 ms drains, and comes back by 40 % an
 * interval of 10 ms after. */
CLAIM_ON (test_rcp_looks_at_the_queue_of_the_relay, RELAY ("algorithm=rcp"))
{
  guint64 bps = 0;
  guint sender;

  for (guint i = 0; i < 100; i++)
    send_stamped (f, 0, 1000, 10 * RC_MSEC);
  for (guint i = 0; i < 100; i++)
    bps = receive_stamped (f, &sender);
  fail_unless (bps < 50000, "%" G_GUINT64_FORMAT, bps);
}

CLAIM_ON (test_datagram_that_is_too_long_is_refused_and_counted, RELAY (""))
{
  guint sender;

  send_stamped (f, 0, 2000, 0);
  send_long (f);
  send_stamped (f, 1, 100, 0);
  receive_stamped (f, &sender);
  receive_stamped (f, &sender);
  fail_unless_equals_int (sender, 1);
  fail_unless_equals_uint64 (stat_of (f, "packets-oversize"), 1);
  fail_unless_equals_uint64 (stat_of (f, "packets-out"), 2);
}

CLAIM_ON (test_empty_datagrams_pass_and_do_no_harm, RELAY (""))
{
  guint sender;
  gchar byte;

  send_stamped (f, 0, 100, 0);
  receive_stamped (f, &sender);
  send_bytes (f, 0, "", 0);
  fail_unless_equals_int (g_socket_receive (f->host, &byte, 1, NULL, NULL), 0);
  fail_unless (g_socket_send_to (f->host, f->from[0], "", 0, NULL, NULL) == 0);
  fail_unless_equals_int (g_socket_receive (f->senders[0], &byte, 1, NULL, NULL), 0);
}

CLAIM_ON (test_false_claims_and_stamps_are_bounded, RELAY (""))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  guint sender;

  send_stamped (f, 0, 200, 3600 * RC_SECOND);
  receive_stamped (f, &sender);
  fail_unless_equals_uint64 (stat_of (f, "rtt-clamped"), 1);
  fail_unless (stat_of (f, "loop-delay") <= GST_SECOND + 10 * GST_MSECOND);
  send_stamped (f, 1, 200, 0);
  receive_stamped (f, &sender);
  for (guint i = 0; i < 200; i++) {
    guint8 bytes[300], size = (guint8) g_rand_int_range (rand, 1, 256);

    for (guint k = 0; k < size; k++)
      bytes[k] = (guint8) g_rand_int (rand);
    bytes[0] = 0x90;
    g_socket_send_to (f->senders[1], f->relay_address, (gchar *) bytes, size, NULL, NULL);
    fail_unless (g_socket_receive (f->host, (gchar *) bytes, sizeof bytes, NULL, NULL) == size);
  }
  fail_unless_equals_uint64 (stat_of (f, "packets-out"), 202);
}

CLAIM_ON (test_rate_of_a_lone_sender_rises_to_95_percent_and_follows_the_capacity, RELAY (""))
{
  guint64 bps = 0;
  guint sender;

  for (guint i = 0; i < 500 && bps < CAPACITY / 100 * 95; i++) {
    send_stamped (f, 0, 1000, 10 * RC_MSEC);
    bps = receive_stamped (f, &sender);
    g_usleep (5000);
  }
  fail_unless_equals_uint64 (bps, CAPACITY / 100 * 95);
  g_object_set (f->relay, "capacity", (guint64) 1000000, NULL);
  send_stamped (f, 0, 1000, 10 * RC_MSEC);
  fail_unless (receive_stamped (f, &sender) <= 950000);
}

/* Bytes of two stamps, of ids 5 and 12. */
CLAIM (test_stamp_goes_where_extension_id_says)
{
  const guint8 sent[32] = { 0x90, 96,[12] = 0xbe, 0xde, 0, 5, 5 << 4 | 7, 0xff, 0xff, 0xff,
      0xff,[25] = RATE_STAMP_ID << 4 | 7, 0xff, 0xff, 0xff, 0xff };
  guint8 packet[40] = { 0 }, got[40];
  AT_END (fixture_clear) Fixture f;

  memcpy (packet, sent, sizeof sent);
  fixture_init (&f, "extension-id=5");
  send_bytes (&f, 0, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f.host, (gchar *) got, sizeof got, NULL, NULL),
      sizeof got);
  fail_unless_equals_uint64 (rate_stamp_bps (rate_stamp_find (packet, sizeof packet, 5)), 0);
  fail_unless (rate_stamp_bps (rate_stamp_find (got, sizeof got, 5)) > 0);
  fail_unless_equals_uint64 (rate_stamp_bps (rate_stamp_find (got, sizeof got, RATE_STAMP_ID)), 0);
  fail_unless_equals_uint64 (stat_of (&f, "packets-stamped"), 1);
}

CLAIM_ON (test_answer_that_is_too_long_is_dropped_and_counted, RELAY (""))
{
  static gchar answer[2100];
  guint sender;

  send_stamped (f, 0, 100, 0);
  receive_stamped (f, &sender);
  fail_unless (g_socket_send_to (f->host, f->from[0], answer, sizeof answer, NULL, NULL)
      == sizeof answer);
  fail_unless (g_socket_send_to (f->host, f->from[0], answer, 2048, NULL, NULL) == 2048);
  fail_unless_equals_int (g_socket_receive (f->senders[0], answer, sizeof answer, NULL, NULL),
      2048);
  fail_unless_equals_uint64 (stat_of (f, "packets-oversize"), 1);
  fail_unless_equals_uint64 (stat_of (f, "feedback-packets"), 1);
}

/* Keeps the pacing thread from reading, once. */
static RcTime
sleep_once (gpointer user_data, RcTime now)
{
  gint *asleep = user_data;

  if (g_atomic_int_compare_and_exchange (asleep, 0, 1))
    while (g_atomic_int_get (asleep) == 1)
      g_usleep (1000);
  return RC_TIME_NONE;
}

CLAIM_ON (test_what_the_kernel_drops_is_counted, RELAY (""))
{
  static const PacingClientFuncs funcs = { sleep_once, not_readable };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = pacing_engine_ref (NULL);
  guint8 rtp[12] = { 0x80, 96 };
  const guint n = 30000;        /* more than 8 MB with what the kernel adds to each */
  gint asleep = 0;
  PacingClient *client = pacing_engine_add (engine, -1, &funcs, &asleep, NULL);

  while (g_atomic_int_get (&asleep) == 0)
    g_usleep (1000);
  for (guint i = 0; i < n; i++)
    send_bytes (f, 0, rtp, sizeof rtp);
  g_atomic_int_set (&asleep, 2);
  for (guint i = 0; i < 100 && stat_of (f, "packets-in") + stat_of (f,
          "packets-overflow") < n + i; i++) {
    g_usleep (50000);
    send_bytes (f, 0, rtp, sizeof rtp);        /* the kernel tells with a datagram */
  }
  fail_unless (stat_of (f, "packets-overflow") > 0);
  fail_unless (stat_of (f, "packets-in") + stat_of (f, "packets-overflow") >= n);
  pacing_engine_remove (engine, client);
}
