/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The closed-loop cases by name: one table for the tests and for loop-report. */
#pragma once

#include "loop.h"

typedef struct
{
  const char *name, *what;
  uint64_t rate_bps;            /* of the first link */
  double rtt_ms, seconds;
  LoopStep steps[6];
  LinkParams link;              /* but for its rate; queue_time 0: 300 ms */
  LoopFlowConfig flow;          /* each of them; limits 0: from 100, at first 500 kbit/s */
  bool greedy;                  /* its source: else video */
  unsigned n_flows;             /* 0: one */
  RcTime start_each;            /* from one flow's start to the next */
  void (*more) (LoopConfig *config);    /* what the row cannot say; NULL: nothing */
} LoopCase;

extern const LoopCase loop_cases[];     /* ends with a NULL name */

/* *config as the case has it; false: no such case. */
bool loop_case_config (const char *name, uint64_t seed, LoopConfig *config);
