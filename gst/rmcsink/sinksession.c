/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"
#include "session/lawsettings.h"
#include "session/sessionsettings.h"

/* The messages say what to do, so they are the text for the user, not for debugging. */
static void
post_error (GstRmcSink * self, const GError * error)
{
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
      error->domain == GST_RESOURCE_ERROR ? error->code : GST_RESOURCE_ERROR_FAILED,
      g_strdup (error->message), NULL, __FILE__, GST_FUNCTION, __LINE__);
}

static void
set_priority (GstRmcSink * self, RmcSession * session, gint priority)
{
  if (!rmc_session_set_priority (session, priority))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("the system does not permit pacing-priority "
            "%d: pacing runs at normal priority; raise the limit for real-time priority "
            "(ulimit -r, LimitRTPRIO=) or set pacing-priority=0", priority), (NULL));
}

/* With the object lock held, from the settings' look until the session is known: what is set in
 * between would else reach neither. */
static RmcSession *
new_session (GstRmcSink * self, GSocket * socket, gchar ** limits_warning, gchar ** params_warning,
    GError ** error)
{
  RmcSessionConfig config = {.transport = gst_rmc_sink_new_transport (self, socket),
      .work_due = work_turns_schedule,.user_data = &self->turns };
  const UdpSocketConfig udp = gst_rmc_sink_peek_config (self);
  RmcSession *session;

  config.follows_route = !udp_socket_is_bound (&udp);
  config.has_name = udp_socket_has_name (&udp);
  self->overhead_bytes = config.transport->overhead_bytes;
  config.limits = gst_rmc_sink_get_limits (self, limits_warning);
  config.pacing = RC_RMC_PARAMS_DEFAULT;
  rc_controller_init (&config.controller, law_settings_get_law (self->settings.law),
      self->settings.profile);
  law_settings_set_max_delay (&config.controller, self->settings.max_delay);
  law_settings_set_params (&config.controller, &config.pacing, self->settings.controller_params,
      params_warning);
  config.max_queue_time = clock_glue_from_gst (self->settings.max_queue_time);
  config.renumber = self->settings.renumber;
  config.ecn = self->settings.ecn;
  config.rtx_time = clock_glue_from_gst (self->settings.rtx_time);
  config.rtx_payload_types = self->settings.rtx_payload_types;
  session = rmc_session_new (&config, error);
  if (!session)
    return NULL;
  rmc_session_set_stats_interval (session, clock_glue_from_gst (self->settings.stats_interval));
  rmc_session_set_wants_rtcp (session, rtcp_outlet_is_requested (&self->rtcp_outlet));
  return session;
}

void
gst_rmc_sink_check_limits (GstRmcSink * self)
{
  gchar *warning = NULL;

  GST_OBJECT_LOCK (self);
  if (self->session)
    gst_rmc_sink_get_limits (self, &warning);
  if (g_strcmp0 (warning, self->limits_warning) == 0) {
    g_clear_pointer (&warning, g_free);
  } else {
    g_free (self->limits_warning);
    self->limits_warning = g_strdup (warning);
  }
  GST_OBJECT_UNLOCK (self);
  session_settings_warn (GST_ELEMENT (self), warning);
}

/* The streaming thread may go on. */
static void
end_opening (GstRmcSink * self, GCancellable * opening)
{
  GST_OBJECT_LOCK (self);
  if (self->opening == opening)
    g_clear_object (&self->opening);
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
}

/* opening: NULL in the thread that changes the state. FALSE: there is no session, which is told
 * unless the element was closed meanwhile. */
static gboolean
open_now (GstRmcSink * self, GCancellable * opening)
{
  gchar *limits_warning = NULL, *params_warning = NULL;
  GError *error = NULL;
  GSocket *socket = gst_rmc_sink_open_socket (self, opening, &error);
  RmcSession *session = NULL;
  gboolean wanted;
  gint priority;

  GST_OBJECT_LOCK (self);
  wanted = self->opening == opening;
  if (wanted && socket)
    session = new_session (self, socket, &limits_warning, &params_warning, &error);
  if (session) {
    rmc_session_set_interrupted (session, self->interrupted);
    self->session = rmc_session_ref (session);
    g_free (self->limits_warning);
    self->limits_warning = g_strdup (limits_warning);
  }
  priority = self->settings.pacing_priority;
  GST_OBJECT_UNLOCK (self);
  g_clear_object (&socket);
  session_settings_warn (GST_ELEMENT (self), limits_warning);
  session_settings_warn (GST_ELEMENT (self), params_warning);
  if (session)
    set_priority (self, session, priority);
  else if (wanted)
    post_error (self, error);
  g_clear_error (&error);
  end_opening (self, opening);
  g_clear_pointer (&session, rmc_session_unref);
  return wanted && self->session != NULL;
}

/* On a thread of the pool. */
static void
open_later (GstElement * element, gpointer opening)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);

  if (open_now (self, opening))
    work_turns_schedule (&self->turns);
}

gboolean
gst_rmc_sink_open_session (GstRmcSink * self)
{
  GError *error = NULL;
  gboolean has_name, ok;

  ok = gst_rmc_sink_check_address (self, &has_name, &error) && gst_rmc_sink_begin_srtp (self,
      &error);
  if (!ok)
    post_error (self, error);
  g_clear_error (&error);
  if (ok && has_name) {
    GCancellable *opening = g_cancellable_new ();

    GST_OBJECT_LOCK (self);
    self->opening = g_object_ref (opening);
    GST_OBJECT_UNLOCK (self);
    gst_element_call_async (GST_ELEMENT (self), open_later, opening, g_object_unref);
  } else if (ok) {
    ok = open_now (self, NULL);
  }
  if (!ok)
    gst_rmc_sink_end_srtp (self);
  return ok;
}

/* The caps came before it. */
static void
meet_session (GstRmcSink * self)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_BASE_SINK_PAD (self));

  if (caps)
    rmc_session_set_caps (self->session, caps);
  gst_clear_caps (&caps);
  self->session_met = TRUE;
}

GstFlowReturn
gst_rmc_sink_await_session (GstRmcSink * self)
{
  GstFlowReturn ret = GST_FLOW_OK;
  gboolean opening = TRUE, there = FALSE;

  while (!self->session_met && opening && ret == GST_FLOW_OK) {
    GST_OBJECT_LOCK (self);
    while (!self->session && self->opening && !self->interrupted)
      g_cond_wait (&self->opened, GST_OBJECT_GET_LOCK (self));
    opening = self->opening != NULL;
    there = self->session != NULL;
    GST_OBJECT_UNLOCK (self);
    if (there)
      meet_session (self);
    else
      ret = opening ? gst_base_sink_wait_preroll (GST_BASE_SINK (self)) : GST_FLOW_ERROR;
  }
  return ret;
}

void
gst_rmc_sink_set_interrupted (GstRmcSink * self, gboolean interrupted)
{
  RmcSession *session;

  GST_OBJECT_LOCK (self);
  self->interrupted = interrupted;
  session = self->session ? rmc_session_ref (self->session) : NULL;
  g_cond_broadcast (&self->opened);
  GST_OBJECT_UNLOCK (self);
  if (session)
    rmc_session_set_interrupted (session, interrupted);
  g_clear_pointer (&session, rmc_session_unref);
}

/* From here on no session comes that is not there yet. */
static void
cancel_opening (GstRmcSink * self)
{
  GCancellable *opening;

  GST_OBJECT_LOCK (self);
  opening = g_steal_pointer (&self->opening);
  GST_OBJECT_UNLOCK (self);
  if (opening)
    g_cancellable_cancel (opening);
  g_clear_object (&opening);
}

void
gst_rmc_sink_close_session (GstRmcSink * self)
{
  GstStructure *stats;
  RmcSession *session;

  cancel_opening (self);
  if (!self->session) {
    gst_rmc_sink_end_srtp (self);
    return;
  }
  stats = gst_rmc_sink_create_stats (self);
  GST_OBJECT_LOCK (self);
  session = self->session;
  self->session = NULL;
  g_clear_pointer (&self->last_stats, gst_structure_free);
  self->last_stats = stats;
  GST_OBJECT_UNLOCK (self);
  rmc_session_stop (session);
  rmc_session_unref (session);
  gst_rmc_sink_end_srtp (self);
}
