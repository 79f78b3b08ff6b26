/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: one report's effect on the window, by mode. */
#pragma once

#include <rc/law/arclive.h>

void rc_arclive_react (RcArcLive *self, const RcFeedback *feedback, RcTime now);
