/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: a longer route, which looks like a queue that nothing empties. */
#pragma once

#include <rc/law/arclive.h>

/* After rc_path_on_feedback(): may take the delay for that of a longer route. */
void rc_arclive_watch_route (RcArcLive *self, const RcFeedback *feedback, RcTime now);
