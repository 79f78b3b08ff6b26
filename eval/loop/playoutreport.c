/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* loop-playout [-e N] SET PLAYOUT...: what a viewer sees behind the closed loops of a set, each
 * N-th of them (1), with different jitter buffers. PLAYOUT is static=MS, or adaptive with other
 * parameters behind it, such as adaptive,window=2000,base=0: start, least, most, window, margin,
 * guard, step and interval in ms, lead in frames, base 0: the law does not hear of the jitter
 * buffer's. Prints a line for each: its name, late frames in %, time from camera to screen in ms
 * (mean, p50, p95), the latency in ms (mean), and by minute how often it changed, and for how many
 * ms it grew; and how often the jitter buffer began anew. Separated by tabs. The first 5 s of each
 * loop do not count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "playoutrun.h"
#include "sets.h"

#define FROM (5 * RC_SECOND)
#define FRAMES_PER_MINUTE 1800
#define MOST_NAME 120

typedef struct
{
  const char *name;
  PlayoutConfig config;
  PlayoutSums sums;
} Playout;

static bool
set_param (PlayoutConfig *config, const char *name, double value)
{
  const struct
  {
    const char *name;
    RcTime *time;
  } times[] = { { "start", &config->latency }, { "least", &config->params.least },
    { "most", &config->params.most }, { "window", &config->params.window },
    { "margin", &config->params.margin }, { "guard", &config->params.guard },
    { "step", &config->params.step }, { "interval", &config->params.interval } };

  for (unsigned i = 0; i < sizeof times / sizeof *times; i++)
    if (strcmp (name, times[i].name) == 0) {
      *times[i].time = rc_time_from_s (value / 1e3);
      return true;
    }
  if (strcmp (name, "lead") == 0)
    config->params.lead = value;
  else if (strcmp (name, "base") == 0)
    config->is_told_base = value > 0;
  else
    return false;
  return true;
}

static bool
understand (Playout *self, const char *text)
{
  char copy[MOST_NAME], *part, *save;
  double ms;

  *self = (Playout) { text, PLAYOUT_CONFIG_ADAPTIVE };
  if (sscanf (text, "static=%lf", &ms) == 1) {
    self->config = (PlayoutConfig) PLAYOUT_CONFIG_STATIC (ms);
    return true;
  }
  snprintf (copy, sizeof copy, "%s", text);
  part = strtok_r (copy, ",", &save);
  if (!part || strcmp (part, "adaptive") != 0)
    return false;
  while ((part = strtok_r (NULL, ",", &save))) {
    char *value = strchr (part, '=');

    if (!value)
      return false;
    *value++ = 0;
    if (!set_param (&self->config, part, atof (value)))
      return false;
  }
  return true;
}

static void
run_case (const LoopSet *set, unsigned index, Playout *playouts, int n)
{
  SetCase *c = calloc (1, sizeof *c);
  Loop *loop;

  c->config.seed = 1;
  set->fill (index, c);
  c->config.notes_arrivals = true;
  loop = loop_run (&c->config);
  for (int i = 0; i < n; i++)
    playout_run (loop, &c->config, &playouts[i].config, FROM, &playouts[i].sums);
  loop_free (loop);
  free (c->opportunities);
  free (c);
}

static void
print (Playout *self)
{
  PlayoutSums *sums = &self->sums;
  double minutes = (double) sums->frames / FRAMES_PER_MINUTE;

  printf ("%s\t%.3f\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.0f\t%u\n", self->name,
      100.0 * sums->late / sums->frames, sums->glass_ms / sums->frames,
      playout_glass_ms (sums, 0.5), playout_glass_ms (sums, 0.95), sums->latency_ms / sums->frames,
      sums->changes / minutes, sums->grown_ms / minutes, sums->resets);
}

int
main (int argc, char **argv)
{
  const LoopSet *set;
  int option, each = 1, n;
  Playout *playouts;

  while ((option = getopt (argc, argv, "e:")) != -1)
    if (option != 'e' || (each = atoi (optarg)) < 1)
      return 2;
  set = optind < argc ? loop_set_find (argv[optind]) : NULL;
  n = argc - optind - 1;
  if (!set || n < 1) {
    fprintf (stderr, "loop-playout: no set, or no playout\n");
    return 2;
  }
  playouts = calloc ((size_t) n, sizeof *playouts);
  for (int i = 0; i < n; i++)
    if (!understand (&playouts[i], argv[optind + 1 + i])) {
      fprintf (stderr, "loop-playout: %s is no playout\n", argv[optind + 1 + i]);
      return 2;
    }
  for (unsigned i = 0; i < set->n_cases; i += (unsigned) each)
    run_case (set, i, playouts, n);
  for (int i = 0; i < n; i++) {
    print (&playouts[i]);
    free (playouts[i].sums.glasses_ms);
  }
  free (playouts);
  return 0;
}
