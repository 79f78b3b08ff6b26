/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Codec of the native feedback; the layout is drawn in wire.h.
 *
 * In a nutshell: fixed part, then optional blocks until the end, known types in ascending order.
 * One value has one encoding, so that what was accepted and holds no unknown block encodes to the
 * same bytes again.
 *
 * Source: the contents of a report are those of the paper (used bandwidth, losses) [ARC 3.1.3]; the
 * container is the APP packet of RFC 3550 6.7.
 * Where we differ from the paper and why: counters are cumulative, so that a lost report loses
 * nothing; the report names a packet, its arrival and the hold time, so that the RTT needs no
 * header extension and no feedback at once.
 *
 * Limits: a receiver whose count of packets is 0 modulo 2^32 looks like one without media; that
 * one report is rejected. */
#include <rc/feedback/wire.h>

#include <rc/base/bytes.h>
#include <string.h>

#define BLOCK_HEADER_BYTES 4
#define BLOCK_EXPLICIT_RATE 1
#define EXPLICIT_RATE_WORDS 2
#define EXPLICIT_RATE_BYTES (BLOCK_HEADER_BYTES + 4 * EXPLICIT_RATE_WORDS)
#define BLOCK_ECN 3
#define ECN_WORDS 1
#define ECN_BYTES (BLOCK_HEADER_BYTES + 4 * ECN_WORDS)
#define BLOCK_ARRIVALS 4
#define BLOCK_ECT1 5
#define BLOCK_LANES 6
#define LANES_WORDS 1
#define LANES_BYTES (BLOCK_HEADER_BYTES + 4 * LANES_WORDS)
/* of ARCS */
#define BLOCK_COOKIE 1
#define COOKIE_WORDS 2
#define COOKIE_BYTES (BLOCK_HEADER_BYTES + 4 * COOKIE_WORDS)
#define BLOCK_FORMAT 2
#define FORMAT_WORDS (2 + RC_WIRE_ENCODING_BYTES / 4)
#define FORMAT_BYTES (BLOCK_HEADER_BYTES + 4 * FORMAT_WORDS)
#define BLOCK_JOIN 3            /* as a cookie */
#define BLOCK_PART 4
#define PART_WORDS 2            /* before its bytes */
#define PART_BYTES (BLOCK_HEADER_BYTES + 4 * PART_WORDS)

/* Called for each optional block; false refuses the packet. */
typedef bool (*BlockFunc) (uint8_t type, const uint8_t *words, size_t n_words, void *out);

static uint8_t *
put_block_header (uint8_t *at, uint8_t type, uint8_t n_words)
{
  return rc_put32 (at, (uint32_t) type << 24 | (uint32_t) n_words << 16);
}

static size_t
arrivals_words (const RcArrivalAges *list)
{
  return list->n > 0 ? 1 + (list->n + 1U) / 2 : 0;
}

/* Returns where it ended. */
static uint8_t *
put_arrivals (uint8_t *at, const RcArrivalAges *list)
{
  at = put_block_header (at, BLOCK_ARRIVALS, (uint8_t) arrivals_words (list));
  at = rc_put32 (at, (uint32_t) list->first << 16 | (uint32_t) list->stride_log2 << 8);
  for (unsigned i = 0; i < list->n; i++)
    at = rc_put16 (at, list->ages[i]);
  if (list->n % 2)
    at = rc_put16 (at, RC_ARRIVALAGE_NONE);
  return at;
}

size_t
rc_wire_encode_report (const RcReport *report, uint8_t *bytes, size_t cap)
{
  size_t size = RC_WIRE_REPORT_BYTES + (report->explicit_rate_bps ? EXPLICIT_RATE_BYTES : 0)
      + (report->ecn_read ? ECN_BYTES : 0)
      + (report->arrivals.n ? BLOCK_HEADER_BYTES + 4 * arrivals_words (&report->arrivals) : 0)
      + (report->ect1_pkts ? ECN_BYTES : 0) + (report->n_lanes ? LANES_BYTES : 0);
  uint8_t *at = bytes;

  if (cap < size)
    return 0;
  at = rc_put32 (at, report->ssrc);
  at = rc_put32 (at, report->number);
  at = rc_put32 (at, report->highest_seq);
  at = rc_put64 (at, report->arrival_us_remote);
  at = rc_put32 (at, report->hold_us);
  at = rc_put64 (at, report->bandwidth_bps);
  at = rc_put32 (at, report->received_pkts);
  at = rc_put32 (at, report->lost_pkts);
  at = rc_put32 (at, report->ce_pkts);
  at = rc_put64 (at, report->received_bytes);
  if (report->explicit_rate_bps) {
    at = put_block_header (at, BLOCK_EXPLICIT_RATE, EXPLICIT_RATE_WORDS);
    at = rc_put64 (at, report->explicit_rate_bps);
  }
  if (report->ecn_read)
    at = rc_put32 (put_block_header (at, BLOCK_ECN, ECN_WORDS), report->ecn_pkts);
  if (report->arrivals.n)
    at = put_arrivals (at, &report->arrivals);
  if (report->ect1_pkts)
    at = rc_put32 (put_block_header (at, BLOCK_ECT1, ECN_WORDS), report->ect1_pkts);
  if (report->n_lanes)
    rc_put32 (put_block_header (at, BLOCK_LANES, LANES_WORDS), report->n_lanes);
  return size;
}

static uint8_t *
put_format (uint8_t *at, const RcMediaFormat *format)
{
  const char *name = format->encoding_name;
  bool ended = false;

  at = rc_put32 (at, (uint32_t) format->payload_type << 24 | (uint32_t) format->media << 16);
  at = rc_put32 (at, format->clock_rate_hz);
  for (size_t i = 0; i < RC_WIRE_ENCODING_BYTES; i++) {
    ended = ended || name[i] == '\0';
    at[i] = ended ? 0 : (uint8_t) name[i];
  }
  return at + RC_WIRE_ENCODING_BYTES;
}

static void
put_part (uint8_t *at, const RcFormatPart *part)
{
  at = put_block_header (at, BLOCK_PART, (uint8_t) (PART_WORDS + part->n_bytes / 4));
  at = rc_put32 (at, part->hash);
  at = rc_put32 (at, (uint32_t) part->number << 24 | (uint32_t) part->count << 16);
  memcpy (at, part->bytes, part->n_bytes);
}

size_t
rc_wire_encode_info (const RcSenderInfo *info, uint8_t *bytes, size_t cap)
{
  bool formatted = info->format.encoding_name[0] != '\0';
  size_t size = RC_WIRE_INFO_BYTES + (info->cookie ? COOKIE_BYTES : 0) + (formatted ? FORMAT_BYTES
      : 0) + (info->join ? COOKIE_BYTES : 0)
      + (info->part.count ? PART_BYTES + (size_t) info->part.n_bytes : 0);
  uint8_t *at = bytes;

  if (cap < size)
    return 0;
  at = rc_put32 (rc_put32 (rc_put32 (at, info->ssrc), info->srtt_us), info->report_interval_us);
  if (info->cookie)
    at = rc_put64 (put_block_header (at, BLOCK_COOKIE, COOKIE_WORDS), info->cookie);
  if (formatted)
    at = put_format (put_block_header (at, BLOCK_FORMAT, FORMAT_WORDS), &info->format);
  if (info->join)
    at = rc_put64 (put_block_header (at, BLOCK_JOIN, COOKIE_WORDS), info->join);
  if (info->part.count)
    put_part (at, &info->part);
  return size;
}

size_t
rc_wire_encode_notice (const RcNotice *notice, uint8_t *bytes, size_t cap)
{
  if (cap < RC_WIRE_NOTICE_BYTES)
    return 0;
  rc_put64 (rc_put32 (bytes, notice->refusal), notice->cookie);
  return RC_WIRE_NOTICE_BYTES;
}

static bool
length_fits (size_t len, size_t fixed_bytes)
{
  return len >= fixed_bytes && len <= RC_WIRE_MAX_BYTES && len % 4 == 0;
}

/* `func` may be NULL: every type is unknown then. */
static bool
walk_blocks (const uint8_t *at, size_t len, BlockFunc func, void *out)
{
  while (len > 0) {
    size_t size = BLOCK_HEADER_BYTES + 4 * (size_t) at[1];

    if (size > len || at[2] != 0 || at[3] != 0)
      return false;
    if (func && !func (at[0], at + BLOCK_HEADER_BYTES, at[1], out))
      return false;
    at += size;
    len -= size;
  }
  return true;
}

static bool
read_explicit_rate (const uint8_t *words, size_t n_words, RcReport *report)
{
  uint64_t rate_bps;

  if (n_words != EXPLICIT_RATE_WORDS)
    return false;
  rate_bps = rc_get64 (words);
  report->explicit_rate_bps = rate_bps;
  return rate_bps > 0 && rate_bps <= RC_WIRE_MAX_BPS;
}

static bool
read_ecn (const uint8_t *words, size_t n_words, RcReport *report)
{
  if (n_words != ECN_WORDS)
    return false;
  report->ecn_read = true;
  report->ecn_pkts = rc_get32 (words);
  return true;
}

static bool
read_ect1 (const uint8_t *words, size_t n_words, RcReport *report)
{
  if (n_words != ECN_WORDS)
    return false;
  report->ect1_pkts = rc_get32 (words);
  return report->ect1_pkts > 0;
}

static bool
read_lanes (const uint8_t *words, size_t n_words, RcReport *report)
{
  if (n_words != LANES_WORDS)
    return false;
  report->n_lanes = rc_get32 (words);
  return report->n_lanes > 0;
}

static bool
read_arrivals (const uint8_t *words, size_t n_words, RcArrivalAges *list)
{
  size_t n = n_words > 0 ? 2 * (n_words - 1) : 0;

  if (n == 0 || n > RC_ARRIVALTIMES_MAX)
    return false;
  if (words[2] > RC_ARRIVALAGES_MAX_STRIDE_LOG2 || words[3] != 0)
    return false;
  list->first = rc_get16 (words);
  list->stride_log2 = words[2];
  for (size_t i = 0; i < n; i++)
    list->ages[i] = rc_get16 (words + 4 + 2 * i);
  if (list->ages[n - 1] == RC_ARRIVALAGE_NONE)
    n--;
  list->n = (uint16_t) n;
  return list->ages[0] != RC_ARRIVALAGE_NONE && list->ages[n - 1] != RC_ARRIVALAGE_NONE;
}

/* Each known type once, in ascending order. */
typedef struct
{
  RcReport *report;
  uint8_t last_type;
} ReportBlocks;

static bool
read_report_block (uint8_t type, const uint8_t *words, size_t n_words, void *out)
{
  ReportBlocks *blocks = out;
  RcReport *report = blocks->report;

  if (type >= BLOCK_EXPLICIT_RATE && type <= BLOCK_LANES) {
    if (type <= blocks->last_type)
      return false;
    blocks->last_type = type;
  }
  switch (type) {
    case BLOCK_EXPLICIT_RATE:
      return read_explicit_rate (words, n_words, report);
    case BLOCK_ECN:
      return read_ecn (words, n_words, report);
    case BLOCK_ARRIVALS:
      return read_arrivals (words, n_words, &report->arrivals);
    case BLOCK_ECT1:
      return read_ect1 (words, n_words, report);
    case BLOCK_LANES:
      return read_lanes (words, n_words, report);
    default:
      return true;
  }
}

static bool
read_cookie (const uint8_t *words, size_t n_words, RcSenderInfo *info)
{
  if (n_words != COOKIE_WORDS || info->cookie != 0 || info->format.encoding_name[0] != '\0'
      || info->join != 0)
    return false;
  info->cookie = rc_get64 (words);
  return info->cookie != 0;
}

static bool
read_join (const uint8_t *words, size_t n_words, RcSenderInfo *info)
{
  if (n_words != COOKIE_WORDS || info->join != 0)
    return false;
  info->join = rc_get64 (words);
  return info->join != 0;
}

static bool
is_name_char (char c)
{
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'
      || c == '_' || c == '.' || c == '+';
}

/* Users get to see it. */
static bool
is_name (const char *name)
{
  size_t len = 0, i;

  while (len < RC_WIRE_ENCODING_BYTES && is_name_char (name[len]))
    len++;
  for (i = len; i < RC_WIRE_ENCODING_BYTES; i++)
    if (name[i] != '\0')
      return false;
  return len > 0;
}

static bool
read_format (const uint8_t *words, size_t n_words, RcMediaFormat *format)
{
  if (n_words != FORMAT_WORDS || format->encoding_name[0] != '\0' || words[2] != 0 || words[3] != 0)
    return false;
  format->payload_type = words[0];
  format->media = words[1];
  format->clock_rate_hz = rc_get32 (words + 4);
  memcpy (format->encoding_name, words + 8, RC_WIRE_ENCODING_BYTES);
  return is_name (format->encoding_name) && format->payload_type < 128 && format->clock_rate_hz > 0;
}

/* Behind the format that it is of. */
static bool
read_part (const uint8_t *words, size_t n_words, RcSenderInfo *info)
{
  RcFormatPart *part = &info->part;

  if (n_words <= PART_WORDS || 4 * (n_words - PART_WORDS) > sizeof part->bytes || part->count != 0
      || info->format.encoding_name[0] == '\0' || words[6] != 0 || words[7] != 0)
    return false;
  part->hash = rc_get32 (words);
  part->number = words[4];
  part->count = words[5];
  part->n_bytes = (uint16_t) (4 * (n_words - PART_WORDS));
  memcpy (part->bytes, words + 4 * PART_WORDS, part->n_bytes);
  return rc_format_part_valid (part);
}

static bool
read_info_block (uint8_t type, const uint8_t *words, size_t n_words, void *out)
{
  RcSenderInfo *info = out;

  switch (type) {
    case BLOCK_COOKIE:
      return read_cookie (words, n_words, info);
    case BLOCK_FORMAT:
      return info->join == 0 && read_format (words, n_words, &info->format);
    case BLOCK_JOIN:
      return info->part.count == 0 && read_join (words, n_words, info);
    case BLOCK_PART:
      return read_part (words, n_words, info);
    default:
      return true;
  }
}

static bool
report_in_range (const RcReport *report)
{
  if (report->bandwidth_bps > RC_WIRE_MAX_BPS
      || report->arrival_us_remote > RC_WIRE_MAX_ARRIVAL_US)
    return false;
  return report->received_pkts > 0
      || (report->highest_seq == 0 && report->arrival_us_remote == 0 && report->hold_us == 0
      && report->bandwidth_bps == 0 && report->lost_pkts == 0 && report->ce_pkts == 0
      && report->received_bytes == 0);
}

/* Where the words of the block are; 0: no such block has come. */
typedef struct
{
  const uint8_t *bytes;
  size_t at;
} RatePlace;

static bool
find_rate (uint8_t type, const uint8_t *words, size_t n_words, void *out)
{
  RatePlace *place = out;

  if (type == BLOCK_EXPLICIT_RATE && n_words == EXPLICIT_RATE_WORDS)
    place->at = (size_t) (words - place->bytes);
  return true;
}

bool
rc_wire_lower_rate (uint8_t *bytes, size_t len, uint64_t bps)
{
  RatePlace place = { .bytes = bytes };

  if (!length_fits (len, RC_WIRE_REPORT_BYTES)
      || !walk_blocks (bytes + RC_WIRE_REPORT_BYTES, len - RC_WIRE_REPORT_BYTES, find_rate, &place)
      || place.at == 0 || bps == 0 || rc_get64 (bytes + place.at) <= bps)
    return false;
  rc_put64 (bytes + place.at, bps);
  return true;
}

bool
rc_wire_decode_report (const uint8_t *bytes, size_t len, RcReport *out)
{
  ReportBlocks blocks = { .report = out };

  if (!length_fits (len, RC_WIRE_REPORT_BYTES))
    return false;
  memset (out, 0, sizeof *out);
  out->ssrc = rc_get32 (bytes);
  out->number = rc_get32 (bytes + 4);
  out->highest_seq = rc_get32 (bytes + 8);
  out->arrival_us_remote = rc_get64 (bytes + 12);
  out->hold_us = rc_get32 (bytes + 20);
  out->bandwidth_bps = rc_get64 (bytes + 24);
  out->received_pkts = rc_get32 (bytes + 32);
  out->lost_pkts = rc_get32 (bytes + 36);
  out->ce_pkts = rc_get32 (bytes + 40);
  out->received_bytes = rc_get64 (bytes + 44);
  return report_in_range (out)
      && walk_blocks (bytes + RC_WIRE_REPORT_BYTES, len - RC_WIRE_REPORT_BYTES, read_report_block,
      &blocks);
}

bool
rc_wire_decode_info (const uint8_t *bytes, size_t len, RcSenderInfo *out)
{
  if (!length_fits (len, RC_WIRE_INFO_BYTES))
    return false;
  memset (out, 0, sizeof *out);
  out->ssrc = rc_get32 (bytes);
  out->srtt_us = rc_get32 (bytes + 4);
  out->report_interval_us = rc_get32 (bytes + 8);
  return walk_blocks (bytes + RC_WIRE_INFO_BYTES, len - RC_WIRE_INFO_BYTES, read_info_block, out);
}

bool
rc_wire_decode_notice (const uint8_t *bytes, size_t len, RcNotice *out)
{
  if (!length_fits (len, RC_WIRE_NOTICE_BYTES))
    return false;
  out->refusal = rc_get32 (bytes);
  out->cookie = rc_get64 (bytes + 4);
  return out->cookie != 0 && walk_blocks (bytes + RC_WIRE_NOTICE_BYTES, len - RC_WIRE_NOTICE_BYTES,
      NULL, NULL);
}
