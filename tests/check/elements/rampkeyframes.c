/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler and requests for keyframes, which rmcsink sends upstream. */
#include "rampfixture.h"

/* Two cameras and a microphone that have sent something. */
static void
begin (Fixture * f)
{
  fixture_init (f, 2, "budget=10000000");
  add_pad (f, AUDIO_CAPS);
  for (guint i = 0; i < 3; i++) {
    push_frame (f, i, 0, FALSE, 1);
    push_frame (f, i, 1, TRUE, 1);
  }
  g_usleep (250 * 1000);        /* the keyframe that has just come answers nothing any more */
}

#define ASKED_SCHEDULER Fixture, f, begin (f), fixture_clear (f)

static void
request (Fixture * f, gint ssrc)
{
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0);

  if (ssrc >= 0)
    gst_structure_set (gst_event_writable_structure (event), "ssrc", G_TYPE_UINT, (guint) ssrc,
        NULL);
  gst_harness_push_upstream_event (f->out, event);
}

CLAIM_ON (test_a_request_reaches_the_stream_of_its_ssrc_only, ASKED_SCHEDULER)
{
  request (f, 1);
  wait_until (g_atomic_int_get (&f->keyframe_events_of[1]) == 1);
  request (f, 0);
  wait_until (g_atomic_int_get (&f->keyframe_events_of[0]) == 1);
  fail_unless_equals_int (g_atomic_int_get (&f->keyframe_events), 2);
}

CLAIM_ON (test_requests_for_sound_and_for_unknown_streams_reach_nobody, ASKED_SCHEDULER)
{
  request (f, 2);
  request (f, 1234);
  request (f, 1);
  wait_until (g_atomic_int_get (&f->keyframe_events_of[1]) == 1);
  fail_unless_equals_int (g_atomic_int_get (&f->keyframe_events), 1);
}

CLAIM_ON (test_a_request_that_names_no_stream_is_for_all, ASKED_SCHEDULER)
{
  request (f, -1);
  wait_until (g_atomic_int_get (&f->keyframe_events_of[0]) == 1);
  wait_until (g_atomic_int_get (&f->keyframe_events_of[1]) == 1);
}
