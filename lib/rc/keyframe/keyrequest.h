/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When the sender of a stream asks its encoder for a keyframe: because receivers requested it (PLI
 * of RFC 4585, FIR of RFC 5104), because a receiver is new, or because the sender itself dropped
 * frames.
 *
 * A request is answered already if the encoder was asked, or made a keyframe, less than a round
 * trip ago: the receiver cannot have seen that keyframe when it asked. All other requests since
 * then become one order, which goes to the encoder at once, but INTERVAL after the last order that
 * requests caused. So a storm of requests makes at most five keyframes a second, fewer where one
 * takes longer to leave: half of the time remains for other frames. A request that is never
 * repeated is not forgotten. A FIR whose number came before is the same request [RFC 5104
 * 4.3.1.2]. Keyframes that came for other reasons delay no order: a viewer that starts while one
 * leaves has missed its head.
 *
 * A need of the sender's own is ordered at once, then each NEED_INTERVAL until a keyframe comes. */
#pragma once

#include <rc/base/types.h>

/* A keyframe takes about as long to leave as the VBV of the encoder holds, 200 ms: one that is
 * made sooner would queue up behind the one before. */
#define RC_KEYREQUEST_INTERVAL (200 * RC_MSEC)
#define RC_KEYREQUEST_NEED_INTERVAL RC_SECOND
/* However long a keyframe takes: its receiver has no picture. */
#define RC_KEYREQUEST_MAX_INTERVAL RC_SECOND
/* A report may claim any round trip, and a queue may make one of seconds. */
#define RC_KEYREQUEST_MAX_RTT RC_SECOND

typedef struct
{
  bool wanted;                  /* a receiver requested what is not ordered yet */
  RcTime ordered_at;            /* of the encoder, last; RC_TIME_NONE: never */
  RcTime answered_at;           /* the same, because of a request */
  RcTime keyframe_at;           /* came from the encoder, last; RC_TIME_NONE: never */
  bool has_fir;
  uint32_t fir_from;            /* SSRC of the last FIR's sender, and its number */
  uint8_t fir_number;
} RcKeyRequest;

void rc_keyrequest_init (RcKeyRequest *self);
/* rtt: RC_TIME_NONE: unknown. false: it changes nothing. */
bool rc_keyrequest_on_pli (RcKeyRequest *self, RcTime rtt, RcTime now);
bool rc_keyrequest_on_fir (RcKeyRequest *self, uint32_t from, uint8_t number, RcTime rtt,
    RcTime now);
/* The first report of a receiver came. It needs no keyframe if one left shortly before it came to
 * listen. false: as above. */
bool rc_keyrequest_on_newcomer (RcKeyRequest *self, RcTime rtt, RcTime now);
/* The encoder made one. */
void rc_keyrequest_on_keyframe (RcKeyRequest *self, RcTime now);
/* needed: by the sender itself. took: the last keyframe, from the encoder to the network. As
 * rc_keywish_due_at(). */
RcTime rc_keyrequest_due_at (const RcKeyRequest *self, bool needed, RcTime took, RcTime now);
/* The encoder is asked now. */
void rc_keyrequest_on_ordered (RcKeyRequest *self, RcTime now);
