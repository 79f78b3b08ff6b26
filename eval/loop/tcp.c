/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "tcp.h"

#include <math.h>

#define INITIAL_WINDOW 10       /* RFC 6928 */
#define LEAST_WINDOW 2
#define DUPTHRESH 3             /* RFC 5681 */
#define RENO_BETA 0.5
#define CUBIC_BETA 0.7          /* RFC 9438 4.6 */
#define CUBIC_C 0.4             /* segments/s^3, RFC 9438 4.1 */
#define CUBIC_ALPHA (3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA))
#define SCALABLE_GAIN (1.0 / 16)        /* RFC 8257 3.3 */
#define FIRST_TIMEOUT RC_SECOND /* RFC 6298 2.1 */
#define LEAST_TIMEOUT (200 * RC_MSEC)   /* as Linux has it */
#define MOST_BACKOFF 6

void
tcp_init (Tcp *self, TcpLaw law, uint64_t segments)
{
  *self = (Tcp) {
    .law = law, .segments = segments, .cwnd = INITIAL_WINDOW, .ssthresh = INFINITY,
    .srtt = RC_TIME_NONE, .timeout_at = RC_TIME_NONE, .epoch_at = RC_TIME_NONE, .alpha = 1,
  };
  bbr_init (&self->bbr);
}

static TcpTransmission *
sent (Tcp *self, uint64_t number)
{
  return &self->sent[number % TCP_MAX_IN_FLIGHT];
}

/* --- the timeout: RFC 6298 --- */

static RcTime
timeout (const Tcp *self)
{
  RcTime t = self->srtt == RC_TIME_NONE ? FIRST_TIMEOUT : self->srtt + 4 * self->rttvar;

  return (t < LEAST_TIMEOUT ? LEAST_TIMEOUT : t) << self->backoff;
}

static void
restart_timer (Tcp *self, RcTime now)
{
  self->timeout_at = self->in_flight > 0 ? now + timeout (self) : RC_TIME_NONE;
}

static void
take_rtt (Tcp *self, RcTime rtt)
{
  RcTime off = rtt - self->srtt;

  if (self->srtt == RC_TIME_NONE) {
    self->srtt = rtt;
    self->rttvar = rtt / 2;
    return;
  }
  self->rttvar += ((off < 0 ? -off : off) - self->rttvar) / 4;
  self->srtt += off / 8;
}

/* --- the window --- */

/* After a loss, or a mark that means as much [RFC 3168]. */
static void
cut (Tcp *self)
{
  double beta = self->law == TCP_CUBIC ? CUBIC_BETA : RENO_BETA;

  self->cwnd_prior = self->cwnd;
  self->w_max = self->cwnd < self->w_max ? self->cwnd * (1 + CUBIC_BETA) / 2 : self->cwnd;
  self->ssthresh = fmax (self->cwnd * beta, LEAST_WINDOW);
  self->cwnd = self->ssthresh;
  self->epoch_at = RC_TIME_NONE;
  self->recovery_end = self->next;
}

static void
begin_cubic_epoch (Tcp *self, RcTime now)
{
  self->epoch_at = now;
  self->w_est = self->cwnd;
  self->w_max = fmax (self->w_max, self->cwnd);
  self->k_s = cbrt ((self->w_max - self->cwnd) / CUBIC_C);
}

static double
cubic_window (const Tcp *self, double t_s)
{
  double x = t_s - self->k_s;

  return CUBIC_C * x * x * x + self->w_max;
}

static void
grow_cubic (Tcp *self, RcTime now)
{
  double t_s, ahead_s, target;

  if (self->epoch_at == RC_TIME_NONE)
    begin_cubic_epoch (self, now);
  t_s = rc_time_to_s (now - self->epoch_at);
  self->w_est += (self->w_est < self->cwnd_prior ? CUBIC_ALPHA : 1) / self->cwnd;
  ahead_s = t_s + rc_time_to_s (self->srtt);
  target = rc_clampd (cubic_window (self, ahead_s), self->cwnd, 1.5 * self->cwnd);
  if (cubic_window (self, t_s) < self->w_est)
    self->cwnd = fmax (self->cwnd, self->w_est);
  else
    self->cwnd += (target - self->cwnd) / self->cwnd;
}

static void
grow (Tcp *self, RcTime now)
{
  if (self->cwnd < self->ssthresh)
    self->cwnd += 1;
  else if (self->law == TCP_CUBIC)
    grow_cubic (self, now);
  else
    self->cwnd += 1 / self->cwnd;
  self->cwnd = fmin (self->cwnd, TCP_MAX_IN_FLIGHT - 1);
}

/* Once a round trip: alpha, and the cut by half of it if there was a mark. */
static void
take_mark_of_round (Tcp *self, uint64_t number, bool marked)
{
  double share;

  self->round_acked++;
  self->round_marked += marked;
  if (marked && self->cwnd < self->ssthresh)
    self->ssthresh = self->cwnd;
  if (number < self->round_end)
    return;
  share = (double) self->round_marked / (double) self->round_acked;
  self->alpha += SCALABLE_GAIN * (share - self->alpha);
  if (self->round_marked > 0)
    self->cwnd = self->ssthresh = fmax (self->cwnd * (1 - self->alpha / 2), LEAST_WINDOW);
  self->round_acked = self->round_marked = 0;
  self->round_end = self->next;
}

static void
take_mark (Tcp *self, uint64_t number, bool marked)
{
  if (self->law == TCP_SCALABLE)
    take_mark_of_round (self, number, marked);
  else if (marked && number >= self->recovery_end)
    cut (self);
}

/* --- transmissions --- */

static void
forget_done (Tcp *self)
{
  while (self->first < self->next && sent (self, self->first)->done)
    self->first++;
}

/* After the first loss of a window. */
static void
respond (Tcp *self)
{
  if (self->law != TCP_BBR) {
    cut (self);
    return;
  }
  bbr_on_loss (&self->bbr, self->in_flight, self->delivered);
  self->recovery_end = self->next;
}

/* Returns how many it found. */
static unsigned
find_losses (Tcp *self)
{
  bool fresh = false;
  unsigned lost = 0;

  for (uint64_t i = self->first; i + DUPTHRESH <= self->highest; i++) {
    if (sent (self, i)->done)
      continue;
    sent (self, i)->done = true;
    self->in_flight--;
    lost++;
    fresh = fresh || i >= self->recovery_end;
  }
  if (fresh)
    respond (self);
  return lost;
}

/* --- BBR --- */

/* The rate at which it was delivered, as draft-cheng-iccrg-delivery-rate-estimation has it. */
static void
feed_bbr (Tcp *self, uint64_t number, unsigned lost, RcTime now)
{
  const TcpTransmission *t = sent (self, number);
  RcTime sending = t->sent_at - t->first_sent_at, delivering = now - t->delivered_at;
  BbrAck ack = { .rtt = now - t->sent_at, .interval = sending > delivering ? sending : delivering,
    .segments = self->delivered - t->delivered, .sent_at = t->delivered,
    .delivered = self->delivered, .in_flight = self->in_flight, .lost = lost };

  if (number >= self->recovery_end)
    bbr_on_recovered (&self->bbr);
  bbr_on_ack (&self->bbr, &ack, now);
  self->cwnd = fmin (self->bbr.cwnd, TCP_MAX_IN_FLIGHT - 1);
  self->delivered_at = now;
  self->first_sent_at = t->sent_at;
}

bool
tcp_may_send (const Tcp *self)
{
  return (double) self->in_flight + 1 <= self->cwnd && self->next - self->first < TCP_MAX_IN_FLIGHT
      && (self->segments == 0 || self->delivered + self->in_flight < self->segments);
}

uint64_t
tcp_on_sent (Tcp *self, RcTime now)
{
  if (self->in_flight == 0)
    self->delivered_at = self->first_sent_at = now;
  if (self->law == TCP_BBR)
    self->send_at = now + rc_time_from_s (1 / self->bbr.rate_ps);
  *sent (self, self->next) = (TcpTransmission) { .sent_at = now, .delivered = self->delivered,
    .delivered_at = self->delivered_at, .first_sent_at = self->first_sent_at };
  self->in_flight++;
  if (self->timeout_at == RC_TIME_NONE)
    restart_timer (self, now);
  return self->next++;
}

void
tcp_on_ack (Tcp *self, uint64_t number, bool marked, RcTime now)
{
  bool taken_for_lost = number < self->first || sent (self, number)->done;
  unsigned lost;

  self->delivered++;
  self->backoff = 0;
  if (!taken_for_lost) {
    sent (self, number)->done = true;
    self->in_flight--;
    take_rtt (self, now - sent (self, number)->sent_at);
  }
  if (number > self->highest)
    self->highest = number;
  lost = find_losses (self);
  if (self->law == TCP_BBR && !taken_for_lost)
    feed_bbr (self, number, lost, now);
  forget_done (self);
  if (self->law != TCP_BBR)
    take_mark (self, number, marked);
  if (self->law != TCP_BBR && number >= self->recovery_end
      && !(marked && self->law == TCP_SCALABLE))
    grow (self, now);
  restart_timer (self, now);
}

void
tcp_on_timeout (Tcp *self, RcTime now)
{
  cut (self);
  bbr_on_timeout (&self->bbr);
  self->cwnd = 1;
  self->first = self->next;
  self->in_flight = 0;
  if (self->backoff < MOST_BACKOFF)
    self->backoff++;
  self->timeout_at = RC_TIME_NONE;
}

bool
tcp_is_done (const Tcp *self)
{
  return self->segments > 0 && self->delivered >= self->segments;
}
