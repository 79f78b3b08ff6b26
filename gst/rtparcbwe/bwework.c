/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing thread must not do: events, messages, notifications, encoders. */

#include "gstrtparcbweprivate.h"

void
gst_rtp_arc_bwe_warn_of_encoders (GObject * object, const gchar * sentence)
{
  GST_ELEMENT_WARNING (object, STREAM, ENCODE, ("%s", sentence), (NULL));
}

static void
steer_encoders (GstRtpArcBwe * self, EncoderOrders * orders)
{
  if (g_atomic_int_get (&self->passive))
    return;
  orders->may_warn = g_atomic_int_get (&self->playing);
  GST_OBJECT_LOCK (self);
  orders->adapt = self->settings.adapt_encoder;
  GST_OBJECT_UNLOCK (self);
  encoder_steering_tell (self->steering, orders);
}

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

void
gst_rtp_arc_bwe_do_work (GstElement * element)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (element);
  RmcSession *session = gst_rtp_arc_bwe_dup_session (self);
  RmcWork work;

  if (session && rmc_session_take_work (session, &work))
    steer_encoders (self, &work.encoders);
  if (session && g_atomic_int_get (&self->unheard)
      && g_atomic_int_compare_and_exchange (&self->warned_unheard, FALSE, TRUE))
    warn_of_silence (self);
  g_clear_pointer (&session, rmc_session_unref);
  session = gst_rtp_arc_bwe_dup_session (self);
  if (!session)                 /* closed meanwhile */
    encoder_steering_forget (self->steering);
  g_clear_pointer (&session, rmc_session_unref);
}
