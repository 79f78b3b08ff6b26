/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rtparcbwe and requests for keyframes, which rtpsession makes of PLI and FIR. */
#include "rtparcbwefixture.h"

#include <gst/video/video.h>

static void
request (Bwe * bwe, guint ssrc)
{
  gst_harness_push_upstream_event (bwe->h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit", "ssrc", G_TYPE_UINT, ssrc, "all-headers",
              G_TYPE_BOOLEAN, TRUE, NULL)));
}

/* The SSRC of the next request that comes out upstream. */
static guint
pull_request (Bwe * bwe)
{
  guint ssrc = 0;

  while (ssrc == 0) {
    g_autoptr (GstEvent) event = gst_harness_pull_upstream_event (bwe->h);

    fail_unless (event != NULL);
    if (gst_video_event_is_force_key_unit (event))
      fail_unless (gst_structure_get_uint (gst_event_get_structure (event), "ssrc", &ssrc));
  }
  return ssrc;
}

CLAIM (test_a_storm_of_requests_reaches_the_encoder_five_times_a_second_at_most)
{
  gint64 from;
  guint most;
  AT_END (bwe_clear) Bwe bwe;

  bwe_init (&bwe, "estimated-bitrate=20000000");
  fail_unless_equals_int (gst_harness_push (bwe.h, bwe_packet (&bwe)), GST_FLOW_OK);
  g_usleep (250 * 1000);        /* what has just come answers nothing any more */
  from = g_get_monotonic_time ();
  for (guint i = 0; i < 10000; i++)
    request (&bwe, SSRC);
  fail_unless_equals_int (pull_request (&bwe), SSRC);
  most = (guint) ((g_get_monotonic_time () - from) / 200000) + 1;
  fail_unless_equals_uint64 (bwe_stat (&bwe, "keyframe-requests-received"), 10000);
  fail_unless (bwe_stat (&bwe, "keyframe-requests") <= most);
}

CLAIM (test_requests_for_what_did_not_pass_here_go_on)
{
  AT_END (bwe_clear) Bwe bwe;

  bwe_init (&bwe, "estimated-bitrate=20000000");
  request (&bwe, 7);
  fail_unless_equals_int (pull_request (&bwe), 7);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "keyframe-requests-unknown"), 1);
}
