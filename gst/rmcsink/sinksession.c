/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrmcsinkprivate.h"

#include "common/clockglue.h"
#include "common/udpsocket.h"

/* The messages say what to do, so they are the text for the user, not for debugging. */
static void
post_error (GstRmcSink * self, const GError * error)
{
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
      error->domain == GST_RESOURCE_ERROR ? error->code : GST_RESOURCE_ERROR_FAILED, g_strdup (error->message), NULL,
      __FILE__, GST_FUNCTION, __LINE__);
}

gboolean
gst_rmc_sink_open_socket (GstRmcSink * self)
{
  UdpSocketConfig config;
  gchar *host, *bind_address;
  GError *error = NULL;

  GST_OBJECT_LOCK (self);
  host = g_strdup (self->settings.host);
  bind_address = g_strdup (self->settings.bind_address);
  config = (UdpSocketConfig) {
    host, self->settings.port, bind_address, self->settings.bind_port, self->settings.qos_dscp
  };
  GST_OBJECT_UNLOCK (self);

  self->socket = udp_socket_open (&config, &error);
  if (!self->socket) {
    post_error (self, error);
    g_error_free (error);
  }
  g_free (host);
  g_free (bind_address);
  return self->socket != NULL;
}

static void
post_settings_warning (GstRmcSink * self, gchar * warning)
{
  if (warning)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", warning), (NULL));
  g_free (warning);
}

gboolean
gst_rmc_sink_open_session (GstRmcSink * self)
{
  gchar *limits_warning = NULL, *params_warning = NULL;
  RmcSessionConfig config = {.socket = self->socket,.work_due = gst_rmc_sink_schedule_work,.user_data = self };
  RmcSession *session;
  GError *error = NULL;

  config.limits = gst_rmc_sink_get_limits (self, &limits_warning);
  gst_rmc_sink_init_controller (self, &config.controller, &params_warning);
  post_settings_warning (self, limits_warning);
  post_settings_warning (self, params_warning);
  config.pacing = gst_rmc_sink_get_pacing (self);
  config.max_queue_time = clock_glue_from_gst (self->settings.max_queue_time);
  config.renumber = self->settings.renumber;
  config.ecn = self->settings.ecn;
  session = rmc_session_new (&config, &error);
  if (!session) {
    post_error (self, error);
    g_error_free (error);
    return FALSE;
  }
  if (!rmc_session_set_priority (session, self->settings.pacing_priority))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("the system does not permit pacing-priority %d: pacing runs at normal priority; raise the limit for real-time "
            "priority (ulimit -r, LimitRTPRIO=) or set pacing-priority=0", self->settings.pacing_priority), (NULL));
  rmc_session_set_stats_interval (session, clock_glue_from_gst (self->settings.stats_interval));
  GST_OBJECT_LOCK (self);
  self->session = session;
  GST_OBJECT_UNLOCK (self);
  rmc_session_set_wants_rtcp (session, self->rtcp_src != NULL);
  return TRUE;
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
}
