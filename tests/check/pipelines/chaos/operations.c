/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

const Operation operations[] = {
  {20, "state", operate_state},
  {8, "state-and-wait", operate_state_and_wait},
  {6, "restarts", operate_restarts},
  {4, "recreate", operate_recreate},
  {5, "restart-sender", operate_restart_sender},
  {8, "seek", operate_seek},
  {8, "branch-seeks", operate_branch_seeks},
  {5, "flush", operate_flush},
  {8, "event", operate_event, TRUE},
  {6, "keyframe", operate_keyframe, TRUE},
  {4, "gate", operate_gate, TRUE},
  {4, "switch", operate_switch, TRUE},
  {1, "eos", operate_eos},
  {8, "add-branch", operate_add_branch},
  {8, "remove-branch", operate_remove_branch},
  {6, "replace-branch", operate_replace_branch},
  {5, "relink-sink", operate_relink_sink},
  {5, "relink-behind", operate_relink_behind},
  {6, "plug", operate_plug},
  {5, "unplug", operate_unplug},
  {6, "rtcp", operate_rtcp},
  {15, "property", operate_property, TRUE},
  {6, "pad-property", operate_pad_property, TRUE},
  {8, "read", operate_read, TRUE},
  {6, "query", operate_query, TRUE},
  {3, "host", operate_host},
  {3, "port", operate_port},
  {4, "address", operate_address},
  {4, "datagrams", operate_datagrams, TRUE},
  {2, "crowd", operate_crowd},
  {2, "audience", operate_audience},
};

const guint n_operations = G_N_ELEMENTS (operations);

const Operation *
operations_find (const gchar * name)
{
  for (guint i = 0; i < n_operations; i++)
    if (g_str_equal (operations[i].name, name))
      return &operations[i];
  return NULL;
}

static guint
weight_of (const Operation * operation, gchar ** wanted, gboolean beside)
{
  if (wanted && !g_strv_contains ((const gchar * const *) wanted, operation->name))
    return 0;
  return beside && !operation->beside ? 0 : operation->weight;
}

gboolean
operations_do_one (Scene * scene, Actor * actor, gchar ** wanted, gboolean beside)
{
  guint sum = 0, left;

  for (guint i = 0; i < n_operations; i++)
    sum += weight_of (&operations[i], wanted, beside);
  if (sum == 0)
    return FALSE;
  left = actor_below (actor, sum);
  for (guint i = 0; i < n_operations; i++) {
    guint weight = weight_of (&operations[i], wanted, beside);

    if (left < weight) {
      actor->operation = operations[i].name;
      operations[i].run (scene, actor);
      return TRUE;
    }
    left -= weight;
  }
  g_assert_not_reached ();
}
