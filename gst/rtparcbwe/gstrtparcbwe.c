/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rtparcbwe
 * @title: rtparcbwe
 * @see_also: rmcsink, rtpbin, webrtcbin
 *
 * Congestion control inside somebody else's RTP session: it stands where `rtpgccbwe` of
 * gst-plugins-rs stands. Return it from the signal `request-aux-sender` of webrtcbin, or put it
 * before `send_rtp_sink_0` of rtpbin. From rtpbin's own signal `request-aux-sender` return a bin
 * around it with ghost pads `sink_0` and `src_0` (0: the number of the session), as rtpbin wants.
 *
 * ## Behaviour
 *
 * It is the session of rmcsink (law, pacer, send queue, encoders), whose packets leave by the
 * source pad instead of a socket. rtpsession behind it numbers the packets and takes the feedback
 * of transport-wide congestion control (TWCC), which any browser sends. It tells of the feedback by
 * the upstream event `RTPTWCCPackets`. The packets must carry the header extension of TWCC: add
 * `rtphdrexttwcc` to the payloader, or its `extmap` to the caps behind the payloader. Feedback of
 * RFC 8888 is taken as well, by a signal of rtpsession, and is preferred where both come. The
 * packets need nothing for it.
 *
 * Until feedback comes, the rate stays at the start. With neither for 5 s a warning says why that
 * may be, and from then on the rate goes by the receiver reports that rtpsession gets (the slow
 * law, lib/rc/law/slow.c), until better feedback comes. Feedback that stops in the middle of a
 * call, as after a renegotiation, is replaced by receiver reports after 2 s. Where these do not
 * come either, the rate falls step by step to #GstRtpArcBwe:min-bitrate, but media never stops: the
 * RTP session or the peer connection ends when the peer has gone.
 *
 * The bitrate of the encoders upstream is set (#GstRtpArcBwe:adapt-encoder), and
 * #GstRtpArcBwe:estimated-bitrate tells it, with notify, for applications that do so themselves.
 * Several encoders behind one rtparcbwe share the target equally, as they do behind rmcsink. Where
 * the streams are joined by rampscheduler before it, RAMP decides: each stream gets what it needs,
 * and sound does not wait for keyframes. rampscheduler has one source pad, so that this is for
 * rtpbin; streams in webrtcbin join behind webrtcbin's own pads.
 *
 * What waits longer than #GstRtpArcBwe:max-queue-time is dropped by whole frames if the source is
 * live, and a keyframe is asked for; other sources are made to wait. At the end of the stream all
 * that waits leaves first.
 *
 * Retransmissions of an rtprtxsend upstream may take a fifth of the rate, averaged over half a
 * second; what is beyond it is dropped and counted. The encoders get that much less.
 *
 * ## Clock and threads
 *
 * The thread that paces all rmcsinks hands packets to the task of the source pad, which pushes
 * them one by one. Notifications and messages come from other threads, without a lock.
 *
 * ## Limits
 *
 * No queue may stand between it and the network, since rtpsession notes when a packet enters it and
 * that time is taken for the departure. Time for which the push itself is blocked is known.
 *
 * One rtparcbwe for each RTP session, and all streams of the session pass through it. Of two in a
 * row the later one decides; the earlier one warns and lets all pass. Of two side by side before an
 * rtpfunnel, TWCC numbers the packets in one row and does not tell which are whose: a warning says
 * so, and both go by receiver reports or RFC 8888, which name the streams. Where a stream without
 * an rtparcbwe enters the session beside it, TWCC counts the packets of both; a warning says so.
 *
 * Since: 0.1
 */

#include "gstrtparcbweprivate.h"

#include "base/description.h"
#include "base/watchlist.h"

#include <gst/arc/arc.h>

/* Behind the pad: UDP, IPv4, and the authentication tag of SRTP, which WebRTC always has. */
#define SRTP_TAG_BYTES 10

G_DEFINE_TYPE_WITH_CODE (GstRtpArcBwe, gst_rtp_arc_bwe, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_arc_bwe_debug, "rtparcbwe", 0,
        "Congestion control before an RTP session"));
GST_ELEMENT_REGISTER_DEFINE (rtparcbwe, "rtparcbwe", GST_RANK_NONE, GST_TYPE_RTP_ARC_BWE);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

/* --- states --- */

static gboolean
ready_to_paused (GstRtpArcBwe * self)
{
  session_host_begin (&self->host);
  if (!gst_rtp_arc_bwe_open_session (self))
    return FALSE;
  work_turns_schedule (&self->host.turns);
  return TRUE;
}

static GstStateChangeReturn
gst_rtp_arc_bwe_change_state (GstElement * element, GstStateChange transition)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !ready_to_paused (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    g_atomic_int_set (&self->host.playing, TRUE);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    g_atomic_int_set (&self->host.playing, FALSE);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_rtp_arc_bwe_halt (self, self->host.session);    /* else a wait for room holds the pads */

  ret = GST_ELEMENT_CLASS (gst_rtp_arc_bwe_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
    gst_rtp_arc_bwe_close_session (self);
  return ret;
}

static void
gst_rtp_arc_bwe_finalize (GObject * object)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE (object);

  session_host_clear (&self->host);
  pad_transport_clear (&self->transport);
  push_times_clear (&self->push_times);
  G_OBJECT_CLASS (gst_rtp_arc_bwe_parent_class)->finalize (object);
}

static void
gst_rtp_arc_bwe_init (GstRtpArcBwe * self)
{
  watch_list_add (GST_ELEMENT (self));
  pad_transport_init (&self->transport, RC_OVERHEAD_IPV4_BYTES + SRTP_TAG_BYTES);
  push_times_init (&self->push_times);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_rtp_arc_bwe_init_sink_pad (self);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_rtp_arc_bwe_init_src_pad (self);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  session_host_init (&self->host, GST_ELEMENT (self), self->sinkpad, &gst_rtp_arc_bwe_shell);
}

static void
gst_rtp_arc_bwe_class_init (GstRtpArcBweClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_rtp_arc_bwe_finalize;
  gst_rtp_arc_bwe_install_properties (object_class);
  element_class->change_state = gst_rtp_arc_bwe_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "Congestion control before an RTP session", "Network/WebRTC/RTP/Filter",
      "Paces RTP by the transport-wide feedback of rtpsession and adapts the encoders upstream",
      "the gst-arc authors");
  gst_rtp_arc_bwe_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE ("RTPTWCCPackets", "received from rtpsession and forwarded")
      DESCRIPTION_FIELD ("packets", "array", "numbers and times of the packets of a message")
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_TARGET_BITRATE, "sent upstream, for encoders that "
          "rtparcbwe does not know")
      DESCRIPTION_TARGET_BITRATE DESCRIPTION_NETWORK_BITRATE);
}
