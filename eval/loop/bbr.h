/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Version 1 of BBR (Cardwell et al., ACM Queue 14-5, 2016; draft-cardwell-iccrg-bbr-congestion-
 * control-00) as a pure model: the rate at which segments may leave, and the window.
 *
 *   rate   = gain x B      B: the most that was delivered per time in 10 round trips
 *   window = gain x B R    R: the least round-trip time of 10 s
 *
 * STARTUP doubles each round trip (both gains 2/ln 2) until B grew by less than a quarter in three
 * of them; DRAIN sends so much less than B until no more than B R is in flight; PROBE_BW goes
 * through eight phases of R with the gains 5/4, 3/4 and six times 1, and a window of 2 B R;
 * PROBE_RTT leaves 4 segments in flight for 0.2 s when R is 10 s old.
 *
 * After a loss no more than what is in flight is sent for a round trip; B knows nothing of losses.
 * Limits of the model: segments leave one by one; no estimate for policers (Linux has one), no
 * rates that the application limits; the phase to begin with comes from the time. */
#pragma once

#include <rc/base/types.h>

#define BBR_ROUNDS 10

typedef enum
{
  BBR_STARTUP,
  BBR_DRAIN,
  BBR_PROBE_BW,
  BBR_PROBE_RTT,
} BbrState;

typedef struct
{
  RcTime rtt;
  RcTime interval;              /* in which `segments` were delivered: the longer one of that in
                                 * which they were sent and that in which they were acknowledged */
  uint64_t segments;
  uint64_t sent_at;             /* delivered when it was sent */
  uint64_t delivered, in_flight;        /* with this one, and without */
  unsigned lost;                /* found by this acknowledgement */
} BbrAck;

typedef struct
{
  double cwnd, rate_ps;         /* segments; segments/s; both are for the sender */
  BbrState state;
  double pacing_gain, cwnd_gain;
  double delivered_ps[BBR_ROUNDS];      /* the most of each round */
  uint64_t round, round_end;    /* it ends when what was delivered then is known to be */
  bool round_began;             /* with the last acknowledgement */
  double full_ps;               /* of STARTUP: B when it grew last */
  unsigned full_rounds;
  bool is_full;
  RcTime least_rtt, least_rtt_at;       /* RC_TIME_NONE: unknown */
  unsigned phase;               /* of PROBE_BW */
  RcTime phase_at;
  RcTime probe_rtt_end;         /* RC_TIME_NONE: more than 4 segments are still in flight */
  bool probe_rtt_round;         /* a round trip has passed since */
  bool recovers, conserves;     /* from losses; in the first round trip of that */
  double prior_cwnd;            /* before it, or before PROBE_RTT */
} Bbr;

void bbr_init (Bbr *self);
/* The first loss of a window, before bbr_on_ack() of the acknowledgement that showed it. */
void bbr_on_loss (Bbr *self, uint64_t in_flight, uint64_t delivered);
/* What was in flight at the first loss has been acknowledged, or lost. */
void bbr_on_recovered (Bbr *self);
void bbr_on_timeout (Bbr *self);
void bbr_on_ack (Bbr *self, const BbrAck *ack, RcTime now);
