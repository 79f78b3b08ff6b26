/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcreceiverprivate.h"

enum
{
  PROP_0,
  PROP_FEEDBACK,
  PROP_REQUEST_KEYFRAMES,
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
   * Ask the sender for a keyframe (RTCP PLI, or FIR where the caps offer only that) when a stream
   * begins in the middle, when the upstream event GstForceKeyUnit of a depayloader or decoder
   * comes, and after a loss that nothing repaired. The requests go with the reports, and again
   * until a keyframe comes; losses ask once a second at most. Never for audio, by the caps. FALSE
   * where keyframes are too expensive.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_REQUEST_KEYFRAMES,
      g_param_spec_boolean ("request-keyframes", "Request keyframes",
          "Request keyframes (PLI, FIR) at the start, on behalf of decoders, and after unrepaired "
          "losses", TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

void
gst_arc_receiver_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;

  /**
   * GstArcReceiver:feedback:
   *
   * The format of the reports to the sender. It may change while packets flow.
   *
   * * `auto`: `arc` while the sender is rmcsink, else what the caps offer, in this order: `ccfb` if
   *   they have `rtcp-fb-ack-ccfb`, `twcc` if they have its `extmap-*`, `rr`. A new sender gets our
   *   own report for a second; rmcsink answers it, and others ignore it. Where RTCP of the sender
   *   does not come here, set `arc`
   * * `arc`: our own report. It needs rmcsink, and brings bandwidth, loss, ECN marks, explicit
   *   rates and the arrival of each packet, 20 to 50 times a second
   * * `ccfb`: RFC 8888. It needs a sender that reads it, and brings the arrival and the ECN bits of
   *   each packet, each 25 ms to 250 ms as 5 % of the media allow. SDP: `a=rtcp-fb:* ack ccfb`
   * * `twcc`: transport-wide congestion control. It needs packets with a transport-wide number, and
   *   its header extension (`rtphdrexttwcc`) in the caps; it brings the arrival of each packet, at
   *   the same times. Without the numbers it is `rr`, and a warning says so
   * * `rr`: RTCP receiver reports (RFC 3550), with the source description in each compound. It
   *   needs nothing, and brings loss, jitter and, once the sender has sent RTCP sender reports, the
   *   round-trip time. They come up to ten times a second where the caps name feedback of AVPF (any
   *   field `rtcp-fb-*`), else each time that 45000 bytes have come: RFC 3550 allows no more
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
   * What was measured since the element went to PAUSED; gst-inspect-1.0 lists the fields. Packets
   * are lost when three later ones have come. ECN counters stay 0 where buffers do not tell their
   * ECN bits.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Statistics; gst-inspect-1.0 lists the fields",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
