/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP packets that our elements send, by GStreamer's RTCP helpers. Our own are reduced-size RTCP
 * (RFC 5506). What is said is the caller's; rtcpmessage.h reads it. */
#pragma once

#include "rtp/rtcpmessage.h"

G_BEGIN_DECLS

/* One buffer; n in 1..RTCP_MAX_REPORTS. sender_ssrc: of the RTCP. */
GstBuffer *rtcp_new_reports (guint32 sender_ssrc, const RcReport * reports, guint n);
GstBuffer *rtcp_new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
/* The last ones: with a BYE about their SSRCs behind them. */
GstBuffer *rtcp_new_farewell (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
GstBuffer *rtcp_new_notice (guint32 sender_ssrc, const RcNotice * notice);
/* Size of that. */
#define RTCP_NOTICE_BYTES (12 + RC_WIRE_NOTICE_BYTES)
/* A compound of the report, the name of its source, and its BYE if it ends. */
GstBuffer *rtcp_new_sender_report (const RtcpSenderReport * report, const gchar * cname,
    gboolean bye);
/* Packets that may follow others in a compound; n in 1..RTCP_MAX_KEYFRAMES. */
GstBuffer *rtcp_new_keyframes (const RtcpKeyframe * requests, guint n);
/* A compound of at most `cap` bytes that asks for packets which are sorted by SSRC and then by
 * number; tells of how many in *n_told. It begins with an empty receiver report, as RFC 3550 6.1
 * wants of a compound, unless it continues another one. ssrc: of the receiver. */
GstBuffer *rtcp_new_nacks (guint32 ssrc, const NackedPacket * packets, guint n, guint cap,
    gboolean continues, guint * n_told);

G_END_DECLS
