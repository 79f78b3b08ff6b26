/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Viewers of one picture, and the rungs that serve them:
 *
 *   ladder-world stands    targets that stand still, by their distribution: what rungs are worth
 *   ladder-world moves     targets that move as recorded drives: what following them costs
 *   ladder-world time      how long a placement takes
 *
 * All print rows of tab-separated figures with a head. The quality is that of
 * rc_placement_quality (); a viewer without a rung has 0. */
#include <rc/ladder/keygroup.h>
#include <rc/ladder/viewerchoice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PIXELS (1280 * 720 * 25.0)
#define MIN_BPS 100e3
#define MAX_BPS 6e6
#define MOST_VIEWERS 10000

/* --- random numbers: the same in each run --- */

static uint64_t random_state = 1;

static double
draw (void)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return ((double) (random_state >> 33) + 0.5) / 2147483648.0;
}

static double
draw_normal (void)
{
  double u = draw (), v = draw ();

  return sqrt (-2 * log (u)) * cos (6.283185307179586 * v);
}

/* --- targets that stand still --- */

static double
log_normal (void)
{
  return 1.5e6 * exp (0.8 * draw_normal ());
}

static double
bimodal (void)
{
  return draw () < 0.6 ? 0.6e6 * exp (0.3 * draw_normal ()) : 4e6 * exp (0.3 * draw_normal ());
}

static double
one_bottleneck (void)
{
  return 1.5e6 * exp (0.05 * draw_normal ());
}

static const struct
{
  const char *name;
  double (*draw) (void);
} kinds[] = { { "log-normal", log_normal }, { "bimodal", bimodal },
    { "one bottleneck", one_bottleneck } };

static RcPlacementPoint points[MOST_VIEWERS];
static RcPlacementCell cells[MOST_VIEWERS + 1];

static int
by_bps (const void *a, const void *b)
{
  const RcPlacementPoint *p = a, *q = b;

  return (p->bps > q->bps) - (p->bps < q->bps);
}

static void
draw_points (double (*draw_target) (void), unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    points[i] = (RcPlacementPoint) { rc_clampd (draw_target (), MIN_BPS, MAX_BPS), 1 };
  qsort (points, n, sizeof *points, by_bps);
}

static double
least_quality (const double *rungs, unsigned n_rungs)
{
  return n_rungs == 0 || rungs[0] <= points[0].bps
      ? rc_placement_quality (n_rungs == 0 ? points[0].bps : rungs[0], PIXELS) : 0;
}

static void
print_worth (const char *kind, unsigned n, const char *way, const double *rungs, unsigned n_rungs)
{
  unsigned served = 0;

  for (unsigned i = 0; i < n; i++)
    served += n_rungs == 0 || rungs[0] <= points[i].bps;
  printf ("%s\t%u\t%s\t%.4f\t%.4f\t%.4f\t", kind, n, way,
      rc_placement_value (points, n, PIXELS, rungs, n_rungs) / n, least_quality (rungs, n_rungs),
      1 - (double) served / n);
  for (unsigned k = 0; k < n_rungs; k++)
    printf ("%s%.0f", k > 0 ? " " : "", rungs[k] / 1e3);
  printf ("\n");
}

/* What SFUs offer for 720 lines: libwebrtc's simulcast. */
static const double simulcast[] = { 150e3, 500e3, 2.5e6 };
static const double thirds[] = { MAX_BPS / 3, 2 * MAX_BPS / 3, MAX_BPS };

static void
stand (const char *kind, double (*draw_target) (void), unsigned n)
{
  double rungs[RC_PLACEMENT_MOST_RUNGS];
  char way[20];

  draw_points (draw_target, n);
  print_worth (kind, n, "bound", NULL, 0);
  for (unsigned k = 1; k <= 5; k++) {
    unsigned n_used = rc_placement_choose (points, n, PIXELS, cells, k, rungs);

    snprintf (way, sizeof way, "%u moving", k);
    print_worth (kind, n, way, rungs, n_used);
  }
  print_worth (kind, n, "fixed thirds", thirds, 3);
  print_worth (kind, n, "simulcast", simulcast, 3);
}

static void
run_standing (void)
{
  static const unsigned sizes[] = { 10, 30, 100, 1000, 10000 };

  printf ("kind\tviewers\tway\tmean\tleast\tunserved\trungs_kbps\n");
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    for (unsigned j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
      stand (kinds[i].name, kinds[i].draw, sizes[j]);
}

/* --- targets that move --- */

#define STEP (100 * RC_MSEC)
#define RUN (120 * RC_SECOND)
#define DRIVE_STEP_S 0.5
#define MOST_DRIVES 300
#define MOST_DRIVE_STEPS 400
/* A keyframe costs each who watches the rung so much quality times seconds. */
#define KEY_LOSS_S 0.003
/* Where a sender's queue begins to drop frames. */
#define DROP_BACKLOG_S 0.4

static double drives[MOST_DRIVES][MOST_DRIVE_STEPS];
static unsigned drive_steps[MOST_DRIVES], n_drives;

typedef struct
{
  RcViewerChoice choice;
  unsigned drive, begin;
  double capacity_bps, backlog_s;
  int wish;
  bool frozen;                  /* frames were dropped: nothing to see until a keyframe */
} Viewer;

typedef struct
{
  const char *name;
  unsigned n_rungs;
  const double *fixed;          /* NULL: they move */
} Way;

typedef struct
{
  double quality, bound, nothing, frozen;       /* sums over viewers and steps */
  uint64_t switches, keyframes, sets, steps;
} Sums;

static Viewer viewers[MOST_VIEWERS];

/* A line "# NAME" begins the next (eval/loop/drives.md). */
static void
read_drives (void)
{
  FILE *file = fopen (DRIVES, "r");
  char line[100];
  double at, kbps;

  while (file && fgets (line, sizeof line, file)) {
    if (line[0] == '#' && n_drives < MOST_DRIVES)
      n_drives++;
    else if (n_drives > 0 && drive_steps[n_drives - 1] < MOST_DRIVE_STEPS
        && sscanf (line, "%lf %lf", &at, &kbps) == 2)
      drives[n_drives - 1][drive_steps[n_drives - 1]++] = fmax (kbps * 1e3, 1e3);
  }
  if (file)
    fclose (file);
}

static void
begin (unsigned n)
{
  random_state = 1;
  for (unsigned i = 0; i < n; i++) {
    viewers[i] = (Viewer) { .drive = (unsigned) (draw () * n_drives) };
    viewers[i].begin = (unsigned) (draw () * drive_steps[viewers[i].drive]);
    rc_viewerchoice_init (&viewers[i].choice);
  }
}

static double
capacity_at (const Viewer *viewer, RcTime now)
{
  unsigned step = (unsigned) (rc_time_to_s (now) / DRIVE_STEP_S) + viewer->begin;

  return drives[viewer->drive][step % drive_steps[viewer->drive]];
}

static double
quality_of (const Viewer *viewer, const RcRungs *rungs)
{
  int rung = viewer->choice.rung;

  return rung == RC_RUNGS_NONE || viewer->frozen ? 0
      : rc_placement_quality (rungs->bps[rung], PIXELS);
}

/* What is sent beyond the capacity waits, then is dropped. */
static void
carry (Viewer *viewer, const RcRungs *rungs, Sums *sums)
{
  int rung = viewer->choice.rung;
  double bps = rung == RC_RUNGS_NONE ? 0 : rungs->bps[rung];

  viewer->backlog_s += rc_time_to_s (STEP) * (bps - viewer->capacity_bps) / viewer->capacity_bps;
  viewer->backlog_s = rc_clampd (viewer->backlog_s, 0, DROP_BACKLOG_S);
  viewer->frozen = viewer->frozen || viewer->backlog_s >= DROP_BACKLOG_S;
  sums->quality += quality_of (viewer, rungs);
  sums->bound += rc_placement_quality (fmin (viewer->capacity_bps, MAX_BPS), PIXELS)
      * (viewer->capacity_bps >= MIN_BPS);
  sums->nothing += bps == 0;
  sums->frozen += viewer->frozen;
  sums->steps++;
}

static void
grant (Viewer *viewer, Sums *sums)
{
  sums->switches += viewer->choice.rung != RC_RUNGS_NONE || viewer->wish != RC_RUNGS_NONE;
  rc_viewerchoice_take (&viewer->choice, viewer->wish);
  viewer->frozen = false;
}

/* Who wants which rung, what is asked for, and who gets it. A keyframe comes at once. */
static void
switch_viewers (unsigned n, const RcRungs *rungs, RcKeyGroup *groups, Sums *sums, RcTime now)
{
  double members[RC_PLACEMENT_MOST_RUNGS] = { 0 };

  for (unsigned i = 0; i < n; i++) {
    Viewer *viewer = &viewers[i];
    int rung = viewer->choice.rung;

    viewer->wish = rc_viewerchoice_wish (&viewer->choice, rungs, now);
    if (rung != RC_RUNGS_NONE)
      members[rung]++;
    if (viewer->wish == RC_RUNGS_NONE && rung != RC_RUNGS_NONE)
      grant (viewer, sums);
    else if (viewer->wish != RC_RUNGS_NONE && (viewer->wish != rung || viewer->frozen)) {
      bool urgent = rung == RC_RUNGS_NONE || viewer->frozen
          || rungs->bps[rung] > viewer->choice.told_bps;
      double has = urgent ? 0 : quality_of (viewer, rungs);

      rc_keygroup_count (&groups[viewer->wish],
          rc_placement_quality (rungs->bps[viewer->wish], PIXELS) - has, urgent);
    }
  }
  for (int k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++) {
    if (!rc_keygroup_due (&groups[k], members[k], now))
      continue;
    sums->keyframes++;
    sums->quality -= KEY_LOSS_S / rc_time_to_s (STEP) * members[k];
    rc_keygroup_on_keyframe (&groups[k]);
    for (unsigned i = 0; i < n; i++) {
      if (viewers[i].wish == k && viewers[i].choice.rung != k)
        grant (&viewers[i], sums);
      if (viewers[i].choice.rung == k)
        viewers[i].frozen = false;
    }
  }
}

static void
move_rungs (unsigned n, RcRungs *rungs, Sums *sums, RcTime now)
{
  double before[RC_PLACEMENT_MOST_RUNGS];

  memcpy (before, rungs->bps, sizeof before);
  for (unsigned i = 0; i < n; i++)
    rc_rungs_count (rungs, viewers[i].choice.safe_bps, 1, viewers[i].choice.rung);
  if (!rc_rungs_move (rungs, now))
    return;
  for (unsigned k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    sums->sets += before[k] != rungs->bps[k];
}

static void
run_way (const Way *way, unsigned n)
{
  static RcRungs rungs;
  RcKeyGroup groups[RC_PLACEMENT_MOST_RUNGS];
  RcRungsParams params = { .n_rungs = way->n_rungs, .min_bps = MIN_BPS, .max_bps = MAX_BPS,
      .pixels_per_s = PIXELS };
  Sums sums = { 0 };
  double minutes = rc_time_to_s (RUN) / 60;

  begin (n);
  rc_rungs_init (&rungs, &params);
  for (unsigned k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    rc_keygroup_init (&groups[k]);
  if (way->fixed)
    memcpy (rungs.bps, way->fixed, way->n_rungs * sizeof (double));
  for (RcTime now = 0; now < RUN; now += STEP) {
    for (unsigned i = 0; i < n; i++) {
      viewers[i].capacity_bps = capacity_at (&viewers[i], now);
      rc_viewerchoice_on_target (&viewers[i].choice, viewers[i].capacity_bps);
    }
    if (!way->fixed)
      move_rungs (n, &rungs, &sums, now);
    switch_viewers (n, &rungs, groups, &sums, now);
    for (unsigned i = 0; i < n; i++)
      carry (&viewers[i], &rungs, &sums);
  }
  printf ("%u\t%s\t%.4f\t%.4f\t%.4f\t%.4f\t%.2f\t%.1f\t%.1f\n", n, way->name,
      sums.quality / sums.steps, sums.bound / sums.steps, sums.nothing / sums.steps,
      sums.frozen / sums.steps, sums.switches / minutes / n, sums.keyframes / minutes /
      way->n_rungs, sums.sets / minutes / way->n_rungs);
}

static void
run_moving (void)
{
  static const Way ways[] = { { "1 moving", 1, NULL }, { "2 moving", 2, NULL },
      { "3 moving", 3, NULL }, { "4 moving", 4, NULL }, { "5 moving", 5, NULL },
      { "fixed thirds", 3, thirds }, { "simulcast", 3, simulcast } };
  static const unsigned sizes[] = { 1, 3, 10, 30, 100, 1000 };

  read_drives ();
  printf ("viewers\tway\tmean\tbound\tnothing\tfrozen\tswitches_min\tkeyframes_min\tsets_min\n");
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (unsigned j = 0; j < sizeof ways / sizeof ways[0]; j++)
      run_way (&ways[j], sizes[i]);
}

/* --- time --- */

static double
clock_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e6 + (double) now.tv_nsec * 1e-3;
}

static void
run_time (void)
{
  static RcRungs rungs;
  RcRungsParams params = { .n_rungs = 3, .min_bps = MIN_BPS, .max_bps = MAX_BPS,
      .pixels_per_s = PIXELS };
  double bps[RC_PLACEMENT_MOST_RUNGS], begun;

  printf ("viewers\texact_us\tcounted_us\n");
  rc_rungs_init (&rungs, &params);
  for (unsigned n = 10; n <= MOST_VIEWERS; n *= 10) {
    draw_points (log_normal, n);
    begun = clock_us ();
    rc_placement_choose (points, n, PIXELS, cells, 3, bps);
    printf ("%u\t%.0f", n, clock_us () - begun);
    begun = clock_us ();
    for (unsigned i = 0; i < n; i++)
      rc_rungs_count (&rungs, points[i].bps, 1, RC_RUNGS_NONE);
    rc_rungs_move (&rungs, 0);
    printf ("\t%.0f\n", clock_us () - begun);
  }
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "stands") == 0)
    run_standing ();
  else if (argc == 2 && strcmp (argv[1], "moves") == 0)
    run_moving ();
  else if (argc == 2 && strcmp (argv[1], "time") == 0)
    run_time ();
  else
    fprintf (stderr, "usage: ladder-world stands|moves|time\n");
  return argc != 2;
}
