/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which losses of a stream its FEC [RFC 5109] mends, as rtpulpfecenc makes it: behind the last
 * packet of a frame, with numbers of the same sequence. The rules are in fecwatch.c. Numbers are
 * extended ones. */
#pragma once

#include <rc/base/types.h>

#define RC_FECWATCH_GROUPS 64   /* packets of FEC remembered: some frames */
#define RC_FECWATCH_WINDOW 256  /* numbers remembered; power of two */

/* What is known of a number. Those from RC_FECWATCH_MEDIA on are of media. */
typedef enum
{
  RC_FECWATCH_MISSING,
  RC_FECWATCH_FEC,
  RC_FECWATCH_REPAIRED,         /* of either kind */
  RC_FECWATCH_NAMED,            /* missing, and protected by FEC that came */
  RC_FECWATCH_MENDED,
  RC_FECWATCH_MEDIA,
  RC_FECWATCH_END               /* the last one of its frame */
} RcFecKind;

/* Packet base + i is protected if bit i of the mask is set. */
typedef struct
{
  uint32_t base;
  uint64_t mask;
} RcFecGroup;

typedef struct
{
  RcFecGroup groups[RC_FECWATCH_GROUPS];
  uint32_t group_seqs[RC_FECWATCH_GROUPS];      /* of the packets that brought them */
  unsigned n_groups, next_group;
  uint8_t kinds[RC_FECWATCH_WINDOW];    /* RcFecKind by number */
  bool primed;
  uint32_t first, highest;
  /* Since the last packet that ended a frame: packets, without a gap. */
  unsigned frame_pkts, behind_pkts;
  bool has_gap;
  double media_pkts, fec_pkts;  /* of whole frames of late */
} RcFecWatch;

void rc_fecwatch_init (RcFecWatch *self);
/* The payload of a packet of FEC. false: it is none. */
bool rc_fecwatch_read (const uint8_t *payload, size_t size, uint16_t *base, uint64_t *mask);
/* A packet of media came. ends: it is the last one of its frame. */
void rc_fecwatch_on_media (RcFecWatch *self, uint32_t seq, bool ends);
void rc_fecwatch_on_fec (RcFecWatch *self, uint32_t seq, const RcFecGroup *group);
/* A missing packet came again. */
void rc_fecwatch_on_repair (RcFecWatch *self, uint32_t seq);
/* Need this packet, which is lost, not come? false as long as that is not known. */
bool rc_fecwatch_is_mended (const RcFecWatch *self, uint32_t seq);
