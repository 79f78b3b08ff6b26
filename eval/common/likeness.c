/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "likeness.h"

#define STRIDE 4

/* (K L)^2 of the paper, with its K and 8 bits. */
static const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);

static double
window_ssim (const uint8_t *a, const uint8_t *b, int width)
{
  uint32_t sum_a = 0, sum_b = 0, squares_a = 0, squares_b = 0, products = 0;

  for (int y = 0; y < SSIM_WINDOW; y++, a += width, b += width) {
    for (int x = 0; x < SSIM_WINDOW; x++) {
      sum_a += a[x];
      sum_b += b[x];
      squares_a += a[x] * a[x];
      squares_b += b[x] * b[x];
      products += a[x] * b[x];
    }
  }
  const double n = SSIM_WINDOW * SSIM_WINDOW;
  double mean_a = sum_a / n, mean_b = sum_b / n;
  double variance_a = squares_a / n - mean_a * mean_a;
  double variance_b = squares_b / n - mean_b * mean_b;
  double covariance = products / n - mean_a * mean_b;
  return (2 * mean_a * mean_b + c1) * (2 * covariance + c2)
      / ((mean_a * mean_a + mean_b * mean_b + c1) * (variance_a + variance_b + c2));
}

double
ssim (const uint8_t *a, const uint8_t *b, int width, int height)
{
  double sum = 0;
  int count = 0;

  for (int y = 0; y + SSIM_WINDOW <= height; y += STRIDE) {
    for (int x = 0; x + SSIM_WINDOW <= width; x += STRIDE, count++)
      sum += window_ssim (a + y * width + x, b + y * width + x, width);
  }
  return sum / count;
}
