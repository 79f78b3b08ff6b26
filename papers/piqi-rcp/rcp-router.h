/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The router of a sending law with explicit rates, as in the paper's ns-2 runs
 * (papers/piqi-rcp/rcpfigures.c has the same). */
#pragma once

#include "rc.h"

#include <optional>
#include <string>

namespace arc {

/* Nothing for any other law. */
std::optional<RcRouterParams> rcp_router_params (const std::string &law);

}
