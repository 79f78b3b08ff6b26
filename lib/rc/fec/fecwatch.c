/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: rtpulpfecdec recovers losses behind the jitter buffer and does not report those that it
 * could not recover. A keyframe request per loss would be far too many, and a depayloader misses
 * the loss of a whole frame. Nothing in a lost number says whether it was media or FEC. To take
 * media for FEC leaves the picture broken until the next keyframe; the other error costs one.
 *
 * Rules:
 *   - A lost packet of media is mended if it is the only one missing of a group of FEC that came.
 *   - What a group names is media.
 *   - Numbers that nothing names, between the last media L of one frame and the first media U of
 *     another, are FEC if L ends its frame and FEC of that frame came behind them; or if they are
 *     no more than the FEC that a frame of n packets has, n times the share of late.
 *   - All others are media.
 *
 * Rejected: as many as behind any frame of late, since a keyframe has ten times as many as the
 * frames behind it, and these were then taken for FEC as a whole.
 *
 * Limits: FEC is rounded per frame, so one packet of it may count as media. The FEC of a group may
 * still be on its way: ask some time after the loss. */
#include <rc/fec/fecwatch.h>

#include <math.h>

#define MEMORY_PKTS 64.0        /* of media, for the share: a second of a slow stream */
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
  *self = (RcFecWatch) { .has_gap = true };
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

/* --- numbers --- */

static bool
is_known (const RcFecWatch *self, uint32_t seq)
{
  return self->primed && (int32_t) (seq - self->first) >= 0
      && self->highest - seq < RC_FECWATCH_WINDOW;
}

static RcFecKind
kind_of (const RcFecWatch *self, uint32_t seq)
{
  return (RcFecKind) self->kinds[seq % RC_FECWATCH_WINDOW];
}

static void
set_kind (RcFecWatch *self, uint32_t seq, RcFecKind kind)
{
  self->kinds[seq % RC_FECWATCH_WINDOW] = (uint8_t) kind;
}

static bool
is_missing (RcFecKind kind)
{
  return kind == RC_FECWATCH_MISSING || kind == RC_FECWATCH_NAMED;
}

static bool
is_media (RcFecKind kind)
{
  return kind >= RC_FECWATCH_NAMED;
}

static bool
names (const RcFecGroup *group, uint32_t seq)
{
  uint32_t bit = seq - group->base;

  return bit < LONG_MASK_BITS && (group->mask >> bit & 1);
}

/* --- groups --- */

/* true: one more packet is mended. */
static bool
mend_one (RcFecWatch *self)
{
  for (unsigned i = 0; i < self->n_groups; i++) {
    const RcFecGroup *group = &self->groups[i];
    unsigned missing = 0;
    uint32_t which = 0;

    for (uint32_t seq = group->base; seq - group->base < LONG_MASK_BITS && missing < 2; seq++) {
      if (!names (group, seq))
        continue;
      if (!is_known (self, seq))
        missing = 2;            /* too long ago, or not to be believed */
      else if (is_missing (kind_of (self, seq))) {
        missing++;
        which = seq;
      }
    }
    if (missing == 1) {
      set_kind (self, which, RC_FECWATCH_MENDED);
      return true;
    }
  }
  return false;
}

static void
mend (RcFecWatch *self)
{
  while (mend_one (self));
}

static void
add_group (RcFecWatch *self, uint32_t seq, const RcFecGroup *group)
{
  self->groups[self->next_group] = *group;
  self->group_seqs[self->next_group] = seq;
  self->next_group = (self->next_group + 1) % RC_FECWATCH_GROUPS;
  if (self->n_groups < RC_FECWATCH_GROUPS)
    self->n_groups++;
  for (uint32_t named = group->base; named - group->base < LONG_MASK_BITS; named++)
    if (names (group, named) && is_known (self, named)
        && kind_of (self, named) == RC_FECWATCH_MISSING)
      set_kind (self, named, RC_FECWATCH_NAMED);
}

/* --- what comes --- */

/* false: it is late. */
static bool
advance (RcFecWatch *self, uint32_t seq, RcFecKind kind)
{
  uint32_t gap = self->primed ? seq - self->highest - 1 : 0;

  if (self->primed && (int32_t) (seq - self->highest) <= 0) {
    if (is_known (self, seq))
      set_kind (self, seq, kind);
    return false;
  }
  if (!self->primed || gap >= RC_FECWATCH_WINDOW)
    self->first = seq;
  else
    for (uint32_t missing = self->highest + 1; missing != seq; missing++)
      set_kind (self, missing, RC_FECWATCH_MISSING);
  set_kind (self, seq, kind);
  self->highest = seq;
  self->primed = true;
  self->has_gap |= gap > 0;
  return true;
}

/* The last frame, and the FEC behind it, are over. */
static void
learn (RcFecWatch *self)
{
  if (!self->has_gap) {
    self->media_pkts += self->frame_pkts;
    self->fec_pkts += self->behind_pkts;
  }
  if (self->media_pkts > MEMORY_PKTS) {
    self->media_pkts /= 2;
    self->fec_pkts /= 2;
  }
  self->frame_pkts = self->behind_pkts = 0;
}

void
rc_fecwatch_on_media (RcFecWatch *self, uint32_t seq, bool ends)
{
  RcFecKind before = self->primed ? kind_of (self, self->highest) : RC_FECWATCH_MEDIA;
  bool gap = seq != self->highest + 1;

  if (!advance (self, seq, ends ? RC_FECWATCH_END : RC_FECWATCH_MEDIA)) {
    mend (self);
    return;
  }
  if (before == RC_FECWATCH_END || before == RC_FECWATCH_FEC) {
    learn (self);
    self->has_gap = gap;
  }
  self->frame_pkts++;
}

void
rc_fecwatch_on_fec (RcFecWatch *self, uint32_t seq, const RcFecGroup *group)
{
  if (advance (self, seq, RC_FECWATCH_FEC))
    self->behind_pkts++;
  add_group (self, seq, group);
  mend (self);
}

void
rc_fecwatch_on_repair (RcFecWatch *self, uint32_t seq)
{
  if (!is_known (self, seq) || !is_missing (kind_of (self, seq)))
    return;
  set_kind (self, seq, RC_FECWATCH_REPAIRED);
  mend (self);
}

/* --- what is missing --- */

/* Of the frame of this packet, as far as they are known, and this one its last. */
static unsigned
media_of_frame (const RcFecWatch *self, uint32_t last)
{
  unsigned n = 1;

  for (uint32_t seq = last - 1; is_known (self, seq); seq--) {
    RcFecKind kind = kind_of (self, seq);

    if (kind == RC_FECWATCH_END || (!is_media (kind) && kind != RC_FECWATCH_REPAIRED))
      break;
    n++;
  }
  return n;
}

static bool
is_named (const RcFecWatch *self, uint32_t seq)
{
  for (unsigned i = 0; i < self->n_groups; i++)
    if (names (&self->groups[i], seq))
      return true;
  return false;
}

/* The highest number between these two that is FEC of the frame of `from`, or `from`. */
static uint32_t
last_fec_of (const RcFecWatch *self, uint32_t from, uint32_t to)
{
  uint32_t last = from;

  for (unsigned i = 0; i < self->n_groups; i++) {
    uint32_t seq = self->group_seqs[i];

    if (seq - from < to - from && seq - from > last - from
        && (int32_t) (self->groups[i].base - from) <= 0)
      last = seq;
  }
  return last;
}

/* Packets of FEC behind the frame that this packet ends. They are rounded up and down in turn; that
 * the next media is protected, and nothing before it, speaks for the greater number. */
static unsigned
fec_of_frame (const RcFecWatch *self, uint32_t last, uint32_t next)
{
  double fec = self->media_pkts > 0
      ? self->fec_pkts / self->media_pkts * media_of_frame (self, last) : 0;

  return (unsigned) (next - 1 != self->highest && is_named (self, next) ? ceil (fec) : round (fec));
}

static bool
is_fec (const RcFecWatch *self, uint32_t seq)
{
  uint32_t last = seq - 1, next = seq + 1, fec;
  bool ends, is_over;

  while (is_known (self, last) && !is_media (kind_of (self, last)))
    last--;
  if (!is_known (self, last))
    return false;
  while (next - 1 != self->highest && !is_media (kind_of (self, next)))
    next++;
  is_over = next - 1 != self->highest;
  ends = kind_of (self, last) == RC_FECWATCH_END;
  fec = last_fec_of (self, last, next);
  if (ends && fec - last > seq - last)
    return true;
  if (!is_over && fec - last > seq - last)
    return fec - last <= fec_of_frame (self, last, next);
  return is_over && (ends || fec != last) && next - last - 1 <= fec_of_frame (self, last, next);
}

bool
rc_fecwatch_is_mended (const RcFecWatch *self, uint32_t seq)
{
  if (!is_known (self, seq))
    return false;
  return !is_missing (kind_of (self, seq))
      || (kind_of (self, seq) == RC_FECWATCH_MISSING && is_fec (self, seq));
}
