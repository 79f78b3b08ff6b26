/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which RTP sequence numbers came, which are lost, for one SSRC.
 *
 * The paper infers a loss from any hole in the sequence [ARC 3.1.3]; real networks reorder, so a
 * hole becomes a loss once RC_LOSSHIST_REORDER_PKTS later packets have come (as TCP's three
 * duplicate ACKs). A packet that comes after it was declared lost is counted as received and
 * taken back from `lost`. Duplicates count apart and change nothing. A jump of more than
 * RC_LOSSHIST_MAX_JUMP forward, or back out of the window, is not believed at once: as in RFC
 * 3550 A.1, two packets in sequence at the new place restart the history (a restarted sender),
 * one is a stray. A sender that is restarted after a short run with the same first number is within
 * the window, where its packets look like copies: after a pause RC_LOSSHIST_AGAIN_PKTS of them in
 * sequence restart the history. */
#pragma once

#include <rc/base/types.h>

#define RC_LOSSHIST_WINDOW 1024 /* sequence numbers remembered; power of two */
#define RC_LOSSHIST_REORDER_PKTS 3
#define RC_LOSSHIST_AGAIN_PKTS 3        /* repairs sent twice and needlessly come singly */
#define RC_LOSSHIST_MAX_JUMP 3000       /* RFC 3550 MAX_DROPOUT */

typedef enum
{
  RC_LOSSHIST_NEW,              /* first packet, or the next highest one */
  RC_LOSSHIST_LATE,             /* filled a hole */
  RC_LOSSHIST_DUPLICATE,
  RC_LOSSHIST_STRAY,            /* too far away: ignored */
  /* The sender began anew here; counters go on, no loss is counted for the jump. */
  RC_LOSSHIST_RESTARTED,
} RcLossVerdict;

typedef struct
{
  uint64_t seen[RC_LOSSHIST_WINDOW / 64];       /* bit (ext seq % WINDOW): came */
  /* Extended; all holes up to judged_seq have been judged. */
  uint32_t base_seq, highest_seq, judged_seq;
  uint16_t bad_seq;             /* RFC 3550 A.1: next one after a stray */
  bool primed, has_bad_seq;
  bool after_pause;             /* none has been new since */
  uint16_t again_seq;           /* the next one of again_pkts in sequence, which had come before */
  uint16_t again_pkts;
  uint32_t received_pkts, lost_pkts, duplicate_pkts, reordered_pkts, stray_pkts;
} RcLossHist;

void rc_losshist_init (RcLossHist *self);
/* None came for longer than a sender pauses within a picture; before the next one. */
void rc_losshist_on_pause (RcLossHist *self);
/* Did extended number `ext` come? Only for the last RC_LOSSHIST_WINDOW numbers. */
bool rc_losshist_seen (const RcLossHist *self, uint32_t ext);
/* *new_losses: how many packets became lost by this one's arrival. */
RcLossVerdict rc_losshist_on_packet (RcLossHist *self, uint16_t seq, uint32_t *new_losses);
