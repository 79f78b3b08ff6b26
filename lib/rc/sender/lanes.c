/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/lanes.h>

#include <rc/sender/laneparts.h>
#include <string.h>

/* Beyond the time in which a report is due: noise of the network and of hosts. A doubt without a
 * reason costs some copies. */
#define DOUBT_AFTER (30 * RC_MSEC)
/* Between copies on a lane by which nothing else goes. */
#define DOUBTED_INTERVAL (100 * RC_MSEC)
#define MUTED_INTERVAL (200 * RC_MSEC)  /* as many as the correlation needs */
#define IDLE_INTERVAL RC_SECOND
/* Of the sum. At less, a packet's own time on the lane is so long that hardly any goes there. */
#define FILLED_RATIO 0.2
/* What waits for a lane beyond this is no choice between lanes any more, but a queue. */
#define CHOICE_TIME (30 * RC_MSEC)
/* Of the sum. More is because a lane fell away or fell behind: it goes first, as after a fall of
 * the capacity. */
#define OVERLOAD_TIME (30 * RC_MSEC)

void
rc_lanes_init (RcLanes *self, RcLanesMode mode, RcTime latency)
{
  memset (self, 0, sizeof *self);
  self->mode = mode;
  self->latency = latency;
}

/* Of i < k. */
static unsigned
pair_of (unsigned i, unsigned k)
{
  return k * (k - 1) / 2 + i;
}

void
rc_lanes_add (RcLanes *self, unsigned place, RcLane *lane)
{
  bool alone = self->mode == RC_LANES_ONE;

  self->places[place] = (RcLanePlace) { .lane = lane, .bound_at = RC_TIME_NONE, .joined = alone,
    .carries = alone };
  for (unsigned k = 0; k < RC_LANES_MAX; k++)
    if (k != place)
      rc_sharedqueue_init (&self->shared[place < k ? pair_of (place, k) : pair_of (k, place)]);
  if (place >= self->n_places)
    self->n_places = place + 1;
  if (!self->lead)
    self->lead = lane;
}

static void
add_counters (RcSenderStats *sum, const RcSenderStats *stats)
{
  const RcLedgersStats *reports = &stats->reports;

  sum->packets += stats->packets;
  sum->bytes += stats->bytes;
  sum->receiver_reports += stats->receiver_reports;
  sum->ignored += stats->ignored;
  sum->reports.accepted += reports->accepted;
  sum->reports.old += reports->old;
  sum->reports.never_sent += reports->never_sent;
  sum->reports.impossible += reports->impossible;
  sum->reports.too_many_restarts += reports->too_many_restarts;
  sum->reports.foreign += reports->foreign;
  sum->reports.received_pkts += reports->received_pkts;
  sum->reports.lost_pkts += reports->lost_pkts;
  sum->reports.ce_pkts += reports->ce_pkts;
  sum->reports.false_arrivals += reports->false_arrivals;
  sum->reports.untracked_pkts += reports->untracked_pkts;
}

/* Of those that carry the one with the highest rate, else any. */
static RcLane *
find_lead (const RcLanes *self)
{
  const RcLanePlace *lead = NULL;

  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];

    if (!place->lane || (lead && lead->carries > place->carries))
      continue;
    if (!lead || lead->carries < place->carries
        || place->lane->gate.rate_bps > lead->lane->gate.rate_bps)
      lead = place;
  }
  return lead ? lead->lane : NULL;
}

/* Its counters go on to count. */
void
rc_lanes_remove (RcLanes *self, unsigned lane)
{
  RcSenderStats stats;

  rc_lane_get_stats (self->places[lane].lane, 0, &stats);
  add_counters (&self->gone, &stats);
  self->places[lane] = (RcLanePlace) { .lane = NULL };
  self->lead = find_lead (self);
}

unsigned
rc_lanes_count (const RcLanes *self)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->n_places; i++)
    n += self->places[i].lane != NULL;
  return n;
}

const RcLanePlace *
rc_lanes_get (const RcLanes *self, unsigned lane)
{
  return &self->places[lane];
}

void
rc_lanes_set_joined (RcLanes *self, unsigned lane, bool joined)
{
  self->places[lane].joined = joined;
}

/* --- what holds of a lane --- */

/* Of one lane now. */
typedef struct
{
  bool open;                    /* media may go by it */
  bool known;                   /* it is open, and its delay is known */
  RcTime due_at;                /* of a report; RC_TIME_NONE: nothing is on its way */
  RcTime late;                  /* a report is overdue by that: so is what is on its way */
  RcTime delay;                 /* of what is on its way, as the receiver's clock goes; if known */
} Holds;

/* Of all. Each question below is answered by these. */
typedef struct
{
  Holds of[RC_LANES_MAX];
  int fastest;                  /* of those that are known; RC_LANE_NONE: none is */
} HoldsNow;

static Holds
what_holds (const RcLanePlace *place, RcTime now)
{
  const RcLane *lane = place->lane;
  Holds holds = {.open = place->joined && !lane->gate.stopped,
    .due_at = rc_lane_answer_due_at (lane) };

  holds.known = holds.open && lane->delay_remote != RC_TIME_NONE;
  if (holds.due_at != RC_TIME_NONE && holds.due_at <= now)
    holds.late = now - holds.due_at;
  if (holds.known)
    holds.delay = lane->delay_remote + holds.late;
  return holds;
}

static void
look_at_all (const RcLanes *self, RcTime now, HoldsNow *holds)
{
  holds->fastest = RC_LANE_NONE;
  for (unsigned i = 0; i < self->n_places; i++) {
    Holds *of = &holds->of[i];

    *of = self->places[i].lane ? what_holds (&self->places[i], now) : (Holds) { false };
    if (of->known && (holds->fastest == RC_LANE_NONE
            || of->delay < holds->of[holds->fastest].delay))
      holds->fastest = (int) i;
  }
}

/* One that has not been measured yet counts as fast: by what is sent it will be. */
static RcTime
lag_behind (const HoldsNow *holds, unsigned i)
{
  const Holds *of = &holds->of[i];

  return of->known ? of->delay - holds->of[holds->fastest].delay : of->late;
}

RcTime
rc_lanes_lag (const RcLanes *self, unsigned lane, RcTime now)
{
  HoldsNow holds;

  look_at_all (self, now, &holds);
  return lag_behind (&holds, lane);
}

/* --- which lanes carry --- */

/* Bit i: lane i carries. Better a bad lane than none: of the open ones those that are least bad. */
static unsigned
find_carriers (const RcLanes *self, const HoldsNow *holds)
{
  unsigned carriers = 0, least = 2;

  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];
    unsigned badness;

    if (!holds->of[i].open)
      continue;
    badness = place->doubted ? 2 : place->muted || lag_behind (holds, i) > self->latency;
    if (badness < least)
      carriers = 0;
    if (badness <= least) {
      least = badness;
      carriers |= 1U << i;
    }
  }
  return self->mode == RC_LANES_BACKUP ? carriers & -carriers : carriers;       /* the first */
}

/* --- binding --- */

/* A packet is copied to a lane that would have nothing to report otherwise. */
static int
find_to_probe (const RcLanes *self, const HoldsNow *holds, unsigned carriers, RcTime now)
{
  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];
    RcTime interval = place->doubted ? DOUBTED_INTERVAL : place->muted ? MUTED_INTERVAL
        : IDLE_INTERVAL;

    if (holds->of[i].open && (!(carriers >> i & 1) || !place->doubted)
        && (place->bound_at == RC_TIME_NONE || now - place->bound_at >= interval))
      return (int) i;
  }
  return RC_LANE_NONE;
}

/* A slow lane gets copies up to its rate: with nothing to carry its law would not find out that the
 * path could do more. */
static int
find_to_fill (const RcLanes *self, const RcLaneView *views, uint32_t network_bytes, int except)
{
  uint64_t sum_bps = 0;

  for (unsigned i = 0; i < self->n_places; i++)
    sum_bps += views[i].usable ? views[i].rate_bps : 0;
  for (unsigned i = 0; i < self->n_places; i++)
    if (views[i].usable && (int) i != except && self->places[i].bound_bytes < network_bytes
        && (double) views[i].rate_bps < FILLED_RATIO * (double) sum_bps)
      return (int) i;
  return RC_LANE_NONE;
}

/* While all have stopped before the receiver was heard, media probes. */
static int
find_unheard (const RcLanes *self)
{
  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];

    if (place->lane && place->joined && !rc_lane_is_heard (place->lane))
      return (int) i;
  }
  return RC_LANE_NONE;
}

static void
bind (RcLanes *self, int lane, const RcLaneWish *wish, RcTime now)
{
  if (lane == RC_LANE_NONE)
    return;
  self->places[lane].bound_bytes += wish->network_bytes;
  self->places[lane].bound_at = now;
}

RcLaneChoice
rc_lanes_bind (RcLanes *self, const RcLaneWish *wish, RcTime now)
{
  RcLaneView views[RC_LANES_MAX];
  RcLaneWish wished = *wish;
  RcLaneChoice choice;
  HoldsNow holds;
  unsigned carriers;

  look_at_all (self, now, &holds);
  carriers = find_carriers (self, &holds);
  wished.twice |= self->mode == RC_LANES_DUPLICATE;
  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];

    views[i] = (RcLaneView) { false };
    if (carriers >> i & 1)
      views[i] = (RcLaneView) { true, place->lane->gate.rate_bps, place->bound_bytes,
        lag_behind (&holds, i), rc_lane_loss_ratio (place->lane) };
  }
  choice = rc_lanechoice_make (views, self->n_places, &wished);
  if (choice.first == RC_LANE_NONE)
    choice.first = find_unheard (self);
  bind (self, choice.first, wish, now);
  if (choice.second == RC_LANE_NONE && choice.first != RC_LANE_NONE)
    choice.second = find_to_probe (self, &holds, carriers, now);
  if (choice.second == RC_LANE_NONE && choice.first != RC_LANE_NONE)
    choice.second = find_to_fill (self, views, wish->network_bytes, choice.first);
  if (choice.second == choice.first)
    choice.second = RC_LANE_NONE;
  bind (self, choice.second, wish, now);
  return choice;
}

void
rc_lanes_on_left (RcLanes *self, unsigned lane, uint32_t network_bytes)
{
  uint64_t *bound_bytes = &self->places[lane].bound_bytes;

  *bound_bytes -= *bound_bytes < network_bytes ? *bound_bytes : network_bytes;
}

/* --- watching --- */

static RcTime
watch_doubt (RcLanePlace *place, const Holds *of)
{
  bool doubted = of->late >= DOUBT_AFTER;

  place->doubt_untaken = doubted && (place->doubt_untaken || !place->doubted);
  place->doubted = doubted;
  return doubted || of->due_at == RC_TIME_NONE ? RC_TIME_NONE : of->due_at + DOUBT_AFTER;
}

/* Of two lanes in one queue the one with the higher rate carries, until the queue is not shared any
 * more. */
static void
watch_sharing (RcLanes *self, const HoldsNow *holds, unsigned i, unsigned k, RcTime now)
{
  RcSharedQueue *shared = &self->shared[pair_of (i, k)];
  RcLanePlace *a = &self->places[i], *b = &self->places[k];
  bool was = rc_sharedqueue_is_shared (shared);

  if (holds->of[i].known && holds->of[k].known && !a->doubted && !b->doubted)
    rc_sharedqueue_add (shared, a->lane->delay_remote, b->lane->delay_remote, now);
  if (rc_sharedqueue_is_shared (shared) == was)
    return;
  if (was)
    a->muted = b->muted = false;
  else if (a->lane->gate.rate_bps < b->lane->gate.rate_bps)
    a->muted = !b->muted;
  else
    b->muted = !a->muted;
}

RcTime
rc_lanes_look (RcLanes *self, RcTime now)
{
  RcTime next_at = RC_TIME_NONE;
  HoldsNow holds;
  unsigned carriers;

  look_at_all (self, now, &holds);
  for (unsigned k = 0; k < self->n_places; k++) {
    if (!self->places[k].lane)
      continue;
    next_at = rc_sooner (next_at, watch_doubt (&self->places[k], &holds.of[k]));
    for (unsigned i = 0; i < k; i++)
      if (self->places[i].lane)
        watch_sharing (self, &holds, i, k, now);
  }
  carriers = find_carriers (self, &holds);
  for (unsigned i = 0; i < self->n_places; i++)
    self->places[i].carries = carriers >> i & 1;
  self->lead = find_lead (self);
  return next_at;
}

bool
rc_lanes_take_doubt (RcLanes *self, unsigned *lane)
{
  for (unsigned i = 0; i < self->n_places; i++)
    if (self->places[i].lane && self->places[i].doubt_untaken) {
      self->places[i].doubt_untaken = false;
      *lane = i;
      return true;
    }
  return false;
}

/* --- together --- */

/* For a lane in doubt only copies wait. */
static uint64_t
waiting_bytes (const RcLanePlace *place)
{
  double bytes = (double) place->bound_bytes
      - (double) place->lane->gate.rate_bps / 8 * rc_time_to_s (CHOICE_TIME);

  return bytes > 0 && !place->doubted ? (uint64_t) bytes : 0;
}

/* Each packet leaves by two lanes, and no lane carries it twice. */
static uint64_t
sum_of_pairs (uint64_t sum_bps, uint64_t most_bps)
{
  uint64_t others_bps = sum_bps - most_bps;

  return others_bps == 0 ? sum_bps : others_bps < sum_bps / 2 ? others_bps : sum_bps / 2;
}

void
rc_lanes_sum (const RcLanes *self, RcLanesSum *sum)
{
  uint64_t most_bps = 0;

  *sum = (RcLanesSum) { .stopped = true };
  for (unsigned i = 0; i < self->n_places; i++) {
    const RcLanePlace *place = &self->places[i];
    uint64_t bps;

    if (!place->lane)
      continue;
    sum->stopped = sum->stopped && place->lane->gate.stopped;
    sum->waiting_bytes += waiting_bytes (place);
    if (!place->carries)
      continue;
    bps = place->lane->gate.rate_bps;
    sum->rate_bps += bps;
    most_bps = bps > most_bps ? bps : most_bps;
  }
  sum->overloaded = sum->rate_bps > 0
      && rc_time_of_bytes (sum->waiting_bytes, sum->rate_bps) > OVERLOAD_TIME;
  if (self->mode == RC_LANES_DUPLICATE)
    sum->rate_bps = sum_of_pairs (sum->rate_bps, most_bps);
}

/* Where little goes a report covers one burst, whose rate B is: no more came than was sent. */
static void
add_stats (RcSenderStats *sum, RcLane *lane, RcTime now)
{
  RcSenderStats stats;

  rc_lane_get_stats (lane, now, &stats);
  add_counters (sum, &stats);
  sum->sent_bps += stats.sent_bps;
  if (lane->gate.stopped)
    return;
  sum->bandwidth_bps +=
      stats.bandwidth_bps < stats.sent_bps ? stats.bandwidth_bps : stats.sent_bps;
  if (stats.format > sum->format)
    sum->format = stats.format;
}

void
rc_lanes_get_stats (const RcLanes *self, RcTime now, RcSenderStats *stats)
{
  *stats = self->gone;
  if (self->mode == RC_LANES_ONE)
    rc_lane_get_stats (self->lead, now, stats);
  else
    for (unsigned i = 0; i < self->n_places; i++)
      if (self->places[i].lane)
        add_stats (stats, self->places[i].lane, now);
}
