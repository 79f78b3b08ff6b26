/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Does this RTP packet begin a keyframe? Read from the payload, since in GStreamer 1.22
 * rtpvp8pay and rtpvp9pay never set GST_BUFFER_FLAG_DELTA_UNIT and rtph265pay may set it on
 * everything. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  RTP_CODEC_OTHER,              /* no rule: the buffer flags decide */
  RTP_CODEC_H264,
  RTP_CODEC_H265,
  RTP_CODEC_VP8,
  RTP_CODEC_VP9,
  RTP_CODEC_AV1,
} RtpCodec;

/* By the encoding-name of application/x-rtp caps. */
RtpCodec rtp_codec_from_caps (const GstCaps * caps);
/* payload: what follows the RTP header; any size. Parameter sets of H.264 and H.265 count as the
 * keyframe that they lead. */
gboolean rtp_codec_is_keyframe_start (RtpCodec codec, const guint8 * payload, gsize size);

/* No other frame needs the one of this packet, as the packet says it. */
gboolean rtp_codec_is_discardable (RtpCodec codec, const guint8 * payload, gsize size);

G_END_DECLS
