/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendsession.h"

#include "base/clockglue.h"
#include "fecrate.h"
#include "listreader.h"
#include "rtp/mediaformat.h"
#include "rtp/rtcpwriter.h"
#include "sendmedia.h"
#include "sendpath.h"
#include "sessionlog.h"
#include "sessiontrace.h"
#include <rc/ledger/acks.h>
#include <rc/sender/sender.h>

#define MAX_RECEIVES 64         /* datagrams in one go: others share the thread */
#define MAX_DATAGRAM 2048
#define FOLLOW_TIME RC_MSEC     /* sooner: it is a burst, which is read in one go */
#define MAX_FOREIGN_RTCP 32     /* packets until the owner takes them */
#define MOST_START_BPS 8000000  /* a camera of 4K; the link is not known */

/* An RTP session notes nothing but times; TWCC of libwebrtc comes each 50 to 250 ms. */
#define POLICY RC_REPORT_POLICY_PATIENT

struct _SendSession
{
  gint refs;
  GMutex lock;                  /* of all below */
  void (*work_due) (gpointer user_data);
  gpointer user_data;

  PacingEngine *engine;
  PacingClient *client;         /* NULL: the session has stopped */
  RcTime next_at;               /* when the pacing thread comes again */
  RcSender sender;
  SendLane lane;                /* the only one, as long as the client; or */
  SendLanes *lanes;             /* several; NULL: there is one */
  guint n_lanes;                /* places for lanes */
  guint overhead_bytes;         /* of all below RTP, a packet */
  SendMedia media;
  FeedNode *fed;                /* the place in the feed; NULL: media is pushed */
  guint64 skipped;              /* packets of it, since the CPU was full */
  SessionLog log;
  SessionTrace *trace;          /* NULL: none */
  guint32 caps_ssrc;            /* 0: the caps name none */
  GBytes *format_fields;        /* that `sender` announces; NULL: none */
  Pacer lent;                   /* the media's pacer, as a scheduler upstream sees it */

  gboolean living, counts;      /* as last reported */
  gboolean told_plain;          /* that the receiver sends plain receiver reports only */
  gboolean told_silence;        /* that media has stopped */
  gboolean wants_rtcp;
  /* The receiver whose report was accepted last. */
  gboolean has_receiver;
  guint32 receiver_instance;
  RcTime stats_interval, stats_at;
  FecRate fec;
  InputWatch input;
  FloorWatch floor;
  guint64 min_bps;              /* of the limits */
  RcRateMeter frames;           /* one byte for each that came */
  guint64 frames_metered;
  gboolean starts_by_input;     /* the user set no rate to start with */
  SessionWork work;
  guint64 rtcp_malformed, not_rtcp, path_changes;

  RcToldNumbers told;           /* of an enclosing RTP session */
};

static void
wake_pacer (SendSession * self)
{
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
}

/* --- lanes: with the lock, while there is a client --- */

/* NULL: there is none in this place. */
static SendLane *
lane_at (SendSession * self, guint place)
{
  return self->lanes ? send_lanes_get (self->lanes, place) : &self->lane;
}

/* Of all lanes. Those that were removed are in the one that is no path with several. */
static SendPathStats
path_stats (SendSession * self)
{
  SendPathStats sum = self->lane.path.stats;
  SendLane *lane;

  for (guint i = 0; self->lanes && i < self->n_lanes; i++)
    if ((lane = lane_at (self, i)))
      send_path_stats_add (&sum, &lane->path.stats);
  return sum;
}

/* That of several which stands for all; NULL: there is none. */
static SendLane *
main_lane (SendSession * self)
{
  return self->lanes ? send_lanes_get_main (self->lanes) : &self->lane;
}

/* --- keyframes: with the lock --- */

static void
take_keyframe_requests (SendSession * self, const RtcpMessage * message, RcTime now)
{
  RcTime rtt = rc_sender_srtt (&self->sender);

  for (guint i = 0; i < message->n_keyframes; i++) {
    const RtcpKeyframe *request = &message->keyframes[i];

    if (request->fir)
      send_queue_request_keyframe_by_fir (self->media.queue, request->ssrc, request->from,
          request->number, rtt, now);
    else
      send_queue_request_keyframe (self->media.queue, request->ssrc, rtt, now);
  }
}

/* A report of this receiver came by the lane. If it was accepted, and the receiver is new, it needs
 * a keyframe. */
static void
watch_newcomer (SendSession * self, SendLane * lane, guint32 instance, RcTime now)
{
  guint64 accepted = rc_lane_n_feedback (lane->rc);

  if (accepted == lane->accepted)
    return;
  lane->accepted = accepted;
  if (self->has_receiver && self->receiver_instance == instance)
    return;
  SESSION_LOG (&self->log, INFO, "a receiver answers: %08x", instance);
  self->has_receiver = self->work.answered = TRUE;
  self->receiver_instance = instance;
  send_queue_on_newcomer (self->media.queue, rc_sender_srtt (&self->sender), now);
}

/* --- work for the owner: with the lock --- */

static gboolean
has_refusal (SendSession * self)
{
  const SendLane *lane = self->client ? main_lane (self) : NULL;

  return lane && (lane->path.port_refused || lane->path.unanswered);
}

static gboolean
has_work (SendSession * self)
{
  const SessionWork *work = &self->work;

  return work->encoders.target || work->fec || work->is_short || work->below_floor
      || work->encoders.made_bps > 0 || work->stopped
      || work->resumed || work->answered || work->stats || work->look_up || work->wants_paths
      || work->plain || work->rtcp.length > 0 || self->media.n_keyframes > 0
      || has_refusal (self);
}

/* Releases the lock, which is never held while the owner is called, and reports work. */
static void
unlock_and_tell (SendSession * self)
{
  gboolean notify = has_work (self) && self->client;

  g_mutex_unlock (&self->lock);
  if (notify)
    self->work_due (self->user_data);
}

/* --- what the sender decided: with the lock --- */

/* After each input of the sender: media may have stopped, or flow again. */
static void
follow_sender (SendSession * self, RcTime now)
{
  if (!send_media_follow_sender (&self->media, now))
    return;
  session_log_on_report (&self->log, &self->sender, self->media.queue, now);
  self->work.stopped = self->media.stopped;
  self->work.resumed = self->told_silence && !self->media.stopped;
}

static void
trace_lanes (SendSession * self, RcTime now)
{
  guint64 queue_bytes = paced_egress_get_waiting_bytes (&self->media.egress);
  SendLane *lane;

  for (guint i = 0; i < self->n_lanes; i++)
    if ((lane = lane_at (self, i)))
      session_trace_look (self->trace, &self->sender, i, lane->rc, queue_bytes, now);
}

/* --- sending, on the pacing thread: with the lock, but on_due () --- */

/* Returns the lane by which it left; NULL: there is none now. */
static SendLane *
send_rtcp (SendSession * self, GstBuffer * buffer, RcTime now)
{
  SendLane *lane = self->lanes ? send_lanes_get_best (self->lanes, now) : &self->lane;

  if (lane)
    send_lane_send_control (lane, buffer, now);
  if (lane && self->lanes)
    rc_sender_on_control_sent (&self->sender,
        (guint) gst_buffer_get_size (buffer) + self->overhead_bytes, now);
  return lane;
}

static void
send_sender_reports (SendSession * self, gboolean bye, RcTime now)
{
  RtcpSenderReport reports[RC_LEDGERS_MAX];
  guint n = sender_reports_make (&self->media.reports, bye, now, g_get_real_time (), reports);

  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = rtcp_new_sender_report (&reports[i], self->media.reports.cname, bye);
    SendLane *lane = send_rtcp (self, buffer, now);

    if (lane)
      rc_lane_on_sr_sent (lane->rc, reports[i].ssrc, rtcp_lsr_of_ntp (reports[i].ntp), now);
    gst_buffer_unref (buffer);
  }
}

/* Infos that are due, a new target. Returns when to come again. */
static RcTime
follow_plan (SendSession * self, RcTime now)
{
  gboolean living = rc_sender_is_living (&self->sender), counts;
  RcLanePlan infos;             /* large: to clear it would cost more than a packet does */
  RcSenderPlan plan;

  infos.next_at = RC_TIME_NONE;
  infos.n_infos = 0;
  if (!self->lanes)             /* of several lanes each sends its own */
    rc_lane_plan (self->lane.rc, now, &infos);
  rc_sender_plan (&self->sender, paced_egress_get_waiting_bytes (&self->media.egress), now, &plan);
  follow_sender (self, now);
  if (infos.n_infos > 0)
    send_lane_send_infos (&self->lane, infos.infos, infos.n_infos, now);
  if (plan.tell_time)
    send_sender_reports (self, FALSE, now);
  if (plan.tell_target)
    SESSION_LOG (&self->log, DEBUG, "target %u bit/s for the encoders, of %" G_GUINT64_FORMAT
        ": %s", plan.target_bps, (guint64) rc_sender_rate_bps (&self->sender),
        rc_cause_text (rc_sender_target_cause (&self->sender)));
  counts = rc_sender_counts (&self->sender);
  if (plan.tell_target || living != self->living || counts != self->counts)
    self->work.encoders.target = plan.target_bps > 0;
  if (living && self->media.hold_time == 0)     /* else look_at_input () says more */
    rc_sender_take_misfit (&self->sender, now, &self->work.encoders.made_bps,
        &self->work.encoders.told_bps);
  self->living = living;
  self->counts = counts;
  return rc_sooner (plan.next_at, infos.next_at);
}

static void
look_at_fec (SendSession * self, RcTime now)
{
  const RcLane *lead = rc_sender_lead (&self->sender);
  FecPath path = {.loss = lead ? rc_lane_loss (lead) : NULL,
    .rtt = rc_sender_srtt (&self->sender),
    .repair_time = resender_get_time (self->media.resender) };
  SendQueueStats queue;
  ResenderStats resender;
  RcSenderStats sender;

  if (!lead || !fec_rate_is_due (&self->fec, now))
    return;
  rc_sender_get_stats (&self->sender, now, &sender);
  path.lost = sender.reports.lost_pkts;
  send_queue_get_counts (self->media.queue, &queue);
  resender_get_stats (self->media.resender, &resender);
  self->work.fec |= fec_rate_look (&self->fec, &queue, resender.asked, &path, now);
}

static RcTime
due_stats (SendSession * self, RcTime now)
{
  if (self->stats_interval == 0)
    return RC_TIME_NONE;
  if (now >= self->stats_at) {
    self->work.stats = TRUE;
    self->stats_at = MAX (self->stats_at, now - self->stats_interval) + self->stats_interval;
  }
  return self->stats_at;
}

static void
begin_anew (SendSession * self, SendLane * lane, RcTime now)
{
  SESSION_LOG (&self->log, INFO, "another path: what was measured is forgotten");
  send_path_begin_anew (&lane->path);
  self->path_changes++;
  rc_lane_restart (lane->rc, now);
  follow_sender (self, now);
}

/* Each of several lanes keeps the local address or interface that it is named after. */
static RcTime
watch_path (SendSession * self, RcTime now)
{
  SendLane *lane = main_lane (self);
  SendPathChange change;

  if (!lane)
    return RC_TIME_NONE;
  change = send_path_follow (&lane->path, now);
  if (change == SEND_PATH_MOVED)
    begin_anew (self, lane, now);
  else if (change == SEND_PATH_BACK) {
    SESSION_LOG (&self->log, INFO, "packets can be sent again");
    rc_lane_probe_soon (lane->rc, now);
  }
  if (send_path_wants_name (&lane->path, now))
    self->work.look_up = TRUE;
  return send_path_next_at (&lane->path);
}

/* No encoder follows: what is dropped goes on to be. */
static void
look_at_input (SendSession * self, RcTime now)
{
  guint link_bps = (guint) MIN (rc_sender_rate_bps (&self->sender), G_MAXUINT);

  if (self->media.hold_time == 0 || !self->media.live || self->media.stopped || !self->living) {
    input_watch_forget (&self->input);
    return;
  }
  self->work.is_short |= input_watch_look (&self->input, self->media.queue, link_bps,
      self->media.hold_time, now, &self->work.shortage);
}

static void
look_at_floor (SendSession * self, RcTime now)
{
  RcSenderStats stats;

  if (!floor_watch_is_due (&self->floor, now) || self->media.stopped || !self->living)
    return;
  rc_sender_get_stats (&self->sender, now, &stats);
  self->work.below_floor |= floor_watch_look (&self->floor, &stats, self->min_bps, now,
      &self->work.floor);
}

/* What the media's pacer let go leaves by one of several lanes. Time has passed since. */
static RcTime
serve_lanes (SendSession * self)
{
  RcTime now = clock_glue_monotonic (), next_at;
  gboolean wants_paths;

  next_at = send_lanes_serve (self->lanes, now, &wants_paths);
  self->work.wants_paths |= wants_paths;
  return next_at;
}

static RcTime
serve (SendSession * self, RcTime now)
{
  RcTime next_at = watch_path (self, now);

  if (self->lanes)
    next_at = rc_sooner (next_at, send_lanes_watch (self->lanes, now));
  next_at = rc_sooner (next_at, send_media_serve (&self->media, now));
  if (self->lanes)
    next_at = rc_sooner (next_at, serve_lanes (self));
  follow_sender (self, now);
  next_at = rc_sooner (next_at, follow_plan (self, now));       /* which may stop media */
  next_at = rc_sooner (next_at, send_media_admit_probe (&self->media, now));
  next_at = rc_sooner (next_at, send_media_order_keyframes (&self->media, now));
  look_at_fec (self, now);
  look_at_input (self, now);
  look_at_floor (self, now);
  if (G_UNLIKELY (self->trace))
    trace_lanes (self, now);
  return rc_sooner (next_at, due_stats (self, now));
}

static void
serve_now (SendSession * self, RcTime now)
{
  RcTime next_at = serve (self, now);

  if (!self->client || rc_sooner (next_at, self->next_at) == self->next_at)
    return;
  self->next_at = next_at;
  pacing_engine_come (self->engine, self->client, next_at);
}

/* Of what cannot be made less the first keyframe alone may be seconds long at a usual start. */
static void
follow_input (SendSession * self, RcTime now)
{
  guint bytes = send_queue_last_bytes (self->media.queue);
  guint64 bps = input_watch_on_packet (&self->input, bytes, now);

  if (self->starts_by_input && self->media.live && self->media.hold_time > 0)
    rc_sender_start_at (&self->sender, MIN (bps, MOST_START_BPS), now);
}

static void
on_pushed (SendSession * self, RcTime now)
{
  guint64 frames_in = send_queue_frames_in (self->media.queue);

  send_media_order_keyframes (&self->media, now);
  rc_ratemeter_add (&self->frames, frames_in - self->frames_metered, now);
  self->frames_metered = frames_in;
  if (session_log_wants (&self->log, GST_LEVEL_DEBUG))
    session_log_on_drops (&self->log, &self->sender, self->media.queue,
        send_media_get_queue_time (&self->media), self->media.max_queue_time);
}

static gboolean
has_fed (SendSession * self)
{
  return self->fed && feed_has_more (self->fed);
}

static void
take_fed (SendSession * self, RcTime now)
{
  const FeedNode *node;

  if (!has_fed (self))
    return;
  if (self->client)
    send_media_set_aside (&self->media, pacing_client_is_aside (self->client), now);
  if (self->media.aside) {      /* to look at a packet of each costs half as much as to send it */
    self->skipped += feed_skip (&self->fed);
    send_media_wake_waiting (&self->media);
    return;
  }
  while ((node = feed_next (&self->fed)))
    for (guint i = 0; i < node->n; i++)
      if (send_media_push_fed (&self->media, &node->packets[i], now))
        follow_input (self, now);
  on_pushed (self, now);
  send_media_wake_waiting (&self->media);
}

/* With the lock, which it leaves. */
static RcTime
serve_and_leave (SendSession * self)
{
  /* The lock takes time, and the law's must not run backwards. */
  RcTime now = clock_glue_monotonic (), next_at;

  take_fed (self, now);
  next_at = self->next_at = serve (self, now);
  unlock_and_tell (self);
  return next_at;
}

static RcTime
on_due (gpointer user_data, RcTime now)
{
  SendSession *self = user_data;

  g_mutex_lock (&self->lock);
  return serve_and_leave (self);
}

/* Perhaps by another feed. */
static RcTime
on_fed (gpointer user_data, RcTime now)
{
  SendSession *self = user_data;
  RcTime next_at;

  g_mutex_lock (&self->lock);
  if (has_fed (self))
    return serve_and_leave (self);
  next_at = self->next_at;
  g_mutex_unlock (&self->lock);
  return next_at;
}

/* --- receiving: with the lock, but on_readable () and send_session_take_datagram () --- */

/* What it says of keyframes is done already: the RTP session that gets the rest would ask the
 * encoder once more. */
static void
take_foreign_rtcp (SendSession * self, const guint8 * data, gsize size)
{
  GstBuffer *rest;

  if (!self->wants_rtcp || self->work.rtcp.length >= MAX_FOREIGN_RTCP)
    return;
  rest = rtcp_without_keyframes (data, size);
  if (rest)
    g_queue_push_tail (&self->work.rtcp, rest);
}

/* From arcsrc. */
static void
take_ours (SendSession * self, SendLane * lane, const RtcpMessage * message, RcTime now)
{
  if (!message->noticed && message->n_reports == 0)
    return;
  if (message->noticed) {
    rc_lane_on_notice (lane->rc, &message->notice, now);
    self->media.takes_trailers = TRUE;  /* only arcsrc sends notices */
  }
  if (self->lanes)
    send_lanes_on_message (self->lanes, lane, message, now);
  else
    rc_lane_on_reports (lane->rc, message->reports, message->n_reports, message->sender_ssrc, now);
  watch_newcomer (self, lane, message->sender_ssrc, now);
}

static void
take_lists (SendSession * self, SendLane * lane, const RtcpMessage * message, const guint8 * data,
    RcTime now)
{
  for (guint i = 0; i < message->n_lists; i++)
    if (list_reader_take (&lane->lists, lane->rc, &message->lists[i], data, now))
      watch_newcomer (self, lane, message->lists[i].sender_ssrc, now);
    else
      self->rtcp_malformed++;
}

/* RTCP of any receiver: report blocks, bitrate limits, BYEs, keyframe requests, NACKs. */
static void
take_standard_rtcp (SendSession * self, SendLane * lane, const RtcpMessage * message, RcTime now)
{
  for (guint i = 0; i < message->n_bound_ssrcs; i++)
    if (rc_lane_has_ssrc (lane->rc, message->bound_ssrcs[i])) {
      rc_sender_on_bound (&self->sender, message->bound_bps, now);
      break;
    }
  if (message->n_blocks > 0 && !lane->confirmed) {
    rc_lane_on_blocks (lane->rc, message->blocks, message->n_blocks, now);
    watch_newcomer (self, lane, message->blocks[0].instance, now);
  }
  for (guint i = 0; i < message->n_byes && !lane->confirmed; i++)
    rc_lane_on_bye (lane->rc, message->byes[i]);
  take_keyframe_requests (self, message, now);
  if (message->nacks.n_messages > 0)
    send_media_ask_again (&self->media, &message->nacks, now);
  self->work.plain = rc_lane_is_plain (lane->rc, now) && !self->told_plain;
}

static void
handle_datagram (SendSession * self, SendLane * lane, const guint8 * data, gsize size, RcTime now)
{
  RtcpMessage message;

  switch (rtcp_message_read (&message, data, size)) {
    case RTCP_VALID:
      self->rtcp_malformed += rtcp_message_unread (&message);
      take_ours (self, lane, &message, now);
      if (!lane->confirmed)
        take_lists (self, lane, &message, data, now);
      if (message.n_others > 0) {
        take_standard_rtcp (self, lane, &message, now);
        take_foreign_rtcp (self, data, size);
      }
      follow_sender (self, now);
      session_log_on_report (&self->log, &self->sender, self->media.queue, now);
      break;
    case RTCP_MALFORMED:
      SESSION_LOG (&self->log, DEBUG, "malformed RTCP of %" G_GSIZE_FORMAT " bytes dropped", size);
      self->rtcp_malformed++;
      break;
    case RTCP_NOT_RTCP:
      self->not_rtcp++;
      break;
  }
}

static void
on_answer (SendSession * self, SendLane * lane)
{
  SendLane *other = main_lane (self);

  send_path_on_answer (&lane->path);
  if (other && other != lane)
    send_path_on_answer (&other->path);
}

/* A port that is closed is said of the lane that stands for all. One report is seldom followed by
 * another: whether there is one the engine finds out as cheaply. */
static void
receive (SendSession * self, SendLane * lane)
{
  Transport *transport = lane->path.transport;
  guint8 data[MAX_DATAGRAM];
  RcTime now, before = lane->received_at;

  for (guint i = 0; i < MAX_RECEIVES; i++) {
    gssize size = transport->funcs->receive (transport, data, sizeof data);

    if (size == -1)
      break;
    if (size == -2 && lane == main_lane (self))
      send_path_on_refused (&lane->path, 1, clock_glue_monotonic ());
    if (size < 0)
      continue;
    now = lane->received_at = clock_glue_monotonic ();
    on_answer (self, lane);
    handle_datagram (self, lane, data, (gsize) size, now);
    if (i == 0 && now - before > FOLLOW_TIME)
      break;
  }
}

static void
on_readable (gpointer user_data, RcTime now)
{
  SendSession *self = user_data;
  SendLane *lane;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->n_lanes; i++)
    if ((lane = lane_at (self, i)))
      receive (self, lane);
  g_mutex_unlock (&self->lock);
}

void
send_session_take_datagram (SendSession * self, const guint8 * data, gsize size)
{
  SendLane *lane;

  g_mutex_lock (&self->lock);
  if (self->client && (lane = main_lane (self))) {
    on_answer (self, lane);
    handle_datagram (self, lane, data, size, clock_glue_monotonic ());
    wake_pacer (self);
  }
  unlock_and_tell (self);
}

static const PacingClientFuncs pacing_funcs = { on_due, on_readable, NULL };
static const PacingClientFuncs fed_funcs = { on_due, on_readable, on_fed };

/* --- a scheduler upstream --- */

static void
serve_media (SendSession * self, RcTime now)
{
  send_media_serve (&self->media, now);
  if (self->lanes)
    pacing_engine_wake (self->engine, self->client);    /* by which lane it leaves is decided */
}

/* The session's pacer as a scheduler upstream sees it. The scheduler asks when its packet may
 * leave, chooses it at that moment, pays for it, and pushes it; the session sends what is paid for
 * at once. A session that has stopped delays no packet: the push finds out. */

static SendSession *
session_of (Pacer * pacer)
{
  return (SendSession *) ((guint8 *) pacer - G_STRUCT_OFFSET (SendSession, lent));
}

static RcTime
lent_due_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  SendSession *self = session_of (pacer);
  RcTime locked_at, due_at;

  g_mutex_lock (&self->lock);
  locked_at = due_at = clock_glue_monotonic ();
  if (self->client) {
    if (resender_peek (self->media.resender))
      serve_media (self, locked_at);    /* before what the scheduler has */
    due_at = rc_sender_due_at (&self->sender, size_bytes, locked_at);
    if (rc_sender_is_stopped (&self->sender) != self->media.stopped)
      pacing_engine_wake (self->engine, self->client);  /* that thread reports it */
  }
  g_mutex_unlock (&self->lock);
  return due_at == locked_at ? now : due_at;
}

static void
lent_pay (Pacer * pacer, guint size_bytes, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  sender_pacer_prepay (&self->media.pacer, size_bytes, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

static void
lent_on_idle (Pacer * pacer, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  rc_gate_on_idle (rc_sender_gate (&self->sender), clock_glue_monotonic ());
  if (send_queue_packets (self->media.queue) == 0)
    sender_pacer_forget_prepaid (&self->media.pacer);
  g_mutex_unlock (&self->lock);
}

static void
lent_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  rc_gate_on_blocked (rc_sender_gate (&self->sender), size_bytes, since, now);
  g_mutex_unlock (&self->lock);
}

/* --- feedback of an enclosing RTP session --- */

/* Feedback delivered by the enclosing rtpsession, which receives RTCP and assigns transport-wide
 * sequence numbers after our transport. */

static RcNumberSpace
transport_space (void)
{
  return (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 };
}

static void
give_memory (SendSession * self, RcTime now)
{
  RcLane *lane = self->lane.rc;
  RcNumberSpace space;
  guint32 wanted;

  while ((wanted = rc_lane_wants_told_entries (lane, &space, now)) > 0)
    g_free (rc_lane_give_entries (lane, space, g_new0 (RcLedgerEntry, wanted), wanted, now));
}

/* Enters what is new into the ledger, and collects what arrived. */
static guint
collect (SendSession * self, const RcTold * told, guint n, RcArrival * arrivals,
    RcArrivals * message, RcTime now)
{
  guint n_new = 0, n_lost = 0;
  guint16 number;

  for (guint i = 0; i < n; i++) {
    RcToldVerdict verdict = rc_toldnumbers_take (&self->told, &told[i], &number);

    if (verdict == RC_TOLD_NEW) {
      give_memory (self, now);
      rc_lane_on_told (self->lane.rc, number, told[i].rtp_bytes, told[i].sent_at);
      n_new++;
    }
    if (told[i].arrived_at_remote == RC_TIME_NONE) {
      n_lost = verdict == RC_TOLD_UNKNOWN ? 0 : n_lost + 1;
      continue;
    }
    if (verdict == RC_TOLD_UNKNOWN) {
      rc_lane_on_false_arrival (self->lane.rc);
      continue;
    }
    if (message->n_arrivals == 0)
      message->n_missing_before = (guint16) n_lost;
    arrivals[message->n_arrivals++] = (RcArrival) {.number = number,
      .arrived_at_remote = told[i].arrived_at_remote };
  }
  return n_new;
}

static void
follow (SendSession * self, RcTime now)
{
  on_answer (self, &self->lane);
  follow_sender (self, now);
  session_log_on_report (&self->log, &self->sender, self->media.queue, now);
  wake_pacer (self);
}

guint
send_session_take_told (SendSession * self, const RcTold * told, guint n, guint32 instance)
{
  RcArrival *arrivals = g_new (RcArrival, n);
  RcArrivals message = {.space = transport_space (),.arrivals = arrivals,
    .told_at_remote = RC_TIME_NONE,.instance = instance,.policy = POLICY,
    .format = RC_FORMAT_TWCC };
  guint n_new;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  n_new = collect (self, told, n, arrivals, &message, now);
  while (message.n_arrivals > 0) {
    RcArrivals part = message;

    part.n_arrivals = MIN (message.n_arrivals, RC_ACKS_MAX);
    rc_lane_on_arrivals (self->lane.rc, &part, 1, now);
    follow (self, now);
    rc_arrivals_skip (&message, part.n_arrivals);
  }
  unlock_and_tell (self);
  g_free (arrivals);
  return n_new;
}

void
send_session_take_blocks (SendSession * self, const RcReportBlock * blocks, guint n)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  if (rc_lane_on_blocks (self->lane.rc, blocks, n, now))
    follow (self, now);
  unlock_and_tell (self);
}

gboolean
send_session_take_ccfb (SendSession * self, const guint8 * data, gsize size, guint32 sender_ssrc)
{
  const RtcpList list = { RC_CCFB_FMT, sender_ssrc, 0, (guint) size };
  gboolean ok;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  ok = list_reader_take (&self->lane.lists, self->lane.rc, &list, data, now);
  if (ok)
    follow (self, now);
  unlock_and_tell (self);
  return ok;
}

void
send_session_on_left (SendSession * self, guint32 ssrc, guint16 seq, RcTime left_at)
{
  g_mutex_lock (&self->lock);
  rc_lane_on_left (self->lane.rc, ssrc, seq, left_at);
  g_mutex_unlock (&self->lock);
}

gboolean
send_session_number_in (SendSession * self, guint32 ssrc, guint16 out, guint16 * in)
{
  gboolean known;

  g_mutex_lock (&self->lock);
  known = send_queue_number_in (self->media.queue, ssrc, out, in);
  g_mutex_unlock (&self->lock);
  return known;
}

guint16
send_session_number_out (SendSession * self, guint32 but_ssrc, guint32 timestamp, guint16 in)
{
  guint16 out;

  g_mutex_lock (&self->lock);
  out = send_queue_number_out (self->media.queue, but_ssrc, timestamp, in);
  g_mutex_unlock (&self->lock);
  return out;
}

gboolean
send_session_request_keyframe (SendSession * self, guint32 ssrc)
{
  gboolean known;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  known = send_queue_has_media (self->media.queue, ssrc);
  send_queue_request_keyframe (self->media.queue, ssrc, rc_sender_srtt (&self->sender), now);
  follow (self, now);
  unlock_and_tell (self);
  return known;
}

/* --- life --- */

static void
free_lanes (SendSession * self)
{
  g_clear_pointer (&self->lanes, send_lanes_free);
  send_lane_clear (&self->lane);
}

static void
session_free (SendSession * self)
{
  g_clear_pointer (&self->trace, session_trace_free);
  send_media_clear (&self->media);
  g_clear_pointer (&self->fed, feed_end);
  free_lanes (self);
  g_queue_clear_full (&self->work.rtcp, (GDestroyNotify) gst_buffer_unref);
  g_clear_pointer (&self->format_fields, g_bytes_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

SendSession *
send_session_ref (SendSession * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
send_session_unref (SendSession * self)
{
  if (g_atomic_int_dec_and_test (&self->refs))
    session_free (self);
}

static void
lent_ref (Pacer * pacer)
{
  send_session_ref (session_of (pacer));
}

static void
lent_unref (Pacer * pacer)
{
  send_session_unref (session_of (pacer));
}

static const PacerFuncs lent_funcs = {.due_at = lent_due_at,.pay = lent_pay,
  .on_idle = lent_on_idle,.on_blocked = lent_on_blocked,.ref = lent_ref,.unref = lent_unref
};

guint
send_session_overhead_bytes (const SendSessionConfig * config)
{
  return config->lanes ? send_lanes_overhead_bytes (config->lanes)
      : config->transport->overhead_bytes;
}

static void
init_lanes (SendSession * self, const SendSessionConfig * config, RcTime now)
{
  RcSenderConfig sender = {
    .controller = &config->controller,.limits = config->limits,.pacing = config->pacing,
    .overhead_bytes = self->overhead_bytes,.ecn = config->ecn,
    .guest = config->guest,.epoch = g_get_real_time () * RC_USEC - now
  };

  send_lane_init (&self->lane, config->transport, config->follows_route, config->has_name);
  if (config->lanes) {
    sender.mode = config->lanes->mode;
    sender.latency = config->lanes->latency;
  }
  rc_sender_init (&self->sender, &sender, now);
  rc_sender_set_bound (&self->sender, config->bound_bps, now);
  if (config->lanes) {
    self->lanes = send_lanes_new (config->lanes, &self->sender, &sender, config->has_name,
        &self->lane.path.stats, now);
  } else {
    self->lane.sender = &self->sender;
    self->lane.rc = rc_sender_add_lane (&self->sender, 0, &self->lane.memory, &sender, now);
  }
  self->n_lanes = self->lanes ? RC_LANES_MAX : 1;
}

static void
session_init (SendSession * self, const SendSessionConfig * config, RcTime now)
{
  RcSenderPlan plan;

  self->refs = 1;
  self->log = (SessionLog) {.category = config->log,.element = config->element };
  g_mutex_init (&self->lock);
  g_queue_init (&self->work.rtcp);
  self->work_due = config->work_due;
  self->user_data = config->user_data;
  self->overhead_bytes = send_session_overhead_bytes (config);
  init_lanes (self, config, now);
  self->trace = session_trace_new (config->element, now);
  send_media_init (&self->media, &self->sender, self->lanes ? NULL : &self->lane, self->lanes,
      self->overhead_bytes, config->renumber, config->max_queue_time);
  self->fed = config->feed ? feed_begin (config->feed) : NULL;
  send_queue_set_ssrc_mask (self->media.queue, config->ssrc_mask);
  resender_set_time (self->media.resender, config->rtx_time);
  resender_set_payload_types (self->media.resender, config->rtx_payload_types);
  fec_rate_init (&self->fec);
  input_watch_init (&self->input);
  floor_watch_init (&self->floor);
  self->min_bps = config->limits.min_bps;
  self->starts_by_input = config->starts_by_input;
  self->lent.funcs = &lent_funcs;
  rc_sender_plan (&self->sender, 0, now, &plan);
  self->work.encoders.target = plan.tell_target;
}

SendSession *
send_session_new (const SendSessionConfig * config, GError ** error)
{
  PacingEngine *engine = pacing_engine_ref (error);
  SendSession *self;

  self = g_new0 (SendSession, 1);
  session_init (self, config, clock_glue_monotonic ());
  if (!engine) {
    session_free (self);
    return NULL;
  }
  self->engine = engine;
  g_mutex_lock (&self->lock);   /* until `client` is known */
  self->client = pacing_engine_add (engine, self->lanes ? send_lanes_get_fd (self->lanes)
      : self->lane.path.transport->fd, self->fed ? &fed_funcs : &pacing_funcs, self, error);
  g_mutex_unlock (&self->lock);
  if (!self->client) {
    pacing_engine_unref (engine);
    g_clear_pointer (&self, session_free);
  }
  return self;
}

static void
say_bye (SendSession * self)
{
  RcTime now = clock_glue_monotonic ();
  SendLane *lane;

  if (!self->client)
    return;
  if (self->lanes)
    send_lanes_flush_out (self->lanes, now);
  if (rc_sender_end (&self->sender, now))
    send_sender_reports (self, TRUE, now);
  for (guint i = 0; i < self->n_lanes; i++)
    if ((lane = lane_at (self, i)))
      send_lane_say_farewell (lane, now);
}

void
send_session_say_bye (SendSession * self)
{
  g_mutex_lock (&self->lock);
  say_bye (self);
  g_mutex_unlock (&self->lock);
}

/* Not with the last reference: a port must be free now, and a scheduler upstream may keep the pacer
 * longer than the owner of the transport lives. */
static void
end_lanes (SendSession * self)
{
  SendLane *lane;

  for (guint i = 0; i < self->n_lanes; i++)
    if ((lane = lane_at (self, i)))
      lane->path.transport->funcs->close (lane->path.transport);
  g_mutex_lock (&self->lock);   /* statistics may be read now */
  g_clear_pointer (&self->fed, feed_end);       /* who keeps the session keeps no media */
  self->lane.path.stats = path_stats (self);
  g_clear_pointer (&self->lanes, send_lanes_free);
  self->n_lanes = 1;
  g_mutex_unlock (&self->lock);
  send_lane_free_transport (&self->lane);
}

void
send_session_stop (SendSession * self)
{
  PacingClient *client;
  SessionTrace *trace;

  g_mutex_lock (&self->lock);
  say_bye (self);
  client = self->client;
  self->client = NULL;
  self->log.category = NULL;    /* the element may go before the last reference */
  send_media_set_interrupted (&self->media, TRUE);
  g_mutex_unlock (&self->lock);
  if (client) {
    pacing_engine_remove (self->engine, client);
    pacing_engine_unref (self->engine);
    end_lanes (self);
  }
  g_mutex_lock (&self->lock);
  trace = g_steal_pointer (&self->trace);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&trace, session_trace_free);
}

/* --- settings --- */

gboolean
send_session_set_priority (SendSession * self, gint priority)
{
  gboolean ok;

  g_mutex_lock (&self->lock);   /* it may be stopped on another thread meanwhile */
  ok = !self->client || pacing_engine_set_priority (self->engine, self->client, priority);
  g_mutex_unlock (&self->lock);
  return ok;
}

void
send_session_set_live (SendSession * self, gboolean live)
{
  g_mutex_lock (&self->lock);
  send_media_set_live (&self->media, live, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

Pacer *
send_session_get_pacer (SendSession * self)
{
  return &self->lent;
}

void
send_session_set_limits (SendSession * self, const RcLimits * limits)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  rc_sender_set_limits (&self->sender, limits, now);
  self->min_bps = limits->min_bps;
  follow_sender (self, now);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

gboolean
send_session_set_caps (SendSession * self, const GstCaps * caps, gint red_type)
{
  RcMediaFormat format = media_format_from_caps (caps);
  RcAnnouncement announced = {.n_bytes = 0 };
  GBytes *fields = NULL, *before;
  gboolean fits = format.encoding_name[0] == '\0' || media_format_fields_of_caps (caps, &fields);
  guint ssrc = 0;

  if (fits)
    announced.format = format;
  if (fields)
    announced.fields = g_bytes_get_data (fields, &announced.n_bytes);
  gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc);
  g_mutex_lock (&self->lock);
  while (has_fed (self) && !self->media.interrupted && self->client)    /* under the caps before */
    send_media_wait (&self->media, &self->lock);
  self->caps_ssrc = ssrc;
  send_media_set_caps (&self->media, caps, red_type);
  rc_sender_set_format (&self->sender, &announced, clock_glue_monotonic ());
  before = self->format_fields;
  self->format_fields = fields;
  sender_reports_set_caps (&self->media.reports, caps);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&before, g_bytes_unref);
  return fits;
}

void
send_session_set_bound (SendSession * self, guint64 bps)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  rc_sender_set_bound (&self->sender, bps, now);
  follow_sender (self, now);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_max_queue_time (SendSession * self, RcTime max_queue_time)
{
  g_mutex_lock (&self->lock);
  send_media_set_max_queue_time (&self->media, max_queue_time);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_hold_time (SendSession * self, RcTime hold_time)
{
  g_mutex_lock (&self->lock);
  send_media_set_hold_time (&self->media, hold_time);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_rtx_time (SendSession * self, RcTime rtx_time)
{
  g_mutex_lock (&self->lock);
  resender_set_time (self->media.resender, rtx_time);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_stats_interval (SendSession * self, RcTime interval)
{
  g_mutex_lock (&self->lock);
  self->stats_interval = interval;
  self->stats_at = clock_glue_monotonic () + interval;
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_wants_rtcp (SendSession * self, gboolean wants)
{
  g_mutex_lock (&self->lock);
  self->wants_rtcp = wants;
  g_mutex_unlock (&self->lock);
}

void
send_session_set_interrupted (SendSession * self, gboolean interrupted)
{
  g_mutex_lock (&self->lock);
  send_media_set_interrupted (&self->media, interrupted);
  g_mutex_unlock (&self->lock);
}

guint
send_session_get_max_rtp_bytes (SendSession * self)
{
  guint mtu = 0, added, of_lane;
  SendLane *lane;

  g_mutex_lock (&self->lock);
  for (guint i = 0; self->client && i < self->n_lanes; i++) {   /* a packet may take any */
    of_lane = (lane = lane_at (self, i)) ? send_lane_get_mtu (lane) : 0;
    mtu = mtu > 0 && of_lane > 0 ? MIN (mtu, of_lane) : MAX (mtu, of_lane);
  }
  added = send_media_added_bytes (&self->media) + self->overhead_bytes;
  g_mutex_unlock (&self->lock);
  return mtu > added ? mtu - added : 0;
}

/* --- media --- */

static void
wake_pacer_for_media (SendSession * self)
{
  if (send_media_take_wake_up (&self->media))
    wake_pacer (self);
}

/* What is due leaves here and now, as what a scheduler upstream has paid for: to wake the pacing
 * thread for it would cost two changes of thread. Where that thread has many sessions it sends for
 * all of them at once, and so does not keep their common source. */
static void
send_what_came (SendSession * self)
{
  if (!self->client)
    return;
  if (self->media.pacer.prepaid_bytes == 0 && pacing_engine_is_full (self->engine))
    wake_pacer_for_media (self);
  else if (send_media_take_wake_up (&self->media))
    serve_now (self, clock_glue_monotonic ());
}

SendPushResult
send_session_push (SendSession * self, GstBuffer ** buffers, guint n, guint * taken)
{
  SendPushResult result = SEND_PUSH_OK;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  while (*taken < n && result == SEND_PUSH_OK) {
    while (send_media_must_wait (&self->media)) {
      wake_pacer_for_media (self);
      send_media_wait (&self->media, &self->lock);
      now = clock_glue_monotonic ();
    }
    if (!self->client || (self->media.interrupted && !self->media.live))
      result = SEND_PUSH_INTERRUPTED;
    else if (!send_media_push (&self->media, buffers[*taken], now))
      result = SEND_PUSH_NOT_RTP;
    else
      follow_input (self, now);
    *taken += result == SEND_PUSH_OK;
  }
  on_pushed (self, now);
  send_what_came (self);
  unlock_and_tell (self);
  return result;
}

guint64
send_session_get_count (SendSession * self)
{
  guint64 number;

  g_mutex_lock (&self->lock);
  number = send_queue_count (self->media.queue);
  g_mutex_unlock (&self->lock);
  return number;
}

guint64
send_session_get_next (SendSession * self)
{
  const SendPacket *head;
  guint64 number;

  g_mutex_lock (&self->lock);
  head = send_queue_peek (self->media.queue, 0);
  number = head ? head->number : send_queue_count (self->media.queue);
  g_mutex_unlock (&self->lock);
  return number;
}

/* Sender reports of another sender replace ours, and an LSR may name them. */
static void
note_sender_reports (SendSession * self, SendLane * lane, GstBuffer * buffer, RcTime now)
{
  RtcpMessage rtcp;

  rtcp_message_read_buffer (&rtcp, buffer);
  for (guint i = 0; i < rtcp.n_sender_reports; i++) {
    const RtcpSenderReport *report = &rtcp.sender_reports[i];

    sender_reports_on_others (&self->media.reports, report->ssrc, now);
    rc_lane_on_sr_sent (lane->rc, report->ssrc, rtcp_lsr_of_ntp (report->ntp), now);
  }
}

void
send_session_push_rtcp (SendSession * self, GstBuffer * buffer)
{
  SendLane *lane;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  /* Else the transport is closed, or will be. */
  if (self->client && (lane = send_rtcp (self, buffer, now)))
    note_sender_reports (self, lane, buffer, now);
  g_mutex_unlock (&self->lock);
}

void
send_session_with_transport (SendSession * self, void (*func) (Transport * transport,
        gpointer user_data), gpointer user_data)
{
  g_mutex_lock (&self->lock);
  if (self->client) {
    func (self->lane.path.transport, user_data);
    wake_pacer (self);
  }
  g_mutex_unlock (&self->lock);
}

guint
send_session_survey_paths (SendSession * self, const gchar * const *names, guint * missing)
{
  guint n = 0;

  g_mutex_lock (&self->lock);
  if (self->client && self->lanes)
    send_lanes_keep (self->lanes, names, clock_glue_monotonic ());
  for (guint i = 0; self->client && self->lanes && names[i]; i++)
    if (!send_lanes_has (self->lanes, names[i]))
      missing[n++] = i;
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
  return n;
}

void
send_session_add_path (SendSession * self, const SendLanesPath * path)
{
  g_mutex_lock (&self->lock);
  if (self->client && self->lanes)
    send_lanes_add (self->lanes, path, clock_glue_monotonic ());
  else
    path->transport->funcs->free (path->transport);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

SendDrainResult
send_session_drain (SendSession * self)
{
  const SendMedia *media = &self->media;
  SendDrainResult result = SEND_DRAIN_DONE;

  g_mutex_lock (&self->lock);
  while ((send_queue_packets (media->queue) > 0 || has_fed (self)) && !media->interrupted
      && !rc_sender_is_stopped (&self->sender)) {
    wake_pacer_for_media (self);
    send_media_wait (&self->media, &self->lock);
  }
  if (self->client && (send_queue_packets (media->queue) > 0 || has_fed (self)))
    result = media->interrupted ? SEND_DRAIN_INTERRUPTED : SEND_DRAIN_SILENT;
  g_mutex_unlock (&self->lock);
  return result;
}

void
send_session_flush (SendSession * self)
{
  g_mutex_lock (&self->lock);
  if (self->fed)
    feed_skip (&self->fed);
  send_media_flush (&self->media, clock_glue_monotonic ());
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

/* --- target, work and statistics --- */

void
send_session_retell_target (SendSession * self)
{
  g_mutex_lock (&self->lock);
  self->work.encoders.target = rc_sender_target_bps (&self->sender) > 0;
  unlock_and_tell (self);
}

guint
send_session_get_target_bps (SendSession * self)
{
  guint bps;

  g_mutex_lock (&self->lock);
  bps = rc_sender_target_bps (&self->sender);
  g_mutex_unlock (&self->lock);
  return bps;
}

gboolean
send_session_is_stopped (SendSession * self)
{
  gboolean stopped;

  g_mutex_lock (&self->lock);
  stopped = rc_sender_is_stopped (&self->sender);
  g_mutex_unlock (&self->lock);
  return stopped;
}

gboolean
send_session_is_unheard (SendSession * self)
{
  RcSenderStats stats;

  g_mutex_lock (&self->lock);
  rc_sender_get_stats (&self->sender, clock_glue_monotonic (), &stats);
  g_mutex_unlock (&self->lock);
  return stats.packets > 0 && stats.reports.accepted == 0;
}

guint64
send_session_get_rate_bps (SendSession * self)
{
  guint64 bps;

  g_mutex_lock (&self->lock);
  bps = rc_sender_rate_bps (&self->sender);
  g_mutex_unlock (&self->lock);
  return bps;
}

/* An encoder that follows makes less than it may because its picture needs no more. */
static RcCause
target_cause (SendSession * self, RcTime now)
{
  RcCause cause = rc_sender_target_cause (&self->sender);

  return cause == RC_CAUSE_APPLICATION && self->media.hold_time == 0
      && rc_ratemeter_get_bps (&self->frames, now) > 0 ? RC_CAUSE_PICTURE : cause;
}

/* What is so now, beside what has changed. */
static void
fill_orders (SendSession * self, EncoderOrders * orders)
{
  orders->bps = rc_sender_target_bps (&self->sender);
  orders->steady_bps = rc_sender_steady_bps (&self->sender, clock_glue_monotonic ());
  orders->network_bps = (guint) MIN (rc_sender_rate_bps (&self->sender), G_MAXUINT);
  orders->cause = target_cause (self, clock_glue_monotonic ());
  orders->living = self->counts;
  orders->voice = self->counts ? ENCODER_VOICE_OWN : ENCODER_VOICE_NONE;
  orders->fec_percentage = self->fec.percentage;
  orders->n_keyframes = self->media.n_keyframes;
  memcpy (orders->keyframes, self->media.keyframes, sizeof orders->keyframes);
  self->media.n_keyframes = 0;
  orders->n_flows = send_queue_get_shares (self->media.queue, orders->ssrcs, orders->shares,
      ENCODER_ORDERS_MAX_FLOWS, clock_glue_monotonic ());
  if (orders->n_flows == 0) {
    orders->n_flows = 1;
    orders->ssrcs[0] = self->caps_ssrc;
    orders->shares[0] = 1;
  }
}

gboolean
send_session_take_work (SendSession * self, SessionWork * work)
{
  const RcLane *lead;
  SendLane *lane;
  gboolean any;

  g_mutex_lock (&self->lock);
  lead = rc_sender_lead (&self->sender);
  any = has_work (self);
  *work = self->work;
  self->told_plain |= work->plain;
  memset (&self->work, 0, sizeof self->work);
  fill_orders (self, &work->encoders);
  if ((lane = main_lane (self))) {
    work->port_refused = lane->path.port_refused;
    work->stopped |= lane->path.unanswered && self->media.stopped;
    lane->path.port_refused = lane->path.unanswered = FALSE;
    work->told_port_refused = lane->path.told_port_refused;
    work->send_error = lane->path.send_error;
  }
  self->told_silence = work->stopped || (self->told_silence && !work->resumed);
  work->refusal = lead ? rc_lane_refusal (lead) : RC_REFUSAL_NONE;
  work->heard = rc_sender_is_heard (&self->sender);
  g_mutex_unlock (&self->lock);
  return any;
}

gboolean
send_session_is_traced (SendSession * self)
{
  gboolean traced;

  g_mutex_lock (&self->lock);
  traced = self->trace != NULL;
  g_mutex_unlock (&self->lock);
  return traced;
}

void
send_session_on_encoders (SendSession * self, guint bps, RcCause cause)
{
  g_mutex_lock (&self->lock);
  if (self->trace)
    session_trace_on_encoders (self->trace, bps, cause, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

void
send_session_get_stats (SendSession * self, SessionStats * stats)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  *stats = (SessionStats) {.rtcp_malformed = self->rtcp_malformed,.not_rtcp = self->not_rtcp,
    .path_changes = self->path_changes,.non_rtp_buffers = self->media.non_rtp_buffers,
    .path = path_stats (self)
  };
  stats->target_bps = rc_sender_target_bps (&self->sender);
  stats->rate_bps = rc_sender_rate_bps (&self->sender);
  stats->rate_cause = rc_cause_name (rc_sender_cause (&self->sender));
  stats->pacing_bps = rc_gate_pace_bps (rc_sender_gate (&self->sender));
  stats->pacing_cause = rc_pace_cause_name (rc_sender_pace_cause (&self->sender));
  stats->wanted_cause = target_cause (self, now);
  rc_sender_get_stats (&self->sender, now, &stats->sender);
  stats->queue_bytes = send_queue_bytes (self->media.queue);
  stats->queue_time = send_media_get_queue_time (&self->media);
  stats->srtt = rc_sender_srtt (&self->sender);
  stats->state = rc_sender_is_stopped (&self->sender) ? "stopped" : "running";
  stats->format = rc_format_name (stats->sender.format);
  send_queue_get_stats (self->media.queue, &stats->queue);
  stats->queue.packets_dropped += self->skipped;
  stats->frames_per_s = (guint) (rc_ratemeter_get_bps (&self->frames, now) / 8);
  send_queue_get_key_stats (self->media.queue, &stats->keys);
  resender_get_stats (self->media.resender, &stats->resender);
  stats->rtx_streams = *resender_get_streams (self->media.resender);
  stats->queueing_delay = stats->sender.sent_bps > 0
      ? rc_sender_queueing_delay (&self->sender) : RC_TIME_NONE;
  law_stats_read (&stats->law, rc_sender_lead (&self->sender));
  if (self->lanes)
    stats->n_lanes = send_lanes_get_stats (self->lanes, stats->lanes, now);
  g_mutex_unlock (&self->lock);
}

guint
send_session_get_lane_stats (SendSession * self, LaneStats * lanes)
{
  guint n = 0;

  g_mutex_lock (&self->lock);
  if (self->lanes)
    n = send_lanes_get_stats (self->lanes, lanes, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  return n;
}

/* --- the receiver --- */

GSocketAddress *
send_session_get_peer (SendSession * self)
{
  GSocketAddress *peer = NULL;
  SendLane *lane;

  g_mutex_lock (&self->lock);
  if (self->client && (lane = main_lane (self)))
    peer = lane->path.transport->funcs->get_peer (lane->path.transport);
  g_mutex_unlock (&self->lock);
  return peer;
}

void
send_session_set_peer (SendSession * self, GSocketAddress * peer)
{
  SendLane *lane;

  g_mutex_lock (&self->lock);
  for (guint i = 0; self->client && i < self->n_lanes; i++) {
    lane = lane_at (self, i);
    if (lane && !lane->has_own_peer
        && lane->path.transport->funcs->set_peer (lane->path.transport, peer))
      begin_anew (self, lane, clock_glue_monotonic ());
  }
  wake_pacer (self);
  unlock_and_tell (self);
}
