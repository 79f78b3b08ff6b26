/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the measures as the law reads them, x, r, the threshold of congestion. */
#pragma once

#include <rc/law/arclive_state.h>

#define RC_ARCLIVE_PACKET_BITS (1200 * 8.0)     /* usual payload of video over RTP */

/* What a change does shows no sooner: encoder, frames and B take time. */
#define RC_ARCLIVE_REACTION_MIN_S 0.1

/* B */
double rc_arclive_bandwidth_bps (const RcArcLive *self);
/* mRTT */
double rc_arclive_base_rtt_s (const RcArcLive *self);
/* So long after a change its effect is seen. */
double rc_arclive_reaction_s (const RcArcLive *self);
/* theta, at a bandwidth, and at B */
double rc_arclive_threshold_at_s (const RcArcLive *self, double bps);
double rc_arclive_threshold_s (const RcArcLive *self);
/* x, within the limits */
void rc_arclive_set_x (RcArcLive *self, double bps);
/* [ARC eq. 1] */
void rc_arclive_decide_rate (RcArcLive *self);
void rc_arclive_enter (RcArcLive *self, RcArcLiveState state, RcTime now);
/* The effect of the last reduction has been seen. */
bool rc_arclive_may_cut (const RcArcLive *self, RcTime now);
