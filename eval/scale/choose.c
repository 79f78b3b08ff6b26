/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the law of lib/rc/scale chooses for clips of which eval/scale/measure knows each size.
 *
 * Lines in: `NAME WIDTH HEIGHT FPS TARGET_BPS BLIND`, and then one line for each share of the
 * lines, `HEIGHT QP MADE_BPS`, ended by an empty line. BLIND 1: the encoder tells no quantiser.
 * Lines out: `NAME HEIGHT`, which the law has after two minutes. */
#include <rc/scale/scale.h>

#include <stdio.h>
#include <string.h>

#define MOST_SIZES 16
#define RUN (120 * RC_SECOND)

typedef struct
{
  char name[64];
  RcLadderInput input;
  double target_bps;
  int blind;
  struct
  {
    unsigned height;
    double qp, made_bps;
  } sizes[MOST_SIZES];
  unsigned n_sizes;
} Clip;

static bool
read_clip (Clip *clip)
{
  char line[256];

  *clip = (Clip) { .input.prefer = RC_PREFER_MOTION,
      .input.min_height = RC_LADDER_MIN_HEIGHT };
  if (!fgets (line, sizeof line, stdin)
      || sscanf (line, "%63s %u %u %lf %lf %d", clip->name, &clip->input.width,
          &clip->input.height, &clip->input.fps, &clip->target_bps, &clip->blind) != 6)
    return false;
  clip->input.min_fps = clip->input.fps;
  while (clip->n_sizes < MOST_SIZES && fgets (line, sizeof line, stdin)
      && sscanf (line, "%u %lf %lf", &clip->sizes[clip->n_sizes].height,
          &clip->sizes[clip->n_sizes].qp, &clip->sizes[clip->n_sizes].made_bps) == 3)
    clip->n_sizes++;
  return true;
}

/* The encoder's frame at the present rung. */
static void
tell_frame (const Clip *clip, RcScale *scale)
{
  for (unsigned i = 0; i < clip->n_sizes; i++)
    if (clip->sizes[i].height == scale->ladder.rungs[scale->rung].height)
      rc_scale_on_frame (scale, clip->sizes[i].made_bps / clip->input.fps, clip->sizes[i].qp);
}

static unsigned
choose (const Clip *clip)
{
  RcLadder ladder;
  RcScale scale;

  rc_ladder_init (&ladder, &clip->input);
  rc_scale_init (&scale, &ladder);
  rc_scale_on_target (&scale, (uint64_t) clip->target_bps);
  for (RcTime now = 0; now < RUN; now += rc_time_from_s (1 / clip->input.fps)) {
    if (!clip->blind)
      tell_frame (clip, &scale);
    rc_scale_choose (&scale, now);
  }
  return scale.ladder.rungs[scale.rung].height;
}

int
main (void)
{
  Clip clip;

  while (read_clip (&clip))
    printf ("%s %u\n", clip.name, choose (&clip));
  return 0;
}
