/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pacer at a rate that its owner sets: RMC alone. No locks. */
#pragma once

#include "pacing/packetpacer.h"
#include <rc/pace/rmc.h>

G_BEGIN_DECLS

typedef struct
{
  Pacer pacer;                  /* must stay first */
  RcRmc rmc;
} RmcPacer;

void rmc_pacer_init (RmcPacer * self, guint64 rate_bps, RcTime now);

G_END_DECLS
