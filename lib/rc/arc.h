/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC, Adaptive Rate Control: reports in, sending rate out. See arc.c for the model. */
#pragma once

#include <rc/silence.h>
#include <rc/types.h>

typedef struct
{
  double k;
} RcArcParams;

typedef struct
{
  RcArcParams params;
  RcLimits limits;
  RcSilence silence;
} RcArc;
