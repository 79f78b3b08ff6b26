/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: START and AVOID. */
#pragma once

#include <rc/law/arclive_state.h>

/* One report. dt_s: since the one before. */
void rc_arclive_react_avoid (RcArcLive *self, const RcFeedback *feedback, double dt_s, RcTime now);
