/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A rampscheduler before an rtparcbwe: both pace as one, and RAMP orders the streams. */
#include "rampfixture.h"
#include "readstat.h"

#define N_VIDEO 60              /* packets: 590 ms at 1 Mbit/s */

static Fixture f;
static GstElement *bwe;

static void
setup (void)
{
  bwe = gst_element_factory_make ("rtparcbwe", NULL);
  g_object_set (bwe, "estimated-bitrate", 1000000, NULL);
  f = (Fixture) {.scheduler = gst_element_factory_make ("rampscheduler", NULL),
    .live = TRUE
  };
  gst_object_ref_sink (f.scheduler);
  f.bus = gst_bus_new ();
  gst_element_set_bus (f.scheduler, f.bus);
  f.out = gst_harness_new_with_element (bwe, NULL, "src");
  fail_unless (gst_element_link (f.scheduler, bwe));
  add_pad (&f, VIDEO_CAPS);
  add_pad (&f, AUDIO_CAPS);
  gst_harness_play (f.out);
}

static void
teardown (void)
{
  gst_element_set_state (f.scheduler, GST_STATE_NULL);
  gst_element_set_state (bwe, GST_STATE_NULL);
  gst_element_unlink (f.scheduler, bwe);
  fixture_clear (&f);
  gst_object_unref (bwe);
}

static guint64
waiting_bytes (void)
{
  return read_stat (bwe, "queue-bytes");
}

CLAIM (test_sound_overtakes_video_that_waits)
{
  guint place = 0;

  setup ();
  push_frame (&f, 0, 1, FALSE, N_VIDEO);
  push_packets (&f, 1, 1, 100);
  for (; ssrc_of_next (&f) != 1; place++)
    fail_unless (waiting_bytes () < 5 * 1228, "%" G_GUINT64_FORMAT, waiting_bytes ());
  fail_unless (place < N_VIDEO / 2, "it left as packet %u", place);
  teardown ();
}
