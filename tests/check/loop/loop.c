/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "measures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define LEDGER_ENTRIES 16384
#define FRAME_INTERVAL (RC_SECOND / 30)
#define ENCODER_LAG (100 * RC_MSEC)
#define PROBE_INTERVAL RC_SECOND

/* A media packet or a report on its way. */
typedef struct Parcel
{
  LinkPacket link;              /* first: cast */
  unsigned flow, route;         /* links still to cross */
  bool is_report;
  uint16_t seq;
  RcReport report;
  uint32_t instance;
  RcTime sent_at, waited;       /* in the queues of the links */
  RcTime due_at;                /* at the far end */
  RcTime rest;                  /* from the last link to there */
  struct Parcel *next;
} Parcel;

typedef struct
{
  Parcel *head, **tail;
} ParcelQueue;

typedef struct
{
  const LoopFlowConfig *config;
  RcController law;
  RcDecision decision;
  RcRmc rmc;
  RcLedger ledger;
  RcEcn ecn;
  RcLedgerEntry *entries;
  RcReceiver receiver;
  RcLimits limits;
  uint16_t seq;
  uint32_t instance;
  bool started, deaf;
  double backlog_bytes;         /* encoded and not sent */
  double encoder_bps;
  RcTime frame_at, encoder_at, probe_at, info_at;
  RcTime told_srtt;
  ParcelQueue air, back;        /* past the last link: media, reports */
} Flow;

typedef struct
{
  const LoopConfig *config;
  Link link[LOOP_MAX_LINKS];
  Flow flow[LOOP_MAX_FLOWS];
  unsigned step;
  Loop *loop;
  uint64_t random;
} Run;

static double
uniform (Run *self)
{
  self->random = self->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double) (self->random >> 11) / 9007199254740992.0;
}

static void
decided (Run *self, Flow *flow, RcDecision decision, RcTime now)
{
  flow->decision = decision;
  rc_rmc_set_rate (&flow->rmc, decision.rate_bps, now);
  measures_note_rate (self->loop, (unsigned) (flow - self->flow), decision.rate_bps, now);
}

static void
tell_receiver (Flow *flow, RcTime now)
{
  RcSenderInfo info = { flow->ledger.ssrc, 0, (uint32_t) (flow->decision.report_interval / RC_USEC) };

  if (flow->decision.srtt != RC_TIME_NONE)
    info.srtt_us = (uint32_t) (flow->decision.srtt / RC_USEC) + 1;
  if (!flow->deaf)
    rc_receiver_on_info (&flow->receiver, &info, now);
  flow->told_srtt = flow->decision.srtt;
  flow->info_at = now + RC_SECOND;
}

static void
start_receiver (Flow *flow, unsigned id)
{
  rc_receiver_init (&flow->receiver, 1000 + id, RC_BWFILTER_TAU);
  flow->instance++;
}

static void
start_flow (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  const LoopFlowConfig *config = flow->config;
  RcRmcParams rmc = RC_RMC_PARAMS_DEFAULT;

  rc_controller_init (&flow->law, rc_law_find (config->law ? config->law : "arc"), config->profile);
  for (unsigned i = 0; i < 6 && config->param[i]; i++) {
    bool known = rc_controller_set_param (&flow->law, config->param[i], config->value[i]);
    assert (known);
    (void) known;
  }
  flow->entries = calloc (LEDGER_ENTRIES, sizeof *flow->entries);
  rc_ledger_init (&flow->ledger, 1000 + id, RC_OVERHEAD_IPV4_BYTES, flow->entries, LEDGER_ENTRIES);
  rc_ecn_init (&flow->ecn);
  flow->instance = 50 + 100 * id;
  start_receiver (flow, id);
  rc_rmc_init (&flow->rmc, &rmc, config->limits.start_bps, now);
  decided (self, flow, rc_controller_start (&flow->law, &config->limits, now), now);
  flow->encoder_bps = (double) config->limits.start_bps;
  flow->frame_at = flow->encoder_at = flow->info_at = now;
  flow->started = true;
}

/* --- the source --- */

static void
make_frame (Run *self, Flow *flow, RcTime now)
{
  const LoopSource *source = &flow->config->source;
  double target = (double) flow->decision.rate_bps - flow->backlog_bytes * 8 / 0.5;
  double noise = -log (1 - 0.999 * uniform (self)) * (uniform (self) < 0.5 ? -0.1 : 0.1);
  bool mute = source->mute_to > 0 && now >= source->mute_from && now < source->mute_to;

  if (target < 0.25 * (double) flow->decision.rate_bps)
    target = 0.25 * (double) flow->decision.rate_bps;
  flow->encoder_bps += (target - flow->encoder_bps) * rc_time_to_s (FRAME_INTERVAL) / rc_time_to_s (ENCODER_LAG);
  target = flow->encoder_bps;
  if (source->most_bps && target > (double) source->most_bps)
    target = (double) source->most_bps;
  if (target < (double) source->least_bps)
    target = (double) source->least_bps;
  if (mute)
    target = (double) source->mute_bps;
  if (!flow->decision.stopped)
    flow->backlog_bytes += target / 8 / 30 * rc_clampd (1 + noise, 0.4, 1.6);
  flow->frame_at += FRAME_INTERVAL;
}

static uint32_t
next_packet_bytes (const Flow *flow)
{
  double wire = LOOP_RTP_BYTES + RC_OVERHEAD_IPV4_BYTES;

  if (flow->config->source.kind == LOOP_GREEDY)
    return (uint32_t) wire;
  if (flow->backlog_bytes < 1)
    return 0;
  return (uint32_t) (flow->backlog_bytes < wire ? (flow->backlog_bytes > 60 ? flow->backlog_bytes : 60) : wire);
}

/* --- the way there and back --- */

static void
push (ParcelQueue *queue, Parcel *parcel)
{
  parcel->next = NULL;
  if (!queue->head)
    queue->tail = &queue->head;
  *queue->tail = parcel;
  queue->tail = &parcel->next;
}

/* The next parcel that has come by `now`, or NULL. */
static Parcel *
pop_due (ParcelQueue *queue, RcTime now)
{
  Parcel *parcel = queue->head;

  if (!parcel || parcel->due_at > now)
    return NULL;
  queue->head = parcel->next;
  return parcel;
}

static void
free_all (ParcelQueue *queue)
{
  Parcel *parcel;

  while ((parcel = pop_due (queue, INT64_MAX)))
    free (parcel);
}

static void
leave_links (Run *self, Parcel *parcel, RcTime now)
{
  Flow *flow = &self->flow[parcel->flow];

  if (!parcel->is_report)
    measures_note_served (self->loop, parcel->flow, parcel->link.size_bytes, parcel->sent_at, parcel->waited, now);
  parcel->due_at = now + parcel->rest;
  push (parcel->is_report ? &flow->back : &flow->air, parcel);
}

/* To its next link or past the last. */
static void
forward (Run *self, Parcel *parcel, RcTime now)
{
  unsigned i = 0;

  if (parcel->route == 0) {
    leave_links (self, parcel, now);
    return;
  }
  while (!(parcel->route & 1U << i))
    i++;
  parcel->route &= ~(1U << i);
  if (link_arrive (&self->link[i], &parcel->link, now) == LINK_TAKEN)
    return;
  if (!parcel->is_report)
    measures_note_drop (self->loop, parcel->flow, now);
  free (parcel);
}

static void
run_links (Run *self, RcTime now)
{
  LinkPacket *out;

  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
    while ((out = link_deliver (&self->link[i], now))) {
      Parcel *parcel = (Parcel *) out;

      parcel->waited += out->started_at - out->arrived_at;
      forward (self, parcel, now);
    }
}

/* --- the sender --- */

static void
send_packet (Run *self, unsigned id, uint32_t wire_bytes, RcTime now)
{
  Flow *flow = &self->flow[id];
  Parcel *parcel = calloc (1, sizeof *parcel);
  RcSent sent = { wire_bytes, false };

  parcel->flow = id;
  parcel->route = flow->config->path;
  parcel->seq = flow->seq++;
  parcel->link.size_bytes = wire_bytes;
  parcel->link.ect = flow->config->ecn && rc_ecn_marks (&flow->ecn);
  parcel->sent_at = now;
  parcel->rest = flow->config->rtt / 2;
  rc_ledger_on_sent (&flow->ledger, parcel->seq, wire_bytes - RC_OVERHEAD_IPV4_BYTES, now);
  rc_rmc_on_sent (&flow->rmc, wire_bytes, now);
  rc_ecn_on_sent (&flow->ecn, 1, now);
  flow->backlog_bytes = flow->config->source.kind == LOOP_GREEDY ? 0 : fmax (0, flow->backlog_bytes - wire_bytes);
  sent.backlogged = next_packet_bytes (flow) > 0;
  measures_note_sent (self->loop, id, now);
  decided (self, flow, rc_controller_on_sent (&flow->law, &sent, now), now);
  forward (self, parcel, now);
}

/* When this flow's sender has something to do, and it done if that is now. */
static RcTime
run_sender (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  RcTime at, next = flow->info_at;
  uint32_t bytes;

  if (flow->config->source.kind == LOOP_VIDEO) {
    while (flow->frame_at <= now)
      make_frame (self, flow, now);
    next = flow->frame_at < next ? flow->frame_at : next;
  }
  if (flow->decision.next_at != RC_TIME_NONE && flow->decision.next_at <= now)
    decided (self, flow, rc_controller_on_timer (&flow->law, now), now);
  while (!flow->decision.stopped && (bytes = next_packet_bytes (flow)) > 0) {
    at = rc_rmc_due_at (&flow->rmc, bytes, now);
    if (at > now) {
      next = at < next ? at : next;
      break;
    }
    send_packet (self, id, bytes, now);
  }
  if (flow->decision.stopped || next_packet_bytes (flow) == 0)
    rc_rmc_set_idle (&flow->rmc, now);
  if (flow->info_at <= now || (flow->told_srtt == RC_TIME_NONE && flow->decision.srtt != RC_TIME_NONE)) {
    tell_receiver (flow, now);
    next = flow->info_at < next ? flow->info_at : next;
  }
  if (flow->decision.next_at != RC_TIME_NONE && flow->decision.next_at < next)
    next = flow->decision.next_at;
  return next;
}

/* --- the receiver --- */

static RcTime
skewed (const Flow *flow, RcTime t)
{
  return t + 12345 * RC_MSEC + (RcTime) ((double) t * flow->config->skew_ratio);
}

static void
send_report (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  const LoopFlowConfig *config = flow->config;
  Parcel *parcel = calloc (1, sizeof *parcel);

  rc_receiver_report (&flow->receiver, skewed (flow, now), &parcel->report);
  parcel->flow = id;
  parcel->is_report = true;
  parcel->route = config->back;
  parcel->link.size_bytes = LOOP_REPORT_BYTES;
  parcel->instance = flow->instance;
  parcel->rest = config->rtt / 2;
  if (now >= config->reverse_queue_from && now < config->reverse_queue_to)
    parcel->rest += (RcTime) ((double) config->reverse_queue * uniform (self));
  if (uniform (self) < config->report_loss_ratio)
    free (parcel);
  else
    forward (self, parcel, now);
}

static RcTime
run_receiver (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  const LoopFlowConfig *config = flow->config;
  bool deaf = config->deaf_to > 0 && now >= config->deaf_from && now < config->deaf_to;
  Parcel *parcel;
  RcTime due;

  if (flow->deaf && !deaf)
    start_receiver (flow, id);
  flow->deaf = deaf;
  while ((parcel = pop_due (&flow->air, now))) {
    if (!deaf) {
      rc_receiver_on_packet (&flow->receiver, parcel->seq, parcel->link.size_bytes - RC_OVERHEAD_IPV4_BYTES,
          parcel->link.ce, skewed (flow, now));
      if (flow->config->ecn)
        rc_receiver_on_ecn (&flow->receiver, parcel->link.ect);
    }
    free (parcel);
  }
  while (!deaf && (due = rc_receiver_due_at (&flow->receiver, skewed (flow, now))) != RC_TIME_NONE
      && due <= skewed (flow, now))
    send_report (self, id, now);
  due = deaf ? RC_TIME_NONE : rc_receiver_due_at (&flow->receiver, skewed (flow, now));
  if (due != RC_TIME_NONE)
    due = now + (due - skewed (flow, now)) + 1000;
  if (flow->air.head && (due == RC_TIME_NONE || flow->air.head->due_at < due))
    due = flow->air.head->due_at;
  return due;
}

static RcTime
run_feedback (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  Parcel *parcel;

  while ((parcel = pop_due (&flow->back, now))) {
    RcFeedback feedback;
    RcDigest digest = rc_ledger_digest (&flow->ledger, &parcel->report, parcel->instance, now, &feedback);

    if (digest == RC_DIGEST_OK || digest == RC_DIGEST_HELLO) {
      if (flow->config->ecn)
        rc_ecn_on_feedback (&flow->ecn, &feedback, now);
      decided (self, flow, rc_controller_on_feedback (&flow->law, &feedback, now), now);
    }
    free (parcel);
  }
  return flow->back.head ? flow->back.head->due_at : RC_TIME_NONE;
}

/* --- time --- */

static void
sooner (RcTime *next, RcTime at)
{
  if (at != RC_TIME_NONE && at < *next)
    *next = at;
}

static RcTime
run_flow (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  RcTime next = self->config->length;

  if (now < flow->config->start_at)
    return flow->config->start_at;
  if (!flow->started)
    start_flow (self, id, now);
  sooner (&next, run_receiver (self, id, now));
  sooner (&next, run_feedback (self, id, now));
  if (flow->config->stop_at == 0 || now < flow->config->stop_at)
    sooner (&next, run_sender (self, id, now));
  if (flow->config->deaf_to > now)
    sooner (&next, flow->config->deaf_from > now ? flow->config->deaf_from : flow->config->deaf_to);
  return next;
}

static void
run_steps (Run *self, RcTime now)
{
  const LoopStep *step = &self->config->steps[self->step];

  for (; self->step < LOOP_MAX_STEPS && step->rate_bps && step->at <= now; step++, self->step++) {
    Link *link = &self->link[step->link];
    LinkParams params = link->params;

    params.rate_bps = step->rate_bps;
    params.delay = step->delay;
    link_set_params (link, &params, now);
  }
}

static void
start_run (Run *self, const LoopConfig *config)
{
  *self = (Run) { .config = config, .loop = measures_new (config) };
  self->random = config->seed * 2862933555777941757ULL + 3037000493ULL;
  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
    link_init (&self->link[i], &config->links[i], config->seed + i);
  for (unsigned i = 0; i < config->n_flows; i++) {
    self->flow[i].config = &config->flows[i];
    self->flow[i].told_srtt = RC_TIME_NONE;
  }
}

static void
end_run (Run *self)
{
  LinkPacket *inside;

  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
    while ((inside = link_deliver (&self->link[i], INT64_MAX / 2)))
      free (inside);
  for (unsigned i = 0; i < self->config->n_flows; i++) {
    free_all (&self->flow[i].air);
    free_all (&self->flow[i].back);
    free (self->flow[i].entries);
  }
}

Loop *
loop_run (const LoopConfig *config)
{
  Run run;
  RcTime now = 0, next;

  start_run (&run, config);
  while (now < config->length) {
    run_steps (&run, now);
    run_links (&run, now);
    next = now + 10 * RC_MSEC;
    for (unsigned i = 0; i < config->n_flows; i++)
      sooner (&next, run_flow (&run, i, now));
    for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
      sooner (&next, link_next_at (&run.link[i], now));
    measures_note_link (run.loop, run.link[0].params.rate_bps, link_queue_delay (&run.link[0], now), now);
    now = next > now ? next : now + 1;
  }
  end_run (&run);
  return run.loop;
}
