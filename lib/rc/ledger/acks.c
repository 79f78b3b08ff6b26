/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ledger/acks.h>

#include <rc/feedback/feedback.h>
#include <string.h>

/* As far as a report's highest number reaches back among those that left. */
#define MATCH_DISTANCE 32768

void
rc_acks_add (RcAcks *self, const RcAck *ack)
{
  if (self->n < RC_ACKS_MAX)
    self->acks[self->n++] = *ack;
}

bool
rc_acks_time_holds (RcTime sent_at, RcTime age, RcTime now)
{
  return now - sent_at - age >= -(RC_LEDGER_RTT_TOLERANCE + age / 1024);
}

/* --- the list of our own report --- */

typedef enum
{
  ENTRY_HOLDS,
  ENTRY_SAYS_NOTHING,           /* not arrived, too long ago to be listed, or sent twice */
  ENTRY_FALSE,
} Entry;

/* A list after a hold for which the ledger takes no RTT has no time to refer to. */
static unsigned
n_entries (const RcReport *report)
{
  return (RcTime) report->hold_us * RC_USEC <= RC_LEDGER_MAX_HOLD ? report->arrivals.n : 0;
}

/* The ledger's number of an entry; false: it is beyond the highest. */
static bool
number_of (const RcLedger *ledger, const RcReport *report, unsigned i, uint64_t *seq)
{
  const RcArrivalAges *list = &report->arrivals;
  uint32_t last = list->first + ((uint32_t) (list->n - 1U) << list->stride_log2);
  uint16_t back = (uint16_t) (report->highest_seq - last);

  *seq = ledger->acked_seq - back - ((uint64_t) (list->n - 1U - i) << list->stride_log2);
  return back < MATCH_DISTANCE;
}

static Entry
read_entry (const RcLedger *ledger, const RcReport *report, unsigned i, RcTime now, RcAck *out)
{
  RcTime told_at_remote = (RcTime) (report->arrival_us_remote + report->hold_us) * RC_USEC, age;

  if (report->arrivals.ages[i] >= RC_ARRIVALAGE_EARLIER)
    return ENTRY_SAYS_NOTHING;
  if (!number_of (ledger, report, i, &out->seq) || out->seq < ledger->first_seq)
    return ENTRY_FALSE;
  if (!rc_ledger_find (ledger, out->seq, &out->sent_at, &out->bytes))
    return out->seq <= ledger->oldest_seq ? ENTRY_SAYS_NOTHING : ENTRY_FALSE;
  if (rc_ledger_left_again (ledger, out->seq))
    return ENTRY_SAYS_NOTHING;
  age = report->arrivals.ages[i] * RC_ARRIVALAGE_UNIT;
  out->arrived_at_remote = told_at_remote - age;
  out->bytes <<= report->arrivals.stride_log2;
  return rc_acks_time_holds (out->sent_at, age, now) ? ENTRY_HOLDS : ENTRY_FALSE;
}

/* Its time is the report's own; its place in the list has the bytes that it stands for. */
static void
add_highest (RcAcks *self, const RcLedger *ledger, const RcFeedback *fb, uint32_t listed_bytes)
{
  RcAck highest = { .seq = ledger->acked_seq, .sent_at = fb->sent_at, .bytes = listed_bytes,
    .arrived_at_remote = fb->owd_remote + fb->sent_at };

  if (fb->rtt != RC_TIME_NONE)
    rc_acks_add (self, &highest);
}

unsigned
rc_acks_add_report (RcAcks *self, const RcLedger *ledger, const RcReport *report,
    const RcFeedback *fb, RcTime now)
{
  unsigned n = n_entries (report), n_false = 0;
  uint32_t highest_bytes = 0;

  for (unsigned i = 0; i < n; i++) {
    RcAck ack = { .ecn = RC_ECN_BITS_NOT_ECT };
    Entry entry = read_entry (ledger, report, i, now, &ack);

    if (entry == ENTRY_HOLDS && fb->rtt != RC_TIME_NONE && ack.seq == ledger->acked_seq)
      highest_bytes = ack.bytes;
    else if (entry == ENTRY_HOLDS)
      rc_acks_add (self, &ack);
    n_false += entry == ENTRY_FALSE;
  }
  add_highest (self, ledger, fb, highest_bytes);
  return n_false;
}

/* --- delays --- */

/* What had been received when the packet with the least delay came: all, less what came later. It
 * is counted from the end, so that it is true after a lost message too. */
static uint64_t
count_least_bytes (const RcAcks *self, const RcDelays *delays, uint64_t told_bytes,
    uint64_t received_bytes)
{
  RcTime least_at_remote = delays->least_sent_at + delays->least_remote;
  uint64_t later = 0;

  for (unsigned i = 0; i < self->n; i++)
    if (self->acks[i].sent_at != RC_TIME_NONE
        && self->acks[i].arrived_at_remote > least_at_remote)
      later += self->acks[i].bytes;
  return received_bytes - (later < told_bytes ? later : told_bytes);
}

/* The mean is of the OWD beyond the first one, and its sum a double: clocks may be decades apart,
 * also those that a receiver claims for two streams. */
void
rc_acks_get_delays (const RcAcks *self, uint64_t told_bytes, uint64_t received_bytes,
    RcDelays *delays)
{
  RcTime first = 0, last_sent_at = 0;
  double sum = 0;

  memset (delays, 0, sizeof *delays);
  for (unsigned i = 0; i < self->n; i++) {
    const RcAck *ack = &self->acks[i];
    RcTime owd = ack->arrived_at_remote - ack->sent_at;

    if (ack->sent_at == RC_TIME_NONE)
      continue;
    if (delays->pkts++ == 0)
      first = delays->least_remote = delays->second_remote = owd;
    else if (delays->pkts == 2 || owd < delays->second_remote)
      delays->second_remote = owd;
    sum += (double) (owd - first);
    if (delays->pkts == 1 || ack->sent_at >= last_sent_at) {
      last_sent_at = ack->sent_at;
      delays->last_remote = owd;
    }
    if (owd > delays->least_remote)
      continue;
    delays->second_remote = delays->least_remote;
    delays->least_remote = owd;
    delays->least_sent_at = ack->sent_at;
  }
  if (delays->pkts > 0)
    delays->mean_remote = first + (RcTime) (sum / delays->pkts);
  delays->least_bytes = count_least_bytes (self, delays, told_bytes, received_bytes);
}
