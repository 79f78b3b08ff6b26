/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When the receiver of a stream asks its sender for a keyframe (PLI of RFC 4585, FIR of RFC 5104).
 *
 * A wish comes up in three ways:
 *
 *   trigger              the first request leaves
 *   the stream begins    at once
 *   a decoder            at once
 *   a loss               when the time for its repair is over; without retransmission, at most one
 *                        in LOSS_INTERVAL
 *
 * The first request of a wish keeps a distance from the request before: the round trip, at least
 * MIN_INTERVAL. It is repeated until a keyframe begins to come: after the round trip and
 * ANSWER_TIME, then after twice that, at the longest after MAX_INTERVAL. Where keyframes cannot be
 * recognised (`blind`), the answer cannot be detected, so each wish sends one request.
 *
 * Why the receiver asks by itself: stock depayloaders ask only if they are told to, and only
 * rtpsession sends what they ask. A receiver that started late saw its first frame at the next
 * scheduled keyframe. Rejected: short distances of scheduled keyframes, which cost rate all the
 * time.
 *
 * A request within a second of a loss is one, because a keyframe costs as much as ten other
 * frames. */
#pragma once

#include <rc/base/types.h>

/* Three frames at 30 frames/s: a wish that comes up sooner was in time for the same keyframe. */
#define RC_KEYWISH_MIN_INTERVAL (100 * RC_MSEC)
/* The encoder's next frame comes after up to 33 ms; it is encoded, and waits for its turn. */
#define RC_KEYWISH_ANSWER_TIME (100 * RC_MSEC)
/* Taken for the round trip while it is not known: that of a distant continent. */
#define RC_KEYWISH_UNKNOWN_RTT (200 * RC_MSEC)
#define RC_KEYWISH_MAX_INTERVAL RC_SECOND
/* A keyframe costs as much as some ten other frames. Where nothing is repaired, losses would ask
 * for one after the other: more than one a second would cost more quality than the broken pictures
 * do. Where repair misses one now and then, the picture should not stay broken for a second. */
#define RC_KEYWISH_LOSS_INTERVAL RC_SECOND
#define RC_KEYWISH_MAX_LOST 64  /* 200 ms of 4 Mbit/s */

typedef struct
{
  bool blind;
  bool wanted;                  /* now; or the request is out and not answered */
  unsigned requests;            /* of this wish */
  RcTime asked_at;              /* the last request of any wish; RC_TIME_NONE: none */
  RcTime loss_asked_at;         /* the last that a loss began; RC_TIME_NONE: none */
  /* What is lost and was not repaired so far, the oldest first: while some are repaired and others
   * get lost, their number alone never shows how long one is missing. Only the oldest matters. */
  struct
  {
    uint32_t seq;
    RcTime at;
  } lost[RC_KEYWISH_MAX_LOST];
  unsigned n_lost;
  uint8_t number;               /* of the wish, for FIR: its repetitions have the same */
} RcKeyWish;

void rc_keywish_init (RcKeyWish *self);
/* The stream begins in the middle, or a decoder wants a keyframe. */
void rc_keywish_want (RcKeyWish *self);
/* A packet was found lost. */
void rc_keywish_on_lost (RcKeyWish *self, uint32_t seq, RcTime now);
/* It will not come in time, whatever time its repair had. */
void rc_keywish_on_hopeless (RcKeyWish *self, uint32_t seq, RcTime repair_time, RcTime now);
/* It came after all. */
void rc_keywish_on_came (RcKeyWish *self, uint32_t seq);
/* A keyframe begins to come. */
void rc_keywish_on_keyframe (RcKeyWish *self);
/* It could matter whether the next packet begins a keyframe. */
bool rc_keywish_watches (const RcKeyWish *self);
/* When a request is due: a time not after `now` means now; RC_TIME_NONE: none. repair_time: how
 * long after a loss its repair may come, 0: no retransmission; rtt: RC_TIME_NONE: unknown. */
RcTime rc_keywish_due_at (const RcKeyWish *self, RcTime rtt, RcTime repair_time, RcTime now);
/* The request leaves. */
void rc_keywish_on_asked (RcKeyWish *self, RcTime now);
