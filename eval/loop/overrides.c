/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "overrides.h"

#include <rc/law/controller.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME 64

/* *name is good until the next call with the same index. */
static bool
parse (char *arg, unsigned index, const char **name, double *value)
{
  static char names[LOOP_MAX_PARAMS][MAX_NAME];
  const char *equals = strchr (arg, '=');
  size_t length;

  if (!equals || (length = (size_t) (equals - arg)) >= MAX_NAME)
    return false;
  memcpy (names[index], arg, length);
  names[index][length] = '\0';
  *name = names[index];
  *value = atof (equals + 1);
  return true;
}

static bool
runs_live_law (const LoopFlowConfig *flow)
{
  return flow->kind == LOOP_MEDIA && flow->profile == RC_PROFILE_LIVE
      && (!flow->law || strcmp (flow->law, "arc") == 0);
}

void
overrides_apply (char **args, int n, LoopConfig *config)
{
  const char *name;
  double value;
  unsigned k = 0;

  for (int i = 0; i < n && k < LOOP_MAX_PARAMS; i++) {
    if (!parse (args[i], k, &name, &value))
      continue;
    for (unsigned f = 0; f < config->n_flows; f++)
      if (runs_live_law (&config->flows[f])) {
        config->flows[f].param[k] = name;
        config->flows[f].value[k] = value;
      }
    k++;
  }
}

const char *
overrides_find_bad (char **args, int n)
{
  RcController law;
  const char *name;
  double value;

  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  for (int i = 0; i < n; i++)
    if (strchr (args[i], '=') && (!parse (args[i], 0, &name, &value)
            || !rc_controller_set_param (&law, name, value)))
      return args[i];
  return NULL;
}
