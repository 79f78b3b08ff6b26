/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: paced at the start bitrate. For closed networks and for comparison; the only thing that it
 * obeys is silence: see RcSilence. */
#pragma once

#include <rc/silence.h>
#include <rc/types.h>

typedef struct
{
  RcLimits limits;
  RcSilence silence;
  RcTime srtt;
} RcFixed;
