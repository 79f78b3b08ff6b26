/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether a report about the packets of a ledger can be true.
 *
 * In a nutshell: sequence numbers are extended to 64 bits. A report names the highest number
 * received; with s its departure, h the hold time and a the arrival in the receiver's clock:
 *   RTT = now - s - h     OWD = a - s (unknown offset)     outstanding = sent - end(highest)
 * Everything else in a report is cumulative. It is compared with the last report accepted:
 *
 *   first_seq ... acked (last report) ... highest (this report) ... next_seq
 *   '------ missing: sent up to here and not yet reported received ------'
 *
 *   d received <= missing + what left between acked and highest
 *   lost <= what is still missing then
 *
 * Problem: a receiver takes a gap in the numbers for losses, and a gap may have been there before
 * the packets left: of a source that was switched, a leaky queue, a relay that lost packets. Rule:
 * with l the packets that the receiver has counted as lost, and u those that left and have not come
 * (both since the baseline), l - u of l have never left, at least, and never count again:
 *   g = max (l - u) so far           lost on the path = l - g
 * A packet that left and was lost is in l as well as in u, so that no g hides it.
 *
 * The report's bandwidth is of RTP packets; B_network = B (rtp + overhead) / rtp of the packets
 * between acked and highest.
 * Inputs: departures, RcReport, time. Output: RcFeedback or a refusal; a refusal changes nothing.
 * Source: q = B (RTT - mRTT) and the reports of [ARC 3.1.1, 3.1.3]; RFC 8888 10 for distrust in the
 * receiver.
 * Where we differ from the paper and why: it has time stamps in packets and trusts the receiver;
 * here neither.
 * Limits: g does not change the loss event ratio of a report unless all its losses were gaps. A
 * report about a packet older than the ring gives no RTT. A late packet is believed within the
 * window of losshist.h before a baseline. A receiver that lies about its bandwidth is believed up
 * to RC_WIRE_MAX_BPS: the law's own maximum bounds it. */
#include <rc/ledger/ledger.h>

#include <rc/feedback/feedback.h>
#include <rc/loss/losshist.h>
#include <string.h>

/* No receiver reports more often for long: ours at each packet of the first round trip, and then
 * each 5 ms at most. */
#define LEAST_REPORT_INTERVAL RC_MSEC

/* What a report says once it has been found true: not yet committed. */
typedef struct
{
  uint64_t seq;                 /* acknowledged */
  RcLedgerEntry mark;           /* up to seq */
  RcTime rtt;
  bool known, baseline, progress;       /* known: of the instance that we listen to */
  uint64_t missing_seqs, missing_pkts, missing_bytes;   /* after it */
  uint64_t received_bytes;      /* deltas, network layer */
  uint32_t received_pkts, ce_pkts, ecn_pkts, ect1_pkts, new_lost_pkts;
  RcLedgerLosses losses;
} Claim;

static uint64_t
min64 (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t
minus (uint64_t a, uint64_t b)
{
  return a > b ? a - b : 0;
}

static bool
in_range (const RcReport *report)
{
  return report->bandwidth_bps <= RC_WIRE_MAX_BPS
      && report->explicit_rate_bps <= RC_WIRE_MAX_BPS
      && report->arrival_us_remote <= RC_WIRE_MAX_ARRIVAL_US;
}

static RcDigest
locate (const RcLedger *self, const RcReport *report, Claim *claim)
{
  if (claim->known && report->highest_seq == self->last.highest_seq) {
    claim->seq = self->acked_seq;
    claim->mark = self->acked;
    return RC_DIGEST_OK;
  }
  if (!rc_ledger_locate (self, (uint16_t) report->highest_seq, &claim->seq, &claim->mark))
    /* Since the source restarted nothing has arrived: what is acknowledged may be of the
     * numbering before. */
    return claim->known
        && self->acked_seq < self->first_seq ? RC_DIGEST_HELLO : RC_DIGEST_NEVER_SENT;
  claim->progress = !claim->known || claim->seq > self->acked_seq;
  return RC_DIGEST_OK;
}

static bool
measure_rtt (const RcReport *report, RcTime now, Claim *claim)
{
  RcTime hold = (RcTime) report->hold_us * RC_USEC;
  RcTime rtt = now - claim->mark.sent_at - hold;

  claim->rtt = RC_TIME_NONE;
  if (claim->mark.sent_at == RC_TIME_NONE)
    return true;
  if (rtt < -(RC_LEDGER_RTT_TOLERANCE + hold / 1024))
    return false;
  if (claim->progress && hold <= RC_LEDGER_MAX_HOLD && !claim->mark.again)
    claim->rtt = rtt > RC_USEC ? rtt : RC_USEC;
  return true;
}

/* Arrival times and the acknowledged number do not run backwards. */
static bool
times_follow (const RcLedger *self, const RcReport *report, const Claim *claim)
{
  if (claim->progress)
    return report->arrival_us_remote >= self->last.arrival_us_remote;
  return claim->seq == self->acked_seq && report->arrival_us_remote == self->last.arrival_us_remote;
}

/* Takes `pkts` of `rtp_bytes` out of what is missing: false if they are more than that. */
static bool
take_received (const RcLedger *self, Claim *claim, uint32_t pkts, uint64_t rtp_bytes)
{
  uint64_t overhead = (uint64_t) pkts * self->overhead_bytes;

  if (pkts > claim->missing_pkts || pkts > claim->missing_seqs || rtp_bytes > claim->missing_bytes)
    return false;
  if (rtp_bytes + overhead > claim->missing_bytes || rtp_bytes < pkts
      || (pkts == 0 && rtp_bytes > 0))
    return false;
  claim->received_pkts = pkts;
  claim->received_bytes = rtp_bytes + overhead;
  claim->missing_pkts -= pkts;
  claim->missing_seqs -= pkts;
  claim->missing_bytes -= claim->received_bytes;
  return true;
}

/* `lost` more by the receiver's count, of what had left up to the claim. */
static void
count_losses (const RcLedger *self, int64_t lost, Claim *claim)
{
  RcLedgerLosses *losses = &claim->losses;
  int64_t on_path;

  *losses = self->losses;
  losses->counted_pkts += lost;
  losses->unreceived_pkts += (int64_t) (claim->mark.end_pkts - self->acked.end_pkts)
      - claim->received_pkts;
  if (losses->unreceived_pkts < 0)      /* late ones of before the baseline */
    losses->unreceived_pkts = 0;
  if (losses->counted_pkts - losses->gap_pkts > losses->unreceived_pkts)
    losses->gap_pkts = losses->counted_pkts - losses->unreceived_pkts;
  on_path = losses->counted_pkts - losses->gap_pkts;
  if (on_path <= losses->peak_pkts)
    return;
  claim->new_lost_pkts = (uint32_t) (on_path - losses->peak_pkts);
  losses->peak_pkts = on_path;
}

/* Compares the counters with the last report: modulo 2^32, and losses may be taken back by
 * packets that came late. */
static bool
counters_follow (const RcLedger *self, const RcReport *report, Claim *claim)
{
  uint32_t received_pkts = report->received_pkts - self->last.received_pkts;
  int64_t lost = (int32_t) (report->lost_pkts - self->last.lost_pkts);

  claim->missing_seqs = self->missing_seqs + (claim->seq - self->acked_seq);
  claim->missing_pkts = self->missing_pkts + (claim->mark.end_pkts - self->acked.end_pkts);
  claim->missing_bytes = self->missing_bytes + (claim->mark.end_bytes - self->acked.end_bytes);
  claim->ce_pkts = report->ce_pkts - self->last.ce_pkts;
  claim->ecn_pkts = report->ecn_read ? report->ecn_pkts - self->last.ecn_pkts : 0;
  claim->ect1_pkts = report->ect1_pkts - self->last.ect1_pkts;

  if (report->received_bytes < self->last.received_bytes || (claim->progress && received_pkts == 0))
    return false;
  if (!take_received (self, claim, received_pkts,
          report->received_bytes - self->last.received_bytes))
    return false;
  if (claim->ce_pkts > received_pkts || claim->ecn_pkts > received_pkts
      || claim->ect1_pkts > received_pkts || -lost > (int64_t) received_pkts)
    return false;
  if (self->losses.counted_pkts + lost > (int64_t) claim->missing_seqs)
    return false;
  count_losses (self, lost, claim);
  return true;
}

/* Nothing to compare with. Only the first receiver of all, and only if its counters can be about
 * our packets alone, gets its counters handed out. The acknowledged packet may be of a numbering
 * before this one, or forgotten since: then nothing before it is waited for. */
static void
take_baseline (const RcLedger *self, const RcReport *report, Claim *claim)
{
  RcLedgerEntry before = rc_ledger_mark_at (self, claim->seq - RC_LOSSHIST_WINDOW);
  uint64_t seqs = minus (claim->seq + 1, self->first_seq);

  claim->baseline = claim->progress = true;
  claim->losses = (RcLedgerLosses) { 0 };
  claim->missing_seqs = seqs;
  claim->missing_pkts = minus (claim->mark.end_pkts, self->before_first.end_pkts);
  claim->missing_bytes = minus (claim->mark.end_bytes, self->before_first.end_bytes);
  claim->received_pkts = claim->new_lost_pkts = 0;
  claim->ce_pkts = claim->ecn_pkts = claim->ect1_pkts = 0;
  claim->received_bytes = 0;
  if (!self->heard && (uint64_t) report->received_pkts + report->lost_pkts <= seqs
      && report->ce_pkts <= report->received_pkts && report->ecn_pkts <= report->received_pkts
      && report->ect1_pkts <= report->received_pkts
      && take_received (self, claim, report->received_pkts, report->received_bytes)) {
    claim->ce_pkts = report->ce_pkts;
    claim->ecn_pkts = report->ecn_pkts;
    claim->ect1_pkts = report->ect1_pkts;
    claim->new_lost_pkts = (uint32_t) min64 (report->lost_pkts, claim->missing_pkts);
  } else {
    claim->missing_seqs = minus (seqs, 1);      /* without the acknowledged one itself */
  }
  claim->missing_seqs = min64 (claim->missing_seqs, RC_LOSSHIST_WINDOW - 1);
  claim->missing_pkts = min64 (claim->missing_pkts, minus (claim->mark.end_pkts, before.end_pkts));
  claim->missing_bytes = min64 (claim->missing_bytes,
      minus (claim->mark.end_bytes, before.end_bytes));
}

/* A number runs neither back nor further ahead than reports can have been made. */
static RcDigest
check_number (const RcLedger *self, const RcReport *report, RcTime now)
{
  int32_t ahead = (int32_t) (report->number - self->last.number);

  if (ahead <= 0)
    return RC_DIGEST_OLD;
  return ahead > (now - self->heard_at + RC_LEDGER_RESTART_DISTANCE) / LEAST_REPORT_INTERVAL
      ? RC_DIGEST_IMPOSSIBLE : RC_DIGEST_OK;
}

RcDigest
rc_ledger_admit (const RcLedger *self, bool known, bool follows, RcTime now, bool *baseline)
{
  *baseline = false;
  if (follows)
    return RC_DIGEST_OK;
  if (known && now - self->heard_at < RC_LEDGER_RESTART_DISTANCE)
    return RC_DIGEST_IMPOSSIBLE;
  if (!known && self->heard && now - self->restarted_at < RC_LEDGER_RESTART_DISTANCE)
    return RC_DIGEST_TOO_MANY_RESTARTS;
  *baseline = true;
  return RC_DIGEST_OK;
}

/* number: what check_number () has found. */
static RcDigest
compare (const RcLedger *self, const RcReport *report, RcDigest number, RcTime now, Claim *claim)
{
  bool follows = claim->known && number == RC_DIGEST_OK && times_follow (self, report, claim)
      && counters_follow (self, report, claim), baseline = false;
  RcDigest result = rc_ledger_admit (self, claim->known, follows, now, &baseline);

  if (baseline)
    take_baseline (self, report, claim);
  return result;
}

/* Network bytes per RTP byte between the packets acknowledged by the last report and this one,
 * else of all so far. */
static double
overhead_ratio (const RcLedger *self, const Claim *claim)
{
  uint64_t bytes = claim->mark.end_bytes - self->acked.end_bytes,
      pkts = claim->mark.end_pkts - self->acked.end_pkts;

  if (claim->baseline || pkts == 0) {
    bytes = self->sent_bytes;
    pkts = self->sent_pkts;
  }
  if (bytes <= pkts * self->overhead_bytes)
    return 1;
  return (double) bytes / (double) (bytes - pkts * self->overhead_bytes);
}

static void
hand_out (const RcLedger *self, const RcReport *report, const Claim *claim, RcFeedback *out)
{
  memset (out, 0, sizeof *out);
  out->rtt = claim->rtt;
  if (claim->rtt != RC_TIME_NONE)
    out->owd_remote = (RcTime) report->arrival_us_remote * RC_USEC - claim->mark.sent_at;
  out->bandwidth_bps =
      (uint64_t) ((double) report->bandwidth_bps * overhead_ratio (self, claim) + 0.5);
  out->received_bytes = claim->received_bytes;
  out->received_pkts = claim->received_pkts;
  out->lost_pkts = claim->new_lost_pkts;
  out->ce_pkts = claim->ce_pkts;
  out->ecn_pkts = claim->ecn_pkts;
  out->ect1_pkts = claim->ect1_pkts;
  out->ecn_read = report->ecn_read;
  out->outstanding_bytes = self->sent_bytes - claim->mark.end_bytes;
  out->sent_at = claim->mark.sent_at;
  out->explicit_rate_bps = report->explicit_rate_bps;
  out->restarted = claim->baseline && self->heard;
  out->policy = RC_WIRE_REPORT_POLICY;
}

static void
commit (RcLedger *self, const RcReport *report, uint32_t instance, RcTime now, const Claim *claim)
{
  if (claim->baseline)
    self->restarted_at = now;
  self->losses = claim->losses;
  self->last = (RcLedgerReport) {
    .number = report->number, .highest_seq = report->highest_seq,
    .arrival_us_remote = report->arrival_us_remote, .received_bytes = report->received_bytes,
    .received_pkts = report->received_pkts, .lost_pkts = report->lost_pkts,
    .ce_pkts = report->ce_pkts, .ecn_pkts = report->ecn_pkts,
    .ect1_pkts = report->ect1_pkts,
  };
  self->instance = instance;
  self->acked_seq = claim->seq;
  self->acked = claim->mark;
  self->missing_seqs = claim->missing_seqs;
  self->missing_pkts = claim->missing_pkts;
  self->missing_bytes = claim->missing_bytes;
  self->heard_at = now;
  self->heard = true;
}

void
rc_ledger_acknowledge (RcLedger *self, uint64_t seq, RcTime arrived_at_remote, uint32_t instance,
    bool baseline, RcTime now)
{
  if (baseline)
    self->restarted_at = now;
  if (baseline || seq > self->acked_seq) {
    self->acked_seq = seq;
    self->acked = rc_ledger_mark_at (self, seq);
    self->last.arrival_us_remote = (uint64_t) (arrived_at_remote / RC_USEC);
  }
  self->instance = instance;
  self->heard_at = now;
  self->heard = true;
}

static RcDigest
say_hello (bool restarted, RcFeedback *out)
{
  *out = (RcFeedback) { .rtt = RC_TIME_NONE, .sent_at = RC_TIME_NONE, .restarted = restarted,
    .policy = RC_WIRE_REPORT_POLICY };
  return RC_DIGEST_HELLO;
}

RcDigest
rc_ledger_digest (RcLedger *self, const RcReport *report, uint32_t instance, RcTime now,
    RcFeedback *out)
{
  Claim claim = { .known = self->heard && instance == self->instance };
  RcDigest number = claim.known ? check_number (self, report, now) : RC_DIGEST_OK, result;

  if (report->ssrc != self->ssrc)
    return RC_DIGEST_NEVER_SENT;
  if (report->received_pkts == 0)
    return say_hello (self->heard && !claim.known, out);
  if (!in_range (report))
    return RC_DIGEST_IMPOSSIBLE;
  if (number != RC_DIGEST_OK && now - self->heard_at < RC_LEDGER_RESTART_DISTANCE)
    return number;
  result = locate (self, report, &claim);
  if (result == RC_DIGEST_HELLO)
    return say_hello (false, out);
  if (result != RC_DIGEST_OK)
    return result;
  if (!measure_rtt (report, now, &claim))
    return RC_DIGEST_IMPOSSIBLE;
  result = compare (self, report, number, now, &claim);
  if (result != RC_DIGEST_OK)
    return result;
  hand_out (self, report, &claim, out);
  commit (self, report, instance, now, &claim);
  return RC_DIGEST_OK;
}
