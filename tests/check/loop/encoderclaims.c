/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The closed loop's encoders make of a target what docs/results/encoders.md measured. */

#include "claim.h"
#include "encoder.h"

#define FRAMES 640              /* four times the footage, at 30 frames/s */
#define SHARE_OF(bps) ((bps) / 8.0 / 30)

typedef struct
{
  gdouble mean, least, most;    /* of a frame, by its share of the target */
} Made;

/* The target is `from_bps` for as many frames again before. */
static Made
made (LoopSourceKind kind, gdouble from_bps, gdouble bps, guint frames)
{
  LoopSource source = {.kind = kind };
  Made result = {.least = G_MAXDOUBLE };
  GRand *random = g_rand_new_with_seed (1);
  Encoder encoder;

  encoder_init (&encoder, &source, from_bps, 0);
  for (guint i = 0; i < 2 * frames; i++) {
    gdouble size = g_rand_double (random), sign = g_rand_double (random), share;

    encoder.told_bps = i < frames ? from_bps : bps;
    share = encoder_make_frame (&encoder, size, sign, encoder.frame_at) / SHARE_OF (bps);
    if (i < frames)
      continue;
    result.mean += share / frames;
    result.least = MIN (result.least, share);
    result.most = MAX (result.most, share);
  }
  g_rand_free (random);
  return result;
}

CLAIM (test_video_makes_the_target_with_noise)
{
  Made video = made (LOOP_VIDEO, 20e6, 20e6, FRAMES);

  fail_unless (video.mean > .99 && video.mean < 1.01, "%.3f", video.mean);
  fail_unless (video.most > 1.4, "%.3f", video.most);
}

CLAIM (test_footage_makes_96_percent_in_frames_of_at_most_a_quarter_more)
{
  Made footage = made (LOOP_FOOTAGE, 3e6, 3e6, FRAMES);

  fail_unless (footage.mean > .95 && footage.mean < .97, "%.3f", footage.mean);
  fail_unless (footage.most > 1.1 && footage.most <= 1.25, "%.3f", footage.most);
  fail_unless (footage.least >= .7, "%.3f", footage.least);
}

CLAIM (test_footage_takes_no_more_bits_than_its_scenes)
{
  Made rich = made (LOOP_FOOTAGE, 40e6, 40e6, FRAMES);

  fail_unless (rich.mean * 40 > 13 && rich.mean * 40 < 14.5, "%.2f Mbit/s", rich.mean * 40);
  fail_unless (rich.most * 40 < 1.25 * 23.8 + .1, "%.2f Mbit/s", rich.most * 40);
}

CLAIM (test_footage_follows_within_a_frame_and_video_within_some)
{
  fail_unless (made (LOOP_FOOTAGE, 3e6, 1e6, 1).most < 1.25);
  fail_unless (made (LOOP_VIDEO, 3e6, 1e6, 1).most > 1.6);
}
