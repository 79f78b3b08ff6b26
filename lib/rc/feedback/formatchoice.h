/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which feedback format counts, when a receiver sends several, or changes from one to another.
 *
 * Problem: two formats report on the same packets with different clocks and counters. A law fed
 * with both would count each packet twice, and would take the difference of the clocks for a queue.
 * Rule: the best format that came within RC_FORMAT_PATIENCE counts, and what comes in a worse one
 * is ignored. A better one counts as soon as it comes. */
#pragma once

#include <rc/base/types.h>

/* From worse to better. Receiver reports are a summary each few seconds. TWCC carries
 * neither ECN bits nor its transmission time. RFC 8888 has a resolution of 1 ms, and its counts are
 * lost with a lost message. Those of our own format are cumulative: a lost report loses only its
 * list of packets. */
typedef enum
{
  RC_FORMAT_NONE,               /* nothing came yet */
  RC_FORMAT_RR,                 /* receiver reports of RTP */
  RC_FORMAT_TWCC,
  RC_FORMAT_CCFB,               /* RFC 8888 */
  RC_FORMAT_ARC,
  RC_N_FORMATS,                 /* no format; formatchoice.c names each format, in this order */
} RcFormat;

/* Eight times the longest interval of the formats' messages, 250 ms: so many in a row are lost on
 * no path that carries media. */
#define RC_FORMAT_PATIENCE (2 * RC_SECOND)

typedef struct
{
  RcFormat format;              /* of the last feedback that counts */
  RcTime heard_at;              /* when it came */
  uint64_t ignored;             /* messages of a worse format */
} RcFormatChoice;

/* Whether feedback in this format counts now. If not, it is counted as ignored. */
bool rc_formatchoice_admits (RcFormatChoice *self, RcFormat format, RcTime now);
/* It was admitted, and it holds. true: feedback came in another format before. */
bool rc_formatchoice_take (RcFormatChoice *self, RcFormat format, RcTime now);
/* "none", "rr", "twcc", "ccfb", "arc" */
const char *rc_format_name (RcFormat format);
