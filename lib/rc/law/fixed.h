/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: paced at the start bitrate. For networks that reserve capacity, for
 * receivers that do not report, and for comparison. It obeys nothing but silence, and that only
 * if asked to (`stop`). */
#pragma once

#include <rc/law/law.h>
#include <rc/path/silence.h>

typedef struct
{
  double stop;                  /* s; as RcSilenceParams.stop_s, but by default 0 */
} RcFixedParams;

typedef struct
{
  RcFixedParams params;  /* first: RcLaw.params point into it */
  RcLimits limits;
  RcSilence silence;
  RcTime srtt;
} RcFixed;

extern const RcLaw rc_fixed_law;
