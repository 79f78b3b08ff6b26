/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "measures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEDGER_ENTRIES 16384
#define LOOP_MAX_ARRIVALS 4096  /* a second at 40 Mbit/s */
#define FRAME_INTERVAL (RC_SECOND / 30)
#define ENCODER_LAG (100 * RC_MSEC)

/* A media packet or a report on its way. */
typedef struct Parcel
{
  LinkPacket link;              /* first: cast */
  unsigned flow, route;         /* links still to cross */
  bool is_report;
  uint16_t seq;
  RcReport report;
  RcArrival *arrivals;          /* in the place of the report */
  unsigned n_arrivals;
  RcTime told_at_remote;
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
  RcSender sender;
  RcLedgerEntry *entries;
  RcReceiver receiver;
  uint16_t seq;
  uint32_t instance;
  bool started, deaf;
  RcArrival arrivals[LOOP_MAX_ARRIVALS];        /* since the last message that lists them */
  unsigned n_arrivals;
  double backlog_bytes;         /* encoded and not sent, without headers */
  double encoder_bps, told_bps; /* of media */
  RcTime frame_at;
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

/* Of the packet at the head, without headers; 0: nothing waits. */
static uint32_t
next_media_bytes (const Flow *flow)
{
  if (flow->config->source.kind == LOOP_GREEDY)
    return LOOP_MEDIA_BYTES;
  if (flow->backlog_bytes < 1)
    return 0;
  return (uint32_t) rc_clampd (flow->backlog_bytes, LOOP_LEAST_MEDIA_BYTES, LOOP_MEDIA_BYTES);
}

static uint64_t
queue_bytes (const Flow *flow)
{
  return (uint64_t) (flow->backlog_bytes * (LOOP_RTP_BYTES + RC_OVERHEAD_IPV4_BYTES) / LOOP_MEDIA_BYTES);
}

/* What the sender's plan asks for: the receiver hears infos at once, the encoder its target. Returns when to come again. */
static RcTime
follow_plan (Run *self, Flow *flow, RcTime now)
{
  RcSenderPlan plan;

  rc_sender_plan (&flow->sender, queue_bytes (flow), now, &plan);
  for (unsigned i = 0; i < plan.n_infos; i++) {
    rc_sender_on_control_sent (&flow->sender, LOOP_INFO_BYTES, now);
    if (!flow->deaf)
      rc_receiver_on_info (&flow->receiver, &plan.infos[i], now);
  }
  if (plan.tell_target)
    flow->told_bps = plan.target_bps;
  measures_note_rate (self->loop, (unsigned) (flow - self->flow), flow->sender.decision.rate_bps, now);
  return plan.next_at;
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
  RcController law;
  RcSenderConfig sender = {
    .controller = &law, .limits = config->limits, .pacing = RC_RMC_PARAMS_DEFAULT,
    .overhead_bytes = RC_OVERHEAD_IPV4_BYTES, .ecn = config->ecn,
  };

  rc_controller_init (&law, rc_law_find (config->law ? config->law : "arc"), config->profile);
  for (unsigned i = 0; i < LOOP_MAX_PARAMS && config->param[i]; i++) {
    bool known = rc_controller_set_param (&law, config->param[i], config->value[i]);
    assert (known);
    (void) known;
  }
  flow->entries = calloc (LEDGER_ENTRIES, sizeof *flow->entries);
  rc_sender_init (&flow->sender, &sender, now);
  rc_ledgers_give (&flow->sender.ledgers, rc_numbers_of_ssrc (1000 + id), flow->entries, LEDGER_ENTRIES, now);
  flow->instance = 50 + 100 * id;
  start_receiver (flow, id);
  flow->encoder_bps = (double) config->limits.start_bps;
  flow->frame_at = now;
  flow->started = true;
  follow_plan (self, flow, now);
}

/* --- the source --- */

static void
make_frame (Run *self, Flow *flow, RcTime now)
{
  const LoopSource *source = &flow->config->source;
  double noise = -log (1 - 0.999 * uniform (self)) * (uniform (self) < 0.5 ? -0.1 : 0.1);
  bool mute = source->mute_to > 0 && now >= source->mute_from && now < source->mute_to;
  double bps, frame_bytes;

  flow->encoder_bps += (flow->told_bps - flow->encoder_bps) * rc_time_to_s (FRAME_INTERVAL) / rc_time_to_s (ENCODER_LAG);
  bps = flow->encoder_bps;
  if (source->most_bps && bps > (double) source->most_bps)
    bps = (double) source->most_bps;
  if (bps < (double) source->least_bps)
    bps = (double) source->least_bps;
  if (mute)
    bps = (double) source->mute_bps;
  frame_bytes = bps / 8 / 30 * rc_clampd (1 + noise, 0.4, 1.6);
  if (!flow->sender.decision.stopped)
    flow->backlog_bytes += frame_bytes;
  rc_sender_on_made (&flow->sender, (uint32_t) frame_bytes, now);
  flow->frame_at += FRAME_INTERVAL;
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
free_parcel (Parcel *parcel)
{
  free (parcel->arrivals);
  free (parcel);
}

static void
free_all (ParcelQueue *queue)
{
  Parcel *parcel;

  while ((parcel = pop_due (queue, INT64_MAX)))
    free_parcel (parcel);
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
  free_parcel (parcel);
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
send_packet (Run *self, unsigned id, uint32_t media_bytes, RcTime now)
{
  Flow *flow = &self->flow[id];
  RcSenderPacket packet = { .ssrc = 1000 + id, .seq = flow->seq++, .media_bytes = media_bytes,
    .rtp_bytes = media_bytes + LOOP_RTP_BYTES - LOOP_MEDIA_BYTES };
  uint32_t network_bytes = packet.rtp_bytes + RC_OVERHEAD_IPV4_BYTES;
  Parcel *parcel = calloc (1, sizeof *parcel);

  parcel->flow = id;
  parcel->route = flow->config->path;
  parcel->seq = packet.seq;
  parcel->link.size_bytes = network_bytes;
  parcel->link.ect = rc_sender_marks_ect (&flow->sender);
  parcel->sent_at = now;
  parcel->rest = flow->config->rtt / 2;
  if (flow->config->source.kind != LOOP_GREEDY)
    flow->backlog_bytes = fmax (0, flow->backlog_bytes - media_bytes);
  rc_sender_reserve (&flow->sender, network_bytes, now);
  rc_sender_on_sent (&flow->sender, &packet, next_media_bytes (flow) > 0, now);
  measures_note_sent (self->loop, id, now);
  forward (self, parcel, now);
}

/* When this flow's sender has something to do, and it done if that is now. */
static RcTime
run_sender (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  const uint32_t header_bytes = LOOP_RTP_BYTES - LOOP_MEDIA_BYTES + RC_OVERHEAD_IPV4_BYTES;
  RcTime next = RC_TIME_NONE;
  uint32_t bytes;

  if (flow->config->source.kind == LOOP_VIDEO) {
    while (flow->frame_at <= now)
      make_frame (self, flow, now);
    next = flow->frame_at;
  }
  while ((bytes = next_media_bytes (flow)) > 0) {
    RcTime at = rc_sender_due_at (&flow->sender, bytes + header_bytes, now);

    if (at == RC_TIME_NONE || at > now) {
      next = rc_sooner (next, at);
      break;
    }
    send_packet (self, id, bytes, now);
  }
  if (bytes == 0)
    rc_sender_on_idle (&flow->sender, now);
  return rc_sooner (next, follow_plan (self, flow, now));
}

/* --- the receiver --- */

static RcTime
skewed (const Flow *flow, RcTime t)
{
  return t + 12345 * RC_MSEC + (RcTime) ((double) t * flow->config->skew_ratio);
}

/* What a receiver that lists packets remembers: in the order of their numbers. */
static void
note_arrival (Flow *flow, const Parcel *parcel, RcTime now_remote)
{
  unsigned i = flow->n_arrivals;

  if (!flow->config->lists_packets || i == LOOP_MAX_ARRIVALS)
    return;
  for (; i > 0 && (int16_t) (flow->arrivals[i - 1].number - parcel->seq) > 0; i--)
    flow->arrivals[i] = flow->arrivals[i - 1];
  flow->arrivals[i] = (RcArrival) { parcel->seq, now_remote, parcel->link.ect || parcel->link.ce, parcel->link.ce };
  flow->n_arrivals++;
}

/* RFC 8888 has 20 bytes and 2 for each packet, with 28 of UDP and IP. */
static void
list_packets (Flow *flow, Parcel *parcel, RcTime now_remote)
{
  const size_t bytes = flow->n_arrivals * sizeof *flow->arrivals;

  parcel->arrivals = memcpy (malloc (bytes + 1), flow->arrivals, bytes);
  parcel->n_arrivals = flow->n_arrivals;
  parcel->told_at_remote = now_remote;
  parcel->link.size_bytes = 48 + 2 * flow->n_arrivals;
  flow->n_arrivals = 0;
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
  if (config->lists_packets)
    list_packets (flow, parcel, skewed (flow, now));
  parcel->instance = flow->instance;
  parcel->rest = config->rtt / 2;
  if (now >= config->reverse_queue_from && now < config->reverse_queue_to)
    parcel->rest += (RcTime) ((double) config->reverse_queue * uniform (self));
  if (uniform (self) < config->report_loss_ratio)
    free_parcel (parcel);
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
      note_arrival (flow, parcel, skewed (flow, now));
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

static void
take_feedback (Flow *flow, const Parcel *parcel, RcTime now)
{
  RcArrivals message = { rc_numbers_of_ssrc (parcel->report.ssrc), parcel->arrivals, parcel->n_arrivals,
    parcel->told_at_remote, parcel->instance, flow->config->ecn, RC_REPORT_POLICY_PATIENT };

  if (flow->config->lists_packets)
    rc_sender_on_arrivals (&flow->sender, &message, 1, now);
  else
    rc_sender_on_reports (&flow->sender, &parcel->report, 1, parcel->instance, now);
}

static RcTime
run_feedback (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  Parcel *parcel;

  while ((parcel = pop_due (&flow->back, now))) {
    take_feedback (flow, parcel, now);
    free_parcel (parcel);
  }
  return flow->back.head ? flow->back.head->due_at : RC_TIME_NONE;
}

/* --- time --- */

static RcTime
run_flow (Run *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  RcTime next = self->config->length;

  if (now < flow->config->start_at)
    return flow->config->start_at;
  if (!flow->started)
    start_flow (self, id, now);
  next = rc_sooner (next, run_receiver (self, id, now));
  next = rc_sooner (next, run_feedback (self, id, now));
  if (flow->config->stop_at == 0 || now < flow->config->stop_at)
    next = rc_sooner (next, run_sender (self, id, now));
  if (flow->config->deaf_to > now)
    next = rc_sooner (next, flow->config->deaf_from > now ? flow->config->deaf_from : flow->config->deaf_to);
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
  for (unsigned i = 0; i < config->n_flows; i++)
    self->flow[i].config = &config->flows[i];
}

static void
end_run (Run *self)
{
  LinkPacket *inside;

  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
    while ((inside = link_deliver (&self->link[i], INT64_MAX / 2)))
      free_parcel ((Parcel *) inside);
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
      next = rc_sooner (next, run_flow (&run, i, now));
    for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
      next = rc_sooner (next, link_next_at (&run.link[i], now));
    measures_note_link (run.loop, run.link[0].params.rate_bps, link_queue_delay (&run.link[0], now), now);
    now = next > now ? next : now + 1;
  }
  end_run (&run);
  return run.loop;
}
