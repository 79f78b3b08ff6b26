/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that the kernel joins on their way into the relay and cuts on their way out: each is
 * stamped, counted and sent as if it had come alone. Also where the kernel does neither. */
#include "rcprelayfixture.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <rcprelay/relay.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

#define FAST_BPS 1000000000     /* several packets leave at one moment */
#define PACKETS 10
#define BYTES 500
#define LAST_BYTES 100

typedef struct
{
  Relay *relay;
  Fixture ends;                 /* without an element */
  guint next[SENDERS];          /* packets that the host has had of each */
} Trains;

static void
trains_init (Trains * t, gboolean one_by_one)
{
  guint port = free_port (), host_port, any;
  RelayConfig config = {.address = "127.0.0.1",.port = port,.n_ports = 1,.host = "127.0.0.1",
      .capacity_bps = FAST_BPS,.router = RC_ROUTER_PARAMS_DEFAULT,.max_queue_time = RC_SECOND,
      .stamp_id = RATE_STAMP_ID,.max_flows = SENDERS,.one_by_one = one_by_one };

  memset (t, 0, sizeof *t);
  t->ends.host = socket_new (&host_port);
  config.host_port = host_port;
  t->relay = relay_new (&config, NULL);
  fail_unless (t->relay != NULL);
  t->ends.relay_address = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  for (guint i = 0; i < SENDERS; i++)
    t->ends.senders[i] = socket_new (&any);
}

static void
trains_clear (Trains * t)
{
  relay_free (t->relay);
  for (guint i = 0; i < SENDERS; i++) {
    g_object_unref (t->ends.senders[i]);
    g_clear_object (&t->ends.from[i]);
  }
  g_object_unref (t->ends.host);
  g_object_unref (t->ends.relay_address);
}

/* The last one is shorter. Byte 11 tells the sender, byte 3 which of its packets. */
static void
send_train (Trains * t, guint sender, guint from)
{
  static const guint8 header[] = { 0x90, 96, [12] = 0xbe, 0xde, 0, 3, RATE_STAMP_ID << 4 | 7 };
  guint8 train[PACKETS * BYTES] = { 0 };
  gsize size = (PACKETS - 1) * BYTES + LAST_BYTES;

  for (guint i = 0; i < PACKETS; i++) {
    guint8 *packet = train + i * BYTES;

    memcpy (packet, header, sizeof header);
    packet[3] = (guint8) (from + i);
    packet[11] = (guint8) sender;
    rate_stamp_write (packet + sizeof header, 50 * RC_MSEC);
  }
  fail_unless (g_socket_set_option (t->ends.senders[sender], IPPROTO_UDP, UDP_SEGMENT, BYTES,
          NULL));
  fail_unless_equals_int (g_socket_send_to (t->ends.senders[sender], t->ends.relay_address,
          (gchar *) train, size, NULL, NULL), size);
}

static void
expect_packet (Trains * t)
{
  guint8 packet[2000];
  gssize size = g_socket_receive (t->ends.host, (gchar *) packet, sizeof packet, NULL, NULL);
  guint sender = packet[11];
  guint8 *stamp;

  fail_unless (size > 0 && sender < SENDERS);
  fail_unless_equals_int (packet[3], t->next[sender]);  /* in the order of its flow */
  fail_unless_equals_int (size, t->next[sender] % PACKETS == PACKETS - 1 ? LAST_BYTES : BYTES);
  t->next[sender]++;
  stamp = rate_stamp_find (packet, (gsize) size, RATE_STAMP_ID);
  fail_unless (stamp != NULL);
  fail_unless (rate_stamp_bps (stamp) > 0, "packet %u is not stamped", packet[3]);
  fail_unless (rate_stamp_rtt (stamp) == 50 * RC_MSEC);
}

static void
pass_trains (gboolean one_by_one)
{
  RelayStats stats;
  AT_END (trains_clear) Trains t;

  trains_init (&t, one_by_one);
  for (guint round = 0; round < 4; round++)
    for (guint i = 0; i < SENDERS; i++)
      send_train (&t, i, round * PACKETS);
  for (guint i = 0; i < 4 * SENDERS * PACKETS; i++)
    expect_packet (&t);
  relay_get_stats (t.relay, &stats);
  fail_unless_equals_int (stats.flows, SENDERS);
  fail_unless_equals_uint64 (stats.packets_in, 4 * SENDERS * PACKETS);
  fail_unless_equals_uint64 (stats.packets_stamped, 4 * SENDERS * PACKETS);
  fail_unless_equals_uint64 (stats.bytes_in, 4 * SENDERS * ((PACKETS - 1) * BYTES + LAST_BYTES
          + PACKETS * RC_OVERHEAD_IPV4_BYTES));
}

CLAIM (test_each_packet_of_a_train_is_stamped_and_keeps_its_place)
{
  pass_trains (FALSE);
}

CLAIM (test_packets_pass_alike_where_the_kernel_neither_joins_nor_cuts)
{
  pass_trains (TRUE);
}

/* Its first packets make no flow and are refused; the first RTP does, and what follows passes. */
CLAIM (test_a_train_of_a_stranger_is_judged_packet_by_packet)
{
  guint8 train[4 * BYTES] = { 0 };
  RelayStats stats;
  gchar got[2000];
  AT_END (trains_clear) Trains t;

  trains_init (&t, FALSE);
  train[2 * BYTES] = 0x80;
  train[2 * BYTES + 1] = 96;
  fail_unless (g_socket_set_option (t.ends.senders[0], IPPROTO_UDP, UDP_SEGMENT, BYTES, NULL));
  fail_unless_equals_int (g_socket_send_to (t.ends.senders[0], t.ends.relay_address,
          (gchar *) train, sizeof train, NULL, NULL), sizeof train);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (g_socket_receive (t.ends.host, got, sizeof got, NULL, NULL), BYTES);
  relay_get_stats (t.relay, &stats);
  fail_unless_equals_uint64 (stats.packets_in, 4);
  fail_unless_equals_uint64 (stats.packets_implausible, 2);
}

/* It is each packet that may not be longer than the relay takes, and not the train. */
CLAIM (test_packets_of_a_train_that_are_too_long_are_counted_one_by_one)
{
  static gchar train[3 * 3000];
  RelayStats stats = { 0 };
  AT_END (trains_clear) Trains t;

  trains_init (&t, FALSE);
  fail_unless (g_socket_set_option (t.ends.senders[0], IPPROTO_UDP, UDP_SEGMENT, 3000, NULL));
  fail_unless_equals_int (g_socket_send_to (t.ends.senders[0], t.ends.relay_address, train,
          sizeof train, NULL, NULL), sizeof train);
  for (guint i = 0; i < 300 && stats.packets_in < 3; i++) {
    g_usleep (10000);
    relay_get_stats (t.relay, &stats);
  }
  fail_unless_equals_uint64 (stats.packets_oversize, 3);
}
