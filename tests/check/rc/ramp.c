/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rampworld.h"

CLAIM (test_real_rate_flow_gets_its_rate_beside_a_greedy_one)
{
  for (gint paper = 0; paper <= 1; paper++) {
    WorldFlow *video, *rest;
    WorldSource source = camera (2 * MBIT);
    gdouble fair_bytes;

    start (paper, LINK_BPS);
    if (paper) {
      source.params = RC_RAMP_FLOW_PARAMS_PAPER;
      source.params.flow_class = RC_RAMP_REAL_RATE;
    }
    video = world_add (&world, &source);
    source = download ();
    rest = world_add (&world, &source);
    world.queue_limit_pkts = 1000;
    world_run (&world, 60 * RC_SECOND);
    fail_unless (video->dropped_bytes == 0);
    fail_unless ((gdouble) video->sent_bytes > 0.99 * (gdouble) video->arrived_bytes);
    fair_bytes = 60.0 * LINK_BPS / 8 - (gdouble) video->sent_bytes;
    fail_unless ((gdouble) rest->sent_bytes > 0.98 * fair_bytes, "greedy got %g of %g bytes",
        (gdouble) rest->sent_bytes, fair_bytes);
  }
}

/* Sampled each second time right after a packet: its queue then always looks full. */
CLAIM (test_requirement_is_the_rate_however_packets_and_samples_fall_together)
{
  for (RcTime phase = 0; phase < 20 * RC_MSEC; phase += 3 * RC_MSEC + 333 * RC_USEC) {
    WorldSource audio = microphone ();
    WorldFlow *mic;

    start (FALSE, LINK_BPS);
    audio.starts_at = phase;
    mic = world_add (&world, &audio);
    world_run (&world, 30 * RC_SECOND);
    fail_unless (fabs (mic->flow.need_bps / 80000 - 1) < 0.15,
        "phase %g ms: %g bit/s", rc_time_to_s (phase) * 1e3, mic->flow.need_bps);
  }
}

CLAIM (test_link_is_never_idle_while_a_packet_waits)
{
  WorldSource source = camera (9 * MBIT);
  WorldFlow *video;

  start (FALSE, LINK_BPS);
  video = world_add (&world, &source);
  world_run (&world, 10 * RC_SECOND);
  /* a frame of 300 kbit takes 30 ms */
  fail_unless (video->delay_max < 120 * RC_MSEC, "%g ms", rc_time_to_s (video->delay_max) * 1e3);
  fail_unless (video->delay_sum_s / (gdouble) video->delay_pkts < 0.040);
}

CLAIM (test_strict_flow_waits_for_its_target_delay)
{
  WorldSource source = camera (2 * MBIT);
  WorldFlow *video;
  gdouble delay_s;

  start (FALSE, LINK_BPS);
  world.ramp.params.borrow = false;
  source.vbr_ratio = 0;
  source.params.target.delay = 100 * RC_MSEC;
  video = world_add (&world, &source);
  world_run (&world, 10 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 20 * RC_SECOND);
  delay_s = video->delay_sum_s / (gdouble) video->delay_pkts;
  fail_unless (fabs (delay_s - 0.100) < 0.020, "%g s", delay_s);
}

/* Keyframes of 12 times a frame, a link that is nearly full, a greedy flow. */
/* [RAMP 8, future work] Of small packets nothing says that they are urgent: their bursts do. */
CLAIM (test_small_bursts_pass_frames_of_video_without_being_told_apart)
{
  double most_s[2];

  for (guint dynamic = 0; dynamic < 2; dynamic++) {
    RcRampParams params = RC_RAMP_PARAMS_DEFAULT;
    WorldSource video = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.frame_interval = RC_SECOND / 30,
        .rate_bps = 2.6e6,.vbr_ratio = 0.3,.key_every = 60,.key_gain = 4,.packet_bytes = 1200 };
    WorldSource data = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.frame_interval = 20 * RC_MSEC,
        .rate_bps = 40000,.packet_bytes = 100 };

    params.dynamic_period = dynamic;
    world_init (&world, memory, &params, 3000000);
    world_add (&world, &video);
    data.starts_at = 5 * RC_MSEC;
    world_add (&world, &data);
    world_run (&world, 10 * RC_SECOND);
    world_reset_delays (&world);
    world_run (&world, 40 * RC_SECOND);
    most_s[dynamic] = rc_time_to_s (world.flows[1].delay_max);
  }
  /* two packets of video and their own period */
  fail_unless (most_s[1] < 0.010, "%g", most_s[1]);
  fail_unless (most_s[0] > 2 * most_s[1], "%g %g", most_s[0], most_s[1]);
}

CLAIM (test_audio_does_not_suffer_from_keyframes)
{
  WorldSource video = camera (3 * MBIT), audio = microphone (), rest = download ();
  WorldFlow *mic;

  start (FALSE, 4000000);
  video.key_every = 60;
  video.key_gain = 12;
  world_add (&world, &video);
  mic = world_add (&world, &audio);
  world_add (&world, &rest);
  world.queue_limit_pkts = 2000;
  world_run (&world, 2 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 60 * RC_SECOND);
  /* its period, the packet on the wire and one of a deadline before */
  fail_unless (mic->delay_max < 2500 * RC_USEC + 2 * 3 * RC_MSEC,
      "%g ms", rc_time_to_s (mic->delay_max) * 1e3);
  fail_unless (mic->delay_sum_s / (gdouble) mic->delay_pkts < 0.003, "%g s",
      mic->delay_sum_s / (gdouble) mic->delay_pkts);
}

/* Why the target delay of a camera does not follow the `latency` of the sender: what a frame waits
 * does not depend on it, and below 20 ms the period is that of a microphone. */
CLAIM (test_a_target_below_a_frame_costs_the_microphone_and_a_longer_one_changes_nothing)
{
  static const gint targets_ms[] = { 20, 33, 50, 100, 200 };
  gdouble camera_s[G_N_ELEMENTS (targets_ms)], mic_s[G_N_ELEMENTS (targets_ms)];

  for (guint i = 0; i < G_N_ELEMENTS (targets_ms); i++) {
    WorldSource video = camera (0.7 * MBIT), audio = microphone (), rest = download ();

    start (FALSE, 2000000);
    video.params.target.delay = targets_ms[i] * RC_MSEC;
    video.params.period = rc_ramp_period (video.params.target.delay);
    world_add (&world, &video);
    video.starts_at = 11 * RC_MSEC;
    world_add (&world, &video);
    world_add (&world, &audio);
    world_add (&world, &rest);
    world.queue_limit_pkts = 1000;
    world_run (&world, 5 * RC_SECOND);
    world_reset_delays (&world);
    world_run (&world, 60 * RC_SECOND);
    camera_s[i] = rc_time_to_s (world.flows[0].delay_max);
    mic_s[i] = rc_time_to_s (world.flows[2].delay_max);
    g_print ("target %d ms: a frame waits at most %.0f ms, the microphone %.0f ms\n",
        targets_ms[i], camera_s[i] * 1e3, mic_s[i] * 1e3);
  }
  for (guint i = 1; i < G_N_ELEMENTS (targets_ms); i++) {
    fail_unless (fabs (camera_s[i] - camera_s[2]) < 0.005);
    fail_unless (mic_s[i] < mic_s[0] / 1.5);
  }
}

CLAIM (test_a_keyframe_borrows_the_link_before_greedy_flows_do)
{
  WorldSource video = camera (2 * MBIT), rest = download ();
  WorldFlow *flow;

  start (FALSE, LINK_BPS);
  world.queue_limit_pkts = 1000;
  world.ramp.params.greedy_min_bps = 2000000;
  video.vbr_ratio = 0;
  video.key_every = 30;
  video.key_gain = 10;
  flow = world_add (&world, &video);
  world_add (&world, &rest);
  world_run (&world, 2 * RC_SECOND);
  world_reset_delays (&world);
  world_run (&world, 20 * RC_SECOND);
  /* 64 kB of 8 Mbit/s are 64 ms */
  fail_unless (flow->delay_max < 72 * RC_MSEC, "%g ms", rc_time_to_s (flow->delay_max) * 1e3);
}

static gboolean
is_sound (const RcRampFlow * flow)
{
  return isfinite (flow->share_bps) && flow->share_bps >= 0 && isfinite (flow->need_bps)
      && isfinite (flow->allocation_bps) && flow->allocation_bps >= 0
      && flow->arrived_bytes == flow->sent_bytes + flow->dropped_bytes + flow->waiting_bytes;
}

#define MANY 20

/* A scheduler and flows that come and go at random. */
typedef struct
{
  GRand *rand;
  RcRamp ramp;
  RcRampFlow flows[MANY];
  gboolean added[MANY];
  RcTime now;
} Shuffle;

static void
add_or_remove (Shuffle * self, guint k)
{
  RcRampFlowParams p = RC_RAMP_FLOW_PARAMS_DEFAULT;
  GRand *rand = self->rand;

  if (self->added[k]) {
    if (g_rand_int_range (rand, 0, 10) != 0)
      return;
    rc_ramp_remove (&self->ramp, &self->flows[k]);
  } else {
    p.flow_class = g_rand_boolean (rand) ? RC_RAMP_GREEDY : RC_RAMP_REAL_RATE;
    p.weight = g_rand_double_range (rand, 0.01, 100);
    p.min_bps = (guint64) g_rand_int_range (rand, 0, 1000000);
    p.max_bps = p.min_bps + (guint64) g_rand_int_range (rand, 0, 5000000);
    rc_ramp_add (&self->ramp, &self->flows[k], &p, self->now);
  }
  self->added[k] = !self->added[k];
}

/* Whose turn it is has something to send; if it is nobody's, nobody has. */
static void
send_next (Shuffle * self)
{
  RcRampFlow *next = rc_ramp_next (&self->ramp, self->now);

  if (next) {
    if (next->waiting_bytes == 0 || !self->added[next - self->flows])
      fail ("flow %u has nothing to send", (guint) (next - self->flows));
    rc_ramp_on_sent (&self->ramp, next, (guint32) MIN (next->waiting_bytes, 1500), self->now);
    return;
  }
  for (guint i = 0; i < MANY; i++)
    if (self->added[i] && self->flows[i].waiting_bytes > 0)
      fail ("flow %u is forgotten", i);
}

static void
do_something (Shuffle * self)
{
  guint k = (guint) g_rand_int_range (self->rand, 0, MANY);
  RcRampFlow *flow = &self->flows[k];
  guint bytes = (guint) g_rand_int_range (self->rand, 0, 3000);

  self->now += g_rand_int_range (self->rand, 0, 2000000);
  switch (g_rand_int_range (self->rand, 0, 12)) {
    case 0:
      add_or_remove (self, k);
      break;
    case 1:
      rc_ramp_set_budget (&self->ramp, (guint64) g_rand_int_range (self->rand, 0, 10000000),
          self->now);
      break;
    case 2:
      if (self->added[k] && flow->waiting_bytes > 0)
        rc_ramp_on_dropped (&self->ramp, flow, flow->waiting_bytes / 2 + 1);
      break;
    case 3:
    case 4:
      rc_ramp_sample (&self->ramp, self->now);
      break;
    case 5:
    case 6:
    case 7:
      if (self->added[k])
        rc_ramp_on_arrived (&self->ramp, flow, bytes, self->now);
      break;
    default:
      send_next (self);
  }
}

/* Anything in any order: sums hold, no NaN, nothing beyond its bounds. */
CLAIM (test_random_operations_keep_the_books)
{
  static Shuffle self;
  RcRampParams params = RC_RAMP_PARAMS_DEFAULT;

  self.rand = g_rand_new_with_seed (11);
  rc_ramp_init (&self.ramp, &params, 3000000, self.now);
  for (guint i = 0; i < 200000; i++) {
    do_something (&self);
    for (guint k = 0; k < MANY; k++)
      if (self.added[k] && !is_sound (&self.flows[k]))
        fail ("operation %u, flow %u", i, k);
  }
  g_rand_free (self.rand);
}
