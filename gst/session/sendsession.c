/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendsessionprivate.h"
#include "rtp/mediaformat.h"

static void
wake_pacer (SendSession * self)
{
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
}

/* --- life --- */

static void
session_free (SendSession * self)
{
  send_media_clear (&self->media);
  list_reader_free (self->lists);
  for (RcLedgerEntry * entries; (entries = rc_sender_take_back_entries (&self->sender));)
    g_free (entries);
  g_queue_clear_full (&self->work.rtcp, (GDestroyNotify) gst_buffer_unref);
  self->transport->funcs->free (self->transport);
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
  send_session_ref ((SendSession *) ((guint8 *) pacer - G_STRUCT_OFFSET (SendSession, lent)));
}

static void
lent_unref (Pacer * pacer)
{
  send_session_unref ((SendSession *) ((guint8 *) pacer - G_STRUCT_OFFSET (SendSession, lent)));
}

static const PacerFuncs lent_funcs = {.due_at = send_session_lent_due_at,
  .pay = send_session_lent_pay,.on_idle = send_session_lent_on_idle,
  .on_blocked = send_session_lent_on_blocked,.ref = lent_ref,.unref = lent_unref
};

static void
session_init (SendSession * self, const SendSessionConfig * config, RcTime now)
{
  RcSenderConfig sender = {
    .controller = &config->controller,.limits = config->limits,.pacing = config->pacing,
    .overhead_bytes = config->transport->overhead_bytes,.ecn = config->ecn,
    .guest = config->guest
  };
  RcSenderPlan plan;

  self->refs = 1;
  g_mutex_init (&self->lock);
  g_queue_init (&self->work.rtcp);
  self->work_due = config->work_due;
  self->user_data = config->user_data;
  self->transport = config->transport;
  send_path_init (&self->path, self->transport, config->follows_route, config->has_name);
  rc_sender_init (&self->sender, &sender, now);
  send_media_init (&self->media, &self->sender, &self->path, config->renumber,
      config->max_queue_time);
  resender_set_time (self->media.resender, config->rtx_time);
  resender_set_payload_types (self->media.resender, config->rtx_payload_types);
  fec_rate_init (&self->fec);
  self->lent.funcs = &lent_funcs;
  rc_sender_plan (&self->sender, 0, now, &plan);
  self->work.encoders.target = plan.tell_target;
}

SendSession *
send_session_new (const SendSessionConfig * config, GError ** error)
{
  PacingEngine *engine = pacing_engine_ref (error);
  SendSession *self;

  if (!engine) {
    config->transport->funcs->free (config->transport);
    return NULL;
  }
  self = g_new0 (SendSession, 1);
  session_init (self, config, clock_glue_monotonic ());
  self->engine = engine;
  g_mutex_lock (&self->lock);   /* until `client` is known */
  self->client = pacing_engine_add (engine, self->transport->fd, &send_session_pacing_funcs,
      self, error);
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

  if (!self->client)
    return;
  if (rc_sender_end (&self->sender, now))
    send_session_send_sender_reports (self, TRUE, now);
  send_session_send_farewell (self, now);
}

void
send_session_say_bye (SendSession * self)
{
  g_mutex_lock (&self->lock);
  say_bye (self);
  g_mutex_unlock (&self->lock);
}

void
send_session_stop (SendSession * self)
{
  PacingClient *client;

  g_mutex_lock (&self->lock);
  say_bye (self);
  client = self->client;
  self->client = NULL;
  send_media_set_interrupted (&self->media, TRUE);
  g_mutex_unlock (&self->lock);
  if (client) {
    pacing_engine_remove (self->engine, client);
    pacing_engine_unref (self->engine);
    /* Not with the last reference: a port must be free now. */
    self->transport->funcs->close (self->transport);
  }
}

/* --- settings --- */

gboolean
send_session_set_priority (SendSession * self, gint priority)
{
  return pacing_engine_set_priority (self->engine, self->client, priority);
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
  send_session_follow_sender (self, now);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

void
send_session_set_caps (SendSession * self, const GstCaps * caps)
{
  RcMediaFormat format = media_format_from_caps (caps);
  guint ssrc = 0;

  gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc);
  g_mutex_lock (&self->lock);
  self->caps_ssrc = ssrc;
  send_media_set_caps (&self->media, caps);
  rc_sender_set_format (&self->sender, &format);
  sender_reports_set_caps (&self->media.reports, caps);
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

/* --- media --- */

static void
wake_pacer_for_media (SendSession * self)
{
  if (send_media_take_wake_up (&self->media))
    wake_pacer (self);
}

/* What a scheduler upstream has paid for leaves here and now: to wake the pacing thread for it
 * would cost two changes of thread. */
static void
send_what_came (SendSession * self)
{
  if (self->client && self->media.pacer.prepaid_bytes > 0)
    send_session_serve_now (self, clock_glue_monotonic ());
  else
    wake_pacer_for_media (self);
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
    if (self->media.interrupted && !self->media.live)
      result = SEND_PUSH_INTERRUPTED;
    else if (!send_media_push (&self->media, buffers[*taken], now))
      result = SEND_PUSH_NOT_RTP;
    *taken += result == SEND_PUSH_OK;
  }
  send_what_came (self);
  send_session_unlock_and_tell (self);
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

/* Somebody else's sender reports take the place of ours, and an LSR may name them. */
static void
note_sender_reports (SendSession * self, GstBuffer * buffer, RcTime now)
{
  RtcpMessage rtcp;

  rtcp_message_read_buffer (&rtcp, buffer);
  for (guint i = 0; i < rtcp.n_sender_reports; i++) {
    const RtcpSenderReport *report = &rtcp.sender_reports[i];

    sender_reports_on_others (&self->media.reports, report->ssrc, now);
    rc_sender_on_sr_sent (&self->sender, report->ssrc, rtcp_lsr_of_ntp (report->ntp), now);
  }
}

void
send_session_push_rtcp (SendSession * self, GstBuffer * buffer)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  if (self->client) {           /* else the transport is closed, or will be */
    send_session_send_rtcp (self, buffer, now);
    note_sender_reports (self, buffer, now);
  }
  g_mutex_unlock (&self->lock);
}

SendDrainResult
send_session_drain (SendSession * self)
{
  const SendMedia *media = &self->media;
  SendDrainResult result = SEND_DRAIN_DONE;

  g_mutex_lock (&self->lock);
  while (send_queue_packets (media->queue) > 0 && !media->interrupted
      && !rc_sender_is_stopped (&self->sender)) {
    wake_pacer_for_media (self);
    send_media_wait (&self->media, &self->lock);
  }
  if (send_queue_packets (media->queue) > 0)
    result = media->interrupted ? SEND_DRAIN_INTERRUPTED : SEND_DRAIN_SILENT;
  g_mutex_unlock (&self->lock);
  return result;
}

void
send_session_flush (SendSession * self)
{
  g_mutex_lock (&self->lock);
  send_media_flush (&self->media, clock_glue_monotonic ());
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

/* --- what it tells --- */

void
send_session_retell_target (SendSession * self)
{
  g_mutex_lock (&self->lock);
  self->work.encoders.target = rc_sender_target_bps (&self->sender) > 0;
  send_session_unlock_and_tell (self);
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

guint64
send_session_get_rate_bps (SendSession * self)
{
  guint64 bps;

  g_mutex_lock (&self->lock);
  bps = rc_sender_rate_bps (&self->sender);
  g_mutex_unlock (&self->lock);
  return bps;
}

/* What is so now, beside what has changed. */
static void
fill_orders (SendSession * self, EncoderOrders * orders)
{
  orders->bps = rc_sender_target_bps (&self->sender);
  orders->network_bps = (guint) MIN (rc_sender_rate_bps (&self->sender), G_MAXUINT);
  orders->living = self->living;
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
  gboolean any;

  g_mutex_lock (&self->lock);
  any = send_session_has_work (self);
  *work = self->work;
  self->told_plain |= work->plain;
  memset (&self->work, 0, sizeof self->work);
  fill_orders (self, &work->encoders);
  work->port_refused = self->path.port_refused;
  work->stopped |= self->path.unanswered && self->media.stopped;
  self->path.port_refused = self->path.unanswered = FALSE;
  self->told_silence = work->stopped || (self->told_silence && !work->resumed);
  work->refusal = rc_sender_refusal (&self->sender);
  work->heard = rc_sender_is_heard (&self->sender);
  work->told_port_refused = self->path.told_port_refused;
  work->send_error = self->path.send_error;
  g_mutex_unlock (&self->lock);
  return any;
}

static void
fill_law_facts (SendSession * self, SessionStats * stats)
{
  guint i;

  stats->law = rc_sender_law (&self->sender)->law->name;
  stats->queueing_delay = rc_sender_queueing_delay (&self->sender);
  for (i = 0; i < SESSION_STATS_MAX_LAW; i++) {
    if (!rc_controller_stat (rc_sender_law (&self->sender), i, &stats->law_facts[i]))
      break;
  }
  stats->n_law_facts = i;
}

void
send_session_get_stats (SendSession * self, SessionStats * stats)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  *stats = (SessionStats) {.rtcp_malformed = self->rtcp_malformed,.not_rtcp = self->not_rtcp,
    .path_changes = self->path_changes,.non_rtp_buffers = self->media.non_rtp_buffers,
    .path = self->path.stats
  };
  stats->target_bps = rc_sender_target_bps (&self->sender);
  stats->rate_bps = rc_sender_rate_bps (&self->sender);
  rc_sender_get_stats (&self->sender, now, &stats->sender);
  stats->queue_bytes = send_queue_bytes (self->media.queue);
  stats->queue_time = send_media_get_queue_time (&self->media);
  stats->srtt = rc_sender_srtt (&self->sender);
  stats->state = rc_sender_is_stopped (&self->sender) ? "stopped" : "running";
  stats->format = rc_format_name (stats->sender.format);
  stats->ecn = rc_sender_ecn_name (&self->sender);
  send_queue_get_stats (self->media.queue, &stats->queue);
  send_queue_get_key_stats (self->media.queue, &stats->keys);
  resender_get_stats (self->media.resender, &stats->resender);
  stats->rtx_streams = *resender_get_streams (self->media.resender);
  fill_law_facts (self, stats);
  g_mutex_unlock (&self->lock);
}

/* --- the receiver --- */

GSocketAddress *
send_session_get_peer (SendSession * self)
{
  GSocketAddress *peer;

  g_mutex_lock (&self->lock);
  peer = self->client ? self->transport->funcs->get_peer (self->transport) : NULL;
  g_mutex_unlock (&self->lock);
  return peer;
}

void
send_session_set_peer (SendSession * self, GSocketAddress * peer)
{
  g_mutex_lock (&self->lock);
  if (self->client && self->transport->funcs->set_peer (self->transport, peer)) {
    send_session_begin_anew (self, clock_glue_monotonic ());
    wake_pacer (self);
  }
  send_session_unlock_and_tell (self);
}
