/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/law/controller.h>

#include "claim.h"

static const RcLimits limits = { 100000, 500000, 2000000 };

CLAIM (test_every_law_is_found_by_name_and_works)
{
  guint n = 0;

  for (guint i = 0; rc_laws[i]; i++, n++) {
    RcFeedback feedback = {.rtt = 50 * RC_MSEC,.sent_at = 0,.received_pkts = 1,
        .received_bytes = 1200 };
    RcSent sent = { 1200, FALSE };
    RcController c;
    RcDecision d;
    double facts[RC_LAW_MAX_FACTS];
    unsigned n_facts;

    fail_unless (rc_law_find (rc_laws[i]->name) == rc_laws[i]);
    rc_controller_init (&c, rc_laws[i], RC_PROFILE_LIVE);
    d = rc_controller_start (&c, &limits, 0);
    fail_unless_equals_uint64 (d.rate_bps, 500000);
    rc_controller_on_sent (&c, &sent, 0);
    rc_controller_on_timer (&c, 10 * RC_MSEC);
    d = rc_controller_on_feedback (&c, &feedback, 50 * RC_MSEC);
    fail_unless (d.rate_bps >= limits.min_bps && d.rate_bps <= limits.max_bps);
    fail_unless_equals_int64 (c.path.srtt, 50 * RC_MSEC);
    fail_if (rc_controller_is_stopped (&c));
    n_facts = rc_controller_measure (&c, facts);
    fail_unless (rc_law_fact (rc_laws[i], n_facts) == NULL);
    for (guint k = 0; k < n_facts; k++) {
      const RcFact *fact = rc_law_fact (rc_laws[i], k);

      fail_unless (fact->name && fact->unit && fact->text && isfinite (facts[k]));
    }
  }
  fail_unless (n >= 2);
  fail_unless (rc_law_find ("nonsense") == NULL);
}

CLAIM (test_fixed_law_never_moves_but_obeys_silence_if_asked_to)
{
  RcSent sent = { 1200, FALSE };
  RcFeedback feedback = {.rtt = RC_SECOND,.lost_pkts = 1000 };
  RcController c;
  RcDecision d;

  rc_controller_init (&c, rc_law_find ("fixed"), RC_PROFILE_LIVE);
  rc_controller_start (&c, &limits, 0);
  d = rc_controller_on_feedback (&c, &feedback, RC_SECOND);
  fail_unless_equals_uint64 (d.rate_bps, 500000);
  d = rc_controller_on_sent (&c, &sent, 2 * RC_SECOND);
  fail_unless_equals_int64 (d.next_at, RC_TIME_NONE);
  rc_controller_on_timer (&c, 3600 * RC_SECOND);
  fail_if (rc_controller_is_stopped (&c));

  fail_unless (rc_controller_set_param (&c, "stop", 5));
  rc_controller_start (&c, &limits, 0);
  d = rc_controller_on_sent (&c, &sent, 2 * RC_SECOND);
  fail_unless_equals_int64 (d.next_at, 7 * RC_SECOND);
  d = rc_controller_on_timer (&c, 7 * RC_SECOND);
  fail_unless (rc_controller_is_stopped (&c));
  fail_unless_equals_uint64 (d.rate_bps, 500000);
}
