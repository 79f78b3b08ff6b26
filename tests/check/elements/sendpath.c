/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who is told what of a receiver that does not answer, in virtual time. */

#include "claim.h"
#include "session/sendpath.h"

#define PROBES (3 * RC_SECOND)  /* RC_INFO_LATER_PROBE_INTERVAL */

static void
send_probe (SendPath * path, gboolean refused, RcTime now)
{
  TransportResult result = {.sent = 1 };

  send_path_on_batch (path, &result, now);
  if (refused)
    send_path_on_refused (path, 1, now + 50 * RC_MSEC);
}

/* Until the owner is told that nobody listens. Returns the time of the next probe. */
static RcTime
refuse_until_told (SendPath * path)
{
  RcTime now = RC_SECOND;

  send_path_init (path, NULL, FALSE, FALSE);
  for (; !path->port_refused; now += PROBES)
    send_probe (path, TRUE, now);
  path->port_refused = FALSE;
  return now;
}

CLAIM (test_a_listener_that_never_answers_is_told_after_a_port_where_nobody_listened)
{
  SendPath path;
  RcTime now = refuse_until_told (&path);
  guint probes = 0;

  for (; !path.unanswered && probes < 5; now += PROBES, probes++)
    send_probe (&path, FALSE, now);
  fail_unless (path.unanswered);
  fail_if (path.told_port_refused, "the other warning would be kept back");
  fail_unless_equals_int (probes, 2);
}

CLAIM (test_while_nobody_listens_it_is_told_once)
{
  SendPath path;
  RcTime now = refuse_until_told (&path);

  for (guint i = 0; i < 100; i++, now += PROBES)
    send_probe (&path, TRUE, now);
  fail_if (path.unanswered || path.port_refused);
}

CLAIM (test_a_listener_that_answers_is_no_reason_to_warn)
{
  SendPath path;
  RcTime now = refuse_until_told (&path);

  send_probe (&path, FALSE, now);
  send_path_on_answer (&path);
  for (guint i = 0; i < 5; i++, now += PROBES)
    send_probe (&path, FALSE, now);
  fail_if (path.unanswered);
}
