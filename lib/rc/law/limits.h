/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a user sets of every law. */
#pragma once

#include <rc/base/types.h>

typedef enum
{
  RC_PROFILE_LIVE,              /* for real networks */
  RC_PROFILE_PAPER,             /* as published */
} RcProfile;

#define RC_LAW_MAX_FACTS 24     /* with those of the law within */

/* Bounds that the user sets on a law. min <= start <= max. */
typedef struct
{
  uint64_t min_bps, start_bps, max_bps;
} RcLimits;

/* A law, and one that runs: law.h, controller.h. */
typedef struct RcLaw RcLaw;
typedef struct _RcController RcController;
