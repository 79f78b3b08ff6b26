/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets leave, by what the path is known to bear
 * ====================================================
 *
 * Slots. Problem: a packet that is paced by itself is a wake-up of the sender, and one of the
 * receiver; at 100 Mbit/s they cost more than all else. A queue that holds 1 ms cannot tell single
 * packets from bursts of 1 ms, and nearly all do: that of a radio holds 10 ms and more. Rule:
 * what is due within a slot of 1 ms leaves at its end. Single packets leave
 *   - at a rate that the user fixed (law `fixed`): there RMC is as exact as its paper has it,
 *   - before the first report, since nothing is known,
 *   - on an L4S path, which marks what waits for 1 ms,
 *   - for 10 s after a loss: the queue may be shorter than a slot. */
#include <rc/pace/paceplan.h>

#define SLOT RC_MSEC
#define LOSS_SPAN (10 * RC_SECOND)

RcTime
rc_pace_slot (const RcPaceFacts *facts, RcTime now)
{
  bool lost = facts->lost_at != RC_TIME_NONE && now - facts->lost_at < LOSS_SPAN;

  return facts->exact || !facts->answered || facts->l4s || lost ? 0 : SLOT;
}
