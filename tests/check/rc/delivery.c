/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rate of arrivals, from one point a report. */
#include <rc/path/delivery.h>

#include "claim.h"

#define SPAN (100 * RC_MSEC)

typedef struct
{
  RcDelivery delivery;
  RcTime now_remote;
  guint64 bytes;
} Fixture;

static void
fixture_init (Fixture *self)
{
  *self = (Fixture) {.now_remote = 7777 * RC_SECOND };
}

static void
fixture_report (Fixture *self, RcTime apart, guint bytes)
{
  self->now_remote += apart;
  self->bytes += bytes;
  rc_delivery_add (&self->delivery, self->now_remote, self->bytes, SPAN);
}

static void
fixture_run (Fixture *self, guint reports, RcTime apart, guint bytes)
{
  for (guint i = 0; i < reports; i++)
    fixture_report (self, apart, bytes);
}

CLAIM (test_two_reports_tell_a_first_rate)
{
  Fixture f;

  fixture_init (&f);
  fixture_report (&f, 20 * RC_MSEC, 2500);
  fail_unless (f.delivery.bps == 0);
  fixture_report (&f, 20 * RC_MSEC, 2500);
  fail_unless_equals_float (f.delivery.bps, 1e6);
}
CLAIM (test_a_rate_is_over_the_span)
{
  Fixture f;

  fixture_init (&f);
  fixture_run (&f, 10, 20 * RC_MSEC, 2500);
  fixture_run (&f, 5, 20 * RC_MSEC, 5000);
  fail_unless_equals_float (f.delivery.bps, 2e6);
}
/* What waited in the stall comes at once. */
CLAIM (test_a_burst_after_a_stall_is_no_rate)
{
  Fixture f;

  fixture_init (&f);
  fixture_run (&f, 10, 20 * RC_MSEC, 2500);
  rc_delivery_restart (&f.delivery, 0);
  fixture_run (&f, 4, 2 * RC_MSEC, 25000);
  fail_unless_equals_float (f.delivery.bps, 1e6);
  fixture_run (&f, 3, 20 * RC_MSEC, 2500);
  fail_unless (f.delivery.bps > 1e6);
}
