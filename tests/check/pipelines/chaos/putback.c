/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All as it was, and what must hold then. */

#include "privatenet.h"
#include "scene.h"

#define STATE_PATIENCE (10 * GST_SECOND)
#define LOOK_EACH_US 20000
#define ENOUGH_PACKETS 5

static void
put_back_values (Scene * self, StageId id)
{
  Stage *stage = &self->stages[id];

  for (guint i = 0; i < scene_n_subjects; i++) {
    g_autoptr (GstElement) element = NULL;

    if (scene_subjects[i].stage != id)
      continue;
    element = scene_dup_element (self, id, scene_subjects[i].element);
    property_values_put_back (&self->values, G_OBJECT (element));
  }
  for (guint i = 0; i < stage->branches->len; i++) {
    Branch *branch = stage->branches->pdata[i];
    GstElement *gate = branch_dup_part (branch, "gate");

    g_object_set (gate, "drop-probability", 0.0, NULL);
    gst_object_unref (gate);
    property_values_put_back (&self->values, G_OBJECT (branch->to));
  }
}

static void
put_back_stage (Scene * self, Actor * actor, StageId id)
{
  Stage *stage = &self->stages[id];
  gboolean fully = actor_one_in (actor, 2) || g_atomic_int_get (&stage->from_null);

  if (!stage->pipeline)
    scene_rebuild (self, actor, id);
  actor_will (actor, "%s%s", stage->name, !(stage->ended || g_atomic_int_get (&stage->restart)) ? ""
      : fully ? " by NULL" : " by READY");
  scene_remove_plugs (self, id);
  if (stage->ended || g_atomic_int_get (&stage->restart))
    gst_element_set_state (stage->pipeline, fully ? GST_STATE_NULL : GST_STATE_READY);
  put_back_values (self, id);
  if (scene_has_branches (id) && stage->branches->len == 0)
    scene_add_branch (self, actor, id);
  stage->ended = FALSE;
  g_atomic_int_set (&stage->restart, FALSE);
  g_atomic_int_set (&stage->from_null, FALSE);
  if (gst_element_set_state (stage->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    scene_read_messages (self, actor);
    watchdog_fail ("%s does not start again", stage->name);
  }
  actor_done (actor);
}

/* What our elements say of themselves, for whoever reads of a failure. */
static void
tell_stats (Scene * self, Actor * actor)
{
  for (guint i = 0; i < scene_n_subjects; i++) {
    const Subject *subject = &scene_subjects[i];
    g_autoptr (GstElement) element = scene_dup_element (self, subject->stage, subject->element);
    g_autoptr (GstStructure) stats = NULL;
    g_autofree gchar *text = NULL;

    if (!element)
      continue;
    g_object_get (element, "stats", &stats, NULL);
    text = gst_structure_to_string (stats);
    actor_note (actor, "(%s %s: %s)", self->stages[subject->stage].name, subject->element, text);
  }
}

static void
check_states (Scene * self, Actor * actor)
{
  for (guint id = 0; id < N_STAGES; id++) {
    Stage *stage = &self->stages[id];
    GstState now, pending;

    if (gst_element_get_state (stage->pipeline, &now, &pending, STATE_PATIENCE)
        == GST_STATE_CHANGE_SUCCESS && now == GST_STATE_PLAYING)
      continue;
    if (now == GST_STATE_PLAYING && pending == GST_STATE_VOID_PENDING)
      continue;
    scene_read_messages (self, actor);
    watchdog_fail ("%s does not get to PLAYING: it is %s, on its way to %s", stage->name,
        gst_element_state_get_name (now), gst_element_state_get_name (pending));
  }
}

/* NULL: media of all branches arrives. */
static const Branch *
missing_branch (Scene * self, const gchar ** where)
{
  for (guint id = 0; id < N_STAGES; id++) {
    Stage *stage = &self->stages[id];

    *where = stage->name;
    for (guint i = 0; i < stage->branches->len; i++) {
      Branch *branch = stage->branches->pdata[i];

      if (deliveries_of (&self->deliveries, branch->ssrc) < ENOUGH_PACKETS)
        return branch;
    }
  }
  return NULL;
}

/* NULL: all that is played is seen and heard. */
static const gchar *
missing_player (Scene * self, const gchar ** where)
{
  for (guint id = 0; id < N_STAGES; id++) {
    *where = self->stages[id].name;
    for (guint i = 0; i < scene_n_players; i++)
      if (scene_has_player (id, i) && scene_played (self, id, i) < ENOUGH_PACKETS)
        return scene_players[i];
  }
  return NULL;
}

static void
check_players (Scene * self, Actor * actor, gint64 began, guint patience_s)
{
  const gchar *missing, *where;

  while ((missing = missing_player (self, &where))) {
    scene_read_messages (self, actor);
    if (g_get_monotonic_time () - began > (gint64) patience_s * G_USEC_PER_SEC) {
      tell_stats (self, actor);
      watchdog_fail ("the %s of the %s is not played though all is as it was before", missing,
          where);
    }
    g_usleep (LOOK_EACH_US);
  }
}

/* A film that was sought minutes ahead stands in gst_base_sink_wait_clock () after a restart, now
 * and then. Whose fault that is has not been found: it is told, and no failure. */
static void
check_media (Scene * self, Actor * actor, guint patience_s)
{
  gint64 began = g_get_monotonic_time ();
  const Branch *missing;
  const gchar *where;

  deliveries_reset (&self->deliveries);
  while ((missing = missing_branch (self, &where))) {
    scene_read_messages (self, actor);
    if (g_get_monotonic_time () - began <= (gint64) patience_s * G_USEC_PER_SEC) {
      g_usleep (LOOK_EACH_US);
      continue;
    }
    tell_stats (self, actor);
    if (missing->seekable) {
      actor_note (actor, "%s's %s, SSRC %u, waits for its time", where, missing->kind,
          missing->ssrc);
      return;
    }
    watchdog_fail ("no media of %s's %s, SSRC %u, arrives though all is as it was before: "
        "%u packets in %u s", where, missing->kind, missing->ssrc,
        deliveries_of (&self->deliveries, missing->ssrc), patience_s);
  }
  check_players (self, actor, began, patience_s);
  actor_note (actor, "all media arrives and is played, after %.1f s",
      (gdouble) (g_get_monotonic_time () - began) / G_USEC_PER_SEC);
}

void
scene_put_back (Scene * self, Actor * actor, guint patience_s)
{
  actor->operation = "put-back";
  scene_read_messages (self, actor);
  if (self->private)
    privatenet_set_address (TRUE);
  for (guint id = 0; id < N_STAGES; id++)
    put_back_stage (self, actor, id);
  check_states (self, actor);
  check_media (self, actor, patience_s);
}
