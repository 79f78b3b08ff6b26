/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a playout that follows the path promises over recorded and made paths, beside a fixed
 * latency of 200 ms. */
#include "claim.h"
#include "jitterbuffer.h"
#include "playoutrun.h"
#include "sets.h"

#define FROM (5 * RC_SECOND)
#define FRAME (RC_SECOND / 30)

typedef struct
{
  PlayoutSums fixed, adaptive;
} Both;

/* Each `each`-th case of the set. */
static Both
play (const LoopSet *set, guint each)
{
  PlayoutConfig fixed = PLAYOUT_CONFIG_STATIC (200), adaptive = PLAYOUT_CONFIG_ADAPTIVE;
  Both both = { { 0 } };

  for (guint i = 0; i < set->n_cases; i += each) {
    SetCase *c = g_new0 (SetCase, 1);
    Loop *loop;

    c->config.seed = 1;
    set->fill (i, c);
    c->config.notes_arrivals = true;
    loop = loop_run (&c->config);
    playout_run (loop, &c->config, &fixed, FROM, &both.fixed);
    playout_run (loop, &c->config, &adaptive, FROM, &both.adaptive);
    loop_free (loop);
    free (c->opportunities);
    g_free (c);
  }
  return both;
}

static void
clear (Both *both)
{
  free (both->fixed.glasses_ms);
  free (both->adaptive.glasses_ms);
}

CLAIM (test_fewer_frames_are_late_on_recorded_drives_than_with_200_ms)
{
  Both both = play (&loop_set_drives_quick, 3);

  fail_unless (both.fixed.late > 50);
  fail_unless (both.adaptive.late * 2 < both.fixed.late, "%u of %u", both.adaptive.late,
      both.fixed.late);
  fail_unless (playout_glass_ms (&both.adaptive, 0.5) < playout_glass_ms (&both.fixed, 0.5));
  clear (&both);
}

/* Stalls of the whole network take more latency than 200 ms; noise takes less. */
CLAIM (test_noise_and_stalls_make_fewer_frames_late)
{
  static const LoopSet *const sets[] = { &loop_set_noise, &loop_set_stalls };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++) {
    Both both = play (sets[i], 1);

    fail_unless (both.adaptive.late * 4 <= both.fixed.late * 3, "%u of %u", both.adaptive.late,
        both.fixed.late);
    fail_unless (i > 0 || both.adaptive.glass_ms < both.fixed.glass_ms);
    clear (&both);
  }
}

/* The model of the jitter buffer: what is fast moves its base down, slowly; what is late moves it
 * up at once. */
CLAIM (test_jitter_buffer_follows_the_fastest_frames_and_begins_anew_with_late_ones)
{
  JitterBuffer buffer;
  RcTime due_at = 0;

  jitter_buffer_init (&buffer);
  for (guint i = 0; i < 300; i++)
    due_at = jitter_buffer_on_frame (&buffer, i * FRAME, i * FRAME + (i == 0 ? 50 : 20) * RC_MSEC,
        100 * RC_MSEC) - i * FRAME;
  fail_unless (ABS (due_at - 20 * RC_MSEC) < RC_MSEC);
  due_at = jitter_buffer_on_frame (&buffer, 300 * FRAME, 300 * FRAME + 115 * RC_MSEC,
      100 * RC_MSEC) - 300 * FRAME;
  fail_unless (ABS (due_at - 20 * RC_MSEC) < RC_MSEC);
  due_at = jitter_buffer_on_frame (&buffer, 301 * FRAME, 301 * FRAME + 150 * RC_MSEC,
      100 * RC_MSEC) - 301 * FRAME;
  fail_unless_equals_int64 (due_at, 150 * RC_MSEC);
  fail_unless_equals_int64 (buffer.resets, 1);
}
