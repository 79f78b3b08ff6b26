/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which losses of a stream its FEC [RFC 5109] mends, as rtpulpfecenc makes it: behind the last
 * packet of a frame, with numbers of the same sequence. The rules are in fecwatch.c. Numbers are
 * extended ones. */
#pragma once

#include <rc/loss/losshist.h>

#define RC_FECWATCH_GROUPS 32   /* packets of FEC remembered: some frames */
#define RC_FECWATCH_NEEDLESS 128

/* Packet base + i is protected if bit i of the mask is set. */
typedef struct
{
  uint32_t base;
  uint64_t mask;
} RcFecGroup;

typedef struct
{
  RcFecGroup groups[RC_FECWATCH_GROUPS];
  unsigned n_groups, next_group;
  /* Numbers that are missing and need not come: mended, repaired, or of FEC. */
  uint32_t needless[RC_FECWATCH_NEEDLESS];
  unsigned n_needless, next_needless;
  bool primed, ended;           /* ended: the highest one ends a frame, or is FEC behind it */
  uint32_t highest;
  unsigned behind;              /* FEC behind this frame so far */
  unsigned most, next_most, frames;     /* behind a frame, of late */
} RcFecWatch;

void rc_fecwatch_init (RcFecWatch *self);
/* The payload of a packet of FEC. false: it is none. */
bool rc_fecwatch_read (const uint8_t *payload, size_t size, uint16_t *base, uint64_t *mask);
/* A packet of media came. ends: it is the last one of its frame. */
void rc_fecwatch_on_media (RcFecWatch *self, uint32_t seq, bool ends);
void rc_fecwatch_on_fec (RcFecWatch *self, uint32_t seq, const RcFecGroup *group);
/* A missing packet came again. */
void rc_fecwatch_on_repair (RcFecWatch *self, uint32_t seq);
/* Need this packet, which is lost, not come? */
bool rc_fecwatch_is_mended (RcFecWatch *self, uint32_t seq, const RcLossHist *came);
