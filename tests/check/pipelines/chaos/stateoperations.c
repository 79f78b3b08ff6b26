/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

#define MAX_RESTARTS 5

static GstState
choose_state (Actor * actor)
{
  static const GstState states[] = { GST_STATE_PLAYING, GST_STATE_PLAYING, GST_STATE_PLAYING,
    GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL
  };

  return states[actor_below (actor, G_N_ELEMENTS (states))];
}

static void
set_state (Stage * stage, Actor * actor, GstState state)
{
  if (gst_element_set_state (stage->pipeline, state) != GST_STATE_CHANGE_FAILURE)
    return;
  actor_note (actor, "(%s: refused)", stage->name);
  g_atomic_int_set (&stage->restart, TRUE);
}

gboolean
operate_state (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[actor_below (actor, N_STAGES)];
  GstState state = choose_state (actor);

  actor_will (actor, "%s to %s", stage->name, gst_element_state_get_name (state));
  set_state (stage, actor, state);
  actor_done (actor);
  return TRUE;
}

gboolean
operate_state_and_wait (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[actor_below (actor, N_STAGES)];
  GstState state = choose_state (actor);

  actor_will (actor, "%s to %s", stage->name, gst_element_state_get_name (state));
  set_state (stage, actor, state);
  gst_element_get_state (stage->pipeline, NULL, NULL, GST_SECOND / 2);
  actor_done (actor);
  return TRUE;
}

gboolean
operate_restarts (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[actor_below (actor, N_STAGES)];
  guint n = 1 + actor_below (actor, MAX_RESTARTS), pause_us = actor_below (actor, 3) * 10000;
  GstState low = actor_one_in (actor, 2) ? GST_STATE_NULL : GST_STATE_READY;

  actor_will (actor, "%s %u times from %s to PLAYING, %u us between", stage->name, n,
      gst_element_state_get_name (low), pause_us);
  for (guint i = 0; i < n; i++) {
    set_state (stage, actor, low);
    g_usleep (pause_us);
    set_state (stage, actor, GST_STATE_PLAYING);
    g_usleep (pause_us);
  }
  actor_done (actor);
  return TRUE;
}

/* Somebody else in the place of a sender, a receiver or the relay. */
gboolean
operate_recreate (Scene * scene, Actor * actor)
{
  StageId id = actor_below (actor, N_STAGES);
  GstState state = choose_state (actor);

  actor_will (actor, "%s, then to %s", scene->stages[id].name, gst_element_state_get_name (state));
  scene_tear_down (scene, id);
  scene_rebuild (scene, actor, id);
  set_state (&scene->stages[id], actor, state);
  actor_done (actor);
  return TRUE;
}

/* A sender that starts again at once sends from the port it had, or from any other. */
gboolean
operate_restart_sender (Scene * scene, Actor * actor)
{
  StageId id = actor_one_in (actor, 2) ? STAGE_CAMERA : STAGE_STUDIO;
  guint port = scene->port + 6 + (id == STAGE_STUDIO);
  guint bind_port = actor_one_in (actor, 2) ? port : 0;
  g_autoptr (GstElement) sink = scene_dup_element (scene, id, "sink");

  actor_will (actor, "%s from port %u (0: any)", scene->stages[id].name, bind_port);
  set_state (&scene->stages[id], actor, GST_STATE_NULL);
  g_object_set (sink, "bind-port", bind_port, NULL);
  set_state (&scene->stages[id], actor, GST_STATE_PLAYING);
  actor_done (actor);
  return TRUE;
}
