/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a user sets of every law. */
#pragma once

#include <rc/base/types.h>
#include <rc/law/cause.h>

typedef enum
{
  RC_PROFILE_LIVE,              /* for real networks */
  RC_PROFILE_PAPER,             /* as published */
} RcProfile;

#define RC_LAW_MAX_FACTS 24     /* with those of the law within */

/* Bounds of a law's rate. min <= start <= max. */
typedef struct
{
  uint64_t min_bps, start_bps, max_bps;
  RcCause max_cause;            /* why max_bps is what it is; 0: it is the user's, as the others */
} RcLimits;

/* A law says of a rate that a bound holds that it is the user's, also while a queue lowers it by a
 * tenth. */
static inline RcCause
rc_limits_cause (const RcLimits *self, RcCause cause, uint64_t bps)
{
  bool at_most = bps > self->max_bps - self->max_bps / 8;

  return cause == RC_CAUSE_USER && at_most && self->max_cause ? self->max_cause : cause;
}

/* A law, and one that runs: law.h, controller.h. */
typedef struct RcLaw RcLaw;
typedef struct _RcController RcController;
