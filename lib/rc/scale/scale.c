/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: at a given bitrate a large picture is smeared by the quantiser, and a small one by
 * scaling. Which size shows more depends on the bitrate and on the content.
 *
 * Model. In Ma, Fernandes and Wang, "Analytical rate model for compressed video considering
 * impacts of spatial, temporal and amplitude resolutions" (IEEE ICME Workshops 2013), the rate is a
 * product of powers of the quantiser's step, the frame size and the frame rate. H.264 doubles the
 * step each 6 QP. In terms of the bits per pixel and frame b = R / (w h f), the model is here
 *
 *   QP = d - A log2 b - C log2 s + M log2 n                                          [eq. 1]
 *
 * with d the difficulty of the content (the QP at which its full size takes one bit per pixel and
 * frame), s the share of the full size's pixels, and n the divisor of the frame rate. In a smaller
 * picture neighbours are less alike, and between fewer frames more moves: C and M are what that
 * costs.
 *
 * Rule. The best size is the largest whose QP does not exceed Q.                     [eq. 2]
 * libwebrtc scales by the quantiser, too, but it tries sizes one after the other; eq. 1 predicts
 * the QP of each size.
 *
 * d is learnt: each encoded frame has a QP and a size in bits, and eq. 1 is solved for d. It
 * is that of the hardest content lately: it rises at once and falls slowly. Where the encoder does
 * not report its QP, d stays at the typical one.
 *
 * Hysteresis. A smaller rung is taken when the QP exceeds Q + H, and a larger one when its QP would
 * be below Q - H. Changes are 2 s apart downwards and 5 s upwards. The rate is smoothed, but for a
 * fall by more than half: it is ignored until it has lasted, and then believed at once, so that one
 * step leads to the size that fits. Where A, C or M is wrong for this content, d moves with a step,
 * and a step up would be taken back again and again. So a step up that is taken back within two
 * minutes because d rose adds this rise to the margin of later steps up.
 *
 * Limits. A, C, M, Q and the typical d are of x264 (superfast), and were fitted by
 * eval/scale/calibrate to SSIM, which knows nothing of viewing distance. Other encoders of H.264
 * differ by some QP, which d absorbs, since only Q is compared to. SSIM counts a repeated frame as
 * an error, so frames are dropped late. */

#include <rc/scale/scale.h>

#include <math.h>

/* A: a doubling of the rate lowers QP by this. */
#define QP_PER_DOUBLED_BITS 5.7
/* C: half the pixels raise QP by this at equal b. The rest of A is gained. */
#define QP_PER_HALVED_PIXELS 2.2
/* M: half the frame rate costs each frame so much. The rest of A is gained. */
#define QP_PER_HALVED_FPS 2.6
/* Q */
#define BEST_QP 36.0
/* H: 2 H is more than a rate that wavers by 20 % to both sides moves QP: A log2 (1.2 / 0.8) = 3.3,
 * and a fifth for errors of eq. 1. */
#define MARGIN_QP 2.0
/* The most by which a margin upwards grows: errors of M by its whole value and some of C. A content
 * that became harder by chance just then costs no more than this. */
#define MOST_EXTRA_MARGIN_QP 4.0
/* A step up that holds longer was right. */
#define TAKEN_BACK_SPAN (120 * RC_SECOND)
/* d of content that nothing is known of: the mean of the clips of eval/scale/calibrate. */
#define TYPICAL_DIFFICULTY 3.6
/* A mean of so many frames counts: single frames do not, and a cut is seen in a second. */
#define FRAMES_OF_MEAN 25
/* d follows this mean up at once, and down so slowly: footage of a street became easier and harder
 * each few seconds, and when d followed both ways its picture changed its size 39 times in 200 s
 * (x264, 60 kbit/s +- 20 %). */
#define FRAMES_OF_FALL 500
/* A change makes a keyframe, after which the rate control of an encoder overshoots and recovers. */
#define SETTLING (1 * RC_SECOND)
/* Rates that last shorter are not worth a keyframe. */
#define RATE_SMOOTHING_S 1.0
/* A fall by more than an octave is no waver. It is believed when it has lasted as long as a sender
 * needs to empty the queue that the fall made: until then the rate is far below what the network
 * carries (after 3 to 0.3 Mbit/s it was 0.08 to 0.12 after half a second, and 0.2 after one). */
#define SUDDEN_FALL_OCTAVES 1.0
#define SUDDEN_FALL_SPAN (1 * RC_SECOND)
/* A step down ends smear. A step up may wait: a rate that rises often falls again. */
#define LEAST_DOWN_INTERVAL (2 * RC_SECOND)
#define LEAST_UP_INTERVAL (5 * RC_SECOND)

void
rc_scale_init (RcScale *self, const RcLadder *ladder)
{
  *self = (RcScale) { .ladder = *ladder, .difficulty = TYPICAL_DIFFICULTY, .now = RC_TIME_NONE,
      .changed_at = RC_TIME_NONE };
}

void
rc_scale_set_ladder (RcScale *self, const RcLadder *ladder)
{
  self->ladder = *ladder;
  self->rung = 0;
  self->reason = self->told_bps > 0 ? RC_SCALE_FITS : RC_SCALE_NO_TARGET;
  self->changed_at = RC_TIME_NONE;
  self->extra_margin = 0;
}

void
rc_scale_on_target (RcScale *self, uint64_t bps)
{
  if (self->told_bps == 0)
    self->log_rate = log2 ((double) bps);
  self->told_bps = bps;
}

/* QP of eq. 1 without d, for these bits a frame. */
static double
qp_of_bits (const RcScale *self, unsigned i, double bits)
{
  const RcRung *rung = &self->ladder.rungs[i], *full = &self->ladder.rungs[0];
  double pixels = (double) rung->width * rung->height;
  double share = pixels / ((double) full->width * full->height);

  return -QP_PER_DOUBLED_BITS * log2 (bits / pixels) - QP_PER_HALVED_PIXELS * log2 (share)
      + QP_PER_HALVED_FPS * log2 (rung->divisor);
}

void
rc_scale_on_frame (RcScale *self, double bits, double qp)
{
  double difficulty;

  if (bits <= 0 || (self->changed_at != RC_TIME_NONE && self->now - self->changed_at < SETTLING))
    return;
  difficulty = qp - qp_of_bits (self, self->rung, bits);
  if (self->frames_learnt < FRAMES_OF_MEAN)
    self->frames_learnt++;
  self->mean_difficulty += (difficulty - self->mean_difficulty) / self->frames_learnt;
  if (self->frames_learnt < FRAMES_OF_MEAN || self->mean_difficulty > self->difficulty)
    self->difficulty = self->mean_difficulty;
  else
    self->difficulty += (self->mean_difficulty - self->difficulty) / FRAMES_OF_FALL;
}

double
rc_scale_predict_qp (const RcScale *self, unsigned i)
{
  double bits = exp2 (self->log_rate) * self->ladder.rungs[i].divisor / self->ladder.fps;

  return self->difficulty + qp_of_bits (self, i, bits);   /* [eq. 1] */
}

/* The first rung, from the full one on, whose QP is at most this; the last if none is. */
static unsigned
first_within (const RcScale *self, double most_qp)
{
  unsigned i = 0;

  while (i + 1 < self->ladder.n_rungs && rc_scale_predict_qp (self, i) > most_qp)
    i++;
  return i;
}

/* [eq. 2] with its hysteresis. */
static unsigned
wanted_rung (const RcScale *self)
{
  unsigned best = first_within (self, BEST_QP);
  unsigned larger = first_within (self, BEST_QP - MARGIN_QP - self->extra_margin);

  if (self->changed_at == RC_TIME_NONE)
    return best;
  if (best > self->rung && rc_scale_predict_qp (self, self->rung) > BEST_QP + MARGIN_QP)
    return best;
  return larger < self->rung ? larger : self->rung;
}

static bool
is_time (const RcScale *self, unsigned wanted)
{
  RcTime interval = wanted > self->rung ? LEAST_DOWN_INTERVAL : LEAST_UP_INTERVAL;

  return self->changed_at == RC_TIME_NONE || self->now - self->changed_at >= interval;
}

/* What moved more since the last change: the rate or the content? */
static RcScaleReason
reason_of (const RcScale *self, unsigned wanted)
{
  double rate = QP_PER_DOUBLED_BITS * (self->log_rate - self->changed_rate);
  double content = self->difficulty - self->changed_difficulty;

  if (wanted == self->rung)
    return RC_SCALE_FITS;
  if (self->changed_at == RC_TIME_NONE)
    return RC_SCALE_LESS_RATE;
  if (wanted > self->rung)
    return content > -rate ? RC_SCALE_HARDER : RC_SCALE_LESS_RATE;
  return -content > rate ? RC_SCALE_EASIER : RC_SCALE_MORE_RATE;
}

static void
follow_rate (RcScale *self, RcTime span)
{
  double gap = log2 ((double) self->told_bps) - self->log_rate;

  if (gap >= -SUDDEN_FALL_OCTAVES) {
    self->fallen_for = 0;
    self->log_rate += gap * -expm1 (-rc_time_to_s (span) / RATE_SMOOTHING_S);
  } else if ((self->fallen_for += span) >= SUDDEN_FALL_SPAN) {
    self->log_rate += gap;
  }
}

static void
let_time_pass (RcScale *self, RcTime now)
{
  if (self->now == RC_TIME_NONE || now <= self->now) {
    self->now = self->now == RC_TIME_NONE ? now : self->now;
    return;
  }
  follow_rate (self, now - self->now);
  self->now = now;
}

static void
learn_from_step_back (RcScale *self, unsigned rung)
{
  double rise = self->difficulty - self->changed_difficulty;

  if (rung > self->rung && self->stepped_up && self->now - self->changed_at < TAKEN_BACK_SPAN)
    self->extra_margin = rc_clampd (self->extra_margin + rise, 0, MOST_EXTRA_MARGIN_QP);
}

static void
change_to (RcScale *self, unsigned rung)
{
  learn_from_step_back (self, rung);
  self->stepped_up = rung < self->rung;
  self->reason = reason_of (self, rung);
  self->rung = rung;
  self->changed_at = self->now;
  self->changed_rate = self->log_rate;
  self->changed_difficulty = self->difficulty;
}

bool
rc_scale_choose (RcScale *self, RcTime now)
{
  unsigned wanted, before = self->rung;
  bool first = self->changed_at == RC_TIME_NONE;

  if (self->told_bps == 0)
    return false;
  let_time_pass (self, now);
  wanted = wanted_rung (self);
  if (first || (wanted != before && is_time (self, wanted)))
    change_to (self, wanted);
  return self->rung != before;
}

void
rc_scale_refuse (RcScale *self, unsigned rung)
{
  self->rung = rung;
}
