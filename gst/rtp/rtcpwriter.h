/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP packets that our elements send, by GStreamer's RTCP helpers. Our own are reduced-size RTCP
 * (RFC 5506). What is said is the caller's; rtcpmessage.h reads it. */
#pragma once

#include "rtp/rtcpmessage.h"

#include <gst/rtp/rtp.h>
#include <rc/receiver/reception.h>

G_BEGIN_DECLS

/* One buffer; n in 1..RTCP_MAX_REPORTS. sender_ssrc: of the RTCP. */
GstBuffer *rtcp_new_reports (guint32 sender_ssrc, const RcReport * reports, guint n);
GstBuffer *rtcp_new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
/* The last ones: with a BYE about their SSRCs behind them. */
GstBuffer *rtcp_new_farewell (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
GstBuffer *rtcp_new_notice (guint32 sender_ssrc, const RcNotice * notice);
/* They may leave before any RTP: with no SSRC. */
GstBuffer *rtcp_new_call (const RcCall * call);
GstBuffer *rtcp_new_answer (const RcAnswer * answer);
/* Size of a notice. */
#define RTCP_NOTICE_BYTES (12 + RC_WIRE_NOTICE_BYTES)
/* A compound of the report, the name of its source, and its BYE if it ends. */
GstBuffer *rtcp_new_sender_report (const RtcpSenderReport * report, const gchar * cname,
    gboolean bye);
/* Packets that may follow others in a compound; n in 1..RTCP_MAX_KEYFRAMES. */
GstBuffer *rtcp_new_keyframes (const RtcpKeyframe * requests, guint n);
/* The receiver of these streams takes no more, bit/s of the network (REMB); n in
 * 1..RTCP_MAX_REPORTS. */
GstBuffer *rtcp_new_bound (guint32 sender_ssrc, guint64 bps, const guint32 * ssrcs, guint n);
/* A compound of at most `cap` bytes that asks for packets which are sorted by SSRC and then by
 * number; *n_listed: how many it covers. It begins with an empty receiver report, as RFC 3550 6.1
 * wants of a compound, unless it continues another one. ssrc: of the receiver. */
GstBuffer *rtcp_new_nacks (guint32 ssrc, const NackedPacket * packets, guint n, guint cap,
    gboolean continues, guint * n_listed);


/* Packets behind those that a compound has already; the buffer is mapped, and has room. */

typedef struct
{
  guint32 ssrc;                 /* of the media */
  RcReceptionBlock block;
} RtcpReception;

/* ssrc, here and below: of the receiver. */
void rtcp_add_receiver_report (GstRTCPBuffer * rtcp, guint32 ssrc, const RtcpReception * blocks,
    guint n);
void rtcp_add_cname (GstRTCPBuffer * rtcp, guint32 ssrc, const gchar * cname);
/* fmt: RC_CCFB_FMT or RC_TWCC_FMT. bytes: what follows the SSRC of the receiver: in CCFB
 * the SSRC of the first stream has the place that RFC 4585 gives to that of the media. */
void rtcp_add_list (GstRTCPBuffer * rtcp, guint32 ssrc, guint8 fmt, const guint8 * bytes,
    gsize size);

G_END_DECLS
