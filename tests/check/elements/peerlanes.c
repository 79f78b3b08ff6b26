/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which further addresses of the sender arcsrc takes media from, and what it makes of their
 * packets: gst/arcsrc/peer.c and peerlanes.c without a socket; how lanes are measured. */
#include "arcreceiver/repairs.h"
#include "arcsrc/peer.h"
#include "claim.h"

#include <gst/net/net.h>

#include "rtp/lanepacket.h"
#include "rtp/rtcpwriter.h"

#define SSRC 7
#define PAYLOAD_BYTES 40

static GstElement *element;
static GSocketAddress *home, *other, *another, *stranger;
static Peer peer;
static SourceTable table;
static RtpPacket measured;      /* the last of a lane; 0 bytes: none */

BEFORE_EACH
{
  element = gst_bin_new (NULL);
  home = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  other = g_inet_socket_address_new_from_string ("198.51.100.1", 5001);
  another = g_inet_socket_address_new_from_string ("203.0.113.1", 5002);
  stranger = g_inet_socket_address_new_from_string ("192.0.2.66", 5000);
  peer_init (&peer, element);
  peer_reset (&peer);
}

AFTER_EACH
{
  peer_clear (&peer);
  g_clear_object (&home);
  g_clear_object (&other);
  g_clear_object (&another);
  g_clear_object (&stranger);
  gst_clear_object (&element);
}

static GstBuffer *
media_new (guint16 seq, gboolean padded)
{
  guint8 packet[12 + PAYLOAD_BYTES] = { padded ? 0xa0 : 0x80, 96,[11] = SSRC,
    [12 + PAYLOAD_BYTES - 1] = padded ? 3 : 0
  };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  return gst_buffer_new_memdup (packet, sizeof packet);
}

/* Takes the buffer. */
static gboolean
admit (GSocketAddress * from, GstBuffer * buffer)
{
  RtcpMessage message;
  gboolean admitted;

  if (!gst_buffer_get_net_address_meta (buffer))
    gst_buffer_add_net_address_meta (buffer, from);
  rtcp_message_read_buffer (&message, buffer);
  admitted = peer_admit (&peer, buffer, &(LocalAddress) { 0 }, &message, NULL);
  if (admitted && message.n_infos > 0)
    peer_take_lane_infos (&peer, buffer, &message);
  gst_buffer_unref (buffer);
  return admitted;
}

static guint64
cookie_of (GSocketAddress * address)
{
  return address_cookie_of (&peer.cookies, address);
}

static gboolean
ask_to_join (GSocketAddress * from, guint64 cookie, guint64 join, guint32 ssrc)
{
  RcSenderInfo info = {.ssrc = ssrc,.cookie = cookie,.join = join,.report_interval_us = 50000 };

  return admit (from, rtcp_new_infos (ssrc, &info, 1));
}

static gboolean
join (GSocketAddress * from, guint32 ssrc)
{
  return ask_to_join (from, cookie_of (from), cookie_of (home), ssrc);
}

static void
begin (void)
{
  fail_unless (admit (home, media_new (1, FALSE)));
  fail_unless (join (home, 100));
  fail_unless (join (other, 101));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), 2);
}

/* Takes the buffer: a packet of the lane comes. NULL: it is dropped. */
static GstBuffer *
come (GSocketAddress * from, GstBuffer * buffer, guint32 ssrc, guint16 seq)
{
  GstBuffer *packet = lane_packet_wrap (buffer, ssrc, seq);
  gsize bytes = gst_buffer_get_size (packet);

  gst_buffer_unref (buffer);
  gst_buffer_add_net_address_meta (packet, from);
  if (!admit (from, gst_buffer_ref (packet)))
    gst_clear_buffer (&packet);
  measured.bytes = 0;
  if (packet) {
    packet = peer_take_lane (&peer, packet, &measured);
    fail_unless_equals_int (measured.bytes, bytes);
    fail_unless_equals_int (measured.ssrc, ssrc);
    fail_unless_equals_int (measured.seq, seq);
  }
  return packet;
}

static gboolean
comes_as (GstBuffer * packet, guint16 seq)
{
  g_autoptr (GstBuffer) expected = media_new (seq, FALSE);
  GstMapInfo map;
  gboolean same;

  if (!packet)
    return FALSE;
  gst_buffer_map (expected, &map, GST_MAP_READ);
  same = gst_buffer_get_size (packet) == map.size
      && gst_buffer_memcmp (packet, 0, map.data, map.size) == 0;
  gst_buffer_unmap (expected, &map);
  gst_buffer_unref (packet);
  return same;
}

CLAIM (test_address_joins_by_its_own_cookie_and_that_of_the_sender)
{
  begin ();
  fail_unless (comes_as (come (other, media_new (2, FALSE), 101, 9), 2));
}

CLAIM (test_nobody_joins_without_both_cookies)
{
  begin ();
  fail_if (ask_to_join (stranger, 0, cookie_of (home), 666));
  fail_if (ask_to_join (stranger, cookie_of (stranger), 0, 666));
  fail_if (ask_to_join (stranger, cookie_of (stranger), cookie_of (stranger), 666));
  fail_if (ask_to_join (stranger, cookie_of (stranger), cookie_of (home) + 1, 666));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), 2);
  fail_unless (come (stranger, media_new (2, FALSE), 101, 9) == NULL);
}

CLAIM (test_cookie_of_any_lane_lets_another_join)
{
  begin ();
  fail_unless (ask_to_join (another, cookie_of (another), cookie_of (other), 102));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), 3);
}

/* A holder of a cookie that was overheard could push out those that carry the stream. */
CLAIM (test_path_that_is_heard_keeps_its_place)
{
  g_autoptr (GSocketAddress) fourth = g_inet_socket_address_new_from_string ("203.0.113.4", 5004);
  g_autoptr (GSocketAddress) fifth = g_inet_socket_address_new_from_string ("203.0.113.5", 5005);

  begin ();
  fail_unless (join (another, 102) && join (fourth, 103));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), RC_LANES_MAX);
  join (fifth, 104);
  fail_unless (come (fifth, media_new (2, FALSE), 104, 9) == NULL);
  fail_unless (comes_as (come (other, media_new (2, FALSE), 101, 9), 2));
  peer_lanes_find (&peer.lanes, another)->heard_at -= 10 * RC_SECOND;
  fail_unless (join (fifth, 104));
  fail_unless (comes_as (come (fifth, media_new (3, FALSE), 104, 9), 3));
  fail_unless (come (another, media_new (4, FALSE), 102, 9) == NULL);
}

CLAIM (test_nobody_joins_where_there_is_no_sender)
{
  fail_if (join (other, 101) && peer_lanes_count (&peer.lanes) > 0);
}

CLAIM (test_lane_that_moved_brings_its_new_cookie_and_takes_no_second_place)
{
  begin ();
  fail_unless (ask_to_join (another, cookie_of (another), cookie_of (home), 101));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), 2);
  fail_unless (comes_as (come (another, media_new (2, FALSE), 101, 9), 2));
  fail_unless (come (other, media_new (3, FALSE), 101, 10) == NULL);
}

CLAIM (test_copies_by_two_lanes_come_once)
{
  begin ();
  fail_unless (comes_as (come (home, media_new (2, FALSE), 100, 50), 2));
  fail_unless (come (other, media_new (2, FALSE), 101, 9) == NULL);
  fail_unless (comes_as (come (other, media_new (4, FALSE), 101, 10), 4));
  fail_unless (comes_as (come (home, media_new (3, FALSE), 100, 51), 3));
}

CLAIM (test_copies_count_on_both_lanes)
{
  begin ();
  fail_unless (comes_as (come (home, media_new (2, FALSE), 100, 50), 2));
  fail_unless (measured.bytes > 0);
  fail_unless (come (other, media_new (2, FALSE), 101, 9) == NULL);
  fail_unless (measured.bytes > 0);
}

CLAIM (test_each_lane_is_reported_by_itself)
{
  static const guint32 lanes[] = { 100, 101 };
  RcReport report;
  guint seen = 0;

  source_table_init (&table);
  source_table_set_lanes (&table, lanes, 2);
  for (guint i = 0; i < 2; i++)
    rc_receiver_on_packet (&source_table_get (&table, lanes[i], 0)->receiver, 9, 100, FALSE, 0);
  rc_receiver_on_packet (&source_table_get (&table, SSRC, 0)->receiver, 2, 92, FALSE, 0);
  while (source_table_report_lane (&table, RC_SECOND / 10, &report)) {
    fail_unless_equals_int (report.n_lanes, 2);
    fail_unless_equals_int (report.received_pkts, 1);
    seen |= 1U << (report.ssrc - 100);
  }
  fail_unless_equals_int (seen, 3);
  fail_unless_equals_int (source_table_totals (&table).received_pkts, 1);
}

CLAIM (test_lane_that_left_is_reported_no_longer)
{
  static const guint32 lanes[] = { 100, 101 };
  RcReport report;

  source_table_init (&table);
  source_table_set_lanes (&table, lanes, 2);
  for (guint i = 0; i < 2; i++)
    rc_receiver_on_packet (&source_table_get (&table, lanes[i], 0)->receiver, 9, 100, FALSE, 0);
  source_table_set_lanes (&table, lanes + 1, 1);
  fail_unless (source_table_find (&table, 100) == NULL);
  fail_unless (source_table_report_lane (&table, RC_SECOND / 10, &report));
  fail_unless_equals_int (report.ssrc, 101);
  fail_unless_equals_int (report.n_lanes, 1);
  fail_if (source_table_report_lane (&table, RC_SECOND / 10, &report));
}

/* A NACK is answered by any lane, and the sender takes the one that is there first. */
CLAIM (test_round_trip_of_repairs_is_the_least_of_the_lanes_that_carry)
{
  static const guint32 lanes[] = { 100, 101 };

  source_table_init (&table);
  source_table_set_lanes (&table, lanes, 2);
  fail_unless_equals_int (source_table_lanes_srtt (&table, 0), 0);
  source_table_get (&table, 100, 0)->srtt = 30 * RC_MSEC;
  source_table_get (&table, 101, RC_SECOND)->srtt = 200 * RC_MSEC;
  fail_unless_equals_int64 (source_table_lanes_srtt (&table, RC_SECOND / 2), 30 * RC_MSEC);
  fail_unless_equals_int64 (source_table_lanes_srtt (&table, RC_SECOND), 200 * RC_MSEC);
}

CLAIM (test_packet_with_padding_gets_it_back)
{
  g_autoptr (GstBuffer) packet = media_new (5, TRUE), again = NULL;
  GstBuffer *wrapped = lane_packet_wrap (packet, 9, 9);
  GstMapInfo map;

  again = lane_packet_unwrap (wrapped);
  fail_unless (again != NULL);
  gst_buffer_map (packet, &map, GST_MAP_READ);
  fail_unless_equals_int (gst_buffer_get_size (again), map.size);
  fail_unless (gst_buffer_memcmp (again, 0, map.data, map.size) == 0);
  gst_buffer_unmap (packet, &map);
}

CLAIM (test_what_is_no_packet_of_a_lane_is_dropped)
{
  begin ();
  /* its SSRC without the rest */
  fail_unless (lane_packet_unwrap (media_new (5, FALSE)) == NULL);
  fail_unless (lane_packet_unwrap (media_new (5, TRUE)) == NULL);
  fail_unless (lane_packet_unwrap (gst_buffer_new_allocate (NULL, 3, NULL)) == NULL);
}

CLAIM (test_another_sender_ends_the_lanes)
{
  begin ();
  peer.latch.heard_at -= 10 * RC_SECOND;
  fail_unless (admit (stranger, media_new (1, FALSE)));
  fail_unless_equals_int (peer_lanes_count (&peer.lanes), 0);
}

/* The meter learns of lanes by this number alone. */
CLAIM (test_lanes_of_a_sender_that_joins_at_once_are_others_than_before)
{
  guint before;

  begin ();
  before = peer.lanes.number;
  peer.latch.heard_at -= 10 * RC_SECOND;
  fail_unless (ask_to_join (another, cookie_of (another), cookie_of (another), 200));
  fail_unless (peer_lanes_find_ssrc (&peer.lanes, 200) && !peer_lanes_find_ssrc (&peer.lanes, 101));
  fail_if (peer.lanes.number == before);
}

CLAIM (test_sender_keeps_its_place_while_a_lane_is_heard)
{
  begin ();
  peer.latch.heard_at -= 10 * RC_SECOND;
  fail_unless (comes_as (come (other, media_new (2, FALSE), 101, 9), 2));
  fail_if (admit (stranger, media_new (1, FALSE)));
}

/* --- packets that are only late --- */

static Repairs repairs;

static void
begin_repairs (void)
{
  Source *source;

  source_table_init (&table);
  repairs_init (&repairs);
  repairs_set_lanes (&repairs, TRUE);
  source = source_table_get (&table, SSRC, 0);
  for (guint16 seq = 1; seq < 4; seq++)
    rc_receiver_on_packet (&source->receiver, seq, 100, FALSE, 0);
  rc_receiver_on_packet (&source->receiver, 6, 100, FALSE, 0);
}

static void
ask_again (guint seq, RcTime now)
{
  GstStructure *event = gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT,
      seq, "ssrc", G_TYPE_UINT, SSRC, NULL);

  fail_unless (repairs_on_event (&repairs, &table, event, now));
  gst_structure_free (event);
}

/* Packets that a NACK asks for. */
static guint
asked_by (RcTime now)
{
  GstBuffer *buffer = repairs_take (&repairs, 1, FALSE, now);
  guint64 before = repairs.requests.stats.asked;

  gst_clear_buffer (&buffer);
  return (guint) before;
}

CLAIM (test_packet_that_comes_by_another_lane_meanwhile_is_not_asked_for)
{
  RtpPacket late = {.ssrc = SSRC,.seq = 4 };

  begin_repairs ();
  ask_again (4, 0);
  ask_again (5, 0);
  fail_unless_equals_int (asked_by (10 * RC_MSEC), 0);
  repairs_on_packet (&repairs, source_table_find (&table, SSRC), &late, 20 * RC_MSEC);
  fail_unless (repairs_due_at (&repairs) > 50 * RC_MSEC);
  fail_unless_equals_int (asked_by (repairs_due_at (&repairs)), 1);
  repairs_clear (&repairs);
}

CLAIM (test_requests_are_held_for_longer_than_packets_were_late)
{
  RtpPacket late = {.ssrc = SSRC,.seq = 4 };

  begin_repairs ();
  ask_again (4, 0);
  repairs_on_packet (&repairs, source_table_find (&table, SSRC), &late, 55 * RC_MSEC);
  ask_again (5, 100 * RC_MSEC);
  fail_unless (repairs_due_at (&repairs) > 180 * RC_MSEC);
  repairs_clear (&repairs);
}
