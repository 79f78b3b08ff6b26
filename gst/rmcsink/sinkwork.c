/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing thread must not do: events, messages, notifications, encoders, foreign RTCP. */

#include "gstrmcsinkprivate.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

#define WORK_RUNS 1             /* a thread is at it */
#define WORK_WANTED 2           /* somebody asked since it looked */
#define MAX_THREADS 4           /* for all sinks: a few that block must not keep the others waiting */

static void
post_encoder_warning (GstRmcSink * self, const gchar * warning)
{
  if (!warning || !g_atomic_int_get (&self->playing))
    return;
  if (g_atomic_int_compare_and_exchange (&self->warned_of_encoders, FALSE, TRUE))
    GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("%s", warning), (NULL));
}

/* Once for the encoder, not for each of the sinks. */
static void
warn_of_sharing (GstRmcSink * self)
{
  gchar *warning = g_atomic_int_get (&self->playing) ? encoder_rate_take_sharing_warning (self->encoders) : NULL;

  if (warning)
    GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("%s", warning), (NULL));
  g_free (warning);
}

static void
set_encoders (GstRmcSink * self, const RmcWork * work)
{
  gchar *warning = NULL;
  gboolean adapt;

  GST_OBJECT_LOCK (self);
  adapt = self->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (self);
  if (!adapt) {
    encoder_rate_forget (self->encoders);
    return;
  }
  if (g_atomic_int_compare_and_exchange (&self->find_encoders, TRUE, FALSE)) {
    encoder_rate_find (self->encoders, GST_BASE_SINK_PAD (self), &warning);
    post_encoder_warning (self, warning);
    g_free (warning);
  }
  encoder_rate_set (self->encoders, work->target_bps, work->living);
  warn_of_sharing (self);
}

/* Unless it is known already that an encoder cannot follow. */
static void
warn_of_excess (GstRmcSink * self, const RmcWork * work)
{
  gchar *warning = encoder_rate_describe_excess (self->encoders, work->made_bps, work->told_bps);

  post_encoder_warning (self, warning);
  g_free (warning);
}

static void
push_target_event (GstRmcSink * self, guint bps, guint32 ssrc, guint network_bps)
{
  GstStructure *s = gst_structure_new (GST_TARGET_BITRATE, "bitrate", G_TYPE_UINT, MAX (bps, 1),
      "ssrc", G_TYPE_UINT, ssrc, "network-bitrate", G_TYPE_UINT, network_bps, NULL);

  gst_pad_push_event (GST_BASE_SINK_PAD (self), gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s));
}

/* Each flow is told its part, since rtpfunnel routes by SSRC. */
static void
push_target_events (GstRmcSink * self, const RmcWork * work)
{
  guint i;

  for (i = 0; i < work->n_flows; i++)
    push_target_event (self, (guint) (work->target_bps * work->shares[i]), work->ssrcs[i], work->rate_bps);
  if (work->n_flows == 0) {
    guint32 ssrc;

    GST_OBJECT_LOCK (self);
    ssrc = self->caps_ssrc;
    GST_OBJECT_UNLOCK (self);
    push_target_event (self, work->target_bps, ssrc, work->rate_bps);
  }
}

static void
tell_target (GstRmcSink * self, const RmcWork * work)
{
  GstStructure *s = gst_structure_new (GST_RMC_SINK_TARGET_BITRATE, "bitrate", G_TYPE_UINT, work->target_bps, NULL);

  set_encoders (self, work);
  push_target_events (self, work);
  g_object_notify (G_OBJECT (self), "target-bitrate");
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), s));
}

/* What the receiver said, if it did. */
static const gchar *
reason_for_silence (const RmcWork * work)
{
  if (work->refusal == RC_REFUSAL_TAKEN)
    return "takes media from another sender: stop that one, or send to an arcsrc with a port of its own. Media waits";
  if (work->refusal == RC_REFUSAL_PAYLOAD_TYPE)
    return "was told another payload type: give payload= in the caps of arcsrc and pt= of the payloader here the same "
        "number. Media waits";
  if (work->heard)
    return "reports no more: media stops until it does. Has the receiver ended, taken another sender, or lost its "
        "network?";
  return "does not report: media stops until it does. Either no arcsrc (or arcreceiver) runs there, or its UDP packets "
      "cannot come back. For a receiver that does not report set congestion-control=fixed";
}

static void
warn_of_refusal (GstRmcSink * self)
{
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));

  GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
      ("%s: connection refused: no program listens on that UDP port. Start arcsrc or arcreceiver there, or correct host "
          "or port; media flows as soon as one listens", uri), (NULL));
  g_free (uri);
}

static void
warn_of_silence (GstRmcSink * self, const RmcWork * work)
{
  gchar *uri;

  if (work->told_port_refused)  /* that says why */
    return;
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  if (work->send_error != 0)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
        ("cannot send to %s: %s. Media stops until it can be reached; check the network connection of this machine", uri,
            g_strerror (work->send_error)), (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, ("%s %s", uri, reason_for_silence (work)), (NULL));
  g_free (uri);
}

static void
do_work (GstRmcSink * self)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);
  RmcWork work;

  if (session && rmc_session_take_work (session, &work)) {
    if (work.target)
      tell_target (self, &work);
    if (work.made_bps > 0)
      warn_of_excess (self, &work);
    if (work.keyframe)
      gst_pad_push_event (GST_BASE_SINK_PAD (self),
          gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
    if (work.stopped)
      warn_of_silence (self, &work);
    if (work.port_refused)
      warn_of_refusal (self);
    if (work.look_up)
      gst_rmc_sink_look_up_soon (self, session);
    if (work.stats)
      gst_element_post_message (GST_ELEMENT (self),
          gst_message_new_element (GST_OBJECT (self), gst_rmc_sink_create_stats (self)));
    gst_rmc_sink_push_rtcp (self, &work.rtcp);
  }
  g_clear_pointer (&session, rmc_session_unref);
  session = gst_rmc_sink_dup_session (self);
  if (!session)
    encoder_rate_forget (self->encoders);       /* closed meanwhile */
  g_clear_pointer (&session, rmc_session_unref);
}

/* TRUE: nobody is at it, and the caller must be. */
static gboolean
want_work (GstRmcSink * self)
{
  return g_atomic_int_or (&self->work_state, WORK_WANTED) == 0;
}

static void take_turn (GstRmcSink * self);

static void
do_work_async (gpointer element, gpointer user_data)
{
  take_turn (element);
  gst_object_unref (element);
}

/* Of the process and for ever, as GStreamer's own; that one has no limit. */
static GThreadPool *
thread_pool (void)
{
  static gsize pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, (gsize) g_thread_pool_new (do_work_async, NULL, MAX_THREADS, FALSE, NULL));
  return (GThreadPool *) pool;
}

/* Without a lock: a handler that is called here may restart us, or take its time. The pool does what
 * was asked for meanwhile: a handler that sets a property each time asks without end, and must not
 * hold up a change of state, nor a thread of the pool, for ever. */
static void
take_turn (GstRmcSink * self)
{
  g_atomic_int_set (&self->work_state, WORK_RUNS);
  do_work (self);
  if (!g_atomic_int_compare_and_exchange (&self->work_state, WORK_RUNS, 0))
    g_thread_pool_push (thread_pool (), gst_object_ref (self), NULL);
}

void
gst_rmc_sink_do_work (GstRmcSink * self)
{
  if (want_work (self))
    take_turn (self);
}

void
gst_rmc_sink_schedule_work (gpointer element)
{
  GstRmcSink *self = element;

  if (want_work (self))
    g_thread_pool_push (thread_pool (), gst_object_ref (self), NULL);
}
