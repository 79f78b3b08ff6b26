/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the element adds to a session and its host: the pad as transport, and what is said of
 * feedback that does not come. */

#include "gstrtparcbweprivate.h"

#include "base/clockglue.h"

#include <gst/arc/arc.h>

/* --- statistics --- */

/* Of the element, beside its session's. */
typedef struct
{
  guint64 messages, messages_refused, told, rtx_passed, rtx_dropped, events_dropped;
} OwnStats;

#define COUNTER(...) FIELD_COUNTER (OwnStats, __VA_ARGS__)

static const FieldRow own_fields[] = {
  COUNTER (messages, "feedback-messages", "", "transport-wide feedback messages received"),
  COUNTER (messages_refused, "feedback-rejected", "", "entries of these rejected as impossible"),
  COUNTER (told, "packets-reported", "", "packets listed by the feedback"),
  COUNTER (rtx_passed, "retransmissions", "", "packets of rtprtxsend passed on"),
  COUNTER (rtx_dropped, "retransmissions-dropped", "",
      "of these: dropped beyond their share of the rate"),
  COUNTER (events_dropped, "events-dropped", "",
      "events dropped because more than 100 waited for the pad"),
  {NULL}
};

static guint64
count_of (const gint * counter)
{
  return (guint) g_atomic_int_get (counter);
}

static void
add_stats (GstElement * element, const SessionStats * stats, GstStructure * s)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (element);
  OwnStats own = {.messages = count_of (&self->messages),
    .messages_refused = count_of (&self->messages_refused),
    .told = count_of (&self->packets_told),.rtx_passed = count_of (&self->rtx_passed),
    .rtx_dropped = count_of (&self->rtx_dropped),
    .events_dropped = pad_transport_get_events_dropped (&self->transport)
  };

  fields_add (s, own_fields, &own);
}

void
gst_rtp_arc_bwe_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RTP_ARC_BWE_STATS, "property stats", {session_fields, own_fields, session_fields_law ()}},
    {NULL}
  };

  fields_describe (klass, structures);
}

/* --- work --- */

#define CONSEQUENCE "The rate goes by receiver reports of RTCP, which are slow, and stays at " \
    "the start until one comes"

static void
warn_of_silence (GstRtpArcBwe * self)
{
  const gchar *cure = g_atomic_int_get (&self->extended) ? "does the answer of the receiver (SDP) "
      "have `transport-cc` and the header extension of transport-wide congestion control?"
      : "the packets carry no header extension; add rtphdrexttwcc to the payloader, or its extmap "
      "to the caps behind the payloader.";

  GST_ELEMENT_WARNING (self, STREAM, FAILED, ("neither transport-wide feedback nor RFC 8888 has "
          "come for 5 s: %s "
          CONSEQUENCE, cure), (NULL));
}

/* The thread that pushes found it out, but must not post. */
static void
do_work (GstElement * element, SendSession * session, SessionWork * work)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (element);

  if (g_atomic_int_get (&self->unheard)
      && g_atomic_int_compare_and_exchange (&self->warned_unheard, FALSE, TRUE))
    warn_of_silence (self);
}

const SessionHostFuncs gst_rtp_arc_bwe_host_funcs = {
  .renumber = TRUE,.stats_name = GST_RTP_ARC_BWE_STATS,.target_property = "estimated-bitrate",
  .log = &gst_rtp_arc_bwe_debug,.add_stats = add_stats,.do_work = do_work
};

/* --- life --- */

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

/* A turn of work that was asked for before the element was stopped, and whoever reads `stats`, may
 * meet this. */
static void
forget_counts (GstRtpArcBwe * self)
{
  gint *counts[] = { &self->packets_pushed, &self->packets_told, &self->messages,
    &self->messages_refused, &self->rtx_passed, &self->rtx_dropped, &self->extended,
    &self->unheard, &self->warned_unheard, &self->warned_strangers
  };

  self->pushed_since = RC_TIME_NONE;
  rtx_budget_init (&self->rtx, RTX_BUDGET_FOREIGN);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_atomic_int_set (counts[i], 0);
  g_atomic_int_set (&self->meet_session, TRUE);
}

gboolean
gst_rtp_arc_bwe_open_session (GstRtpArcBwe * self)
{
  SendSessionConfig config = {.transport = &self->transport.transport,.guest = TRUE };
  GError *error = NULL;
  gboolean ok;

  forget_counts (self);
  self->clock_offset = measure_clock_offset ();
  GST_OBJECT_LOCK (self);
  ok = session_host_open (&self->host, &config, &error);
  GST_OBJECT_UNLOCK (self);
  session_host_warn (&self->host);
  if (!ok)
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", error->message), (NULL));
  g_clear_error (&error);
  return ok;
}

void
gst_rtp_arc_bwe_close_session (GstRtpArcBwe * self)
{
  gst_rtp_arc_bwe_leave_session (self);
  session_host_close (&self->host);
}
