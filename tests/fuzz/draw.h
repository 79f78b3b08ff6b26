/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Random numbers that are the same on every machine. */
#pragma once

#include <stdint.h>

static uint64_t random_state;

/* xorshift64*, so that every machine sees the same inputs. */
static uint32_t
draw (uint32_t n)
{
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t) (random_state * UINT64_C (0x2545f4914f6cdd1d) >> 32) % n;
}
