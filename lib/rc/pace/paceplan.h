/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets leave, by what the path is known to bear: paceplan.c. */
#pragma once

#include <rc/base/types.h>

/* What is known of the path. */
typedef struct
{
  bool exact;                   /* the rate is the user's own, whatever the path is */
  bool answered;                /* a report has come */
  bool l4s;                     /* its queue marks what waits for 1 ms */
  RcTime lost_at;               /* RC_TIME_NONE: nothing was lost yet */
} RcPaceFacts;

/* For rc_rmc_set_slot (). */
RcTime rc_pace_slot (const RcPaceFacts *facts, RcTime now);
