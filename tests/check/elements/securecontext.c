/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP between two ends, without a network: round trips, forgery, replay, overflows, new keys. */

#include "securepair.h"

POINTER_END (secure_context_unref, SecureContext)

/* --- round trips --- */

static const struct
{
  SecureCipher cipher;
  SecureAuth auth;
  guint key_bytes, tag_bytes, mki;
} kinds[] = {
  {SECURE_CIPHER_AES_128_ICM, SECURE_AUTH_HMAC_SHA1_80, 30, 10, 1},
  {SECURE_CIPHER_AES_128_ICM, SECURE_AUTH_HMAC_SHA1_32, 30, 4, 0},
  {SECURE_CIPHER_AES_256_ICM, SECURE_AUTH_HMAC_SHA1_80, 46, 10, 1},
  {SECURE_CIPHER_AES_256_ICM, SECURE_AUTH_HMAC_SHA1_32, 46, 4, 0},
  {SECURE_CIPHER_AES_128_GCM, SECURE_AUTH_HMAC_SHA1_80, 28, 16, 1},
  {SECURE_CIPHER_AES_256_GCM, SECURE_AUTH_HMAC_SHA1_32, 44, 16, 1},
};

/* And no part of it: libsrtp 2.5 crashes over the shortest of AES-GCM with an MKI. */
static void
check_round_trip (SecureContext * from, SecureContext * to, Sealed packet)
{
  Sealed plain = packet, secret = closed (from, packet), cut = secret;
  SecureArrival arrival;

  for (cut.size = 0; cut.size < secret.size; cut.size++)
    fail_if (opens (to, cut));

  fail_unless (memcmp (secret.bytes + 12, plain.bytes + 12, 8) != 0, "it is readable");
  fail_unless (secure_context_unprotect (to, secret.bytes, &secret.size, &arrival, 0));
  fail_unless_equals_int (secret.size, plain.size);
  fail_unless (memcmp (secret.bytes, plain.bytes, plain.size) == 0);
}

CLAIMS (test_each_cipher_carries_rtp_and_rtcp_both_ways, G_N_ELEMENTS (kinds))
{
  SecureSettings settings = {.key = key_of_bytes (kinds[__i__].key_bytes),
    .cipher = kinds[__i__].cipher,.auth = kinds[__i__].auth
  };
  SecureContext *a, *b;
  guint32 ssrc;
  guint trial;

  for (trial = 0; trial < 1 + kinds[__i__].mki; trial++) {      /* without and with MKI */
    settings.mki = trial > 0 ? buffer_of_hex ("0badcafe") : NULL;
    a = secure_context_new (&settings, TRUE, NULL);
    b = secure_context_new (&settings, FALSE, NULL);
    fail_unless (a && b);
    ssrc = A + 100 * trial;     /* what was sent by a key is not sent again */
    fail_unless_equals_int (secure_context_overhead_bytes (a), kinds[__i__].tag_bytes + 4 * trial);
    fail_unless_equals_int (closed (a, rtp_of (ssrc + 1, 1)).size - PACKET_BYTES,
        kinds[__i__].tag_bytes + 4 * trial);
    for (guint i = 0; i < 5; i++) {
      check_round_trip (a, b, rtp_of (ssrc, i));
      check_round_trip (a, b, rtcp_of (ssrc));
      check_round_trip (b, a, rtcp_of (B));
    }
    secure_context_unref (a);
    secure_context_unref (b);
  }
  settings_clear (&settings);
}

/* --- forgery and replay --- */

CLAIM (test_any_bit_that_differs_is_refused)
{
  Sealed rtp = closed (sender, rtp_of (A, 1)), rtcp = closed (sender, rtcp_of (A));
  guint n = 0;

  for (guint i = 8 * 1; i < 8 * rtp.size; i += 3, n++) {
    Sealed forged = rtp;

    forged.bytes[i / 8] ^= 1 << i % 8;
    fail_if (opens (receiver, forged), "bit %u of RTP", i);
  }
  for (guint i = 8 * 1; i < 8 * rtcp.size; i++, n++) {
    Sealed forged = rtcp;

    forged.bytes[i / 8] ^= 1 << i % 8;
    fail_if (opens (receiver, forged), "bit %u of RTCP", i);
  }
  for (gsize size = 0; size < rtp.size; size++, n++) {
    Sealed cut = rtp;

    cut.size = size;
    fail_if (opens (receiver, cut));
  }
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), n);
  fail_unless (secure_stat (receiver, "rejected-unauthentic") > 0);
  fail_unless (secure_stat (receiver, "rejected-malformed") > 0);
  fail_unless (opens (receiver, rtp) && opens (receiver, rtcp));
}

CLAIM (test_packet_in_the_clear_is_refused)
{
  fail_if (opens (receiver, rtp_of (A, 1)));
  fail_if (opens (receiver, rtcp_of (A)));
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 2);
}

CLAIM (test_what_came_is_refused_when_it_comes_again)
{
  Sealed early = closed (sender, rtp_of (A, 1)), report = closed (sender, rtcp_of (A));

  fail_unless (opens (receiver, early) && opens (receiver, report));
  fail_if (opens (receiver, early) || opens (receiver, report));
  for (guint i = 2; i < SECURE_WINDOW + 2; i++)
    fail_unless (opens (receiver, closed (sender, rtp_of (A, i))));
  fail_if (opens (receiver, early));    /* older than the window */
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected-replayed"), 3);
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 3);
}

CLAIM (test_a_copy_counts_as_replayed_only_if_its_reader_says_so)
{
  Sealed packet = closed (sender, rtp_of (A, 1));
  SecureArrival arrival;

  fail_unless (opens_at (receiver, packet, &arrival, 0));
  fail_if (arrival.copy);
  fail_if (opens_at (receiver, packet, &arrival, 0));
  fail_unless (arrival.copy && arrival.ssrc == A && arrival.seq == 1);
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 0);
  secure_context_count_copy (receiver, &arrival);
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 1);
}

/* A repair that comes rtx-time after the newest packet. */
CLAIM (test_late_packet_within_the_window_is_taken)
{
  Sealed late = closed (sender, rtp_of (A, 1)), again;
  SecureArrival arrival;

  for (guint i = 2; i < SECURE_WINDOW; i++)
    fail_unless (opens (receiver, closed (sender, rtp_of (A, i))));
  again = closed (sender, rtp_of (A, 1));
  fail_unless_equals_int (again.size, late.size);
  fail_unless (memcmp (again.bytes, late.bytes, late.size) == 0);
  fail_unless (opens_at (receiver, again, &arrival, 0));
  fail_if (arrival.newest);
}

/* Counter mode would give both payloads away, GCM its key. */
CLAIM (test_other_bytes_under_a_used_number_do_not_leave)
{
  Sealed other = rtp_of (A, 5);

  closed (sender, rtp_of (A, 5));
  closed (sender, rtp_of (A, 9));
  other.bytes[PACKET_BYTES - 1] ^= 1;
  fail_unless (refuses (sender, other));
  fail_unless_equals_uint64 (secure_stat (sender, "srtp-unsent"), 1);
  closed (sender, rtp_of (A, 5));
  closed (sender, rtp_of (A, 7));       /* out of order, and new */
  closed (sender, rtp_of (A, 20000));
  fail_unless (refuses (sender, rtp_of (A, 10)));       /* it is forgotten what it was */
}

/* A transport that was full: what did not leave may change. */
CLAIM (test_number_of_what_did_not_leave_may_be_used_again)
{
  Sealed tried = rtp_of (A, 5), other = tried;
  SecureDeparture departure;

  fail_unless (secure_context_protect (sender, tried.bytes, tried.size, &departure, 0) > 0);
  other.bytes[PACKET_BYTES - 1] ^= 1;
  fail_unless (opens (receiver, closed (sender, other)));
}

/* --- streams --- */

CLAIM (test_strangers_get_no_place)
{
  AT_END (secure_context_unref_at) SecureContext *stranger = context_of (SECURE_OTHER_KEY, TRUE);

  fail_unless (opens (receiver, closed (sender, rtp_of (A, 1))));
  for (guint i = 0; i < SECURE_STREAMS_MAX; i++)
    fail_if (opens (receiver, closed (stranger, rtp_of (1000 + i, 1))));
  fail_if (opens (receiver, closed (sender, rtp_of (A, 1))), "its place was lost");
  fail_unless (opens (receiver, closed (sender, rtp_of (B, 1))), "they took the places");
}

/* --- overflows of the sequence numbers --- */

static void
send_on (guint32 ssrc, guint64 from, guint64 to, guint64 step)
{
  for (guint64 i = from; i <= to; i += step)
    fail_unless (opens (receiver, closed (sender, rtp_of (ssrc, i))), "index %" G_GUINT64_FORMAT,
        i);
}

CLAIM (test_sequence_numbers_overflow)
{
  Sealed late;

  send_on (A, 65000, 65534, 1);
  late = closed (sender, rtp_of (A, 65535));
  send_on (A, 65536, 66000, 1);
  fail_unless (opens (receiver, late));
  send_on (A, 66000 + 20000, 400000, 20000);
}

/* Who joins after the overflow learns of it from the sender's RTCP. */
CLAIM (test_late_receiver_learns_of_overflows)
{
  AT_END (secure_context_unref_at) SecureContext *late = context_of (SECURE_TEST_KEY, FALSE);
  Sealed report, plain = rtcp_of (A);
  SecureArrival arrival;

  send_on (A, 0, 200000, 20000);
  fail_if (opens (late, closed (sender, rtp_of (A, 200001))));
  report = closed (sender, rtcp_of (A));
  fail_unless (secure_context_unprotect (late, report.bytes, &report.size, &arrival, 0));
  fail_unless_equals_int (report.size, plain.size);     /* nobody else sees it */
  fail_unless (memcmp (report.bytes, plain.bytes, plain.size) == 0);
  fail_unless (opens (late, closed (sender, rtp_of (A, 200002))));
}

/* --- new keys --- */

static void
check_rekey (guint64 index, const gchar * mki, gboolean receiver_first)
{
  Sealed before = closed (sender, rtp_of (A, index)), report;

  fail_unless (opens (receiver, closed (sender, rtp_of (A, index - 1))));
  rekey (receiver_first ? receiver : sender, SECURE_OTHER_KEY, mki);
  report = closed (receiver, rtcp_of (B));
  fail_unless (opens (sender, report), "by the old key, or before the new one is known");
  rekey (receiver_first ? sender : receiver, SECURE_OTHER_KEY, mki);
  for (guint i = 1; i <= 100; i++)
    fail_unless (opens (receiver, closed (sender, rtp_of (A, index + i))));
  fail_unless (opens (receiver, before), "it was on its way");
  fail_unless (opens (receiver, closed (sender, rtcp_of (A))));
  fail_unless (opens (sender, closed (receiver, rtcp_of (B))));
}

CLAIM (test_new_key_loses_nothing)
{
  check_rekey (1000, NULL, TRUE);
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 0);
  fail_unless_equals_uint64 (secure_stat (sender, "rejected"), 0);
}

CLAIM (test_new_key_with_mki_loses_nothing)
{
  check_rekey (1000, "01", TRUE);
}

/* No packet is sent between the two. */
CLAIM (test_new_key_at_the_sender_first_is_as_good_where_nothing_flows)
{
  check_rekey (1000, NULL, FALSE);
}

/* The ROC goes on under the new key, also where the numbers overflow with it. */
CLAIM (test_new_key_among_overflows_loses_nothing)
{
  send_on (A, 0, 130000, 10000);
  check_rekey (131071 - 50, NULL, TRUE);
  rekey (receiver, SECURE_THIRD_KEY, NULL);
  rekey (sender, SECURE_THIRD_KEY, NULL);
  send_on (A, 131171, 300000, 10000);
}

CLAIM (test_old_key_ends_after_the_new_one_came)
{
  AT_END (secure_context_unref_at) SecureContext *old = context_of (SECURE_TEST_KEY, TRUE);
  const RcTime later = 3600 * RC_SECOND, end = later + SECURE_OLD_KEY_TIME;
  SecureArrival arrival;

  rekey (receiver, SECURE_OTHER_KEY, NULL);
  rekey (sender, SECURE_OTHER_KEY, NULL);
  fail_unless (opens_at (receiver, closed (old, rtp_of (A, 1)), &arrival, later));
  fail_unless (opens_at (receiver, closed (sender, rtp_of (B, 1)), &arrival, later));
  fail_unless (opens_at (receiver, closed (old, rtp_of (A, 2)), &arrival, end - 1));
  fail_if (opens_at (receiver, closed (old, rtp_of (A, 3)), &arrival, end));
  fail_unless (opens_at (receiver, closed (sender, rtp_of (B, 2)), &arrival, end));
}
