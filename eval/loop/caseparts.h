/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the cases of sets are made of, and what several sets measure. */
#pragma once

#include "loop.h"

#define CASE_N(array) (sizeof (array) / sizeof *(array))
/* Of a set over a grid: takes the coordinate on an axis of n off *index; the first that is asked
 * for changes fastest. The last is the index that remains. */
#define CASE_PICK(array, index) ((array)[case_axis (index, CASE_N (array))])
unsigned case_axis (unsigned *index, unsigned n);

#define CASE_MBPS UINT64_C (1000000)
#define CASE_MAX_SPANS 8
#define CASE_SETTLE_S 3         /* after a step of the capacity, before a span counts */
#define CASE_WINDOW_S 10        /* for so long a flow may not have next to nothing */
#define CASE_MAX_DELAY_MS 400   /* which the live law promises not to join for long */

/* The first link, drop-tail. */
void case_link (LoopConfig *config, uint64_t rate_bps, RcTime queue, double length_s);
/* Append a flow. Ours starts at 500 kbit/s, and the encoder can make what the link carries. */
LoopFlowConfig *case_media (LoopConfig *config, double rtt_ms);
LoopFlowConfig *case_tcp (LoopConfig *config, LoopFlowKind kind, double rtt_ms);
/* 0 .. 1, by the seed and an index: by when things begin the seeds differ where nothing else is
 * random. */
double case_random (const LoopConfig *config, unsigned index);
/* All flows start within this time, and their hosts' clocks are so far apart: that of the second is
 * before that of the first by clocks_s, the others are between. */
void case_scatter (LoopConfig *config, double within_s, double clocks_s);
/* Append a step of the first link's rate. */
void case_step (LoopConfig *config, double at_s, uint64_t rate_bps);

/* By all flows over the first link, of its capacity. */
double case_carried (const Loop *loop, double from_s, double to_s);
/* Of all flows of TCP, or of all others, over the first link. */
double case_served_bps (const Loop *loop, const LoopConfig *config, bool tcp, double from_s,
    double to_s);
/* The same in the worst CASE_WINDOW_S of them. */
double case_least_bps (const Loop *loop, const LoopConfig *config, bool tcp, double from_s,
    double to_s);

typedef struct
{
  double from_s, to_s;
} CaseSpan;

/* The time between steps of the case, each without its first CASE_SETTLE_S. More steps than
 * CASE_MAX_SPANS (a trace) are one span. Returns how many. */
unsigned case_spans (const LoopConfig *config, CaseSpan spans[CASE_MAX_SPANS]);
/* Served, of the smaller of capacity and what the sources can make. */
double case_use (const Loop *loop, const LoopConfig *config, const CaseSpan *span);
