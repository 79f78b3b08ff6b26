/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/lanes/lanes.h>

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

int
rc_lanes_add (RcLanes *self, const RcSenderConfig *config, RcTime now)
{
  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    RcLane *lane = &self->lanes[i];

    if (lane->there)
      continue;
    memset (lane, 0, sizeof *lane);
    rc_sender_init (&lane->sender, config, now);
    rc_sender_set_format (&lane->sender, &self->announced, now);
    lane->there = true;
    lane->bound_at = RC_TIME_NONE;
    for (unsigned k = 0; k < RC_LANES_MAX; k++)
      if (k != i)
        rc_sharedqueue_init (&self->shared[i < k ? pair_of (i, k) : pair_of (k, i)]);
    return (int) i;
  }
  return RC_LANE_NONE;
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
  sum->reports.lost_pkts += reports->lost_pkts;
  sum->reports.ce_pkts += reports->ce_pkts;
  sum->reports.false_arrivals += reports->false_arrivals;
  sum->reports.untracked_pkts += reports->untracked_pkts;
}

/* Its counters go on to count. */
void
rc_lanes_remove (RcLanes *self, unsigned lane)
{
  RcSenderStats stats;

  if (self->lanes[lane].there) {
    rc_sender_get_stats (&self->lanes[lane].sender, 0, &stats);
    add_counters (&self->gone, &stats);
  }
  self->lanes[lane].there = self->lanes[lane].joined = false;
}

void
rc_lanes_set_format (RcLanes *self, const RcAnnouncement *announced, RcTime now)
{
  self->announced = *announced;
  for (unsigned i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].there)
      rc_sender_set_format (&self->lanes[i].sender, announced, now);
}

bool
rc_lanes_has (const RcLanes *self, unsigned lane)
{
  return lane < RC_LANES_MAX && self->lanes[lane].there;
}

RcSender *
rc_lanes_sender (RcLanes *self, unsigned lane)
{
  return &self->lanes[lane].sender;
}

const RcLane *
rc_lanes_get (const RcLanes *self, unsigned lane)
{
  return &self->lanes[lane];
}

void
rc_lanes_set_joined (RcLanes *self, unsigned lane, bool joined)
{
  self->lanes[lane].joined = joined;
}

/* --- what holds of a lane --- */

static bool
is_open (const RcLane *lane)
{
  return lane->there && lane->joined && !rc_sender_is_stopped (&lane->sender);
}

/* By how much a report is overdue. What is on its way is at least as late as that. */
static RcTime
lateness (const RcLane *lane, RcTime now)
{
  RcTime due_at = rc_sender_answer_due_at (&lane->sender);

  return due_at == RC_TIME_NONE || due_at > now ? 0 : now - due_at;
}

static bool
has_delay (const RcLane *lane)
{
  return is_open (lane) && rc_sender_delay_remote (&lane->sender) != RC_TIME_NONE;
}

/* The lane that is known and fastest; RC_LANE_NONE: none is known. */
static int
find_fastest (const RcLanes *self, RcTime now)
{
  RcTime least = 0;
  int found = RC_LANE_NONE;

  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    const RcLane *lane = &self->lanes[i];
    RcTime delay;

    if (!has_delay (lane))
      continue;
    delay = rc_sender_delay_remote (&lane->sender) + lateness (lane, now);
    if (found == RC_LANE_NONE || delay < least) {
      found = (int) i;
      least = delay;
    }
  }
  return found;
}

/* One that has not been measured yet counts as fast: by what is sent it will be. */
static RcTime
lag_behind (const RcLanes *self, int fastest, unsigned i, RcTime now)
{
  const RcLane *lane = &self->lanes[i], *first;

  if (fastest == RC_LANE_NONE || !has_delay (lane))
    return lateness (lane, now);
  first = &self->lanes[fastest];
  return rc_sender_delay_remote (&lane->sender) + lateness (lane, now)
      - rc_sender_delay_remote (&first->sender) - lateness (first, now);
}

RcTime
rc_lanes_lag (const RcLanes *self, unsigned lane, RcTime now)
{
  return lag_behind (self, find_fastest (self, now), lane, now);
}

/* --- which lanes carry --- */

typedef struct
{
  bool carries[RC_LANES_MAX];
  RcTime lag[RC_LANES_MAX];
  int fastest;
} Carriers;

static unsigned
select_if (const RcLanes *self, Carriers *carriers, bool doubted, bool muted, bool slow)
{
  unsigned n = 0;

  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    const RcLane *lane = &self->lanes[i];

    carriers->carries[i] = is_open (lane) && (doubted || !lane->doubted) && (muted || !lane->muted)
        && (slow || carriers->lag[i] <= self->latency);
    n += carriers->carries[i];
  }
  return n;
}

/* Better a bad lane than none. */
static void
find_carriers (const RcLanes *self, RcTime now, Carriers *carriers)
{
  unsigned n;

  carriers->fastest = find_fastest (self, now);
  for (unsigned i = 0; i < RC_LANES_MAX; i++)
    carriers->lag[i] = lag_behind (self, carriers->fastest, i, now);
  n = select_if (self, carriers, false, false, false);
  if (n == 0)
    n = select_if (self, carriers, false, true, true);
  if (n == 0)
    select_if (self, carriers, true, true, true);
  if (self->mode != RC_LANES_BACKUP)
    return;
  for (unsigned i = 0, found = 0; i < RC_LANES_MAX; i++) {
    carriers->carries[i] = carriers->carries[i] && !found;
    found |= carriers->carries[i];
  }
}

/* --- binding --- */

/* A packet is copied to a lane that would have nothing to report otherwise. */
static int
find_to_probe (const RcLanes *self, const Carriers *carriers, RcTime now)
{
  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    const RcLane *lane = &self->lanes[i];
    RcTime interval = lane->doubted ? DOUBTED_INTERVAL : lane->muted ? MUTED_INTERVAL
        : IDLE_INTERVAL;

    if (is_open (lane) && (!carriers->carries[i] || !lane->doubted)
        && (lane->bound_at == RC_TIME_NONE || now - lane->bound_at >= interval))
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

  for (unsigned i = 0; i < RC_LANES_MAX; i++)
    sum_bps += views[i].usable ? views[i].rate_bps : 0;
  for (unsigned i = 0; i < RC_LANES_MAX; i++)
    if (views[i].usable && (int) i != except && self->lanes[i].bound_bytes < network_bytes
        && (double) views[i].rate_bps < FILLED_RATIO * (double) sum_bps)
      return (int) i;
  return RC_LANE_NONE;
}

static void
bind (RcLanes *self, int lane, const RcLaneWish *wish, RcTime now)
{
  if (lane == RC_LANE_NONE)
    return;
  self->lanes[lane].bound_bytes += wish->network_bytes;
  self->lanes[lane].bound_at = now;
}

RcLaneChoice
rc_lanes_bind (RcLanes *self, const RcLaneWish *wish, RcTime now)
{
  RcLaneView views[RC_LANES_MAX] = { { 0 } };
  RcLaneWish wished = *wish;
  RcLaneChoice choice;
  Carriers carriers;

  find_carriers (self, now, &carriers);
  wished.twice |= self->mode == RC_LANES_DUPLICATE;
  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    RcLane *lane = &self->lanes[i];

    if (carriers.carries[i])
      views[i] = (RcLaneView) { true, rc_sender_rate_bps (&lane->sender), lane->bound_bytes,
        carriers.lag[i], rc_sender_loss_ratio (&lane->sender) };
  }
  choice = rc_lanechoice_make (views, RC_LANES_MAX, &wished);
  bind (self, choice.first, wish, now);
  if (choice.second == RC_LANE_NONE && choice.first != RC_LANE_NONE)
    choice.second = find_to_probe (self, &carriers, now);
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
  uint64_t *bound_bytes = &self->lanes[lane].bound_bytes;

  *bound_bytes -= *bound_bytes < network_bytes ? *bound_bytes : network_bytes;
}

/* --- watching --- */

static RcTime
watch_doubt (RcLane *lane, RcTime now)
{
  RcTime due_at = rc_sender_answer_due_at (&lane->sender);
  bool doubted = lateness (lane, now) >= DOUBT_AFTER;

  lane->doubt_untaken = doubted && (lane->doubt_untaken || !lane->doubted);
  lane->doubted = doubted;
  return doubted || due_at == RC_TIME_NONE ? RC_TIME_NONE : due_at + DOUBT_AFTER;
}

/* Of two lanes in one queue the one with the higher rate carries, until the queue is not shared any
 * more. */
static void
watch_sharing (RcLanes *self, unsigned i, unsigned k, RcTime now)
{
  RcSharedQueue *shared = &self->shared[pair_of (i, k)];
  RcLane *a = &self->lanes[i], *b = &self->lanes[k];
  bool was = rc_sharedqueue_is_shared (shared);

  if (has_delay (a) && has_delay (b) && !a->doubted && !b->doubted)
    rc_sharedqueue_add (shared, rc_sender_delay_remote (&a->sender),
        rc_sender_delay_remote (&b->sender), now);
  if (rc_sharedqueue_is_shared (shared) == was)
    return;
  if (was)
    a->muted = b->muted = false;
  else if (rc_sender_rate_bps (&a->sender) < rc_sender_rate_bps (&b->sender))
    a->muted = !b->muted;
  else
    b->muted = !a->muted;
}

RcTime
rc_lanes_look (RcLanes *self, RcTime now)
{
  RcTime next_at = RC_TIME_NONE;

  for (unsigned k = 0; k < RC_LANES_MAX; k++) {
    if (!self->lanes[k].there)
      continue;
    next_at = rc_sooner (next_at, watch_doubt (&self->lanes[k], now));
    for (unsigned i = 0; i < k; i++)
      if (self->lanes[i].there)
        watch_sharing (self, i, k, now);
  }
  return next_at;
}

bool
rc_lanes_take_doubt (RcLanes *self, unsigned *lane)
{
  for (unsigned i = 0; i < RC_LANES_MAX; i++)
    if (self->lanes[i].there && self->lanes[i].doubt_untaken) {
      self->lanes[i].doubt_untaken = false;
      *lane = i;
      return true;
    }
  return false;
}

/* --- together --- */

static RcTime
longer (RcTime a, RcTime b)
{
  return a > b ? a : b;
}

/* For a lane in doubt only copies wait. */
static uint64_t
waiting_bytes (const RcLane *lane)
{
  double bytes = (double) lane->bound_bytes
      - (double) rc_sender_rate_bps (&lane->sender) / 8 * rc_time_to_s (CHOICE_TIME);

  return bytes > 0 && !lane->doubted ? (uint64_t) bytes : 0;
}


/* Each packet leaves by two lanes, and no lane carries it twice. */
static uint64_t
sum_of_pairs (uint64_t sum_bps, uint64_t most_bps)
{
  uint64_t others_bps = sum_bps - most_bps;

  return others_bps == 0 ? sum_bps : others_bps < sum_bps / 2 ? others_bps : sum_bps / 2;
}

/* Where little goes a report covers one burst, whose rate B is: no more came than was sent. */
static void
add_stats (RcCarriage *sum, RcSender *sender, RcTime now)
{
  RcSenderStats stats;

  rc_sender_get_stats (sender, now, &stats);
  add_counters (&sum->stats, &stats);
  sum->stats.sent_bps += stats.sent_bps;
  if (rc_sender_is_stopped (sender))
    return;
  sum->stats.bandwidth_bps +=
      stats.bandwidth_bps < stats.sent_bps ? stats.bandwidth_bps : stats.sent_bps;
  if (stats.format > sum->stats.format)
    sum->stats.format = stats.format;
}

/* Of those that carry the one with the highest rate, else any. */
static const RcSender *
find_lead (const RcLanes *self, const Carriers *carriers)
{
  const RcLane *lead = NULL;
  bool carries = false;

  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    const RcLane *lane = &self->lanes[i];

    if (!lane->there || (lead && carries && !carriers->carries[i]))
      continue;
    if (lead && carries == carriers->carries[i]
        && rc_sender_rate_bps (&lane->sender) <= rc_sender_rate_bps (&lead->sender))
      continue;
    lead = lane;
    carries = carriers->carries[i];
  }
  return lead ? &lead->sender : NULL;
}

void
rc_lanes_sum (RcLanes *self, RcTime now, RcCarriage *sum)
{
  uint64_t most_bps = 0;
  Carriers carriers;

  find_carriers (self, now, &carriers);
  *sum = (RcCarriage) { .srtt = RC_TIME_NONE, .queueing_delay = RC_TIME_NONE, .stopped = true,
    .reported_at = RC_TIME_NONE, .stats = self->gone, .lead = find_lead (self, &carriers) };
  sum->open_loop = sum->lead && rc_sender_law (sum->lead)->law->open_loop;
  for (unsigned i = 0; i < RC_LANES_MAX; i++) {
    RcSender *sender = &self->lanes[i].sender;
    uint64_t bps;

    if (!self->lanes[i].there)
      continue;
    add_stats (sum, sender, now);
    sum->stopped = sum->stopped && rc_sender_is_stopped (sender);
    sum->living = sum->living || rc_sender_is_living (sender);
    sum->reported_at = longer (sum->reported_at, sender->srs.heard_at);
    sum->heard = sum->heard || rc_sender_is_heard (sender);
    sum->waiting_bytes += waiting_bytes (&self->lanes[i]);
    if (!carriers.carries[i])
      continue;
    bps = rc_sender_rate_bps (sender);
    sum->rate_bps += bps;
    most_bps = bps > most_bps ? bps : most_bps;
    sum->srtt = longer (sum->srtt, rc_sender_srtt (sender));
    sum->queueing_delay = longer (sum->queueing_delay, rc_sender_queueing_delay (sender));
  }
  sum->overloaded = rc_time_of_bytes (sum->waiting_bytes, sum->rate_bps) > OVERLOAD_TIME;
  if (self->mode == RC_LANES_DUPLICATE)
    sum->rate_bps = sum_of_pairs (sum->rate_bps, most_bps);
}
