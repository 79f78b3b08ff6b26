/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcprelay between sockets of the test. */
#include <rtp/ratestamp.h>
#include <rtp/rtcpfeedback.h>
#include <gio/gio.h>
#include <rcprelay/gstrcprelay.h>
#include <rcprelay/relayflow.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "quiet.h"

#define SENDERS 3
#define CAPACITY 8000000

typedef struct
{
  GstElement *relay;
  GSocket *host, *senders[SENDERS];
  GSocketAddress *relay_address, *from[SENDERS];        /* from: whence the host hears each sender */
} Fixture;

static GSocket *
socket_new (guint * port)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *bound;

  fail_unless (socket && g_socket_bind (socket, address, FALSE, NULL));
  g_socket_set_timeout (socket, 30);
  bound = g_socket_get_local_address (socket, NULL);
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  g_object_unref (bound);
  g_object_unref (address);
  return socket;
}

/* A port that was free a moment ago. */
static guint
free_port (void)
{
  guint port;

  g_object_unref (socket_new (&port));
  return port;
}

static void
fixture_init (Fixture * f, const gchar * properties)
{
  guint port = free_port (), host_port, any;
  gchar *line;

  memset (f, 0, sizeof *f);
  fail_unless (GST_ELEMENT_REGISTER (rcprelay, NULL));
  f->host = socket_new (&host_port);
  line = g_strdup_printf ("rcprelay address=127.0.0.1 port=%u host=127.0.0.1 host-port=%u capacity=%u %s", port,
      host_port, CAPACITY, properties);
  f->relay = gst_parse_launch (line, NULL);
  g_free (line);
  fail_unless (f->relay != NULL);
  fail_unless (gst_element_set_state (f->relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  f->relay_address = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  for (guint i = 0; i < SENDERS; i++)
    f->senders[i] = socket_new (&any);
}

static void
fixture_clear (Fixture * f)
{
  gst_element_set_state (f->relay, GST_STATE_NULL);
  gst_object_unref (f->relay);
  for (guint i = 0; i < SENDERS; i++) {
    g_object_unref (f->senders[i]);
    g_clear_object (&f->from[i]);
  }
  g_object_unref (f->host);
  g_object_unref (f->relay_address);
}

static guint64
stat_of (Fixture * f, const gchar * name)
{
  GstStructure *stats;
  guint64 value = 0;
  guint small;

  g_object_get (f->relay, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, name, &value) && gst_structure_get_uint (stats, name, &small))
    value = small;
  gst_structure_free (stats);
  return value;
}

/* An RTP packet of `size` bytes, with a stamp that offers so much already (0: nothing); byte 11 of the header tells
 * the sender. */
static void
send_offered (Fixture * f, guint sender, guint size, RcTime rtt, guint64 offered_bps)
{
  guint8 packet[2000] = { 0x90, 96, [11] = (guint8) sender, [12] = 0xbe, 0xde, 0, 3, RATE_STAMP_ID << 4 | 7 };

  rate_stamp_write (packet + 17, rtt);
  if (offered_bps > 0)
    rate_stamp_offer (packet + 17, offered_bps);
  fail_unless (g_socket_send_to (f->senders[sender], f->relay_address, (gchar *) packet, size, NULL, NULL)
      == (gssize) size);
}

static void
send_stamped (Fixture * f, guint sender, guint size, RcTime rtt)
{
  send_offered (f, sender, size, rtt, 0);
}

static void
send_bytes (Fixture * f, guint sender, gconstpointer bytes, gsize size)
{
  fail_unless (g_socket_send_to (f->senders[sender], f->relay_address, bytes, size, NULL, NULL) == (gssize) size);
}

static void
send_long (Fixture * f)
{
  gchar bytes[4000] = { 0 };

  send_bytes (f, 0, bytes, sizeof bytes);
}

/* The stamp of a packet that arrives at the host, and whose it is. */
static guint64
receive_stamped (Fixture * f, guint * sender)
{
  GSocketAddress *from;
  guint8 packet[2000];
  gssize size = g_socket_receive_from (f->host, &from, (gchar *) packet, sizeof packet, NULL, NULL);
  guint8 *stamp;

  fail_unless (size > 0, "nothing came");
  *sender = packet[11];
  fail_unless (*sender < SENDERS);
  g_clear_object (&f->from[*sender]);
  f->from[*sender] = from;
  stamp = rate_stamp_find (packet, (gsize) size, RATE_STAMP_ID);
  fail_unless (stamp != NULL);
  return rate_stamp_bps (stamp);
}

GST_START_TEST (test_packets_are_stamped_and_answers_find_their_sender)
{
  gchar answer[16];
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  for (guint i = 0; i < SENDERS; i++)
    send_stamped (&f, i, 500, 50 * RC_MSEC);
  for (guint i = 0; i < SENDERS; i++) {
    guint64 bps = receive_stamped (&f, &sender);

    fail_unless (bps >= 10000 && bps <= 0.95 * CAPACITY, "%" G_GUINT64_FORMAT, bps);
  }
  fail_unless_equals_uint64 (stat_of (&f, "flows"), SENDERS);
  fail_unless_equals_uint64 (stat_of (&f, "packets-stamped"), SENDERS);
  for (guint i = 0; i < SENDERS; i++) {
    answer[0] = (gchar) ('a' + i);
    fail_unless (g_socket_send_to (f.host, f.from[i], answer, 1, NULL, NULL) == 1);
  }
  for (guint i = 0; i < SENDERS; i++) {
    GSocketAddress *from;

    fail_unless (g_socket_receive_from (f.senders[i], &from, answer, sizeof answer, NULL, NULL) == 1);
    fail_unless (answer[0] == (gchar) ('a' + i));
    fail_unless (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from)) ==
        g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f.relay_address)), "it comes from where was sent to");
    g_object_unref (from);
  }
  fail_unless_equals_uint64 (stat_of (&f, "feedback-packets"), SENDERS);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_rate_of_a_relay_before_is_lowered_but_never_raised)
{
  guint64 own, lower, higher;
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  send_offered (&f, 0, 500, 50 * RC_MSEC, 50000);
  lower = receive_stamped (&f, &sender);
  fail_unless_equals_uint64 (lower, 50000);
  send_stamped (&f, 0, 500, 50 * RC_MSEC);
  own = receive_stamped (&f, &sender);
  send_offered (&f, 0, 500, 50 * RC_MSEC, 2 * CAPACITY);
  higher = receive_stamped (&f, &sender);
  fail_unless (own > 50000 && higher >= own && higher <= 0.95 * CAPACITY, "%" G_GUINT64_FORMAT, higher);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_what_has_no_stamp_passes_untouched_once_its_sender_has_sent_rtp)
{
  gchar text[] = "neither RTP nor RTCP", got[64];
  guint8 rtp[12] = { 0x80, 96 };
  Fixture f;

  fixture_init (&f, "");
  send_bytes (&f, 0, rtp, sizeof rtp);
  fail_unless_equals_int (g_socket_receive (f.host, got, sizeof got, NULL, NULL), sizeof rtp);
  fail_unless (memcmp (got, rtp, sizeof rtp) == 0);
  send_bytes (&f, 0, text, sizeof text);
  fail_unless_equals_int (g_socket_receive (f.host, got, sizeof got, NULL, NULL), sizeof text);
  fail_unless_equals_string (got, text);
  fail_unless_equals_uint64 (stat_of (&f, "packets-stamped"), 0);
  fail_unless_equals_uint64 (stat_of (&f, "bytes-out"), sizeof rtp + sizeof text + 2 * RC_OVERHEAD_IPV4_BYTES);
  fixture_clear (&f);
}

GST_END_TEST;

static void
wait_for (Fixture * f, const gchar * name, guint64 value)
{
  for (guint i = 0; i < 3000 && stat_of (f, name) < value; i++)
    g_usleep (10000);
  fail_unless_equals_uint64 (stat_of (f, name), value);
}

/* Each from a sender that is not known; the last two would be RTP if they were longer, or RTCP of ours. */
GST_START_TEST (test_only_rtp_and_what_senders_say_to_arcsrc_make_a_flow)
{
  static const struct
  {
    guint8 bytes[20];
    guint size;
  } refused[] = {
    {{'x'}, 1}, {{0}, 0}, {{0x80, 96}, 11}, {{0x40, 96}, 20}, {{0x8f, 96}, 20}, {{0x90, 96,[14] = 0xff}, 16},
    {{0xa0, 96,[19] = 21}, 20}, {{0x80, 201, 0, 1}, 8}, {{0x81, 204, 0, 3,[8] = 'A', 'R', 'C', 'S'}, 16},
  };
  RcSenderInfo info = { 1, 0, 50000 };
  GstBuffer *buffer = rtcp_feedback_new_infos (1, &info, 1);
  GstMapInfo map;
  gchar got[64];
  Fixture f;

  fixture_init (&f, "");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    send_bytes (&f, 0, refused[i].bytes, refused[i].size);
  wait_for (&f, "packets-in", G_N_ELEMENTS (refused));
  fail_unless_equals_uint64 (stat_of (&f, "flows"), 0);
  fail_unless_equals_uint64 (stat_of (&f, "packets-implausible"), G_N_ELEMENTS (refused));
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  send_bytes (&f, 0, map.data, map.size);
  fail_unless_equals_int (g_socket_receive (f.host, got, sizeof got, NULL, NULL), map.size);
  fail_unless_equals_uint64 (stat_of (&f, "flows"), 1);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  fixture_clear (&f);
}

GST_END_TEST;

/* 100 packets of 1028 bytes are 103 ms at 8 Mbit/s, 25 are at 2; a pause earns nothing. */
GST_START_TIMED_TEST (test_packets_leave_at_the_capacity)
{
  gint64 began;
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  began = g_get_monotonic_time ();
  for (guint i = 0; i < 100; i++)
    send_stamped (&f, 0, 1000, 0);
  for (guint i = 0; i < 100; i++)
    receive_stamped (&f, &sender);
  fail_unless (g_get_monotonic_time () - began > 90000, "%d us", (gint) (g_get_monotonic_time () - began));
  fail_unless (stat_of (&f, "max-queue-packets") > 10);
  fail_unless_equals_uint64 (stat_of (&f, "packets-out"), 100);
  g_usleep (300 * 1000);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < 50; i++)
    send_stamped (&f, 0, 1000, 0);
  for (guint i = 0; i < 50; i++)
    receive_stamped (&f, &sender);
  fail_unless (g_get_monotonic_time () - began > 40000, "%d us", (gint) (g_get_monotonic_time () - began));
  g_object_set (f.relay, "capacity", (guint64) CAPACITY / 4, NULL);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < 25; i++)
    send_stamped (&f, 0, 1000, 0);
  for (guint i = 0; i < 25; i++)
    receive_stamped (&f, &sender);
  fail_unless (g_get_monotonic_time () - began > 80000, "%d us", (gint) (g_get_monotonic_time () - began));
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TIMED_TEST (test_full_queue_drops_and_counts)
{
  guint64 dropped;
  Fixture f;

  fixture_init (&f, "max-queue-time=20000000");
  for (guint i = 0; i < 100; i++)
    send_stamped (&f, 0, 1000, 0);
  for (guint i = 0; i < 3000 && stat_of (&f, "packets-in") < 100; i++)
    g_usleep (10000);
  fail_unless (stat_of (&f, "packets-dropped") > 30);
  fail_unless (stat_of (&f, "max-queue-packets") <= 22);
  g_object_set (f.relay, "max-queue-time", (guint64) GST_SECOND, NULL);
  dropped = stat_of (&f, "packets-dropped");
  for (guint i = 0; i < 100; i++)
    send_stamped (&f, 0, 1000, 0);
  for (guint i = 0; i < 3000 && stat_of (&f, "packets-in") < 200; i++)
    g_usleep (10000);
  fail_unless_equals_uint64 (stat_of (&f, "packets-dropped"), dropped);
  gst_element_set_state (f.relay, GST_STATE_READY);
  fail_unless_equals_uint64 (stat_of (&f, "packets-dropped"), dropped);        /* of the run before */
  fixture_clear (&f);
}

GST_END_TEST;

/* 16 Mbit/s for 300 ms, of which half is dropped. A thread that is woken late counts all at once: only the mean holds. */
GST_START_TIMED_TEST (test_load_counts_what_is_dropped_and_what_has_no_stamp)
{
  const guint n = 600, size = 1000 - RC_OVERHEAD_IPV4_BYTES;
  gint64 began = g_get_monotonic_time ();
  guint8 packet[1000] = { 0x80, 96 };
  gdouble sum_bps = 0;
  guint samples = 0;
  Fixture f;

  fixture_init (&f, "max-queue-time=10000000");
  for (guint i = 0; i < n; i++) {
    while (g_get_monotonic_time () < began + i * 500)
      g_usleep (200);
    g_socket_send_to (f.senders[0], f.relay_address, (gchar *) packet, size, NULL, NULL);
    if (i % 10 == 0 && i > 100) {
      sum_bps += (gdouble) stat_of (&f, "arrival-bitrate");
      samples++;
    }
  }
  fail_unless (stat_of (&f, "packets-dropped") > n / 4);
  fail_unless (sum_bps / samples > 1.6 * CAPACITY, "%g", sum_bps / samples);
  fixture_clear (&f);
}

GST_END_TEST;

/* RCP's rate falls to the least while a queue of 100 ms drains, and comes back by 40 % an interval of 10 ms after. */
GST_START_TEST (test_rcp_looks_at_the_queue_of_the_relay)
{
  guint64 bps = 0;
  guint sender;
  Fixture f;

  fixture_init (&f, "algorithm=rcp");
  for (guint i = 0; i < 100; i++)
    send_stamped (&f, 0, 1000, 10 * RC_MSEC);
  for (guint i = 0; i < 100; i++)
    bps = receive_stamped (&f, &sender);
  fail_unless (bps < 50000, "%" G_GUINT64_FORMAT, bps);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_datagram_that_is_too_long_is_refused_and_counted)
{
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  send_stamped (&f, 0, 2000, 0);
  send_long (&f);
  send_stamped (&f, 1, 100, 0);
  receive_stamped (&f, &sender);
  receive_stamped (&f, &sender);
  fail_unless_equals_int (sender, 1);
  fail_unless_equals_uint64 (stat_of (&f, "packets-oversize"), 1);
  fail_unless_equals_uint64 (stat_of (&f, "packets-out"), 2);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_flows_are_bounded)
{
  guint sender;
  Fixture f;

  fixture_init (&f, "max-flows=2");
  for (guint i = 0; i < SENDERS; i++)
    send_stamped (&f, i, 100, 0);
  for (guint i = 0; i < 2; i++)
    receive_stamped (&f, &sender);
  fail_unless_equals_uint64 (stat_of (&f, "flows"), 2);
  fail_unless_equals_uint64 (stat_of (&f, "packets-refused"), 1);
  fixture_clear (&f);
}

GST_END_TEST;

static RcTime
never_due (gpointer user_data, RcTime now)
{
  return RC_TIME_NONE;
}

static void
not_readable (gpointer user_data, RcTime now)
{
}

static RelayFlow *
add_flow (RelayFlowTable * table, PacingEngine * engine, guint port_index, RcTime now)
{
  static const PacingClientFuncs funcs = { never_due, not_readable };
  RelayFlowKey key = {.port_index = port_index };
  RelayHost host = { 0 };
  RelayFlow *flow;

  fail_unless (relay_host_init (&host, "127.0.0.1", 9, NULL));
  flow = relay_flow_table_add (table, &key, &host, engine, &funcs, NULL, now);
  relay_host_clear (&host);
  return flow;
}

GST_START_TEST (test_newcomer_takes_the_place_of_the_idlest_that_was_answered)
{
  PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowKey keys[] = { {.port_index = 0}, {.port_index = 1} };
  RelayFlowTable table = { 0 };
  RelayFlow *waiting;
  gpointer socket;

  relay_flow_table_init (&table, 2, 0);
  waiting = add_flow (&table, engine, 0, 0);
  relay_flow_table_on_answer (&table, waiting, 0);
  waiting->queued = 2;
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 1, 0), 2 * RC_SECOND);
  fail_unless (relay_flow_table_find (&table, &keys[0], 3 * RC_SECOND) == waiting);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 11 * RC_SECOND), RELAY_FLOW_FULL);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 12 * RC_SECOND), RELAY_FLOW_ADMITTED);
  fail_unless (relay_flow_table_find (&table, &keys[1], 12 * RC_SECOND) == NULL);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 12 * RC_SECOND), RELAY_FLOW_ADMITTED);
  fail_unless_equals_uint64 (table.evicted, 1);
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 2, 12 * RC_SECOND), 12 * RC_SECOND);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 13 * RC_SECOND), RELAY_FLOW_ADMITTED);
  fail_unless (relay_flow_table_find (&table, &keys[0], 13 * RC_SECOND) == NULL);
  socket = waiting->socket;
  g_object_add_weak_pointer (G_OBJECT (socket), &socket);
  relay_flow_dequeued (waiting);
  fail_unless (G_IS_SOCKET (socket), "what waits in the queue needs its socket");
  relay_flow_dequeued (waiting);
  fail_unless (socket == NULL);
  relay_flow_table_clear (&table, engine);
  pacing_engine_unref (engine);
}

GST_END_TEST;

/* They go on sending, which does not help them; whom the host answered stays. */
GST_START_TEST (test_newcomer_takes_the_place_of_the_oldest_that_was_never_answered)
{
  PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowTable table = { 0 };
  RcTime at = 1900 * RC_MSEC;

  relay_flow_table_init (&table, 3, 0);
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 0, 0), 0);
  for (guint i = 1; i < 3; i++)
    add_flow (&table, engine, i, i * RC_MSEC);
  for (guint i = 0; i < 3; i++) {
    RelayFlowKey key = {.port_index = i };

    fail_unless (relay_flow_table_find (&table, &key, at) != NULL);
  }
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 2 * RC_SECOND), RELAY_FLOW_FULL);
  for (guint i = 1; i < 3; i++) {
    RelayFlowKey key = {.port_index = i };

    at = RELAY_FLOW_PROBATION + i * RC_MSEC;
    fail_unless_equals_int (relay_flow_table_admit (&table, engine, at), RELAY_FLOW_ADMITTED);
    fail_unless (relay_flow_table_find (&table, &key, at) == NULL);
    add_flow (&table, engine, 2 + i, at);
  }
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, at), RELAY_FLOW_FULL);
  fail_unless_equals_uint64 (table.evicted, 2);
  relay_flow_table_clear (&table, engine);
  pacing_engine_unref (engine);
}

GST_END_TEST;

GST_START_TEST (test_new_flows_are_limited_by_time)
{
  PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowTable table = { 0 };
  guint admitted = 0;

  relay_flow_table_init (&table, 100000, 0);
  for (guint ms = 1; ms <= 3000; ms++)
    for (guint i = 0; i < 10; i++)
      admitted += relay_flow_table_admit (&table, engine, ms * RC_MSEC) == RELAY_FLOW_ADMITTED;
  fail_unless (ABS ((gint) admitted - RELAY_FLOW_NEW_BURST - 3 * RELAY_FLOW_NEW_PER_S) <= 1, "%u", admitted);
  for (admitted = 0; relay_flow_table_admit (&table, engine, RC_SECOND * 3600) == RELAY_FLOW_ADMITTED;)
    admitted++;
  fail_unless_equals_int (admitted, RELAY_FLOW_NEW_BURST);      /* a pause saves up no more */
  relay_flow_table_clear (&table, engine);
  pacing_engine_unref (engine);
}

GST_END_TEST;

static guint
source_of (Fixture * f, guint sender)
{
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f->from[sender]));
}

/* Media from many forged addresses, which nobody answers, fills the table, and a sender comes by and by. Who was there
 * before, and was answered, stays. */
GST_START_TEST (test_flood_of_forged_media_shuts_nobody_out)
{
  guint8 rtp[12] = { 0x80, 96 };
  GSocket *forgers[40];
  guint port, sender, source;
  Fixture f;

  fixture_init (&f, "max-flows=20");
  send_stamped (&f, 2, 100, 0);
  receive_stamped (&f, &sender);
  source = source_of (&f, 2);
  fail_unless (g_socket_send_to (f.host, f.from[2], "yes", 3, NULL, NULL) == 3);
  wait_for (&f, "feedback-packets", 1);
  for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
    forgers[i] = socket_new (&port);
  g_socket_set_blocking (f.host, FALSE);
  for (guint step = 0; step < 120; step++) {
    guint8 packet[200];

    for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
      g_socket_send_to (forgers[i], f.relay_address, (gchar *) rtp, sizeof rtp, NULL, NULL);
    send_stamped (&f, 1, 100, 0);
    g_usleep (25000);
    while (g_socket_receive (f.host, (gchar *) packet, sizeof packet, NULL, NULL) > 0)
      if (packet[11] == 1)
        step = 1000;
  }
  fail_unless (stat_of (&f, "packets-refused") > 100);
  fail_unless (stat_of (&f, "flows-evicted") >= 1, "the sender never got a place");
  g_usleep (200000);            /* what waits has left */
  while (g_socket_receive (f.host, (gchar *) rtp, sizeof rtp, NULL, NULL) > 0);
  g_socket_set_blocking (f.host, TRUE);
  send_stamped (&f, 2, 100, 0);
  receive_stamped (&f, &sender);
  fail_unless (sender == 2 && source_of (&f, 2) == source);
  for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
    g_object_unref (forgers[i]);
  fixture_clear (&f);
}

GST_END_TEST;

/* What GLib opens for itself it aborts without. */
GST_START_TEST (test_flows_leave_files_to_the_process)
{
  const struct rlimit few = { 160, 160 };
  guint8 rtp[12] = { 0x80, 96 };
  GSocket *senders[80];
  guint port;
  Fixture f;
  int fd;

  fixture_init (&f, "");
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    senders[i] = socket_new (&port);
  fail_unless (setrlimit (RLIMIT_NOFILE, &few) == 0);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_socket_send_to (senders[i], f.relay_address, (gchar *) rtp, sizeof rtp, NULL, NULL);
  wait_for (&f, "packets-in", G_N_ELEMENTS (senders));
  fail_unless (stat_of (&f, "flows") > 0);
  fail_unless (stat_of (&f, "packets-refused") > 0);
  fail_unless_equals_uint64 (stat_of (&f, "packets-refused") + stat_of (&f, "flows"), G_N_ELEMENTS (senders));
  fd = dup (0);
  fail_unless (fd >= 0 && fd <= 160 - 160 / 8 - 16, "%d", fd);
  close (fd);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_object_unref (senders[i]);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_empty_datagrams_pass_and_do_no_harm)
{
  guint sender;
  gchar byte;
  Fixture f;

  fixture_init (&f, "");
  send_stamped (&f, 0, 100, 0);
  receive_stamped (&f, &sender);
  send_bytes (&f, 0, "", 0);
  fail_unless_equals_int (g_socket_receive (f.host, &byte, 1, NULL, NULL), 0);
  fail_unless (g_socket_send_to (f.host, f.from[0], "", 0, NULL, NULL) == 0);
  fail_unless_equals_int (g_socket_receive (f.senders[0], &byte, 1, NULL, NULL), 0);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_false_claims_and_stamps_are_bounded)
{
  GRand *rand = g_rand_new_with_seed (3);
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  send_stamped (&f, 0, 200, 3600 * RC_SECOND);
  receive_stamped (&f, &sender);
  fail_unless_equals_uint64 (stat_of (&f, "claims-clamped"), 1);
  fail_unless (stat_of (&f, "loop-delay") <= GST_SECOND + 10 * GST_MSECOND);
  send_stamped (&f, 1, 200, 0);
  receive_stamped (&f, &sender);
  for (guint i = 0; i < 200; i++) {
    guint8 bytes[300], size = (guint8) g_rand_int_range (rand, 1, 256);

    for (guint k = 0; k < size; k++)
      bytes[k] = (guint8) g_rand_int (rand);
    bytes[0] = 0x90;
    g_socket_send_to (f.senders[1], f.relay_address, (gchar *) bytes, size, NULL, NULL);
    fail_unless (g_socket_receive (f.host, (gchar *) bytes, sizeof bytes, NULL, NULL) == size);
  }
  fail_unless_equals_uint64 (stat_of (&f, "packets-out"), 202);
  g_rand_free (rand);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_rate_of_a_lone_sender_rises_to_gamma_and_follows_the_capacity)
{
  guint64 bps = 0;
  guint sender;
  Fixture f;

  fixture_init (&f, "gamma=0.9");
  for (guint i = 0; i < 500 && bps < 0.9 * CAPACITY; i++) {
    send_stamped (&f, 0, 1000, 10 * RC_MSEC);
    bps = receive_stamped (&f, &sender);
    g_usleep (5000);
  }
  fail_unless_equals_uint64 (bps, 7200000);
  g_object_set (f.relay, "capacity", (guint64) 1000000, NULL);
  send_stamped (&f, 0, 1000, 10 * RC_MSEC);
  fail_unless (receive_stamped (&f, &sender) <= 900000);
  fixture_clear (&f);
}

GST_END_TEST;

/* Without the right to it, which root always has. */
GST_START_TEST (test_priority_that_is_not_permitted_is_one_clear_warning)
{
  const struct rlimit none = { 0, 0 };
  gboolean root = geteuid () == 0;
  GstBus *bus = gst_bus_new ();
  GstElement *relay;
  GstMessage *message;
  GError *error = NULL;

  fail_unless (setrlimit (RLIMIT_RTPRIO, &none) == 0);
  fail_unless (GST_ELEMENT_REGISTER (rcprelay, NULL));
  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", "127.0.0.1", "port", free_port (), "host", "127.0.0.1", "host-port", free_port (),
      "pacing-priority", 10, NULL);
  gst_element_set_bus (relay, bus);
  fail_if (root && seteuid (65534) != 0);
  fail_unless (gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  fail_if (root && seteuid (0) != 0);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "ulimit -r") != NULL, "says: %s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (relay, GST_STATE_NULL);
  gst_object_unref (relay);
  gst_object_unref (bus);
}

GST_END_TEST;

GST_START_TEST (test_errors_say_what_to_do)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *relay;
  guint port;
  GSocket *other = socket_new (&port);
  GstMessage *message;
  GError *error;
  GstBus *bus = gst_element_get_bus (pipeline);

  fail_unless (GST_ELEMENT_REGISTER (rcprelay, NULL));
  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", "127.0.0.1", "port", port, "host", "127.0.0.1", "host-port", free_port (), NULL);
  gst_bin_add (GST_BIN (pipeline), relay);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "choose another port") != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_object_unref (other);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS, "the port is free now");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* What the relay says when it cannot start (g_free), NULL: it starts. */
static gchar *
refusal_of (const gchar * address, const gchar * host, guint port, guint host_port, guint n_ports)
{
  GstElement *relay;
  GstBus *bus = gst_bus_new ();
  gboolean starts;
  GstMessage *message;
  GError *error = NULL;
  gchar *text = NULL;

  fail_unless (GST_ELEMENT_REGISTER (rcprelay, NULL));
  relay = gst_element_factory_make ("rcprelay", NULL);
  g_object_set (relay, "address", address, "host", host, "port", port, "host-port", host_port, "n-ports", n_ports,
      NULL);
  gst_element_set_bus (relay, bus);
  starts = gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS;
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (starts == (message == NULL));
  if (message) {
    gst_message_parse_error (message, &error, NULL);
    text = g_strdup (error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_element_set_state (relay, GST_STATE_NULL);
  gst_object_unref (relay);
  gst_object_unref (bus);
  return text;
}

static gboolean
has_ipv6 (void)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV6, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *address = g_inet_socket_address_new_from_string ("::1", 0);
  gboolean ok = socket && g_socket_bind (socket, address, FALSE, NULL);

  g_clear_object (&socket);
  g_object_unref (address);
  return ok;
}

GST_START_TEST (test_relay_without_a_host_says_so)
{
  gchar *text = refusal_of ("127.0.0.1", NULL, free_port (), 5004, 1);

  fail_unless (text && strstr (text, "set host"), "%s", text);
  g_free (text);
}

GST_END_TEST;

GST_START_TEST (test_relay_refuses_to_send_to_itself)
{
  static const struct
  {
    const gchar *address, *host;
    gint host_port;             /* less the port that it listens on */
    guint n_ports;
    gboolean ipv6, refused;
  } cases[] = {
    {"127.0.0.1", "127.0.0.1", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "127.0.0.1", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "localhost", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "127.0.0.2", 0, 1, FALSE, TRUE},
    {"0.0.0.0", "0.0.0.0", 0, 1, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", 2, 3, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", -2, 3, FALSE, TRUE},
    {"127.0.0.1", "127.0.0.1", 3, 3, FALSE, FALSE},
    {"127.0.0.1", "127.0.0.2", 0, 1, FALSE, FALSE},
    {"0.0.0.0", "192.0.2.1", 0, 1, FALSE, FALSE},       /* another machine's; none has this one */
    {"::", "::1", 0, 1, TRUE, TRUE},
    {"::", "127.0.0.1", 0, 1, TRUE, TRUE},
    {"::", "::ffff:127.0.0.1", 0, 1, TRUE, TRUE},
    {"0.0.0.0", "::1", 0, 1, TRUE, FALSE},
    {"127.0.0.1", "::ffff:127.0.0.1", 0, 1, TRUE, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint port = free_port ();
    gchar *text;

    if (cases[i].ipv6 && !has_ipv6 ())
      continue;
    text = refusal_of (cases[i].address, cases[i].host, port, port + (guint) cases[i].host_port, cases[i].n_ports);
    /* no network, no route */
    if (!cases[i].refused && text && strstr (text, "cannot send to"))
      g_clear_pointer (&text, g_free);
    fail_unless ((text != NULL) == cases[i].refused, "%s to %s: %s", cases[i].address, cases[i].host, text);
    fail_unless (!text || strstr (text, "send to itself"), "%s to %s: %s", cases[i].address, cases[i].host, text);
    g_free (text);
  }
}

GST_END_TEST;

static GSocket *
bind_to (const gchar * address, guint port)
{
  GSocketAddress *local = g_inet_socket_address_new_from_string (address, port);
  GSocket *socket = g_socket_new (g_socket_address_get_family (local), G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP,
      NULL);

  if (!g_socket_bind (socket, local, FALSE, NULL))
    g_clear_object (&socket);
  else
    g_socket_set_timeout (socket, 30);
  g_object_unref (local);
  return socket;
}

static void
open_neighbours (GSocket ** sockets, guint n, guint * first)
{
  guint have = 0;

  while (have < n) {
    while (have > 0)
      g_object_unref (sockets[--have]);
    *first = free_port ();
    while (have < n && *first + have <= G_MAXUINT16 && (sockets[have] = bind_to ("127.0.0.1", *first + have)))
      have++;
  }
}

#define PORTS 3

/* One sender to all of them. */
GST_START_TEST (test_each_of_n_ports_goes_to_its_own_and_answers_from_it)
{
  GSocket *hosts[PORTS], *listeners[PORTS], *sender;
  guint8 rtp[12] = { 0x80, 96 };
  gchar *properties, got[64];
  guint port, host_port, any;
  GSocketAddress *from, *to;
  Fixture f;

  open_neighbours (hosts, PORTS, &host_port);
  open_neighbours (listeners, PORTS, &port);
  for (guint i = 0; i < PORTS; i++)
    g_object_unref (listeners[i]);
  properties = g_strdup_printf ("n-ports=%u port=%u host-port=%u", PORTS, port, host_port);
  fixture_init (&f, properties);
  sender = socket_new (&any);
  for (guint i = 0; i < PORTS; i++) {
    to = g_inet_socket_address_new_from_string ("127.0.0.1", port + i);
    rtp[11] = (guint8) i;
    fail_unless (g_socket_send_to (sender, to, (gchar *) rtp, sizeof rtp, NULL, NULL) == sizeof rtp);
    fail_unless (g_socket_receive_from (hosts[i], &from, got, sizeof got, NULL, NULL) == sizeof rtp && got[11] == (gchar) i);
    fail_unless (g_socket_send_to (hosts[i], from, "yes", 3, NULL, NULL) == 3);
    g_object_unref (from);
    fail_unless (g_socket_receive_from (sender, &from, got, sizeof got, NULL, NULL) == 3);
    fail_unless_equals_int (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from)), port + i);
    g_object_unref (from);
    g_object_unref (to);
  }
  fail_unless_equals_uint64 (stat_of (&f, "flows"), PORTS);
  fixture_clear (&f);
  for (guint i = 0; i < PORTS; i++)
    g_object_unref (hosts[i]);
  g_object_unref (sender);
  g_free (properties);
}

GST_END_TEST;

/* Bytes of two stamps, of ids 5 and 12. */
GST_START_TEST (test_stamp_goes_where_extension_id_says)
{
  const guint8 sent[32] = { 0x90, 96,[12] = 0xbe, 0xde, 0, 5, 5 << 4 | 7, 0xff, 0xff, 0xff, 0xff,[25] = RATE_STAMP_ID << 4 | 7,
    0xff, 0xff, 0xff, 0xff
  };
  guint8 packet[40] = { 0 }, got[40];
  Fixture f;

  memcpy (packet, sent, sizeof sent);
  fixture_init (&f, "extension-id=5");
  send_bytes (&f, 0, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f.host, (gchar *) got, sizeof got, NULL, NULL), sizeof got);
  fail_unless_equals_uint64 (rate_stamp_bps (rate_stamp_find (packet, sizeof packet, 5)), 0);
  fail_unless (rate_stamp_bps (rate_stamp_find (got, sizeof got, 5)) > 0);
  fail_unless_equals_uint64 (rate_stamp_bps (rate_stamp_find (got, sizeof got, RATE_STAMP_ID)), 0);
  fail_unless_equals_uint64 (stat_of (&f, "packets-stamped"), 1);
  fixture_clear (&f);
}

GST_END_TEST;

GST_START_TEST (test_answer_that_is_too_long_is_dropped_and_counted)
{
  static gchar answer[2100];
  guint sender;
  Fixture f;

  fixture_init (&f, "");
  send_stamped (&f, 0, 100, 0);
  receive_stamped (&f, &sender);
  fail_unless (g_socket_send_to (f.host, f.from[0], answer, sizeof answer, NULL, NULL) == sizeof answer);
  fail_unless (g_socket_send_to (f.host, f.from[0], answer, 2048, NULL, NULL) == 2048);
  fail_unless_equals_int (g_socket_receive (f.senders[0], answer, sizeof answer, NULL, NULL), 2048);
  fail_unless_equals_uint64 (stat_of (&f, "packets-oversize"), 1);
  fail_unless_equals_uint64 (stat_of (&f, "feedback-packets"), 1);
  fixture_clear (&f);
}

GST_END_TEST;

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

GST_START_TEST (test_what_the_kernel_drops_is_counted)
{
  static const PacingClientFuncs funcs = { sleep_once, not_readable };
  PacingEngine *engine = pacing_engine_ref (NULL);
  guint8 rtp[12] = { 0x80, 96 };
  const guint n = 30000;        /* more than 8 MB with what the kernel adds to each */
  gint asleep = 0;
  PacingClient *client;
  Fixture f;

  fixture_init (&f, "");
  client = pacing_engine_add (engine, -1, &funcs, &asleep, NULL);
  while (g_atomic_int_get (&asleep) == 0)
    g_usleep (1000);
  for (guint i = 0; i < n; i++)
    send_bytes (&f, 0, rtp, sizeof rtp);
  g_atomic_int_set (&asleep, 2);
  for (guint i = 0; i < 100 && stat_of (&f, "packets-in") + stat_of (&f, "packets-overflow") < n + i; i++) {
    g_usleep (50000);
    send_bytes (&f, 0, rtp, sizeof rtp);        /* the kernel tells with a datagram */
  }
  fail_unless (stat_of (&f, "packets-overflow") > 0);
  fail_unless (stat_of (&f, "packets-in") + stat_of (&f, "packets-overflow") >= n);
  pacing_engine_remove (engine, client);
  pacing_engine_unref (engine);
  fixture_clear (&f);
}

GST_END_TEST;

/* All that may change in READY, on the ports of the run before. */
GST_START_TEST (test_what_is_set_in_ready_holds_in_the_next_run)
{
  guint8 packet[32] = { 0x90, 96,[12] = 0xbe, 0xde, 0, 3, 3 << 4 | 7, 0xff, 0xff, 0xff, 0xff };
  guint8 got[64];
  GSocketAddress *old_address;
  guint port, host_port;
  GSocket *old_host;
  Fixture f;

  fixture_init (&f, "");
  send_bytes (&f, 0, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f.host, (gchar *) got, sizeof got, NULL, NULL), sizeof packet);
  for (guint i = 0; i < 5; i++) {
    fail_unless (gst_element_set_state (f.relay, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_set_state (f.relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS, "run %u", i);
    send_bytes (&f, 0, packet, sizeof packet);
    fail_unless_equals_int (g_socket_receive (f.host, (gchar *) got, sizeof got, NULL, NULL), sizeof packet);
  }
  fail_unless (gst_element_set_state (f.relay, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS);
  old_host = f.host;
  old_address = f.relay_address;
  f.host = socket_new (&host_port);
  port = free_port ();
  f.relay_address = g_inet_socket_address_new_from_string ("127.0.0.2", port);
  g_object_set (f.relay, "address", "127.0.0.2", "port", port, "host-port", host_port, "max-flows", 1, "extension-id", 3,
      NULL);
  fail_unless (gst_element_set_state (f.relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < 2; i++)
    send_bytes (&f, i, packet, sizeof packet);
  fail_unless_equals_int (g_socket_receive (f.host, (gchar *) got, sizeof got, NULL, NULL), sizeof packet);
  fail_unless (rate_stamp_bps (rate_stamp_find (got, sizeof packet, 3)) > 0);
  wait_for (&f, "packets-refused", 1);
  fail_unless_equals_uint64 (stat_of (&f, "packets-in"), 2);
  g_object_unref (old_host);
  g_object_unref (old_address);
  fixture_clear (&f);
}

GST_END_TEST;

static gchar *
warning_of (const gchar * properties)
{
  gchar *line = g_strdup_printf ("rcprelay address=127.0.0.1 port=%u host=127.0.0.1 host-port=%u %s", free_port (),
      free_port (), properties), *text = NULL;
  GstElement *relay;
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  fail_unless (GST_ELEMENT_REGISTER (rcprelay, NULL));
  relay = gst_parse_launch (line, NULL);
  gst_element_set_bus (relay, bus);
  fail_unless (gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  if (message) {
    gst_message_parse_warning (message, &error, NULL);
    text = g_strdup (error->message);
    g_error_free (error);
    gst_message_unref (message);
  }
  gst_element_set_state (relay, GST_STATE_NULL);
  gst_object_unref (relay);
  gst_object_unref (bus);
  g_free (line);
  return text;
}

GST_START_TEST (test_more_flows_than_files_is_one_clear_warning)
{
  const struct rlimit few = { 200, 200 };
  gchar *text;

  fail_unless (setrlimit (RLIMIT_NOFILE, &few) == 0);
  text = warning_of ("max-flows=180");
  fail_unless (text && strstr (text, "ulimit -n"), "%s", text);
  g_free (text);
  text = warning_of ("max-flows=50");
  fail_unless (text == NULL, "%s", text);
  text = warning_of ("");
  fail_unless (text == NULL, "the default is no wish: %s", text);
}

GST_END_TEST;

GST_START_TEST (test_groups_are_refused)
{
  gchar *text = refusal_of ("239.1.1.1", "127.0.0.1", free_port (), free_port (), 1);

  fail_unless (text && strstr (text, "set address"), "%s", text);
  g_free (text);
  text = refusal_of ("127.0.0.1", "239.1.1.1", free_port (), free_port (), 1);
  fail_unless (text && strstr (text, "udpsink") && !strstr (text, "rmcsink"), "%s", text);
  g_free (text);
}

GST_END_TEST;

/* 127.0.0.2 is this machine, and not what the system answers from by itself. */
static void
check_answers_come_from (const gchar * listen_on)
{
  GSocketAddress *from;
  guint8 rtp[12] = { 0x80, 96 };
  gchar *properties, got[64];
  GSocket *sender;
  guint any, port;
  GSocketAddress *to;
  Fixture f;

  properties = g_strdup_printf ("address=%s", listen_on);
  fixture_init (&f, properties);
  port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f.relay_address));
  sender = socket_new (&any);
  to = g_inet_socket_address_new_from_string ("127.0.0.2", port);
  fail_unless (g_socket_connect (sender, to, NULL, NULL));
  for (guint i = 0; i < 2; i++) {
    fail_unless (g_socket_send (sender, (gchar *) rtp, sizeof rtp, NULL, NULL) == sizeof rtp);
    fail_unless (g_socket_receive_from (f.host, &from, got, sizeof got, NULL, NULL) == sizeof rtp);
    fail_unless (g_socket_send_to (f.host, from, "yes", 3, NULL, NULL) == 3);
    fail_unless (g_socket_receive (sender, got, sizeof got, NULL, NULL) == 3, "the answer came from elsewhere");
    g_object_unref (from);
  }
  fail_unless_equals_uint64 (stat_of (&f, "send-errors"), 0);
  g_object_unref (to);
  g_object_unref (sender);
  g_free (properties);
  fixture_clear (&f);
}

GST_START_TEST (test_answers_leave_from_the_address_that_was_sent_to)
{
  check_answers_come_from ("0.0.0.0");
  if (has_ipv6 ())
    check_answers_come_from ("\"::\"");
}

GST_END_TEST;

static Suite *
rcprelay_suite (void)
{
  Suite *s = suite_create ("rcprelay");
  TCase *t = tcase_create ("general");

  suite_add_tcase (s, t);
  tcase_add_test (t, test_packets_are_stamped_and_answers_find_their_sender);
  tcase_add_test (t, test_rate_of_a_relay_before_is_lowered_but_never_raised);
  tcase_add_test (t, test_what_has_no_stamp_passes_untouched_once_its_sender_has_sent_rtp);
  tcase_add_test (t, test_only_rtp_and_what_senders_say_to_arcsrc_make_a_flow);
  tcase_add_test (t, test_packets_leave_at_the_capacity);
  tcase_add_test (t, test_full_queue_drops_and_counts);
  tcase_add_test (t, test_load_counts_what_is_dropped_and_what_has_no_stamp);
  tcase_add_test (t, test_rcp_looks_at_the_queue_of_the_relay);
  tcase_add_test (t, test_datagram_that_is_too_long_is_refused_and_counted);
  tcase_add_test (t, test_flows_are_bounded);
  tcase_add_test (t, test_newcomer_takes_the_place_of_the_idlest_that_was_answered);
  tcase_add_test (t, test_newcomer_takes_the_place_of_the_oldest_that_was_never_answered);
  tcase_add_test (t, test_new_flows_are_limited_by_time);
  tcase_add_test (t, test_flood_of_forged_media_shuts_nobody_out);
  tcase_add_test (t, test_flows_leave_files_to_the_process);
  tcase_add_test (t, test_empty_datagrams_pass_and_do_no_harm);
  tcase_add_test (t, test_false_claims_and_stamps_are_bounded);
  tcase_add_test (t, test_rate_of_a_lone_sender_rises_to_gamma_and_follows_the_capacity);
  tcase_add_test (t, test_priority_that_is_not_permitted_is_one_clear_warning);
  tcase_add_test (t, test_errors_say_what_to_do);
  tcase_add_test (t, test_relay_without_a_host_says_so);
  tcase_add_test (t, test_relay_refuses_to_send_to_itself);
  tcase_add_test (t, test_each_of_n_ports_goes_to_its_own_and_answers_from_it);
  tcase_add_test (t, test_stamp_goes_where_extension_id_says);
  tcase_add_test (t, test_answers_leave_from_the_address_that_was_sent_to);
  tcase_add_test (t, test_answer_that_is_too_long_is_dropped_and_counted);
  tcase_add_test (t, test_what_the_kernel_drops_is_counted);
  tcase_add_test (t, test_what_is_set_in_ready_holds_in_the_next_run);
  tcase_add_test (t, test_more_flows_than_files_is_one_clear_warning);
  tcase_add_test (t, test_groups_are_refused);
  return s;
}

GST_CHECK_MAIN (rcprelay);
