/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#include "base/clockglue.h"
#include "encoder/encoderwalk.h"
#include "net/pathwatch.h"

/* The messages say what to do, so they are the text for the user, not for debugging. */
static void
post_error (GstRmcSink * self, const GError * error)
{
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
      error->domain == GST_RESOURCE_ERROR ? error->code : GST_RESOURCE_ERROR_FAILED,
      g_strdup (error->message), NULL, __FILE__, GST_FUNCTION, __LINE__);
}

static void
set_priority (GstRmcSink * self, SendSession * session, gint priority)
{
  if (!send_session_set_priority (session, priority))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("the system does not permit pacing-priority "
            "%d: pacing runs at normal priority; raise the limit for real-time priority "
            "(ulimit -r, LimitRTPRIO=) or set pacing-priority=0", priority), (NULL));
}

/* With the object lock held. */
static gboolean
start_session (GstRmcSink * self, GPtrArray * paths, GError ** error)
{
  SendLanesConfig lanes;
  SendSessionConfig config = { 0 };
  const UdpSocketConfig udp = gst_rmc_sink_peek_config (self);
  const SinkSettings *s = &self->settings;

  config.follows_route = !self->guest && !udp_socket_is_bound (&udp)
      && !gst_rmc_sink_has_paths (self);
  gst_rmc_sink_join_paths (self, paths, &lanes, &config);
  config.has_name = !self->guest && udp_socket_has_name (&udp);
  config.feed = self->feed;
  config.ecn = s->ecn;
  config.rtx_time = clock_glue_from_gst (s->rtx_time);
  config.rtx_payload_types = s->rtx_payload_types;
  if (!session_host_open (&self->host, &config, error))
    return FALSE;
  send_session_set_stats_interval (self->host.session, clock_glue_from_gst (s->stats_interval));
  send_session_set_wants_rtcp (self->host.session, rtcp_outlet_is_requested (&self->rtcp_outlet));
  send_session_set_interrupted (self->host.session, self->interrupted);
  return TRUE;
}

/* The streaming thread may go on. */
static void
end_opening (GstRmcSink * self, GCancellable * opening)
{
  GST_OBJECT_LOCK (self);
  if (self->opening == opening)
    g_clear_object (&self->opening);
  self->unreachable = FALSE;
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
}

typedef enum
{
  OPENED,
  OPEN_FAILED,                  /* which is reported, unless the element was closed meanwhile */
  OPEN_UNREACHABLE,             /* to be tried again */
} OpenResult;

/* Once a start: the machine may be up before its network is. */
static void
warn_of_unreachable (GstRmcSink * self, const GError * error)
{
  GST_ELEMENT_WARNING (self, RESOURCE, OPEN_WRITE, ("%s; this is tried again until it succeeds, "
          "and a live source loses its frames until then", error->message), (NULL));
}

/* opening: NULL in the thread that changes the state. */
static OpenResult
open_now (GstRmcSink * self, GCancellable * opening)
{
  GError *error = NULL;
  GPtrArray *paths = gst_rmc_sink_open_paths (self, opening, &error);
  gboolean wanted, ok, may_come = !paths && udp_socket_may_come (error), warned;
  SendSession *session;
  gint priority;

  GST_OBJECT_LOCK (self);
  wanted = self->opening == opening && (self->guest ? join_guest_drop_socket (self->guest)
      : !self->served);
  ok = wanted && paths && start_session (self, paths, &error);
  session = ok ? send_session_ref (self->host.session) : NULL;
  priority = self->settings.pacing_priority;
  warned = self->unreachable;
  self->unreachable = wanted && may_come;
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&paths, g_ptr_array_unref);
  session_host_warn (&self->host);
  if (ok)
    set_priority (self, session, priority);
  else if (wanted && !may_come)
    post_error (self, error);
  else if (wanted && !warned)
    warn_of_unreachable (self, error);
  if (ok && warned)
    gst_rmc_sink_inform_of_reach (self);
  g_clear_error (&error);
  g_clear_pointer (&session, send_session_unref);
  if (ok)
    return OPENED;
  return wanted && may_come ? OPEN_UNREACHABLE : OPEN_FAILED;
}

/* FALSE: the element was closed meanwhile. */
static gboolean
wait_to_retry (GstRmcSink * self, GCancellable * opening, RcTime interval)
{
  gint64 end = g_get_monotonic_time () + interval / RC_USEC;
  gboolean wanted;

  GST_OBJECT_LOCK (self);
  while (self->opening == opening
      && g_cond_wait_until (&self->opened, GST_OBJECT_GET_LOCK (self), end));
  wanted = self->opening == opening;
  GST_OBJECT_UNLOCK (self);
  return wanted;
}

/* On a thread of the pool. */
static void
open_later (GstElement * element, gpointer opening)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  RcTime interval = PATH_WATCH_SILENT_INTERVAL;
  OpenResult result;

  while ((result = open_now (self, opening)) == OPEN_UNREACHABLE
      && wait_to_retry (self, opening, interval))
    interval = MIN (2 * interval, PATH_WATCH_NAME_INTERVAL);
  end_opening (self, opening);
  if (result == OPENED)
    work_turns_schedule (&self->host.turns);
}

static void
open_elsewhere (GstRmcSink * self)
{
  GCancellable *opening = g_cancellable_new ();

  GST_OBJECT_LOCK (self);
  self->opening = g_object_ref (opening);
  GST_OBJECT_UNLOCK (self);
  gst_element_call_async (GST_ELEMENT (self), open_later, opening, g_object_unref);
}

void
gst_rmc_sink_open_joined (GstRmcSink * self, GCancellable * opening)
{
  OpenResult result = open_now (self, opening);

  end_opening (self, opening);
  if (result == OPENED)
    work_turns_schedule (&self->host.turns);
}

static gboolean
listens (GstRmcSink * self)
{
  gboolean listens;

  GST_OBJECT_LOCK (self);
  listens = self->settings.mode == JOIN_MODE_LISTENER && !self->served;
  GST_OBJECT_UNLOCK (self);
  return listens;
}

/* From here on no session comes that is not there yet. */
static void
cancel_opening (GstRmcSink * self)
{
  GCancellable *opening;

  GST_OBJECT_LOCK (self);
  opening = g_steal_pointer (&self->opening);
  self->unreachable = FALSE;
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
  if (opening)
    g_cancellable_cancel (opening);
  g_clear_object (&opening);
}

/* A call may come as soon as it listens. */
static gboolean
begin_listening (GstRmcSink * self, GError ** error)
{
  UdpSocketConfig config = gst_rmc_sink_dup_config (self);
  SecureSettings key = gst_rmc_sink_dup_srtp (self);
  gboolean ok;

  GST_OBJECT_LOCK (self);
  self->opening = g_cancellable_new ();
  self->unreachable = TRUE;
  GST_OBJECT_UNLOCK (self);
  ok = join_server_open (self->server, config.bind_address, config.port, config.qos_dscp,
      secure_settings_salt (&key), error);
  secure_settings_clear (&key);
  gst_rmc_sink_clear_config (&config);
  if (!ok)
    cancel_opening (self);
  return ok;
}

gboolean
gst_rmc_sink_open_session (GstRmcSink * self)
{
  GError *error = NULL;
  gboolean has_name = FALSE, listening = listens (self), ok;

  ok = (self->served || gst_rmc_sink_check_address (self, &has_name, &error))
      && (!listening || gst_rmc_sink_check_called_paths (self, &error))
      && gst_rmc_sink_begin_srtp (self, &error) && (!listening || begin_listening (self,
          &error));
  if (!ok)
    post_error (self, error);
  g_clear_error (&error);
  if (ok && !listening) {
    OpenResult result = has_name ? OPEN_UNREACHABLE : open_now (self, NULL);

    if (result == OPEN_UNREACHABLE)
      open_elsewhere (self);
    ok = result != OPEN_FAILED;
  }
  if (!ok)
    gst_rmc_sink_end_srtp (self);
  return ok;
}

/* With the object lock held. Nothing waits for a receiver that cannot be reached but files. */
static gboolean
may_wait (GstRmcSink * self)
{
  return !self->host.session && self->opening && !self->interrupted
      && !(self->unreachable && !gst_rmc_sink_waits (self));
}

/* The same. A name server that does not answer is waited for as long as it takes. */
static void
wait_for_session (GstRmcSink * self)
{
  gint64 end = g_get_monotonic_time () + self->most_wait_us;

  while (may_wait (self)) {
    if (!self->unreachable)
      g_cond_wait (&self->opened, GST_OBJECT_GET_LOCK (self));
    else if (!g_cond_wait_until (&self->opened, GST_OBJECT_GET_LOCK (self), end))
      gst_rmc_sink_let_go (self);
  }
}

/* The caps came before it. */
static void
meet_session (GstRmcSink * self)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_BASE_SINK_PAD (self));

  if (caps) {
    GstCaps *own = gst_rmc_sink_own_caps (self, caps);

    send_session_set_caps (self->host.session, own,
        encoder_walk_red (GST_BASE_SINK_PAD (self)));
    gst_caps_unref (own);
  }
  gst_clear_caps (&caps);
  self->session_met = TRUE;
}

GstFlowReturn
gst_rmc_sink_await_session (GstRmcSink * self)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean opening = TRUE, there = FALSE, lost;

  while (!self->session_met && opening && ret == GST_FLOW_OK) {
    GST_OBJECT_LOCK (self);
    wait_for_session (self);
    opening = self->opening != NULL;
    there = self->host.session != NULL;
    lost = self->unreachable && !gst_rmc_sink_waits (self);
    GST_OBJECT_UNLOCK (self);
    if (there)
      meet_session (self);
    else if (opening && lost)
      return GST_RMC_SINK_UNREACHABLE;
    else
      ret = opening ? gst_base_sink_wait_preroll (GST_BASE_SINK (self)) : GST_FLOW_ERROR;
  }
  return ret;
}

void
gst_rmc_sink_set_interrupted (GstRmcSink * self, gboolean interrupted)
{
  SendSession *session;

  GST_OBJECT_LOCK (self);
  self->interrupted = interrupted;
  session = self->host.session ? send_session_ref (self->host.session) : NULL;
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
  if (session)
    send_session_set_interrupted (session, interrupted);
  g_clear_pointer (&session, send_session_unref);
}

void
gst_rmc_sink_close_session (GstRmcSink * self)
{
  cancel_opening (self);
  session_host_close (&self->host);
  gst_rmc_sink_stop_listening (self);
  gst_rmc_sink_end_srtp (self);
}
