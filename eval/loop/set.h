/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets of closed-loop cases: a table for each, one line a case, and a summary. A set is one
 * question about the live law, such as "how much does delay noise cost?"; cases.h has single
 * stories instead. */
#pragma once

#include "loop.h"

#define SET_MAX_COLUMNS 8

/* How a column is summed up over the cases of its set. */
typedef enum
{
  SET_MEAN = 1,
  SET_LEAST = 2,
  SET_MOST = 4,
} SetSummary;

typedef struct
{
  const char *name;             /* with its unit; NULL ends the columns */
  int decimals;
  unsigned summary;             /* of SetSummary */
} SetColumn;

typedef struct
{
  char name[64];
  LoopConfig config;
  RcTime *opportunities;        /* of its link, if it serves by a trace; freed with the case */
  RcTime *second_opportunities; /* the same of the second link */
} SetCase;

typedef struct
{
  const char *name, *what;
  unsigned n_cases;
  SetColumn columns[SET_MAX_COLUMNS];
  /* *self is zero but for the seed. */
  void (*fill) (unsigned index, SetCase *self);
  /* One value for each column; NAN: none. */
  void (*measure) (const Loop *loop, const LoopConfig *config, double *values);
  bool only_by_name;            /* too long to be one of all */
} LoopSet;
