/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: rtpulpfecdec recovers losses behind the jitter buffer and does not report those that it
 * could not recover. A keyframe request per loss would be far too many, and a depayloader misses
 * the loss of a whole frame.
 *
 * Rule: a lost packet is mended if it is the only one of a group that neither came, nor was
 * repaired, nor mended by another group. A lost number is one of FEC if it follows the last packet
 * of a frame, or FEC behind it, as long as no more of them are behind that frame than were behind
 * any of the last FRAMES.
 *
 * Limits: FEC that was lost together with the last packet of its frame counts as media. The FEC of
 * a group may still be on its way: ask some time after the loss. */
#include <rc/fec/fecwatch.h>

#define FRAMES 16               /* rtpulpfecenc counts packets over frames: their FEC varies */
/* [RFC 5109 7.3, 7.4] */
#define HEADER_BYTES 10
#define LEVEL_BYTES 4           /* with a short mask */
#define LONG_LEVEL_BYTES 8
#define LONG_BIT 0x40
#define MASK_BITS 16
#define LONG_MASK_BITS 48

void
rc_fecwatch_init (RcFecWatch *self)
{
  *self = (RcFecWatch) { .primed = false };
}

bool
rc_fecwatch_read (const uint8_t *payload, size_t size, uint16_t *base, uint64_t *mask)
{
  bool is_long = size > 0 && (payload[0] & LONG_BIT);
  unsigned bits = is_long ? LONG_MASK_BITS : MASK_BITS;

  if (size < HEADER_BYTES + (is_long ? LONG_LEVEL_BYTES : LEVEL_BYTES))
    return false;
  *base = (uint16_t) (payload[2] << 8 | payload[3]);
  *mask = 0;
  for (unsigned i = 0; i < bits; i++)
    if (payload[HEADER_BYTES + 2 + i / 8] & 0x80 >> i % 8)
      *mask |= UINT64_C (1) << i;
  return *mask != 0;
}

static void
add_needless (RcFecWatch *self, uint32_t seq)
{
  self->needless[self->next_needless] = seq;
  self->next_needless = (self->next_needless + 1) % RC_FECWATCH_NEEDLESS;
  if (self->n_needless < RC_FECWATCH_NEEDLESS)
    self->n_needless++;
}

static bool
is_needless (const RcFecWatch *self, uint32_t seq)
{
  for (unsigned i = 0; i < self->n_needless; i++)
    if (self->needless[i] == seq)
      return true;
  return false;
}

/* false: it is late, and known as missing. */
static bool
advance (RcFecWatch *self, uint32_t seq)
{
  uint32_t gap = seq - self->highest - 1;

  if (self->primed && (int32_t) (seq - self->highest) <= 0)
    return false;
  for (uint32_t i = 0; self->primed && self->ended && i < gap && self->behind < self->most; i++) {
    add_needless (self, self->highest + 1 + i);
    self->behind++;
  }
  self->highest = seq;
  self->primed = true;
  return true;
}

static void
begin_frame (RcFecWatch *self)
{
  self->behind = 0;
  if (++self->frames % FRAMES > 0)
    return;
  self->most = self->next_most;
  self->next_most = 0;
}

void
rc_fecwatch_on_media (RcFecWatch *self, uint32_t seq, bool ends)
{
  if (!advance (self, seq))
    return;
  if (self->ended)
    begin_frame (self);
  self->ended = ends;
}

void
rc_fecwatch_on_fec (RcFecWatch *self, uint32_t seq, const RcFecGroup *group)
{
  self->groups[self->next_group] = *group;
  self->next_group = (self->next_group + 1) % RC_FECWATCH_GROUPS;
  if (self->n_groups < RC_FECWATCH_GROUPS)
    self->n_groups++;
  if (!advance (self, seq))
    return;
  if (!self->ended)
    self->behind = 0;           /* the last packet of the frame is lost */
  self->ended = true;
  self->behind++;
  if (self->behind > self->next_most)
    self->next_most = self->behind;
  if (self->behind > self->most)
    self->most = self->behind;
}

void
rc_fecwatch_on_repair (RcFecWatch *self, uint32_t seq)
{
  add_needless (self, seq);
}

/* true: one more packet is mended. */
static bool
mend_one (RcFecWatch *self, const RcLossHist *came)
{
  for (unsigned i = 0; i < self->n_groups; i++) {
    const RcFecGroup *group = &self->groups[i];
    unsigned missing = 0;
    uint32_t which = 0;

    /* The history has forgotten what came with it. */
    if (came->highest_seq - group->base >= RC_LOSSHIST_WINDOW)
      continue;
    for (unsigned bit = 0; bit < LONG_MASK_BITS && missing < 2; bit++) {
      uint32_t seq = group->base + bit;

      if (!(group->mask >> bit & 1) || rc_losshist_seen (came, seq) || is_needless (self, seq))
        continue;
      missing++;
      which = seq;
    }
    if (missing == 1) {
      add_needless (self, which);
      return true;
    }
  }
  return false;
}

bool
rc_fecwatch_is_mended (RcFecWatch *self, uint32_t seq, const RcLossHist *came)
{
  while (!is_needless (self, seq) && mend_one (self, came));
  return is_needless (self, seq);
}
