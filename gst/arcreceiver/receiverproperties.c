/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcreceiverprivate.h"

#include "base/propertyrows.h"

static const PropertyRow properties[] = {
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
  PROPERTY_ROW_ENUM (Meter, choice.wanted, PROPERTY_PLAYING, "feedback", "Feedback",
      "Format of the feedback to the sender", gst_arc_feedback_get_type, GST_ARC_FEEDBACK_AUTO),
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
  PROPERTY_ROW_BOOLEAN (Meter, keyframes.enabled, PROPERTY_PLAYING, "request-keyframes",
      "Request keyframes", "Request keyframes (PLI, FIR) at the start, on behalf of decoders, and "
      "after unrepaired losses", TRUE),
  /**
   * GstArcReceiver:max-bitrate:
   *
   * The sender's rate is not above this, headers included; 0: no bound. It is sent as REMB with the
   * reports, once a second, and rmcsink and rtparcbwe obey it within their own limits; it ends five
   * seconds after the last one. Not over several paths (rmcsink paths=).
   *
   * Since: 0.1
   */
  PROPERTY_ROW_NUMBER (Meter, max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Upper limit of the sender's rate in bit/s, headers included (REMB); 0: none", 0, G_MAXUINT,
      0),
  /**
   * GstArcReceiver:stats:
   *
   * Measurements since the element went to PAUSED; gst-inspect-1.0 lists the fields. A packet
   * counts as lost when three later ones have arrived. ECN counters stay 0 if buffers carry no ECN
   * bits.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  Meter *meter = GST_ARC_RECEIVER_CAST (object)->meter;

  g_mutex_lock (&meter->lock);
  property_rows_write (properties, meter, id, value);
  meter->bound_at = 0;
  g_mutex_unlock (&meter->lock);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  Meter *meter = GST_ARC_RECEIVER_CAST (object)->meter;
  gboolean found;

  g_mutex_lock (&meter->lock);
  found = property_rows_read (properties, meter, id, value);
  g_mutex_unlock (&meter->lock);
  if (!found)
    g_value_take_boxed (value, meter_to_structure (meter));
}

void
gst_arc_receiver_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  property_rows_install (object_class, 1, properties);
}
