/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Queueing delay on a path with delay noise
 * =========================================
 *
 * In a nutshell: jitter only adds to the delay of single packets, so the least delay over a few
 * packets shows the queue. How far the mean delay lies above the least shows how strong the jitter
 * is. The stronger it is, the longer must the time be in which the least is looked for.
 *
 *   spread (s) = mean OWD - least OWD over the last s, smoothed over 0.5 s
 *                [spread_long_s] s = 200 ms, [spread_short_s] s = 50 ms
 *   n = max (0, min (spread (200 ms), 2 spread (50 ms)) - 2 ms - L / 2B)   noise [noise_s]
 *   W = min (10 n, 250 ms)                                                 window [window_s]
 *   d = least OWD over W - base                                            queueing delay [delay_s]
 *   base = least OWD of 30 s + min (n, least of 5 s - least of 30 s)      [ARC 3.1.1] mRTT, one way
 *
 *   OWD is the one-way delay, L the size of a packet, B the used bandwidth.
 *
 * Why so:
 *   - Problem: our own queue grows and drains within 200 ms, and spreads the delays too. Within 50
 *     ms it hardly does. Rule: noise is the smaller of both spreads, the short one doubled. An
 *     evenly paced flow without noise has a spread of 2 ms and half a packet time, which is
 *     subtracted.
 *   - Problem: jitter that keeps packets in order grows with the packet rate, because a late packet
 *     delays those behind it. The least delay of 30 s may date from a lower rate. Rule: the base
 *     may follow the least delay of 5 s, by at most n.
 *   - Problem: one packet that seems 4 ms early, since its departure was noted late, holds the base
 *     for 30 s, and 4 ms are a queue at 20 Mbit/s. Rule: of a report with at least four packets the
 *     second least delay counts for the base.
 *   - The same is computed with RTTs, and the smaller d counts. A queue on the way back is in the
 *     RTT only. A clock that drifts makes only the one-way delay wrong, and only while it makes
 *     delays grow; while it makes them shrink, the base follows.
 *   - After a stall (Wi-Fi contention, a missing LTE grant) packets come late and then at once, or
 *     at another rate. B over the gap between two reports is neither. [gap] informs the law.
 *
 * [ARC 3.1.1] takes Tq = RTT - mRTT of single packets. With 10 ms of jitter this shows a queue of
 * 10 ms where there is none.
 *
 * Rejected: one delay for each report, which takes jitter for a queue; a second report, not a
 * second packet, to confirm a lower base, since a queue on a slow link is empty for one packet
 * only. */
#include <rc/path/queueing.h>

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/path/path.h>
#include <string.h>

/* Routes change; a queue of our own is empty more often than that. */
#define BASE_SPAN (30 * RC_SECOND)
/* A report of fewer packets comes from a link so slow that a queue may be empty for one packet. */
#define CONFIRM_PACKETS 4
#define LONG_SPAN (200 * RC_MSEC)
#define WINDOW_NOISES 10        /* within 10 n some packet was not delayed by jitter */
#define WINDOW_MOST_S 0.25      /* the longest time between reports of slow media */
#define GAP_SPREADS 3
#define GAP_PACKETS 2

void
rc_queueing_init (RcQueueing *self)
{
  memset (self, 0, sizeof *self);
  rc_winmin_init (&self->owd.lasting, BASE_SPAN);
  rc_winmin_init (&self->owd.recent, RC_QUEUEING_RECENT_SPAN);
  rc_winmin_init (&self->rtt.lasting, BASE_SPAN);
  rc_winmin_init (&self->rtt.recent, RC_QUEUEING_RECENT_SPAN);
}

void
rc_queueing_forget_clock (RcQueueing *self)
{
  RcBase rtt = self->rtt;

  rc_queueing_init (self);
  self->rtt = rtt;
}

/* --- base --- */

static void
base_add (RcBase *self, RcTime delay, bool hold, RcTime now)
{
  int64_t least;

  rc_winmin_add (&self->recent, delay, now);
  if (hold && rc_winmin_get (&self->lasting, &least) && least < delay)
    delay = least;
  rc_winmin_add (&self->lasting, delay, now);
}

static RcTime
base_get (const RcBase *self, double noise_s)
{
  int64_t lasting = 0, recent = 0;
  RcTime lift = rc_time_from_s (noise_s);

  rc_winmin_get (&self->lasting, &lasting);
  rc_winmin_get (&self->recent, &recent);
  return lasting + (recent - lasting < lift ? recent - lasting : lift);
}

/* --- samples --- */

typedef struct
{
  double pkts, sum_s;           /* over the least */
  RcTime least_remote, least_rtt;
} Span;

/* Of the reports that are no older than `span` than the newest. */
static Span
look_back (const RcQueueing *self, RcTime span)
{
  const RcQueueingSample *newest = &self->samples[self->ring.newest];
  Span found = { 0, 0, newest->least_remote, newest->least_rtt };

  for (unsigned i = 0; i < self->ring.n; i++) {
    const RcQueueingSample *s = &self->samples[rc_ring_at (&self->ring, i)];

    if (newest->at - s->at > span)
      break;
    found.least_remote = s->least_remote < found.least_remote ? s->least_remote
        : found.least_remote;
    found.least_rtt = s->least_rtt < found.least_rtt ? s->least_rtt : found.least_rtt;
    found.sum_s += s->pkts * rc_time_to_s (s->mean_remote - newest->least_remote);
    found.pkts += s->pkts;
  }
  found.sum_s -= found.pkts * rc_time_to_s (found.least_remote - newest->least_remote);
  return found;
}

static void
smooth_spread (double *spread_s, const Span *span, double keep)
{
  *spread_s = *spread_s * keep + span->sum_s / span->pkts * (1 - keep);
}

static void
measure_noise (RcQueueing *self, double dt_s, double packet_s)
{
  Span short_span = look_back (self, RC_QUEUEING_SHORT_SPAN);
  Span long_span = look_back (self, LONG_SPAN);
  double keep = exp (-dt_s / RC_PATH_MEAN_S);

  smooth_spread (&self->spread_short_s, &short_span, keep);
  smooth_spread (&self->spread_long_s, &long_span, keep);
  self->noise_s = fmax (0,
      fmin (self->spread_long_s, 2 * self->spread_short_s) - RC_QUEUEING_PACED_S - packet_s / 2);
  self->window_s = fmin (WINDOW_NOISES * self->noise_s, WINDOW_MOST_S);
}

static void
measure_delay (RcQueueing *self)
{
  Span window = look_back (self, rc_time_from_s (self->window_s));
  RcTime by_owd = window.least_remote - base_get (&self->owd, self->noise_s);
  RcTime by_rtt = window.least_rtt - base_get (&self->rtt, self->noise_s);

  self->before_s = self->delay_s;
  self->delay_s = fmax (0, rc_time_to_s (by_owd < by_rtt ? by_owd : by_rtt));
}

static bool
has_gap (const RcQueueing *self, const RcDelays *delays, double packet_s)
{
  double most_s = fmax (rc_time_to_s (RC_PATH_REPORT_MIN),
      fmax (GAP_PACKETS * packet_s, GAP_SPREADS * self->spread_long_s));

  return self->ring.n > 0 && rc_time_to_s (delays->least_remote - self->last_remote) > most_s;
}

void
rc_queueing_add (RcQueueing *self, const RcFeedback *feedback, double packet_s, bool hold_base,
    RcTime now)
{
  const RcDelays *delays = &feedback->delays;
  RcTime before_at = self->ring.n > 0 ? self->samples[self->ring.newest].at : now;
  RcQueueingSample *sample;
  RcTime confirmed;             /* over the least: that a second packet has seen too */

  self->rises = self->ring.n > 0
      && delays->least_remote >= self->samples[self->ring.newest].least_remote;
  self->gap = has_gap (self, delays, packet_s);
  self->last_remote = delays->last_remote;
  sample = &self->samples[rc_ring_add (&self->ring)];
  *sample = (RcQueueingSample) { now, delays->pkts, delays->mean_remote, delays->least_remote,
    feedback->rtt - (delays->last_remote - delays->least_remote) };
  confirmed = delays->pkts < CONFIRM_PACKETS ? 0 : delays->second_remote - delays->least_remote;
  base_add (&self->owd, sample->least_remote + confirmed, hold_base, now);
  base_add (&self->rtt, sample->least_rtt + confirmed, hold_base, now);
  measure_noise (self, rc_time_to_s (now - before_at), packet_s);
  measure_delay (self);
}

void
rc_queueing_take_route (RcQueueing *self, RcTime now)
{
  RcQueueingSample newest = self->samples[self->ring.newest];
  double noise_s = self->noise_s, window_s = self->window_s;
  RcTime last_remote = self->last_remote;

  rc_queueing_init (self);
  self->last_remote = last_remote;
  self->samples[0] = newest;
  self->ring.n = 1;
  self->spread_long_s = self->spread_short_s = self->noise_s = noise_s;
  self->window_s = window_s;
  base_add (&self->owd, newest.least_remote, false, now);
  base_add (&self->rtt, newest.least_rtt, false, now);
}

RcTime
rc_queueing_base_rtt (const RcQueueing *self)
{
  return self->ring.n > 0 ? base_get (&self->rtt, self->noise_s) : RC_TIME_NONE;
}
