/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A capacity that nobody knows
 * ============================
 *
 * In a nutshell: to the link behind it, a relay is one sender with the packets of all flows. It
 * notes when each of them leaves, joins that with the reports that pass on their way back, and has
 * live ARC decide at which rate packets leave. That rate is the capacity which the router law
 * divides.
 *
 *   report of flow f -> its ledgers (checked) -> our clock -> sum over 20 ms -> ARC -> r
 *
 *   C  = max (r / 2, r - 8 Q / D)        what senders share              rc_uplink_offer_bps ()
 *   a  = least (now - told) of 10 s      our clock less the receiver's   align ()
 *   B  = sum of B of the flows           as reported last                hand_over ()
 *   received by t = sum over flows of what is reported and B (t - told)  received_by ()
 *   growth of ARC = N^(3/4) of its own   N: flows that reported lately   hand_over ()
 *
 *   r  rate at which packets leave       Q  bytes that wait in the relay
 *   D  loop of the senders: their RTT and the time between reports
 *
 * Why so:
 *   - A router law that ignores the queue (QI-RCP, PIQI-RCP) leaves in the relay what came after
 *     the capacity fell. Rule: senders share what is left after the queue has drained within a
 *     loop. The law then aims at all of C, not at 95 % of it.
 *   - Each receiver has a clock of its own, and ARC needs one. A report cannot come before it was
 *     made, so the least of its arrival less its making is the difference of the clocks and the
 *     shortest way back, which all flows have in common.
 *   - Reports of several flows come at any time, each about its own packets. Those of 20 ms count
 *     as one, as often as a receiver of one sender reports. What the others have received by then
 *     follows from what they reported last.
 *   - N flows of x / N each, with an ARC of their own, would grow by N (x / N)^(1/4).
 *   - Until the first report holds, nothing is known: the rate is that of the start, and the law
 *     misses no reports. This is also how it stays where reports are encrypted.
 *
 * Inputs: departures, reports (RcReport), time. Output: rate and offer.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC; S. Jain, D. Loguinov, PIQI-RCP, whose routers
 * know their capacity. See docs/papers.md.
 * Limits: only our own reports are read, and only their first 16 SSRCs of a flow. Packets that the
 * network before the relay put out of order make a receiver seem to have more than left: such
 * reports are refused for a second. Traffic that does not pass the relay is seen as ARC sees any
 * other.
 *
 * Rejected: transport-wide numbers over all flows, in whose lists the packets of the others look
 * lost; a message of its own to the sender, or REMB, which anybody can send from the relay's
 * address. What the relay changes in a report is only a rate, downwards, which it could as well
 * stamp. Without that lower rate in passing reports the queue is half as deep again.
 * `algorithm=rcp` is for users who want less queue and less use (docs/results/uplink.md). */
#include <rc/uplink/uplink.h>

#include <rc/law/arclive.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#define INTERVAL (20 * RC_MSEC) /* of what counts as one report */
#define CLOCK_SPAN (10 * RC_SECOND)     /* clocks drift by 1 ms in it */
#define CLOCKED 8 /* reports until one of them had the shortest way, or nearly */
#define RECENT RC_BWFILTER_PAUSE        /* no receiver with media is silent for longer */
#define EXTRAPOLATE_S 0.1       /* the span over which ARC measures B */
#define OFFER_LEAST 0.5         /* of r: senders go on, however much waits */
#define GROWTH_POWER 0.75
#define KNOWN_NUMBERS 1024      /* back from the newest: sent again, or late */

void
rc_uplink_init (RcUplink *self, const RcLimits *limits, uint32_t overhead_bytes, RcTime now)
{
  memset (self, 0, sizeof *self);
  self->overhead_bytes = overhead_bytes;
  self->handed_at = now;
  rc_controller_init (&self->controller, &rc_arclive_law, RC_PROFILE_LIVE);
  rc_controller_get_param (&self->controller, "growth", &self->growth);
  self->decision = rc_controller_start (&self->controller, limits, now);
}

void
rc_uplink_add (RcUplink *self, RcUplinkFlow *flow)
{
  memset (flow, 0, sizeof *flow);
  rc_ledgers_init (&flow->ledgers, self->overhead_bytes);
  rc_winmin_init (&flow->ahead, CLOCK_SPAN);
  flow->told_at = RC_TIME_NONE;
  flow->next = self->flows;
  self->flows = flow;
}

void
rc_uplink_remove (RcUplink *self, RcUplinkFlow *flow)
{
  RcUplinkFlow **at = &self->flows;

  while (*at != flow)
    at = &(*at)->next;
  *at = flow->next;
}

uint32_t
rc_uplink_wants_entries (RcUplinkFlow *flow, uint32_t ssrc, RcTime now)
{
  return rc_ledgers_wants (&flow->ledgers, rc_numbers_of_ssrc (ssrc), now);
}

RcLedgerEntry *
rc_uplink_give_entries (RcUplinkFlow *flow, uint32_t ssrc, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now)
{
  return rc_ledgers_give (&flow->ledgers, rc_numbers_of_ssrc (ssrc), entries, capacity, now);
}

RcLedgerEntry *
rc_uplink_take_back_entries (RcUplinkFlow *flow)
{
  return rc_ledgers_take_back (&flow->ledgers);
}

/* --- out --- */

static void
note_departure (RcUplink *self, uint32_t network_bytes, bool backlogged, RcTime now)
{
  RcSent sent = { network_bytes, backlogged };

  self->decision = rc_controller_on_sent (&self->controller, &sent, now);
}

void
rc_uplink_on_sent (RcUplink *self, RcUplinkFlow *flow, uint32_t ssrc, uint16_t seq,
    uint32_t rtp_bytes, bool backlogged, RcTime now)
{
  if (rc_ledgers_knows (&flow->ledgers, ssrc, seq, KNOWN_NUMBERS))
    rc_ledgers_on_again (&flow->ledgers, ssrc, seq);
  else
    rc_ledgers_on_sent (&flow->ledgers, rc_numbers_of_ssrc (ssrc), seq, rtp_bytes, now);
  note_departure (self, rtp_bytes + self->overhead_bytes, backlogged, now);
}

void
rc_uplink_on_other_sent (RcUplink *self, uint32_t network_bytes, RcTime now)
{
  note_departure (self, network_bytes, false, now);
}

/* --- reports --- */

/* The first that is about media: all of one message were made at once. NULL: none is. */
static const RcReport *
timed_report (const RcReport *reports, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (reports[i].received_pkts > 0)
      return &reports[i];
  return NULL;
}

/* From the receiver's clock to ours. Until its difference is known, there are no delays. */
static void
align (RcUplinkFlow *flow, const RcReport *report, RcFeedback *feedback, RcTime now)
{
  RcTime told_at_remote = (RcTime) (report->arrival_us_remote + report->hold_us) * RC_USEC;
  int64_t ahead = 0;

  if (feedback->restarted) {
    rc_winmin_init (&flow->ahead, CLOCK_SPAN);
    flow->n_clocked = 0;
  }
  rc_winmin_add (&flow->ahead, now - told_at_remote, now);
  rc_winmin_get (&flow->ahead, &ahead);
  flow->told_at = told_at_remote + ahead;
  feedback->restarted = false;
  feedback->owd_remote += ahead;
  feedback->delays.mean_remote += ahead;
  feedback->delays.least_remote += ahead;
  feedback->delays.second_remote += ahead;
  feedback->delays.last_remote += ahead;
  if (flow->n_clocked < CLOCKED) {
    flow->n_clocked++;
    feedback->delays.pkts = 0;
  }
}

/* The bytes received when the packet with the least delay came: hand_over (). */
static void
add_delays (RcDelays *a, const RcDelays *b)
{
  double pkts = (double) a->pkts + b->pkts;

  if (a->pkts == 0)
    *a = *b;
  if (a->pkts == 0 || b->pkts == 0 || pkts <= b->pkts)
    return;
  a->mean_remote += (RcTime) ((double) (b->mean_remote - a->mean_remote) * (b->pkts / pkts));
  a->pkts += b->pkts;
  a->last_remote = b->last_remote;
  if (b->least_remote >= a->least_remote) {
    a->second_remote = b->least_remote < a->second_remote ? b->least_remote : a->second_remote;
    return;
  }
  a->second_remote = b->second_remote < a->least_remote ? b->second_remote : a->least_remote;
  a->least_remote = b->least_remote;
  a->least_sent_at = b->least_sent_at;
}

static void
add_feedback (RcUplink *self, const RcFeedback *feedback)
{
  RcDelays delays = self->any ? self->sum.delays : (RcDelays) { 0 };

  add_delays (&delays, &feedback->delays);
  if (self->any)
    rc_feedback_add (&self->sum, feedback);
  else
    self->sum = *feedback;
  self->sum.delays = delays;
  self->any = true;
}

bool
rc_uplink_on_reports (RcUplink *self, RcUplinkFlow *flow, const RcReport *reports, unsigned n,
    uint32_t instance, RcTime now)
{
  const RcReport *timed = timed_report (reports, n);
  RcFeedback feedback;

  if (!rc_ledgers_digest (&flow->ledgers, reports, n, instance, now, &feedback)) {
    self->stats.false_reports++;
    return false;
  }
  self->stats.reports++;
  if (!timed || feedback.sent_at == RC_TIME_NONE)
    return true;
  align (flow, timed, &feedback, now);
  flow->bandwidth_bps = (double) feedback.bandwidth_bps;
  feedback.ce_pkts = 0;         /* what leaves is not ECN-capable */
  feedback.explicit_rate_bps = 0;
  add_feedback (self, &feedback);
  self->heard = true;
  return true;
}

/* --- the law --- */

static uint64_t
received_by (const RcUplink *self, RcTime at)
{
  double bytes = 0;

  for (const RcUplinkFlow *flow = self->flows; flow; flow = flow->next)
    if (flow->told_at != RC_TIME_NONE)
      bytes += (double) flow->ledgers.received_bytes + flow->bandwidth_bps / 8
          * rc_clampd (rc_time_to_s (at - flow->told_at), -EXTRAPOLATE_S, EXTRAPOLATE_S);
  return (uint64_t) fmax (bytes, 0);
}

static void
hand_over (RcUplink *self, RcTime now)
{
  double bandwidth_bps = 0, n = 0;

  for (const RcUplinkFlow *flow = self->flows; flow; flow = flow->next)
    if (flow->told_at != RC_TIME_NONE && now - flow->told_at <= RECENT) {
      bandwidth_bps += flow->bandwidth_bps;
      n++;
    }
  rc_controller_set_param (&self->controller, "growth",
      self->growth * pow (fmax (n, 1), GROWTH_POWER));
  self->sum.bandwidth_bps = (uint64_t) (bandwidth_bps + 0.5);
  self->sum.delays.least_bytes = received_by (self,
      self->sum.delays.least_sent_at + self->sum.delays.least_remote);
  self->decision = rc_controller_on_feedback (&self->controller, &self->sum, now);
  self->any = false;
  self->handed_at = now;
}

void
rc_uplink_update (RcUplink *self, RcTime now)
{
  RcTime timer_at = self->decision.next_at;

  if (self->heard && timer_at != RC_TIME_NONE && now >= timer_at)
    self->decision = rc_controller_on_timer (&self->controller, now);
  if (self->any && now - self->handed_at >= INTERVAL)
    hand_over (self, now);
}

/* --- what holds now --- */

uint64_t
rc_uplink_rate_bps (const RcUplink *self)
{
  return self->decision.rate_bps;
}

uint64_t
rc_uplink_offer_bps (const RcUplink *self, uint64_t queue_bytes, RcTime loop)
{
  double rate_bps = (double) self->decision.rate_bps;

  assert (loop > 0);
  return (uint64_t) fmax (OFFER_LEAST * rate_bps,
      rate_bps - (double) queue_bytes * 8 / rc_time_to_s (loop));
}

RcTime
rc_uplink_queueing_delay (const RcUplink *self)
{
  return self->heard ? rc_controller_queueing_delay (&self->controller) : RC_TIME_NONE;
}

const char *
rc_uplink_state_name (const RcUplink *self)
{
  if (!self->heard)
    return "waiting";
  if (rc_controller_is_stopped (&self->controller))
    return "silent";
  return rc_controller_state_name (&self->controller);
}
