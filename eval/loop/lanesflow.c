/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lanesflow.h"

#include <math.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/sender/sender.h>
#include <stdlib.h>
#include <string.h>

#include "encoder.h"
#include "looptrace.h"

#define LEDGER_ENTRIES 32768
#define HEADER_BYTES (LOOP_RTP_BYTES - LOOP_MEDIA_BYTES + RC_OVERHEAD_IPV4_BYTES)
#define LANE_BYTES 8            /* what a lane adds to a packet: its source and number before */
#define MAX_QUEUE_TIME (400 * RC_MSEC)  /* rmcsink's default: 6 x 66 ms */
#define LATENCY (150 * RC_MSEC) /* of the lanes */
/* Repeated while it is of use. */
#define RESCUE_AGE (400 * RC_MSEC)
#define NEVER UINT32_MAX

typedef struct
{
  uint32_t frame, media_bytes;
  bool came;
} Packet;

typedef struct
{
  RcTime made_at, whole_at;
  uint32_t missing;
} Frame;

/* Numbers of packets, first in, first out. */
typedef struct
{
  uint32_t *numbers;
  unsigned head, n, capacity;
} Fifo;

typedef struct
{
  Parcel parcel;
  uint16_t seq;
  uint32_t number;              /* of the packet */
} MediaParcel;

typedef struct
{
  Parcel parcel;
  RcReport report;
} ReportParcel;

typedef struct
{
  const LoopFlowConfig *config;
  RcLane *rc;
  RcLaneMemory memory;
  RcLedgerEntry entries[LEDGER_ENTRIES];
  RcReceiver receiver;
  Fifo bound;
  uint16_t seq;
  uint32_t sent[65536];         /* number of the packet that left with this number of the lane */
  RcTime sent_at[65536];
  uint16_t answered;            /* the next number of the lane that no report has named */
} Lane;

struct LanesFlow
{
  World *world;
  unsigned id, n_lanes;
  LoopTrace *trace;             /* NULL: none */
  RcSender sender;
  Lane *lane[RC_LANES_MAX];
  Encoder encoder;
  Packet *packets;
  unsigned n_packets, cap_packets;
  Frame *frames;
  unsigned n_frames, cap_frames;
  Fifo queue, again;            /* that came; that leave once more, first */
  double queue_bytes;
  bool dropping;                /* until the queue is short again */
};

/* --- queues --- */

static void
fifo_push (Fifo *self, uint32_t number)
{
  if (self->head + self->n == self->capacity) {
    if (self->head > 0)
      memmove (self->numbers, self->numbers + self->head, self->n * sizeof *self->numbers);
    self->head = 0;
    if (2 * self->n >= self->capacity) {
      self->capacity = self->capacity ? 2 * self->capacity : 1024;
      self->numbers = realloc (self->numbers, self->capacity * sizeof *self->numbers);
    }
  }
  self->numbers[self->head + self->n++] = number;
}

static uint32_t
fifo_peek (const Fifo *self)
{
  return self->n > 0 ? self->numbers[self->head] : NEVER;
}

static void
fifo_pop (Fifo *self)
{
  self->head++;
  self->n--;
}

/* --- frames --- */

static uint32_t
network_bytes_of (const LanesFlow *self, uint32_t number)
{
  return self->packets[number].media_bytes + HEADER_BYTES + LANE_BYTES;
}

static void
add_packet (LanesFlow *self, uint32_t frame, uint32_t media_bytes)
{
  if (self->n_packets == self->cap_packets) {
    self->cap_packets = self->cap_packets ? 2 * self->cap_packets : 16384;
    self->packets = realloc (self->packets, self->cap_packets * sizeof *self->packets);
  }
  self->packets[self->n_packets] = (Packet) { frame, media_bytes, false };
  self->queue_bytes += network_bytes_of (self, self->n_packets);
  fifo_push (&self->queue, self->n_packets++);
  self->frames[frame].missing++;
}

static RcTime
queue_time (const LanesFlow *self)
{
  return rc_time_of_bytes ((uint64_t) self->queue_bytes, rc_sender_rate_bps (&self->sender) + 1);
}

/* A frame that would wait too long is dropped before it is cut into packets. */
static bool
is_dropped (LanesFlow *self)
{
  return rc_sender_is_stopped (&self->sender) || queue_time (self) > MAX_QUEUE_TIME;
}

static void
make_frame (LanesFlow *self, RcTime now)
{
  double size = world_uniform (self->world), sign = world_uniform (self->world);
  double bytes = encoder_make_frame (&self->encoder, size, sign, now);
  bool dropped = is_dropped (self);

  if (self->n_frames == self->cap_frames) {
    self->cap_frames = self->cap_frames ? 2 * self->cap_frames : 4096;
    self->frames = realloc (self->frames, self->cap_frames * sizeof *self->frames);
  }
  self->frames[self->n_frames] = (Frame) { now, RC_TIME_NONE, dropped };
  for (double left = bytes; left >= 1 && !dropped; left -= LOOP_MEDIA_BYTES)
    add_packet (self, self->n_frames, (uint32_t) fmin (fmax (left, LOOP_LEAST_MEDIA_BYTES),
            LOOP_MEDIA_BYTES));
  self->n_frames++;
  rc_sender_on_made (&self->sender, (uint32_t) bytes, now);
}

static void
note_arrival (LanesFlow *self, uint32_t number, RcTime now)
{
  Packet *packet = &self->packets[number];
  Frame *frame = &self->frames[packet->frame];

  if (packet->came)
    return;
  packet->came = true;
  measures_note_good (self->world->loop, self->id, network_bytes_of (self, number), now);
  if (--frame->missing == 0)
    frame->whole_at = now;
}

/* --- the lanes --- */

static uint32_t
ssrc_of (const LanesFlow *self, unsigned lane)
{
  return 1000 + self->id + lane;
}

static bool
is_cut (const LoopFlowConfig *config, RcTime now)
{
  return config->deaf_to > 0 && now >= config->deaf_from && now < config->deaf_to;
}

static void
send_packet (LanesFlow *self, unsigned i, uint32_t number, RcTime now)
{
  Lane *lane = self->lane[i];
  uint32_t network_bytes = network_bytes_of (self, number);
  RcSenderPacket packet = { .ssrc = ssrc_of (self, i), .seq = lane->seq++,
    .media_bytes = self->packets[number].media_bytes,
    .rtp_bytes = network_bytes - RC_OVERHEAD_IPV4_BYTES };
  MediaParcel *media = calloc (1, sizeof *media);

  media->parcel.flow = self->id + i;
  media->parcel.route = lane->config->path;
  media->parcel.link.size_bytes = network_bytes;
  media->parcel.rest = lane->config->rtt / 2;
  media->seq = packet.seq;
  media->number = number;
  lane->sent[packet.seq] = number;
  lane->sent_at[packet.seq] = now;
  rc_gate_reserve (rc_lane_gate (lane->rc), network_bytes, now);
  rc_lane_on_sent (lane->rc, &packet, lane->bound.n > 0 || self->queue.n > 0, now);
  if (is_cut (lane->config, now))
    free (media);
  else
    world_send (self->world, &media->parcel, now);
}

/* Returns when to come again. */
static RcTime
run_lane (LanesFlow *self, unsigned i, RcTime now)
{
  Lane *lane = self->lane[i];
  RcTime next = RC_TIME_NONE;
  RcLanePlan plan;

  while (lane->bound.n > 0) {
    uint32_t number = fifo_peek (&lane->bound);
    RcTime at = rc_lane_due_at (lane->rc, network_bytes_of (self, number), now);

    if (at == RC_TIME_NONE || at > now) {
      next = at;
      break;
    }
    fifo_pop (&lane->bound);
    send_packet (self, i, number, now);
    rc_lanes_on_left (rc_sender_lanes (&self->sender), i, network_bytes_of (self, number));
  }
  if (lane->bound.n == 0)
    rc_gate_on_idle (rc_lane_gate (lane->rc), now);
  rc_lane_plan (lane->rc, now, &plan);
  for (unsigned k = 0; k < plan.n_infos; k++) {
    rc_lane_on_control_sent (lane->rc, LOOP_INFO_BYTES, now);
    if (!is_cut (lane->config, now))
      rc_receiver_on_info (&lane->receiver, &plan.infos[k], now);
  }
  measures_note_rate (self->world->loop, self->id + i, rc_lane_rate_bps (lane->rc), now);
  looptrace_look (self->trace, &self->sender, i, lane->rc, (uint64_t) self->queue_bytes, now);
  return rc_sooner (next, plan.next_at);
}

/* What a lane in doubt has taken leaves by the others. */
static void
rescue (LanesFlow *self, unsigned i, RcTime now)
{
  Lane *lane = self->lane[i];

  for (uint16_t seq = lane->answered; seq != lane->seq; seq++)
    if (now - lane->sent_at[seq] <= RESCUE_AGE && !self->packets[lane->sent[seq]].came)
      fifo_push (&self->again, lane->sent[seq]);
  for (; lane->bound.n > 0; fifo_pop (&lane->bound)) {
    rc_lanes_on_left (rc_sender_lanes (&self->sender), i,
        network_bytes_of (self, fifo_peek (&lane->bound)));
    fifo_push (&self->again, fifo_peek (&lane->bound));
  }
}

static RcTime
look (LanesFlow *self, RcTime now)
{
  RcTime next = rc_sender_look (&self->sender, now);
  unsigned lane;

  while (rc_lanes_take_doubt (rc_sender_lanes (&self->sender), &lane))
    rescue (self, lane, now);
  return next;
}

/* --- the sender before them --- */

static void
let_go (LanesFlow *self, bool again, RcTime now)
{
  Fifo *fifo = again ? &self->again : &self->queue;
  uint32_t number = fifo_peek (fifo), network_bytes = network_bytes_of (self, number);
  RcTime age = now - self->frames[self->packets[number].frame].made_at;
  RcSenderPacket packet = { .ssrc = 1, .media_bytes = self->packets[number].media_bytes,
    .rtp_bytes = network_bytes - RC_OVERHEAD_IPV4_BYTES, .again = again };
  RcLaneWish wish = { .network_bytes = network_bytes, .left = MAX_QUEUE_TIME - age };
  RcLaneChoice choice = rc_lanes_bind (rc_sender_lanes (&self->sender), &wish, now);

  fifo_pop (fifo);
  if (!again)
    self->queue_bytes -= network_bytes;
  rc_gate_reserve (rc_sender_gate (&self->sender), network_bytes, now);
  rc_sender_on_sent (&self->sender, &packet, self->queue.n > 0, now);
  if (choice.first != RC_LANE_NONE)
    fifo_push (&self->lane[choice.first]->bound, number);
  if (choice.second != RC_LANE_NONE)
    fifo_push (&self->lane[choice.second]->bound, number);
}

static RcTime
run_sender (LanesFlow *self, RcTime now)
{
  RcTime next, at;
  RcSenderPlan plan;

  while (self->encoder.frame_at <= now)
    make_frame (self, now);
  next = self->encoder.frame_at;
  while (self->again.n + self->queue.n > 0) {
    bool again = self->again.n > 0;
    uint32_t number = fifo_peek (again ? &self->again : &self->queue);

    at = rc_sender_due_at (&self->sender, network_bytes_of (self, number), now);
    if (at == RC_TIME_NONE || at > now) {
      next = rc_sooner (next, at);
      break;
    }
    let_go (self, again, now);
  }
  if (self->again.n + self->queue.n == 0)
    rc_gate_on_idle (rc_sender_gate (&self->sender), now);
  rc_sender_plan (&self->sender, (uint64_t) self->queue_bytes, now, &plan);
  if (plan.tell_target)
    self->encoder.told_bps = plan.target_bps;
  return rc_sooner (next, plan.next_at);
}

/* --- the receiver --- */

static RcTime
remote (RcTime now)
{
  return now + 12345 * RC_MSEC;
}

static void
send_report (LanesFlow *self, unsigned i, RcTime now)
{
  Lane *lane = self->lane[i];
  ReportParcel *report = calloc (1, sizeof *report);

  rc_receiver_report (&lane->receiver, remote (now), &report->report);
  report->parcel.flow = self->id + i;
  report->parcel.is_back = true;
  report->parcel.route = lane->config->back;
  report->parcel.rest = lane->config->rtt / 2;
  report->parcel.link.size_bytes = LOOP_REPORT_BYTES + 8 + 2 * report->report.arrivals.n;
  if (is_cut (lane->config, now)
      || world_uniform (self->world) < lane->config->report_loss_ratio)
    free (report);
  else
    world_send (self->world, &report->parcel, now);
}

static RcTime
run_receiver (LanesFlow *self, unsigned i, RcTime now)
{
  Lane *lane = self->lane[i];
  Parcel *parcel;
  RcTime due;

  while ((parcel = world_take (self->world, self->id + i, false, now))) {
    const MediaParcel *media = (MediaParcel *) parcel;

    if (!is_cut (lane->config, now)) {
      rc_receiver_on_packet (&lane->receiver, media->seq,
          parcel->link.size_bytes - RC_OVERHEAD_IPV4_BYTES, false, remote (now));
      note_arrival (self, media->number, now);
    }
    free (parcel);
  }
  while ((due = rc_receiver_due_at (&lane->receiver, remote (now))) != RC_TIME_NONE
      && due <= remote (now))
    send_report (self, i, now);
  return due == RC_TIME_NONE ? due : now + (due - remote (now));
}

static void
take_reports (LanesFlow *self, unsigned i, RcTime now)
{
  Lane *lane = self->lane[i];
  Parcel *parcel;

  while ((parcel = world_take (self->world, self->id + i, true, now))) {
    const RcReport *report = &((ReportParcel *) parcel)->report;

    if (!is_cut (lane->config, now)
        && rc_lane_on_reports (lane->rc, report, 1, 77, now)
        && report->received_pkts > 0)
      lane->answered = (uint16_t) (report->highest_seq + 1);
    free (parcel);
  }
}

/* --- both --- */

static void
add_lane (LanesFlow *self, unsigned i, const RcSenderConfig *config, RcTime now)
{
  Lane *lane = calloc (1, sizeof *lane);

  self->lane[i] = lane;
  lane->config = &self->world->config->flows[self->id + i];
  lane->rc = rc_sender_add_lane (&self->sender, i, &lane->memory, config, now);
  rc_lane_give_entries (lane->rc, rc_numbers_of_ssrc (ssrc_of (self, i)), lane->entries,
      LEDGER_ENTRIES, now);
  rc_receiver_init (&lane->receiver, ssrc_of (self, i), RC_BWFILTER_TAU);
  rc_lanes_set_joined (rc_sender_lanes (&self->sender), i, true);
}

static void
start_sender (LanesFlow *self, RcTime now)
{
  const LoopFlowConfig *config = &self->world->config->flows[self->id];
  RcController law;
  RcSenderConfig sender = { .controller = &law, .limits = config->limits,
    .pacing = RC_RMC_PARAMS_DEFAULT, .overhead_bytes = RC_OVERHEAD_IPV4_BYTES,
    .epoch = world_epoch (self->world) + config->clock_ahead, .mode = config->mode,
    .latency = LATENCY };

  rc_controller_init (&law, rc_law_find ("arc"), config->profile);
  for (unsigned i = 0; i < LOOP_MAX_PARAMS && config->param[i]; i++)
    rc_controller_set_param (&law, config->param[i], config->value[i]);
  rc_sender_init (&self->sender, &sender, now);
  for (unsigned i = 0; i < self->n_lanes; i++)
    add_lane (self, i, &sender, now);
  look (self, now);
}

LanesFlow *
lanesflow_new (World *world, unsigned id, RcTime now)
{
  LanesFlow *self = calloc (1, sizeof *self);
  const LoopConfig *config = world->config;

  self->world = world;
  self->id = id;
  self->trace = looptrace_new (world, id, now);
  for (self->n_lanes = 1; id + self->n_lanes < config->n_flows
      && config->flows[id + self->n_lanes].kind == LOOP_LANE; self->n_lanes++);
  start_sender (self, now);
  encoder_init (&self->encoder, &config->flows[id].source,
      (double) config->flows[id].limits.start_bps, now);
  return self;
}

RcTime
lanesflow_run (LanesFlow *self, RcTime now)
{
  RcTime next = RC_TIME_NONE;

  for (unsigned i = 0; i < self->n_lanes; i++) {
    next = rc_sooner (next, run_receiver (self, i, now));
    take_reports (self, i, now);
  }
  next = rc_sooner (next, look (self, now));
  next = rc_sooner (next, run_sender (self, now));
  for (unsigned i = 0; i < self->n_lanes; i++)
    next = rc_sooner (next, run_lane (self, i, now));
  return next;
}

void
lanesflow_free (LanesFlow *self)
{
  if (!self)
    return;
  looptrace_free (self->trace);
  for (unsigned i = 0; i < self->n_frames; i++)
    measures_note_frame (self->world->loop, self->id, self->frames[i].made_at,
        self->frames[i].whole_at);
  for (unsigned i = 0; i < self->n_lanes; i++) {
    free (self->lane[i]->bound.numbers);
    free (self->lane[i]);
  }
  free (self->queue.numbers);
  free (self->again.numbers);
  free (self->packets);
  free (self->frames);
  free (self);
}
