/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which packets of a stream came already, when copies come by several lanes in any order. The rule
 * for numbers far from the others is in doubles.c. */
#pragma once

#include <rc/base/types.h>

#define RC_DOUBLES_WINDOW 4096  /* numbers remembered: 4 s at 10 Mbit/s */
#define RC_DOUBLES_STRAYS 8
#define RC_DOUBLES_STRAYS_TIME (50 * RC_MSEC)
#define RC_DOUBLES_AGAIN 64
#define RC_DOUBLES_AGAIN_TIME RC_SECOND

typedef struct
{
  uint64_t came[RC_DOUBLES_WINDOW / 64];        /* bit (number % WINDOW) */
  uint16_t highest;
} RcDoublesWindow;

typedef struct
{
  RcDoublesWindow window;
  bool begun;
  RcDoublesWindow strays;       /* outside the window, since the last one within */
  unsigned n_strays;
  unsigned n_again;             /* copies since the last packet that was none */
  RcTime strays_since, again_since;     /* of the first of those */
} RcDoubles;

void rc_doubles_init (RcDoubles *self);
/* false: it came before, or counts as if it had. */
bool rc_doubles_take (RcDoubles *self, uint16_t number, RcTime now);
