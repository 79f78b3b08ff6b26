/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Quantiles of the last values of a time, in constant memory, with a resolution of 1 us. */
#pragma once

#include <rc/base/types.h>

#define RC_RECENT_SIZE 256      /* 8 s of video, 5 s of audio */

typedef struct
{
  uint32_t value_us[RC_RECENT_SIZE];
  uint32_t n;                   /* added */
} RcRecent;

void rc_recent_init (RcRecent *self);
/* A negative value counts as 0, one of more than an hour as an hour. */
void rc_recent_add (RcRecent *self, RcTime value);
/* The least value that at least a share q (0..1) of them do not exceed; RC_TIME_NONE: there are
 * none. */
RcTime rc_recent_quantile (const RcRecent *self, double q);
