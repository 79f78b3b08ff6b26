/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How alike two pictures are: SSIM of the luma, the mean over windows of 8x8 at a distance of 4
 * (Wang et al., 2004, with equal weights). */
#pragma once

#include <stdint.h>

#define SSIM_WINDOW 8           /* a picture's width and height are at least so large */

/* Rows of both are `width` bytes long. */
double ssim (const uint8_t * a, const uint8_t * b, int width, int height);
