/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which causes the laws name, and when. Those of live ARC that need a real link, such as a fall,
 * are in tests/docs/eventtrace.py. */
#include "arcpath.h"

#define SPAN_S 30
#define CHANGE_S 10

/* A path of 3 Mbit/s, of which something is another from CHANGE_S on. */
typedef struct
{
  const char *law;              /* NULL: arc */
  RcProfile profile;
  RcCause cause;                /* is named from then on */
  const char *what;
  /* from then on; 0: as before */
  double capacity_bps;
  double back_s;                /* until then */
  double source_bps;            /* that is all that is sent */
  double policed_bps;           /* the rest is lost, without a queue */
  double loss_ratio;
  double mark_share;
  double standing_s;            /* a queue that others keep, and we get what we send */
  guint64 relay_bps, max_bps;
  gboolean deaf, barren, ect1;
} Row;

static const Row rows[] = {
  {.cause = RC_CAUSE_GROWTH,.what = "nothing"},
  {.cause = RC_CAUSE_QUEUE,.what = "a little less capacity",.capacity_bps = 2.5e6},
  {.cause = RC_CAUSE_DRAIN,.what = "much less capacity",.capacity_bps = 0.8e6},
  {.cause = RC_CAUSE_KNOWN_CAPACITY,.what = "less capacity, for a moment",
    .capacity_bps = 1.5e6,.back_s = 1},
  {.cause = RC_CAUSE_APPLICATION,.what = "a black picture",.source_bps = 1e5},
  {.cause = RC_CAUSE_TRIAL_LOW,.what = "losses without a queue",.policed_bps = 2e6},
  {.cause = RC_CAUSE_TRIAL_HIGH,.what = "losses without a queue",.policed_bps = 2e6},
  {.cause = RC_CAUSE_LOSS,.what = "a policer",.policed_bps = 2e6},
  {.cause = RC_CAUSE_MARK,.what = "marks",.mark_share = 0.1},
  {.cause = RC_CAUSE_MARK,.what = "marks of an L4S queue",.mark_share = 0.1,.ect1 = TRUE},
  {.cause = RC_CAUSE_COMPETING,.what = "a queue that others keep",.standing_s = 0.15},
  {.cause = RC_CAUSE_TIMEOUT,.what = "no reports",.deaf = TRUE},
  {.cause = RC_CAUSE_USER,.what = "the maximum",.max_bps = 2000000},

  {"rcp",.cause = RC_CAUSE_RELAY,.what = "a relay",.relay_bps = 2000000},
  {"piqi-rcp",.cause = RC_CAUSE_RELAY,.what = "a relay",.relay_bps = 2000000},
  {"rcp",.cause = RC_CAUSE_USER,.what = "a relay that allows more than the user",
    .relay_bps = 9000000,.max_bps = 2000000},
  {"rcp",.cause = RC_CAUSE_DRAIN,.what = "a relay, and less behind it",.relay_bps = 2000000,
    .capacity_bps = 0.8e6},
  {"rcp",.cause = RC_CAUSE_TIMEOUT,.what = "a relay, and no reports",.relay_bps = 2000000,
    .deaf = TRUE},

  {"arc", RC_PROFILE_PAPER,.cause = RC_CAUSE_GROWTH,.what = "nothing"},
  {"arc", RC_PROFILE_PAPER,.cause = RC_CAUSE_QUEUE,.what = "less capacity",.capacity_bps = 1e6},
  {"arc", RC_PROFILE_PAPER,.cause = RC_CAUSE_LOSS,.what = "a policer",.policed_bps = 0.5e6},
  {"arc", RC_PROFILE_PAPER,.cause = RC_CAUSE_MARK,.what = "marks",.mark_share = 0.1},
  {"arc", RC_PROFILE_PAPER,.cause = RC_CAUSE_TIMEOUT,.what = "no reports",.deaf = TRUE},

  {"slow",.cause = RC_CAUSE_GROWTH,.what = "nothing"},
  {"slow",.cause = RC_CAUSE_QUEUE,.what = "less capacity",.capacity_bps = 1e6},
  {"slow",.cause = RC_CAUSE_KNOWN_CAPACITY,.what = "less capacity, for a moment",
    .capacity_bps = 1e6,.back_s = 1},
  {"slow",.cause = RC_CAUSE_FALL,.what = "less capacity and losses",.capacity_bps = 1e6,
    .loss_ratio = 0.2},
  {"slow",.cause = RC_CAUSE_LOSS,.what = "losses that hold the rate",.loss_ratio = 0.05},
  {"slow",.cause = RC_CAUSE_LOSS,.what = "losses that lower it",.loss_ratio = 0.12},
  {"slow",.cause = RC_CAUSE_APPLICATION,.what = "a black picture",.source_bps = 1e5},
  {"slow",.cause = RC_CAUSE_TIMEOUT,.what = "no reports",.deaf = TRUE},
  {"slow",.cause = RC_CAUSE_BREAKER,.what = "nothing arrives",.barren = TRUE},

  {"fixed",.cause = RC_CAUSE_USER,.what = "nothing"},
};

static const Row before = {.what = "nothing" };

static double queue_bits;

/* What arrives of what is sent between two reports, per second. */
static double
pass (const Row *row, double sent_bps)
{
  double dt = rc_time_to_s (REPORT), capacity_bps = row->capacity_bps ? row->capacity_bps : 3e6,
      before_bits = queue_bits;

  if (row->policed_bps > 0)
    return MIN (sent_bps, row->policed_bps);
  if (row->standing_s > 0) {
    p.queue = rc_time_from_s (row->standing_s);
    return sent_bps;
  }
  queue_bits = MAX (0, queue_bits + (sent_bps - capacity_bps) * dt);
  /* What arrives came to the queue earlier, when it was shorter. */
  p.queue = MIN (rc_time_from_s (queue_bits / capacity_bps), p.queue + REPORT);
  return (sent_bps * dt + before_bits - queue_bits) / dt * (1 - row->loss_ratio);
}

static void
step (const Row *row)
{
  double sent_bps = row->source_bps > 0 ? MIN (row->source_bps, (double) p.decision.rate_bps)
      : (double) p.decision.rate_bps;
  double bits = sent_bps * rc_time_to_s (REPORT), arrived_bps = pass (row, sent_bps);
  RcFeedback nothing = {.rtt = RC_TIME_NONE,.policy = RC_REPORT_POLICY_PATIENT };

  p.now += REPORT;
  p.mark_share = row->mark_share;
  p.ect1 = row->ect1;
  p.relay_bps = row->relay_bps;
  if (!rc_controller_is_stopped (&p.law))
    path_send ((guint32) (bits / 8));
  if (p.decision.next_at != RC_TIME_NONE && p.now >= p.decision.next_at)
    p.decision = rc_controller_on_timer (&p.law, p.now);
  if (row->barren) {
    p.decision = rc_controller_on_feedback (&p.law, &nothing, p.now);
  } else if (!row->deaf) {
    p.bandwidth_bps = arrived_bps;
    path_report ((guint32) ((row->policed_bps > 0 || row->loss_ratio > 0)
            * (bits - arrived_bps * rc_time_to_s (REPORT)) / PACKET_BITS), 0);
  }
}

CLAIMS (test_cause, G_N_ELEMENTS (rows))
{
  const Row *row = &rows[__i__];
  guint seen = 0;

  queue_bits = 0;
  path_init_law (row->law ? row->law : "arc", row->profile, 1000000,
      row->max_bps > 0 ? row->max_bps : 100000000);
  while (p.now < CHANGE_S * RC_SECOND)
    step (&before);
  while (p.now < SPAN_S * RC_SECOND) {
    step (row->back_s > 0 && p.now > rc_time_from_s (CHANGE_S + row->back_s) ? &before : row);
    seen |= 1U << p.decision.cause;
  }
  fail_unless (seen >> row->cause & 1, "%s, %s: not %s but 0x%x", row->law ? row->law : "arc",
      row->what, rc_cause_name (row->cause), seen);
}

CLAIM (test_first_cause_is_the_start)
{
  for (guint i = 0; rc_laws[i]; i++) {
    path_init_law (rc_laws[i]->name, RC_PROFILE_LIVE, 1000000, 3000000);
    fail_unless_equals_string (rc_cause_name (p.decision.cause),
        rc_laws[i]->open_loop ? "user" : "start");
  }
}

/* A path that is constant has few causes: the rows above would pass with any. */
CLAIM (test_causes_of_a_quiet_path_are_few)
{
  guint seen = 0, expected = 1U << RC_CAUSE_GROWTH | 1U << RC_CAUSE_QUEUE
      | 1U << RC_CAUSE_KNOWN_CAPACITY | 1U << RC_CAUSE_DRAIN;

  queue_bits = 0;
  path_init (RC_PROFILE_LIVE, 1000000);
  while (p.now < SPAN_S * RC_SECOND) {
    step (&before);
    if (p.now > CHANGE_S * RC_SECOND)
      seen |= 1U << p.decision.cause;
  }
  fail_if (seen & ~expected, "0x%x", seen);
}

/* It grows by a packet each round trip meanwhile, which is less than what the marks take. */
CLAIM (test_marks_of_an_l4s_queue_are_the_cause_as_long_as_they_lower_the_rate)
{
  const Row marked = {.mark_share = 0.3,.ect1 = TRUE };

  queue_bits = 0;
  path_init (RC_PROFILE_LIVE, 1000000);
  while (p.now < CHANGE_S * RC_SECOND)
    step (&before);
  for (guint i = 0; i < 20; i++) {
    step (&marked);
    fail_unless (i < 5 || p.decision.cause == RC_CAUSE_MARK, "report %u: %s", i,
        rc_cause_name (p.decision.cause));
  }
}

CLAIM (test_each_cause_has_a_name_of_its_own)
{
  for (guint i = 0; i < RC_CAUSE_N; i++)
    for (guint k = 0; k < i; k++)
      fail_if (strcmp (rc_cause_name (i), rc_cause_name (k)) == 0);
  fail_unless_equals_string (rc_cause_name (RC_CAUSE_N), "unknown");
}
