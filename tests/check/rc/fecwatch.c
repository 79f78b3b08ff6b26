/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which losses FEC mends: lib/rc/fec/fecwatch.c. */
#include <rc/fec/fecwatch.h>

#include "claim.h"

#define FIRST 65500             /* the numbers wrap */

typedef struct
{
  RcFecWatch watch;
  guint32 seq;                  /* of the next packet */
} Stream;

static Stream s;

BEFORE_EACH
{
  s = (Stream) {.seq = FIRST };
  rc_fecwatch_init (&s.watch);
  rc_fecwatch_on_media (&s.watch, s.seq++, TRUE);
}

/* lost: a letter for each packet, '-' for one that is lost. Media, then FEC, which protects equal
 * parts of the media one after the other, as rtpulpfecenc cuts them. Returns the first number. */
static guint32
frame (const gchar * media, const gchar * fec)
{
  guint n = strlen (media), k = strlen (fec);
  guint32 first = s.seq;

  for (guint i = 0; i < n; i++)
    if (media[i] != '-')
      rc_fecwatch_on_media (&s.watch, first + i, i == n - 1);
  for (guint i = 0; i < k; i++) {
    guint begin = i * n / k, end = ((i + 1) * n + k - 1) / k;
    RcFecGroup group = { first + begin, (G_GUINT64_CONSTANT (1) << (end - begin)) - 1 };

    if (fec[i] != '-')
      rc_fecwatch_on_fec (&s.watch, first + n + i, &group);
  }
  s.seq += n + k;
  return first;
}

static gboolean
is_mended (guint32 seq)
{
  return rc_fecwatch_is_mended (&s.watch, seq);
}

CLAIM (test_one_loss_of_a_group_is_mended_and_two_are_not)
{
  guint32 first;

  first = frame ("m-mm", "f");
  fail_unless (is_mended (first + 1));
  first = frame ("m--m", "f");
  frame ("mmmm", "f");
  fail_if (is_mended (first + 1));
  fail_if (is_mended (first + 2));
  first = frame ("-mm-", "ff");
  fail_unless (is_mended (first) && is_mended (first + 3));
  first = frame ("--mm", "ff");
  fail_if (is_mended (first) || is_mended (first + 1));
}

CLAIM (test_a_loss_whose_fec_is_lost_is_not_mended)
{
  guint32 first;

  frame ("mmmm", "ff");
  first = frame ("-mmm", "-f");
  frame ("mmmm", "ff");
  fail_if (is_mended (first));
  fail_unless (is_mended (first + 4));      /* FEC itself */
}

CLAIM (test_lost_fec_is_no_loss)
{
  guint32 first;

  frame ("mmmm", "ff");
  first = frame ("mmmm", "--");
  frame ("mmmm", "ff");
  fail_unless (is_mended (first + 4) && is_mended (first + 5));
  first = frame ("mmmm", "f-");
  frame ("mmmm", "ff");
  fail_unless (is_mended (first + 5));
}

/* Behind a frame are no more numbers of FEC than its packets ask for. */
CLAIM (test_a_whole_frame_that_is_lost_counts_as_media)
{
  guint32 first;

  for (guint i = 0; i < 20; i++)
    frame ("mmm", "f");
  first = frame ("---", "-");
  frame ("mmm", "f");
  for (guint i = 0; i < 3; i++)
    fail_if (is_mended (first + i));
  first = frame ("mmm", "-");
  frame ("---", "-");
  frame ("mmm", "f");
  for (guint i = 4; i < 7; i++)
    fail_if (is_mended (first + i));
}

/* A keyframe has ten times as many packets, and as much FEC. */
CLAIM (test_media_behind_a_small_frame_is_no_fec_of_a_large_one)
{
  guint32 first;

  for (guint i = 0; i < 20; i++)
    frame ("mm", "ff");
  frame ("mmmmmmmmmmmmmmmmmmmm", "ffffffffffffffffffff");
  frame ("mm", "ff");
  first = frame ("mm", "--");
  frame ("--", "--");
  frame ("mm", "ff");
  for (guint i = 0; i < 6; i++)
    fail_if (is_mended (first + 2 + i));    /* nobody knows which of them */
  first = frame ("mm", "--");
  frame ("-m", "-f");
  frame ("mm", "ff");
  fail_if (is_mended (first + 4));
}

/* Nor does it make the other one of its group look like the only one. */
CLAIM (test_media_that_fec_names_is_no_fec)
{
  guint32 first;

  for (guint i = 0; i < 20; i++)
    frame ("mmmm", "ff");
  first = frame ("mmmm", "f-");
  frame ("--mm", "ff");
  fail_unless (is_mended (first + 5));
  fail_if (is_mended (first + 6) || is_mended (first + 7));
}

/* The end of a frame and the FEC before the one that came. */
CLAIM (test_a_burst_over_the_end_of_a_frame_is_mended)
{
  guint32 first;

  for (guint i = 0; i < 20; i++)
    frame ("mmmm", "ff");
  first = frame ("mmm-", "-f");
  fail_unless (is_mended (first + 3) && is_mended (first + 4));
  first = frame ("mmm-", "f-");
  frame ("mmmm", "ff");
  fail_if (is_mended (first + 3));
}

CLAIM (test_a_mended_or_repaired_packet_lets_others_be_mended)
{
  const RcFecGroup pair = { 0, 3 };
  RcFecGroup group;
  guint32 first;

  first = frame ("--m", "");
  group = (RcFecGroup) { first, pair.mask };
  rc_fecwatch_on_fec (&s.watch, s.seq++, &group);
  fail_if (is_mended (first));
  group.base = first + 1;
  rc_fecwatch_on_fec (&s.watch, s.seq++, &group);
  fail_unless (is_mended (first));
  first = frame ("--mm", "f");
  fail_if (is_mended (first + 1));
  rc_fecwatch_on_repair (&s.watch, first);
  fail_unless (is_mended (first + 1));
}

/* A stream of frames, keyframes among them, that loses packets in bursts: what it really lost. */
typedef struct
{
  gboolean is_lost, is_fec, is_mended;
} Truth;

#define PACKETS 50000
#define NEAR 10                 /* packets: what is lost there leaves with the same request */
#define BURST_STAYS 0.8

typedef struct
{
  Truth truth[PACKETS];
  RcFecWatch watch;
  GRand *rand;
  gdouble loss, budget;
  gboolean bad;
  guint n, judged;
  guint lost, missed, needless;
} Run;

static RcFecGroup
group_of (guint first, guint media, guint k, guint i)
{
  guint begin = i * media / k, end = ((i + 1) * media + k - 1) / k;

  return (RcFecGroup) { first + begin, (G_GUINT64_CONSTANT (1) << (end - begin)) - 1 };
}

/* As often as it takes for one that is mended to let another be so. */
static void
mend (Run * run, guint first, guint media, guint k)
{
  for (guint n = 0; n < k * k; n++) {
    RcFecGroup group = group_of (first, media, k, n % k);
    guint missing = 0, which = 0;

    for (guint bit = 0; group.mask >> bit; bit++)
      if (run->truth[group.base + bit].is_lost && !run->truth[group.base + bit].is_mended) {
        missing++;
        which = group.base + bit;
      }
    if (missing == 1 && !run->truth[first + media + n % k].is_lost)
      run->truth[which].is_mended = TRUE;
  }
}

static void
send_frame (Run * run, guint media, guint percentage)
{
  guint first = run->n, k;

  run->budget += media * percentage / 100.0;
  k = (guint) run->budget;
  run->budget -= k;
  for (guint i = 0; i < media + k; i++) {
    gdouble turns_bad = (1 - BURST_STAYS) * run->loss / (1 - run->loss);

    run->bad = g_rand_double (run->rand) < (run->bad ? BURST_STAYS : turns_bad);
    run->truth[run->n++] = (Truth) {.is_lost = run->bad,.is_fec = i >= media };
  }
  mend (run, first, media, k);
  for (guint i = first; i < run->n; i++) {
    if (run->truth[i].is_lost)
      continue;
    if (i < first + media) {
      rc_fecwatch_on_media (&run->watch, i, i == first + media - 1);
    } else {
      RcFecGroup group = group_of (first, media, k, i - first - media);

      rc_fecwatch_on_fec (&run->watch, i, &group);
    }
  }
}

static gboolean
is_needed (const Truth * truth)
{
  return truth->is_lost && !truth->is_fec && !truth->is_mended;
}

static void
judge (Run * run, guint at)
{
  gboolean mended = rc_fecwatch_is_mended (&run->watch, at), near = FALSE;

  if (at < NEAR || !run->truth[at].is_lost)
    return;
  for (guint i = at - NEAR; i <= at + NEAR; i++)
    near |= is_needed (&run->truth[i]);
  run->lost++;
  run->missed += mended && is_needed (&run->truth[at]);
  run->needless += !mended && !near;
}

CLAIM (test_few_answers_are_wrong)
{
  static const gdouble losses[] = { 0.02, 0.1, 0.2 };
  static const guint percentages[] = { 20, 50, 70, 100 };
  Run *run = g_new0 (Run, 1);

  for (guint i = 0; i < G_N_ELEMENTS (losses) * G_N_ELEMENTS (percentages); i++) {
    guint percentage = percentages[i % G_N_ELEMENTS (percentages)];

    *run = (Run) {.rand = g_rand_new_with_seed (i)};
    run->loss = losses[i / G_N_ELEMENTS (percentages)];
    rc_fecwatch_init (&run->watch);
    for (guint f = 0; run->n < PACKETS - 100; f++) {
      send_frame (run, f % 100 == 0 ? 30 : g_rand_int_range (run->rand, 1, 5), percentage);
      while (run->judged + 50 < run->n)
        judge (run, run->judged++);
    }
    g_rand_free (run->rand);
    g_print ("%.2f %3u %% of FEC: of %u lost packets %u missed, %u needless\n", run->loss,
        percentage, run->lost, run->missed, run->needless);
    fail_unless (run->missed < 0.01 * run->lost);
    fail_unless (run->needless < 0.05 * run->lost);
  }
  g_free (run);
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
