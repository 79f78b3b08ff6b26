/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Nobody answers: when to slow down, when to stop, when to hope again. Shared by all laws (RFC 8083 circuit breaker 1,
 * RFC 8085 3.1). See silence.c. */
#pragma once

#include <rc/types.h>

typedef struct
{
  double stop_s;                /* silence after which no media leaves; 0: never */
} RcSilenceParams;

#define RC_SILENCE_STOP_S 5.0

typedef struct
{
  RcSilenceParams params;
  RcTime since;                 /* last sign of life, or the first packet sent after start */
  bool heard;                   /* ever, in this session */
  bool stopped;
} RcSilence;

void rc_silence_init (RcSilence *self, RcSilenceParams params, RcTime now);
/* A report came. Returns true if media was stopped until now. */
bool rc_silence_on_feedback (RcSilence *self, RcTime now);
/* Media left; a pause of the source must not count as silence of the network. */
void rc_silence_on_sent (RcSilence *self, RcTime now);
/* Re-evaluates; returns `stopped`. */
bool rc_silence_update (RcSilence *self, RcTime now);
/* When `stopped` would become true; RC_TIME_NONE: it is, or never. */
RcTime rc_silence_next_at (const RcSilence *self);
