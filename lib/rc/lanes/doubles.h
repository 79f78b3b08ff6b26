/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which packets of a stream came already, when copies come by several lanes in any order. */
#pragma once

#include <rc/base/types.h>

/* Numbers remembered: 4 s at 10 Mbit/s. What is further behind counts as come; half of the 16-bit
 * numbers ahead begin anew. */
#define RC_DOUBLES_WINDOW 4096

typedef struct
{
  uint64_t came[RC_DOUBLES_WINDOW / 64];        /* bit (number % WINDOW) */
  uint16_t highest;
  bool begun;
} RcDoubles;

void rc_doubles_init (RcDoubles *self);
/* false: it came before. */
bool rc_doubles_take (RcDoubles *self, uint16_t number);
