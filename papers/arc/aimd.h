/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A rate that grows additively and falls multiplicatively, which the ARC paper says is not
 * friendly towards Reno. The model is in aimd.c. */
#pragma once

#include <rc/law/controller.h>

typedef struct
{
  double beta;                  /* that is left of the rate after a loss */
} AimdParams;

typedef struct
{
  AimdParams params;            /* first: RcLaw.params point into it */
  RcLimits limits;
  const RcPath *path;
  double rate_bps;
  unsigned timeouts;
  RcCause cause;
  RcTime updated_at;
  RcTime reduced_at;            /* RC_TIME_NONE: never */
} Aimd;

extern const RcLaw aimd_law;
