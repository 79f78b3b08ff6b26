/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PACKET_BITS (COUNT_IP_BYTES * 8.0)
#define MAX_GAP_RATE_BPS 20000000       /* above, packets are closer than T_s,min lets RMC tell */
#define STEP_MEAN (20 * RC_MSEC)        /* T_s of the paper's experiments, about */
#define STEP_MEAN_PKTS 40       /* a mean over fewer packets is coarser than the 5 % asked for */
#define STEP_MEAN_EACH RC_MSEC  /* between the starts of two means */
#define PLOT_SAMPLE (20 * RC_MSEC)
#define PLOT_SAMPLES 30
#define PLOT_BEFORE 5           /* samples before the step */

static double
mean_bps (const Count *count)
{
  double seconds = rc_time_to_s (count->last_at - count->first_at);
  double bytes = count->pkts > 0
      ? (double) (count->pkts - 1) * COUNT_IP_BYTES + (double) count->rtcp_bytes : 0;

  return seconds > 0 ? bytes * 8 / seconds : 0;
}

/* --- gaps --- */

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Share of packets that have no neighbour within a quarter of the ideal gap. */
static double
alone_ratio (const Count *count, double gap)
{
  uint32_t alone = 0, n = count->n_stamps;

  for (uint32_t i = 1; i + 1 < n; i++)
    alone += (double) (count->stamps[i] - count->stamps[i - 1]) > gap / 4
        && (double) (count->stamps[i + 1] - count->stamps[i]) > gap / 4;
  return n > 2 ? (double) alone / (n - 2) : 0;
}

/* How far departures are from the grid of ideal gaps that fits best in the mean. */
static void
print_departure_error (const Count *count, double gap)
{
  uint32_t n = count->n_stamps;
  double mean = 0, *off = malloc ((n + 1) * sizeof *off);

  for (uint32_t i = 0; i < n; i++)
    mean += (off[i] = (double) (count->stamps[i] - count->first_at) - i * gap) / n;
  for (uint32_t i = 0; i < n; i++)
    off[i] = fabs (off[i] - mean);
  qsort (off, n, sizeof *off, compare);
  printf ("\"departure_error_us\": [%.1f, %.1f], ", n ? off[n / 2] / 1e3 : 0,
      n ? off[(uint32_t) (n * 0.99)] / 1e3 : 0);
  free (off);
}

/* --- steps --- */

/* First packet at or after a time. */
static uint32_t
packet_at (const Count *count, RcTime at)
{
  uint32_t i = 0;

  while (i < count->n_stamps && count->stamps[i] < at)
    i++;
  return i;
}

/* [seconds since the step, bit/s] of means that begin one after another. */
static void
print_means (const Count *count, RcTime step_at, RcTime end_at)
{
  uint32_t j = 0, i = packet_at (count, step_at);
  const char *comma = "";

  for (RcTime from = step_at; i < count->n_stamps; from += STEP_MEAN_EACH) {
    while (i < count->n_stamps && count->stamps[i] < from)
      i++;
    j = j > i ? j : i;
    while (j < count->n_stamps
        && (j - i < STEP_MEAN_PKTS || count->stamps[j] - count->stamps[i] < STEP_MEAN))
      j++;
    if (j == count->n_stamps || count->stamps[j] > end_at)
      return;
    printf ("%s[%.6f, %.0f]", comma, rc_time_to_s (count->stamps[i] - step_at),
        (j - i) * PACKET_BITS / rc_time_to_s (count->stamps[j] - count->stamps[i]));
    comma = ", ";
  }
}

static void
print_step (const Count *count, RcTime step_at, RcTime end_at, double final_bps)
{
  RcTime mean = rc_time_of_bytes (STEP_MEAN_PKTS * COUNT_IP_BYTES, (uint64_t) final_bps);

  printf ("{\"to_bps\": %.0f, \"mean_s\": %.6f, \"means\": [", final_bps,
      rc_time_to_s (mean > STEP_MEAN ? mean : STEP_MEAN));
  print_means (count, step_at, end_at);
  printf ("], \"rates\": [");
  for (int s = -PLOT_BEFORE; s < PLOT_SAMPLES - PLOT_BEFORE; s++) {
    uint32_t from = packet_at (count, step_at + s * PLOT_SAMPLE);
    uint32_t to = packet_at (count, step_at + (s + 1) * PLOT_SAMPLE);

    printf ("%s[%.3f, %.0f]", s > -PLOT_BEFORE ? ", " : "", rc_time_to_s (s * PLOT_SAMPLE),
        (to - from) * PACKET_BITS / rc_time_to_s (PLOT_SAMPLE));
  }
  printf ("]}");
}

static void
print_steps (const Count *count, uint64_t rate_bps)
{
  printf ("\"steps\": [");
  print_step (count, count->stepped_at[0], count->stepped_at[1], (double) rate_bps / 10);
  printf (", ");
  print_step (count, count->stepped_at[1], count->last_at, (double) rate_bps);
  printf ("], ");
}

void
figures_print (const Count *count, uint64_t rate_bps)
{
  double bps = mean_bps (count), seconds = rc_time_to_s (count->last_at - count->first_at);

  printf ("\"pkts\": %" PRIu64 ", \"receiver_dropped\": %" PRIu64
      ", \"seconds\": %.6f, \"rate_bps\": %.1f, \"error_percent\": %.5f, \"thirds_bps\": [",
      count->pkts, count->dropped, seconds, bps, 100 * (1 - bps / (double) rate_bps));
  for (int i = 0; i < 3; i++)
    printf ("%s%.0f", i ? ", " : "",
        (double) count->third_pkts[i] * PACKET_BITS * 3 / rc_time_to_s (count->length));
  printf ("], ");
  if (rate_bps <= MAX_GAP_RATE_BPS) {
    double gap = PACKET_BITS * 1e9 / (double) rate_bps;

    printf ("\"alone_ratio\": %.5f, ", alone_ratio (count, gap));
    print_departure_error (count, gap);
  }
  if (count->stepped_at[1] > 0)
    print_steps (count, rate_bps);
  printf ("\"windows_mbps\": [");
  for (uint32_t w = 0; w < COUNT_MAX_WINDOWS && w < seconds * RC_SECOND / COUNT_WINDOW; w++)
    printf ("%s%.3f", w ? ", " : "",
        count->windows[w] * PACKET_BITS / 1e6 / rc_time_to_s (COUNT_WINDOW));
  printf ("]");
}
