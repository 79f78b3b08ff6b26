/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/path.h>
#include <rc/sender/voice.h>

#include "claim.h"

static gboolean
is_heard (RcVoice * self, unsigned timeouts, RcTime now)
{
  return rc_voice_update (self, TRUE, timeouts, now);
}

CLAIM (test_a_receiver_counts_from_its_first_report_on)
{
  RcVoice voice = { RC_VOICE_NEW };

  fail_if (rc_voice_update (&voice, FALSE, 0, 0));
  fail_if (rc_voice_update (&voice, FALSE, 3, RC_SECOND));
  fail_unless (is_heard (&voice, 0, 2 * RC_SECOND));
}

CLAIM (test_a_report_that_is_missing_costs_no_more_than_its_time)
{
  RcVoice voice = { RC_VOICE_COUNTS };

  fail_if (is_heard (&voice, 1, 0));
  fail_unless (is_heard (&voice, 0, 1));
}

CLAIM (test_after_an_outage_a_rate_counts_when_reports_have_come_for_long)
{
  RcVoice voice = { RC_VOICE_COUNTS };

  fail_if (rc_voice_update (&voice, FALSE, 0, 0));
  fail_if (is_heard (&voice, 0, RC_SECOND));
  fail_if (is_heard (&voice, 0, RC_SECOND + RC_VOICE_RETURN - 1));
  fail_unless (is_heard (&voice, 0, RC_SECOND + RC_VOICE_RETURN));
}

/* Else a path that comes for a moment each second has the others wait for it. */
CLAIM (test_who_is_away_again_while_it_returns_does_not_count)
{
  RcVoice voice = { RC_VOICE_AWAY };

  fail_if (is_heard (&voice, 0, 0));
  fail_if (is_heard (&voice, 1, RC_SECOND));
  fail_if (is_heard (&voice, 0, RC_VOICE_RETURN));
  fail_unless (is_heard (&voice, 0, 2 * RC_VOICE_RETURN));
}
