/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The circuit breakers of RFC 8083 that need receiver reports: media that does not arrive, and a
 * rate far above what TCP would get. The model is in breaker.c. */
#pragma once

#include <rc/feedback/reports.h>

/* Reports that are remembered: two a second over the longest span. What comes faster is joined. */
#define RC_BREAKER_MAX_REPORTS 32

typedef enum
{
  RC_BREAKER_CLOSED,
  RC_BREAKER_REDUCE,            /* to a tenth of the rate */
  RC_BREAKER_CEASE,             /* send no media: congestion goes on at a tenth of the rate */
  RC_BREAKER_NOTHING_ARRIVES,   /* send no media until some arrives */
} RcBreakerVerdict;

/* Content of one report: the media since the report before. */
typedef struct
{
  double span_s;
  double loss_ratio;            /* lost or ECN-CE, of the packets reported */
  uint64_t sent_bytes;
  uint32_t sent_pkts;
} RcBreakerReport;

typedef struct
{
  RcBreakerReport reports[RC_BREAKER_MAX_REPORTS];      /* a ring */
  unsigned n, newest;
  RcBreakerReport since;        /* what left after the last report */
  RcTime reported_at;           /* RC_TIME_NONE: nothing came yet */
  double rtt_s;                 /* smoothed; 0: unknown */
  double interval_s;            /* between reports, smoothed; 0: unknown */
  unsigned barren;              /* reports in a row without a new packet, though media left */
  bool reduced;                 /* the rate was reduced, and the span since is not over yet */
} RcBreaker;

void rc_breaker_init (RcBreaker *self);
void rc_breaker_on_sent (RcBreaker *self, uint32_t network_bytes, uint32_t pkts);
/* A report block came. rate_bps: that the law allows after it. */
RcBreakerVerdict rc_breaker_on_report (RcBreaker *self, const RcFeedback *report,
    uint64_t rate_bps, RcTime now);
