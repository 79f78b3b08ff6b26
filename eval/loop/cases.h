/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The closed-loop cases by name: one table for the tests and for loop-report. */
#pragma once

#include "loop.h"

typedef struct
{
  const char *name, *what;
  void (*fill) (LoopConfig *config);
} LoopCase;

extern const LoopCase loop_cases[];     /* ends with a NULL name */

/* *config as the case has it; false: no such case. */
bool loop_case_config (const char *name, uint64_t seed, LoopConfig *config);
