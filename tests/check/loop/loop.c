/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "loop.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKET (100 * RC_MSEC)
#define LEDGER_ENTRIES 16384
#define FRAME_INTERVAL (RC_SECOND / 30)
#define ENCODER_LAG (100 * RC_MSEC)
#define PROBE_INTERVAL RC_SECOND

typedef struct Packet
{
  LinkPacket link;              /* first: cast */
  unsigned flow;
  uint16_t seq;
  RcTime due_at;                /* at the receiver */
  struct Packet *next;
} Packet;

typedef struct Report
{
  RcReport report;
  uint32_t instance;
  RcTime due_at;
  struct Report *next;
} Report;

typedef struct
{
  RcTime at;
  float queue_ms;               /* < 0: dropped */
} Sample;

typedef struct
{
  double served_bytes, rate_sum, rate_max;
  unsigned rates, sent;
} Bucket;

typedef struct
{
  const LoopFlowConfig *config;
  RcController law;
  RcDecision decision;
  RcRmc rmc;
  RcLedger ledger;
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
  Packet *air_head, **air_tail;
  Report *back_head, **back_tail;
  Bucket *buckets;
} Flow;

struct Loop
{
  LoopConfig config;
  Link link;
  Flow flow[LOOP_MAX_FLOWS];
  unsigned step, n_buckets, n_samples, cap_samples;
  double *queue_ms;             /* of the bucket, its largest */
  Sample *samples;
  uint64_t random;
};

static double
uniform (Loop *self)
{
  self->random = self->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double) (self->random >> 11) / 9007199254740992.0;
}

static Bucket *
bucket (Loop *self, Flow *flow, RcTime now)
{
  unsigned i = (unsigned) (now / BUCKET);

  return &flow->buckets[i < self->n_buckets ? i : self->n_buckets - 1];
}

static void
sample (Loop *self, RcTime at, double queue_ms)
{
  if (self->n_samples == self->cap_samples) {
    self->cap_samples = self->cap_samples ? 2 * self->cap_samples : 65536;
    self->samples = realloc (self->samples, self->cap_samples * sizeof *self->samples);
  }
  self->samples[self->n_samples++] = (Sample) { at, (float) queue_ms };
}

static void
decided (Loop *self, Flow *flow, RcDecision decision, RcTime now)
{
  Bucket *b = bucket (self, flow, now);

  flow->decision = decision;
  rc_rmc_set_rate (&flow->rmc, decision.rate_bps, now);
  b->rate_sum += (double) decision.rate_bps;
  b->rates++;
  if (decision.rate_bps > b->rate_max)
    b->rate_max = (double) decision.rate_bps;
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
start_flow (Loop *self, unsigned id, RcTime now)
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
make_frame (Loop *self, Flow *flow, RcTime now)
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

/* --- the way there --- */

static void
send_packet (Loop *self, unsigned id, uint32_t wire_bytes, RcTime now)
{
  Flow *flow = &self->flow[id];
  Packet *packet = calloc (1, sizeof *packet);
  RcSent sent = { wire_bytes, false };

  packet->flow = id;
  packet->seq = flow->seq++;
  packet->link.size_bytes = wire_bytes;
  rc_ledger_on_sent (&flow->ledger, packet->seq, wire_bytes - RC_OVERHEAD_IPV4_BYTES, now);
  rc_rmc_on_sent (&flow->rmc, wire_bytes, now);
  flow->backlog_bytes = flow->config->source.kind == LOOP_GREEDY ? 0 : fmax (0, flow->backlog_bytes - wire_bytes);
  sent.backlogged = next_packet_bytes (flow) > 0;
  bucket (self, flow, now)->sent++;
  decided (self, flow, rc_controller_on_sent (&flow->law, &sent, now), now);
  if (link_arrive (&self->link, &packet->link, now) != LINK_TAKEN) {
    sample (self, now, -1);
    free (packet);
  }
}

/* When this flow's sender has something to do, and it done if that is now. */
static RcTime
run_sender (Loop *self, unsigned id, RcTime now)
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

static void
run_link (Loop *self, RcTime now)
{
  LinkPacket *taken;

  while ((taken = link_deliver (&self->link, now))) {
    Packet *packet = (Packet *) taken;
    Flow *flow = &self->flow[packet->flow];

    bucket (self, flow, now)->served_bytes += taken->size_bytes;
    sample (self, taken->arrived_at, (double) (taken->started_at - taken->arrived_at) / RC_MSEC);
    packet->due_at = taken->deliver_at + flow->config->rtt / 2;
    packet->next = NULL;
    if (!flow->air_head)
      flow->air_tail = &flow->air_head;
    *flow->air_tail = packet;
    flow->air_tail = &packet->next;
  }
}

/* --- the receiver and the way back --- */

static RcTime
skewed (const Flow *flow, RcTime t)
{
  return t + 12345 * RC_MSEC + (RcTime) ((double) t * flow->config->skew_ratio);
}

static void
send_report (Loop *self, Flow *flow, RcTime now)
{
  const LoopFlowConfig *config = flow->config;
  Report *back = calloc (1, sizeof *back);

  rc_receiver_report (&flow->receiver, skewed (flow, now), &back->report);
  back->instance = flow->instance;
  back->due_at = now + config->rtt / 2;
  if (now >= config->reverse_queue_from && now < config->reverse_queue_to)
    back->due_at += (RcTime) ((double) config->reverse_queue * uniform (self));
  if (uniform (self) < config->report_loss_ratio) {
    free (back);
    return;
  }
  if (!flow->back_head)
    flow->back_tail = &flow->back_head;
  *flow->back_tail = back;
  flow->back_tail = &back->next;
}

static RcTime
run_receiver (Loop *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  const LoopFlowConfig *config = flow->config;
  bool deaf = config->deaf_to > 0 && now >= config->deaf_from && now < config->deaf_to;
  RcTime due;

  if (flow->deaf && !deaf)
    start_receiver (flow, id);
  flow->deaf = deaf;
  while (flow->air_head && flow->air_head->due_at <= now) {
    Packet *packet = flow->air_head;

    flow->air_head = packet->next;
    if (!deaf)
      rc_receiver_on_packet (&flow->receiver, packet->seq, packet->link.size_bytes - RC_OVERHEAD_IPV4_BYTES, false,
          skewed (flow, now));
    free (packet);
  }
  while (!deaf && (due = rc_receiver_due_at (&flow->receiver, skewed (flow, now))) != RC_TIME_NONE
      && due <= skewed (flow, now))
    send_report (self, flow, now);
  due = deaf ? RC_TIME_NONE : rc_receiver_due_at (&flow->receiver, skewed (flow, now));
  if (due != RC_TIME_NONE)
    due = now + (due - skewed (flow, now)) + 1000;
  if (flow->air_head && (due == RC_TIME_NONE || flow->air_head->due_at < due))
    due = flow->air_head->due_at;
  return due;
}

static RcTime
run_feedback (Loop *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];

  while (flow->back_head && flow->back_head->due_at <= now) {
    Report *back = flow->back_head;
    RcFeedback feedback;
    RcDigest digest = rc_ledger_digest (&flow->ledger, &back->report, back->instance, now, &feedback);

    if (digest == RC_DIGEST_OK || digest == RC_DIGEST_HELLO)
      decided (self, flow, rc_controller_on_feedback (&flow->law, &feedback, now), now);
    flow->back_head = back->next;
    free (back);
  }
  return flow->back_head ? flow->back_head->due_at : RC_TIME_NONE;
}

/* --- time --- */

static void
sooner (RcTime *next, RcTime at)
{
  if (at != RC_TIME_NONE && at < *next)
    *next = at;
}

static RcTime
run_flow (Loop *self, unsigned id, RcTime now)
{
  Flow *flow = &self->flow[id];
  RcTime next = self->config.length;

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
run_steps (Loop *self, RcTime now)
{
  const LoopStep *step = &self->config.steps[self->step];

  while (self->step < 8 && step->rate_bps && step->at <= now) {
    LinkParams params = self->link.params;

    params.rate_bps = step->rate_bps;
    link_set_params (&self->link, &params, now);
    step = &self->config.steps[++self->step];
  }
}

static void
note_queue (Loop *self, RcTime now)
{
  unsigned i = (unsigned) (now / BUCKET);
  double ms = (double) link_queue_delay (&self->link, now) / RC_MSEC;

  if (i < self->n_buckets && ms > self->queue_ms[i])
    self->queue_ms[i] = ms;
}

Loop *
loop_run (const LoopConfig *config)
{
  Loop *self = calloc (1, sizeof *self);
  RcTime now = 0, next;

  self->config = *config;
  self->n_buckets = (unsigned) (config->length / BUCKET) + 1;
  self->queue_ms = calloc (self->n_buckets, sizeof (double));
  self->random = config->seed * 2862933555777941757ULL + 3037000493ULL;
  link_init (&self->link, &config->link, config->seed);
  for (unsigned i = 0; i < config->n_flows; i++) {
    self->flow[i].config = &self->config.flows[i];
    self->flow[i].buckets = calloc (self->n_buckets, sizeof (Bucket));
    self->flow[i].told_srtt = RC_TIME_NONE;
  }
  while (now < config->length) {
    run_steps (self, now);
    run_link (self, now);
    next = now + 10 * RC_MSEC;
    for (unsigned i = 0; i < config->n_flows; i++)
      sooner (&next, run_flow (self, i, now));
    sooner (&next, link_next_at (&self->link, now));
    note_queue (self, now);
    now = next > now ? next : now + 1;
  }
  return self;
}

void
loop_free (Loop *self)
{
  LinkPacket *taken;

  while ((taken = link_deliver (&self->link, INT64_MAX / 2)))
    free (taken);
  for (unsigned i = 0; i < self->config.n_flows; i++) {
    Flow *flow = &self->flow[i];

    for (Packet *p = flow->air_head, *n; p; p = n) {
      n = p->next;
      free (p);
    }
    for (Report *r = flow->back_head, *n; r; r = n) {
      n = r->next;
      free (r);
    }
    free (flow->entries);
    free (flow->buckets);
  }
  free (self->samples);
  free (self->queue_ms);
  free (self);
}

/* --- measures --- */

static unsigned
bucket_at (const Loop *self, double s)
{
  unsigned i = (unsigned) (s * RC_SECOND / BUCKET + 0.5);

  return i < self->n_buckets ? i : self->n_buckets;
}

double
loop_served_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double bytes = 0;

  for (int f = 0; f < (int) self->config.n_flows; f++)
    for (unsigned i = bucket_at (self, from_s); (flow < 0 || f == flow) && i < bucket_at (self, to_s); i++)
      bytes += self->flow[f].buckets[i].served_bytes;
  return bytes * 8 / (to_s - from_s);
}

double
loop_capacity_bps (const Loop *self, double from_s, double to_s)
{
  double sum = 0;
  unsigned n = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++, n++) {
    uint64_t rate = self->config.link.rate_bps;

    for (unsigned k = 0; k < 8 && self->config.steps[k].rate_bps; k++)
      if (self->config.steps[k].at <= (RcTime) i * BUCKET)
        rate = self->config.steps[k].rate_bps;
    sum += (double) rate;
  }
  return n ? sum / n : 0;
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return x < y ? -1 : x > y;
}

double
loop_queue_ms (const Loop *self, double q, double from_s, double to_s)
{
  float *v = malloc ((self->n_samples + 1) * sizeof *v);
  unsigned n = 0;
  double sum = 0, result;

  for (unsigned i = 0; i < self->n_samples; i++) {
    double at = rc_time_to_s (self->samples[i].at);

    if (at >= from_s && at < to_s && self->samples[i].queue_ms >= 0) {
      v[n++] = self->samples[i].queue_ms;
      sum += self->samples[i].queue_ms;
    }
  }
  qsort (v, n, sizeof *v, compare);
  result = n == 0 ? 0 : q < 0 ? sum / n : v[(unsigned) (q * (n - 1))];
  free (v);
  return result;
}

unsigned
loop_drops (const Loop *self, double from_s, double to_s)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->n_samples; i++) {
    double at = rc_time_to_s (self->samples[i].at);

    n += at >= from_s && at < to_s && self->samples[i].queue_ms < 0;
  }
  return n;
}

double
loop_rate_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double sum = 0;
  unsigned n = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    if (self->flow[flow].buckets[i].rates) {
      sum += self->flow[flow].buckets[i].rate_sum / self->flow[flow].buckets[i].rates;
      n++;
    }
  return n ? sum / n : 0;
}

double
loop_rate_max_bps (const Loop *self, int flow, double from_s, double to_s)
{
  double most = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    most = fmax (most, self->flow[flow].buckets[i].rate_max);
  return most;
}

unsigned
loop_packets_sent (const Loop *self, int flow, double from_s, double to_s)
{
  unsigned n = 0;

  for (unsigned i = bucket_at (self, from_s); i < bucket_at (self, to_s); i++)
    n += self->flow[flow].buckets[i].sent;
  return n;
}

double
loop_reached_at_s (const Loop *self, int flow, double bps, double from_s)
{
  for (unsigned i = bucket_at (self, from_s); i + 5 < self->n_buckets; i++) {
    double s = i * rc_time_to_s (BUCKET);

    if (loop_served_bps (self, flow, s, s + 0.5) >= bps)
      return s + 0.5;
  }
  return -1;
}

double
loop_jain (const Loop *self, double from_s, double to_s)
{
  double sum = 0, squares = 0;

  for (unsigned f = 0; f < self->config.n_flows; f++) {
    double x = loop_served_bps (self, (int) f, from_s, to_s);

    sum += x;
    squares += x * x;
  }
  return squares > 0 ? sum * sum / (self->config.n_flows * squares) : 0;
}

void
loop_write_csv (const Loop *self, const char *path)
{
  FILE *file = fopen (path, "w");

  assert (file);
  fprintf (file, "time_s,capacity_bps,queue_ms");
  for (unsigned f = 0; f < self->config.n_flows; f++)
    fprintf (file, ",rate_bps_%u,served_bps_%u", f, f);
  fprintf (file, "\n");
  for (unsigned i = 0; i + 1 < self->n_buckets; i++) {
    double s = i * rc_time_to_s (BUCKET), e = s + rc_time_to_s (BUCKET);

    fprintf (file, "%.1f,%.0f,%.1f", s, loop_capacity_bps (self, s, e), self->queue_ms[i]);
    for (unsigned f = 0; f < self->config.n_flows; f++)
      fprintf (file, ",%.0f,%.0f", loop_rate_bps (self, (int) f, s, e), loop_served_bps (self, (int) f, s, e));
    fprintf (file, "\n");
  }
  fclose (file);
}
