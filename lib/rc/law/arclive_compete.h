/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: whose queue it is, COMPETE and YIELD. */
#pragma once

#include <rc/law/arclive_state.h>

/* One report each; dt_s: since the one before. */
/* In AVOID: do we give way to somebody who does not? */
void rc_arclive_watch_giving_way (RcArcLive *self, double dt_s, RcTime now);
void rc_arclive_react_compete (RcArcLive *self, const RcFeedback *feedback, double dt_s,
    RcTime now);
void rc_arclive_react_yield (RcArcLive *self, double dt_s, RcTime now);
/* In YIELD: a report's packet with the least delay. */
void rc_arclive_on_trial_packet (RcArcLive *self, const RcDelays *delays);
