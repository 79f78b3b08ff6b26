/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two cameras share a link through the scheduler of rampscheduler, and each chooses its size by the
 * share that it is told. What the one does not need goes to the other: do their steps answer each
 * other for ever? In virtual time, while the link wavers by 20 %. The encoder makes its target, but
 * no more than its finest quantiser takes. */
#include "rampworld.h"

#include <rc/scale/scale.h>

#define FPS 30
#define SLOPE 6.1               /* QP by which a doubling of the bits is finer */
#define QP_PER_HALVED_PIXELS 2.2
#define FINEST_QP 20
#define WAVER 0.2
#define WAVER_PERIOD (26 * RC_SECOND)
#define SETTLED (60 * RC_SECOND)
#define RUN (660 * RC_SECOND)

typedef struct
{
  RcScale scale;
  WorldFlow *flow;
  gdouble difficulty;
  guint steps;                  /* once settled */
} Camera;

static void
camera_init (Camera * self, gdouble difficulty)
{
  RcLadderInput input = { .width = 1280,.height = 720,.fps = FPS };
  WorldSource source = camera (500000);
  RcLadder ladder;

  rc_ladder_init (&ladder, &input);
  rc_scale_init (&self->scale, &ladder);
  self->flow = world_add (&world, &source);
  self->difficulty = difficulty;
  self->steps = 0;
}

static void
camera_frame (Camera * self, RcTime now)
{
  const RcRung *rung = &self->scale.ladder.rungs[self->scale.rung];
  gdouble pixels = (gdouble) rung->width * rung->height, fps = (gdouble) FPS / rung->divisor;
  gdouble share_bps = MIN (self->flow->flow.share_bps, 8 * MBIT);
  gdouble harder = -QP_PER_HALVED_PIXELS * log2 (pixels / (1280 * 720));
  gdouble difficulty = self->difficulty + harder;
  gdouble most_bps = fps * pixels * exp2 ((difficulty - FINEST_QP) / SLOPE);
  gdouble made_bps = MIN (share_bps, most_bps);

  if (share_bps < 1)
    return;
  rc_scale_on_target (&self->scale, (guint64) share_bps);
  rc_scale_on_frame (&self->scale, made_bps / fps,
      MIN (difficulty - SLOPE * log2 (made_bps / fps / pixels), 51));
  if (rc_scale_choose (&self->scale, now) && now >= SETTLED)
    self->steps++;
  self->flow->source.rate_bps = made_bps;
}

static const struct
{
  gdouble link_bps, first, second;      /* difficulties: easy -2, usual 2.2, hard 8 */
} pairs[] = {
  {600000, 2.2, 2.2}, {600000, -2, 8}, {1200000, 2.2, 2.2}, {1200000, -2, 8},
  {1200000, -5, 5}, {2400000, -2, 8}, {2400000, -5, 10}, {4000000, 2.2, 8}, {4000000, -5, 10},
  /* The first needs less than half. */
  {2400000, -12.5, 8}, {4000000, -12.5, 10},
};

CLAIMS (test_two_cameras_do_not_answer_each_others_steps, G_N_ELEMENTS (pairs))
{
  gdouble link_bps = pairs[__i__].link_bps;
  Camera cameras[2];

  start (FALSE, (guint64) link_bps);
  camera_init (&cameras[0], pairs[__i__].first);
  camera_init (&cameras[1], pairs[__i__].second);
  for (RcTime now = 0; now < RUN; now += RC_SECOND / FPS) {
    gdouble phase = 2 * G_PI * rc_time_to_s (now) / rc_time_to_s (WAVER_PERIOD);

    world.link_bps = (guint64) (link_bps * (1 + WAVER * sin (phase)));
    rc_ramp_set_budget (&world.ramp, world.link_bps, now);
    world_run (&world, now);
    for (guint i = 0; i < G_N_ELEMENTS (cameras); i++)
      camera_frame (&cameras[i], now);
  }
  GST_INFO ("%.0f kbit/s, %g and %g: %u and %u steps, %u and %u lines, %.0f and %.0f kbit/s",
      link_bps / 1000, pairs[__i__].first, pairs[__i__].second, cameras[0].steps,
      cameras[1].steps, cameras[0].scale.ladder.rungs[cameras[0].scale.rung].height,
      cameras[1].scale.ladder.rungs[cameras[1].scale.rung].height,
      cameras[0].flow->source.rate_bps / 1000, cameras[1].flow->source.rate_bps / 1000);
  fail_unless_equals_int ((gint) (cameras[0].steps + cameras[1].steps), 0);
}
