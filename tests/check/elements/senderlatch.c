/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who is the sender: gst/arcsrc/senderlatch.c in virtual time. */
#include "arcsrc/senderlatch.h"
#include "claim.h"

typedef struct
{
  GSocketAddress *home, *home_again, *other_port, *other_host;
  SenderLatch latch;
} Latch;

static void
latch_open (Latch * l)
{
  l->home = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  l->home_again = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  l->other_port = g_inet_socket_address_new_from_string ("192.0.2.1", 5001);
  l->other_host = g_inet_socket_address_new_from_string ("192.0.2.2", 5000);
  l->latch = (SenderLatch) { 0 };
}

static void
latch_close (Latch * l)
{
  sender_latch_clear (&l->latch);
  g_object_unref (l->home);
  g_object_unref (l->home_again);
  g_object_unref (l->other_port);
  g_object_unref (l->other_host);
}

#define LATCH Latch, l, latch_open (l), latch_close (l)

static const SenderPacket media = {.kind = SENDER_PACKET_MEDIA,.ssrc = 1,.announced = TRUE };

static const SenderPacket media_of_2 = {.kind = SENDER_PACKET_MEDIA,.ssrc = 2,.announced = TRUE };

static const SenderPacket odd_media = {.kind = SENDER_PACKET_MEDIA,.ssrc = 1 };

static const SenderPacket info = {.kind = SENDER_PACKET_INFO };

static const SenderPacket proof = {.kind = SENDER_PACKET_INFO,.proven = TRUE };

static const SenderPacket moving_info = {.kind = SENDER_PACKET_INFO,.moved = TRUE };

static const SenderPacket bye = {.kind = SENDER_PACKET_INFO,.bye = TRUE };

static const SenderPacket proven_bye = {.kind = SENDER_PACKET_INFO,.bye = TRUE,.proven = TRUE };

static const SenderPacket other = {.kind = SENDER_PACKET_OTHER };

static void
check_verdict (Latch * l, GSocketAddress * from, SenderPacket packet, gboolean follow, RcTime now,
    SenderLatchVerdict expected)
{
  fail_unless_equals_int (sender_latch_judge (&l->latch, from, &packet, follow, 2 * RC_SECOND, now),
      expected);
}

CLAIM_ON (test_latch_knows_an_address_by_value, LATCH)
{
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home_again, media_of_2, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home_again, other, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_port, media_of_2, FALSE, 0, SENDER_LATCH_UNPROVEN);
  check_verdict (l, l->other_host, other, FALSE, 0, SENDER_LATCH_OTHER);
}

CLAIM_ON (test_latch_holds_for_a_proven_sender_until_exactly_the_release_time, LATCH)
{
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, proof, FALSE, RC_SECOND, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, other, FALSE, 2 * RC_SECOND, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_host, media, FALSE, 3 * RC_SECOND - 1, SENDER_LATCH_TAKEN);
  check_verdict (l, l->other_host, proof, FALSE, 3 * RC_SECOND - 1, SENDER_LATCH_TAKEN);
  check_verdict (l, l->other_host, other, FALSE, 3 * RC_SECOND, SENDER_LATCH_OTHER);
  check_verdict (l, l->other_host, info, FALSE, 3 * RC_SECOND, SENDER_LATCH_UNPROVEN);
  check_verdict (l, l->other_host, media, FALSE, 3 * RC_SECOND, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, media, FALSE, 3 * RC_SECOND, SENDER_LATCH_UNPROVEN);
}

CLAIM_ON (test_latch_holds_for_an_unproven_sender_by_what_it_sent, LATCH)
{
  RcTime now = 0;

  check_verdict (l, l->home, media, FALSE, now, SENDER_LATCH_CHANGED);
  check_verdict (l, l->other_host, media, FALSE, now + SENDER_LATCH_HOLD_A_PACKET - 1,
      SENDER_LATCH_UNPROVEN);
  check_verdict (l, l->other_host, media, FALSE, now + SENDER_LATCH_HOLD_A_PACKET,
      SENDER_LATCH_CHANGED);
  now = SENDER_LATCH_HOLD_A_PACKET;
  for (guint i = 0; i < 100; i++)
    check_verdict (l, l->other_host, media, FALSE, now, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, media, FALSE, now + 2 * RC_SECOND - 1, SENDER_LATCH_UNPROVEN);
  check_verdict (l, l->home, proof, FALSE, now, SENDER_LATCH_CHANGED);
  check_verdict (l, l->other_host, media, FALSE, now, SENDER_LATCH_TAKEN);
}

CLAIM_ON (test_latch_follows_only_media_of_the_same_ssrc_or_the_cookie, LATCH)
{
  check_verdict (l, l->home, proof, TRUE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->other_port, media, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (l, l->home, media, TRUE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_port, info, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (l, l->other_port, media_of_2, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (l, l->other_port, media, TRUE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->other_port, proof, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_host, media, FALSE, 0, SENDER_LATCH_TAKEN);
  check_verdict (l, l->other_host, moving_info, FALSE, 0, SENDER_LATCH_CHANGED);
  fail_if (l->latch.proven, "where it went it has to prove itself anew");
}

CLAIM_ON (test_latch_is_free_after_the_bye_of_the_proven_sender, LATCH)
{
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, proof, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, proven_bye, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, other, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_port, info, FALSE, 0, SENDER_LATCH_UNPROVEN);
  check_verdict (l, l->other_port, media_of_2, FALSE, 0, SENDER_LATCH_CHANGED);
  /* The next one does not give way at once. */
  check_verdict (l, l->other_port, proof, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_TAKEN);
}

CLAIM_ON (test_bye_without_the_cookie_or_before_more_media_frees_nothing, LATCH)
{
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, proof, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, bye, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_host, media_of_2, FALSE, 0, SENDER_LATCH_TAKEN);
  check_verdict (l, l->home, proven_bye, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_host, media_of_2, FALSE, 0, SENDER_LATCH_TAKEN);
}

/* At its end as at its stop. */
CLAIM_ON (test_bye_of_who_has_no_place_takes_none, LATCH)
{
  check_verdict (l, l->home, proven_bye, FALSE, 0, SENDER_LATCH_OTHER);
  check_verdict (l, l->other_host, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, proven_bye, FALSE, 0, SENDER_LATCH_OTHER);
  check_verdict (l, l->other_host, media, FALSE, 0, SENDER_LATCH_KNOWN);
}

CLAIM_ON (test_latch_takes_nobody_by_media_that_was_not_announced, LATCH)
{
  check_verdict (l, l->home, odd_media, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (l, l->home, proof, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (l, l->home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->home, odd_media, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (l, l->other_host, proof, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (l, l->other_host, odd_media, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (l, l->other_host, info, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (l, l->home, odd_media, FALSE, 0, SENDER_LATCH_TAKEN);
}
