/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/scale/ladder.h>

#include "claim.h"

static gchar *
rungs_of (RcLadderInput input)
{
  GString *text = g_string_new (NULL);
  RcLadder ladder;

  rc_ladder_init (&ladder, &input);
  for (guint i = 0; i < ladder.n_rungs; i++)
    g_string_append_printf (text, "%s%ux%u/%u", i > 0 ? " " : "", ladder.rungs[i].width,
        ladder.rungs[i].height, ladder.rungs[i].divisor);
  return g_string_free (text, FALSE);
}

#define fail_unless_rungs(expected, ...) \
  G_STMT_START { \
    gchar *text = rungs_of ((RcLadderInput) { __VA_ARGS__ }); \
    fail_unless_equals_string (text, expected); \
    g_free (text); \
  } G_STMT_END

CLAIM (test_balanced_takes_lines_then_half_the_frames)
{
  fail_unless_rungs ("1280x720/1 960x540/1 854x480/1 640x360/1 480x270/1 480x270/2 320x180/2 "
      "320x180/3", .width = 1280,.height = 720,.fps = 30);
}

CLAIM (test_motion_keeps_the_frames)
{
  fail_unless_rungs ("1280x720/1 960x540/1 854x480/1 640x360/1 480x270/1 320x180/1 320x180/2 "
      "320x180/3", .width = 1280,.height = 720,.fps = 30,.prefer = RC_PREFER_MOTION);
}

CLAIM (test_sharpness_keeps_the_lines)
{
  fail_unless_rungs ("1280x720/1 1280x720/2 1280x720/3 960x540/3 854x480/3 640x360/3 480x270/3 "
      "320x180/3", .width = 1280,.height = 720,.fps = 30,.prefer = RC_PREFER_SHARPNESS);
}

CLAIM (test_sizes_that_do_not_divide_become_even)
{
  fail_unless_rungs ("1279x719/1 960x540/1 852x480/1 640x360/1 480x270/1 480x270/2 320x180/2 "
      "320x180/3", .width = 1279,.height = 719,.fps = 25);
}

CLAIM (test_least_lines_leave_the_frames_to_fall)
{
  fail_unless_rungs ("1280x720/1 960x540/1 854x480/1 640x360/1 640x360/2 640x360/3",
      .width = 1280,.height = 720,.fps = 30,.min_height = 360);
}

CLAIM (test_least_frame_rate_leaves_the_lines_to_fall)
{
  fail_unless_rungs ("1280x720/1 1280x720/2 960x540/2 854x480/2 640x360/2 480x270/2 320x180/2",
      .width = 1280,.height = 720,.fps = 30,.min_fps = 15,.prefer = RC_PREFER_SHARPNESS);
}

CLAIM (test_unknown_frame_rate_is_kept)
{
  fail_unless_rungs ("64x64/1 48x48/1 42x42/1 32x32/1 24x24/1 16x16/1",.width = 64,.height = 64);
}

CLAIM (test_a_tiny_picture_keeps_its_size)
{
  fail_unless_rungs ("16x16/1 16x16/2 16x16/3",.width = 16,.height = 16,.fps = 30);
}

CLAIM (test_each_rung_has_fewer_pixels_a_second)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 17, 9 }, { 176, 144 }, { 1080, 1920 },
      { 7680, 4320 }, { 65536, 16 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * 3; i++) {
    RcLadderInput input = { .width = sizes[i / 3][0],.height = sizes[i / 3][1],.fps = 30,
      .prefer = (RcPrefer) (i % 3)
    };
    RcLadder ladder;

    rc_ladder_init (&ladder, &input);
    fail_unless (ladder.n_rungs >= 1 && ladder.n_rungs <= RC_LADDER_MAX_RUNGS);
    for (guint j = 1; j < ladder.n_rungs; j++) {
      RcRung *less = &ladder.rungs[j], *more = less - 1;

      fail_unless ((guint64) less->width * less->height * more->divisor
          < (guint64) more->width * more->height * less->divisor);
    }
  }
}
