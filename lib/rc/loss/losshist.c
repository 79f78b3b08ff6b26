/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss history.
 *
 * In a nutshell: sequence numbers in; per packet a verdict and how many packets became lost by it.
 * `seen` is a ring of bits over the last RC_LOSSHIST_WINDOW numbers. With t the third highest
 * number seen, every hole below t has been overtaken by three packets and is lost:
 *
 *     judged                      t          highest
 *   ----+--------------------------+----x----+------> numbers    (x: hole that may still fill)
 *       holes here are lost now
 *
 * A hole that leaves the window is lost as well: it could not be filled any more.
 * Source: [ARC 3.1.3] for the hole, RFC 3550 A.1 for strays and restarts.
 * Where we differ from the paper and why: reordering is not loss (losshist.h).
 * Limits: the work for a packet is bounded by RC_LOSSHIST_MAX_JUMP steps, usually three. Of a
 * restarted sender's two first packets the first counts as a stray. All comparisons are modulo
 * 2^32, as the extended numbers are. */
#include <rc/loss/losshist.h>

#include <string.h>

static bool
is_before (uint32_t a, uint32_t b)
{
  return (int32_t) (a - b) < 0;
}

bool
rc_losshist_seen (const RcLossHist *self, uint32_t ext)
{
  return self->seen[ext % RC_LOSSHIST_WINDOW / 64] >> (ext % 64) & 1;
}

static void
set_seen (RcLossHist *self, uint32_t ext, bool seen)
{
  uint64_t *word = &self->seen[ext % RC_LOSSHIST_WINDOW / 64], bit = UINT64_C (1) << (ext % 64);

  *word = seen ? *word | bit : *word & ~bit;
}

static void
begin (RcLossHist *self, uint32_t ext)
{
  memset (self->seen, 0, sizeof self->seen);
  set_seen (self, ext, true);
  self->base_seq = self->highest_seq = ext;
  self->judged_seq = ext - 1;
  self->has_bad_seq = self->after_pause = false;
  self->received_pkts++;
}

/* Judges every number below `end`. */
static uint32_t
judge_below (RcLossHist *self, uint32_t end)
{
  uint32_t losses = 0;

  while (is_before (self->judged_seq + 1, end)) {
    self->judged_seq++;
    if (!rc_losshist_seen (self, self->judged_seq))
      losses++;
  }
  return losses;
}

/* The number that RC_LOSSHIST_REORDER_PKTS packets have reached; the first one unjudged if there
 * is none yet. */
static uint32_t
overtaken_below (const RcLossHist *self)
{
  uint32_t ext = self->highest_seq, found = 0;

  for (; is_before (self->judged_seq + 1, ext); ext--) {
    if (rc_losshist_seen (self, ext) && ++found == RC_LOSSHIST_REORDER_PKTS)
      break;
  }
  return ext;
}

static uint32_t
advance (RcLossHist *self, uint32_t ahead)
{
  uint32_t losses = 0;

  while (ahead-- > 0) {
    uint32_t ext = ++self->highest_seq;

    /* The bit that ext takes over is of a number that leaves the window. */
    losses += judge_below (self, ext - RC_LOSSHIST_WINDOW + 1);
    set_seen (self, ext, ahead == 0);
  }
  return losses;
}

/* One cycle on, so that the extended number still grows. */
static RcLossVerdict
begin_anew (RcLossHist *self, uint16_t seq)
{
  begin (self, (self->highest_seq & UINT32_C (0xffff0000)) + UINT32_C (0x10000) + seq);
  return RC_LOSSHIST_RESTARTED;
}

static RcLossVerdict
far_away (RcLossHist *self, uint16_t seq)
{
  if (self->has_bad_seq && seq == self->bad_seq)
    return begin_anew (self, seq);
  self->has_bad_seq = true;
  self->bad_seq = (uint16_t) (seq + 1);
  self->stray_pkts++;
  return RC_LOSSHIST_STRAY;
}

/* It is one of a restarted sender, and not a copy. */
static bool
is_again (RcLossHist *self, uint16_t seq, uint32_t ext)
{
  if (!self->after_pause)
    return false;
  if (!rc_losshist_seen (self, ext))
    self->again_pkts = 0;
  else
    self->again_pkts = seq == self->again_seq ? self->again_pkts + 1 : 1;
  self->again_seq = (uint16_t) (seq + 1);
  return self->again_pkts >= RC_LOSSHIST_AGAIN_PKTS;
}

static RcLossVerdict
behind_highest (RcLossHist *self, uint32_t ext)
{
  if (rc_losshist_seen (self, ext)) {
    self->duplicate_pkts++;
    return RC_LOSSHIST_DUPLICATE;
  }
  set_seen (self, ext, true);
  self->received_pkts++;
  self->reordered_pkts++;
  /* Numbers before the first packet never counted as lost. */
  if (!is_before (ext, self->base_seq) && !is_before (self->judged_seq, ext))
    self->lost_pkts--;
  return RC_LOSSHIST_LATE;
}

void
rc_losshist_on_pause (RcLossHist *self)
{
  if (!self->after_pause)
    self->again_pkts = 0;
  self->after_pause = true;
}

void
rc_losshist_init (RcLossHist *self)
{
  *self = (RcLossHist) { 0 };
}

RcLossVerdict
rc_losshist_on_packet (RcLossHist *self, uint16_t seq, uint32_t *new_losses)
{
  uint16_t ahead = (uint16_t) (seq - self->highest_seq), behind = (uint16_t) -ahead;
  RcLossVerdict verdict;

  *new_losses = 0;
  if (!self->primed) {
    self->primed = true;
    begin (self, seq);
    return RC_LOSSHIST_NEW;
  }
  if (ahead > RC_LOSSHIST_MAX_JUMP && behind >= RC_LOSSHIST_WINDOW)
    return far_away (self, seq);

  self->has_bad_seq = false;
  if (behind < RC_LOSSHIST_WINDOW && is_again (self, seq, self->highest_seq - behind))
    return begin_anew (self, seq);
  if (behind < RC_LOSSHIST_WINDOW) {
    verdict = behind_highest (self, self->highest_seq - behind);
  } else {
    verdict = RC_LOSSHIST_NEW;
    self->after_pause = false;
    *new_losses = advance (self, ahead);
    self->received_pkts++;
  }
  *new_losses += judge_below (self, overtaken_below (self));
  self->lost_pkts += *new_losses;
  return verdict;
}
