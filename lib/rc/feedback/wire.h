/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bytes of the native feedback: the application-dependent data of three RTCP APP packets (RFC 3550
 * 6.7). The RTCP framing around them is in gst/rtp. Untrusted bytes stop
 * here: decode refuses what is short, long, of another version or out of range, and never reads
 * past `len`.
 *
 * Name "ARCR", receiver to sender, subtype RC_WIRE_VERSION: a report.
 *   offset size
 *    0  4  media SSRC
 *    4  4  report number, +1 each report of this receiver
 *    8  4  highest extended sequence number received
 *   12  8  arrival time of that packet, us, receiver's clock
 *   20  4  hold: us from that arrival to this report
 *   24  8  B, used bandwidth, low-passed, bit/s of RTP packets
 *   32  4  packets received, cumulative
 *   36  4  packets lost, cumulative
 *   40  4  packets with ECN-CE, cumulative
 *   44  8  RTP bytes received, cumulative
 *   52     optional blocks: type 1 (one word pair): explicit rate stamped by relays, bit/s, 8
 *          bytes. Type 3 (one word): packets that came ECN-capable or marked, cumulative; there if
 *          ECN bits can be read. Type 4: arrivals, see below. Type 5 (one word): packets that came
 *          as ECT(1), cumulative; there if any did. Type 6 (one word): how many lanes the receiver
 *          takes media by, > 0; there if the media SSRC is a lane's. Type 2 stays free: earlier
 *          receivers sent their loss event ratio in it.
 *
 * Name "ARCS", sender to receiver, same subtype: an info.
 *    0  4  media SSRC
 *    4  4  smoothed RTT, us (0: unknown)
 *    8  4  wanted report interval, us
 *   12     optional blocks: type 1 (one word pair): the receiver's cookie, > 0. Type 2 (8 words):
 *          what the media is: payload type, media (RcMedia), two bytes zero, clock rate in Hz,
 *          encoding name of SDP, zeros to 24 bytes. Type 3 (one word pair): > 0, the cookie of
 *          another address by which the receiver takes media of the same sender: the media SSRC is
 *          that of a lane (lib/rc/lanes), and shall join it. Type 4 (2 words and more): beside
 *          type 2, a part of what else caps say (formatfields.h): the hash of all parts, the number
 *          of this one (1 byte, from 0), their count (1 byte, at most 16), two bytes zero, then the
 *          part, at most 512 bytes. Format and parts come in some infos only. A format without a
 *          part has no more fields.
 *
 * Name "ARCN", receiver to sender, same subtype: a notice. A receiver sends more bytes to an
 * address than came from there only once the cookie came back from there. A notice is no larger
 * than the ARCS that it answers.
 *    0  4  refusal, see below
 *    4  8  cookie, > 0
 *   12     optional blocks
 *
 * An optional block is its type (1 byte), its length in 32-bit words without this one (1 byte), two
 * bytes zero, then the words. Unknown types are skipped.
 *
 * The arrivals of ARCR: when each packet since the report before arrived. One word: number of
 * the first entry (2 bytes), binary logarithm of the stride (1 byte, at most 8), one byte zero.
 * Then an entry of 2 bytes for each number first, first + stride, ...: how long before the report
 * the packet arrived, in 1/32 ms. 0xfffe: longer than can be encoded. 0xffff: not arrived, or a
 * filler at the end. The first and the last entry arrived. The report was made at arrival + hold.
 * There is no block if nothing but the highest number came. arrivaltimes.h says which packets are
 * listed, acks.h what the sender makes of them.
 *   Why the arrivals and not their mean and least: a delay is an arrival less a departure, and
 * the receiver knows no departures. Rejected: the departure in each packet (RFC 8285), which
 * costs 8 bytes of each packet where the list costs 2. A lost report loses its list: no list
 * repeats another.
 *
 * All big-endian. received = 0: the receiver is present but has received no media yet (the answer
 * to a probe); then highest, arrival, hold, B and all counters are 0. A hold of
 * 2^32 - 1 us means: as long or longer.
 *
 * Why RTCP APP and not RFC 8888: it needs no header extension, has at most 642 bytes, and its
 * counters survive lost reports. The rate needs nothing of it that RFC 8888 has not
 * (docs/results/feedback.md). But only our own messages have the stamps of relays, the cookie
 * that proves an address, why media is refused, and the format of the media.
 *
 * The cookie has a packet of its own, ARCN: arcsrc knows addresses, and arcreceiver, which makes
 * reports, does not. One compound packet has only the sources with news, so 16 sources with
 * losses cost no more than they sent. */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/feedback/arrivaltimes.h>
#include <rc/feedback/formatfields.h>

#include <string.h>

#define RC_WIRE_VERSION 1
#define RC_WIRE_REPORT_NAME "ARCR"
#define RC_WIRE_INFO_NAME "ARCS"
#define RC_WIRE_REPORT_BYTES 52
#define RC_WIRE_INFO_BYTES 12
#define RC_WIRE_NOTICE_NAME "ARCN"
#define RC_WIRE_NOTICE_BYTES 12
/* 608 with every optional block, and room for new ones; longer is refused. */
#define RC_WIRE_MAX_BYTES 768
/* How long the receiver may hold a report back. With RTCP, UDP and IP headers a report without a
 * list is at most 100 bytes, 5 % of 2000. Its list is not waited for: that is 0.5 % more at 1200
 * bytes a packet, 2 % at 100 bytes. */
#define RC_WIRE_REPORT_POLICY ((RcReportPolicy) { 2000, 250 * RC_MSEC })
#define RC_WIRE_MAX_BPS UINT64_C (1000000000000)        /* 1 Tbit/s: beyond it a claim is absurd */
/* Fits RcTime, also with a hold and less a departure. */
#define RC_WIRE_MAX_ARRIVAL_US ((uint64_t) INT64_MAX / 2000)

typedef struct
{
  uint32_t ssrc;                /* of the media */
  uint32_t number;
  /* Extended: cycles << 16 | sequence number, as the receiver counts cycles. */
  uint32_t highest_seq;
  uint64_t arrival_us_remote;
  uint32_t hold_us;
  uint64_t bandwidth_bps;       /* of RTP packets, without UDP/IP headers */
  uint32_t received_pkts, lost_pkts, ce_pkts;   /* cumulative, modulo 2^32 */
  uint64_t received_bytes;      /* cumulative RTP bytes */
  uint64_t explicit_rate_bps;   /* 0: no such block */
  bool ecn_read;                /* the receiver can read ECN bits; false: no such block */
  uint32_t ecn_pkts; /* that came ECN-capable or CE, cumulative, modulo 2^32; 0 without ecn_read */
  uint32_t ect1_pkts; /* that came as ECT(1), cumulative, modulo 2^32; 0: no such block */
  RcArrivalAges arrivals;       /* since the report before; n = 0: no such block */
  uint32_t n_lanes;             /* 0: no such block */
} RcReport;

typedef enum
{
  RC_MEDIA_OTHER = 0,
  RC_MEDIA_AUDIO = 1,
  RC_MEDIA_VIDEO = 2,
  RC_MEDIA_APPLICATION = 3,
} RcMedia;

#define RC_WIRE_ENCODING_BYTES 24

/* As in SDP: what the receiver must know to interpret the packets. */
typedef struct
{
  /* Letters, digits and - _ . + of ASCII; "": no such block. */
  char encoding_name[RC_WIRE_ENCODING_BYTES + 1];
  uint8_t payload_type;         /* at most 127 */
  uint8_t media;                /* RcMedia; a number beyond is none that we know */
  uint32_t clock_rate_hz;       /* > 0 */
} RcMediaFormat;

/* The structure has a hole before the clock rate, whose bytes say nothing. */
static inline bool
rc_media_format_equal (const RcMediaFormat *a, const RcMediaFormat *b)
{
  return strcmp (a->encoding_name, b->encoding_name) == 0 && a->payload_type == b->payload_type
      && a->media == b->media && a->clock_rate_hz == b->clock_rate_hz;
}

/* A format with its further fields (formatfields.h), which are somebody else's. */
typedef struct
{
  RcMediaFormat format;
  const uint8_t *fields;
  size_t n_bytes;               /* 0: none */
} RcAnnouncement;

typedef struct
{
  uint32_t ssrc;
  uint32_t srtt_us;             /* 0: unknown */
  uint32_t report_interval_us;
  uint64_t cookie;              /* of the receiver's last notice; 0: no such block */
  RcMediaFormat format;         /* of all packets of the sender */
  uint64_t join;                /* cookie of another address of the sender; 0: no such block */
  RcFormatPart part;            /* of the format's further fields; count = 0: no such block */
} RcSenderInfo;

/* Reason for which the receiver rejects media of the addressed sender. Numbers of the wire; values
 * of later versions count as a rejection. */
typedef enum
{
  RC_REFUSAL_NONE = 0,          /* it does, or will once the cookie has come back */
  RC_REFUSAL_TAKEN = 1,         /* another sender has the port */
  RC_REFUSAL_PAYLOAD_TYPE = 2,  /* it expects another payload type */
} RcRefusal;

typedef struct
{
  uint32_t refusal;             /* RcRefusal */
  uint64_t cookie;
} RcNotice;

/* Writes at most `cap` bytes; returns how many (a multiple of 4), or 0 if cap is too small. */
size_t rc_wire_encode_report (const RcReport *report, uint8_t *bytes, size_t cap);
size_t rc_wire_encode_info (const RcSenderInfo *info, uint8_t *bytes, size_t cap);
size_t rc_wire_encode_notice (const RcNotice *notice, uint8_t *bytes, size_t cap);

/* Lowers the explicit rate in the bytes of a report, as the last relay on the path would have.
 * true: it was higher. A report without one, and what is no report, stays as it is. */
bool rc_wire_lower_rate (uint8_t *bytes, size_t len, uint64_t bps);

/* false: refused; *out is then unspecified. */
bool rc_wire_decode_report (const uint8_t *bytes, size_t len, RcReport *out);
bool rc_wire_decode_info (const uint8_t *bytes, size_t len, RcSenderInfo *out);
bool rc_wire_decode_notice (const uint8_t *bytes, size_t len, RcNotice *out);
