/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The RTCP packets around lib's wire formats, by GStreamer's RTCP helpers. Ours is reduced-size
 * RTCP (RFC 5506) of APP packets. Lists of packets (RFC 8888, TWCC) are found here, among whatever
 * else a compound has, and read by lib. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/ccfb.h>
#include <rc/feedback/twcc.h>
#include <rc/feedback/wire.h>

G_BEGIN_DECLS

typedef enum
{
  RTCP_FEEDBACK_NOT_RTCP,       /* RTP, or not RTP at all */
  RTCP_FEEDBACK_OTHER,          /* valid RTCP with nothing of ours: pass it on */
  RTCP_FEEDBACK_OURS, /* at least one packet of ours (others may be in the same compound) */
  RTCP_FEEDBACK_MALFORMED,      /* claims to be RTCP or ours and is not */
} RtcpFeedbackKind;

/* Most reports (one an SSRC) in one compound packet. */
#define RTCP_FEEDBACK_MAX_REPORTS 16
/* Most lists of packets; several come when one has no room for all streams. */
#define RTCP_FEEDBACK_MAX_LISTS 8

/* A list of packets: which bytes of the buffer rc_ccfb_decode() or rc_twcc_decode() reads. */
typedef struct
{
  guint8 format;                /* RC_CCFB_FORMAT or RC_TWCC_FORMAT */
  guint32 sender_ssrc;
  guint offset, size;
} RtcpFeedbackList;

typedef struct
{
  guint n_reports, n_infos, n_lists;    /* beyond them the arrays are not set */
  guint32 sender_ssrc;          /* of the RTCP: the receiver's instance id in reports */
  gboolean others;              /* the compound holds packets that are not ours too */
  gboolean bye;                 /* an RTCP BYE */
  gboolean noticed;             /* there is a notice */
  RcNotice notice;              /* the last */
  RtcpFeedbackList lists[RTCP_FEEDBACK_MAX_LISTS];
  RcReport reports[RTCP_FEEDBACK_MAX_REPORTS];
  RcSenderInfo infos[RTCP_FEEDBACK_MAX_REPORTS];
} RtcpFeedback;

/* RFC 5761 section 4: is this datagram RTCP (second byte 192..223)? */
gboolean rtcp_feedback_is_rtcp (const guint8 * data, gsize size);
RtcpFeedbackKind rtcp_feedback_parse (GstBuffer * buffer, RtcpFeedback * out);
/* One RTCP buffer; n in 1..RTCP_FEEDBACK_MAX_REPORTS. sender_ssrc: who says it. */
GstBuffer *rtcp_feedback_new_reports (guint32 sender_ssrc, const RcReport * reports, guint n);
GstBuffer *rtcp_feedback_new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
/* The last ones: with a BYE about their SSRCs behind them. */
GstBuffer *rtcp_feedback_new_farewell (guint32 sender_ssrc, const RcSenderInfo * infos, guint n);
GstBuffer *rtcp_feedback_new_notice (guint32 sender_ssrc, const RcNotice * notice);
/* Size of that. */
#define RTCP_FEEDBACK_NOTICE_BYTES (12 + RC_WIRE_NOTICE_BYTES)

G_END_DECLS
