/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who is answered, and who has proven its address: gst/arcsrc/peer.c without a socket. */
#include "arcsrc/peer.h"
#include "claim.h"

#include <gst/net/net.h>

#include "rtp/rtcpwriter.h"

#define RTP_HEADER_BYTES 12
#define SSRC 7
#define NOTICE_BYTES (RTCP_NOTICE_BYTES + RC_OVERHEAD_IPV4_BYTES)      /* 52 */

static GstElement *element;
static GSocketAddress *home, *other_port, *stranger;
static Peer peer;

BEFORE_EACH
{
  element = gst_bin_new (NULL);
  home = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  other_port = g_inet_socket_address_new_from_string ("192.0.2.1", 5001);
  stranger = g_inet_socket_address_new_from_string ("192.0.2.2", 5000);
  peer_init (&peer, element);
  peer_reset (&peer);
}

AFTER_EACH
{
  peer_clear (&peer);
  g_clear_object (&home);
  g_clear_object (&other_port);
  g_clear_object (&stranger);
  gst_clear_object (&element);
}

static gboolean
admit (GSocketAddress * from, GstBuffer * buffer)
{
  RtcpMessage message;
  gboolean admitted;

  gst_buffer_add_net_address_meta (buffer, from);
  rtcp_message_read_buffer (&message, buffer);
  admitted = peer_admit (&peer, buffer, &(LocalAddress) { 0 }, &message, NULL);
  gst_buffer_unref (buffer);
  return admitted;
}

/* network_bytes: with all headers */
static gboolean
admit_rtp (GSocketAddress * from, guint network_bytes)
{
  guint8 packet[200] = { 0x80, 96,[11] = SSRC };

  return admit (from, gst_buffer_new_memdup (packet, network_bytes - RC_OVERHEAD_IPV4_BYTES));
}

static gboolean
admit_info (GSocketAddress * from, guint64 cookie)
{
  RcSenderInfo info = {.ssrc = SSRC,.cookie = cookie };

  return admit (from, rtcp_new_infos (SSRC, &info, 1));
}

static gboolean
admit_bye (GSocketAddress * from, guint64 cookie)
{
  RcSenderInfo info = {.ssrc = SSRC,.cookie = cookie };

  return admit (from, rtcp_new_farewell (SSRC, &info, 1));
}

static guint64
notices (void)
{
  g_autoptr (GstStructure) stats = gst_structure_new_empty ("stats");
  guint64 n;

  peer_add_stats (&peer, stats);
  fail_unless (gst_structure_get_uint64 (stats, "notices-sent", &n));
  return n;
}

static gboolean
is_proven (void)
{
  g_autoptr (GstStructure) stats = gst_structure_new_empty ("stats");
  gboolean proven;

  peer_add_stats (&peer, stats);
  fail_unless (gst_structure_get_boolean (stats, "sender-proven", &proven));
  return proven;
}

static guint64
cookie_of (GSocketAddress * address)
{
  return address_cookie_of (&peer.cookies, address);
}

CLAIM (test_only_the_cookie_of_its_own_address_proves_a_sender)
{
  fail_unless (admit_rtp (home, 200));
  fail_if (is_proven ());
  fail_unless (admit_info (home, 1));
  fail_unless (admit_info (home, cookie_of (home) + 1));
  fail_unless (admit_info (home, cookie_of (other_port)));
  fail_unless (admit_info (home, cookie_of (stranger)));
  fail_if (is_proven ());
  fail_unless (admit_info (home, cookie_of (home)));
  fail_unless (is_proven ());
}

/* One that did not send media, either. */
CLAIM (test_a_false_cookie_makes_nobody_the_sender)
{
  fail_if (admit_info (stranger, cookie_of (home)));
  fail_if (admit_info (stranger, 1));
  fail_unless (admit_info (stranger, cookie_of (stranger)));
}

CLAIM (test_only_the_cookie_of_the_senders_address_moves_the_sender)
{
  fail_unless (admit_rtp (home, 200));
  fail_unless (admit_info (home, cookie_of (home)));
  fail_if (admit_info (stranger, cookie_of (home) + 1));
  fail_if (admit_info (stranger, cookie_of (stranger)));
  fail_unless (admit_info (other_port, cookie_of (home)));
  fail_if (is_proven ());
}

CLAIM (test_cookie_of_before_a_restart_proves_nothing)
{
  guint64 before = cookie_of (home);

  peer_reset (&peer);
  fail_unless (admit_rtp (home, 200));
  fail_unless (admit_info (home, before));
  fail_if (is_proven ());
}

/* Who cannot read the sender's cookie cannot free its place, and who can gains it by no BYE. */
CLAIM (test_only_a_bye_with_the_cookie_frees_the_place)
{
  guint8 plain_bye[] = { 0x81, 203, 0, 1, 0, 0, 0, SSRC };

  fail_unless (admit_rtp (home, 200));
  fail_unless (admit_info (home, cookie_of (home)));
  fail_unless (admit (home, gst_buffer_new_memdup (plain_bye, sizeof plain_bye)));
  fail_unless (admit_bye (home, 0));
  fail_unless (admit_bye (home, cookie_of (home) + 1));
  fail_if (admit_bye (stranger, cookie_of (home)));
  fail_if (admit_bye (stranger, cookie_of (stranger)));
  fail_if (admit_rtp (stranger, 200));
  fail_unless (admit_bye (home, cookie_of (home)));
  fail_unless (admit_rtp (stranger, 200));
}

/* Else the answer would be more than what came: the source address may be another's. */
CLAIM (test_a_stranger_gets_no_notice_for_a_packet_that_is_shorter)
{
  guint64 before;

  fail_unless (admit_rtp (home, 200));
  fail_unless (admit_info (home, cookie_of (home)));
  before = notices ();
  fail_if (admit_rtp (stranger, RTP_HEADER_BYTES + RC_OVERHEAD_IPV4_BYTES));
  fail_if (admit_rtp (stranger, NOTICE_BYTES - 1));
  fail_unless_equals_uint64 (notices (), before);
  fail_if (admit_rtp (stranger, NOTICE_BYTES));
  fail_unless_equals_uint64 (notices (), before + 1);
}

/* Ten a second; a machine that stalls between two packets may let one more leave. */
CLAIM (test_strangers_get_few_notices)
{
  fail_unless (admit_rtp (home, 200));
  for (guint i = 0; i < 1000; i++)
    fail_if (admit_rtp (stranger, 200));
  fail_unless (notices () < 500);
}

CLAIM (test_the_sender_gets_no_notice_for_less_than_it_sent)
{
  fail_unless (admit_rtp (home, NOTICE_BYTES - 12));
  fail_unless_equals_uint64 (notices (), 0);
  fail_unless (admit_rtp (home, NOTICE_BYTES - 12));
  fail_unless_equals_uint64 (notices (), 1);
}

CLAIM (test_each_secret_of_cookies_is_another)
{
  AddressCookie a = { {0} }, b = { {0} };
  guint64 first;

  address_cookie_renew (&a);
  address_cookie_renew (&b);
  first = address_cookie_of (&a, home);
  fail_unless (first != address_cookie_of (&b, home));
  address_cookie_renew (&a);
  fail_unless (first != address_cookie_of (&a, home));
}
