/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Each packet once, in any order. */

#include <rc/lanes/doubles.h>

#include "claim.h"

static RcDoubles doubles;

BEFORE_EACH
{
  rc_doubles_init (&doubles);
}

CLAIM (test_each_number_is_taken_once_in_any_order)
{
  static const guint16 order[] = { 65533, 1, 65534, 0, 65535, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    fail_unless (rc_doubles_take (&doubles, order[i]), "%u", order[i]);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    fail_if (rc_doubles_take (&doubles, order[i]), "%u", order[i]);
}

CLAIM (test_window_is_remembered_and_what_is_older_is_not_taken)
{
  guint32 n, taken = 0, late = 0;

  for (n = 0; n < 200000; n += 2)
    taken += rc_doubles_take (&doubles, (guint16) n);
  fail_unless_equals_int (taken, 100000);
  for (n = 199999 - RC_DOUBLES_WINDOW + 2; n < 199999; n += 2)
    late += rc_doubles_take (&doubles, (guint16) n);
  fail_unless_equals_int (late, RC_DOUBLES_WINDOW / 2 - 1);
  fail_if (rc_doubles_take (&doubles, (guint16) (199998 - RC_DOUBLES_WINDOW)));
  fail_if (rc_doubles_take (&doubles, (guint16) (199998 - 30000)));
}

CLAIM (test_source_that_jumps_ahead_goes_on)
{
  fail_unless (rc_doubles_take (&doubles, 10));
  fail_unless (rc_doubles_take (&doubles, 20010));
  fail_unless (rc_doubles_take (&doubles, 20009));
  fail_if (rc_doubles_take (&doubles, 20010));
}
