/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "caseparts.h"

#include <math.h>

unsigned
case_axis (unsigned *index, unsigned n)
{
  unsigned i = *index % n;

  *index /= n;
  return i;
}

void
case_link (LoopConfig *config, uint64_t rate_bps, RcTime queue, double length_s)
{
  config->links[0].rate_bps = rate_bps;
  config->links[0].queue_time = queue;
  config->length = rc_time_from_s (length_s);
}

LoopFlowConfig *
case_media (LoopConfig *config, double rtt_ms)
{
  LoopFlowConfig *flow = &config->flows[config->n_flows++];

  *flow = (LoopFlowConfig) {
    .limits = { 100000, 500000, 1000 * CASE_MBPS },
    .source = { .kind = LOOP_VIDEO },
    .path = 1,
    .rtt = rc_time_from_s (rtt_ms / 1e3),
  };
  return flow;
}

LoopFlowConfig *
case_tcp (LoopConfig *config, LoopFlowKind kind, double rtt_ms)
{
  LoopFlowConfig *flow = &config->flows[config->n_flows++];

  *flow = (LoopFlowConfig) { .kind = kind, .path = 1, .rtt = rc_time_from_s (rtt_ms / 1e3) };
  return flow;
}

double
case_random (const LoopConfig *config, unsigned index)
{
  uint64_t x = (config->seed * 1000 + index) * 2862933555777941757ULL + 3037000493ULL;

  x ^= x >> 29;
  x *= 6364136223846793005ULL;
  return (double) (x >> 11) / 9007199254740992.0;
}

void
case_scatter (LoopConfig *config, double within_s, double clocks_s)
{
  for (unsigned i = 0; i < config->n_flows; i++) {
    double ahead = i < 2 ? i : case_random (config, LOOP_MAX_FLOWS + i);

    config->flows[i].start_at = rc_time_from_s (within_s * case_random (config, i));
    config->flows[i].clock_ahead = rc_time_from_s (clocks_s * ahead);
  }
}

void
case_step (LoopConfig *config, double at_s, uint64_t rate_bps)
{
  LoopStep *step = config->steps;

  while (step->rate_bps)
    step++;
  *step = (LoopStep) { rc_time_from_s (at_s), rate_bps };
}

double
case_carried (const Loop *loop, double from_s, double to_s)
{
  return loop_served_bps (loop, -1, from_s, to_s) / loop_capacity_bps (loop, from_s, to_s);
}

double
case_served_bps (const Loop *loop, const LoopConfig *config, bool tcp, double from_s, double to_s)
{
  double sum = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    if ((config->flows[i].kind != LOOP_MEDIA) == tcp && config->flows[i].path & 1)
      sum += loop_served_bps (loop, (int) i, from_s, to_s);
  return sum;
}

double
case_least_bps (const Loop *loop, const LoopConfig *config, bool tcp, double from_s, double to_s)
{
  double least = INFINITY;

  for (double s = from_s; s + CASE_WINDOW_S <= to_s; s++)
    least = fmin (least, case_served_bps (loop, config, tcp, s, s + CASE_WINDOW_S));
  return least;
}

unsigned
case_spans (const LoopConfig *config, CaseSpan spans[CASE_MAX_SPANS])
{
  double begin_s = 0, end_s = rc_time_to_s (config->length);
  unsigned n = 0;

  if (config->steps[CASE_MAX_SPANS - 1].rate_bps == 0)
    for (; config->steps[n].rate_bps; n++) {
      spans[n] = (CaseSpan) { begin_s + CASE_SETTLE_S, rc_time_to_s (config->steps[n].at) };
      begin_s = spans[n].to_s;
    }
  spans[n++] = (CaseSpan) { begin_s + CASE_SETTLE_S, end_s };
  return n;
}

static double
source_most_bps (const LoopSource *source, const CaseSpan *span)
{
  if (span->from_s >= rc_time_to_s (source->mute_from)
      && span->to_s <= rc_time_to_s (source->mute_to))
    return (double) source->mute_bps;
  return source->most_bps ? (double) source->most_bps : INFINITY;
}

double
case_use (const Loop *loop, const LoopConfig *config, const CaseSpan *span)
{
  double achievable = loop_capacity_bps (loop, span->from_s, span->to_s), most = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    if (config->flows[i].path & 1)
      most += source_most_bps (&config->flows[i].source, span);
  return loop_served_bps (loop, -1, span->from_s, span->to_s) / fmin (achievable, most);
}
