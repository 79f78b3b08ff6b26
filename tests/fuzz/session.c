/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A session for the ledger: the input is a list of steps (one byte what, one byte how) of a sender,
 * a lossy and reordering path and an honest receiver, whose reports come true, mutated or replayed.
 *
 * Invariants: a refusal changes nothing; an RTT is positive; nobody received more than was sent;
 * a true report in order is accepted, with each entry of its list, as long as no forged one was;
 * no delay is longer than the packet has been away. */
#include "fuzz.h"

#include <rc/feedback/feedback.h>
#include <rc/receiver/receiver.h>
#include <string.h>

#define SSRC 7
#define SMALL 128
#define LARGE 512
#define MAX_FLIGHT 64           /* less than SMALL: what is on the way is never forgotten */
#define MAX_KEPT 8

typedef struct
{
  uint16_t seq;
  uint32_t size_bytes;
} Packet;

typedef struct
{
  uint8_t bytes[RC_WIRE_MAX_BYTES];
  size_t len;
  uint32_t instance;
} Kept;

typedef struct
{
  RcLedgerEntry small[SMALL], large[LARGE];
  RcLedger ledger;
  RcReceiver receiver;
  Packet flight[MAX_FLIGHT];
  Kept kept[MAX_KEPT];          /* reports as they went over the wire */
  unsigned n_flight, n_kept;
  uint32_t instance;
  uint16_t next_seq;
  RcTime now;
  uint64_t received_pkts, received_bytes;       /* handed out since the last baseline */
  bool poisoned;                /* a forged report was accepted, or the source restarted */
} Session;

static void
send_packet (Session *self, uint8_t how)
{
  uint32_t size_bytes = 12 + 5 * how;

  if (self->n_flight == MAX_FLIGHT)
    return;
  self->now += how * RC_USEC;
  if (how % 32 == 31)
    self->next_seq += how % 7;  /* dropped before sending */
  self->flight[self->n_flight++] = (Packet) { self->next_seq, size_bytes };
  FUZZ_CHECK (rc_ledger_on_sent (&self->ledger, self->next_seq++, size_bytes, self->now)
      == size_bytes + RC_OVERHEAD_IPV4_BYTES);
}

/* Takes one of the packets on the way: mostly the oldest. */
static void
arrive (Session *self, uint8_t how, bool dropped)
{
  unsigned i = how % 4 ? 0 : how / 4 % (self->n_flight + 1);
  Packet packet;

  if (i >= self->n_flight)
    return;
  packet = self->flight[i];
  memmove (&self->flight[i], &self->flight[i + 1], (--self->n_flight - i) * sizeof (Packet));
  self->now += how * 20 * RC_USEC;
  if (dropped)
    return;
  rc_receiver_on_packet (&self->receiver, packet.seq, packet.size_bytes, how % 16 == 5, self->now);
  if (how % 16 < 8)
    rc_receiver_on_ecn (&self->receiver, how % 16 > 2 ? RC_ECN_BITS_ECT_1 : RC_ECN_BITS_NOT_ECT);
}

static void
check_feedback (Session *self, const RcFeedback *fb)
{
  const RcLedger *ledger = &self->ledger;
  uint64_t most_bps = RC_WIRE_MAX_BPS * (12 + RC_OVERHEAD_IPV4_BYTES) / 12 + 1;

  if (fb->restarted)
    self->received_pkts = self->received_bytes = 0;
  self->received_pkts += fb->received_pkts;
  self->received_bytes += fb->received_bytes;
  FUZZ_CHECK (fb->rtt == RC_TIME_NONE || fb->rtt > 0);
  FUZZ_CHECK (fb->rtt == RC_TIME_NONE || fb->sent_at >= 0);
  FUZZ_CHECK (fb->sent_at <= self->now);
  FUZZ_CHECK (fb->outstanding_bytes <= ledger->sent_bytes);
  FUZZ_CHECK (fb->outstanding_bytes == rc_ledger_outstanding_bytes (ledger));
  FUZZ_CHECK (self->received_pkts <= ledger->sent_pkts
      && self->received_bytes <= ledger->sent_bytes);
  FUZZ_CHECK (ledger->missing_pkts <= ledger->sent_pkts
      && ledger->missing_bytes <= ledger->sent_bytes);
  FUZZ_CHECK (ledger->missing_seqs <= ledger->next_seq);
  FUZZ_CHECK (fb->lost_pkts <= ledger->next_seq && fb->ce_pkts <= fb->received_pkts);
  FUZZ_CHECK (fb->ecn_pkts <= fb->received_pkts);
  FUZZ_CHECK (fb->ect1_pkts <= fb->received_pkts);
  FUZZ_CHECK (fb->bandwidth_bps <= most_bps);
}

static void
check_delays (Session *self, const RcReport *report, const RcFeedback *fb, bool honest)
{
  RcTime hold = (RcTime) report->hold_us * RC_USEC;
  RcTime latest = (RcTime) report->arrival_us_remote * RC_USEC + hold;
  RcTime earliest = latest - self->now - 5 * RC_MSEC;
  static RcAcks acks;
  RcDelays delays;
  unsigned n_false;

  acks.n = 0;
  n_false = rc_acks_add_report (&acks, &self->ledger, report, fb, self->now);
  rc_acks_get_delays (&acks, fb->received_bytes, fb->received_bytes, &delays);

  fuzz_counts.delays += delays.pkts > 1;
  fuzz_counts.false_arrivals += n_false;
  FUZZ_CHECK (delays.pkts + n_false <= report->arrivals.n + 1U);
  FUZZ_CHECK (!honest || n_false == 0);
  if (delays.pkts == 0)
    return;
  FUZZ_CHECK (delays.least_remote <= delays.mean_remote);
  FUZZ_CHECK (delays.least_remote <= delays.last_remote);
  FUZZ_CHECK (delays.least_remote <= delays.second_remote);
  FUZZ_CHECK (!honest || delays.least_remote >= -RC_ARRIVALAGE_UNIT);
  FUZZ_CHECK (delays.least_bytes <= fb->received_bytes);
  if (hold <= RC_LEDGER_MAX_HOLD) {
    FUZZ_CHECK (delays.least_remote >= earliest);
    FUZZ_CHECK (delays.mean_remote <= latest && delays.last_remote <= latest);
  }
  FUZZ_CHECK (delays.least_sent_at >= 0 && delays.least_sent_at <= self->now);
}

static RcDigest
digest (Session *self, const RcReport *report, uint32_t instance, bool honest)
{
  RcLedger before = self->ledger;
  RcFeedback fb;
  RcDigest result = rc_ledger_digest (&self->ledger, report, instance, self->now, &fb);

  fuzz_counts.digests[result]++;
  if (result == RC_DIGEST_OK) {
    check_feedback (self, &fb);
    check_delays (self, report, &fb, honest);
  } else {
    FUZZ_CHECK (memcmp (&before, &self->ledger, sizeof before) == 0);
  }
  return result;
}

static void
report_truly (Session *self, uint8_t how)
{
  Kept *kept = &self->kept[self->n_kept++ % MAX_KEPT];
  RcReport report;
  RcDigest result;

  self->now += how * 10 * RC_USEC;
  rc_receiver_report (&self->receiver, self->now, &report);
  self->now += how / 16 * RC_MSEC;
  kept->len = rc_wire_encode_report (&report, kept->bytes, sizeof kept->bytes);
  kept->instance = self->instance;
  FUZZ_CHECK (fuzz_decode_report (kept->bytes, kept->len, &report));
  if (how % 8 == 7)
    return;                     /* lost on the way back */
  result = digest (self, &report, self->instance, !self->poisoned);
  fuzz_counts.sent_in_order++;
  fuzz_counts.believed += result == RC_DIGEST_OK || result == RC_DIGEST_HELLO;
  FUZZ_CHECK (self->poisoned || result == RC_DIGEST_OK || result == RC_DIGEST_HELLO
      || result == RC_DIGEST_TOO_MANY_RESTARTS);
}

/* A report that went over the wire comes again; `mask` is not 0: with a byte changed, or of
 * another receiver. */
static void
report_falsely (Session *self, uint8_t how, uint8_t mask)
{
  Kept forged = self->kept[how % MAX_KEPT];
  RcReport report;
  RcDigest result;

  if (how % MAX_KEPT >= self->n_kept)
    return;
  if (mask == 0xff)
    forged.instance++;
  else
    forged.bytes[(how * 3 + mask) % forged.len] ^= mask;
  if (!fuzz_decode_report (forged.bytes, forged.len, &report))
    return;
  result = digest (self, &report, forged.instance, false);
  if (result == RC_DIGEST_OK)
    self->poisoned = true;
  if (mask == 0 && forged.instance == self->ledger.instance && self->ledger.heard
      && !self->poisoned)
    FUZZ_CHECK (result == RC_DIGEST_OLD || result == RC_DIGEST_HELLO);
}

static void
disturb (Session *self, uint8_t how)
{
  switch (how % 16) {
    case 0:
      self->now += how * 10 * RC_MSEC;
      break;
    case 1:
      self->next_seq += how * 256;
      self->poisoned = true;
      break;
    case 2:
      self->instance++;
      rc_receiver_init (&self->receiver, SSRC, RC_BWFILTER_TAU);
      break;
    case 3:
      if (self->ledger.capacity == SMALL) {
        rc_ledger_move (&self->ledger, self->large, LARGE);
        memset (self->small, 0xff, sizeof self->small);
      }
      break;
    default:
      self->now += how * 100 * RC_USEC;
  }
}

static void
step (Session *self, uint8_t what, uint8_t how)
{
  unsigned kind = what % 16;

  if (kind < 6)
    send_packet (self, how);
  else if (kind < 11)
    arrive (self, how, kind == 10);
  else if (kind < 13)
    report_truly (self, how);
  else if (kind == 13)
    report_falsely (self, how, 0);
  else if (kind == 14)
    report_falsely (self, how, what / 16 ? what / 16 * 17 : 1);
  else
    disturb (self, how);
}

void
fuzz_session (const uint8_t *data, size_t size)
{
  static Session self;
  size_t i;

  memset (&self, 0, sizeof self);
  self.now = RC_SECOND;
  self.next_seq = size ? (uint16_t) (data[0] * 257) : 0;
  rc_ledger_init (&self.ledger, SSRC, RC_OVERHEAD_IPV4_BYTES, self.small, SMALL);
  rc_receiver_init (&self.receiver, SSRC, RC_BWFILTER_TAU);
  for (i = 1; i + 1 < size; i += 2)
    step (&self, data[i], data[i + 1]);
}
