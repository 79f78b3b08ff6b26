/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Random numbers that are the same bits on every machine: no libm, whose last digits differ. */
#pragma once

#include <stdint.h>

/* splitmix64: every seed is a good one, and the state is one word. */
static inline uint64_t
link_random_next (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* [0, 1) */
static inline double
link_random_uniform (uint64_t *state)
{
  return (double) (link_random_next (state) >> 11) * (1.0 / 9007199254740992.0);
}

/* Sum of twelve uniforms: mean 0, variance 1; its tails end at 6. */
static inline double
link_random_normal (uint64_t *state)
{
  double sum = -6;

  for (unsigned i = 0; i < 12; i++)
    sum += link_random_uniform (state);
  return sum;
}

/* Mean 1, by the comparisons of von Neumann (1951): a run of falling uniforms that ends after an
 * odd number of them accepts its first one; each run that does not adds 1. */
static inline double
link_random_exponential (uint64_t *state)
{
  for (double whole = 0;; whole++) {
    double first = link_random_uniform (state), last = first, next;
    unsigned length = 1;

    while ((next = link_random_uniform (state)) < last) {
      last = next;
      length++;
    }
    if (length % 2 == 1)
      return whole + first;
  }
}
