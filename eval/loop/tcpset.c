/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define RTT_MS 50

static const LoopFlowKind kinds[] = { LOOP_TCP_RENO, LOOP_TCP_CUBIC };
static const char *const kind_names[] = { "Reno", "CUBIC" };

/* --- long flows --- */

#define SECOND_S 20             /* when who is second begins */
#define SHARE_FROM_S 30
#define TCP_ENDS_S 100
#define LENGTH_S 130
#define QUIET_MS 40

static const unsigned queue_ms[] = { 300, 1000 };
static const struct
{
  unsigned n, mbps;             /* so many of ours and so many of TCP */
} sizes[] = { { 1, 2 }, { 1, 10 }, { 4, 10 } };

static void
fill_tcp (unsigned index, SetCase *self)
{
  bool tcp_first = case_axis (&index, 2);
  unsigned queue = CASE_PICK (queue_ms, &index), kind = case_axis (&index, CASE_N (kinds));
  unsigned n = sizes[index].n, mbps = sizes[index].mbps;

  snprintf (self->name, sizeof self->name, "%u:%u %-5s %2u Mbit/s, queue %4u ms, %s first",
      n, n, kind_names[kind], mbps, queue, tcp_first ? "TCP" : "ours");
  case_link (&self->config, mbps * CASE_MBPS, queue * RC_MSEC, LENGTH_S);
  for (unsigned i = 0; i < n; i++) {
    LoopFlowConfig *ours = case_media (&self->config, RTT_MS);
    LoopFlowConfig *tcp = case_tcp (&self->config, kinds[kind], RTT_MS);
    double ours_s = case_random (&self->config, 2 * i);
    double tcp_s = case_random (&self->config, 2 * i + 1);

    ours->start_at = rc_time_from_s (ours_s + (tcp_first ? SECOND_S : 0));
    tcp->start_at = rc_time_from_s (tcp_s + (tcp_first ? 0 : SECOND_S));
    tcp->stop_at = TCP_ENDS_S * RC_SECOND;
  }
}

/* From when TCP ends until no half second has a p95 of QUIET_MS any more. */
static double
quiet_after_s (const Loop *loop)
{
  double quiet_s = TCP_ENDS_S;

  for (double s = TCP_ENDS_S; s + 0.5 <= LENGTH_S; s += 0.5)
    if (loop_queue_ms (loop, 0.95, s, s + 0.5) >= QUIET_MS)
      quiet_s = s + 0.5;
  return quiet_s - TCP_ENDS_S;
}

static void
measure_tcp (const Loop *loop, const LoopConfig *config, double *values)
{
  double fair = loop_capacity_bps (loop, SHARE_FROM_S, TCP_ENDS_S) / 2;

  values[0] = case_served_bps (loop, config, false, SHARE_FROM_S, TCP_ENDS_S) / fair;
  values[1] = case_least_bps (loop, config, false, SHARE_FROM_S, TCP_ENDS_S) / fair;
  values[2] = case_served_bps (loop, config, true, SHARE_FROM_S, TCP_ENDS_S) / fair;
  values[3] = case_least_bps (loop, config, true, SHARE_FROM_S, TCP_ENDS_S) / fair;
  values[4] = quiet_after_s (loop);
  values[5] = loop_queue_ms (loop, 0.95, TCP_ENDS_S + 5, LENGTH_S);
}

#define TCP_COLUMNS \
  { { "ours", 2, SET_MEAN | SET_LEAST | SET_MOST }, { "ours_10s", 2, SET_MEAN | SET_LEAST }, \
    { "tcp", 2, SET_MEAN | SET_LEAST }, { "tcp_10s", 2, SET_LEAST }, \
    { "quiet_s", 1, SET_MEAN | SET_MOST }, { "then_p95", 1, SET_MEAN } }

const LoopSet loop_set_tcp = {
  "tcp", "ours beside as many of TCP, the second 20 s later; shares of fair from 30 to 100 s "
      "(10s: the least 10 s); then TCP ends: time until p95 of the queue < 40 ms, p95 from 5 s on",
  2 * CASE_N (queue_ms) * CASE_N (kinds) * CASE_N (sizes),
  TCP_COLUMNS,
  fill_tcp, measure_tcp,
};

/* --- from the floor --- */

#define FLOOR_BPS 150000        /* the least of the video of RFC 8867 */

static void
fill_floor (unsigned index, SetCase *self)
{
  fill_tcp (2 * index + 1, self);
  for (unsigned i = 0; i < self->config.n_flows; i++)
    if (self->config.flows[i].kind == LOOP_MEDIA)
      self->config.flows[i].limits.min_bps = self->config.flows[i].limits.start_bps = FLOOR_BPS;
}

const LoopSet loop_set_floor = {
  "floor", "as tcp, TCP first, and ours starts at 150 kbit/s, which is its least rate as well",
  CASE_N (queue_ms) * CASE_N (kinds) * CASE_N (sizes),
  TCP_COLUMNS,
  fill_floor, measure_tcp,
};

/* --- short flows --- */

#define N_SHORT 10
#define SHORT_LENGTH_S 80

static const unsigned short_mbps[] = { 4, 10, 40 };

static void
fill_short (unsigned index, SetCase *self)
{
  unsigned kind = case_axis (&index, CASE_N (kinds)), mbps = short_mbps[index];

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, %s", mbps, kind_names[kind]);
  case_link (&self->config, mbps * CASE_MBPS, 300 * RC_MSEC, SHORT_LENGTH_S);
  case_media (&self->config, RTT_MS);
  for (unsigned i = 0; i < N_SHORT; i++) {
    LoopFlowConfig *tcp = case_tcp (&self->config, kinds[kind], RTT_MS);

    tcp->start_at = rc_time_from_s (10 + 60 * case_random (&self->config, 2 * i));
    tcp->tcp_bytes = (uint64_t) (0.5e6 + 1.5e6 * case_random (&self->config, 2 * i + 1));
  }
}

static void
measure_short (const Loop *loop, const LoopConfig *config, double *values)
{
  double ours = case_served_bps (loop, config, false, 10, SHORT_LENGTH_S);
  double tcp = case_served_bps (loop, config, true, 10, SHORT_LENGTH_S);
  double capacity = loop_capacity_bps (loop, 10, SHORT_LENGTH_S);

  values[0] = ours / capacity;
  values[1] = ours / (capacity - tcp);
  values[2] = loop_queue_ms (loop, -1, 10, SHORT_LENGTH_S);
  values[3] = loop_queue_ms (loop, 0.95, 10, SHORT_LENGTH_S);
}

const LoopSet loop_set_short = {
  "short", "one of ours, from 10 to 80 s; ten TCP flows of 0.5 to 2 MB begin from 10 to 70 s; "
      "ours: of capacity, left: of what TCP left",
  CASE_N (short_mbps) * CASE_N (kinds),
  { { "ours", 3, SET_MEAN }, { "left", 3, SET_MEAN | SET_LEAST }, { "mean_ms", 1, SET_MEAN },
    { "p95_ms", 1, SET_MEAN } },
  fill_short, measure_short,
};

/* --- L4S --- */

#define L4S_MBPS 100
#define L4S_RTT_MS 25
#define L4S_FROM_S 20
#define L4S_LENGTH_S 60

static const struct
{
  const char *name;
  unsigned n;                   /* flows beside ours */
  LoopFlowKind kind;
  bool codel;                   /* a single queue that marks, not DualPI2 */
  unsigned pause_ms, pause_each_ms;     /* both hosts stand still now and then */
} l4s[] = {
  { "beside 1 scalable TCP", 1, LOOP_TCP_SCALABLE },
  { "beside 2 scalable TCP", 2, LOOP_TCP_SCALABLE },
  { "beside 3 scalable TCP", 3, LOOP_TCP_SCALABLE },
  { "beside 4 scalable TCP", 4, LOOP_TCP_SCALABLE },
  { "beside 1 of ours", 1, LOOP_MEDIA }, { "beside 2 of ours", 2, LOOP_MEDIA },
  { "beside 3 of ours", 3, LOOP_MEDIA }, { "beside 4 of ours", 4, LOOP_MEDIA },
  { "beside CUBIC in the classic queue", 1, LOOP_TCP_CUBIC },
  { "alone" },
  { "alone, a single queue with CoDel that marks", .codel = true },
  { "alone, pauses 10 ms each 100 ms", .pause_ms = 10, .pause_each_ms = 100 },
  { "alone, pauses 60 ms each 400 ms", .pause_ms = 60, .pause_each_ms = 400 },
};

static void
fill_l4s (unsigned index, SetCase *self)
{
  LinkAqmParams *aqm = &self->config.links[0].aqm;
  LoopFlowConfig *ours;

  snprintf (self->name, sizeof self->name, "%s", l4s[index].name);
  case_link (&self->config, L4S_MBPS * CASE_MBPS, RC_SECOND, L4S_LENGTH_S);
  if (l4s[index].codel)
    aqm->codel = (LinkCodelParams) { .target = 5 * RC_MSEC, .interval = 100 * RC_MSEC,
      .marks = true };
  else
    aqm->dualpi2 = LINK_DUALPI2_RFC9332;
  ours = case_media (&self->config, L4S_RTT_MS);
  ours->ecn = true;
  ours->pause_length = l4s[index].pause_ms * RC_MSEC;
  ours->pause_mean = l4s[index].pause_each_ms * RC_MSEC;
  for (unsigned i = 0; i < l4s[index].n; i++) {
    LoopFlowConfig *flow = l4s[index].kind == LOOP_MEDIA ? case_media (&self->config, L4S_RTT_MS)
        : case_tcp (&self->config, l4s[index].kind, L4S_RTT_MS);

    flow->ecn = l4s[index].kind != LOOP_TCP_CUBIC;
    flow->start_at = rc_time_from_s (5 + case_random (&self->config, i));
  }
}

static void
measure_l4s (const Loop *loop, const LoopConfig *config, double *values)
{
  CaseSpan span = { L4S_FROM_S, L4S_LENGTH_S };
  double ours = loop_served_bps (loop, 0, L4S_FROM_S, L4S_LENGTH_S);

  values[0] = case_use (loop, config, &span);
  values[1] = ours / 1e6;
  values[2] = ours * config->n_flows / loop_capacity_bps (loop, L4S_FROM_S, L4S_LENGTH_S);
  values[3] = loop_flow_queue_ms (loop, 0, 0.95, L4S_FROM_S, L4S_LENGTH_S);
  values[4] = loop_drops (loop, L4S_FROM_S, L4S_LENGTH_S);
}

const LoopSet loop_set_l4s = {
  "l4s", "100 Mbit/s, RTT 25 ms, DualPI2, from 20 to 60 s; fair: of ours; p95: of our queue",
  CASE_N (l4s),
  { { "use", 3, SET_MEAN | SET_LEAST }, { "mbps", 1, 0 }, { "fair", 2, SET_LEAST | SET_MOST },
    { "p95_ms", 1, SET_MEAN | SET_MOST }, { "drops", 0, SET_MEAN } },
  fill_l4s, measure_l4s,
};
