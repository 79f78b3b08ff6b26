/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which losses FEC mends: lib/rc/fec/fecwatch.c. */
#include <rc/fec/fecwatch.h>

#include "claim.h"

#define FIRST 65500             /* the numbers wrap */

typedef struct
{
  RcFecWatch watch;
  RcLossHist came;
  guint32 seq;                  /* of the next packet */
} Stream;

static void
stream_init (Stream * s)
{
  guint32 losses;

  *s = (Stream) {.seq = FIRST };
  rc_fecwatch_init (&s->watch);
  rc_losshist_init (&s->came);
  rc_losshist_on_packet (&s->came, (guint16) s->seq, &losses);
  rc_fecwatch_on_media (&s->watch, s->came.highest_seq, TRUE);
  s->seq = s->came.highest_seq + 1;
}

static gboolean
comes (Stream * s, gboolean is_lost)
{
  guint32 losses;

  if (!is_lost)
    rc_losshist_on_packet (&s->came, (guint16) s->seq, &losses);
  s->seq++;
  return !is_lost;
}

/* lost: a letter for each packet, '-' for one that is lost. Media, then FEC, which protects equal
 * parts of the media one after the other. Returns the number of the first. */
static guint32
frame (Stream * s, const gchar * media, const gchar * fec)
{
  guint n = strlen (media), k = strlen (fec);
  guint32 first = s->seq;

  for (guint i = 0; i < n; i++)
    if (comes (s, media[i] == '-'))
      rc_fecwatch_on_media (&s->watch, s->seq - 1, i == n - 1);
  for (guint i = 0; i < k; i++) {
    guint begin = i * n / k, end = (i + 1) * n / k;
    RcFecGroup group = { first + begin, (G_GUINT64_CONSTANT (1) << (end - begin)) - 1 };

    if (comes (s, fec[i] == '-'))
      rc_fecwatch_on_fec (&s->watch, s->seq - 1, &group);
  }
  return first;
}

static gboolean
is_mended (Stream * s, guint32 seq)
{
  return rc_fecwatch_is_mended (&s->watch, seq, &s->came);
}

CLAIM (test_one_loss_of_a_group_is_mended_and_two_are_not)
{
  guint32 first;
  Stream s;

  stream_init (&s);
  first = frame (&s, "m-mm", "f");
  fail_unless (is_mended (&s, first + 1));
  first = frame (&s, "m--m", "f");
  frame (&s, "mmmm", "f");
  fail_if (is_mended (&s, first + 1));
  fail_if (is_mended (&s, first + 2));
  first = frame (&s, "-mm-", "ff");
  fail_unless (is_mended (&s, first) && is_mended (&s, first + 3));
  first = frame (&s, "--mm", "ff");
  fail_if (is_mended (&s, first) || is_mended (&s, first + 1));
}

CLAIM (test_a_loss_whose_fec_is_lost_is_not_mended)
{
  guint32 first;
  Stream s;

  stream_init (&s);
  frame (&s, "mmmm", "ff");
  first = frame (&s, "-mmm", "-f");
  frame (&s, "mmmm", "ff");
  fail_if (is_mended (&s, first));
  fail_unless (is_mended (&s, first + 4));      /* FEC itself */
}

CLAIM (test_lost_fec_is_no_loss)
{
  guint32 first;
  Stream s;

  stream_init (&s);
  frame (&s, "mmmm", "ff");
  first = frame (&s, "mmmm", "--");
  frame (&s, "mmmm", "ff");
  fail_unless (is_mended (&s, first + 4) && is_mended (&s, first + 5));
  first = frame (&s, "mmmm", "f-");
  frame (&s, "mmmm", "ff");
  fail_unless (is_mended (&s, first + 5));
}

/* Behind a frame are no more numbers of FEC than there ever were. */
CLAIM (test_a_whole_frame_that_is_lost_counts_as_media)
{
  guint32 first;
  Stream s;

  stream_init (&s);
  for (guint i = 0; i < 20; i++)
    frame (&s, "mmm", "f");
  first = frame (&s, "---", "-");
  frame (&s, "mmm", "f");
  for (guint i = 0; i < 3; i++)
    fail_if (is_mended (&s, first + i));
  first = frame (&s, "mmm", "-");
  frame (&s, "---", "-");
  frame (&s, "mmm", "f");
  fail_unless (is_mended (&s, first + 3));
  for (guint i = 4; i < 7; i++)
    fail_if (is_mended (&s, first + i));
}

CLAIM (test_a_mended_or_repaired_packet_lets_others_be_mended)
{
  const RcFecGroup pair = { 0, 3 };
  RcFecGroup group;
  guint32 first;
  Stream s;

  stream_init (&s);
  first = frame (&s, "--m", "");
  group = (RcFecGroup) { first, pair.mask };
  rc_fecwatch_on_fec (&s.watch, s.seq, &group);
  fail_if (is_mended (&s, first));
  group.base = first + 1;
  rc_fecwatch_on_fec (&s.watch, s.seq + 1, &group);
  fail_unless (is_mended (&s, first));
  first = frame (&s, "--mm", "f");
  fail_if (is_mended (&s, first + 1));
  rc_fecwatch_on_repair (&s.watch, first);
  fail_unless (is_mended (&s, first + 1));
}

CLAIM (test_masks_are_read_as_the_standard_says)
{
  guint8 payload[18] = { 0, 0, 0x12, 0x34 };
  guint64 mask;
  guint16 base;

  payload[12] = 0x80;
  payload[13] = 0x01;
  fail_unless (rc_fecwatch_read (payload, 14, &base, &mask));
  fail_unless_equals_int (base, 0x1234);
  fail_unless_equals_uint64 (mask, 1 | 1 << 15);
  fail_if (rc_fecwatch_read (payload, 13, &base, &mask));
  payload[0] = 0x40;
  payload[17] = 0x01;
  fail_if (rc_fecwatch_read (payload, 17, &base, &mask));
  fail_unless (rc_fecwatch_read (payload, 18, &base, &mask));
  fail_unless_equals_uint64 (mask, 1 | 1 << 15 | G_GUINT64_CONSTANT (1) << 47);
  fail_if (rc_fecwatch_read (NULL, 0, &base, &mask));
  memset (payload + 12, 0, 6);
  fail_if (rc_fecwatch_read (payload, 18, &base, &mask));
}
