/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: paced at the start bitrate. For networks that reserve capacity, and for comparison. It obeys
 * nothing but silence: it still stops for a receiver that never answers (`stop`, 0 to switch off). */
#pragma once

#include <rc/law.h>
#include <rc/silence.h>

typedef struct
{
  double stop;                  /* s; as RcSilenceParams.stop_s */
} RcFixedParams;

typedef struct
{
  RcFixedParams params;  /* first: RcLaw.params point into it */
  RcLimits limits;
  RcSilence silence;
  RcTime srtt;
} RcFixed;

extern const RcLaw rc_fixed_law;
