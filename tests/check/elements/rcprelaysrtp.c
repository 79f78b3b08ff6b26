/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcprelay and what it has no key for. Of SRTP it can see a header, so here the rest is random. */
#include "rcprelayfixture.h"

#include <rtp/stamptrailer.h>

#define MAX_BYTES 1400
#define RATE_BYTES 4            /* of the stamp, at its beginning */

/* An SRTP packet as a relay sees it, with a stamp in a header extension if `stamped`, and with a
 * trailer if `trailed`: size counts it. It announces padding, whose length is encrypted. */
static void
make_srtp (GRand * rand, guint8 * packet, guint size, gboolean stamped, gboolean trailed)
{
  for (guint i = 0; i < size; i++)
    packet[i] = (guint8) g_rand_int (rand);
  packet[0] = 0xa0;
  packet[1] = 96;
  if (stamped) {
    const guint8 header[] = { 0xbe, 0xde, 0, 3, RATE_STAMP_ID << 4 | 7 };

    packet[0] |= 0x10;
    memcpy (packet + 12, header, sizeof header);
    rate_stamp_write (packet + 12 + sizeof header, 0);
  }
  if (trailed)
    stamp_trailer_write (packet + size - STAMP_TRAILER_BYTES, 50 * RC_MSEC);
}

static void
relay_one (Fixture * f, const guint8 * packet, guint size, guint8 * got)
{
  send_bytes (f, 0, packet, size);
  fail_unless_equals_int (g_socket_receive (f->host, (gchar *) got, MAX_BYTES + 1, NULL, NULL),
      size);
}

CLAIM_ON (test_srtp_without_a_trailer_passes_bit_by_bit, RELAY ("capacity=1000000000"))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);
  guint8 packet[MAX_BYTES], got[MAX_BYTES + 1], first_packet[20] = { 0xa0, 96,[19] = 255 };

  relay_one (f, first_packet, sizeof first_packet, got);
  fail_unless (memcmp (first_packet, got, sizeof first_packet) == 0);
  for (guint i = 0; i < 300; i++) {
    guint size = (guint) g_rand_int_range (rand, 12, MAX_BYTES + 1);

    make_srtp (rand, packet, size, FALSE, FALSE);
    relay_one (f, packet, size, got);
    fail_unless (memcmp (packet, got, size) == 0, "packet %u of %u bytes", i, size);
  }
  fail_unless_equals_uint64 (stat_of (f, "packets-stamped"), 0);
}

/* Also beside a stamp in a header extension, which SRTP authenticates. */
CLAIM_ON (test_of_srtp_with_a_trailer_only_the_rate_changes, RELAY (""))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  guint8 packet[MAX_BYTES], got[MAX_BYTES + 1];

  for (guint i = 0; i < 100; i++) {
    guint size = (guint) g_rand_int_range (rand, 60, MAX_BYTES + 1);
    guint8 *trailer = got + size - STAMP_TRAILER_BYTES;

    make_srtp (rand, packet, size, i % 2 == 0, TRUE);
    relay_one (f, packet, size, got);
    fail_unless (stamp_trailer_find (got, size) == trailer);
    fail_unless (rate_stamp_bps (trailer) >= 10000 && rate_stamp_bps (trailer) <= CAPACITY);
    fail_unless (rate_stamp_rtt (trailer) == 50 * RC_MSEC);
    memset (trailer, 0xff, RATE_BYTES); /* as it was sent */
    fail_unless (memcmp (packet, got, size) == 0, "packet %u of %u bytes", i, size);
  }
  fail_unless_equals_uint64 (stat_of (f, "packets-stamped"), 100);
  fail_unless (stat_of (f, "loop-delay") >= 50 * GST_MSECOND);
}

CLAIM_ON (test_rate_in_a_trailer_is_lowered_but_never_raised, RELAY (""))
{
  guint8 packet[200] = { 0x80, 96 }, got[MAX_BYTES + 1];
  guint8 *trailer = packet + sizeof packet - STAMP_TRAILER_BYTES;

  stamp_trailer_write (trailer, 0);
  rate_stamp_offer (trailer, 50000);
  relay_one (f, packet, sizeof packet, got);
  fail_unless (memcmp (packet, got, sizeof packet) == 0);
  stamp_trailer_write (trailer, 0);
  rate_stamp_offer (trailer, 2 * CAPACITY);
  relay_one (f, packet, sizeof packet, got);
  fail_unless (rate_stamp_bps (got + sizeof packet - STAMP_TRAILER_BYTES) <= CAPACITY);
}

/* The extension of another with the same number and length: abs-capture-time, for one. */
CLAIM_ON (test_extension_id_0_leaves_header_extensions_alone, RELAY ("extension-id=0"))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  guint8 packet[200], got[MAX_BYTES + 1];

  make_srtp (rand, packet, sizeof packet, TRUE, FALSE);
  relay_one (f, packet, sizeof packet, got);
  fail_unless (memcmp (packet, got, sizeof packet) == 0);
  make_srtp (rand, packet, sizeof packet, TRUE, TRUE);
  relay_one (f, packet, sizeof packet, got);
  fail_unless_equals_uint64 (stat_of (f, "packets-stamped"), 1);
}

/* Header and SSRC are in the clear; then come what is encrypted, index and tag. */
CLAIM_ON (test_protected_info_makes_a_flow_and_has_no_stamp, RELAY (""))
{
  guint8 info[24 + 14] = { 0x81, 204, 0, 5, 1, 2, 3, 4, 0x55 }, got[MAX_BYTES + 1];

  send_bytes (f, 0, info, 24 + 7);     /* too short for index and tag */
  wait_for (f, "packets-implausible", 1);
  stamp_trailer_write (info + sizeof info - STAMP_TRAILER_BYTES, 0);
  relay_one (f, info, sizeof info, got);
  fail_unless (memcmp (info, got, sizeof info) == 0);
  fail_unless_equals_uint64 (stat_of (f, "flows"), 1);
}

CLAIM (test_trailer_is_found_at_the_end_of_rtp_only)
{
  guint8 packet[64] = { 0x80, 96 };

  stamp_trailer_write (packet + 40, RC_MSEC);
  fail_unless (stamp_trailer_find (packet, 56) == packet + 40);
  for (guint size = 0; size < 56; size++)
    fail_unless (stamp_trailer_find (packet, size) == NULL);
  fail_unless (stamp_trailer_find (packet, 57) == NULL);
  packet[0] = 0x40;
  fail_unless (stamp_trailer_find (packet, 56) == NULL);
  packet[0] = 0x80;
  packet[1] = 200;
  fail_unless (stamp_trailer_find (packet, 56) == NULL);
  /* Shorter than an RTP header and a trailer. */
  memset (packet, 0, sizeof packet);
  packet[0] = 0x80;
  stamp_trailer_write (packet + 11, 0);
  fail_unless (stamp_trailer_find (packet, 27) == NULL);
}
