/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the element adds to its session's host: messages about the receiver, foreign RTCP, and
 * statistics of SRTP and retransmission. */

#include "gstrmcsinkprivate.h"

#include "sinkserve.h"

#include <errno.h>
#include <string.h>
#include <gst/arc/arc.h>

static void
post_target (GstRmcSink * self, const EncoderOrders * orders)
{
  RcCause cause = encoder_steering_cause (self->host.steering, orders->bps, orders->cause);

  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_RMC_SINK_TARGET_BITRATE, "bitrate", G_TYPE_UINT, orders->bps,
              "cause", G_TYPE_STRING, rc_cause_name (cause), NULL)));
}

/* What the receiver said, if it did. */
static const gchar *
reason_for_silence (const SessionWork * work)
{
  if (work->refusal == RC_REFUSAL_TAKEN)
    return "takes media from another sender: stop that one, or send to an arcsrc with a "
        "port of its own. Media is paused";
  if (work->refusal == RC_REFUSAL_PAYLOAD_TYPE)
    return "expects another payload type: set payload= in the caps of arcsrc and pt= of the "
        "payloader to the same number. Media is paused";
  if (work->heard)
    return "reports no more: media stops until it does. Has the receiver ended, taken another "
        "sender, or lost its network?";
  return "does not report: media stops until it does. Usually a firewall or NAT drops UDP on the "
      "way to that port or the answers on their way back; or no receiver that sends RTCP (arcsrc, "
      "arcreceiver, rtpbin) runs there, or its srtp-key is another one";
}

static void
warn_of_refusal (GstRmcSink * self)
{
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  gboolean v6 = strchr (uri, '[') != NULL;      /* only such an address is in brackets */

  GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
      ("%s: connection refused: no program listens on that UDP port%s, or a firewall rejects it. "
          "Start arcsrc or arcreceiver there, correct host or port, or open the port; media flows "
          "as soon as one listens. If the receiver calls, set mode=listener here", uri,
          v6 ? " by IPv6 (arcsrc does with address=::)" : ""), (NULL));
  g_free (uri);
}

/* Once an outage: the end of what the warning reported. */
static void
inform_of_answer (GstRmcSink * self)
{
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));

  gst_rmc_sink_inform (self, g_strdup_printf ("%s answers again: media flows", uri));
  g_free (uri);
}

void
gst_rmc_sink_inform_of_reach (GstRmcSink * self)
{
  gchar *uri;

  if (gst_rmc_sink_is_called (self))    /* the call is told */
    return;
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  gst_rmc_sink_inform (self, g_strdup_printf ("%s can be reached: media flows", uri));
  g_free (uri);
}

/* Once: what a better receiver would bring. */
static void
inform_of_plain_reports (GstRmcSink * self)
{
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));

  gst_rmc_sink_inform (self, g_strdup_printf ("%s sends plain RTP receiver reports only, so the "
      "rate follows the network within seconds to a minute, and a fall of the capacity fills the "
      "queue until the next report. With arcsrc or arcreceiver there, or a receiver that sends "
      "RFC 8888 or transport-wide feedback, it follows within a tenth of a second", uri));
  g_free (uri);
}

static const gchar *
reason_for_error (gint error)
{
  if (error == EKEYREJECTED)
    return "SRTP refuses the packets, because others would have the same number. Another rmcsink "
        "of this process sends the same SSRC by the same srtp-key, or an element before rmcsink "
        "numbers packets twice; give each rmcsink a key of its own";
  return g_strerror (error);
}

static void
warn_of_silence (GstRmcSink * self, const SessionWork * work)
{
  gchar *uri;

  if (work->told_port_refused)  /* that says why */
    return;
  uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));
  if (work->send_error != 0)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
        ("cannot send to %s: %s. Media stops until it can be reached; check the network "
            "connection of this machine", uri, reason_for_error (work->send_error)), (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, ("%s %s", uri, reason_for_silence (work)), (NULL));
  g_free (uri);
}

/* For programs: a word each. */
static const gchar *
reason_to_stop (const SessionWork * work)
{
  if (work->refusal == RC_REFUSAL_TAKEN)
    return "other-sender";
  if (work->refusal == RC_REFUSAL_PAYLOAD_TYPE)
    return "payload-type";
  if (work->told_port_refused)
    return "port-refused";
  return work->send_error != 0 ? "unreachable" : "silence";
}

static void
post_state (GstRmcSink * self, const gchar * state, const gchar * reason)
{
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_RMC_SINK_STATE, "state", G_TYPE_STRING, state,
              "reason", G_TYPE_STRING, reason, NULL)));
}

/* A receiver that called: TRUE: nothing else is to be said of it. */
static gboolean
lose_caller (GstRmcSink * self, const SessionWork * work)
{
  return (work->stopped || work->port_refused) && gst_rmc_sink_lose_guest (self);
}

static void
warn (GstRmcSink * self, const SessionWork * work)
{
  if (lose_caller (self, work))
    return;
  if (work->stopped)
    warn_of_silence (self, work);
  if (work->port_refused)
    warn_of_refusal (self);
}

static void
do_work (GstElement * element, SendSession * session, SessionWork * work)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);

  gst_rmc_sink_follow_mtu (self, session);
  if (!work)
    return;
  if (work->encoders.target)
    post_target (self, &work->encoders);
  if (work->stopped)
    post_state (self, "stopped", reason_to_stop (work));
  else if (work->answered || work->resumed)
    post_state (self, "running", "");
  warn (self, work);
  if (work->resumed)
    inform_of_answer (self);
  if (work->plain)
    inform_of_plain_reports (self);
  if (work->look_up)
    gst_rmc_sink_look_up_soon (self, session);
  if (work->wants_paths)
    gst_rmc_sink_look_for_paths (self, session);
  if (work->stats)
    gst_element_post_message (element, gst_message_new_element (GST_OBJECT (self),
            session_host_create_stats (&self->host)));
  gst_rmc_sink_push_rtcp (self, &work->rtcp);
}

typedef struct
{
  guint64 unreachable_packets, oversize_packets;
  guint max_rtp_bytes;
} SinkStats;

static const FieldRow sink_fields[] = {
  FIELD_COUNTER (SinkStats, unreachable_packets, "packets-unreachable", "",
      "packets dropped before the receiver could be reached"),
  FIELD_COUNTER (SinkStats, oversize_packets, "packets-oversize", "",
      "packets that travel in fragments"),
  FIELD_GAUGE (SinkStats, max_rtp_bytes, "max-packet-size", "bytes",
      "largest RTP packet that the path carries in one piece; 0: unknown"),
  {NULL}
};

static void
add_stats (GstElement * element, const SessionStats * stats, GstStructure * s)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  SecureContext *secure = gst_rmc_sink_dup_secure (self);
  SinkStats own;

  GST_OBJECT_LOCK (self);
  own.unreachable_packets = self->unreachable_packets;
  own.oversize_packets = self->oversize_packets;
  GST_OBJECT_UNLOCK (self);
  own.max_rtp_bytes = (guint) g_atomic_int_get (&self->max_rtp_bytes);
  fields_add (s, session_fields_socket, stats);
  fields_add (s, sink_fields, &own);
  session_stats_add_retransmission (stats, s);
  secure_context_add_stats (secure, s);
  gst_rmc_sink_add_path_stats (stats, s);
  gst_rmc_sink_add_caller_stats (self, s);
  g_clear_pointer (&secure, secure_context_unref);
}

void
gst_rmc_sink_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RMC_SINK_STATS, "property stats", {session_fields, session_fields_socket,
            sink_fields, session_fields_retransmission, session_fields_law (), secure_fields,
            session_fields_paths, join_fields}},
    {GST_RMC_SINK_PATH_STATS, "one path, in the field paths", {lane_fields_name, lane_fields,
            session_fields_law ()}},
    {NULL}
  };

  fields_describe (klass, structures);
}

const SessionHostFuncs gst_rmc_sink_host_funcs = {
  .stats_name = GST_RMC_SINK_STATS,.target_property = "target-bitrate",.needs_encoder = TRUE,
  .renumber = TRUE,.log = &gst_rmc_sink_debug,.add_stats = add_stats,.do_work = do_work
};
