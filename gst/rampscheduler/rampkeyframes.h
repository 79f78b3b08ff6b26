/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keyframes: the stream that needs one, or of which one is requested, is the only one whose
 * encoder is asked. When, the queue of its pad says (pacing/sendqueue.h). */
#pragma once

#include "encoder/encoderorders.h"
#include "gstramppad.h"

G_BEGIN_DECLS

/* With the lock of the scheduler: a keyframe request is due. */
gboolean ramp_keyframes_are_due (GstRampPad * pad, RcTime now);
/* The same: the SSRCs to ask now. Returns how many. */
guint ramp_keyframes_take (GstRampPad * pad, RcTime now, guint32 ssrcs[ENCODER_ORDERS_MAX_FLOWS]);

/* The same: what an upstream event GstForceKeyUnit requests of one of the pads. FALSE: it names no
 * stream, and is for all. */
gboolean ramp_keyframes_request (GPtrArray * pads, const GstStructure * event, RcTime now);

G_END_DECLS
