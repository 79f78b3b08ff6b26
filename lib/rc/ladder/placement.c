/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: an encoder for each viewer is exact and too dear; one encoder for all goes by the
 * slowest. K encodings are affordable: at which bitrates?
 *
 * Model. Viewer i carries T_i and is worth w_i. Of rungs R_1 < ... < R_K it gets the largest
 * R <= T_i, and nothing if there is none. The placement maximises
 *
 *   V = sum_i w_i q (max { R_k : R_k <= T_i })                                          [eq. 1]
 *
 * with q the quality at a bitrate. Some best placement has each rung at the target of a viewer:
 * raising a rung to the next target loses nobody. So this is k-medians on a line, and with
 * q_i = q (T_i), W_j = the sum of w_i for i < j, and f_k (i) the most that k rungs are worth to the
 * viewers from i on if the lowest is at T_i,
 *
 *   f_1 (i) = q_i (W_N - W_i)
 *   f_k (i) = max over j > i of q_i (W_j - W_i) + f_k-1 (j)                             [eq. 2]
 *
 * For each k that is a maximum over the lines x W_j + f_k-1 (j) at x = q_i. W_j falls as j falls,
 * and so does q_i as i falls: the upper hull of the lines is kept as a queue whose front only moves
 * forward, and all of eq. 2 takes O (K N).
 *
 * Quality. The SSIM that eval/scale/measure found for x264 at the best of six frame sizes is, in
 * the mean of its four calibration clips,
 *
 *   q (R) = 1 / (1 + (R / (H P))^-S),   P pixels a second of the source                 [eq. 3]
 *
 * An easier or harder content has another H. It hardly moves the rungs: for R well above H P the
 * error 1 - q is a power of R, and a factor in all of it does not change which placement is
 * best. */

#include <rc/ladder/placement.h>

#include <math.h>

/* S and H of eq. 3: logistic regression over log R, one slope and a mean intercept, of the rows of
 * the clips bunny, bikes, carphone and pan in docs/results/scale.md. */
#define SLOPE 0.84
#define HALF_BITS_PER_PIXEL 0.00096

double
rc_placement_quality (double bps, double pixels_per_s)
{
  return bps > 0 ? 1 / (1 + pow (bps / (HALF_BITS_PER_PIXEL * pixels_per_s), -SLOPE)) : 0;
}

/* The line of point j at x. */
static double
height (const RcPlacementCell *cells, unsigned j, double x)
{
  return x * cells[j].weight_before + cells[j].value;
}

/* Whether the line b is nowhere above both a, which is steeper, and c, which is flatter. */
static bool
is_covered (const RcPlacementCell *a, const RcPlacementCell *b, const RcPlacementCell *c)
{
  return (c->value - b->value) * (a->weight_before - b->weight_before)
      >= (b->value - a->value) * (b->weight_before - c->weight_before);
}

/* eq. 2 for one k: next_value and next_rung[k] of every point. */
static void
add_rung (const RcPlacementPoint *points, unsigned n, double pixels_per_s, RcPlacementCell *cells,
    unsigned k)
{
  unsigned front = 0, end = 0;

  for (unsigned i = n; i-- > 0;) {
    unsigned j = i + 1;
    double q = rc_placement_quality (points[i].bps, pixels_per_s);

    while (end - front >= 2 && is_covered (&cells[cells[end - 2].line], &cells[cells[end - 1].line],
            &cells[j]))
      end--;
    cells[end++].line = j;
    while (end - front >= 2
        && height (cells, cells[front + 1].line, q) >= height (cells, cells[front].line, q))
      front++;
    j = cells[front].line;
    cells[i].next_rung[k] = j;
    cells[i].next_value = height (cells, j, q) - q * cells[i].weight_before;
  }
}

/* f_1 of every point, in next_value. */
static void
add_first_rung (const RcPlacementPoint *points, unsigned n, double pixels_per_s,
    RcPlacementCell *cells)
{
  double weight = 0;

  for (unsigned i = 0; i < n; i++) {
    cells[i].weight_before = weight;
    weight += points[i].weight;
  }
  cells[n] = (RcPlacementCell) { .weight_before = weight };
  for (unsigned i = 0; i < n; i++) {
    cells[i].next_value = rc_placement_quality (points[i].bps, pixels_per_s)
        * (weight - cells[i].weight_before);
    cells[i].next_rung[0] = n;
  }
}

unsigned
rc_placement_choose (const RcPlacementPoint *points, unsigned n, double pixels_per_s,
    RcPlacementCell *cells, unsigned n_rungs, double *rungs_bps)
{
  unsigned best = 0, n_used = 0;

  add_first_rung (points, n, pixels_per_s, cells);
  for (unsigned k = 1; k < n_rungs; k++) {
    for (unsigned i = 0; i < n; i++)
      cells[i].value = cells[i].next_value;
    add_rung (points, n, pixels_per_s, cells, k);
  }
  for (unsigned i = 1; i < n; i++)
    if (cells[i].next_value > cells[best].next_value)
      best = i;
  for (unsigned i = best; i < n; n_used++) {
    rungs_bps[n_used] = points[i].bps;
    i = cells[i].next_rung[n_rungs - 1 - n_used];
  }
  return n_used;
}

double
rc_placement_value (const RcPlacementPoint *points, unsigned n, double pixels_per_s,
    const double *rungs_bps, unsigned n_rungs)
{
  double value = 0;
  unsigned k = 0;

  for (unsigned i = 0; i < n; i++) {
    while (k < n_rungs && rungs_bps[k] <= points[i].bps)
      k++;
    if (n_rungs == 0)
      value += points[i].weight * rc_placement_quality (points[i].bps, pixels_per_s);
    else if (k > 0)
      value += points[i].weight * rc_placement_quality (rungs_bps[k - 1], pixels_per_s);
  }
  return value;
}
