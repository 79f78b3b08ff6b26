/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcreceiverprivate.h"

enum
{
  PROP_0,
  PROP_FEEDBACK,
  PROP_REQUEST_KEYFRAMES,
  PROP_MAX_BITRATE,
  PROP_STATS,
};

static void
set_property (GObject * object, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  GstArcReceiver *self = GST_ARC_RECEIVER_CAST (object);

  switch (prop_id) {
    case PROP_FEEDBACK:
      meter_set_feedback (self->meter, (GstArcFeedback) g_value_get_enum (value));
      break;
    case PROP_REQUEST_KEYFRAMES:
      meter_set_request_keyframes (self->meter, g_value_get_boolean (value));
      break;
    case PROP_MAX_BITRATE:
      meter_set_max_bps (self->meter, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
get_property (GObject * object, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GstArcReceiver *self = GST_ARC_RECEIVER_CAST (object);

  switch (prop_id) {
    case PROP_FEEDBACK:
      g_value_set_enum (value, (gint) meter_feedback (self->meter));
      break;
    case PROP_REQUEST_KEYFRAMES:
      g_value_set_boolean (value, meter_request_keyframes (self->meter));
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, meter_max_bps (self->meter));
      break;
    case PROP_STATS:
      g_value_take_boxed (value, meter_to_structure (self->meter));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
install_request_keyframes (GObjectClass * object_class)
{
  /**
   * GstArcReceiver:request-keyframes:
   *
   * Request keyframes (RTCP PLI, or FIR if the caps offer only that) when a stream does not begin
   * with one, on the upstream event GstForceKeyUnit of a depayloader or decoder, and after an
   * unrepaired loss. Requests are sent with the reports and repeated until a keyframe arrives;
   * losses cause at most one a second. Never for audio, by the caps. Disable it if keyframes are
   * too expensive.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_REQUEST_KEYFRAMES,
      g_param_spec_boolean ("request-keyframes", "Request keyframes",
          "Request keyframes (PLI, FIR) at the start, on behalf of decoders, and after unrepaired "
          "losses", TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));

  /**
   * GstArcReceiver:max-bitrate:
   *
   * The sender's rate is not above this, headers included; 0: no bound. It is sent as REMB with the
   * reports, once a second, and rmcsink and rtparcbwe obey it within their own limits; it ends five
   * seconds after the last one. Not over several paths (rmcsink paths=).
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Upper limit of the sender's rate in bit/s, headers included (REMB); 0: none", 0,
          G_MAXUINT, 0, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

void
gst_arc_receiver_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;

  /**
   * GstArcReceiver:feedback:
   *
   * Format of the feedback to the sender. It may change while packets flow.
   *
   * * `auto`: `arc` if the sender is rmcsink, otherwise the best format offered by the caps: `ccfb`
   *   with `rtcp-fb-ack-ccfb`, `twcc` with its `extmap-*`, else `rr`. A new sender gets native
   *   reports for a second; rmcsink answers them, and others ignore them. If RTCP of the sender
   *   cannot reach this element, set `arc`
   * * `arc`: native reports, for rmcsink only: received rate, losses, ECN marks, explicit rates and
   *   the arrival time of each packet, 20 to 50 times a second
   * * `ccfb`: RFC 8888, for a sender that supports it: arrival time and ECN bits of each packet, at
   *   intervals of 25 to 250 ms as 5 % of the media rate allow. SDP: `a=rtcp-fb:* ack ccfb`
   * * `twcc`: transport-wide congestion control. Packets need a transport-wide sequence number, and
   *   the caps its header extension (`rtphdrexttwcc`): arrival time of each packet, at the same
   *   intervals. Without sequence numbers it falls back to `rr` with a warning
   * * `rr`: RTCP receiver reports (RFC 3550), with the source description in each compound. For any
   *   sender: losses, jitter and, once the sender has sent RTCP sender reports, the round-trip
   *   time. They are sent up to ten times a second if the caps name feedback of AVPF (any field
   *   `rtcp-fb-*`), otherwise once per 45000 received bytes, the limit of RFC 3550
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FEEDBACK,
      g_param_spec_enum ("feedback", "Feedback", "Format of the feedback to the sender",
          GST_TYPE_ARC_FEEDBACK, GST_ARC_FEEDBACK_AUTO,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));

  install_request_keyframes (object_class);
  /**
   * GstArcReceiver:stats:
   *
   * Measurements since the element went to PAUSED; gst-inspect-1.0 lists the fields. A packet
   * counts as lost when three later ones have arrived. ECN counters stay 0 if buffers carry no ECN
   * bits.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Statistics; gst-inspect-1.0 lists the fields",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
