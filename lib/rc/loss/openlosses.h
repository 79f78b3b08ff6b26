/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which packets of a stream are lost and have not come after all, the oldest first. Problem: while
 * some are repaired and others get lost, their number alone never shows how long one is missing.
 * It remembers RC_OPENLOSSES_MAX of them, and then the older ones: only the oldest matters. */
#pragma once

#include <rc/base/types.h>

#define RC_OPENLOSSES_MAX 64    /* 200 ms of 4 Mbit/s */

typedef struct
{
  unsigned n;
  uint32_t seqs[RC_OPENLOSSES_MAX];
  RcTime lost_at[RC_OPENLOSSES_MAX];
} RcOpenLosses;

void rc_openlosses_clear (RcOpenLosses *self);
void rc_openlosses_add (RcOpenLosses *self, uint32_t seq, RcTime now);
/* It came after all, perhaps again. */
void rc_openlosses_remove (RcOpenLosses *self, uint32_t seq);
/* It has been missing since then, which is longer than all others have. */
void rc_openlosses_age (RcOpenLosses *self, uint32_t seq, RcTime lost_at);
/* Since when the oldest is missing; RC_TIME_NONE: none is. */
RcTime rc_openlosses_since (const RcOpenLosses *self);
