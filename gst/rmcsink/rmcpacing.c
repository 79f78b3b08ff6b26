/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing thread does for a session: send what is due, read what came, ask the law. */

#include "rmcsessionprivate.h"

#define MAX_RECEIVES 64         /* datagrams in one go: others share the thread */
#define MAX_DATAGRAM 2048
#define MAX_FOREIGN_RTCP 32     /* packets that wait for somebody to take them */

/* --- what the sender decided --- */

static void
set_probing (RmcSession * self, gboolean probing)
{
  if (probing == self->probing)
    return;
  self->probing = probing;
  send_queue_set_admits_one (self->queue, probing);
  rmc_session_wake_waiting (self);
}

void
rmc_session_follow_sender (RmcSession * self, RcTime now)
{
  gboolean stopped = self->sender.decision.stopped;

  if (stopped == self->stopped)
    return;
  self->stopped = self->work.stopped = stopped;
  if (self->live)
    send_queue_set_closed (self->queue, stopped, now);
  rmc_session_wake_waiting (self);
}

/* Somebody takes the media: what it wants of the encoder counts. */
static gboolean
is_living (const RmcSession * self)
{
  return !self->sender.decision.stopped
      && (self->sender.ledgers.stats.accepted > 0 || g_str_equal (self->sender.controller.law->name, "fixed"));
}

/* --- sending --- */

static RcSenderPacket
sender_packet (const SendPacket * packet)
{
  return (RcSenderPacket) {
    .ssrc = packet->ssrc,.seq = packet->seq,.rtp_bytes = packet->rtp_bytes,.media_bytes = packet->payload_bytes
  };
}

static void
give_entries (RmcSession * self, const RcSenderPacket * packet, RcTime now)
{
  RcNumberSpace space;
  guint32 wanted;

  while ((wanted = rc_sender_wants_entries (&self->sender, packet, &space, now)) > 0)
    g_free (rc_ledgers_give (&self->sender.ledgers, space, g_new0 (RcLedgerEntry, wanted), wanted, now));
}

static gboolean
marks_ect (gpointer owner)
{
  return rc_sender_marks_ect (&((RmcSession *) owner)->sender);
}

static void
on_batch (gpointer owner, const TransportResult * result, RcTime now)
{
  rmc_session_note_sent (owner, result, now);
}

/* A packet that the system refused counts as sent: to the law it is one that the network lost. */
static void
on_sent (gpointer owner, RcTime now)
{
  RmcSession *self = owner;
  RcSenderPacket packet = sender_packet (send_queue_peek (self->queue, 0));
  gboolean backlogged = send_queue_packets (self->queue) > 1 || self->waiting > 0;

  give_entries (self, &packet, now);
  rc_sender_on_sent (&self->sender, &packet, backlogged, now);
}

const PacedEgressFuncs rmc_session_egress_funcs = { marks_ect, on_batch, on_sent };

/* Those who push are woken when half of what may wait has left, not for each packet. */
static void
wake_if_room (RmcSession * self)
{
  if (self->waiting > 0 && rmc_session_queue_time (self) <= self->max_queue_time / 2)
    rmc_session_wake_waiting (self);
}

/* Returns when to come again. */
static RcTime
send_due (RmcSession * self, RcTime now)
{
  RcTime next_at = paced_egress_serve (&self->egress, now);

  rmc_session_follow_sender (self, now);        /* which may empty the queue */
  self->starved = send_queue_packets (self->queue) == 0;
  wake_if_room (self);
  return next_at;
}

/* Media is stopped and would be a probe: of a live source, whose queue is closed, one packet may come. */
static RcTime
admit_probe (RmcSession * self, RcTime now)
{
  set_probing (self, send_queue_packets (self->queue) == 0 && rc_sender_wants_probe (&self->sender, now));
  if (self->probing || !self->sender.decision.stopped || send_queue_packets (self->queue) > 0)
    return RC_TIME_NONE;        /* whoever pushes the next packet wakes us; or it has its time already */
  return rc_infoclock_media_probe_at (&self->sender.infos);
}

void
rmc_session_send_rtcp (RmcSession * self, GstBuffer * buffer, RcTime now)
{
  TransportResult result = self->transport->funcs->send (self->transport, &buffer, 1, FALSE);

  rmc_session_note_sent (self, &result, now);
  rc_sender_on_control_sent (&self->sender, (guint) gst_buffer_get_size (buffer) + self->sender.overhead_bytes, now);
}

/* Infos that are due, a new target. Returns when to come again. */
static RcTime
follow_plan (RmcSession * self, RcTime now)
{
  gboolean living = is_living (self);
  RcSenderPlan plan;
  GstBuffer *buffer;

  rc_sender_plan (&self->sender, paced_egress_get_waiting_bytes (&self->egress), now, &plan);
  rmc_session_follow_sender (self, now);
  if (plan.n_infos > 0) {
    buffer = rtcp_feedback_new_infos (plan.infos[0].ssrc, plan.infos, plan.n_infos);
    rmc_session_send_rtcp (self, buffer, now);
    gst_buffer_unref (buffer);
  }
  if (plan.tell_target || living != self->living)
    self->work.target = plan.target_bps > 0;
  if (living)
    rc_sender_take_excess (&self->sender, now, &self->work.made_bps, &self->work.told_bps);
  self->living = living;
  return plan.next_at;
}

static RcTime
due_stats (RmcSession * self, RcTime now)
{
  if (self->stats_interval == 0)
    return RC_TIME_NONE;
  if (now >= self->stats_at) {
    self->work.stats = TRUE;
    self->stats_at = MAX (self->stats_at, now - self->stats_interval) + self->stats_interval;
  }
  return self->stats_at;
}

static RcTime
on_due (gpointer user_data, RcTime now)
{
  RmcSession *self = user_data;
  RcTime next_at;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();        /* the lock may have taken time, and the law's time must not run backwards */
  next_at = rmc_session_watch_path (self, now);
  next_at = rc_sooner (next_at, send_due (self, now));
  next_at = rc_sooner (next_at, follow_plan (self, now));       /* which may stop media */
  next_at = rc_sooner (next_at, admit_probe (self, now));
  next_at = rc_sooner (next_at, due_stats (self, now));
  rmc_session_unlock_and_tell (self);
  return next_at;
}

/* --- receiving --- */

static void
take_foreign_rtcp (RmcSession * self, GstBuffer * buffer)
{
  if (self->wants_rtcp && self->work.rtcp.length < MAX_FOREIGN_RTCP)
    g_queue_push_tail (&self->work.rtcp, gst_buffer_ref (buffer));
}

static void
handle_datagram (RmcSession * self, const guint8 * data, gsize size, RcTime now)
{
  RtcpFeedback feedback;
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);

  switch (rtcp_feedback_parse (buffer, &feedback)) {
    case RTCP_FEEDBACK_OURS:
      if (feedback.noticed)
        rc_sender_on_notice (&self->sender, &feedback.notice, now);
      rc_sender_on_reports (&self->sender, feedback.reports, feedback.n_reports, feedback.sender_ssrc, now);
      rmc_session_follow_sender (self, now);
      if (feedback.others)
        take_foreign_rtcp (self, buffer);
      break;
    case RTCP_FEEDBACK_OTHER:
      take_foreign_rtcp (self, buffer);
      break;
    case RTCP_FEEDBACK_MALFORMED:
      self->stats.rtcp_malformed++;
      break;
    default:
      self->stats.not_rtcp++;
      break;
  }
  gst_buffer_unref (buffer);
}

static void
on_readable (gpointer user_data, RcTime now)
{
  RmcSession *self = user_data;
  guint8 data[MAX_DATAGRAM];
  gssize size;
  guint i;

  g_mutex_lock (&self->lock);
  for (i = 0; i < MAX_RECEIVES; i++) {
    size = self->transport->funcs->receive (self->transport, data, sizeof data);
    if (size == -1)
      break;
    if (size == -2) {
      rmc_session_note_refused (self, 1, clock_glue_monotonic ());
      continue;
    }
    rmc_session_note_answer (self);
    handle_datagram (self, data, (gsize) size, clock_glue_monotonic ());
  }
  g_mutex_unlock (&self->lock);
}

void
rmc_session_take_datagram (RmcSession * self, const guint8 * data, gsize size)
{
  g_mutex_lock (&self->lock);
  rmc_session_note_answer (self);
  handle_datagram (self, data, size, clock_glue_monotonic ());
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
  rmc_session_unlock_and_tell (self);
}

const PacingClientFuncs rmc_session_pacing_funcs = { on_due, on_readable };
