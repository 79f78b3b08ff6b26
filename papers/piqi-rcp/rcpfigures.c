/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rcpfigures.h"

#include <math.h>
#include <string.h>

#define SAMPLE (10 * RC_MSEC)
#define CSV_EVERY 5             /* samples */
#define CSV_FLOWS 12
#define PACKET 1000
#define LINUX_PACKET 1500
#define MBIT 1000000

/* Series that are sampled each 10 ms: of link 0, and of the first flows. */
enum
{ R, INPUT, QUEUE, X, SERIES = X + CSV_FLOWS };

typedef struct
{
  World *world;
  FILE *csv;
  guint n;                      /* samples */
  GArray *of[SERIES];           /* of double */
  guint64 arrived;              /* bytes, on link 0 */
} Record;

static Record *
record_new (World * world, FILE * csv)
{
  Record *self = g_new0 (Record, 1);

  self->world = world;
  self->csv = csv;
  for (guint i = 0; i < SERIES; i++)
    self->of[i] = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

static void
record_free (Record * self)
{
  for (guint i = 0; i < SERIES; i++)
    g_array_unref (self->of[i]);
  world_free (self->world);
  g_free (self);
}

/* t, input, queue and R of link 0, then the flows */
static void
write_row (Record * self, double input_bps, double queue_bytes)
{
  const WorldLink *link = self->world->links;

  fprintf (self->csv, "%.3f,%.0f,%.0f,%.0f", rc_time_to_s (self->world->now),
      input_bps, queue_bytes, link->router.rate_bps);
  for (guint i = 0; i < MIN (self->world->n_flows, CSV_FLOWS); i++)
    fprintf (self->csv, ",%.0f", world_flow_bps (self->world, i));
  fputc ('\n', self->csv);
}

static void
record_run (Record * self, RcTime until)
{
  const WorldLink *link = self->world->links;

  while (self->world->now < until) {
    double sample[SERIES] = { 0 };

    world_run (self->world, self->world->now + SAMPLE);
    sample[R] = link->router.rate_bps;
    sample[INPUT] = (double) (link->arrived_bytes - self->arrived) * 8 / rc_time_to_s (SAMPLE);
    sample[QUEUE] = (double) link->queue_bytes;
    self->arrived = link->arrived_bytes;
    for (guint i = 0; i < MIN (self->world->n_flows, CSV_FLOWS); i++)
      sample[X + i] = world_flow_bps (self->world, i);
    for (guint i = 0; i < SERIES; i++)
      g_array_append_val (self->of[i], sample[i]);
    if (self->csv && self->n % CSV_EVERY == 0)
      write_row (self, sample[INPUT], sample[QUEUE]);
    self->n++;
  }
}

/* --- over a series --- */

static double
at (const GArray * series, guint i)
{
  return g_array_index (series, double, i);
}

static guint
index_of (const GArray * series, RcTime t)
{
  return (guint) CLAMP (t / SAMPLE, 0, (RcTime) series->len);
}

static double
mean (const GArray * series, RcTime from, RcTime until)
{
  guint a = index_of (series, from), b = index_of (series, until);
  double sum = 0;

  for (guint i = a; i < b; i++)
    sum += at (series, i);
  return sum / (b - a);
}

/* Mean of `span` samples that end with i. */
static double
smooth (const GArray * series, guint i, guint span)
{
  double sum = 0;

  span = MIN (span, i + 1);
  for (guint k = 0; k < span; k++)
    sum += at (series, i - k);
  return sum / span;
}

static double
extreme (const GArray * series, RcTime from, RcTime until, guint span, gint sign)
{
  double most = -HUGE_VAL;

  for (guint i = index_of (series, from) + span - 1; i < index_of (series, until); i++)
    most = fmax (most, sign * smooth (series, i, span));
  return sign * most;
}

static double
most (const GArray * series, RcTime from, RcTime until, guint span)
{
  return extreme (series, from, until, span, 1);
}

static double
least (const GArray * series, RcTime from, RcTime until, guint span)
{
  return extreme (series, from, until, span, -1);
}

static double
swing (const GArray * series, RcTime from, RcTime until)
{
  return (most (series, from, until, 1) - least (series, from, until, 1)) / mean (series,
      from, until);
}

/* From `from` until it stays within `share` of its last value, s. */
static double
settling_s (const GArray * series, RcTime from, double share, guint span)
{
  double last = smooth (series, series->len - 1, 10 * span);
  guint i = series->len;

  while (i > index_of (series, from) && fabs (smooth (series, i - 1, span) / last - 1) <= share)
    i--;
  return rc_time_to_s (i * SAMPLE - from);
}

static double
jain (const World * world, guint n)
{
  double sum = 0, squares = 0;

  for (guint i = 0; i < n; i++) {
    double x = world_flow_bps (world, i);

    sum += x;
    squares += x * x;
  }
  return sum * sum / (n * squares);
}

/* --- set-up --- */

static RcRouterParams
router_params (const FigureLaw * law)
{
  RcRouterParams params = RC_ROUTER_PARAMS_DEFAULT;

  params.law = law->integral ? RC_ROUTER_QI_RCP : law->law;
  params.gamma_ratio = law->law == RC_ROUTER_RCP ? 1 : FIGURES_GAMMA;
  params.alpha_gain = law->alpha > 0 ? law->alpha : 0.4;
  params.exact_bound = law->eta > 0;
  params.kappa_ratio = law->eta > 0 ? law->eta : 0.95;
  params.min_bps = 50000;
  params.max_rtt = 100 * RC_SECOND;     /* nobody lies here, and an unstable queue is long */
  params.rtt_memory = 100 * RC_MSEC;
  return params;
}

static WorldFlowConfig
flow_config (const FigureLaw * law, RcTime rtt, RcTime start, RcTime stop)
{
  static const char *const names[] = { "rcp", "qi-rcp", "piqi-rcp" };
  WorldFlowConfig config = {.law = law->xcp ? NULL : names[law->law],.start = start,.stop = stop,
      .n_hops = 1,.obeys = -1 };

  if (law->law == RC_ROUTER_PIQI_RCP) {
    config.tau1 = law->tau1 > 0 ? law->tau1 : FIGURES_NS2_TAU1;
    config.tau2 = law->tau1 > 0 ? law->tau2 : FIGURES_NS2_TAU2;
  }
  config.return_delay = rtt;
  config.claims_once = law->flows_mean;
  return config;
}

static void
add_link (World * world, const FigureLaw * law, guint64 bps, RcTime delay)
{
  RcRouterParams params = router_params (law);
  guint link = law->xcp ? world_add_xcp_link (world, bps, delay, law->flows_mean)
      : world_add_link (world, bps, delay, &params);

  world->links[link].device_bytes = law->device_pkts * world->packet_bytes;
}

static Record *
dumbbell (const FigureLaw * law, guint64 bps, guint packet_bytes, FILE * csv)
{
  World *world = world_new (packet_bytes);

  add_link (world, law, bps, 0);
  return record_new (world, csv);
}

/* That the router sees. */
static double
peak_pkts (const World * world)
{
  const WorldLink *link = world->links;

  return (double) (link->peak_bytes - MIN (link->peak_bytes, link->device_bytes))
      / world->packet_bytes;
}

/* --- stability --- */

static Stability
stability_of (const Record * record, RcTime begin, RcTime end)
{
  RcTime span = (end - begin) / 10;
  double last = mean (record->of[R], end - span, end);
  double first = mean (record->of[R], begin, begin + span);

  return (Stability) {
    swing (record->of[R], end - span, end),
    swing (record->of[R], end - span, end) * last
      / (swing (record->of[R], begin, begin + span) * first)
  };
}

Stability
figure_stability (const FigureLaw * law, const RcTime * rtts, guint n, FILE * csv)
{
  Record *record = dumbbell (law, 100 * MBIT, PACKET, csv);
  Stability result;

  for (guint i = 0; i < n; i++) {
    WorldFlowConfig config = flow_config (law, rtts[i], 0, WORLD_NEVER);

    world_add_flow (record->world, &config);
  }
  record_run (record, 120 * RC_SECOND);
  result = stability_of (record, 10 * RC_SECOND, 120 * RC_SECOND);
  record_free (record);
  return result;
}

/* At other capacities packets are larger in proportion, so that the events are as many; a shorter
 * end, for what is asked there. */
Joins
figure_joins (const FigureLaw * law, RcTime first_rtt, RcTime rtt, guint64 capacity_bps,
    FILE * csv)
{
  guint packet = capacity_bps > 0 ? (guint) (PACKET * (capacity_bps / (100 * MBIT))) : PACKET;
  RcTime end = capacity_bps > 0 ? 140 * RC_SECOND : 220 * RC_SECOND;
  Record *record = dumbbell (law, capacity_bps > 0 ? capacity_bps : 100 * MBIT, packet, csv);
  Joins result;

  for (guint i = 0; i < 10; i++) {
    WorldFlowConfig config = flow_config (law, i == 0 ? first_rtt : rtt, i * 10 * RC_SECOND,
        WORLD_NEVER);

    world_add_flow (record->world, &config);
  }
  record_run (record, 20 * RC_SECOND);
  result.peak_pkts = peak_pkts (record->world);
  record->world->links[0].peak_bytes = 0;
  record_run (record, 100 * RC_SECOND);
  result.later_peak_pkts = peak_pkts (record->world);
  result.peak_pkts = fmax (result.peak_pkts, result.later_peak_pkts);
  record_run (record, end);
  result.stability = stability_of (record, 100 * RC_SECOND, end);
  result.jain_ratio = jain (record->world, 10);
  record_free (record);
  return result;
}

/* --- T1 --- */

static Record *
t1_new (const FigureLaw * law, T1Kind kind, FILE * csv)
{
  World *world = world_new (PACKET);
  RcTime long_rtt = kind == T1_ALIKE ? 200 * RC_MSEC : 710 * RC_MSEC;
  RcTime short_rtt = kind == T1_ALIKE ? 200 * RC_MSEC : 20 * RC_MSEC;
  WorldFlowConfig x1 = flow_config (law, long_rtt - 5 * RC_MSEC, 0, WORLD_NEVER);
  WorldFlowConfig others =
      flow_config (law, short_rtt - 10 * RC_MSEC, 30 * RC_SECOND, WORLD_NEVER);

  add_link (world, law, 155 * MBIT, 5 * RC_MSEC);
  add_link (world, law, T1_L3_BPS, 5 * RC_MSEC);
  x1.obeys = kind == T1_FIXED ? 0 : -1;
  world_add_flow (world, &x1);
  others.n_hops = 2;
  others.hops[1] = 1;
  others.obeys = kind == T1_FIXED ? 1 : -1;
  for (guint i = 1; i < 10; i++)
    world_add_flow (world, &others);
  return record_new (world, csv);
}

TopologyT1
figure_t1 (const FigureLaw * law, T1Kind kind, FILE * csv)
{
  Record *record = t1_new (law, kind, csv);
  RcTime end = 150 * RC_SECOND, late = 120 * RC_SECOND;
  TopologyT1 result;

  record_run (record, end);
  result.mean_rtt_s = law->xcp ? record->world->links[0].xcp.interval_s
      : record->world->links[0].router.mean_rtt_s;
  result.x1_before_bps = mean (record->of[X], 25 * RC_SECOND, 30 * RC_SECOND);
  result.x1_bps = mean (record->of[X], late, end);
  result.x2_bps = mean (record->of[X + 1], late, end);
  result.x1_swing_ratio = swing (record->of[X], late, end);
  result.x1_settling_s = settling_s (record->of[X], 30 * RC_SECOND, 0.05, 1);
  result.x1_early_swing_ratio = swing (record->of[X], 31 * RC_SECOND, 50 * RC_SECOND);
  record_free (record);
  return result;
}

/* --- joins at once --- */

CrowdSetup
figure_13_setup (guint n)
{
  return (CrowdSetup) { 100 * MBIT, 100 * RC_MSEC, 15 * RC_SECOND, WORLD_NEVER, 60 * RC_SECOND, n,
      0 };
}

CrowdSetup
figure_18_setup (void)
{
  return (CrowdSetup) { 100 * MBIT, 50 * RC_MSEC, 30 * RC_SECOND, 113 * RC_SECOND, 120 * RC_SECOND,
      10, 0 };
}

static double
drain_s (const Record * record, RcTime from)
{
  guint i = index_of (record->of[QUEUE], from), peak = i;

  for (; i < record->of[QUEUE]->len; i++)
    if (at (record->of[QUEUE], i) > at (record->of[QUEUE], peak))
      peak = i;
  for (i = peak; i < record->of[QUEUE]->len && at (record->of[QUEUE], i) >= 10 * PACKET; i++);
  return rc_time_to_s ((i + 1) * SAMPLE - from);
}

/* Runs to the join and 10 s on. */
static double
lost_after_join (Record * record, const CrowdSetup * setup)
{
  WorldLink *link = record->world->links;
  guint64 arrived, dropped;

  record_run (record, setup->join);
  link->peak_bytes = 0;
  arrived = link->arrived_bytes;
  dropped = link->dropped_bytes;
  record_run (record, setup->join + 10 * RC_SECOND);
  return (double) (link->dropped_bytes - dropped) / (double) (link->arrived_bytes - arrived);
}

Crowd
figure_crowd (const FigureLaw * law, const CrowdSetup * setup, FILE * csv)
{
  Record *record = dumbbell (law, setup->capacity_bps, PACKET, csv);
  RcTime steady = MIN (setup->leave, setup->end);
  WorldLink *link = record->world->links;
  WorldFlowConfig config = flow_config (law, setup->rtt, 0, WORLD_NEVER);
  Crowd result;

  world_add_flow (record->world, &config);
  for (guint i = 0; i < setup->n; i++) {
    config.start = setup->join;
    config.stop = setup->leave;
    world_add_flow (record->world, &config);
  }
  link->limit_bytes = (guint64) (setup->queue_bdp * rc_time_to_s (setup->rtt)
      * (double) setup->capacity_bps / 8);
  result.lost_ratio = lost_after_join (record, setup);
  record_run (record, steady);
  result.peak_input_bps = most (record->of[INPUT], setup->join, steady, 1);
  result.least_input_bps = least (record->of[INPUT], setup->join, steady, 10);
  result.peak_pkts = peak_pkts (record->world);
  result.drain_s = drain_s (record, setup->join);
  result.settle_s = settling_s (record->of[INPUT], setup->join, 0.1, 10);
  record_run (record, setup->end);
  record_free (record);
  return result;
}

/* --- parking lot --- */

static Record *
parking_lot_new (const FigureLaw * law, FILE * csv)
{
  World *world = world_new (10 * PACKET);
  WorldFlowConfig config = flow_config (law, 100 * RC_MSEC, 0, WORLD_NEVER);

  add_link (world, law, 970 * MBIT, 50 * RC_MSEC);
  add_link (world, law, 800 * MBIT, 50 * RC_MSEC);
  config.n_hops = 2;
  config.hops[1] = 1;
  world_add_flow (world, &config);
  config.n_hops = 1;
  config.return_delay = 50 * RC_MSEC;
  config.start = 15 * RC_SECOND;
  world_add_flow (world, &config);
  config.hops[0] = 1;
  config.start = 30 * RC_SECOND;
  world_add_flow (world, &config);
  return record_new (world, csv);
}

/* Of the first n flows, until each stays within 5 % of what it has at the end, s. */
static double
all_settled_s (const Record * record, guint n, const double *last_bps, RcTime from, RcTime until)
{
  guint i = index_of (record->of[X], until);

  for (; i > index_of (record->of[X], from); i--)
    for (guint k = 0; k < n; k++)
      if (fabs (at (record->of[X + k], i - 1) / last_bps[k] - 1) > 0.05)
        return rc_time_to_s (i * SAMPLE - from);
  return 0;
}

ParkingLot
figure_parking_lot (const FigureLaw * law, FILE * csv)
{
  Record *record = parking_lot_new (law, csv);
  ParkingLot result;

  record_run (record, 60 * RC_SECOND);
  for (guint i = 0; i < 3; i++) {
    RcTime start = i * 15 * RC_SECOND, end = start + (i < 2 ? 15 : 30) * RC_SECOND;

    for (guint k = 0; k < 3; k++)
      result.x_bps[i][k] = mean (record->of[X + k], end - 2 * RC_SECOND, end);
    result.settle_s[i] = all_settled_s (record, i + 1, result.x_bps[i], start, end);
  }
  result.most_input_ratio =
    most (record->of[INPUT], 15 * RC_SECOND, 30 * RC_SECOND, 10) / (970 * MBIT);
  if (law->xcp)
    record_run (record, 260 * RC_SECOND);
  for (guint k = 0; k < 3; k++)
    result.late_bps[k] = mean (record->of[X + k], record->world->now - 10 * RC_SECOND,
        record->world->now);
  record_free (record);
  return result;
}

/* --- as the paper's Linux experiments --- */

ThreeFlows
figure_three_flows (const FigureLaw * law, RcTime spacing, FILE * csv)
{
  Record *record = dumbbell (law, 1000 * MBIT, LINUX_PACKET, csv);
  ThreeFlows result;

  for (guint i = 0; i < 3; i++) {
    WorldFlowConfig config = flow_config (law, 50 * RC_MSEC, i * spacing, (i + 3) * spacing);

    world_add_flow (record->world, &config);
  }
  record_run (record, 3 * spacing - 100 * RC_MSEC);
  result.jain_ratio = jain (record->world, 3);
  result.utilisation_ratio = mean (record->of[INPUT], 3 * spacing - 3 * RC_SECOND,
      3 * spacing) / (1000 * MBIT);
  record_run (record, 5 * spacing);
  result.peak_pkts = peak_pkts (record->world);
  record_free (record);
  return result;
}

/* Poisson arrivals, Pareto lengths. */
static void
add_mice (World * world, const FigureLaw * law, RcTime from, RcTime end, Mice * mice)
{
  GRand *rand = g_rand_new_with_seed (19);
  RcTime at_time = from;

  for (;;) {
    WorldFlowConfig config;
    double pkts;

    at_time += rc_time_from_s (-0.2 * log (1 - g_rand_double (rand)));
    if (at_time >= end || world->n_flows == WORLD_MAX_FLOWS)
      break;
    pkts = 100 * 0.4 / 1.4 * pow (1 - g_rand_double (rand), -1 / 1.4);  /* mean 100, shape 1.4 */
    config = flow_config (law, 50 * RC_MSEC, at_time, WORLD_NEVER);
    config.most_bytes = (guint64) (ceil (pkts) * LINUX_PACKET);
    world_add_flow (world, &config);
    mice->mice++;
  }
  g_rand_free (rand);
}

Mice
figure_mice (const FigureLaw * law, RcTime end, FILE * csv)
{
  Record *record = dumbbell (law, 1000 * MBIT, LINUX_PACKET, csv);
  WorldFlowConfig config = flow_config (law, 50 * RC_MSEC, 0, WORLD_NEVER);
  RcTime from = 30 * RC_SECOND;
  Mice result = { 0 };

  world_add_flow (record->world, &config);
  add_mice (record->world, law, from, end, &result);
  record_run (record, from);
  record->world->links[0].peak_bytes = 0;
  record_run (record, end);
  result.utilisation_ratio = mean (record->of[INPUT], from, end) / (1000 * MBIT);
  result.most_ratio = most (record->of[INPUT], from, end, 2) / (1000 * MBIT);
  result.least_ratio = least (record->of[INPUT], from, end, 2) / (1000 * MBIT);
  result.peak_pkts = peak_pkts (record->world);
  record_free (record);
  return result;
}
