/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Circuit breakers
 * ================
 *
 * In a nutshell: a breaker is no congestion control. It ends what congestion control has failed to
 * end, and should never open beside a law that works.
 *
 *   Tdr  time between reports [interval_s, smoothed]
 *   Tr   round trip time, Tr = 0.8 Tr + 0.2 sample [rtt_s]
 *   p    share of the packets that were lost or ECN-CE, mean over the span weighted by time
 *   R    what was sent since the report before, or what may be sent until the next if that is less,
 *        bytes/s
 *   s    mean size of the packets in the span, bytes
 *
 * Media timeout [RFC 8083 4.2]. K max (Tr, Tdr) / Tdr reports in a row, rounded up, name no new
 * packet though media leaves, with K = 5: nothing arrives, so nothing leaves until something does.
 *
 * Congestion [RFC 8083 4.3]. R > 10 X, where X is the throughput that TCP would get with the losses
 * of the span,
 *
 *   X = s / (Tr sqrt (2 p / 3))
 *
 * The losses are a mean over the span, the rate is of now: what a law has already answered by a
 * lower rate shall not open the breaker. With the mean of the rate it opened after each fall of the
 * capacity that was seen by a report each 5 s, and 31 % of the link were used instead of 90 %
 * (`loop-report plain-5s`).
 *
 * The first time the rate is reduced to a tenth; if it holds over the next span too, media ceases
 * [RFC 8083 4.5]. A span without it forgets the first time.
 *
 * The span. RFC 8083 counts CB_INTERVAL reports, which is
 *
 *   ceil (3 min (max (10 G Tf, 10 Tr, 3 Tdr), max (15, 3 Td)) / (3 Tdr))
 *
 * with Tf the time between frames, G the frames between keyframes, and Td the deterministic
 * interval of RTCP, at least 5 s. Here max (15, 3 Td) decides: it is 15 s, and video whose
 * keyframes are 1.5 s apart or more makes the other term longer. So the span is the last reports
 * over 15 s.
 *
 * The RTCP timeout [RFC 8083 4.1] is silence.c, with 15 s.
 *
 * Source: RFC 8083.
 * Limits: audio has no groups of frames, and RFC 8083 would count three of its reports only.
 * Without a round trip time or before 15 s of reports the congestion breaker cannot open. Media
 * usability [RFC 8083 4.4] is the application's to judge. */
#include <rc/path/breaker.h>

#include <math.h>
#include <rc/feedback/feedback.h>
#include <string.h>

#define SPAN_S 15.0
#define JOIN_S (SPAN_S / (RC_BREAKER_MAX_REPORTS - 2))  /* so that the ring holds a span */
#define TIMES_TCP 10
#define BARREN_INTERVALS 5      /* K */
#define RTT_GAIN 0.2
#define INTERVAL_GAIN 0.25
#define LONGEST_S 60.0          /* between two reports: it was silence, not one interval */

void
rc_breaker_init (RcBreaker *self)
{
  memset (self, 0, sizeof *self);
  self->reported_at = RC_TIME_NONE;
}

void
rc_breaker_on_sent (RcBreaker *self, uint32_t network_bytes, uint32_t pkts)
{
  self->since.sent_bytes += network_bytes;
  self->since.sent_pkts += pkts;
}

static void
smooth (double *value, double sample, double gain)
{
  *value += (*value > 0 ? gain : 1) * (sample - *value);
}

/* false: it is the first one, or silence came before it. */
static bool
measure (RcBreaker *self, const RcFeedback *report, RcTime now)
{
  RcTime before = self->reported_at;
  double span_s;

  if (report->rtt != RC_TIME_NONE)
    smooth (&self->rtt_s, rc_time_to_s (report->rtt), RTT_GAIN);
  self->reported_at = now;
  if (before == RC_TIME_NONE)
    return false;
  span_s = rc_time_to_s (now - before);
  if (span_s <= 0 || span_s > LONGEST_S)
    return false;
  smooth (&self->interval_s, span_s, INTERVAL_GAIN);
  self->since.span_s = span_s;
  return true;
}

/* --- media timeout --- */

static bool
nothing_arrives (RcBreaker *self, const RcFeedback *report)
{
  double longest_s = fmax (self->rtt_s, self->interval_s);

  if (report->received_pkts > 0)
    self->barren = 0;
  else if (self->since.sent_pkts > 0)
    self->barren++;
  return self->barren > 0 && self->interval_s > 0
      && self->barren >= ceil (BARREN_INTERVALS * longest_s / self->interval_s);
}

/* --- congestion --- */

static void
forget (RcBreaker *self)
{
  self->n = 0;
}

static void
join (RcBreakerReport *self, const RcBreakerReport *more)
{
  double span_s = self->span_s + more->span_s;

  self->loss_ratio = (self->loss_ratio * self->span_s + more->loss_ratio * more->span_s) / span_s;
  self->span_s = span_s;
  self->sent_bytes += more->sent_bytes;
  self->sent_pkts += more->sent_pkts;
}

static void
add (RcBreaker *self, const RcFeedback *report)
{
  double pkts = (double) report->received_pkts + report->lost_pkts;
  RcBreakerReport one = self->since;

  one.loss_ratio = pkts > 0 ? rc_clampd ((report->lost_pkts + report->ce_pkts) / pkts, 0, 1) : 0;
  if (self->n > 0 && self->reports[self->newest].span_s + one.span_s <= JOIN_S) {
    join (&self->reports[self->newest], &one);
    return;
  }
  self->newest = (self->newest + 1) % RC_BREAKER_MAX_REPORTS;
  self->reports[self->newest] = one;
  if (self->n < RC_BREAKER_MAX_REPORTS)
    self->n++;
}

/* The last reports over SPAN_S; false: there are not so many yet. */
static bool
sum_up (const RcBreaker *self, RcBreakerReport *sum)
{
  *sum = (RcBreakerReport) { 0 };
  for (unsigned i = 0; i < self->n && sum->span_s < SPAN_S; i++)
    join (sum, &self->reports[(self->newest + RC_BREAKER_MAX_REPORTS - i)
            % RC_BREAKER_MAX_REPORTS]);
  return sum->span_s >= SPAN_S;
}

static bool
is_beyond_tcp (const RcBreaker *self, const RcBreakerReport *sum, uint64_t rate_bps)
{
  double size, tcp, rate = (double) self->since.sent_bytes / self->since.span_s;

  if (sum->loss_ratio <= 0 || sum->sent_pkts == 0 || self->rtt_s <= 0)
    return false;
  size = (double) sum->sent_bytes / sum->sent_pkts;
  tcp = size / (self->rtt_s * sqrt (2 * sum->loss_ratio / 3));
  return fmin (rate, (double) rate_bps / 8) > TIMES_TCP * tcp;
}

static RcBreakerVerdict
judge_congestion (RcBreaker *self, uint64_t rate_bps)
{
  RcBreakerReport sum;
  RcBreakerVerdict verdict;

  if (!sum_up (self, &sum))
    return RC_BREAKER_CLOSED;
  if (!is_beyond_tcp (self, &sum, rate_bps)) {
    self->reduced = false;
    return RC_BREAKER_CLOSED;
  }
  verdict = self->reduced ? RC_BREAKER_CEASE : RC_BREAKER_REDUCE;
  self->reduced = verdict == RC_BREAKER_REDUCE;
  forget (self);
  return verdict;
}

RcBreakerVerdict
rc_breaker_on_report (RcBreaker *self, const RcFeedback *report, uint64_t rate_bps, RcTime now)
{
  RcBreakerVerdict verdict = RC_BREAKER_CLOSED;

  if (!measure (self, report, now)) {
    forget (self);
    self->barren = 0;
  } else if (nothing_arrives (self, report)) {
    verdict = RC_BREAKER_NOTHING_ARRIVES;
  } else {
    add (self, report);
    verdict = judge_congestion (self, rate_bps);
  }
  self->since = (RcBreakerReport) { 0 };
  return verdict;
}
