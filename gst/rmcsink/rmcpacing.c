/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing thread does for a session: send what is due, read what came, ask the law. */

#include "rmcsessionprivate.h"
#include "common/udpsocket.h"

#define AGAIN_DELAY RC_MSEC     /* the kernel's buffer was full */
#define STAY_AWAKE (500 * RC_USEC)      /* while catching up: on a busy CPU a sleep costs the rest of the time slice */
#define MAX_RECEIVES 64         /* datagrams in one go: others share the thread */
#define MAX_DATAGRAM 2048
#define MAX_FOREIGN_RTCP 32     /* packets that wait for somebody to take them */
#define INFO_INTERVAL RC_SECOND         /* and between the first probes */
#define INFO_MIN_INTERVAL (50 * RC_MSEC)
#define INFO_CHANGE_RATIO 0.2   /* of SRTT or interval: the receiver needs no finer */
#define FIRST_PROBES 10
#define LATER_PROBE_INTERVAL (3 * RC_SECOND)    /* RFC 8085 3.1.3: no return traffic */

static RcTime
sooner (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a == RC_TIME_NONE ? b : a;
  return MIN (a, b);
}

static gboolean
differs (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a != b;
  return ABS (a - b) > (RcTime) (INFO_CHANGE_RATIO * (gdouble) b);
}

/* --- decisions of the law --- */

static void
want_info (RmcSession * self, RcTime now)
{
  RcTime soonest = self->info_sent_at == RC_TIME_NONE ? now : MAX (now, self->info_sent_at + INFO_MIN_INTERVAL);

  self->info_at = sooner (self->info_at, soonest);
}

static void
set_probing (RmcSession * self, gboolean probing)
{
  if (probing == self->probing)
    return;
  self->probing = probing;
  send_queue_set_admits_one (self->queue, probing);
  rmc_session_wake_waiting (self);
}

static void
on_stopped_changed (RmcSession * self, gboolean stopped, RcTime now)
{
  if (self->live)
    send_queue_set_closed (self->queue, stopped, now);
  self->work.stopped = stopped;
  self->probes = 0;
  self->probe_at = now + INFO_INTERVAL;
  set_probing (self, FALSE);
  rc_ecn_init (&self->ecn);     /* perhaps it was the marks that nobody let through */
  if (!stopped)
    rc_rmc_reset (&self->rmc, now);
  want_info (self, now);
  rmc_session_wake_waiting (self);
}

void
rmc_session_decide (RmcSession * self, RcDecision decision, RcTime now)
{
  gboolean was_stopped = self->decision.stopped;

  self->decision = decision;
  rc_rmc_set_rate (&self->rmc, decision.rate_bps, now);
  if (decision.stopped != was_stopped)
    on_stopped_changed (self, decision.stopped, now);
  if (differs (decision.srtt, self->told_srtt) || differs (decision.report_interval, self->told_interval))
    want_info (self, now);
}

static gboolean
is_living (RmcSession * self)
{
  LedgerSetStats reports;

  ledger_set_get_stats (self->ledgers, &reports);
  return !self->decision.stopped && (reports.accepted > 0 || g_str_equal (self->controller.law->name, "fixed"));
}

static void
update_target (RmcSession * self, RcTime now)
{
  gboolean living = is_living (self);
  guint bps;

  rc_mediatarget_on_queue (&self->target, send_queue_bytes (self->queue), now);
  if (rc_mediatarget_take (&self->target, self->decision.rate_bps, now, &bps)) {
    self->target_bps = bps;
    self->work.target = TRUE;
  }
  if (living != self->living)
    self->work.target = self->target_bps > 0;
  if (living)
    rc_mediatarget_take_excess (&self->target, now, &self->work.made_bps, &self->work.told_bps);
  self->living = living;
}

/* --- sending --- */

static UdpSendResult
transmit (RmcSession * self, GstBuffer ** buffers, guint n, gboolean ect, RcTime now)
{
  UdpSendResult result = udp_sender_send (&self->sender, buffers, n, ect);

  rmc_session_note_sent (self, &result, now);
  return result;
}

/* A packet that the system refused counts as sent: to the law it is one that the network lost. */
static RcDecision
account_sent (RmcSession * self, const SendPacket * packet, RcTime now)
{
  RcSent sent = { packet->size_bytes, send_queue_packets (self->queue) > 1 || self->waiting > 0 };

  if (ledger_set_on_sent (self->ledgers, packet->ssrc, packet->seq, packet->rtp_bytes, now)) {
    want_info (self, now);
    self->work.target = self->target_bps > 0;   /* the new flow wants to know too */
  }
  rc_mediatarget_on_sent (&self->target, packet->size_bytes, packet->payload_bytes);
  rc_ratemeter_add (&self->sent, packet->size_bytes, now);
  self->stats.packets_sent++;
  self->stats.bytes_sent += packet->size_bytes;
  self->media_sent_at = now;
  return rc_controller_on_sent (&self->controller, &sent, now);
}

/* Pays for the packets that are due together, and collects them, `most` at most. The head is due. */
static guint
take_due (RmcSession * self, GstBuffer ** buffers, guint most, RcTime now)
{
  const SendPacket *packet = send_queue_peek (self->queue, 0);
  RcTime due_at = now;
  guint n = 0;

  while (packet && due_at != RC_TIME_NONE && due_at <= now && n < most) {
    rc_rmc_on_sent (&self->rmc, packet->size_bytes, now);
    packet = send_queue_peek (self->queue, ++n);
    if (packet)
      due_at = rc_rmc_due_at (&self->rmc, packet->size_bytes, now);
  }
  send_queue_number (self->queue, n);
  for (guint i = 0; i < n; i++)
    buffers[i] = send_queue_peek (self->queue, i)->buffer;
  return n;
}

/* All packets that are due, up to `most`, a batch. FALSE: the kernel takes no more now. */
static gboolean
send_batch (RmcSession * self, guint most, RcTime now)
{
  GstBuffer *buffers[UDP_SENDER_MAX_BATCH];
  guint i, n = take_due (self, buffers, most, now);
  UdpSendResult result = transmit (self, buffers, n, rc_ecn_marks (&self->ecn), now);
  RcDecision decision;

  for (i = result.sent; i < n; i++)
    rc_rmc_on_unsent (&self->rmc, send_queue_peek (self->queue, i)->size_bytes);
  for (i = 0; i < result.sent; i++) {
    decision = account_sent (self, send_queue_peek (self->queue, 0), now);
    send_queue_pop (self->queue);
  }
  rc_ecn_on_sent (&self->ecn, result.sent, now);
  if (result.sent > 0)
    rmc_session_decide (self, decision, now);
  return !result.again;
}

/* Those who push are woken when half of what may wait has left, not for each packet. */
static void
wake_if_room (RmcSession * self)
{
  if (self->waiting > 0 && rmc_session_queue_time (self) <= rmc_session_queue_limit (self) / 2)
    rmc_session_wake_waiting (self);
}

/* Returns when to come again. */
static RcTime
send_due (RmcSession * self, RcTime now)
{
  const SendPacket *head;
  RcTime due_at;

  while (!self->decision.stopped && (head = send_queue_peek (self->queue, 0))) {
    due_at = rc_rmc_due_at (&self->rmc, head->size_bytes, now);
    if (due_at == RC_TIME_NONE || due_at > now)
      return rc_rmc_is_behind (&self->rmc) && due_at - now < STAY_AWAKE ? 0 : due_at;
    if (!send_batch (self, UDP_SENDER_MAX_BATCH, now))
      return now + AGAIN_DELAY;
    wake_if_room (self);
  }
  if (send_queue_packets (self->queue) == 0) {
    self->starved = TRUE;
    rc_rmc_set_idle (&self->rmc, now);
  }
  return RC_TIME_NONE;
}

void
rmc_session_send_rtcp (RmcSession * self, GstBuffer * buffer, RcTime now)
{
  guint size_bytes = (guint) gst_buffer_get_size (buffer) + self->overhead_bytes;

  transmit (self, &buffer, 1, FALSE, now);
  rc_rmc_on_sent (&self->rmc, size_bytes, now);
  rc_mediatarget_on_rtcp (&self->target, size_bytes, now);
  rc_ratemeter_add (&self->sent, size_bytes, now);
}

static void
send_infos (RmcSession * self, RcTime now)
{
  RcSenderInfo infos[RTCP_FEEDBACK_MAX_REPORTS];
  guint n = ledger_set_fill_infos (self->ledgers, self->decision.srtt, self->decision.report_interval, infos);
  GstBuffer *buffer;

  if (n == 0)
    return;
  infos[0].cookie = self->cookie;
  infos[0].format = self->format;
  buffer = rtcp_feedback_new_infos (infos[0].ssrc, infos, n);
  rmc_session_send_rtcp (self, buffer, now);
  gst_buffer_unref (buffer);
  self->told_srtt = self->decision.srtt;
  self->told_interval = self->decision.report_interval;
  self->info_sent_at = now;
}

void
rmc_session_probe_soon (RmcSession * self, RcTime now)
{
  self->probe_at = now;
  want_info (self, now);
}

static RcTime
probe_interval (const RmcSession * self)
{
  return self->probes >= FIRST_PROBES ? LATER_PROBE_INTERVAL : INFO_INTERVAL;
}

/* A receiver that never reported may be one that takes each RTCP packet for a broken RTP packet. Any arcsrc answers
 * media; so while media is stopped single packets of it ask. Returns when to come again. */
static RcTime
probe_with_media (RmcSession * self, RcTime now)
{
  if (!self->decision.stopped)
    return RC_TIME_NONE;
  if (now < self->probe_at)
    return self->probe_at;
  set_probing (self, send_queue_packets (self->queue) == 0);
  if (self->probing)
    return RC_TIME_NONE;        /* whoever pushes the next packet wakes us */
  if (!send_batch (self, 1, now))
    return now + AGAIN_DELAY;
  set_probing (self, FALSE);
  self->starved = send_queue_packets (self->queue) == 0;
  self->probes++;
  self->probe_at = now + probe_interval (self);
  return self->probe_at;
}

/* To a receiver that has reported: as long as media leaves, each second; while it is stopped, as probes. Returns when
 * to come again. */
static RcTime
send_due_infos (RmcSession * self, RcTime now)
{
  gboolean idle = !self->decision.stopped && self->media_sent_at <= self->info_sent_at;

  if (self->media_sent_at == RC_TIME_NONE || (idle && self->info_at == RC_TIME_NONE))
    return RC_TIME_NONE;
  if (self->info_at == RC_TIME_NONE)
    self->info_at = self->info_sent_at + probe_interval (self);
  if (now < self->info_at)
    return self->info_at;
  send_infos (self, now);
  self->probes += self->decision.stopped;
  self->info_at = RC_TIME_NONE;
  return send_due_infos (self, now);
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
  if (self->decision.next_at != RC_TIME_NONE && now >= self->decision.next_at)
    rmc_session_decide (self, rc_controller_on_timer (&self->controller, now), now);
  next_at = rmc_session_watch_path (self, now);
  next_at = sooner (next_at, send_due (self, now));
  next_at = sooner (next_at, self->heard ? send_due_infos (self, now) : probe_with_media (self, now));
  next_at = sooner (next_at, due_stats (self, now));
  next_at = sooner (next_at, self->decision.next_at);
  update_target (self, now);
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

/* The receiver wants to see that we are where we seem to be, or takes another's media. */
static void
take_notice (RmcSession * self, const RcNotice * notice, RcTime now)
{
  self->cookie = notice->cookie;
  self->refusal = notice->refusal <= RC_REFUSAL_PAYLOAD_TYPE ? (RcRefusal) notice->refusal : RC_REFUSAL_TAKEN;
  want_info (self, now);
}

static void
take_reports (RmcSession * self, const RtcpFeedback * feedback, RcTime now)
{
  RcFeedback digest;

  if (!ledger_set_digest (self->ledgers, feedback, now, &digest))
    return;
  self->refusal = RC_REFUSAL_NONE;
  if (self->ecn_wanted)
    rc_ecn_on_feedback (&self->ecn, &digest, now);
  else
    digest.ce_pkts = 0;
  if (digest.bandwidth_bps > 0)
    self->stats.bandwidth_bps = digest.bandwidth_bps;
  rmc_session_decide (self, rc_controller_on_feedback (&self->controller, &digest, now), now);
}

static void
on_heard (RmcSession * self, RcTime now)
{
  if (self->heard)
    return;
  self->heard = TRUE;
  set_probing (self, FALSE);
  want_info (self, now);
}

static void
handle_datagram (RmcSession * self, const guint8 * data, gsize size, RcTime now)
{
  RtcpFeedback feedback;
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);

  switch (rtcp_feedback_parse (buffer, &feedback)) {
    case RTCP_FEEDBACK_OURS:
      on_heard (self, now);
      if (feedback.noticed)
        take_notice (self, &feedback.notice, now);
      take_reports (self, &feedback, now);
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
    size = udp_socket_receive (self->socket, data, sizeof data);
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

const PacingClientFuncs rmc_session_pacing_funcs = { on_due, on_readable };
