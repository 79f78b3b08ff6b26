/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RMC with slots: what is due within one leaves together. */

#include <math.h>
#include <rc/pace/rmc.h>

#include "claim.h"

#define BYTES 1200
#define SLOT RC_MSEC

typedef struct
{
  unsigned wakeups, packets, most_packets;      /* the most at once */
  RcTime last_at;
} Run;

/* A source that always has packets, and a thread that wakes `late` after it wanted to. */
static Run
run_for (RcTime slot, uint64_t bps, RcTime late, RcTime span)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 7 * RC_SECOND + 300 * RC_USEC, end = now + span;
  Run run = { 0 };
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, bps, now);
  rc_rmc_set_slot (&rmc, slot, false);
  while (now < end) {
    RcTime due_at;
    unsigned n = 0;

    while ((due_at = rc_rmc_due_at (&rmc, BYTES, now)) <= now) {
      rc_rmc_on_sent (&rmc, BYTES, now);
      n++;
    }
    run.packets += n;
    run.most_packets = n > run.most_packets ? n : run.most_packets;
    run.wakeups++;
    run.last_at = now;
    now = rc_rmc_is_behind (&rmc) ? due_at : due_at + late;
  }
  return run;
}

/* --- the table --- */

static const uint64_t rates[] = { 300000, 3000000, 20000000, 100000000, 500000000, 2000000000 };
static const RcTime lates[] = { 0, 60 * RC_USEC, 400 * RC_USEC };

#define N_RATES (sizeof rates / sizeof rates[0])
#define N_LATES (sizeof lates / sizeof lates[0])

CLAIMS (test_slots_keep_the_rate_however_late_wakeups_are, N_RATES * N_LATES)
{
  uint64_t bps = rates[__i__ % N_RATES];
  RcTime late = lates[__i__ / N_RATES];
  Run run = run_for (SLOT, bps, late, 20 * RC_SECOND);
  double wanted = (double) bps * rc_time_to_s (20 * RC_SECOND) / 8 / BYTES;

  fail_unless (fabs (run.packets - wanted) <= 2 + 2e-3 * (double) bps / 8 / BYTES,
      "%.0f bit/s, %.0f us late: %u packets of %.0f", (double) bps, rc_time_to_s (late) * 1e6,
      run.packets, wanted);
}

CLAIM (test_there_is_one_wakeup_a_slot_where_there_was_one_a_packet)
{
  Run single = run_for (0, 100000000, 0, RC_SECOND);
  Run slots = run_for (SLOT, 100000000, 0, RC_SECOND);

  fail_unless (single.wakeups > 9000, "%u", single.wakeups);
  fail_unless (slots.wakeups <= 1010, "%u", slots.wakeups);
}

CLAIM (test_no_burst_is_longer_than_one_and_a_half_slots)
{
  Run run = run_for (SLOT, 100000000, 400 * RC_USEC, RC_SECOND);

  fail_unless (run.most_packets * BYTES * 8 <= 150000, "%u packets", run.most_packets);
}

/* So sessions wake up together. */
CLAIM (test_slots_begin_at_multiples_of_their_length)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 7 * RC_SECOND + 300 * RC_USEC;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 20000000, now);
  rc_rmc_set_slot (&rmc, SLOT, false);
  while (rc_rmc_due_at (&rmc, BYTES, now) <= now)
    rc_rmc_on_sent (&rmc, BYTES, now);
  fail_unless (rc_rmc_due_at (&rmc, BYTES, now) == 7 * RC_SECOND + RC_MSEC);
}

/* What wakes the sender for another reason takes what is due along. */
CLAIM (test_what_is_due_leaves_before_the_end_of_its_slot_if_asked)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 7 * RC_SECOND;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 20000000, now);
  rc_rmc_set_slot (&rmc, SLOT, false);
  fail_unless (rc_rmc_due_at (&rmc, BYTES, now) > now);
  now += 490 * RC_USEC;
  fail_unless (rc_rmc_due_at (&rmc, BYTES, now) == now);
}

/* A frame that comes after a pause need not wait for the next slot. */
CLAIM (test_a_slot_of_what_follows_a_pause_leaves_at_once)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 7 * RC_SECOND;
  unsigned n = 0;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 100000000, now);
  rc_rmc_set_slot (&rmc, SLOT, true);
  rc_rmc_set_idle (&rmc, now);
  now += 20 * RC_MSEC;
  for (; rc_rmc_due_at (&rmc, BYTES, now) <= now; n++)
    rc_rmc_on_sent (&rmc, BYTES, now);
  fail_unless (n == 100000 / 8 / BYTES, "%u", n);
}
