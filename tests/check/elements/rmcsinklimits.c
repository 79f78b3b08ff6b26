/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bounds of the rate that contradict each other, and what the user is told of them and of
 * silence. */

#include "rmcsinkfixture.h"
#include "bustext.h"

#define QUIET "adapt-encoder=false "

/* The next warning; NULL: none came in time. */
static gchar *
next_warning (Fixture * f, GstClockTime timeout)
{
  return bus_text (f->bus, timeout, GST_MESSAGE_WARNING);
}

static void
assert_warns (Fixture * f, const gchar * says)
{
  g_autofree gchar *text = next_warning (f, PATIENCE);

  fail_unless (text && strstr (text, says), "says: %s", text ? text : "nothing");
}

static void
assert_quiet (Fixture * f)
{
  gchar *text = next_warning (f, 0);

  fail_unless (text == NULL, "says: %s", text);
}

CLAIM (test_bounds_that_nobody_set_give_way)
{
  static const struct { const gchar *properties; guint rate_bps; } rows[] = {
    {"", 500000},
    {"max-bitrate=300000", 300000},
    {"max-bitrate=50000", 50000},
    {"min-bitrate=1000000", 1000000},
    {"min-bitrate=60000000", 60000000},
    {"start-bitrate=60000000", 60000000},
    {"start-bitrate=60000", 60000},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *line = g_strconcat (QUIET, rows[i].properties, NULL);
    AT_END (fixture_clear) Fixture f;

    fixture_init (&f, TRUE, line);
    fixture_play (&f);
    fail_unless_equals_uint64 (stat_of (&f, "rate"), rows[i].rate_bps);
    assert_quiet (&f);
  }
}

CLAIM_ON (test_contradictions_are_told_and_the_maximum_holds,
    SINK (TRUE, QUIET "min-bitrate=2000000 max-bitrate=1000000"))
{
  fixture_play (f);
  assert_warns (f, "min-bitrate 2000000 is above max-bitrate 1000000");
  assert_quiet (f);
  fail_unless_equals_uint64 (stat_of (f, "rate"), 1000000);
  fixture_stop (f);

  g_object_set (f->sink, "min-bitrate", 100000, "start-bitrate", 4000000, NULL);
  fixture_play (f);
  assert_warns (f, "the start bitrate 4000000 is above max-bitrate 1000000");
  fixture_stop (f);
  g_object_set (f->sink, "min-bitrate", 600000, "start-bitrate", 500000, NULL);
  fixture_play (f);
  assert_warns (f, "the start bitrate 500000 is below min-bitrate 600000");
  assert_quiet (f);
}

/* Two values that are set at a time are one change, whatever their order. */
CLAIM_ON (test_contradictions_while_playing_are_told_once, SINK (TRUE, QUIET "max-bitrate=1000000"))
{
  fixture_play (f);
  g_object_set (f->sink, "min-bitrate", 2000000, "max-bitrate", 4000000, NULL);
  assert_quiet (f);
  g_object_set (f->sink, "min-bitrate", 5000000, NULL);
  assert_warns (f, "min-bitrate 5000000 is above max-bitrate 4000000");
  g_object_set (f->sink, "min-bitrate", 5000000, NULL);
  assert_quiet (f);
  fail_unless_equals_uint64 (stat_of (f, "rate"), 4000000);
}

CLAIM_ON (test_a_bitrate_in_kbit_is_told_at_each_change, SINK (TRUE, QUIET "max-bitrate=1000000"))
{
  fixture_play (f);
  g_object_set (f->sink, "max-bitrate", 2000, NULL);
  assert_warns (f, "write max-bitrate=2000000 for 2000 kbit/s");
  assert_quiet (f);
  g_object_set (f->sink, "min-bitrate", 100000, NULL);
  assert_warns (f, "min-bitrate 100000 is above max-bitrate 8000");
  assert_quiet (f);
}

/* The encoder makes a tenth less than it is told, which is corrected as far as the maximum lets
 * it. */
TIMED_CLAIM_ON (test_target_is_never_above_the_maximum,
    SINK (TRUE, QUIET "congestion-control=fixed start-bitrate=1000000 max-bitrate=1000000"))
{
  guint target = 0, highest = 0, i;

  fixture_play (f);
  for (i = 0; i < 120; i++) {
    g_object_get (f->sink, "target-bitrate", &target, NULL);
    highest = MAX (highest, target);
    push_frame (f, i, TRUE, 1, 12 + target * 0.9 / 8 * 0.033);
    g_usleep (33000);
  }
  fail_unless (highest <= 1000000, "%u", highest);
  fail_unless (highest > 980000, "%u: it was not corrected at all", highest);
}

TIMED_CLAIM_ON (test_silence_is_told_with_what_is_known_of_it,
    SINK (TRUE, QUIET "controller-params=\"params,stop=0.2\""))
{
  const RcReport hello = {.ssrc = SSRC,.number = 1 };
  const RcNotice taken = { RC_REFUSAL_TAKEN, 77 };
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 200);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  assert_warns (f, "does not report: media stops");
  send_buffer (f, rtcp_new_notice (RECEIVER_SSRC, &taken));
  send_report (f, hello);
  wait_until (state_is (f, "running"));
  push_frame (f, 1, FALSE, 1, 200);
  assert_warns (f, "reports no more");
  send_report (f, (RcReport) {.ssrc = SSRC,.number = 2 });
  wait_until (state_is (f, "running"));
  send_buffer (f, rtcp_new_notice (RECEIVER_SSRC, &taken));
  push_frame (f, 2, FALSE, 1, 200);
  assert_warns (f, "another sender");
}

/* One budget; what is set alone stays, in either order. */
CLAIM (test_queue_time_follows_the_latency_until_it_is_set)
{
  static const struct { const gchar *properties; guint64 queue_time_ns; } rows[] = {
    {"", 396 * GST_MSECOND},
    {"latency=50000000", 300 * GST_MSECOND},
    {"latency=50000000 max-queue-time=30000000", 30 * GST_MSECOND},
    {"max-queue-time=30000000 latency=50000000", 30 * GST_MSECOND},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint64 queue_time_ns;
    AT_END (fixture_clear) Fixture f;

    fixture_init (&f, TRUE, rows[i].properties);
    g_object_get (f.sink, "max-queue-time", &queue_time_ns, NULL);
    fail_unless_equals_uint64 (queue_time_ns, rows[i].queue_time_ns);
  }
}
