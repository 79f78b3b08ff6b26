/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "base/clockglue.h"
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
  gst_rmc_sink_init_controller (self, &config.controller, params_warning);
  config.pacing = gst_rmc_sink_get_pacing (self);
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

gboolean
gst_rmc_sink_open_session (GstRmcSink * self)
{
  gchar *limits_warning = NULL, *params_warning = NULL;
  RmcSession *session = NULL;
  GError *error = NULL;
  GSocket *socket = gst_rmc_sink_open_socket (self, &error);
  gint priority = 0;

  if (socket && gst_rmc_sink_begin_srtp (self, &error)) {
    GST_OBJECT_LOCK (self);
    session = self->session = new_session (self, socket, &limits_warning, &params_warning, &error);
    priority = self->settings.pacing_priority;
    g_free (self->limits_warning);
    self->limits_warning = g_strdup (limits_warning);
    GST_OBJECT_UNLOCK (self);
  }
  g_clear_object (&socket);
  session_settings_warn (GST_ELEMENT (self), limits_warning);
  session_settings_warn (GST_ELEMENT (self), params_warning);
  if (session) {
    set_priority (self, session, priority);
  } else {
    gst_rmc_sink_end_srtp (self);
    post_error (self, error);
  }
  g_clear_error (&error);
  return session != NULL;
}

void
gst_rmc_sink_close_session (GstRmcSink * self)
{
  GstStructure *stats;
  RmcSession *session;

  if (!self->session)
    return;
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
