/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "meter.h"

#include "base/clockglue.h"
#include "rtp/ratestamp.h"
#include "rtp/rtcpwriter.h"

/* Of a packet in the network; the report's are counted so, too. */
#define BOUND_INTERVAL RC_SECOND        /* senders forget it after five */
#define OVERHEAD_BYTES RC_OVERHEAD_IPV4_BYTES
/* The packets of lanes overtake each other by as much, and one that a lane in doubt took comes by
 * another one within it. */
#define LANES_SPREAD (250 * RC_MSEC)
/* A source that sent within it is still there: another SSRC of its payload type must show that it
 * is no single false packet. */
#define RIVAL_TIME (100 * RC_MSEC)
#define MAX_ARRIVAL_AGE RC_SECOND       /* a claim older than this is not a time of arrival */
#define ASK_INTERVAL RC_SECOND  /* a walk downstream takes up to a millisecond */

void
meter_init (Meter * self)
{
  *self = (Meter) { 0 };
  g_mutex_init (&self->lock);
  source_table_init (&self->sources);
  g_atomic_int_set (&self->stamp_id, RATE_STAMP_ID);
  feedback_choice_begin (&self->choice);
  standard_feedback_init (&self->standard);
  keyframe_wishes_init (&self->keyframes);
  repairs_init (&self->repairs);
}

void
meter_clear (Meter * self)
{
  standard_feedback_clear (&self->standard);
  repairs_clear (&self->repairs);
  doubts_forget (&self->doubts);
  gst_clear_object (&self->clock);
  g_mutex_clear (&self->lock);
}

/* From here on: statics want the lock held, the others take it. */

static RcTime
clock_now (Meter * self)
{
  return clock_glue_from_gst (gst_clock_get_time (self->clock));
}

static void
new_instance (Meter * self)
{
  self->late_since = self->wakes_at = RC_TIME_NONE;
  self->look_at = self->ask_at = 0;
  self->instance = g_random_int ();
  self->arrived_at = 0;
  source_table_forget (&self->sources);
  doubts_forget (&self->doubts);
  feedback_choice_begin (&self->choice);
  standard_feedback_begin (&self->standard);
  keyframe_wishes_begin (&self->keyframes);
  repairs_begin (&self->repairs);
}

void
meter_restart (Meter * self)
{
  g_mutex_lock (&self->lock);
  new_instance (self);
  self->by_lanes = self->late_told = self->numbers_told = FALSE;
  self->keyframes.spread = 0;
  repairs_set_lanes (&self->repairs, FALSE);
  source_table_init (&self->sources);
  self->repairs.requests.stats = (PacketRequestsStats) { 0 };
  self->doubts.dropped = 0;
  self->reports_sent = self->sender_infos = self->sender_reports = self->rtcp_other =
      self->rtcp_malformed = self->invalid_pkts = self->standard.lists->untold_numbers =
      self->keyframes.requests = 0;
  g_mutex_unlock (&self->lock);
}

void
meter_set_clock (Meter * self, GstClock * clock)
{
  g_mutex_lock (&self->lock);
  if (gst_object_replace ((GstObject **) & self->clock, GST_OBJECT (clock)))
    new_instance (self);
  g_mutex_unlock (&self->lock);
}

void
meter_set_caps (Meter * self, const GstCaps * caps)
{
  FeedbackOffer offer = feedback_offer_from_caps (caps);

  g_atomic_int_set (&self->stamp_id, rate_stamp_id_of_caps (caps));
  g_atomic_int_set (&self->twcc_id, offer.twcc_id);
  g_mutex_lock (&self->lock);
  self->choice.offer = offer;
  standard_feedback_set_caps (&self->standard, caps);
  keyframe_wishes_set_caps (&self->keyframes, caps);
  g_mutex_unlock (&self->lock);
}

void
meter_learn_caps (Meter * self, const GstCaps * caps)
{
  g_mutex_lock (&self->lock);
  standard_feedback_set_caps (&self->standard, caps);
  g_mutex_unlock (&self->lock);
}

/* With the lock held. */
static void
set_by_lanes (Meter * self, gboolean by_lanes)
{
  self->by_lanes = by_lanes;
  self->keyframes.spread = by_lanes ? LANES_SPREAD : 0;
  repairs_set_lanes (&self->repairs, by_lanes);
}

void
meter_set_lanes (Meter * self, const guint32 * ssrcs, guint n)
{
  g_mutex_lock (&self->lock);
  source_table_set_lanes (&self->sources, ssrcs, n);
  if (n == 0)
    set_by_lanes (self, FALSE);
  g_mutex_unlock (&self->lock);
}

/* When it came, as far as claimed_at can be believed. */
static RcTime
arrival_of (GstClockTime claimed_at, RcTime now)
{
  RcTime claimed = clock_glue_from_gst (claimed_at);

  return claimed != RC_TIME_NONE && claimed <= now && now - claimed <= MAX_ARRIVAL_AGE
      ? claimed : now;
}

/* By lanes the statistics of the media go on. */
static RcTime
report_due_at (Meter * self, RcTime now)
{
  return self->by_lanes || feedback_choice_now (&self->choice, now) == GST_ARC_FEEDBACK_ARC
      ? source_table_due_at (&self->sources, now)
      : standard_feedback_due_at (&self->standard, &self->sources, &self->choice.offer, now);
}

static RcTime
due_at (Meter * self, RcTime now)
{
  return rc_sooner (rc_sooner (rc_sooner (report_due_at (self, now),
              source_table_lanes_due_at (&self->sources, now)), repairs_due_at (&self->repairs)),
      keyframe_wishes_due_at (&self->keyframes, &self->sources, now));
}

/* Something is due sooner than the one who reports comes by himself. */
static gboolean
must_wake (Meter * self, RcTime now)
{
  RcTime at = due_at (self, now);

  if (at == RC_TIME_NONE || (self->wakes_at != RC_TIME_NONE && at >= self->wakes_at))
    return FALSE;
  self->wakes_at = at;
  return TRUE;
}

/* What this packet filled, or showed to be lost. */
static void
note_losses (Meter * self, Source * source, guint16 arrived, gboolean late, guint32 judged_seq,
    RcTime now)
{
  const RcLossHist *loss = &source->receiver.stats.loss;
  guint32 came_seq = loss->highest_seq - (guint16) (loss->highest_seq - arrived);
  guint32 seq = judged_seq + 1;

  keyframe_wishes_on_came (&self->keyframes, source, came_seq);
  repairs_on_came (&self->repairs, source, came_seq, late, now);
  if ((gint32) (loss->highest_seq - RC_LOSSHIST_WINDOW + 1 - seq) > 0)
    seq = loss->highest_seq - RC_LOSSHIST_WINDOW + 1;
  for (; (gint32) (loss->judged_seq - seq) >= 0; seq++)
    if (!rc_losshist_seen (loss, seq) && !repairs_has_come (&self->repairs, source, seq, now)) {
      keyframe_wishes_on_lost (&self->keyframes, source, seq, now);
      repairs_on_lost (&self->repairs, source, seq, now);
    }
}

/* A packet of the source's media came, or a copy of it: both have the timestamp of their frame. */
static void
note_frame (Meter * self, Source * source, guint8 payload_type, const RtpPacket * packet,
    RcTime arrived_at, gboolean repair)
{
  rc_frametimes_on_packet (&source->frames, packet->timestamp,
      standard_feedback_clock_rate (&self->standard, payload_type), arrived_at);
  meter_note_played (self, source, packet->timestamp, arrived_at, repair);
}

/* It counts, and may bring back one that was lost. */
static void
note_rfc4588 (Meter * self, const RtpPacket * packet, RcTime arrived_at, RcTime now)
{
  guint32 seq;
  Source *media = repairs_on_stream (&self->repairs, &self->sources, packet, now, &seq);

  if (!media)
    return;
  keyframe_wishes_on_came (&self->keyframes, media, seq);
  repairs_on_came (&self->repairs, media, seq, FALSE, now);
  note_frame (self, media, media->payload_type, packet, arrived_at, TRUE);
}

/* Another SSRC sends the same kind of media now. */
static gboolean
has_rival (Meter * self, const Source * source, const RtpPacket * packet, RcTime now)
{
  for (guint i = 0; i < self->sources.n_sources; i++) {
    const Source *other = &self->sources.sources[i];

    if (other != source && other->receiver.stats.loss.primed
        && other->payload_type == packet->payload_type && now - other->came_at < RIVAL_TIME)
      return TRUE;
  }
  return FALSE;
}

/* Whether it may go on. source: NULL: it found no place. */
static void
judge (Meter * self, Source * source, const RtpPacket * packet, gboolean first,
    RcLossVerdict verdict, RcTime now, GstBuffer * buffer, MeterMedia * media)
{
  gboolean doubtful = !source || (first && has_rival (self, source, packet, now));
  RcLeapVerdict leap = doubts_judge (&self->doubts, packet->ssrc, packet->seq,
      source ? &source->leaps : NULL, doubtful, buffer, &media->before);

  if (leap == RC_LEAP_NONE && verdict == RC_LOSSHIST_RESTARTED)
    rc_leaps_begin_at (&source->leaps, packet->seq);
  media->waits = leap == RC_LEAP_DOUBTED;
  media->anew = leap == RC_LEAP_CONFIRMED || verdict == RC_LOSSHIST_RESTARTED;
}

/* judged_seq: before it came. */
static gboolean
was_lost (const Source * source, guint16 arrived, guint32 judged_seq)
{
  guint32 highest = source->receiver.stats.loss.highest_seq;
  guint32 seq = highest - (guint16) (highest - arrived);

  return (gint32) (seq - judged_seq) <= 0;
}

/* What it tells about repair. lost_pkts, judged_seq: before it came. */
static void
note_counted (Meter * self, Source * source, const RtpPacket * packet, RcLossVerdict verdict,
    guint32 lost_pkts, guint32 judged_seq, RcTime now)
{
  gint32 new_pkts = (gint32) (source->receiver.stats.loss.lost_pkts - lost_pkts);

  if (verdict == RC_LOSSHIST_LATE && was_lost (source, packet->seq, judged_seq)) {
    repairs_on_late (&self->repairs, source, packet, now);
    new_pkts++;
  }
  repairs_on_counted (&self->repairs, source, (guint32) MAX (new_pkts, 0));
  if (new_pkts > 0)
    meter_note_lost (self, now);
}

/* TRUE: it is a repair, counted only in the statistics of TWCC, where it has a number of its own.
 * Its loss remains a loss, and it gives no delay sample. */
static gboolean
measure (Meter * self, const RtpPacket * packet, GstBuffer * buffer, RcTime arrived_at, RcTime now,
    MeterMedia * media)
{
  Source *source = source_table_get (&self->sources, packet->ssrc, now);
  guint32 lost_pkts, judged_seq, highest_seq, missing, timestamps[2] = { 0, packet->timestamp };
  RcLossVerdict verdict;
  gboolean first;

  if (!source) {
    judge (self, NULL, packet, TRUE, RC_LOSSHIST_NEW, now, buffer, media);
    return FALSE;
  }
  if (self->by_lanes)
    source->srtt = source_table_lanes_srtt (&self->sources, now);
  if (repairs_on_packet (&self->repairs, source, packet, now) != PACKET_IS_NO_REPAIR) {
    standard_feedback_on_repair (&self->standard, packet, arrived_at);
    note_losses (self, source, packet->seq, FALSE, source->receiver.stats.loss.judged_seq, now);
    note_frame (self, source, packet->payload_type, packet, arrived_at, TRUE);
    return TRUE;
  }
  keyframe_wishes_on_repeat (&self->keyframes, &self->sources, packet, buffer, now);
  first = !source->receiver.stats.loss.primed;
  lost_pkts = source->receiver.stats.loss.lost_pkts;
  judged_seq = source->receiver.stats.loss.judged_seq;
  highest_seq = source->receiver.stats.loss.highest_seq;
  timestamps[0] = source->frames.newest_rtp;
  source->payload_type = packet->payload_type;
  feedback_choice_on_media (&self->choice, first, now);
  verdict = rc_receiver_on_packet (&source->receiver, packet->seq, packet->bytes,
      packet->ecn == RC_ECN_BITS_CE, arrived_at);
  judge (self, source, packet, first, verdict, now, buffer, media);
  if (packet->ecn_read)
    rc_receiver_on_ecn (&source->receiver, packet->ecn);
  rc_receiver_on_stamp (&source->receiver, packet->explicit_bps);
  standard_feedback_set_format (&self->standard, feedback_choice_now (&self->choice, now));
  standard_feedback_on_packet (&self->standard, &self->sources, source, verdict, packet,
      arrived_at);
  if (verdict != RC_LOSSHIST_STRAY && verdict != RC_LOSSHIST_DUPLICATE)
    note_frame (self, source, packet->payload_type, packet, arrived_at, FALSE);
  first |= verdict == RC_LOSSHIST_RESTARTED;
  missing = verdict == RC_LOSSHIST_NEW && !first
      ? source->receiver.stats.loss.highest_seq - highest_seq - 1 : 0;
  if (missing > 0)
    repairs_on_gap (&self->repairs, source, highest_seq + 1, missing, timestamps, source->came_at,
        now);
  keyframe_wishes_on_gap (source, source->receiver.stats.loss.highest_seq - highest_seq > 1, now);
  if (!first)
    note_losses (self, source, packet->seq, verdict == RC_LOSSHIST_LATE, judged_seq, now);
  keyframe_wishes_on_packet (&self->keyframes, source, packet, buffer, first);
  note_rfc4588 (self, packet, arrived_at, now);
  note_counted (self, source, packet, verdict, lost_pkts, judged_seq, now);
  return FALSE;
}

/* It pays for reports. */
static void
count (Meter * self, guint bytes)
{
  self->sources.came_bytes += bytes + OVERHEAD_BYTES;
  standard_feedback_count (&self->standard, bytes + OVERHEAD_BYTES);
}

/* Asks for it: some payload types, as those of repairs, never get one. */
static gboolean
lacks_clock_rate (Meter * self, const RtpPacket * packet, RcTime now)
{
  if (standard_feedback_clock_rate (&self->standard, packet->payload_type) > 0
      || now < self->ask_at)
    return FALSE;
  self->ask_at = now + ASK_INTERVAL;
  return TRUE;
}

static void
take_rtp (Meter * self, MeterMedia * media, RtpPacketExtensions extensions, RcTime now)
{
  RtpPacket packet;

  count (self, (guint) gst_buffer_get_size (media->buffer));
  media->is_rtp = rtp_packet_read (media->buffer, extensions, &packet);
  if (!media->is_rtp) {
    self->invalid_pkts++;
    return;
  }
  self->arrived_at = MAX (self->arrived_at, arrival_of (media->claimed_at, now));
  media->repair = measure (self, &packet, media->buffer, self->arrived_at, now, media);
  media->unclocked = lacks_clock_rate (self, &packet, now);
}

gboolean
meter_take_rtp (Meter * self, MeterMedia * media, guint n)
{
  RtpPacketExtensions extensions = { (guint8) g_atomic_int_get (&self->stamp_id),
    (guint8) g_atomic_int_get (&self->twcc_id) };
  gboolean wake;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_now (self);
  for (guint i = 0; i < n; i++)
    take_rtp (self, &media[i], extensions, now);
  wake = must_wake (self, now);
  g_mutex_unlock (&self->lock);
  return wake;
}

guint64
meter_read_stamp (Meter * self, GstBuffer * buffer)
{
  guint64 bps = rate_stamp_attached (buffer);
  guint8 *stamp;
  GstMapInfo map;

  if (bps > 0 || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return bps;
  stamp = rate_stamp_find (map.data, map.size, (guint8) g_atomic_int_get (&self->stamp_id));
  bps = stamp ? rate_stamp_bps (stamp) : 0;
  gst_buffer_unmap (buffer, &map);
  return bps;
}

void
meter_take_lane (Meter * self, const RtpPacket * packet, GstClockTime claimed_at, gboolean * wake)
{
  Source *lane;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_now (self);
  lane = source_table_get (&self->sources, packet->ssrc, now);
  if (!self->by_lanes)
    set_by_lanes (self, TRUE);
  if (lane) {
    self->arrived_at = MAX (self->arrived_at, arrival_of (claimed_at, now));
    rc_receiver_on_packet (&lane->receiver, packet->seq, packet->bytes,
        packet->ecn_read && packet->ecn == RC_ECN_BITS_CE, self->arrived_at);
    if (packet->ecn_read)
      rc_receiver_on_ecn (&lane->receiver, packet->ecn);
    rc_receiver_on_stamp (&lane->receiver, packet->explicit_bps);
  }
  *wake = must_wake (self, now);
  g_mutex_unlock (&self->lock);
}

gboolean
meter_take_copy (Meter * self, guint32 ssrc, guint16 seq)
{
  gboolean asked = FALSE;

  g_mutex_lock (&self->lock);
  if (self->clock)
    asked = packet_requests_on_copy (&self->repairs.requests, (NackedPacket) { ssrc, seq },
        clock_now (self));
  g_mutex_unlock (&self->lock);
  return asked;
}

void
meter_note_nacks (Meter * self, const RtcpNacks * nacks)
{
  g_mutex_lock (&self->lock);
  if (self->clock)
    repairs_note_nacks (&self->repairs, nacks, clock_now (self));
  g_mutex_unlock (&self->lock);
}

static void
take_infos (Meter * self, const RtcpMessage * message, RcTime now)
{
  for (guint i = 0; i < message->n_infos; i++) {
    Source *source = source_table_get_told (&self->sources, message->infos[i].ssrc, now);

    self->sender_infos++;
    feedback_choice_on_info (&self->choice, now);
    if (!source)
      continue;
    source->srtt = (RcTime) message->infos[i].srtt_us * RC_USEC;
    rc_receiver_on_info (&source->receiver, &message->infos[i], now);
  }
}

/* Only sources that sent media: other SSRCs may be forged. */
static void
take_sender_reports (Meter * self, const RtcpMessage * message, RcTime arrived_at)
{
  self->sender_reports += message->n_sender_reports;
  for (guint i = 0; i < message->n_sender_reports; i++) {
    const RtcpSenderReport *report = &message->sender_reports[i];
    Source *source = source_table_find (&self->sources, report->ssrc);

    if (source)
      standard_feedback_on_sender_report (&self->standard, source, report->ntp, arrived_at);
  }
}

gboolean
meter_take_rtcp (Meter * self, const RtcpMessage * message, guint bytes, GstClockTime claimed_at,
    gboolean * wake)
{
  gboolean others = message->n_others > 0;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_now (self);
  count (self, bytes);
  self->rtcp_malformed += rtcp_message_unread (message) + (message->verdict != RTCP_VALID);
  self->rtcp_other += others;
  take_infos (self, message, now);
  take_sender_reports (self, message, arrival_of (claimed_at, now));
  *wake = must_wake (self, now);
  g_mutex_unlock (&self->lock);
  return others;
}

/* The statistics of the sources go on in any format, and without a report. */
static GstBuffer *
new_report (Meter * self, RcTime now)
{
  RcReport reports[SOURCE_TABLE_SIZE];
  guint n = source_table_report (&self->sources, now, reports);

  if (self->by_lanes)
    return NULL;
  if (feedback_choice_now (&self->choice, now) != GST_ARC_FEEDBACK_ARC)
    return standard_feedback_new_report (&self->standard, &self->sources, &self->choice.offer,
        self->instance, now);
  return n > 0 ? rtcp_new_reports (self->instance, reports, n) : NULL;
}

gboolean
meter_take_event (Meter * self, const GstStructure * event, gboolean * wake)
{
  gboolean ours = FALSE;
  RcTime now;

  *wake = FALSE;
  g_mutex_lock (&self->lock);
  if (self->clock) {
    now = clock_now (self);
    keyframe_wishes_on_event (&self->keyframes, &self->sources, event, now);
    ours = repairs_on_event (&self->repairs, &self->sources, event, now);
    *wake = must_wake (self, now);
  }
  g_mutex_unlock (&self->lock);
  return ours;
}

static GstBuffer *
join (GstBuffer * first, GstBuffer * then)
{
  return first && then ? gst_buffer_append (first, then) : first ? first : then;
}

static void
note_hopeless (Meter * self, RcTime now)
{
  guint32 ssrc, seq;

  while (repairs_take_hopeless (&self->repairs, now, &ssrc, &seq)) {
    Source *source = source_table_find (&self->sources, ssrc);

    if (source)
      keyframe_wishes_on_hopeless (&self->keyframes, source, seq, now);
  }
}

/* With a report, each second: senders forget it after some. */
static GstBuffer *
new_bound (Meter * self, RcTime now)
{
  guint32 ssrcs[SOURCE_TABLE_SIZE];
  guint n = 0;

  if (self->max_bps == 0 || now < self->bound_at)
    return NULL;
  for (guint i = 0; i < self->sources.n_sources; i++)
    if (!self->sources.sources[i].is_lane)
      ssrcs[n++] = self->sources.sources[i].receiver.ssrc;
  if (n == 0)
    return NULL;
  self->bound_at = now + BOUND_INTERVAL;
  return rtcp_new_bound (self->instance, self->max_bps, ssrcs, n);
}

static GstBuffer *
new_lane_report (Meter * self, RcTime now)
{
  RcReport report;

  return source_table_report_lane (&self->sources, now, &report)
      ? rtcp_new_reports (self->instance, &report, 1) : NULL;
}

/* A request for a keyframe takes the report along, though that was not due yet. NACKs, which are
 * many, do not. */
static GstBuffer *
new_compound (Meter * self, RcTime now)
{
  RcTime report_at = report_due_at (self, now);
  GstBuffer *keyframes = keyframe_wishes_take (&self->keyframes, &self->sources, self->instance,
      now), *report = NULL, *nacks;

  if (keyframes || (report_at != RC_TIME_NONE && report_at <= now))
    report = new_report (self, now);
  if (report && gst_buffer_get_size (report) == 0)
    gst_clear_buffer (&report);
  if (report)
    report = join (report, new_bound (self, now));
  nacks = repairs_take (&self->repairs, self->instance, report || keyframes, now);
  return join (join (report, keyframes), nacks);
}

static gboolean
lacks_numbers (Meter * self)
{
  return !self->numbers_told && self->choice.wanted == GST_ARC_FEEDBACK_TWCC
      && !self->standard.lists->transport.history.primed;
}

/* adapt-latency sets the latency that repair needs. */
static gboolean
plays (const Meter * self)
{
  for (guint i = 0; i < self->sources.n_sources; i++)
    if (self->sources.sources[i].plays)
      return TRUE;
  return FALSE;
}

static void
find_faults (Meter * self, MeterReport * report, RcTime now)
{
  if (report->buffer && lacks_numbers (self)) {
    self->numbers_told = TRUE;
    report->faults |= METER_LACKS_NUMBERS;
  }
  if (!plays (self) && repairs_lack_latency (&self->repairs, now, &report->needed,
          &report->there))
    report->faults |= METER_LACKS_LATENCY;
  if (meter_comes_late (self, now, &report->delay, &report->there))
    report->faults |= METER_COMES_LATE;
}

void
meter_report (Meter * self, MeterReport * report)
{
  RcTime now;

  *report = (MeterReport) { 0 };
  g_mutex_lock (&self->lock);
  now = clock_now (self);
  report->due_at = due_at (self, now);
  if (report->due_at != RC_TIME_NONE && report->due_at <= now) {
    note_hopeless (self, now);
    report->buffer = new_lane_report (self, now);
    if (!report->buffer)
      report->buffer = new_compound (self, now);
    report->due_at = due_at (self, now);
  }
  find_faults (self, report, now);
  self->wakes_at = report->due_at;
  g_mutex_unlock (&self->lock);
}

void
meter_count_sent (Meter * self)
{
  g_mutex_lock (&self->lock);
  self->reports_sent++;
  g_mutex_unlock (&self->lock);
}

static void
add_sources (Meter * self, GstStructure * stats)
{
  GValue sources = G_VALUE_INIT, source = G_VALUE_INIT;
  guint i;

  g_value_init (&sources, GST_TYPE_ARRAY);
  g_value_init (&source, GST_TYPE_STRUCTURE);
  for (i = 0; i < self->sources.n_sources; i++) {
    g_value_take_boxed (&source, source_to_structure (&self->sources.sources[i]));
    gst_value_array_append_value (&sources, &source);
  }
  g_value_unset (&source);
  gst_structure_take_value (stats, "sources", &sources);
}

typedef struct
{
  guint64 received_bps;
  const gchar *feedback;
  guint64 unreported;
  RcTime frame_p50, frame_p95, frame_p99;
} MeterNow;

const FieldRow meter_fields_now[] = {
  FIELD_BITRATE (MeterNow, received_bps, "received-bitrate", "received media, low-pass filtered"),
  FIELD_TEXT (MeterNow, feedback, "feedback",
      "report format in use, a value of the property feedback"),
  FIELD_COUNTER (MeterNow, unreported, "arrivals-unreported", "",
      "packets that no packet list reported"),
  FIELD_GAUGE (MeterNow, frame_p50, "frame-delay-p50", "ns",
      "how much later than the fastest frame a frame was whole: median, of the source where it "
      "is largest"),
  FIELD_GAUGE (MeterNow, frame_p95, "frame-delay-p95", "ns",
      "95th percentile of it: a jitter buffer of that latency shows 95 % in time"),
  FIELD_GAUGE (MeterNow, frame_p99, "frame-delay-p99", "ns", "99th percentile of it"),
  {NULL}
};

#define COUNTER(...) FIELD_COUNTER (Meter, __VA_ARGS__)

const FieldRow meter_fields[] = {
  COUNTER (invalid_pkts, "invalid-packets", "", "packets that are neither RTP nor RTCP"),
  COUNTER (doubts.dropped, "packets-doubted", "",
      "packets far ahead of all others, dropped"),
  COUNTER (reports_sent, "reports-sent", "", "reports sent"),
  COUNTER (keyframes.requests, "keyframe-requests", "", "PLI and FIR messages sent"),
  COUNTER (sender_infos, "sender-infos", "", "messages received from rmcsink"),
  COUNTER (sender_reports, "sender-reports", "", "RTP sender reports received"),
  COUNTER (rtcp_other, "rtcp-other", "", "RTCP packets for other elements"),
  COUNTER (rtcp_malformed, "rtcp-malformed", "", "malformed RTCP packets"),
  COUNTER (sources.evicted, "sources-evicted", "", "idle SSRCs evicted by new ones"),
  COUNTER (sources.refused, "sources-refused", "", "SSRCs not measured because the table was full"),
  FIELD_OWN (FIELD_ARRAY, "sources", "one " GST_ARC_RECEIVER_SOURCE_STATS
      " an SSRC; also one a path of a sender with several, which is not in the sums"),
  {NULL}
};

GstStructure *
meter_to_structure (Meter * self)
{
  GstStructure *stats = gst_structure_new_empty (GST_ARC_RECEIVER_STATS);
  SourceTotals totals;
  MeterNow values;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = self->clock ? clock_now (self) : 0;
  totals = source_table_totals (&self->sources);
  values.received_bps = source_table_bandwidth_bps (&self->sources, now);
  values.feedback = gst_arc_feedback_nick (feedback_choice_now (&self->choice, now));
  values.unreported = packet_lists_untold (self->standard.lists);
  values.frame_p50 = source_table_frame_delay (&self->sources, 0.50);
  values.frame_p95 = source_table_frame_delay (&self->sources, 0.95);
  values.frame_p99 = source_table_frame_delay (&self->sources, 0.99);
  fields_add (stats, meter_fields_now, &values);
  fields_add (stats, source_totals_fields, &totals);
  fields_add (stats, meter_fields, self);
  repairs_add_stats (&self->repairs, now, stats);
  add_sources (self, stats);
  g_mutex_unlock (&self->lock);
  return stats;
}
