/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstrtparcbweprivate.h"

#include "base/clockglue.h"
#include "session/lawsettings.h"
#include "session/sessionsettings.h"

/* rtpsession knows the time by this clock, which an application may have changed. By default both
 * are the monotonic clock of the machine. */
static RcTime
measure_clock_offset (void)
{
  GstClock *clock = gst_system_clock_obtain ();
  RcTime offset = clock_glue_monotonic () - (RcTime) gst_clock_get_time (clock);

  gst_object_unref (clock);
  return ABS (offset) < RC_MSEC ? 0 : offset;
}

/* With the object lock held, as in rmcsink. The RTP session or the peer connection ends when the
 * peer has gone, and so silence does not stop media here; a law that hears nothing falls to
 * min-bitrate. */
static RmcSession *
new_session (GstRtpArcBwe * self, gchar ** limits_warning, gchar ** params_warning,
    GError ** error)
{
  const BweSettings *s = &self->settings;
  RmcSessionConfig config = {.transport = &self->transport.transport,
    .pacing = RC_RMC_PARAMS_DEFAULT,.renumber = s->renumber,.guest = TRUE,
    .max_queue_time = clock_glue_from_gst (s->max_queue_time),
    .work_due = work_turns_schedule,.user_data = &self->turns
  };

  config.limits = gst_rtp_arc_bwe_get_limits (self, limits_warning);
  rc_controller_init (&config.controller, law_settings_get_law (s->law), s->profile);
  rc_controller_set_param (&config.controller, "stop", 0);
  law_settings_set_max_delay (&config.controller, s->max_delay);
  law_settings_set_params (&config.controller, &config.pacing, s->controller_params,
      params_warning);
  return rmc_session_new (&config, error);
}

static void
forget_counts (GstRtpArcBwe * self)
{
  self->pushed_since = RC_TIME_NONE;
  self->packets_pushed = self->packets_told = self->messages = self->messages_refused = 0;
  self->rtx_passed = self->rtx_dropped = 0;
  rtx_budget_init (&self->rtx);
  self->extended = self->unheard = self->warned_unheard = self->warned_strangers = FALSE;
  self->meet_session = TRUE;
  self->passive = FALSE;
}

gboolean
gst_rtp_arc_bwe_open_session (GstRtpArcBwe * self)
{
  gchar *limits_warning = NULL, *params_warning = NULL;
  GError *error = NULL;
  RmcSession *session;

  forget_counts (self);
  self->clock_offset = measure_clock_offset ();
  GST_OBJECT_LOCK (self);
  session = self->session = new_session (self, &limits_warning, &params_warning, &error);
  GST_OBJECT_UNLOCK (self);
  session_settings_warn (GST_ELEMENT (self), limits_warning);
  session_settings_warn (GST_ELEMENT (self), params_warning);
  if (!session)
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", error->message), (NULL));
  g_clear_error (&error);
  return session != NULL;
}

void
gst_rtp_arc_bwe_close_session (GstRtpArcBwe * self)
{
  GstStructure *stats;
  RmcSession *session;

  if (!self->session)
    return;
  stats = gst_rtp_arc_bwe_create_stats (self);
  GST_OBJECT_LOCK (self);
  session = self->session;
  self->session = NULL;
  g_clear_pointer (&self->last_stats, gst_structure_free);
  self->last_stats = stats;
  GST_OBJECT_UNLOCK (self);
  gst_rtp_arc_bwe_leave_session (self);
  rmc_session_stop (session);
  rmc_session_unref (session);
}
