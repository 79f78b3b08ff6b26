/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the measures of a closed loop say of frames that were noted by hand. */

#include "claim.h"
#include "measures.h"

#define FRAME (33 * RC_MSEC)

static Loop *
noted (guint missing_from, guint missing_to, guint late)
{
  LoopConfig config = {.n_flows = 1,.length = 10 * RC_SECOND };
  Loop *loop = measures_new (&config);

  for (guint i = 0; i < 240; i++) {
    RcTime made_at = i * FRAME;

    measures_note_frame (loop, 0, made_at, i >= missing_from && i < missing_to ? RC_TIME_NONE
        : made_at + (i == late ? 5 * RC_SECOND : 50 * RC_MSEC));
  }
  return loop;
}

CLAIM (missing_frames_are_a_freeze)
{
  Loop *loop = noted (100, 110, 0);

  fail_unless_equals_float (loop_freeze_s (loop, 1, 7), 11 * 0.033);
  loop_free (loop);
}

CLAIM (frame_that_comes_after_newer_ones_is_one_that_is_missing)
{
  Loop *loop = noted (0, 0, 100);

  fail_unless (loop_freeze_s (loop, 1, 7) < 0.1, "%f", loop_freeze_s (loop, 1, 7));
  loop_free (loop);
}
