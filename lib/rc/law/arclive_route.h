/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: a longer route is told from a queue. */
#pragma once

#include <rc/law/arclive_state.h>

/* One report. */
void rc_arclive_watch_route (RcArcLive *self, const RcFeedback *feedback, RcTime now);
