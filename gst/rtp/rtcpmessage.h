/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One RTCP compound packet, read once: everything in it that any of our elements uses.
 *
 * The compound is a row of packets, each with a length. Where these lengths do not add up to the
 * size of the datagram, or a header is none, nothing is read of the whole. Where the contents of
 * one packet are wrong, that packet is skipped and counted, and the others hold.
 *
 * The bytes are read here and not by GStreamer's helpers, for three reasons: a datagram of the
 * session is in no buffer; gst_rtcp_packet_move_to_next() takes a packet that is too short for its
 * type for the end of the compound; gst_rtcp_buffer_validate_reduced() refuses a padded one.
 *
 * A new type of RTCP has one place: a field here, and a row of `readers` in rtcpmessage.c. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/call.h>
#include <rc/feedback/ccfb.h>
#include <rc/feedback/nack.h>
#include <rc/feedback/twcc.h>
#include <rc/feedback/wire.h>
#include <rc/feedback/reports.h>

G_BEGIN_DECLS

/* Most of each kind in one compound; what exceeds them is counted in `n_overflow`. */
#define RTCP_MAX_REPORTS 16     /* of ours, one an SSRC */
#define RTCP_MAX_LISTS 8        /* several come when one has no room for all streams */
#define RTCP_MAX_BLOCKS 32      /* and sender reports, bounded SSRCs, BYEs */
#define RTCP_MAX_KEYFRAMES 32
#define RTCP_MAX_NACKED 1024    /* packets: half a second of 20 Mbit/s */

typedef enum
{
  RTCP_NOT_RTCP,                /* RTP, or not RTP at all */
  RTCP_MALFORMED,               /* begins as RTCP and is no row of RTCP packets */
  RTCP_VALID,
} RtcpVerdict;

/* A list of packets: which bytes of the compound rc_ccfb_decode() or rc_twcc_decode() reads. */
typedef struct
{
  guint8 fmt;                   /* RC_CCFB_FMT or RC_TWCC_FMT */
  guint32 sender_ssrc;
  guint offset, size;
} RtcpList;

typedef struct
{
  guint32 ssrc;
  guint64 ntp;                  /* 32.32 s */
  guint32 rtp;                  /* the same time as an RTP timestamp */
  guint32 packets, octets;      /* sent in all; octets: of payload */
} RtcpSenderReport;

/* PLI (RFC 4585 6.3.1) or FIR (RFC 5104 4.3.1). */
typedef struct
{
  guint32 from;                 /* SSRC of the receiver */
  guint32 ssrc;                 /* of the media */
  gboolean fir;
  guint8 number;                /* of a FIR: its repetitions have the same */
} RtcpKeyframe;

typedef struct
{
  guint32 ssrc;                 /* of the media */
  guint16 seq;
} NackedPacket;

/* Generic NACKs (RFC 4585 6.2.1). */
typedef struct
{
  guint n_messages;
  guint n_asked;                /* packets that they ask for */
  guint n_packets;              /* of these, in `packets` */
  NackedPacket packets[RTCP_MAX_NACKED];
} RtcpNacks;

typedef struct
{
  RtcpVerdict verdict;
  gboolean sealed;              /* RTCP_MALFORMED: it may be SRTCP (rc_sealed_rtcp()) */
  guint n_malformed;            /* packets skipped for their contents */
  guint n_overflow;             /* entries without a place in the arrays */
  guint n_others;               /* packets that are not ours, whatever they are */

  /* ours: APP packets */
  guint32 sender_ssrc;          /* of reports (the receiver's instance) or infos */
  gboolean noticed;
  RcNotice notice;              /* the last */
  gboolean called, answered;    /* by a receiver that joins, and the sender to it; the last */
  /* REMB (draft-alvestrand-rmcat-remb-03), the last */
  guint64 bound_bps;            /* of the streams below; without any: no bound */

  /* Beyond them the arrays are not set. */
  guint n_reports, n_infos, n_lists, n_blocks, n_sender_reports, n_bound_ssrcs, n_byes;
  guint n_keyframes;
  RcReport reports[RTCP_MAX_REPORTS];
  RcSenderInfo infos[RTCP_MAX_REPORTS];
  RtcpList lists[RTCP_MAX_LISTS];
  RcReportBlock blocks[RTCP_MAX_BLOCKS];
  RtcpSenderReport sender_reports[RTCP_MAX_BLOCKS];
  guint32 bound_ssrcs[RTCP_MAX_BLOCKS];
  guint32 byes[RTCP_MAX_BLOCKS];        /* sources that leave */
  RtcpKeyframe keyframes[RTCP_MAX_KEYFRAMES];
  RcCall call;                  /* set if called */
  RcAnswer answer;              /* set if answered */
  RtcpNacks nacks;
} RtcpMessage;

/* RFC 5761 section 4: is this datagram RTCP (second byte 192..223)? */
gboolean rtcp_is_rtcp (const guint8 * data, gsize size);
RtcpVerdict rtcp_message_read (RtcpMessage * self, const guint8 * data, gsize size);
/* Maps the buffer once, and not at all if it is no RTCP. */
RtcpVerdict rtcp_message_read_buffer (RtcpMessage * self, GstBuffer * buffer);
/* What was in the compound and could not be read. */
guint rtcp_message_unread (const RtcpMessage * self);
/* What a receiver has of a sender report's time in its LSR. */
guint32 rtcp_lsr_of_ntp (guint64 ntp);
/* Lowers the explicit rate in the reports of a valid compound: rc_wire_lower_rate (). Returns in
 * how many it was higher. */
guint rtcp_lower_rate (guint8 * data, gsize size, guint64 bps);
/* A copy of a valid compound without its requests for keyframes; NULL: nothing else was in it. */
GstBuffer *rtcp_without_keyframes (const guint8 * data, gsize size);

G_END_DECLS
