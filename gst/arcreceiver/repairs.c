/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "repairs.h"

#include "base/clockglue.h"

#include <string.h>

#define REQUEST_EVENT "GstRTPRetransmissionRequest"
#define MAX_MS 60000            /* a claim beyond a minute is none */
/* Before so many requests the path is not known well enough to speak of it. */
#define TELL_AFTER 8
/* Reported again when it has grown by a quarter. */
#define TELL_GAIN 1.25
/* Between two requests, whatever the round trip is: sender and receiver take time. */
#define LEAST_ANSWER (10 * RC_MSEC)

void
repairs_init (Repairs * self)
{
  *self = (Repairs) {.jitter_latency = RC_TIME_NONE,.pipeline_latency = RC_TIME_NONE };
  packet_requests_init (&self->requests);
  repairs_begin (self);
}

void
repairs_clear (Repairs * self)
{
  packet_requests_clear (&self->requests);
}

void
repairs_begin (Repairs * self)
{
  packet_requests_forget (&self->requests);
  self->n_held = 0;
  rc_askplan_init (&self->plan);
  rc_repairtime_init (&self->time);
  self->rtt = self->wanted_at = self->reordered_at = RC_TIME_NONE;
  self->told_latency = 0;
}

/* --- lanes --- */

/* Problem: packets of a stream that comes by several lanes overtake each other, a jitter buffer
 * asks for what is only late, and the answers took a sixth of two links. Rule: only the jitter
 * buffer asks then; a request is held for half as long again as packets were late lately, and is
 * dropped if its packet comes. */
#define FIRST_HOLD (60 * RC_MSEC)
#define LEAST_HOLD (20 * RC_MSEC)
#define MOST_HOLD (150 * RC_MSEC)
#define HOLD_DECAY 256          /* packets that were late */

void
repairs_set_lanes (Repairs * self, gboolean lanes)
{
  if (lanes == (self->hold > 0))
    return;
  self->hold = lanes ? FIRST_HOLD : 0;
  self->n_held = 0;
}

static void
remove_held (Repairs * self, guint i)
{
  self->n_held--;
  memmove (self->held + i, self->held + i + 1, (self->n_held - i) * sizeof self->held[0]);
}

static void
hold (Repairs * self, const HeldRequest * request)
{
  for (guint i = 0; i < self->n_held; i++)
    if (self->held[i].packet.ssrc == request->packet.ssrc
        && self->held[i].packet.seq == request->packet.seq)
      return;
  if (self->n_held == REPAIRS_HELD)
    self->requests.stats.limited++;
  else
    self->held[self->n_held++] = *request;
}

static void
drop_held (Repairs * self, guint32 ssrc, guint16 seq, RcTime now)
{
  for (guint i = 0; i < self->n_held; i++) {
    const NackedPacket *packet = &self->held[i].packet;
    RcTime late = (now - self->held[i].asked_at) * 3 / 2;

    if (packet->ssrc != ssrc || packet->seq != seq)
      continue;
    self->hold = late > self->hold ? late : self->hold - self->hold / HOLD_DECAY;
    self->hold = CLAMP (self->hold, LEAST_HOLD, MOST_HOLD);
    remove_held (self, i);
    return;
  }
}

static void
ask_for_held (Repairs * self, RcTime now)
{
  while (self->n_held > 0 && now - self->held[0].asked_at >= self->hold) {
    const HeldRequest *held = &self->held[0];
    RcTime answer = rc_repairtime_answer (&self->time, self->rtt);

    if (packet_requests_add (&self->requests, held->packet, answer, now) && held->retry == 0
        && held->delay != RC_TIME_NONE)
      rc_repairtime_on_asked (&self->time, held->delay + now - held->asked_at);
    remove_held (self, 0);
  }
}

/* --- what downstream wants --- */

/* Not behind rtpssrcdemux, a jitter buffer names no SSRC. Of the sources to which the number may
 * belong it is then the one that sent most: the stream that repeats another sends less. */
static const Source *
find_source (const SourceTable * sources, const GstStructure * event, guint16 seq)
{
  const Source *best = NULL;
  guint ssrc = 0;
  gboolean named = gst_structure_get_uint (event, "ssrc", &ssrc);

  for (guint i = 0; i < sources->n_sources; i++) {
    const Source *source = &sources->sources[i];
    const RcLossHist *loss = &source->receiver.stats.loss;
    gint16 ahead = (gint16) (seq - (guint16) loss->highest_seq);

    if (!loss->primed || source->is_lane || (named && source->receiver.ssrc != ssrc))
      continue;
    if (ahead > RC_LOSSHIST_WINDOW || ahead < -RC_LOSSHIST_WINDOW)
      continue;
    if (!best || loss->received_pkts > best->receiver.stats.loss.received_pkts)
      best = source;
  }
  return best;
}

static guint32
extended (const Source * source, guint16 seq)
{
  guint32 highest = source->receiver.stats.loss.highest_seq;

  return highest + (guint32) (gint16) (seq - (guint16) highest);
}

static RcTime
get_ms (const GstStructure * event, const gchar * field)
{
  guint ms;

  return gst_structure_get_uint (event, field, &ms) && ms <= MAX_MS ? ms * RC_MSEC : RC_TIME_NONE;
}

static RcAskTimes
ask_times (const Repairs * self)
{
  RcTime answer = MAX (rc_repairtime_answer (&self->time, self->rtt), LEAST_ANSWER);

  return (RcAskTimes) {.answer = answer,.rtt = self->rtt,
    .latest_answer = MAX (rc_repairtime_latest_answer (&self->time, self->rtt), answer) };
}

/* Asked for, its answer would have come so late. By several lanes it may be late only. */
static void
note_hopeless (Repairs * self, RcTime delay, RcTime now)
{
  rc_repairtime_on_asked (&self->time, delay);
  if (self->hold == 0)
    rc_repairtime_on_first (&self->time, delay + ask_times (self).answer, now);
}

gboolean
repairs_on_event (Repairs * self, const SourceTable * sources, const GstStructure * event,
    RcTime now)
{
  RcTime delay = get_ms (event, "delay"), latency = get_ms (event, "deadline"), patience;
  RcAskTimes times;
  NackedPacket packet;
  const Source *source;
  guint seq, retry = 0;

  if (!gst_structure_has_name (event, REQUEST_EVENT) || !gst_structure_get_uint (event, "seqnum",
          &seq))
    return FALSE;
  if (latency != RC_TIME_NONE) {
    self->jitter_latency = latency;
    self->wanted_at = now;
  }
  source = find_source (sources, event, (guint16) seq);
  if (!source)
    return TRUE;
  if (source->srtt > 0)
    self->rtt = source->srtt;
  if ((gint16) (seq - (guint16) source->receiver.stats.loss.highest_seq) > 0) {
    self->requests.stats.ahead++;
    return TRUE;
  }
  gst_structure_get_uint (event, "retry", &retry);
  packet = (NackedPacket) { source->receiver.ssrc, (guint16) seq };
  if (delay != RC_TIME_NONE && latency != RC_TIME_NONE && self->rtt != RC_TIME_NONE
      && delay + self->rtt > latency) {
    self->requests.stats.late++;
    if (retry == 0 && !packet_requests_misses (&self->requests, packet, now))
      note_hopeless (self, delay, now);
    return TRUE;
  }
  if (self->hold > 0) {
    hold (self, &(HeldRequest) { packet, now, delay, retry });
    return TRUE;
  }
  times = ask_times (self);
  patience = rc_askplan_patience (&self->plan, packet.ssrc, extended (source, packet.seq), &times);
  if (!packet_requests_add (&self->requests, packet, patience, now))
    return TRUE;
  rc_askplan_on_asked (&self->plan, packet.ssrc, extended (source, packet.seq), now);
  if (retry == 0 && delay != RC_TIME_NONE)
    rc_repairtime_on_asked (&self->time, delay);
  return TRUE;
}

void
repairs_note_nacks (Repairs * self, const RtcpNacks * nacks, RcTime now)
{
  for (guint i = 0; i < nacks->n_packets; i++)
    packet_requests_note (&self->requests, nacks->packets[i], now);
}

/* --- what comes --- */

/* A packet of the source that had been lost. */
static void
note_first (Repairs * self, const Source * source, const RtpPacket * packet, RcTime now)
{
  RcTime due_at = rc_frametimes_due_at (&source->frames, packet->timestamp);

  if (due_at != RC_TIME_NONE)
    rc_repairtime_on_first (&self->time, now - due_at, now);
}

static void
note_repair (Repairs * self, const Source * source, const RtpPacket * packet, RcTime waited,
    RcTime now)
{
  if (waited == RC_TIME_NONE)
    return;
  rc_repairtime_on_repair (&self->time, waited);
  note_first (self, source, packet, now);
}

PacketRepair
repairs_on_packet (Repairs * self, const Source * source, const RtpPacket * packet, RcTime now)
{
  const RcLossHist *loss = &source->receiver.stats.loss;
  guint16 behind = (guint16) (loss->highest_seq - packet->seq);
  RcTime rtt = source->srtt, waited;
  PacketRepair repair;

  packet_requests_on_packet (&self->requests);
  drop_held (self, packet->ssrc, packet->seq, now);
  if (!loss->primed || behind == 0 || behind >= RC_LOSSHIST_WINDOW
      || rc_losshist_seen (loss, loss->highest_seq - behind))
    return PACKET_IS_NO_REPAIR;
  repair = packet_requests_on_arrival (&self->requests, (NackedPacket) { packet->ssrc,
          packet->seq }, rtt, now, &waited);
  if (repair == PACKET_IS_REPAIR)
    note_repair (self, source, packet, waited, now);
  return repair;
}

Source *
repairs_on_stream (Repairs * self, SourceTable * sources, const RtpPacket * packet, RcTime now,
    guint32 * seq)
{
  for (guint i = 0; i < sources->n_sources; i++) {
    Source *media = &sources->sources[i];
    guint32 highest = media->receiver.stats.loss.highest_seq;
    NackedPacket original = { media->receiver.ssrc, packet->osn };
    RcTime waited;

    if (original.ssrc == packet->ssrc || media->payload_type == packet->payload_type
        || !packet_requests_misses (&self->requests, original, now))
      continue;
    packet_requests_on_arrival (&self->requests, original, 0, now, &waited);
    note_repair (self, media, packet, waited, now);
    *seq = highest - (guint16) (highest - packet->osn);
    return media;
  }
  return NULL;
}

gboolean
repairs_has_come (const Repairs * self, const Source * source, guint32 seq, RcTime now)
{
  return packet_requests_has_come (&self->requests, (NackedPacket) { source->receiver.ssrc,
        (guint16) seq }, now);
}

void
repairs_on_counted (Repairs * self, const Source * source, guint32 lost_pkts)
{
  if (source->srtt > 0)
    self->rtt = source->srtt;
  rc_repairtime_on_packet (&self->time, lost_pkts);
}

void
repairs_on_late (Repairs * self, const Source * source, const RtpPacket * packet, RcTime now)
{
  rc_repairtime_on_late (&self->time);
  note_first (self, source, packet, now);
}

/* --- what is missing --- */

static gboolean
is_recent (RcTime at, RcTime now)
{
  return at != RC_TIME_NONE && now - at < REPAIRS_SPAN;
}

/* FALSE: only the jitter buffer asks. */
static gboolean
asks_itself (const Repairs * self, const Source * source, RcTime now)
{
  return self->hold == 0 && is_recent (self->wanted_at, now) && self->rtt != RC_TIME_NONE
      && !source->has_fec;
}

/* Counted from when it would have come without delay, as the jitter buffer does. */
static RcTime
useful_until (const Repairs * self, const Source * source, guint32 timestamp, RcTime missed_at)
{
  RcTime due_at = rc_frametimes_due_at (&source->frames, timestamp);

  return (due_at == RC_TIME_NONE ? missed_at : MIN (due_at, missed_at)) + self->jitter_latency;
}

void
repairs_on_gap (Repairs * self, const Source * source, guint32 first, guint n,
    const guint32 timestamps[2], RcTime since, RcTime now)
{
  guint32 step = timestamps[1] - timestamps[0];

  if (!asks_itself (self, source, now) || is_recent (self->reordered_at, now))
    return;
  for (guint i = 0; i < MIN (n, RC_ASKPLAN_MAX); i++) {
    gdouble part = (i + 1.0) / (n + 1.0);
    RcTime missed_at = since + (RcTime) ((gdouble) (now - since) * part);
    guint32 timestamp = timestamps[0] + (guint32) (step * part);

    rc_askplan_on_missing (&self->plan, source->receiver.ssrc, first + i, missed_at,
        useful_until (self, source, timestamp, missed_at));
  }
}

void
repairs_on_lost (Repairs * self, const Source * source, guint32 seq, RcTime now)
{
  if (asks_itself (self, source, now))
    rc_askplan_on_missing (&self->plan, source->receiver.ssrc, seq, now,
        now + self->jitter_latency);
}

void
repairs_on_came (Repairs * self, const Source * source, guint32 seq, gboolean late, RcTime now)
{
  rc_askplan_on_came (&self->plan, source->receiver.ssrc, seq);
  if (late)
    self->reordered_at = now;
}

gboolean
repairs_take_hopeless (Repairs * self, RcTime now, guint32 * ssrc, guint32 * seq)
{
  RcAskTimes times = ask_times (self);
  RcMissingPacket packet;

  if (!rc_askplan_take_hopeless (&self->plan, &times, now, &packet))
    return FALSE;
  *ssrc = packet.ssrc;
  *seq = packet.seq;
  return TRUE;
}

static void
ask_for_due (Repairs * self, RcTime now)
{
  RcAskTimes times = ask_times (self);
  RcMissingPacket packet;

  while (rc_askplan_take_due (&self->plan, &times, now, &packet)) {
    NackedPacket nacked = { packet.ssrc, (guint16) packet.seq };

    if (packet_requests_add (&self->requests, nacked, times.answer, now)
        && packet.asked_at == RC_TIME_NONE)
      rc_repairtime_on_asked (&self->time, now - packet.missed_at);
  }
}

/* --- what follows --- */

RcTime
repairs_due_at (const Repairs * self)
{
  RcAskTimes times = ask_times (self);
  RcTime held_until = self->n_held > 0 ? self->held[0].asked_at + self->hold : RC_TIME_NONE;

  return rc_sooner (rc_sooner (self->requests.due_at, held_until),
      rc_askplan_due_at (&self->plan, &times));
}

GstBuffer *
repairs_take (Repairs * self, guint32 ssrc, gboolean continues, RcTime now)
{
  ask_for_due (self, now);
  ask_for_held (self, now);
  return packet_requests_take (&self->requests, ssrc, SOURCE_TABLE_COMPOUND_BYTES, continues, now);
}

RcTime
repairs_latency_there (const Repairs * self)
{
  return self->jitter_latency != RC_TIME_NONE ? self->jitter_latency : self->pipeline_latency;
}

/* Also what a jitter buffer asked for too late: behind one that is shorter than a round trip all of
 * them are. */
static guint64
wanted_pkts (const Repairs * self)
{
  return self->requests.stats.asked + self->requests.stats.late;
}

RcTime
repairs_needed_latency (const Repairs * self, RcTime now)
{
  return wanted_pkts (self) > 0 || self->hold > 0
      ? rc_repairtime_latency (&self->time, self->rtt, now) : RC_TIME_NONE;
}

gboolean
repairs_lack_latency (Repairs * self, RcTime now, RcTime * needed, RcTime * there)
{
  *needed = rc_repairtime_latency (&self->time, self->rtt, now);
  *there = repairs_latency_there (self);
  if (*needed == RC_TIME_NONE || *there == RC_TIME_NONE || *needed <= *there
      || wanted_pkts (self) < TELL_AFTER
      || *needed < TELL_GAIN * (gdouble) self->told_latency)
    return FALSE;
  self->told_latency = *needed;
  return TRUE;
}

#define COUNTER(...) FIELD_COUNTER (PacketRequestsStats, __VA_ARGS__)

const FieldRow repairs_request_fields[] = {
  COUNTER (asked, "rtx-asked", "", "packets requested again"),
  COUNTER (nacks, "rtx-nacks", "", "NACK messages sent"),
  COUNTER (repaired, "rtx-repaired", "", "requested packets that arrived"),
  COUNTER (repeated, "rtx-repeated", "", "retransmissions of packets that had arrived already"),
  COUNTER (limited, "rtx-limited", "", "requests dropped: too many"),
  COUNTER (late, "rtx-late", "", "requests dropped: the packet would arrive too late"),
  COUNTER (early, "rtx-early", "", "repeated requests dropped: the answer may be under way"),
  COUNTER (ahead, "rtx-ahead", "",
      "requests dropped: no higher number came yet (rtx-next-seqnum)"),
  {NULL}
};

typedef struct
{
  RcTime needed, there;         /* RC_TIME_NONE: unknown */
} Latencies;

const FieldRow repairs_latency_fields[] = {
  FIELD_GAUGE (Latencies, needed, "repair-latency", "ns",
      "jitter buffer latency that repair needs on this path; 0: unknown"),
  FIELD_GAUGE (Latencies, there, "latency", "ns",
      "jitter buffer latency, or else that of the pipeline; 0: unknown"),
  {NULL}
};

void
repairs_add_stats (const Repairs * self, RcTime now, GstStructure * stats)
{
  Latencies latencies = { rc_repairtime_latency (&self->time, self->rtt, now),
    repairs_latency_there (self)
  };

  fields_add (stats, repairs_request_fields, &self->requests.stats);
  fields_add (stats, repairs_latency_fields, &latencies);
}
