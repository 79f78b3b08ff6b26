/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow on a path where something breaks: loss, routes, outages, reports, a silent camera. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_guards;
