/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ramp-figures fig4 | fig5 | fig6 | period | cost: tables on standard output, the first line names
 * the columns. */
#include "rampfigures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAPER_GAIN 0.12
#define PAPER_DEAD_SAMPLES 15

static World worlds[4];
static WorldPacket *memory[4];
static StepTrace trace;

static void
print_fig4 (void)
{
  printf ("time_s ramp_paper_error_bytes ramp_error_bytes fcfs_error_bytes alone_bytes "
      "greedy_beside_ramp_bytes\n");
  for (int i = SHARING_ALONE; i <= SHARING_FCFS; i++)
    sharing_start (&worlds[i], memory[i], (Sharing) i);
  for (RcTime t = 0; t <= 60 * RC_SECOND; t += 100 * RC_MSEC) {
    double alone;

    for (int i = SHARING_ALONE; i <= SHARING_FCFS; i++)
      world_run (&worlds[i], t);
    alone = (double) worlds[SHARING_ALONE].flows[0].sent_bytes;
    printf ("%.1f %.0f %.0f %.0f %.0f %.0f\n", rc_time_to_s (t),
        (double) worlds[SHARING_RAMP_PAPER].flows[0].sent_bytes - alone,
        (double) worlds[SHARING_RAMP].flows[0].sent_bytes - alone,
        (double) worlds[SHARING_FCFS].flows[0].sent_bytes - alone, alone,
        (double) worlds[SHARING_RAMP].flows[1].sent_bytes);
  }
}

static void
print_fig5 (void)
{
  printf ("time_s requirement_bps allocation_bps fill_bytes\n");
  step_packets (&trace, &worlds[0], memory[0], figure_5_bps, FIGURE_5_SECONDS);
  for (unsigned i = 0; i < trace.n; i++)
    printf ("%.2f %.0f %.0f %.0f\n", i * 0.01, trace.requirement_bps[i], trace.allocation_bps[i],
        trace.fill_bytes[i]);
}

static void
print_figures (const char *name, double gain, unsigned dead)
{
  StepFigures f = step_figures (&trace, 0.1, 9);

  fprintf (stderr, "%s g=%g dead=%u response_ms=%.0f settling_ms=%.0f overshoot_percent=%.0f "
      "buffer_ms=%.1f\n", name, gain, dead, f.response_s * 1e3, f.settling_s * 1e3,
      f.overshoot_ratio * 100, f.buffer_s * 1e3);
}

static void
print_fig6 (void)
{
  static StepTrace paper;
  RcRampMonitorParams params = RC_RAMP_MONITOR_PARAMS_DEFAULT;

  printf ("time_s requirement_bps paper_allocation_bps allocation_bps\n");
  step_fluid (&trace, PAPER_GAIN, PAPER_DEAD_SAMPLES, 1e6, 2e6);
  print_figures ("paper", PAPER_GAIN, PAPER_DEAD_SAMPLES);
  paper = trace;
  step_fluid (&trace, params.loop_gain, 0, 1e6, 2e6);
  print_figures ("ours", params.loop_gain, 0);
  for (unsigned i = 0; i < 250; i++)
    printf ("%.2f %.0f %.0f %.0f\n", i * 0.01, trace.requirement_bps[i], paper.allocation_bps[i],
        trace.allocation_bps[i]);
}

/* --- the period --- */

typedef struct
{
  const char *name;
  RcTime period;
  bool dynamic;
} PeriodMode;

static const PeriodMode period_modes[] = {
  { "paper_0.1_ms", 100 * RC_USEC, false }, { "fixed_12.5_ms", 12500 * RC_USEC, false },
  { "dynamic", 12500 * RC_USEC, true },
};

/* Two cameras, and 40 kbit/s of 100 bytes each 20 ms of which nothing says that they are urgent. */
static void
add_cameras_and_data (World *world, uint64_t link_bps, RcTime period)
{
  WorldSource camera = { .params = RC_RAMP_FLOW_PARAMS_DEFAULT, .frame_interval = RC_SECOND / 30,
    .rate_bps = 0.44 * (double) link_bps, .vbr_ratio = 0.3, .key_every = 60, .key_gain = 4,
    .packet_bytes = 1200 };
  WorldSource data = { .params = RC_RAMP_FLOW_PARAMS_DEFAULT, .frame_interval = 20 * RC_MSEC,
    .rate_bps = 40000, .packet_bytes = 100 };

  camera.params.period = data.params.period = period;
  world_add (world, &camera);
  camera.starts_at = 11 * RC_MSEC;
  world_add (world, &camera);
  data.starts_at = 5 * RC_MSEC;
  world_add (world, &data);
}

static void
print_period (void)
{
  static const uint64_t links_bps[] = { 1000000, 3000000, 10000000 };

  printf ("link_bps period data_mean_ms data_most_ms video_mean_ms video_most_ms\n");
  for (unsigned i = 0; i < 3; i++)
    for (unsigned k = 0; k < 3; k++) {
      RcRampParams params = RC_RAMP_PARAMS_DEFAULT;
      World *world = &worlds[0];
      const WorldFlow *video = &world->flows[0], *data = &world->flows[2];

      params.dynamic_period = period_modes[k].dynamic;
      world_init (world, memory[0], &params, links_bps[i]);
      add_cameras_and_data (world, links_bps[i], period_modes[k].period);
      world_run (world, 10 * RC_SECOND);
      world_reset_delays (world);
      world_run (world, 120 * RC_SECOND);
      printf ("%.0f %s %.2f %.1f %.2f %.1f\n", (double) links_bps[i], period_modes[k].name,
          data->delay_sum_s / (double) data->delay_pkts * 1e3, rc_time_to_s (data->delay_max) * 1e3,
          video->delay_sum_s / (double) video->delay_pkts * 1e3,
          rc_time_to_s (video->delay_max) * 1e3);
    }
}

/* --- cost --- */

static double
now_s (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Every flow always has packets waiting; loaded: the requirements exceed the budget. */
static void
measure_cost (unsigned n, bool loaded)
{
  const unsigned packets = 2000000, samples = 2000;
  RcRampParams params = RC_RAMP_PARAMS_DEFAULT;
  RcRampFlowParams flow_params = RC_RAMP_FLOW_PARAMS_DEFAULT;
  RcRampFlow *flows = calloc (n, sizeof *flows);
  RcTime now = 0, step = rc_time_of_bytes (1228, 1000000000);
  double packet_s, sample_s;
  RcRamp ramp;

  rc_ramp_init (&ramp, &params, loaded ? 1000000 : 2000000000, now);
  for (unsigned i = 0; i < n; i++) {
    flow_params.target.delay = (10 + i % 7 * 10) * RC_MSEC;
    rc_ramp_add (&ramp, &flows[i], &flow_params, now);
    rc_ramp_on_arrived (&ramp, &flows[i], 10 * 1228, now);
  }
  for (unsigned i = 0; i < 100; i++)
    rc_ramp_sample (&ramp, now += 10 * RC_MSEC);
  packet_s = now_s ();
  for (unsigned i = 0; i < packets; i++) {
    RcRampFlow *flow = rc_ramp_next (&ramp, now += step);

    rc_ramp_on_sent (&ramp, flow, 1228, now);
    rc_ramp_on_arrived (&ramp, flow, 1228, now);
  }
  packet_s = (now_s () - packet_s) / packets;
  sample_s = now_s ();
  for (unsigned i = 0; i < samples; i++)
    rc_ramp_sample (&ramp, now += 10 * RC_MSEC);
  sample_s = (now_s () - sample_s) / samples;
  printf ("%u %d %.0f %.1f %.3f\n", n, loaded, packet_s * 1e9, sample_s * 1e6, sample_s * 1e4);
  free (flows);
}

static void
print_cost (void)
{
  static const unsigned pads[] = { 1, 10, 200 };

  printf ("pads overloaded packet_ns sample_us cpu_percent_of_sampling\n");
  for (unsigned loaded = 0; loaded <= 1; loaded++)
    for (unsigned i = 0; i < 3; i++)
      measure_cost (pads[i], loaded);
}

int
main (int argc, char **argv)
{
  const char *what = argc == 2 ? argv[1] : "";

  for (unsigned i = 0; i < 4; i++)
    memory[i] = malloc (sizeof (WorldPacket) * WORLD_FLOWS * WORLD_PACKETS);
  if (!strcmp (what, "fig4"))
    print_fig4 ();
  else if (!strcmp (what, "fig5"))
    print_fig5 ();
  else if (!strcmp (what, "fig6"))
    print_fig6 ();
  else if (!strcmp (what, "period"))
    print_period ();
  else if (!strcmp (what, "cost"))
    print_cost ();
  else
    fprintf (stderr, "ramp-figures fig4 | fig5 | fig6 | period | cost\n");
  for (unsigned i = 0; i < 4; i++)
    free (memory[i]);
  return *what ? 0 : 2;
}
