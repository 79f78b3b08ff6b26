/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Many streams under one key, streams that skip numbers, and the end of the numbers of SRTCP. */

#include "securepair.h"

POINTER_END (secure_context_unref, SecureContext)

#define FIRST 1000
#define N_STREAMS 200           /* 49 cameras and what is sent again have 98 */

static const struct
{
  SecureCipher cipher;
  guint key_bytes, behind_index_bytes;
} kinds[] = {
  {SECURE_CIPHER_AES_128_ICM, 30, 10},
  {SECURE_CIPHER_AES_256_ICM, 46, 10},
  {SECURE_CIPHER_AES_128_GCM, 28, 0},
  {SECURE_CIPHER_AES_256_GCM, 44, 0},
};

static void
send_on (guint32 ssrc, guint64 from, guint64 to, guint64 step)
{
  for (guint64 i = from; i <= to; i += step)
    fail_unless (opens (receiver, closed (sender, rtp_of (ssrc, i))), "index %" G_GUINT64_FORMAT,
        i);
}

/* --- many streams --- */

static guint32
srtcp_index (Sealed packet, guint behind_index_bytes)
{
  guint32 index;

  memcpy (&index, packet.bytes + packet.size - behind_index_bytes - sizeof index, sizeof index);
  return GUINT32_FROM_BE (index) & 0x7fffffff;
}

/* A stream that were forgotten would number from 0 again, and its first packet would come again. */
static void
check_many (SecureContext * from, SecureContext * to, guint behind_index_bytes)
{
  Sealed first_rtp = closed (from, rtp_of (FIRST, 10)), first_rtcp = closed (from, rtcp_of (FIRST));
  Sealed other = rtp_of (FIRST, 10), report;

  fail_unless (opens (to, first_rtp) && opens (to, first_rtcp));
  for (guint round = 1; round <= 3; round++)
    for (guint i = 0; i < N_STREAMS; i++) {
      fail_unless (opens (to, closed (from, rtp_of (FIRST + i, 10 + round))));
      report = closed (from, rtcp_of (FIRST + i));
      fail_unless_equals_int (srtcp_index (report, behind_index_bytes), round + (i == 0));
      fail_unless (opens (to, report));
    }
  fail_if (opens (to, first_rtp), "RTP comes again");
  fail_if (opens (to, first_rtcp), "RTCP comes again");
  other.bytes[100] ^= 1;
  fail_unless (refuses (from, other), "its number protects two packets");
  fail_unless_equals_uint64 (secure_stat (to, "rejected"), 2);
}

CLAIMS (test_none_of_many_streams_is_forgotten, G_N_ELEMENTS (kinds))
{
  SecureSettings settings = {.key = key_of_bytes (kinds[__i__].key_bytes),
    .cipher = kinds[__i__].cipher
  };
  SecureContext *from = secure_context_new (&settings, TRUE, NULL);
  SecureContext *to = secure_context_new (&settings, FALSE, NULL);

  if (from && to)               /* libsrtp may be without GCM */
    check_many (from, to, kinds[__i__].behind_index_bytes);
  g_clear_pointer (&from, secure_context_unref);
  g_clear_pointer (&to, secure_context_unref);
  settings_clear (&settings);
}

/* As much memory as it takes: what was sent is known of those sent last. */
CLAIM (test_streams_that_were_silent_go_on_ahead_only)
{
  Sealed other = rtp_of (FIRST, 10);

  closed (sender, rtp_of (FIRST, 10));
  for (guint i = 1; i <= SECURE_DIGESTS_MAX; i++)
    closed (sender, rtp_of (FIRST + i, 10));
  fail_unless (refuses (sender, rtp_of (FIRST, 10)));
  fail_unless (refuses (sender, rtp_of (FIRST, 9)));
  closed (sender, rtp_of (FIRST, 11));
  fail_unless (refuses (sender, rtp_of (FIRST, 9)), "it is not known whether it was sent");
  closed (sender, rtp_of (FIRST, 11));
  other.bytes[100] ^= 1;
  fail_unless (refuses (sender, other));
  fail_unless (refuses (sender, rtp_of (FIRST + 1, 10)), "it took the place of the next one");
}

static void
check_warning (SecureContext * context, const gchar * has)
{
  const gchar *warning = secure_context_take_warning (context);

  fail_unless (warning != NULL && strstr (warning, has) != NULL, "%s", warning);
  fail_if (secure_context_take_warning (context) != NULL, "it is told twice");
}

CLAIM (test_stream_beyond_the_limit_is_refused_and_told_once)
{
  AT_END (secure_context_unref_at) SecureContext *another = context_of (SECURE_TEST_KEY, TRUE);
  Sealed earliest = closed (sender, rtp_of (FIRST, 10)), surplus;

  fail_unless (opens (receiver, earliest));
  for (guint i = 1; i < SECURE_STREAMS_MAX; i++)
    fail_unless (opens (receiver, closed (sender, i % 2 ? rtp_of (FIRST + i, 10)
                : rtcp_of (FIRST + i))));
  fail_if (secure_context_take_warning (sender) || secure_context_take_warning (receiver));
  fail_unless (refuses (sender, rtp_of (A, 1)) && refuses (sender, rtcp_of (A)));
  check_warning (sender, "do not leave");
  fail_unless_equals_uint64 (secure_stat (sender, "srtp-unsent"), 2);
  surplus = closed (another, rtp_of (B, 1));
  fail_if (opens (receiver, surplus));
  fail_if (opens (receiver, closed (another, rtcp_of (B))));
  fail_if (opens (receiver, surplus));  /* no replay: libsrtp does not remember it either */
  check_warning (receiver, "are dropped");
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected-surplus"), 3);
  fail_unless_equals_uint64 (secure_stat (receiver, "rejected"), 3);
  fail_if (opens (receiver, earliest));
  fail_unless (opens (receiver, closed (sender, rtp_of (FIRST, 11))), "the others go on");
}

/* Anybody can write SSRCs; a place is for what is authentic. */
CLAIM (test_forgeries_of_many_streams_push_none_out)
{
  send_on (A, 10000, 70000, 20000);
  secure_context_unref (receiver);
  receiver = context_of (SECURE_TEST_KEY, FALSE);
  fail_unless (opens (receiver, closed (sender, rtcp_of (B))));
  for (guint i = 0; i < SECURE_STREAMS_MAX; i++)
    fail_if (opens (receiver, rtp_of (FIRST + i, 10)));
  fail_unless (opens (receiver, closed (sender, rtp_of (A, 70001))), "its index is forgotten");
}

/* Two, because the old key is still in use after one. */
CLAIM (test_new_keys_make_room)
{
  for (guint i = 0; i < SECURE_STREAMS_MAX; i++)
    fail_unless (opens (receiver, closed (sender, rtp_of (FIRST + i, 10))));
  rekey (receiver, SECURE_OTHER_KEY, NULL);
  rekey (sender, SECURE_OTHER_KEY, NULL);
  fail_unless (opens (receiver, closed (sender, rtp_of (FIRST, 11))));
  fail_unless (refuses (sender, rtp_of (A, 1)));
  rekey (receiver, SECURE_THIRD_KEY, NULL);
  rekey (sender, SECURE_THIRD_KEY, NULL);
  for (guint i = 1; i < SECURE_STREAMS_MAX; i++)
    fail_unless (opens (receiver, closed (sender, rtp_of (2 * SECURE_STREAMS_MAX + i, 1))));
  fail_unless (opens (receiver, closed (sender, rtp_of (FIRST, 12))));
}

/* --- skipped numbers --- */

static const guint outages[] = { 32768, 32769, 40000, 65535, 66000, 600000 };

/* The sender sends on, and nothing comes: at 1000 packets a second 40 s are enough. */
CLAIMS (test_receiver_finds_the_stream_after_an_outage, G_N_ELEMENTS (outages))
{
  const guint64 last = 60000, next = last + outages[__i__];
  Sealed before, reordered;

  send_on (A, last - 100, last - 1, 1);
  before = closed (sender, rtp_of (A, last));
  fail_unless (opens (receiver, before));
  for (guint64 i = last + 1; i < next; i += MIN (20000, next - i))
    closed (sender, rtp_of (A, i));
  reordered = closed (sender, rtp_of (A, next));
  fail_unless (opens (receiver, closed (sender, rtcp_of (A))));
  send_on (A, next + 1, next + 100, 1);
  fail_unless (opens (receiver, reordered));
  fail_if (opens (receiver, before) || opens (receiver, reordered), "it comes again");
  send_on (A, next + 100 + 20000, next + 300000, 20000);
}

/* A forgery in between sets nothing. */
CLAIM (test_forgery_does_not_keep_a_receiver_from_the_stream)
{
  Sealed forged;

  send_on (A, 60000, 60100, 1);
  for (guint64 i = 60101; i < 93000; i += 10000)
    closed (sender, rtp_of (A, i));
  closed (sender, rtp_of (A, 93000));
  fail_unless (opens (receiver, closed (sender, rtcp_of (A))));
  for (guint i = 0; i < 65536; i += 999) {
    forged = rtp_of (A, i);
    fail_if (opens (receiver, forged));
    if (i % 2)
      fail_unless (opens (receiver, closed (sender, rtp_of (A, 93001 + i))));
  }
  send_on (A, 160000, 400000, 20000);
}

/* What upstream dropped, with renumber=false: 64 packets are refused, and not 25,000. */
CLAIMS (test_sender_goes_on_after_numbers_were_skipped, G_N_ELEMENTS (outages))
{
  const guint64 next = 60000 + outages[__i__] % 0x10000;
  guint refused = 0;

  send_on (A, 59000, 60000, 1);
  while (refuses (sender, rtp_of (A, next + refused)))
    refused++;
  fail_unless (refused <= 64, "%u", refused);
  closed (sender, rtp_of (A, next + refused));
  fail_unless_equals_uint64 (secure_stat (sender, "srtp-unsent"), refused);
  fail_unless (opens (receiver, closed (sender, rtcp_of (A))));
  send_on (A, next + 100, next + 200, 1);
  send_on (A, next + 20000, next + 200000, 20000);
}

/* More than one message names. */
CLAIM (test_late_receiver_learns_of_all_streams)
{
  const guint n = 50;
  AT_END (secure_context_unref_at) SecureContext *late = context_of (SECURE_TEST_KEY, FALSE);

  for (guint i = 0; i < n; i++)
    send_on (FIRST + i, 10000, 70000, 20000);
  for (guint i = 0; i < 7; i++) /* 8 in each */
    fail_unless (opens (late, closed (sender, rtcp_of (FIRST))));
  for (guint i = 0; i < n; i++)
    fail_unless (opens (late, closed (sender, rtp_of (FIRST + i, 70001))), "stream %u", i);
}

/* --- the end of the numbers of SRTCP --- */

CLAIM (test_end_of_srtcp_is_told_before_and_nothing_leaves_after)
{
  closed (sender, rtcp_of (A));
  secure_context_skip_rtcp (sender, A, SECURE_RTCP_PKTS_WARN - 1);
  closed (sender, rtcp_of (A));
  fail_if (secure_context_take_warning (sender) != NULL);
  closed (sender, rtcp_of (A));
  check_warning (sender, "come to their end");
  closed (sender, rtcp_of (A));
  secure_context_skip_rtcp (sender, A, SECURE_RTCP_PKTS_MAX - 1);
  closed (sender, rtcp_of (A));
  fail_if (secure_context_take_warning (sender) != NULL);
  for (guint i = 0; i < 3; i++)
    fail_unless (refuses (sender, rtcp_of (A)));
  check_warning (sender, "are used up");
  fail_unless_equals_uint64 (secure_stat (sender, "srtp-unsent"), 3);
  closed (sender, rtcp_of (B)); /* each SSRC has its own */
  closed (sender, rtp_of (A, 1));
  rekey (sender, SECURE_OTHER_KEY, NULL);
  closed (sender, rtcp_of (A));
  fail_if (secure_context_take_warning (sender) != NULL);
}
