/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much FEC pays.
 *
 *   e(k)  how often a frame begins to be broken: it is not whole when it is shown, and the channel
 *         was good when it began. Of its m packets k are FEC, n = m - k media: the rate is given
 *   s(k)  share of the frames shown = 1 / (1 + e(k) BROKEN_FRAMES)
 *   k*    the k in 0..m/2 with the greatest s(k) - HALVING log2 (m / n)
 *
 * A frame that is not whole takes with it all up to the next keyframe: BROKEN_FRAMES. FEC takes its
 * packets from the video, whose quality goes with the logarithm of its rate: half of it is worth
 * HALVING of the frames.
 *
 * e(k): a packet of FEC is the XOR of a group of n / k successive packets [RFC 5109], as
 * rtpulpfecenc cuts a frame. Packets get lost in runs (lossshape.c: p, b), and a lost one is
 * missing if all repairs of it get lost too, each with the chance p: repairs come later than the
 * run. The chance that no group misses more than one packet follows from the two states of the
 * channel, packet by packet. The FEC leaves behind the frame, in the mean d = (n + k + 1) / 2
 * packets after those that it mends, and is missing with the chance p^repairs (p + (1 - p) c^d), c
 * = 1 - 1/b. That of several groups counts as lost or there together.
 *
 * Inputs: an RcFecCase. Output: 100 k* / n, and MARGIN more, because rtpulpfecenc counts packets
 * over frames, and one that is smaller than the mean would have no FEC.
 * Source: Gilbert's channel; RFC 5109 for the groups; what a frame is worth is ours.
 * Limits: groups of rtpulpfecenc overlap where k does not divide n, so fewer frames are broken. FEC
 * does not span frames: of 5 % of independent losses without repair as much FEC as media leaves one
 * frame of 130 broken, and runs break more.
 *
 * There is no property for FEC: the stock rtpulpfecenc in the pipeline is the wish, its
 * `percentage` is set by this, and one that the user sets stays. */
#include <rc/fec/fecplan.h>

#include <math.h>

#define BROKEN_FRAMES 15.0      /* half a second: the latency, the request, a round trip */
#define HALVING 0.05
#define MARGIN 1.2
#define MOST_FRAME_PKTS 48      /* more than rtpulpfecenc takes into a group; large frames */
#define MOST_LOSS_RATIO 0.5     /* nothing mends more */
#define LEAST_LOSS_RATIO 0.001  /* without repair 1 of 200 small frames: FEC would cost more */

/* What is missing of the frame so far; what cannot be mended has left the sum. */
enum
{
  NOTHING,
  ONE_OF_THIS_GROUP,
  SOME_OF_OTHERS,
  N_STATES
};

/* The chances of both states of the channel. */
typedef struct
{
  double good[N_STATES], bad[N_STATES];
} Frame;

static Frame
next_packet (const Frame *now, double turns_bad, double turns_good, double missing)
{
  Frame next = { {0}, {0} };

  for (unsigned i = 0; i < N_STATES; i++) {
    double bad = now->good[i] * turns_bad + now->bad[i] * (1 - turns_good);

    next.good[i] += now->good[i] * (1 - turns_bad) + now->bad[i] * turns_good;
    next.bad[i] += bad * (1 - missing);
    if (i != ONE_OF_THIS_GROUP)
      next.bad[ONE_OF_THIS_GROUP] += bad * missing;
  }
  return next;
}

static void
next_group (Frame *frame)
{
  frame->good[SOME_OF_OTHERS] += frame->good[ONE_OF_THIS_GROUP];
  frame->bad[SOME_OF_OTHERS] += frame->bad[ONE_OF_THIS_GROUP];
  frame->good[ONE_OF_THIS_GROUP] = frame->bad[ONE_OF_THIS_GROUP] = 0;
}

static unsigned
frame_pkts (const RcFecCase *self)
{
  return (unsigned) rc_clampd (round (self->frame_pkts), 1, MOST_FRAME_PKTS);
}

double
rc_fecplan_break_ratio (const RcFecCase *self, unsigned fec_pkts)
{
  unsigned k = fec_pkts, n = frame_pkts (self) - k;
  double p = rc_clampd (self->loss_ratio, 0, MOST_LOSS_RATIO);
  double missing = pow (p, self->repairs);
  /* Independent losses too follow each other now and then. */
  double turns_good = fmin (1 / fmax (self->burst_pkts, 1), 1 - p);
  double turns_bad = p * turns_good / (1 - p);
  double stays = fmax (1 - turns_good - turns_bad, 0);
  double fec_missing = missing * (p + (1 - p) * pow (stays, (n + k + 1) / 2.0));
  Frame frame = { {1 - p}, {0} };
  double mended;

  for (unsigned i = 0; i < n; i++) {
    if (i > 0 && i * k / n != (i - 1) * k / n)
      next_group (&frame);
    frame = next_packet (&frame, turns_bad, turns_good, missing);
  }
  next_group (&frame);
  mended = k > 0 ? frame.good[SOME_OF_OTHERS] + frame.bad[SOME_OF_OTHERS] : 0;
  return 1 - p - frame.good[NOTHING] - frame.bad[NOTHING] - mended * (1 - fec_missing);
}

unsigned
rc_fecplan_percentage (const RcFecCase *self)
{
  unsigned m = frame_pkts (self), best = 0;
  double most = 0;

  if (self->loss_ratio < LEAST_LOSS_RATIO)
    return 0;
  for (unsigned k = 0; k <= m / 2; k++) {
    double shown = 1 / (1 + rc_fecplan_break_ratio (self, k) * BROKEN_FRAMES);
    double worth = shown - HALVING * log2 ((double) m / (m - k));

    if (worth > most) {
      most = worth;
      best = k;
    }
  }
  return (unsigned) fmin (ceil (MARGIN * 100 * best / (m - best)), 100);
}
