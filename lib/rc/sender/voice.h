/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether a receiver's rate counts where several receivers share an encoder.
 *
 * Problem: the network of one of three viewers was away for 3 s. Its rate fell to the least there
 * is, since no report came, and so did the encoder's for all three, until media to that viewer
 * stopped. When it came back its law began at the rate of a start, and all three with it.
 *
 * Rule: a rate counts while reports come. From the first timeout on it does not: the rates after
 * it say nothing of the path. After an outage, which is RC_PATH_OUTAGE_TIMEOUTS in a row or stopped
 * media, it counts again after RC_VOICE_RETURN, whatever the rate is meanwhile: what waited on the
 * way comes late and looks like a queue. Its receiver gets the frames that the rate carries.
 * What is above the others' rates needs no voice.
 *
 * A receiver that was never away counts from its first report on. No lock and no clock: both are
 * the caller's. */
#pragma once

#include <rc/base/types.h>

/* From the rate of a start, 500 kbit/s, the live law has grown to 4 Mbit/s by then. */
#define RC_VOICE_RETURN (3 * RC_SECOND)

typedef enum
{
  RC_VOICE_NEW,                 /* nothing was heard yet */
  RC_VOICE_COUNTS,
  RC_VOICE_LATE,                /* one report is missing */
  RC_VOICE_AWAY,
  RC_VOICE_BACK,                /* reports come again */
} RcVoiceState;

typedef struct
{
  RcVoiceState state;
  RcTime back_at;
} RcVoice;

/* living: the receiver takes media. timeouts: since its last report. Returns whether the rate
 * counts now. */
bool rc_voice_update (RcVoice *self, bool living, unsigned timeouts, RcTime now);
