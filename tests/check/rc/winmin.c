/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/winmin.h>

#include "claim.h"

CLAIM (test_minimum_is_forgotten_with_the_window)
{
  RcWinMin min;
  gint64 value;

  rc_winmin_init (&min, 8 * RC_SECOND);
  fail_if (rc_winmin_get (&min, &value));
  rc_winmin_add (&min, 10, 0);
  for (RcTime t = 100 * RC_MSEC; t < 7 * RC_SECOND; t += 100 * RC_MSEC) {
    rc_winmin_add (&min, 20, t);
    fail_unless (rc_winmin_get (&min, &value) && value == 10);
  }
  for (RcTime t = 7 * RC_SECOND; t < 9 * RC_SECOND; t += 100 * RC_MSEC)
    rc_winmin_add (&min, 20, t);
  fail_unless (rc_winmin_get (&min, &value) && value == 20);
}

CLAIM (test_window_zero_never_forgets)
{
  RcWinMin min;
  gint64 value;

  rc_winmin_init (&min, 0);
  rc_winmin_add (&min, -5, 0);
  rc_winmin_add (&min, 20, 1000000 * RC_SECOND);
  fail_unless (rc_winmin_get (&min, &value) && value == -5);
}

CLAIM (test_a_pause_longer_than_the_window_forgets)
{
  RcWinMin min;
  gint64 value;

  rc_winmin_init (&min, RC_SECOND);
  rc_winmin_add (&min, 1, 0);
  rc_winmin_add (&min, 9, 5 * RC_SECOND);
  fail_unless (rc_winmin_get (&min, &value) && value == 9);
}

/* Against a plain search: never larger than the minimum of 7/8 of the window, never smaller than
 * that of all of it. */
CLAIM (test_minimum_lies_between_those_of_the_shortest_and_the_longest_window)
{
  static gint64 values[20000];
  const RcTime window = RC_SECOND, step = 5 * RC_MSEC;
  guint32 seed = 3;
  RcWinMin min;
  gint64 value;

  rc_winmin_init (&min, window);
  for (gint i = 0; i < (gint) G_N_ELEMENTS (values); i++) {
    gint64 shortest = G_MAXINT64, longest = G_MAXINT64;

    seed = seed * 1664525u + 1013904223u;
    values[i] = seed >> 8;
    rc_winmin_add (&min, values[i], i * step);
    for (gint k = i; k >= 0 && (i - k) * step <= window; k--) {
      if ((i - k) * step <= window * 6 / 8)
        shortest = MIN (shortest, values[k]);
      longest = MIN (longest, values[k]);
    }
    fail_unless (rc_winmin_get (&min, &value));
    fail_unless (value <= shortest && value >= longest);
  }
}
