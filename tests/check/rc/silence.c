/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/silence.h>

#include "claim.h"

CLAIM (test_unanswered_media_stops_after_stop_s)
{
  RcSilence silence;

  rc_silence_init (&silence, 5);
  rc_silence_on_sent (&silence, RC_SECOND);
  rc_silence_on_sent (&silence, 5 * RC_SECOND);
  fail_unless_equals_int64 (rc_silence_next_at (&silence), 6 * RC_SECOND);
  fail_if (rc_silence_update (&silence, 6 * RC_SECOND - 1));
  fail_unless (rc_silence_update (&silence, 6 * RC_SECOND));
  fail_unless_equals_int64 (rc_silence_next_at (&silence), RC_TIME_NONE);
  fail_unless (rc_silence_on_feedback (&silence, 100 * RC_SECOND));
  fail_if (rc_silence_update (&silence, 100 * RC_SECOND));
}

CLAIM (test_a_source_that_pauses_is_not_silence)
{
  RcSilence silence;

  rc_silence_init (&silence, 5);
  rc_silence_on_sent (&silence, RC_SECOND);
  fail_if (rc_silence_on_feedback (&silence, 2 * RC_SECOND));
  fail_if (rc_silence_update (&silence, 1000 * RC_SECOND));
}

CLAIM (test_stop_zero_never_stops)
{
  RcSilence silence;

  rc_silence_init (&silence, 0);
  rc_silence_on_sent (&silence, 0);
  fail_if (rc_silence_update (&silence, 100000 * RC_SECOND));
}
