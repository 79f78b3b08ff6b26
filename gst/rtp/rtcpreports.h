/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The RTCP of RTP itself, by GStreamer's RTCP helpers: the report blocks of receivers (RFC 3550
 * 6.4), sender reports, sources that leave, and the receiver's bound of the rate (REMB,
 * draft-alvestrand-rmcat-remb-03). */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/reportblocks.h>

G_BEGIN_DECLS

#define RTCP_REPORTS_MAX 32     /* of each kind in one compound packet; more are refused */

typedef struct
{
  guint32 ssrc;
  guint64 ntp;                  /* 32.32 s */
  guint32 rtp;                  /* the same time as an RTP timestamp */
  guint32 packets, octets;      /* sent in all; octets: of payload */
} RtcpSenderReport;

typedef struct
{
  /* Beyond them the arrays are not set. */
  guint n_blocks, n_sender_reports, n_bound_ssrcs, n_byes;
  guint64 bound_bps;            /* of the streams below; without any: no bound */
  RcReportBlock blocks[RTCP_REPORTS_MAX];
  RtcpSenderReport sender_reports[RTCP_REPORTS_MAX];
  guint32 bound_ssrcs[RTCP_REPORTS_MAX];
  guint32 byes[RTCP_REPORTS_MAX];       /* sources that leave */
} RtcpReports;

/* FALSE: it is no RTCP, or a packet in it is shorter than it claims. */
gboolean rtcp_reports_parse (GstBuffer * buffer, RtcpReports * out);
/* A compound packet of the report, the name of its source, and its BYE if it ends. */
GstBuffer *rtcp_reports_new (const RtcpSenderReport * report, const gchar * cname, gboolean bye);
/* What a receiver has of it in its LSR. */
guint32 rtcp_reports_lsr (guint64 ntp);

G_END_DECLS
