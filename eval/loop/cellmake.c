/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* cell-trace [NAME [SEED [SECONDS]]]: prints a made trace of a cellular link in the format of
 * mahimahi, for linkemu --trace mm:FILE. Without a name it lists the models. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cellmodel.h"

#define MAX_OPPORTUNITIES 10000000

static void
print_trace (const CellModel *model, uint64_t seed, double length_s)
{
  RcTime *at = malloc (MAX_OPPORTUNITIES * sizeof *at);
  uint32_t n = cell_model_make (model, seed, length_s, at, MAX_OPPORTUNITIES);

  for (uint32_t i = 0; i < n; i++)
    printf ("%lld\n", (long long) (at[i] / RC_MSEC));
  free (at);
}

int
main (int argc, char **argv)
{
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  double length_s = argc > 3 ? atof (argv[3]) : 120;

  for (const CellModel *model = cell_models; model->name; model++)
    if (argc < 2)
      puts (model->name);
    else if (strcmp (argv[1], model->name) == 0) {
      print_trace (model, seed, length_s);
      return 0;
    }
  return argc < 2 ? 0 : 1;
}
