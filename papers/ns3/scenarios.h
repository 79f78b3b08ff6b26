/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The topologies and traffic of [ARC 4] and, with explicit rates, of [PIQI 5]. Each runs to its
 * end and writes its CSV; what cannot be is thrown as std::invalid_argument. */
#pragma once

#include "settings.h"

namespace arc {

void run_single (const Settings &settings);
void run_multihop (const Settings &settings);
void run_joins (const Settings &settings);
void run_completion (const Settings &settings);

/* A bottleneck queue: so many ms of capacity, in whole packets of this size, at least one. */
uint32_t queue_pkts (uint64_t capacity_bps, double queue_ms, uint64_t packet_bytes = 1500);

}
