/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink with several paths to one arcsrc, on loopback addresses. */

#include "pathsfixture.h"
#include "readstat.h"
#include "bustext.h"
#include "boundsocket.h"

#include <stdio.h>

CLAIM_ON (test_both_paths_carry_and_each_packet_comes_once, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  count_anew (w);
  await (packets_of (w, "127.0.0.2") > 300 && packets_of (w, "127.0.0.3") > 300);
  await_packets (w, 100);
  fail_unless_equals_int (counted (w, &w->doubles), 0);
  fail_unless_equals_int (counted (w, &w->strange), 0);
  fail_unless (missing (w) <= 20, "%u packets missing", missing (w));
}

static gboolean
has_format (World * w)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (w->out, "sink");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean has = caps && g_strcmp0 (gst_structure_get_string (gst_caps_get_structure (caps, 0),
          "encoding-name"), "L16") == 0;

  g_clear_pointer (&caps, gst_caps_unref);
  return has;
}

/* Also one that comes when the paths have joined long since. */
CLAIM_ON (test_receiver_without_caps_learns_the_format, WORLD)
{
  start_receiver_with (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await (has_format (w));
  await_packets (w, 100);
  stop (&w->receiver, &w->src);
  g_clear_object (&w->out);
  start_receiver_with (w, "");
  await (has_format (w));
  await_packets (w, 100);
}

static gboolean
is_word (World * w, const gchar * field, const gchar * word)
{
  return stat_reads (w->sink, field, word);
}

/* Names of the law's fields, in their order. */
static gchar *
law_fields (World * w)
{
  GString *names = g_string_new (NULL);
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (w->sink, "stats", &stats, NULL);
  for (gint i = 0; i < gst_structure_n_fields (stats); i++)
    if (g_str_has_prefix (gst_structure_nth_field_name (stats, (guint) i), "law-"))
      g_string_append_printf (names, "%s ", gst_structure_nth_field_name (stats, (guint) i));
  return g_string_free (names, FALSE);
}

CLAIM_ON (test_statistics_are_those_of_a_sender_with_one_path, WORLD)
{
  g_autofree gchar *names = NULL, *of_one = NULL;
  guint64 received_bps;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await (packets_of (w, "127.0.0.2") > 200 && packets_of (w, "127.0.0.3") > 200);
  await (is_word (w, "congestion-control", "arc") && is_word (w, "feedback-format", "arc"));
  await (is_word (w, "ecn", "on") || is_word (w, "ecn", "l4s"));
  await (stat_of (w, "received-bitrate") > 500000);
  received_bps = stat_of (w, "received-bitrate");
  fail_unless (received_bps < 1500000, "%u bit/s received", (guint) received_bps);
  fail_unless (stat_of (w, "reports-received") > 10);
  fail_unless (stat_of (w, "packets-sent") > 400);
  names = law_fields (w);
  stop (&w->sender, &w->sink);
  start_sender (w, "");
  await (is_word (w, "feedback-format", "arc"));
  of_one = law_fields (w);
  fail_unless_equals_string (names, of_one);
}

/* From another element, and so by no path: it counts for the one that stands for all. */
CLAIM_ON (test_rtcp_may_come_by_the_pad_recv_rtcp_sink, WORLD)
{
  const guint8 rr[] = { 0x81, 201, 0, 7, 0, 0, 0, 1, 0, 0, 0, 2,[31] = 0 };
  g_autoptr (GstPad) pad = NULL;
  GstSegment segment;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  pad = gst_element_request_pad_simple (w->sink, "recv_rtcp_sink");
  gst_pad_send_event (pad, gst_event_new_stream_start ("rtcp"));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  gst_pad_chain (pad, gst_buffer_new_memdup (rr, sizeof rr));
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
}

static guint64
path_number (World * w, const gchar * name, const gchar * field)
{
  GValue value = G_VALUE_INIT;
  guint64 number;

  fail_unless (path_value (w, name, field, &value), "%s of %s", field, name);
  number = g_value_get_uint64 (&value);
  g_value_unset (&value);
  return number;
}

static gboolean
is_path_word (World * w, const gchar * name, const gchar * field, const gchar * word)
{
  GValue value = G_VALUE_INIT;
  gboolean is;

  fail_unless (path_value (w, name, field, &value), "%s of %s", field, name);
  is = g_strcmp0 (g_value_get_string (&value), word) == 0;
  g_value_unset (&value);
  return is;
}

/* Law, ECN, what came: as those of a sender with one path. */
CLAIM_ON (test_each_path_says_what_decides_on_it, WORLD)
{
  static const gchar *const names[] = { "127.0.0.2", "127.0.0.3" };

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, names[0]) && is_carrying (w, names[1]));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    await (path_number (w, names[i], "received-bitrate") > 50000);
    await (path_number (w, names[i], "reports-received") > 5);
    await (is_path_word (w, names[i], "ecn", "on") || is_path_word (w, names[i], "ecn", "l4s"));
    fail_unless (is_path_word (w, names[i], "congestion-control", "arc"));
    fail_unless (is_path_word (w, names[i], "feedback-format", "arc"));
    fail_unless (path_number (w, names[i], "law-bandwidth") > 0);
    fail_unless_equals_uint64 (path_number (w, names[i], "packets-ce"), 0);
  }
}

/* Of a path that goes they stay in the sum. */
CLAIM_ON (test_counters_never_run_backwards, WORLD)
{
  guint64 packets, reports;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (packets_of (w, "127.0.0.2") > 20 && packets_of (w, "127.0.0.3") > 20);
  packets = stat_of (w, "packets-sent");
  reports = stat_of (w, "reports-received");
  g_object_set (w->sink, "paths", "127.0.0.3", NULL);
  await (packets_of (w, "127.0.0.2") == 0);
  fail_unless (stat_of (w, "packets-sent") >= packets);
  fail_unless (stat_of (w, "reports-received") >= reports);
}

static const gchar *const fixed_paths[] = { "", "paths=127.0.0.2",
  "paths=127.0.0.2,127.0.0.3,127.0.0.4"
};

/* More comes in than that. */
CLAIMS (test_fixed_rate_is_that_of_all_paths_together, (gint) G_N_ELEMENTS (fixed_paths))
{
  World world, *w = &world;
  g_autofree gchar *settings = g_strdup_printf ("congestion-control=fixed start-bitrate=500000 "
      "min-bitrate=100000 adapt-encoder=false %s", fixed_paths[__i__]);
  guint64 sent_bps;

  world_open (w);
  start_receiver (w, "");
  start_sender (w, settings);
  await_packets (w, 200);
  await (strchr (settings, ',') == NULL || (is_carrying (w, "127.0.0.2")
          && is_carrying (w, "127.0.0.3") && is_carrying (w, "127.0.0.4")));
  fail_unless_equals_uint64 (stat_of (w, "rate"), 500000);
  g_usleep (1500000);
  fail_unless_equals_uint64 (stat_of (w, "rate"), 500000);
  sent_bps = stat_of (w, "sent-bitrate");
  fail_unless (sent_bps > 350000 && sent_bps < 700000, "%u bit/s sent", (guint) sent_bps);
  world_close (w);
}

CLAIM_ON (test_duplicate_sends_each_packet_twice_and_it_comes_once, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3 path-mode=duplicate");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 500);
  fail_unless_equals_int (counted (w, &w->doubles), 0);
  fail_unless (packets_of (w, "127.0.0.2") > 400 && packets_of (w, "127.0.0.3") > 400);
}

CLAIM_ON (test_path_is_taken_away_and_added_while_playing, WORLD)
{
  guint before;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  count_anew (w);
  await_packets (w, 100);
  g_object_set (w->sink, "paths", "127.0.0.3", NULL);
  await (packets_of (w, "127.0.0.2") == 0);
  before = missing (w);
  await_packets (w, 300);
  fail_unless (missing (w) <= before + 20, "%u packets missing", missing (w) - before);
  g_object_set (w->sink, "paths", "127.0.0.3, 127.0.0.4", NULL);
  await (is_carrying (w, "127.0.0.4"));
  fail_unless_equals_int (counted (w, &w->doubles), 0);
}

CLAIM_ON (test_receiver_that_starts_again_is_found_by_all_paths, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  stop (&w->receiver, &w->src);
  g_clear_object (&w->out);
  g_usleep (300000);
  start_receiver (w, "");
  await_packets (w, 300);
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
}

static gint seq_offset;

static gboolean
renumber (GstBuffer ** buffer, guint i, gpointer user_data)
{
  GstMapInfo map;

  *buffer = gst_buffer_make_writable (*buffer);
  if (gst_buffer_map (*buffer, &map, GST_MAP_READWRITE)) {
    GST_WRITE_UINT16_BE (map.data + 2,
        GST_READ_UINT16_BE (map.data + 2) + g_atomic_int_get (&seq_offset));
    gst_buffer_unmap (*buffer, &map);
  }
  return TRUE;
}

static GstPadProbeReturn
on_pushed (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_IS_BUFFER_LIST (info->data)) {
    info->data = gst_buffer_list_make_writable (info->data);
    gst_buffer_list_foreach (info->data, renumber, NULL);
  } else {
    GstBuffer *buffer = info->data;

    renumber (&buffer, 0, NULL);
    info->data = buffer;
  }
  return GST_PAD_PROBE_OK;
}

static guint64
packets_of_both (World * w)
{
  return packets_of (w, "127.0.0.2") + packets_of (w, "127.0.0.3");
}

/* Its numbers are not those of packets that are asked for again, which leave by both paths. */
CLAIM_ON (test_source_that_begins_anew_leaves_once, WORLD)
{
  GstPad *pad;
  guint64 left;
  guint before, came;

  g_atomic_int_set (&seq_offset, 0);
  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3 renumber=false");
  pad = gst_element_get_static_pad (w->sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_pushed,
      NULL, NULL);
  gst_object_unref (pad);
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 100);
  g_atomic_int_set (&seq_offset, -5000);
  await_packets (w, 50);
  before = counted (w, &w->came);
  left = packets_of_both (w);
  await_packets (w, 300);
  left = packets_of_both (w) - left;
  came = counted (w, &w->came) - before;
  fail_unless (left < came * 3 / 2, "%u packets left, %u came", (guint) left, came);
}

CLAIM_ON (test_receiver_that_is_not_arcsrc_gets_one_path_and_plain_packets, WORLD)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);
  GSocketAddress *from = NULL;
  g_autoptr (GSocketAddress) begun = NULL;
  guint8 data[2048];

  w->port = bound_port (socket);
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  g_socket_set_timeout (socket, 30);
  for (guint i = 0; i < 50; i++) {
    gssize size = g_socket_receive_from (socket, &from, (gchar *) data, sizeof data, NULL, NULL);

    fail_unless (size > 12);
    fail_unless_equals_int (data[0], 0x80);
    if (!begun)
      begun = g_object_ref (from);
    fail_unless (g_inet_address_equal (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS
                (begun)), g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from))));
    g_clear_object (&from);
  }
}

/* A report about what came so far. */
static void
send_receiver_report (GSocket * socket, GSocketAddress * to, const guint8 * packet)
{
  guint8 report[32] = { 0x81, 201, 0, 7,[7] = 9 };

  memcpy (report + 8, packet + 8, 4);
  GST_WRITE_UINT32_BE (report + 16, GST_READ_UINT16_BE (packet + 2));
  g_socket_send_to (socket, to, (gchar *) report, sizeof report, NULL, NULL);
}

static void
await_bye (GSocket * socket)
{
  guint8 data[2048];
  gssize size;
  guint type = 0;

  while (type != 203) {
    size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    fail_unless (size > 12, "no BYE");
    if (data[1] != 200)
      continue;
    for (gssize at = 0; at + 4 <= size && type != 203; at += 4 + 4 * GST_READ_UINT16_BE (data
            + at + 2))
      type = data[at + 1];
  }
}

/* By them it knows which sound belongs to which picture. */
CLAIM_ON (test_receiver_that_is_not_arcsrc_gets_sender_reports_and_a_bye, WORLD)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);
  guint n = 0;

  w->port = bound_port (socket);
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  g_socket_set_timeout (socket, 30);
  for (guint8 type = 0; type != 200; n++) {
    g_autoptr (GSocketAddress) from = NULL;
    guint8 data[2048];

    fail_unless (g_socket_receive_from (socket, &from, (gchar *) data, sizeof data, NULL, NULL)
        > 12);
    type = data[1];
    fail_unless (type == 200 || n < 5000, "%u packets, and no sender report", n);
    if (type == PAYLOAD && n % 50 == 0)
      send_receiver_report (socket, from, data);
  }
  await (is_word (w, "feedback-format", "rr") && is_word (w, "congestion-control", "slow"));
  await (stat_of (w, "receiver-reports") > 0);
  stop (&w->sender, &w->sink);
  g_socket_set_timeout (socket, 3);
  await_bye (socket);
}

CLAIM_ON (test_path_that_is_not_there_hinders_no_other, WORLD)
{
  start_receiver (w, "");
  start_sender (w, "paths=nosuchinterface,127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 100);
}

static gchar *
next_warning (World * w, GstClockTime wait)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (w->sender);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, wait, GST_MESSAGE_WARNING);
  GError *error = NULL;
  gchar *text = NULL;

  if (message) {
    gst_message_parse_warning (message, &error, NULL);
    text = g_strdup (error->message);
    g_error_free (error);
  }
  return text;
}

CLAIM_ON (test_paths_that_are_not_there_or_too_many_are_told_once, WORLD)
{
  g_autofree gchar *missing = NULL, *rest = NULL, *more = NULL;

  start_receiver (w, "");
  start_sender (w, "adapt-encoder=false "
      "paths=nosuchinterface,127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5,127.0.0.6");
  missing = next_warning (w, 30 * GST_SECOND);
  fail_unless (missing && g_str_has_prefix (missing, "paths: nosuchinterface is not there"), "%s",
      missing);
  rest = next_warning (w, 30 * GST_SECOND);
  fail_unless (rest && strstr (rest, "leaves out the rest: 127.0.0.5,127.0.0.6"), "%s", rest);
  more = next_warning (w, 1200 * GST_MSECOND);
  fail_unless (more == NULL, "%s", more);
  await (is_carrying (w, "127.0.0.4"));
}

/* Also when who calls comes late. */
CLAIM_ON (test_a_path_that_is_not_there_is_told_when_the_receiver_has_called, WORLD)
{
  g_autofree gchar *none = NULL, *missing = NULL;
  guint port;

  start_sender (w, "adapt-encoder=false mode=listener bind-address=127.0.0.1 "
      "paths=127.0.0.2,nosuchinterface");
  none = next_warning (w, 4 * GST_SECOND);
  fail_unless (none == NULL, "%s", none);
  g_object_get (w->sink, "port", &port, NULL);
  w->port = (guint16) port;
  start_receiver (w, "mode=caller host=127.0.0.1");
  missing = next_warning (w, 30 * GST_SECOND);
  fail_unless (missing && g_str_has_prefix (missing, "paths: nosuchinterface is not there"), "%s",
      missing);
}

CLAIM_ON (test_a_path_that_is_named_while_playing_and_is_not_there_is_told, WORLD)
{
  g_autofree gchar *missing = NULL;

  start_receiver (w, "");
  start_sender (w, "adapt-encoder=false paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  g_usleep (4 * G_USEC_PER_SEC);
  g_object_set (w->sink, "paths", "127.0.0.2,nosuchinterface", NULL);
  missing = next_warning (w, 30 * GST_SECOND);
  fail_unless (missing && g_str_has_prefix (missing, "paths: nosuchinterface is not there"), "%s",
      missing);
}

/* --- relays that stamp their rate --- */

static guint
free_port (void)
{
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *bound;
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  guint port;

  fail_unless (g_socket_bind (socket, any, FALSE, NULL));
  bound = g_socket_get_local_address (socket, NULL);
  port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  g_object_unref (bound);
  g_object_unref (any);
  g_object_unref (socket);
  return port;
}

/* Returns its port. */
static guint
start_relay (World * w, GstElement ** relay, guint capacity)
{
  guint port = free_port ();
  gchar *line = g_strdup_printf ("rcprelay address=127.0.0.1 port=%u host=127.0.0.1 host-port=%u "
      "capacity=%u", port, w->port, capacity);

  *relay = gst_parse_launch (line, NULL);
  g_free (line);
  gst_element_set_state (*relay, GST_STATE_PLAYING);
  return port;
}

static void
test_stamps (World * w, const gchar * settings)
{
  GstElement *relays[2];
  guint ports[2];
  gchar *names[2], *all;

  start_receiver (w, settings);
  for (guint i = 0; i < 2; i++) {
    ports[i] = start_relay (w, &relays[i], (i + 1) * 1000000);
    names[i] = g_strdup_printf ("127.0.0.1:%u", ports[i]);
  }
  all = g_strdup_printf ("%s paths=%s,%s congestion-control=rcp path-mode=duplicate "
      "start-bitrate=400000 min-bitrate=100000", settings, names[0], names[1]);
  start_sender (w, all);
  await (is_carrying (w, names[0]) && is_carrying (w, names[1]));
  await (stat_of (w, "law-explicit-rate") > 1500000);
  await (path_count (w, names[0], "rate") > 800000 && path_count (w, names[0], "rate") <= 1000000);
  await (path_count (w, names[1], "rate") > 1600000 && path_count (w, names[1], "rate") <= 2000000);
  fail_unless_equals_int (counted (w, &w->strange), 0);
  for (guint i = 0; i < 2; i++) {
    gst_element_set_state (relays[i], GST_STATE_NULL);
    gst_object_unref (relays[i]);
    g_free (names[i]);
  }
  g_free (all);
}

CLAIM_ON (test_each_path_has_the_rate_that_its_relay_stamps, WORLD)
{
  test_stamps (w, "");
}

/* --- the receiver calls --- */

#define CALLED "mode=listener bind-address=127.0.0.1 paths=127.0.0.2,127.0.0.3"
#define CALLS "mode=caller host=127.0.0.1"

static void
learn_port (World * w)
{
  guint port;

  g_object_get (w->sink, "port", &port, NULL);
  w->port = (guint16) port;
}

/* The path of the port that is called has the local address as a name. */
CLAIM_ON (test_listener_sends_by_further_addresses_to_who_calls, WORLD)
{
  start_sender (w, CALLED);
  learn_port (w);
  start_receiver (w, CALLS);
  await (is_carrying (w, "127.0.0.1") && is_carrying (w, "127.0.0.2")
      && is_carrying (w, "127.0.0.3"));
  count_anew (w);
  await (packets_of (w, "127.0.0.2") > 100 && packets_of (w, "127.0.0.3") > 100);
  await_packets (w, 100);
  fail_unless_equals_int (counted (w, &w->doubles), 0);
  fail_unless_equals_int (counted (w, &w->strange), 0);
  fail_unless (missing (w) <= 20, "%u packets missing", missing (w));
}

CLAIM_ON (test_next_caller_is_served_by_all_paths_as_well, WORLD)
{
  start_sender (w, CALLED);
  learn_port (w);
  start_receiver (w, CALLS);
  await (is_carrying (w, "127.0.0.1") && is_carrying (w, "127.0.0.2"));
  stop (&w->receiver, &w->src);
  g_clear_object (&w->out);
  await (packets_of (w, "127.0.0.2") == 0);
  start_receiver (w, CALLS);
  await_packets (w, 300);
  await (is_carrying (w, "127.0.0.1") && is_carrying (w, "127.0.0.2"));
}

CLAIM (test_listener_refuses_an_address_of_the_receiver_as_a_path)
{
  STOPPED GstElement *sender = gst_parse_launch ("fakesrc ! rmcsink mode=listener port=0 "
      "paths=127.0.0.2,198.51.100.1:5000", NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);

  fail_unless (gst_element_set_state (sender, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
  bus_says (bus, 0, GST_MESSAGE_ERROR, "198.51.100.1:5000 is an address of the receiver");
}

static void
take_viewer (GstElement * server, GstElement * viewer, const gchar * id, gpointer user_data)
{
  World *w = user_data;

  g_mutex_lock (&w->lock);
  g_set_object (&w->sink, viewer);
  g_mutex_unlock (&w->lock);
}

static gboolean
has_viewer (World * w)
{
  gboolean has;

  g_mutex_lock (&w->lock);
  has = w->sink != NULL;
  g_mutex_unlock (&w->lock);
  return has;
}

CLAIM_ON (test_viewer_of_a_server_is_sent_to_by_several_paths, WORLD)
{
  GstElement *server;
  guint port;

  w->sender = gst_parse_launch (MEDIA " ! arcserversink name=server bind-address=127.0.0.1 port=0 "
      "viewer-properties=\"props,paths=(string)\\\"127.0.0.2,127.0.0.3\\\",start-bitrate=4000000,"
      "min-bitrate=2000000\"", NULL);
  server = gst_bin_get_by_name (GST_BIN (w->sender), "server");
  g_signal_connect (server, "caller-added", G_CALLBACK (take_viewer), w);
  gst_element_set_state (w->sender, GST_STATE_PLAYING);
  g_object_get (server, "port", &port, NULL);
  w->port = (guint16) port;
  start_receiver (w, CALLS);
  await (has_viewer (w));
  await (is_carrying (w, "127.0.0.1") && is_carrying (w, "127.0.0.2")
      && is_carrying (w, "127.0.0.3"));
  await_packets (w, 100);
  fail_unless_equals_int (counted (w, &w->doubles), 0);
  gst_object_unref (server);
}

#define KEY "srtp-key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

#ifdef HAVE_SRTP
CLAIM_ON (test_paths_carry_srtp, WORLD)
{
  start_receiver (w, KEY);
  start_sender (w, KEY " paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  await_packets (w, 300);
  fail_unless_equals_int (counted (w, &w->doubles), 0);
  fail_unless_equals_int (counted (w, &w->strange), 0);
}

CLAIM_ON (test_relays_stamp_behind_srtp_as_well, WORLD)
{
  test_stamps (w, KEY);
}
#endif

/* CPU time in ticks of the threads that report. */
static guint64
ticks_of_reporters (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  guint64 sum = 0;

  while ((task = g_dir_read_name (dir))) {
    gchar *path = g_build_filename ("/proc/self/task", task, "stat", NULL), *stat, *name;
    guint64 user = 0, system = 0;

    if (g_file_get_contents (path, &stat, NULL, NULL)) {
      name = strstr (stat, "(arc-reports) ");
      if (name && sscanf (name, "(arc-reports) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
              "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, &user, &system) == 2)
        sum += user + system;
      g_free (stat);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return sum;
}

/* Also when nothing tells about the stream itself any more, which takes some seconds. */
CLAIM_ON (test_receiver_of_lanes_is_not_busy, WORLD)
{
  guint64 before;

  start_receiver (w, "");
  start_sender (w, "paths=127.0.0.2,127.0.0.3");
  await (is_carrying (w, "127.0.0.2") && is_carrying (w, "127.0.0.3"));
  g_usleep (5 * G_USEC_PER_SEC);
  before = ticks_of_reporters ();
  g_usleep (2 * G_USEC_PER_SEC);
  fail_unless (ticks_of_reporters () - before < 20, "%u ms of CPU in 2 s",
      (guint) (ticks_of_reporters () - before) * 10);
}

#define FRAMES 40
#define PACKET_BYTES 300

/* Known packets through rmcsink; returns those that left, in their order. */
static GByteArray *
bytes_that_leave (const gchar * settings)
{
  g_autoptr (GSocket) socket = bound_socket ("127.0.0.1", 0);
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GstElement) sender = NULL, in = NULL;
  g_autofree gchar *line = NULL;

  g_socket_set_timeout (socket, 30);
  line = g_strdup_printf ("appsrc name=in is-live=true format=time "
      "caps=\"%s,ssrc=(uint)7\" ! rmcsink host=127.0.0.1 port=%u "
      "max-queue-time=60000000000 %s", CAPS,
      bound_port (socket), settings);
  sender = gst_parse_launch (line, NULL);
  in = gst_bin_get_by_name (GST_BIN (sender), "in");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  for (guint16 seq = 0, left = 0; left < FRAMES;) {
    guint8 data[2048];
    gssize size;

    for (; seq < left + 4 && seq < FRAMES; seq++) {
      guint8 packet[PACKET_BYTES] = { 0x80, PAYLOAD,[11] = 7,[PACKET_BYTES - 1] = (guint8) seq };
      g_autoptr (GstBuffer) buffer = NULL;
      GstFlowReturn flow;

      GST_WRITE_UINT16_BE (packet + 2, seq);
      buffer = gst_buffer_new_memdup (packet, sizeof packet);
      GST_BUFFER_PTS (buffer) = seq * GST_MSECOND;
      g_signal_emit_by_name (in, "push-buffer", buffer, &flow);
    }
    size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    fail_unless (size > 0, "only %u packets left", left);
    if (data[1] >= 192 && data[1] <= 223)
      continue;
    g_byte_array_append (bytes, data, (guint) size);
    left++;
  }
  gst_element_set_state (sender, GST_STATE_NULL);
  return bytes;
}

/* To a receiver that knows no lanes nothing differs either. */
CLAIM (test_without_paths_not_a_byte_is_added)
{
  g_autoptr (GByteArray) one = bytes_that_leave (""),
      several = bytes_that_leave ("paths=127.0.0.2");

  fail_unless_equals_int (one->len, FRAMES * PACKET_BYTES);
  for (guint i = 0; i < FRAMES; i++) {
    fail_unless_equals_int (one->data[i * PACKET_BYTES], 0x80);
    fail_unless_equals_int (one->data[(i + 1) * PACKET_BYTES - 1], i);
  }
  fail_unless_equals_int (several->len, one->len);
  fail_unless (memcmp (several->data, one->data, one->len) == 0);
}
