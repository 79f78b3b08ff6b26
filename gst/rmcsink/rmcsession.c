/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rmcsessionprivate.h"
#include "rtp/mediaformat.h"
#include "rtp/ratestamp.h"

#define RTP_HEADER_BYTES 12     /* without extensions: near enough for a rate */

static gboolean
has_work (const RmcSession * self)
{
  const RmcWork *work = &self->work;

  return work->target || work->made_bps > 0 || work->keyframe || work->stopped || work->stats || work->port_refused
      || work->look_up || work->rtcp.length > 0;
}

void
rmc_session_unlock_and_tell (RmcSession * self)
{
  gboolean tell = has_work (self) && self->client;

  g_mutex_unlock (&self->lock);
  if (tell)
    self->work_due (self->user_data);
}

void
rmc_session_wake_waiting (RmcSession * self)
{
  if (self->waiting > 0)
    g_cond_broadcast (&self->changed);
}

static void
wake_pacer (RmcSession * self)
{
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
}

/* Once for all that came since the queue was empty. What is paid for goes even while media is stopped. */
static void
wake_starved_pacer (RmcSession * self)
{
  if (send_queue_packets (self->queue) == 0 || (!self->starved && self->pacer.prepaid_bytes == 0))
    return;
  self->starved = FALSE;
  wake_pacer (self);
}

RcTime
rmc_session_queue_time (RmcSession * self)
{
  return rc_time_of_bytes (send_queue_bytes (self->queue), MAX (self->sender.decision.rate_bps, 1));
}

/* --- life --- */

static void
session_free (RmcSession * self)
{
  send_queue_free (self->queue);
  for (RcLedgerEntry * entries; (entries = rc_ledgers_take_back (&self->sender.ledgers));)
    g_free (entries);
  g_queue_clear_full (&self->work.rtcp, (GDestroyNotify) gst_buffer_unref);
  self->transport->funcs->free (self->transport);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static void
session_init (RmcSession * self, const RmcSessionConfig * config, RcTime now)
{
  RcSenderConfig sender = {
    .controller = &config->controller,.limits = config->limits,.pacing = config->pacing,
    .overhead_bytes = config->transport->overhead_bytes,.ecn = config->ecn
  };
  RcSenderPlan plan;

  self->refs = 1;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_queue_init (&self->work.rtcp);
  self->work_due = config->work_due;
  self->user_data = config->user_data;
  self->transport = config->transport;
  self->max_queue_time = config->max_queue_time;
  self->starved = TRUE;
  self->queue = send_queue_new (sender.overhead_bytes, config->renumber);
  self->refused_since = RC_TIME_NONE;
  path_watch_init (&self->path);
  self->follows_route = config->follows_route;
  self->has_name = config->has_name;
  self->stamp_id = RATE_STAMP_ID;
  rc_sender_init (&self->sender, &sender, now);
  sender_pacer_init (&self->pacer, &self->sender);
  self->lent.funcs = &rmc_session_lent_funcs;
  self->egress = (PacedEgress) {
    send_queue_get_source (self->queue), &self->pacer.pacer, self->transport, &rmc_session_egress_funcs, self
  };
  rc_sender_plan (&self->sender, 0, now, &plan);
  self->work.target = plan.tell_target;
}

RmcSession *
rmc_session_new (const RmcSessionConfig * config, GError ** error)
{
  PacingEngine *engine = pacing_engine_ref (error);
  RmcSession *self;

  if (!engine) {
    config->transport->funcs->free (config->transport);
    return NULL;
  }
  self = g_new0 (RmcSession, 1);
  session_init (self, config, clock_glue_monotonic ());
  self->engine = engine;
  g_mutex_lock (&self->lock);   /* until `client` is known */
  self->client = pacing_engine_add (engine, self->transport->fd, &rmc_session_pacing_funcs, self, error);
  g_mutex_unlock (&self->lock);
  if (!self->client) {
    pacing_engine_unref (engine);
    g_clear_pointer (&self, session_free);
  }
  return self;
}

RmcSession *
rmc_session_ref (RmcSession * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
rmc_session_unref (RmcSession * self)
{
  if (g_atomic_int_dec_and_test (&self->refs))
    session_free (self);
}

void
rmc_session_stop (RmcSession * self)
{
  PacingClient *client;

  g_mutex_lock (&self->lock);
  client = self->client;
  self->client = NULL;
  self->interrupted = TRUE;
  rmc_session_wake_waiting (self);
  g_mutex_unlock (&self->lock);
  if (client) {
    pacing_engine_remove (self->engine, client);
    pacing_engine_unref (self->engine);
    self->transport->funcs->close (self->transport);    /* not with the last reference: a port must be free now */
  }
}

/* --- settings --- */

gboolean
rmc_session_set_priority (RmcSession * self, gint priority)
{
  return pacing_engine_set_priority (self->engine, self->client, priority);
}

void
rmc_session_set_live (RmcSession * self, gboolean live)
{
  g_mutex_lock (&self->lock);
  self->live = live;
  if (live && self->sender.decision.stopped)
    send_queue_set_closed (self->queue, TRUE, clock_glue_monotonic ());
  rmc_session_wake_waiting (self);
  g_mutex_unlock (&self->lock);
}

Pacer *
rmc_session_get_pacer (RmcSession * self)
{
  return &self->lent;
}

void
rmc_session_set_limits (RmcSession * self, const RcLimits * limits)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  rc_sender_set_limits (&self->sender, limits, now);
  rmc_session_follow_sender (self, now);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

void
rmc_session_set_caps (RmcSession * self, const GstCaps * caps)
{
  RcMediaFormat format = media_format_from_caps (caps);

  g_mutex_lock (&self->lock);
  self->stamp_id = rate_stamp_id_of_caps (caps);
  rc_sender_set_format (&self->sender, &format);
  g_mutex_unlock (&self->lock);
}

void
rmc_session_set_max_queue_time (RmcSession * self, RcTime max_queue_time)
{
  g_mutex_lock (&self->lock);
  self->max_queue_time = max_queue_time;
  rmc_session_wake_waiting (self);
  g_mutex_unlock (&self->lock);
}

void
rmc_session_set_stats_interval (RmcSession * self, RcTime interval)
{
  g_mutex_lock (&self->lock);
  self->stats_interval = interval;
  self->stats_at = clock_glue_monotonic () + interval;
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

void
rmc_session_set_wants_rtcp (RmcSession * self, gboolean wants)
{
  g_mutex_lock (&self->lock);
  self->wants_rtcp = wants;
  g_mutex_unlock (&self->lock);
}

void
rmc_session_set_interrupted (RmcSession * self, gboolean interrupted)
{
  g_mutex_lock (&self->lock);
  self->interrupted = interrupted;
  rmc_session_wake_waiting (self);
  g_mutex_unlock (&self->lock);
}

/* --- media --- */

/* Leaves the lock meanwhile. */
static void
wait_for_change (RmcSession * self)
{
  wake_starved_pacer (self);
  self->waiting++;
  g_cond_wait (&self->changed, &self->lock);
  self->waiting--;
}

/* While media is stopped, one packet may come as a probe; and what is paid for. */
static gboolean
must_wait (RmcSession * self)
{
  gboolean probe = self->probing && send_queue_packets (self->queue) == 0;
  gboolean stopped = self->sender.decision.stopped && !probe && self->pacer.prepaid_bytes == 0;
  gboolean full = stopped || rmc_session_queue_time (self) > self->max_queue_time;

  return full && !self->live && !self->interrupted;
}

static void
shed (RmcSession * self, RcTime now)
{
  gdouble limit_bytes = rc_time_to_s (self->max_queue_time) * (gdouble) self->sender.decision.rate_bps / 8;

  send_queue_shed (self->queue, (guint64) limit_bytes, now);
  if (send_queue_take_keyframe_request (self->queue, now)) {
    self->work.keyframe = TRUE;
    self->stats.keyframe_requests++;
  }
}

/* With a stamp for relays, if the law obeys them. */
static GstBuffer *
prepare (RmcSession * self, GstBuffer * buffer)
{
  RcTime loop_time = rc_sender_loop_time (&self->sender);

  gst_buffer_ref (buffer);
  if (!rc_sender_wants_stamps (&self->sender) || self->stamp_id == 0)
    return buffer;
  return rate_stamp_insert (buffer, self->stamp_id, loop_time == RC_TIME_NONE ? 0 : loop_time);
}

static RmcPushResult
push_locked (RmcSession * self, GstBuffer * buffer, RtpCodec codec, RcTime now)
{
  if (!send_queue_push (self->queue, prepare (self, buffer), codec, now)) {
    self->stats.non_rtp_buffers++;
    return RMC_PUSH_NOT_RTP;
  }
  rc_sender_on_made (&self->sender, gst_buffer_get_size (buffer) - RTP_HEADER_BYTES, now);
  if (self->live && !self->sender.decision.stopped)
    shed (self, now);
  return RMC_PUSH_OK;
}

RmcPushResult
rmc_session_push (RmcSession * self, GstBuffer ** buffers, guint n, RtpCodec codec, guint * taken)
{
  RmcPushResult result = RMC_PUSH_OK;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  while (*taken < n && result == RMC_PUSH_OK) {
    while (must_wait (self)) {
      wait_for_change (self);
      now = clock_glue_monotonic ();
    }
    if (self->interrupted && !self->live)
      result = RMC_PUSH_INTERRUPTED;
    else
      result = push_locked (self, buffers[*taken], codec, now);
    *taken += result == RMC_PUSH_OK;
  }
  wake_starved_pacer (self);
  rmc_session_unlock_and_tell (self);
  return result;
}

void
rmc_session_push_rtcp (RmcSession * self, GstBuffer * buffer)
{
  g_mutex_lock (&self->lock);
  if (self->client)             /* else the transport is closed, or will be */
    rmc_session_send_rtcp (self, buffer, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

RmcDrainResult
rmc_session_drain (RmcSession * self)
{
  RmcDrainResult result = RMC_DRAIN_DONE;

  g_mutex_lock (&self->lock);
  while (send_queue_packets (self->queue) > 0 && !self->interrupted && !self->sender.decision.stopped)
    wait_for_change (self);
  if (send_queue_packets (self->queue) > 0)
    result = self->interrupted ? RMC_DRAIN_INTERRUPTED : RMC_DRAIN_SILENT;
  g_mutex_unlock (&self->lock);
  return result;
}

void
rmc_session_flush (RmcSession * self)
{
  g_mutex_lock (&self->lock);
  send_queue_flush (self->queue);
  sender_pacer_forget_prepaid (&self->pacer);
  rc_sender_reset_pacing (&self->sender, clock_glue_monotonic ());
  rmc_session_wake_waiting (self);
  wake_pacer (self);
  g_mutex_unlock (&self->lock);
}

/* --- what it tells --- */

void
rmc_session_retell_target (RmcSession * self)
{
  g_mutex_lock (&self->lock);
  self->work.target = self->sender.target_bps > 0;
  rmc_session_unlock_and_tell (self);
}

guint
rmc_session_get_target_bps (RmcSession * self)
{
  guint bps;

  g_mutex_lock (&self->lock);
  bps = self->sender.target_bps;
  g_mutex_unlock (&self->lock);
  return bps;
}

gboolean
rmc_session_take_work (RmcSession * self, RmcWork * work)
{
  gboolean any;

  g_mutex_lock (&self->lock);
  any = has_work (self);
  *work = self->work;
  memset (&self->work, 0, sizeof self->work);
  work->refusal = self->sender.refusal;
  work->target_bps = self->sender.target_bps;
  work->living = self->living;
  work->heard = self->sender.infos.heard;
  work->told_port_refused = self->told_port_refused;
  work->send_error = self->send_error;
  work->rate_bps = (guint) MIN (self->sender.decision.rate_bps, G_MAXUINT);
  work->n_flows = send_queue_get_shares (self->queue, work->ssrcs, work->shares, RTCP_FEEDBACK_MAX_REPORTS,
      clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  return any;
}

static void
fill_law_facts (RmcSession * self, RmcStats * stats)
{
  guint i;

  stats->law = self->sender.controller.law->name;
  stats->queueing_delay = self->sender.decision.queueing_delay;
  for (i = 0; i < RMC_STATS_MAX_LAW; i++) {
    if (!rc_controller_stat (&self->sender.controller, i, &stats->law_facts[i].name, &stats->law_facts[i].value))
      break;
  }
  stats->n_law_facts = i;
}

void
rmc_session_get_stats (RmcSession * self, RmcStats * stats)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  *stats = self->stats;
  stats->target_bps = self->sender.target_bps;
  stats->rate_bps = self->sender.decision.rate_bps;
  rc_sender_get_stats (&self->sender, now, &stats->sender);
  stats->queue_bytes = send_queue_bytes (self->queue);
  stats->queue_time = rmc_session_queue_time (self);
  stats->srtt = self->sender.decision.srtt;
  stats->stopped = self->sender.decision.stopped;
  stats->ecn = self->sender.ecn_wanted ? rc_ecn_state_name (self->sender.ecn.state) : "off";
  send_queue_get_stats (self->queue, &stats->queue);
  fill_law_facts (self, stats);
  g_mutex_unlock (&self->lock);
}
