/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sets.h"

#include <string.h>

const LoopSet *const loop_sets[] = {
  &loop_set_noise, &loop_set_reorder, &loop_set_stalls, &loop_set_pauses, &loop_set_cellular,
  &loop_set_wifi,
  &loop_set_traces, &loop_set_clean, &loop_set_steps, &loop_set_frames, &loop_set_free,
  &loop_set_high,
  &loop_set_startup, &loop_set_tcp, &loop_set_floor, &loop_set_short, &loop_set_l4s,
  &loop_set_queues, &loop_set_aqm, &loop_set_own,
  &loop_set_routes, &loop_set_scans, &loop_set_wayback, &loop_set_squares, &loop_set_slow,
  &loop_set_steep, &loop_set_policers,
  &loop_set_guards, &loop_set_loss, &loop_set_falls, &loop_set_own_falls, &loop_set_drives,
  &loop_set_drives_quick, &loop_set_footage, &loop_set_lanes,
  &loop_set_drives_both, &loop_set_drives_both_quick, &loop_set_drives_att,
  &loop_set_drives_verizon, &loop_set_uplink,
  NULL
};

const LoopSet *
loop_set_find (const char *name)
{
  for (unsigned i = 0; loop_sets[i]; i++)
    if (strcmp (loop_sets[i]->name, name) == 0)
      return loop_sets[i];
  return NULL;
}
