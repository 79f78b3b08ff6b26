/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing thread does for a session: send what is due, read what came, ask the law. */

#include "sendsessionprivate.h"
#include "rtp/rtcpwriter.h"

#define MAX_RECEIVES 64         /* datagrams in one go: others share the thread */
#define MAX_DATAGRAM 2048
#define MAX_FOREIGN_RTCP 32     /* packets that wait for somebody to take them */

/* --- work for the owner --- */

gboolean
send_session_has_work (const SendSession * self)
{
  const SessionWork *work = &self->work;

  return work->encoders.target || work->fec || work->encoders.made_bps > 0 || work->stopped
      || work->resumed || work->stats || work->look_up || work->plain || work->rtcp.length > 0
      || self->media.n_keyframes > 0 || self->path.port_refused || self->path.unanswered;
}

void
send_session_unlock_and_tell (SendSession * self)
{
  gboolean tell = send_session_has_work (self) && self->client;

  g_mutex_unlock (&self->lock);
  if (tell)
    self->work_due (self->user_data);
}

/* --- what the sender decided --- */

void
send_session_follow_sender (SendSession * self, RcTime now)
{
  if (!send_media_follow_sender (&self->media, now))
    return;
  self->work.stopped = self->media.stopped;
  self->work.resumed = self->told_silence && !self->media.stopped;
}

/* --- sending --- */

void
send_session_send_rtcp (SendSession * self, GstBuffer * buffer, RcTime now)
{
  TransportResult result = self->transport->funcs->send (self->transport, &buffer, 1,
      RC_ECN_BITS_NOT_ECT);

  send_path_on_batch (&self->path, &result, now);
  rc_sender_on_control_sent (&self->sender,
      (guint) gst_buffer_get_size (buffer) + self->transport->overhead_bytes, now);
}

void
send_session_send_sender_reports (SendSession * self, gboolean bye, RcTime now)
{
  RtcpSenderReport reports[RC_LEDGERS_MAX];
  guint n = sender_reports_make (&self->media.reports, bye, now, g_get_real_time (), reports);

  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = rtcp_new_sender_report (&reports[i], self->media.reports.cname, bye);

    send_session_send_rtcp (self, buffer, now);
    rc_sender_on_sr_sent (&self->sender, reports[i].ssrc, rtcp_lsr_of_ntp (reports[i].ntp), now);
    gst_buffer_unref (buffer);
  }
}

void
send_session_send_farewell (SendSession * self, RcTime now)
{
  RcSenderInfo infos[RC_LEDGERS_MAX];
  guint n = rc_sender_take_farewell (&self->sender, infos);
  GstBuffer *buffer;

  if (n == 0)
    return;
  buffer = rtcp_new_farewell (infos[0].ssrc, infos, n);
  send_session_send_rtcp (self, buffer, now);
  gst_buffer_unref (buffer);
}

/* Infos that are due, a new target. Returns when to come again. */
static RcTime
follow_plan (SendSession * self, RcTime now)
{
  gboolean living = rc_sender_is_living (&self->sender);
  RcSenderPlan plan;
  GstBuffer *buffer;

  rc_sender_plan (&self->sender, paced_egress_get_waiting_bytes (&self->media.egress), now, &plan);
  send_session_follow_sender (self, now);
  if (plan.n_infos > 0) {
    buffer = rtcp_new_infos (plan.infos[0].ssrc, plan.infos, plan.n_infos);
    send_session_send_rtcp (self, buffer, now);
    gst_buffer_unref (buffer);
  }
  if (plan.tell_time)
    send_session_send_sender_reports (self, FALSE, now);
  if (plan.tell_target || living != self->living)
    self->work.encoders.target = plan.target_bps > 0;
  if (living)
    rc_sender_take_excess (&self->sender, now, &self->work.encoders.made_bps,
        &self->work.encoders.told_bps);
  self->living = living;
  return plan.next_at;
}

static void
look_at_fec (SendSession * self, RcTime now)
{
  FecPath path = {.loss = rc_sender_loss (&self->sender),
    .rtt = rc_sender_srtt (&self->sender),
    .repair_time = resender_get_time (self->media.resender) };
  SendQueueStats queue;
  ResenderStats resender;
  RcSenderStats sender;

  if (!fec_rate_is_due (&self->fec, now))
    return;
  rc_sender_get_stats (&self->sender, now, &sender);
  path.lost = sender.reports.lost_pkts;
  send_queue_get_stats (self->media.queue, &queue);
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

void
send_session_begin_anew (SendSession * self, RcTime now)
{
  send_path_begin_anew (&self->path);
  self->path_changes++;
  rc_sender_restart (&self->sender, now);
  send_session_follow_sender (self, now);
}

static RcTime
watch_path (SendSession * self, RcTime now)
{
  SendPathChange change = send_path_follow (&self->path, now);

  if (change == SEND_PATH_MOVED)
    send_session_begin_anew (self, now);
  else if (change == SEND_PATH_BACK)
    rc_sender_probe_soon (&self->sender, now);
  if (send_path_wants_name (&self->path, now))
    self->work.look_up = TRUE;
  return send_path_next_at (&self->path);
}

static RcTime
serve (SendSession * self, RcTime now)
{
  RcTime next_at = watch_path (self, now);

  next_at = rc_sooner (next_at, send_media_serve (&self->media, now));
  send_session_follow_sender (self, now);
  next_at = rc_sooner (next_at, follow_plan (self, now));       /* which may stop media */
  next_at = rc_sooner (next_at, send_media_admit_probe (&self->media, now));
  next_at = rc_sooner (next_at, send_media_order_keyframes (&self->media, now));
  look_at_fec (self, now);
  return rc_sooner (next_at, due_stats (self, now));
}

void
send_session_serve_now (SendSession * self, RcTime now)
{
  RcTime next_at = serve (self, now);

  if (self->client && rc_sooner (next_at, self->next_at) != self->next_at)
    pacing_engine_wake (self->engine, self->client);
}

static RcTime
on_due (gpointer user_data, RcTime now)
{
  SendSession *self = user_data;
  RcTime next_at;

  g_mutex_lock (&self->lock);
  /* The lock takes time, and the law's must not run backwards. */
  next_at = self->next_at = serve (self, clock_glue_monotonic ());
  send_session_unlock_and_tell (self);
  return next_at;
}

/* --- receiving --- */

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
take_ours (SendSession * self, const RtcpMessage * message, RcTime now)
{
  if (message->noticed) {
    rc_sender_on_notice (&self->sender, &message->notice, now);
    self->media.takes_trailers = TRUE;  /* only arcsrc sends notices */
  }
  if (message->noticed || message->n_reports > 0) {
    rc_sender_on_reports (&self->sender, message->reports, message->n_reports,
        message->sender_ssrc, now);
    send_session_watch_newcomer (self, message->sender_ssrc, now);
  }
}

static void
take_lists (SendSession * self, const RtcpMessage * message, const guint8 * data, RcTime now)
{
  for (guint i = 0; i < message->n_lists; i++)
    if (list_reader_take (&self->lists, &self->sender, &message->lists[i], data, now))
      send_session_watch_newcomer (self, message->lists[i].sender_ssrc, now);
    else
      self->rtcp_malformed++;
}

/* Report blocks, bounds, requests and farewells of any receiver. */
static void
take_others (SendSession * self, const RtcpMessage * message, RcTime now)
{
  for (guint i = 0; i < message->n_bound_ssrcs; i++)
    if (rc_sender_has_ssrc (&self->sender, message->bound_ssrcs[i])) {
      rc_sender_on_bound (&self->sender, message->bound_bps, now);
      break;
    }
  if (message->n_blocks > 0) {
    rc_sender_on_blocks (&self->sender, message->blocks, message->n_blocks, now);
    send_session_watch_newcomer (self, message->blocks[0].instance, now);
  }
  for (guint i = 0; i < message->n_byes; i++)
    rc_sender_on_bye (&self->sender, message->byes[i]);
  send_session_take_keyframe_requests (self, message, now);
  if (message->nacks.n_messages > 0)
    send_media_ask_again (&self->media, &message->nacks, now);
  self->work.plain = rc_sender_is_plain (&self->sender, now) && !self->told_plain;
}

static void
handle_datagram (SendSession * self, const guint8 * data, gsize size, RcTime now)
{
  RtcpMessage message;

  switch (rtcp_message_read (&message, data, size)) {
    case RTCP_VALID:
      self->rtcp_malformed += rtcp_message_unread (&message);
      take_ours (self, &message, now);
      take_lists (self, &message, data, now);
      if (message.n_others > 0) {
        take_others (self, &message, now);
        take_foreign_rtcp (self, data, size);
      }
      send_session_follow_sender (self, now);
      break;
    case RTCP_MALFORMED:
      self->rtcp_malformed++;
      break;
    case RTCP_NOT_RTCP:
      self->not_rtcp++;
      break;
  }
}

static void
on_readable (gpointer user_data, RcTime now)
{
  SendSession *self = user_data;
  guint8 data[MAX_DATAGRAM];
  gssize size;
  guint i;

  g_mutex_lock (&self->lock);
  for (i = 0; i < MAX_RECEIVES; i++) {
    size = self->transport->funcs->receive (self->transport, data, sizeof data);
    if (size == -1)
      break;
    if (size == -2) {
      send_path_on_refused (&self->path, 1, clock_glue_monotonic ());
      continue;
    }
    if (size == -3)
      continue;
    send_path_on_answer (&self->path);
    handle_datagram (self, data, (gsize) size, clock_glue_monotonic ());
  }
  g_mutex_unlock (&self->lock);
}

void
send_session_take_datagram (SendSession * self, const guint8 * data, gsize size)
{
  g_mutex_lock (&self->lock);
  send_path_on_answer (&self->path);
  handle_datagram (self, data, size, clock_glue_monotonic ());
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
  send_session_unlock_and_tell (self);
}

const PacingClientFuncs send_session_pacing_funcs = { on_due, on_readable };
