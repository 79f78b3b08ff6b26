/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a sender must stop because the receiver does not answer, and when it may go on, under any
 * law (RFC 8083 4.1, RFC 8085 3.1). The model is in silence.c. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double stop_s;                /* time without reports after which media stops; 0: never */
  RcTime since;                 /* first media sent after the last report; RC_TIME_NONE: none */
  bool stopped;
} RcSilence;

void rc_silence_init (RcSilence *self, double stop_s);
/* A report came. Returns true if media was stopped until now. */
bool rc_silence_on_feedback (RcSilence *self, RcTime now);
/* Media left. Silence counts from here, so that a pause of the source is not taken for silence. */
void rc_silence_on_sent (RcSilence *self, RcTime now);
/* Media stops until the next report, for another reason than time. */
void rc_silence_stop (RcSilence *self);
/* Re-evaluates; returns `stopped`. */
bool rc_silence_update (RcSilence *self, RcTime now);
/* When `stopped` would become true; RC_TIME_NONE: it is, or never. */
RcTime rc_silence_next_at (const RcSilence *self);
