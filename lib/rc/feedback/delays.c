/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/delays.h>

#include <string.h>

/* As far as a report's highest number reaches back among those that left. */
#define MATCH_DISTANCE 32768

/* What one entry says. */
typedef struct
{
  RcTime sent_at, arrived_at_remote;
  uint32_t bytes;               /* network layer */
  bool is_highest;              /* which the report tells of beside the list */
} Sample;

typedef enum
{
  ENTRY_HOLDS,
  ENTRY_SAYS_NOTHING,           /* not arrived, too long ago to tell, or sent twice */
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
read_entry (const RcLedger *ledger, const RcReport *report, const RcFeedback *fb, unsigned i,
    RcTime now, Sample *out)
{
  RcTime arrived_at_remote = (RcTime) report->arrival_us_remote * RC_USEC, age;
  uint64_t seq;

  if (report->arrivals.ages[i] >= RC_ARRIVALAGE_EARLIER)
    return ENTRY_SAYS_NOTHING;
  if (!number_of (ledger, report, i, &seq) || seq < ledger->first_seq)
    return ENTRY_FALSE;
  if (!rc_ledger_find (ledger, seq, &out->sent_at, &out->bytes))
    return seq <= ledger->oldest_seq ? ENTRY_SAYS_NOTHING : ENTRY_FALSE;
  if (rc_ledger_left_again (ledger, seq))
    return ENTRY_SAYS_NOTHING;
  out->arrived_at_remote = arrived_at_remote;
  out->is_highest = fb->rtt != RC_TIME_NONE && seq == ledger->acked_seq;
  if (out->is_highest)
    return ENTRY_HOLDS;         /* the report's own time is exact */
  age = report->arrivals.ages[i] * RC_ARRIVALAGE_UNIT;
  out->arrived_at_remote += (RcTime) report->hold_us * RC_USEC - age;
  if (now - out->sent_at - age < -(RC_LEDGER_RTT_TOLERANCE + age / 1024))
    return ENTRY_FALSE;
  return ENTRY_HOLDS;
}

/* sum: of the OWD beyond the first one, so that clocks which are decades apart do not overflow. */
static void
add_sample (RcDelays *self, RcTime sent_at, RcTime owd, RcTime *first, RcTime *sum)
{
  if (self->pkts++ == 0)
    *first = self->least_remote = owd;
  *sum += owd - *first;
  self->last_remote = owd;
  if (owd > self->least_remote)
    return;
  self->least_remote = owd;
  self->least_sent_at = sent_at;
}

unsigned
rc_delays_measure (RcDelays *self, const RcLedger *ledger, const RcReport *report,
    const RcFeedback *fb, RcTime now)
{
  unsigned n = n_entries (report), n_false = 0;
  RcTime first = 0, sum = 0;
  Sample sample;

  memset (self, 0, sizeof *self);
  for (unsigned i = 0; i < n; i++) {
    Entry entry = read_entry (ledger, report, fb, i, now, &sample);

    n_false += entry == ENTRY_FALSE;
    if (entry == ENTRY_HOLDS && !sample.is_highest)
      add_sample (self, sample.sent_at, sample.arrived_at_remote - sample.sent_at, &first, &sum);
  }
  if (fb->rtt != RC_TIME_NONE)
    add_sample (self, fb->sent_at, fb->owd_remote, &first, &sum);
  if (self->pkts > 0)
    self->mean_remote = first + sum / (RcTime) self->pkts;
  return n_false;
}

uint64_t
rc_delays_later_bytes (const RcLedger *ledger, const RcReport *report, const RcFeedback *fb,
    RcTime arrived_at_remote, RcTime now)
{
  unsigned n = n_entries (report);
  uint64_t bytes = 0;
  Sample sample;

  for (unsigned i = 0; i < n; i++)
    if (read_entry (ledger, report, fb, i, now, &sample) == ENTRY_HOLDS
        && sample.arrived_at_remote > arrived_at_remote)
      bytes += sample.bytes;
  return bytes << report->arrivals.stride_log2;
}
