/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/receiver.h>
#include <rc/uplink/uplink.h>
#include <string.h>

#include "claim.h"

#define FLOWS 3
#define ENTRIES 8192
#define RTP_BYTES 1172
#define NETWORK_BYTES (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES)
#define WAY (20 * RC_MSEC)      /* each way, behind the link */
#define STEP RC_MSEC
#define IN_FLIGHT 4096
#define MBPS 1000000

/* A packet, or a report, that is on its way. */
typedef struct
{
  RcTime at;
  guint flow;
  guint16 seq;
  RcReport report;
} Parcel;

typedef struct
{
  Parcel parcels[IN_FLIGHT];
  guint head, n;
} Line;

/* Flows that send what they are offered, one link behind the relay, and a receiver each with a
 * clock of its own. */
typedef struct
{
  RcUplink uplink;
  RcUplinkFlow flows[FLOWS];
  RcLedgerEntry *entries[FLOWS];
  RcReceiver receivers[FLOWS];
  guint16 seq[FLOWS];
  Line there, back;
  gdouble link_bps, credit_bytes;
  gdouble offered_share;        /* of the rate, that is sent */
  RcTime now, free_at;
  gboolean silent;              /* reports are lost */
  gboolean mute[FLOWS];         /* those of this flow */
  guint restarts[FLOWS];        /* of the receiver, each with another clock */
} World;

static RcTime
clock_of (const World * w, guint flow)
{
  return w->now + (RcTime) (flow + (w->restarts[flow] > 0 ? 0 : 9)) * 3600 * RC_SECOND;
}

static void
world_init (World * w, gdouble link_bps)
{
  const RcLimits limits = { 200000, MBPS, 100 * MBPS };

  memset (w, 0, sizeof *w);
  w->link_bps = link_bps;
  w->offered_share = 1;
  rc_uplink_init (&w->uplink, &limits, RC_OVERHEAD_IPV4_BYTES, 0);
  for (guint i = 0; i < FLOWS; i++) {
    w->entries[i] = g_new0 (RcLedgerEntry, ENTRIES);
    rc_uplink_add (&w->uplink, &w->flows[i]);
    fail_unless (rc_uplink_wants_entries (&w->flows[i], i + 1, 0) <= ENTRIES);
    fail_unless (!rc_uplink_give_entries (&w->flows[i], i + 1, w->entries[i], ENTRIES, 0));
    rc_receiver_init (&w->receivers[i], i + 1, RC_BWFILTER_TAU);
  }
}

static void
world_clear (World * w)
{
  for (guint i = 0; i < FLOWS; i++) {
    fail_unless (rc_uplink_take_back_entries (&w->flows[i]) == w->entries[i]);
    fail_unless (!rc_uplink_take_back_entries (&w->flows[i]));
    rc_uplink_remove (&w->uplink, &w->flows[i]);
    g_free (w->entries[i]);
  }
  fail_unless (!w->uplink.flows);
}

static Parcel *
put (Line * line)
{
  g_assert (line->n < IN_FLIGHT);
  return &line->parcels[(line->head + line->n++) % IN_FLIGHT];
}

static Parcel *
take (Line * line, RcTime now)
{
  Parcel *parcel = &line->parcels[line->head];

  if (line->n == 0 || parcel->at > now)
    return NULL;
  line->head = (line->head + 1) % IN_FLIGHT;
  line->n--;
  return parcel;
}

static void
send_one (World * w, guint flow)
{
  Parcel *parcel = put (&w->there);

  w->free_at = MAX (w->free_at, w->now) + rc_time_of_bytes (NETWORK_BYTES, (guint64) w->link_bps);
  *parcel = (Parcel) { w->free_at + WAY, flow, w->seq[flow]++ };
  rc_uplink_on_sent (&w->uplink, &w->flows[flow], flow + 1, parcel->seq, RTP_BYTES, TRUE, w->now);
}

static void
receive (World * w, const Parcel * parcel)
{
  rc_receiver_on_packet (&w->receivers[parcel->flow], parcel->seq, RTP_BYTES, FALSE,
      clock_of (w, parcel->flow));
}

static void
report (World * w, guint flow)
{
  RcReceiver *receiver = &w->receivers[flow];
  RcTime now = clock_of (w, flow), due = rc_receiver_due_at (receiver, now);
  RcReport report;

  if (due == RC_TIME_NONE || due > now)
    return;
  rc_receiver_report (receiver, now, &report);
  if (!w->silent && !w->mute[flow])
    *put (&w->back) = (Parcel) { w->now + WAY, flow, 0, report };
}

static void
step (World * w)
{
  Parcel *parcel;

  w->credit_bytes += w->offered_share * (gdouble) rc_uplink_rate_bps (&w->uplink)
      * rc_time_to_s (STEP) / 8;
  for (guint i = 0; w->credit_bytes >= NETWORK_BYTES; w->credit_bytes -= NETWORK_BYTES, i++)
    send_one (w, (guint) ((w->now / STEP + i) % FLOWS));
  while ((parcel = take (&w->there, w->now)))
    receive (w, parcel);
  for (guint i = 0; i < FLOWS; i++)
    report (w, i);
  while ((parcel = take (&w->back, w->now)))
    rc_uplink_on_reports (&w->uplink, &w->flows[parcel->flow], &parcel->report, 1,
        1000 + parcel->flow + 10 * w->restarts[parcel->flow], w->now);
  rc_uplink_update (&w->uplink, w->now);
  w->now += STEP;
}

static World world, *const w = &world;

AFTER_EACH
{
  world_clear (w);
}

BEFORE_EACH
{
  world_init (w, 6 * MBPS);
}

/* Returns the mean rate. */
static gdouble
run (RcTime span)
{
  gdouble sum = 0;

  for (RcTime end = w->now + span; w->now < end; step (w))
    sum += (gdouble) rc_uplink_rate_bps (&w->uplink);
  return sum / (gdouble) (span / STEP);
}

CLAIM (test_it_learns_the_capacity_from_reports_of_several_clocks)
{
  gdouble bps;

  fail_unless_equals_string (rc_uplink_state_name (&w->uplink), "waiting");
  fail_unless_equals_int64 (rc_uplink_queueing_delay (&w->uplink), RC_TIME_NONE);
  run (10 * RC_SECOND);
  bps = run (20 * RC_SECOND);
  fail_unless (bps > 0.85 * 6 * MBPS && bps < 1.02 * 6 * MBPS, "%g", bps);
  fail_unless_equals_string (rc_uplink_state_name (&w->uplink), "avoid");
  fail_unless_equals_uint64 (w->uplink.stats.false_reports, 0);
  fail_unless (w->free_at - w->now < 50 * RC_MSEC, "queue");
}

CLAIM (test_it_follows_a_fall_within_half_a_second_and_the_rise_after)
{
  gdouble bps;

  w->link_bps = 9 * MBPS;
  run (20 * RC_SECOND);
  w->link_bps = 3 * MBPS;
  run (RC_SECOND / 2);
  bps = run (5 * RC_SECOND);
  fail_unless (bps > 0.7 * 3 * MBPS && bps < 3 * MBPS, "%g", bps);
  fail_unless (w->free_at - w->now < 50 * RC_MSEC, "queue");
  w->link_bps = 9 * MBPS;
  run (6 * RC_SECOND);
  bps = run (5 * RC_SECOND);
  fail_unless (bps > 0.85 * 9 * MBPS, "%g", bps);
}

CLAIM (test_several_flows_grow_faster_than_one)
{
  gdouble growth;

  run (3 * RC_SECOND);
  fail_unless (rc_controller_get_param (&w->uplink.controller, "growth", &growth));
  fail_unless (growth > 2.2 * w->uplink.growth && growth < 2.4 * w->uplink.growth, "%g", growth);
}

CLAIM (test_without_a_report_the_start_holds)
{
  w->silent = TRUE;
  fail_unless (run (20 * RC_SECOND) == MBPS);
  fail_unless_equals_string (rc_uplink_state_name (&w->uplink), "waiting");
}

CLAIM (test_silence_lowers_it_and_reports_bring_it_back)
{
  gdouble bps;

  run (10 * RC_SECOND);
  w->silent = TRUE;
  run (10 * RC_SECOND);
  fail_unless (rc_uplink_rate_bps (&w->uplink) <= 6 * MBPS / 4);
  fail_unless_equals_string (rc_uplink_state_name (&w->uplink), "silent");
  w->silent = FALSE;
  run (5 * RC_SECOND);
  bps = run (5 * RC_SECOND);
  fail_unless (bps > 0.75 * 6 * MBPS, "%g", bps);
}

/* With another clock: the difference of the clocks is found anew. */
CLAIM (test_a_receiver_may_restart)
{
  gdouble bps;

  run (10 * RC_SECOND);
  w->back.n = 0;
  w->restarts[1] = 1;
  rc_receiver_init (&w->receivers[1], 2, RC_BWFILTER_TAU);
  run (3 * RC_SECOND);
  bps = run (5 * RC_SECOND);
  fail_unless (bps > 0.8 * 6 * MBPS && bps < 1.02 * 6 * MBPS, "%g", bps);
  fail_unless (rc_uplink_queueing_delay (&w->uplink) < 100 * RC_MSEC);
}

CLAIM (test_a_flow_that_reports_no_more_does_not_count)
{
  gdouble growth;

  run (5 * RC_SECOND);
  w->mute[0] = w->mute[1] = TRUE;
  run (10 * RC_SECOND);
  fail_unless (rc_controller_get_param (&w->uplink.controller, "growth", &growth));
  fail_unless (growth < 1.01 * w->uplink.growth, "%g", growth);
}

/* A load that leaves the link half empty says nothing of its capacity. */
CLAIM (test_senders_that_use_half_do_not_let_it_grow)
{
  guint64 before;

  run (20 * RC_SECOND);
  before = rc_uplink_rate_bps (&w->uplink);
  w->link_bps = 60 * MBPS;
  w->offered_share = 0.5;
  run (20 * RC_SECOND);
  fail_unless (rc_uplink_rate_bps (&w->uplink) < 1.2 * (gdouble) before);
}

CLAIM (test_what_waits_is_taken_off_the_offer_within_a_loop)
{
  fail_unless_equals_uint64 (rc_uplink_offer_bps (&w->uplink, 0, 100 * RC_MSEC), MBPS);
  fail_unless_equals_uint64 (rc_uplink_offer_bps (&w->uplink, 2500, 100 * RC_MSEC), 800000);
  fail_unless_equals_uint64 (rc_uplink_offer_bps (&w->uplink, 1000000, 100 * RC_MSEC), MBPS / 2);
}

CLAIM (test_false_reports_are_refused_and_packets_that_leave_again_are_not)
{
  RcReport lie = { .ssrc = 1, .number = 1, .highest_seq = 9, .arrival_us_remote = 1000,
    .received_pkts = 1000, .received_bytes = 1000000, .bandwidth_bps = 90 * MBPS };
  const RcLedger *ledger = &w->flows[0].ledgers.slots[0].ledger;
  guint64 bps, next_seq;

  fail_unless (!rc_uplink_on_reports (&w->uplink, &w->flows[0], &lie, 1, 7, 0));
  fail_unless_equals_uint64 (w->uplink.stats.false_reports, 1);
  run (15 * RC_SECOND);
  bps = rc_uplink_rate_bps (&w->uplink);
  next_seq = ledger->next_seq;
  for (guint i = 0; i < 5; i++)
    rc_uplink_on_sent (&w->uplink, &w->flows[0], 1, (guint16) (w->seq[0] - 1 - i), RTP_BYTES, FALSE,
        w->now);
  fail_unless_equals_uint64 (ledger->next_seq, next_seq);
  run (5 * RC_SECOND);
  fail_unless_equals_uint64 (w->uplink.stats.false_reports, 1);
  fail_unless ((gdouble) rc_uplink_rate_bps (&w->uplink) > 0.8 * (gdouble) bps);
}
