/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "mediaflow.h"

#include <assert.h>
#include <link/stalls.h>
#include <math.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/sender/sender.h>
#include <stdlib.h>
#include <string.h>

#include "encoder.h"
#include "listreceiver.h"
#include "looptrace.h"
#include "plainreceiver.h"

#define LEDGER_ENTRIES 32768    /* 0.7 s at 500 Mbit/s; 16-bit numbers tell no more apart */
#define MADE_FRAMES 4096        /* two minutes of backlog */
#define HEADER_BYTES (LOOP_RTP_BYTES - LOOP_MEDIA_BYTES + RC_OVERHEAD_IPV4_BYTES)

typedef struct
{
  Parcel parcel;
  uint32_t ntp;                 /* of a sender report; 0: media */
  RcTime made_at;               /* the frame that it ends or is a part of */
} MediaParcel;

typedef struct
{
  RcTime made_at;
  double end_bytes;             /* of all that was made */
} MadeFrame;

/* A summary, or a list of arrivals or a receiver report in its place. */
typedef struct
{
  Parcel parcel;
  RcReport report;
  RcReportBlock block;
  uint32_t instance;
  size_t n_bytes;
  uint8_t bytes[];              /* of a list of packets */
} ReportParcel;

struct MediaFlow
{
  World *world;
  unsigned id;
  const LoopFlowConfig *config;
  RcSender sender;
  RcLane *lane;
  RcLaneMemory lane_memory;
  RcLedgerEntry entries[LEDGER_ENTRIES], transport_entries[LEDGER_ENTRIES];
  LoopTrace *trace;             /* NULL: none */
  RcWireClock clock;            /* of its lists */
  RcReceiver receiver;
  PlainReceiver plain;
  ListReceiver lists;
  Encoder encoder;
  uint16_t seq;
  uint32_t instance;
  bool deaf;
  LinkStalls sender_pauses, receiver_pauses;
  double backlog_bytes;         /* encoded and not sent, without headers */
  MadeFrame frames[MADE_FRAMES];        /* a ring */
  unsigned n_frames;            /* of all */
  unsigned sending;             /* the one whose packet was sent last */
  double made_bytes, sent_bytes;
  RcTime coming_made_at, came_at;       /* the frame whose packet came last, and when; 0: none */
};

/* --- the sender --- */

/* Of the packet at the head, without headers; 0: nothing waits. */
static uint32_t
next_media_bytes (const MediaFlow *self)
{
  if (self->config->source.kind == LOOP_GREEDY)
    return LOOP_MEDIA_BYTES;
  if (self->backlog_bytes < 1)
    return 0;
  return (uint32_t) rc_clampd (self->backlog_bytes, LOOP_LEAST_MEDIA_BYTES, LOOP_MEDIA_BYTES);
}

static uint64_t
queue_bytes (const MediaFlow *self)
{
  return (uint64_t) (self->backlog_bytes * (LOOP_RTP_BYTES + RC_OVERHEAD_IPV4_BYTES)
      / LOOP_MEDIA_BYTES);
}

static uint32_t
ssrc_of (const MediaFlow *self)
{
  return LOOP_FIRST_SSRC + self->id;
}

static MediaParcel *
new_media (const MediaFlow *self, uint32_t network_bytes)
{
  MediaParcel *media = calloc (1, sizeof *media);

  media->parcel.flow = self->id;
  media->parcel.route = self->config->path;
  media->parcel.link.size_bytes = network_bytes;
  media->parcel.rest = self->config->rtt / 2;
  return media;
}

static void
send_sr (MediaFlow *self, RcTime now)
{
  MediaParcel *sr = new_media (self, LOOP_SR_BYTES);

  sr->ntp = (uint32_t) (rc_time_to_s (now) * 65536) + 1;
  rc_sender_on_control_sent (&self->sender, LOOP_SR_BYTES, now);
  rc_lane_on_sr_sent (self->lane, ssrc_of (self), sr->ntp, now);
  world_send (self->world, &sr->parcel, now);
}

/* What the sender's plan asks for: the receiver hears infos at once, the encoder its target.
 * Returns when to come again. */
static RcTime
follow_plan (MediaFlow *self, RcTime now)
{
  RcLanePlan lane;
  RcSenderPlan plan;

  rc_lane_plan (self->lane, now, &lane);
  rc_sender_plan (&self->sender, queue_bytes (self), now, &plan);
  for (unsigned i = 0; i < lane.n_infos; i++) {
    rc_sender_on_control_sent (&self->sender, LOOP_INFO_BYTES, now);
    if (!self->deaf)
      rc_receiver_on_info (&self->receiver, &lane.infos[i], now);
  }
  if (plan.tell_time)
    send_sr (self, now);
  if (plan.tell_target)
    self->encoder.told_bps = plan.target_bps;
  measures_note_rate (self->world->loop, self->id, rc_sender_rate_bps (&self->sender), now);
  looptrace_look (self->trace, &self->sender, 0, self->lane, queue_bytes (self), now);
  return rc_sooner (lane.next_at, plan.next_at);
}

static void
add_to_backlog (MediaFlow *self, double bytes, RcTime now)
{
  self->backlog_bytes += bytes;
  self->made_bytes += bytes;
  self->frames[self->n_frames++ % MADE_FRAMES] = (MadeFrame) { now, self->made_bytes };
}

/* When the frame was made that the next packet's last byte is of. */
static RcTime
take_from_backlog (MediaFlow *self, uint32_t media_bytes, RcTime now)
{
  if (self->config->source.kind == LOOP_GREEDY)
    return now;
  self->backlog_bytes = fmax (0, self->backlog_bytes - media_bytes);
  self->sent_bytes = fmin (self->sent_bytes + media_bytes, self->made_bytes);
  while (self->sending + 1 < self->n_frames
      && self->frames[self->sending % MADE_FRAMES].end_bytes < self->sent_bytes)
    self->sending++;
  return self->frames[self->sending % MADE_FRAMES].made_at;
}

static void
make_frame (MediaFlow *self, RcTime now)
{
  double size = world_uniform (self->world), sign = world_uniform (self->world);
  double bytes = encoder_make_frame (&self->encoder, size, sign, now);

  if (!rc_sender_is_stopped (&self->sender)
      || (self->backlog_bytes < 1 && rc_sender_wants_probe (&self->sender, now)))
    add_to_backlog (self, bytes, now);
  rc_sender_on_made (&self->sender, (uint32_t) bytes, now);
}

static void
send_packet (MediaFlow *self, uint32_t media_bytes, RcTime now)
{
  RcSenderPacket packet = { .ssrc = ssrc_of (self), .seq = self->seq++, .media_bytes = media_bytes,
    .rtp_bytes = media_bytes + LOOP_RTP_BYTES - LOOP_MEDIA_BYTES,
    .has_transport_number = self->config->format == LOOP_TWCC };
  uint32_t network_bytes = media_bytes + HEADER_BYTES;
  MediaParcel *media = new_media (self, network_bytes);

  media->parcel.is_media = true;
  media->parcel.seq = packet.transport_number = packet.seq;
  if (rc_sender_wants_stamps (&self->sender))
    media->parcel.loop_time = rc_sender_loop_time (&self->sender);
  media->parcel.link.ecn = (LinkEcn) rc_lane_ecn_bits (self->lane);
  media->made_at = take_from_backlog (self, media_bytes, now);
  rc_gate_reserve (rc_sender_gate (&self->sender), network_bytes, now);
  rc_sender_on_sent (&self->sender, &packet, next_media_bytes (self) > 0, now);
  world_send (self->world, &media->parcel, now);
}

static RcTime
run_sender (MediaFlow *self, RcTime now)
{
  RcTime next = RC_TIME_NONE;
  uint32_t bytes;

  if (self->config->source.kind != LOOP_GREEDY) {
    while (self->encoder.frame_at <= now)
      make_frame (self, now);
    next = self->encoder.frame_at;
  }
  while ((bytes = next_media_bytes (self)) > 0) {
    RcTime at = rc_sender_due_at (&self->sender, bytes + HEADER_BYTES, now);

    if (at == RC_TIME_NONE || at > now) {
      next = rc_sooner (next, at);
      break;
    }
    send_packet (self, bytes, now);
  }
  if (bytes == 0)
    rc_gate_on_idle (rc_sender_gate (&self->sender), now);
  return rc_sooner (next, follow_plan (self, now));
}

static void
take_list (MediaFlow *self, const ReportParcel *parcel, RcTime now)
{
  RcArrival arrivals[RC_ARRIVALRECORD_NUMBERS];
  RcArrivalLists lists = { .arrivals = arrivals, .max_arrivals = RC_ARRIVALRECORD_NUMBERS };
  bool ok = list_receiver_decode (self->config->format, parcel->bytes, parcel->n_bytes,
      parcel->instance, &self->clock, &lists);

  assert (ok);
  (void) ok;
  rc_lane_on_arrivals (self->lane, lists.lists, lists.n_lists, now);
}

static void
take_feedback (MediaFlow *self, ReportParcel *parcel, RcTime now)
{
  if (self->world->relay)
    uplink_relay_pass (self->world->relay, self->id, &parcel->report, parcel->instance, now);
  if (self->config->plain_interval > 0)
    rc_lane_on_blocks (self->lane, &parcel->block, 1, now);
  else if (self->config->format != LOOP_NATIVE)
    take_list (self, parcel, now);
  else
    rc_lane_on_reports (self->lane, &parcel->report, 1, parcel->instance, now);
}

static void
run_feedback (MediaFlow *self, RcTime now)
{
  Parcel *parcel;

  while ((parcel = world_take (self->world, self->id, true, now))) {
    take_feedback (self, (ReportParcel *) parcel, now);
    free (parcel);
  }
}

/* --- the receiver --- */

static RcTime
skewed (const MediaFlow *self, RcTime t)
{
  return t + 12345 * RC_MSEC + (RcTime) ((double) t * self->config->skew_ratio);
}

static void
start_receiver (MediaFlow *self)
{
  plain_receiver_init (&self->plain);
  list_receiver_init (&self->lists, self->config->format);
  rc_receiver_init (&self->receiver, ssrc_of (self), RC_BWFILTER_TAU);
  self->instance++;
}

static void
take_media (MediaFlow *self, const MediaParcel *media, RcTime now_remote)
{
  const LinkPacket *packet = &media->parcel.link;
  RcTime interval = self->config->plain_interval;
  uint16_t seq = media->parcel.seq;

  if (media->ntp > 0) {
    plain_receiver_on_sr (&self->plain, media->ntp, now_remote);
    return;
  }
  if (interval > 0) {
    plain_receiver_on_packet (&self->plain, seq, interval, world_uniform (self->world),
        now_remote);
    return;
  }
  if (self->config->format != LOOP_NATIVE) {
    list_receiver_on_packet (&self->lists, seq, (RcEcnBits) packet->ecn,
        packet->size_bytes, now_remote);
    return;
  }
  rc_receiver_on_packet (&self->receiver, seq, packet->size_bytes - RC_OVERHEAD_IPV4_BYTES,
      packet->ecn == LINK_ECN_CE, now_remote);
  rc_receiver_on_stamp (&self->receiver, media->parcel.stamp_bps);
  if (self->config->ecn)
    rc_receiver_on_ecn (&self->receiver, (RcEcnBits) packet->ecn);
}

static void
fill_report (MediaFlow *self, ReportParcel *report, RcTime now_remote)
{
  Parcel *parcel = &report->parcel;

  rc_receiver_report (&self->receiver, now_remote, &report->report);
  parcel->link.size_bytes = LOOP_REPORT_BYTES;
  if (report->report.arrivals.n > 0)
    parcel->link.size_bytes += 8 + 2 * report->report.arrivals.n;
  report->instance = self->instance;
}

/* Takes the report. */
static void
send_report (MediaFlow *self, ReportParcel *report, RcTime now)
{
  const LoopFlowConfig *config = self->config;
  Parcel *parcel = &report->parcel;

  parcel->flow = self->id;
  parcel->is_back = true;
  parcel->route = config->back;
  parcel->rest = config->rtt / 2;
  if (now >= config->reverse_queue_from && now < config->reverse_queue_to)
    parcel->rest += (RcTime) ((double) config->reverse_queue * world_uniform (self->world));
  if (world_uniform (self->world) < config->report_loss_ratio)
    free (parcel);
  else
    world_send (self->world, parcel, now);
}

/* Returns when to come again, in the receiver's clock. */
static RcTime
run_plain_reports (MediaFlow *self, RcTime now)
{
  RcTime interval = self->config->plain_interval, now_remote = skewed (self, now);

  while (self->plain.due_at != RC_TIME_NONE && self->plain.due_at <= now_remote) {
    ReportParcel *report = calloc (1, sizeof *report);

    report->parcel.link.size_bytes = LOOP_RR_BYTES;
    if (plain_receiver_report (&self->plain, ssrc_of (self), interval,
            world_uniform (self->world), now_remote, &report->block))
      send_report (self, report, now);
    else
      free (report);
  }
  return self->plain.due_at;
}

static RcTime
run_lists (MediaFlow *self, RcTime now)
{
  RcTime due, now_remote = skewed (self, now);

  while ((due = list_receiver_due_at (&self->lists, now_remote)) != RC_TIME_NONE
      && due <= now_remote) {
    ReportParcel *report = calloc (1, sizeof *report
        + LIST_RECEIVER_MAX_BYTES);

    report->n_bytes = list_receiver_report (&self->lists, ssrc_of (self), report->bytes,
        now_remote);
    report->parcel.link.size_bytes = list_receiver_network_bytes (report->n_bytes);
    report->instance = self->instance;
    send_report (self, report, now);
  }
  return due;
}

static RcTime
run_reports (MediaFlow *self, RcTime now)
{
  RcTime due;

  if (self->config->plain_interval > 0)
    return run_plain_reports (self, now);
  if (self->config->format != LOOP_NATIVE)
    return run_lists (self, now);
  while ((due = rc_receiver_due_at (&self->receiver, skewed (self, now))) != RC_TIME_NONE
      && due <= skewed (self, now)) {
    ReportParcel *report = calloc (1, sizeof *report);

    fill_report (self, report, skewed (self, now));
    send_report (self, report, now);
  }
  return due;
}

/* A frame is whole when the first packet of the next one comes; what was lost of it does not
 * count. */
static void
note_arrival (MediaFlow *self, RcTime made_at, RcTime now)
{
  measures_note_arrival (self->world->loop, self->id, made_at, now);
  if (made_at != self->coming_made_at && self->came_at != 0)
    measures_note_frame (self->world->loop, self->id, self->coming_made_at, self->came_at);
  self->coming_made_at = made_at;
  self->came_at = now;
}

static RcTime
run_receiver (MediaFlow *self, RcTime now)
{
  const LoopFlowConfig *config = self->config;
  bool deaf = config->deaf_to > 0 && now >= config->deaf_from && now < config->deaf_to;
  Parcel *parcel;
  RcTime due;

  if (self->deaf && !deaf && !config->deaf_is_cut)
    start_receiver (self);
  self->deaf = deaf;
  while ((parcel = world_take (self->world, self->id, false, now))) {
    if (!deaf && ((MediaParcel *) parcel)->ntp == 0)
      note_arrival (self, ((MediaParcel *) parcel)->made_at, now);
    if (!deaf)
      take_media (self, (MediaParcel *) parcel, skewed (self, now));
    free (parcel);
  }
  if (deaf)
    return config->deaf_to;
  due = run_reports (self, now);
  if (due != RC_TIME_NONE)
    due = now + (due - skewed (self, now)) + 1000;
  return config->deaf_from > now ? rc_sooner (due, config->deaf_from) : due;
}

/* --- both --- */

static void
start_sender (MediaFlow *self, RcTime now)
{
  const LoopFlowConfig *config = self->config;
  RcController law;
  RcSenderConfig sender = {
    .controller = &law, .limits = config->limits, .pacing = RC_RMC_PARAMS_DEFAULT,
    .overhead_bytes = RC_OVERHEAD_IPV4_BYTES, .ecn = config->ecn,
    .epoch = world_epoch (self->world) + config->clock_ahead,
  };

  rc_controller_init (&law, rc_law_find (config->law ? config->law : "arc"), config->profile);
  for (unsigned i = 0; i < LOOP_MAX_PARAMS && config->param[i]; i++) {
    bool known = rc_controller_set_param (&law, config->param[i], config->value[i]);
    assert (known);
    (void) known;
  }
  rc_sender_init (&self->sender, &sender, now);
  self->lane = rc_sender_add_lane (&self->sender, 0, &self->lane_memory, &sender, now);
  rc_lane_give_entries (self->lane, rc_numbers_of_ssrc (ssrc_of (self)), self->entries,
      LEDGER_ENTRIES, now);
  if (config->format == LOOP_TWCC)
    rc_lane_give_entries (self->lane, (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 },
        self->transport_entries, LEDGER_ENTRIES, now);
}

static void
start_pauses (MediaFlow *self, LinkStalls *pauses, RcTime now)
{
  const LoopFlowConfig *config = self->config;
  bool any = config->pause_length > 0;
  uint64_t random = any ? (uint64_t) (world_uniform (self->world) * 9007199254740992.0) : 0;

  link_stalls_init (pauses, config->pause_mean, config->pause_length, random, now);
}

MediaFlow *
mediaflow_new (World *world, unsigned id, RcTime now)
{
  MediaFlow *self = calloc (1, sizeof *self);

  self->world = world;
  self->id = id;
  self->config = &world->config->flows[id];
  self->trace = looptrace_new (world, id, now);
  start_sender (self, now);
  self->instance = 50 + 100 * id;
  start_receiver (self);
  start_pauses (self, &self->sender_pauses, now);
  start_pauses (self, &self->receiver_pauses, now);
  encoder_init (&self->encoder, &self->config->source,
      (double) self->config->limits.start_bps, now);
  follow_plan (self, now);
  return self;
}

static RcTime
awake_at (LinkStalls *pauses, RcTime now)
{
  link_stalls_forget (pauses, now);
  return link_stalls_ready_at (pauses, now);
}

/* A host that stands still takes what came when it wakes, and stamps it then. */
RcTime
mediaflow_run (MediaFlow *self, bool stopped, RcTime now)
{
  RcTime sender_at = awake_at (&self->sender_pauses, now);
  RcTime receiver_at = awake_at (&self->receiver_pauses, now);
  RcTime next = receiver_at > now ? receiver_at : run_receiver (self, now);

  if (sender_at > now)
    return rc_sooner (next, sender_at);
  run_feedback (self, now);
  return stopped ? next : rc_sooner (next, run_sender (self, now));
}

void
mediaflow_free (MediaFlow *self)
{
  if (self)
    looptrace_free (self->trace);
  free (self);
}
