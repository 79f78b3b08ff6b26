/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

static GstElement *
choose_element (Scene * scene, Actor * actor, StageId * id)
{
  const Subject *subject = &scene_subjects[actor_below (actor, scene_n_subjects)];

  *id = subject->stage;
  return scene_dup_element (scene, subject->stage, subject->element);
}

gboolean
operate_property (Scene * scene, Actor * actor)
{
  StageId id;
  g_autoptr (GstElement) element = choose_element (scene, actor, &id);
  const gchar *name;
  gboolean changed;

  if (!element)
    return FALSE;
  changed = property_values_change (&scene->values, actor, G_OBJECT (element), &name);
  if (changed)
    scene_mark_change (scene, id, G_OBJECT (element), name);
  return changed;
}

gboolean
operate_pad_property (Scene * scene, Actor * actor)
{
  g_autoptr (GstPad) pad = scene_dup_branch_part (scene, actor, STAGE_STUDIO, NULL);
  const gchar *name;
  gboolean changed;

  if (!pad)
    return FALSE;
  changed = property_values_change (&scene->values, actor, G_OBJECT (pad), &name);
  return changed;
}

gboolean
operate_read (Scene * scene, Actor * actor)
{
  StageId id;
  gboolean of_pad = actor_one_in (actor, 3);
  gpointer object = of_pad ? scene_dup_branch_part (scene, actor, STAGE_STUDIO, NULL)
      : choose_element (scene, actor, &id);

  if (!object)
    return FALSE;
  actor_will (actor, "%s", GST_OBJECT_NAME (object));
  property_values_read_all (object);
  gst_object_unref (object);
  actor_done (actor);
  return TRUE;
}

static GstQuery *
new_query (guint kind)
{
  switch (kind) {
    case 0:
      return gst_query_new_latency ();
    case 1:
      return gst_query_new_position (GST_FORMAT_TIME);
    case 2:
      return gst_query_new_duration (GST_FORMAT_TIME);
    case 3:
      return gst_query_new_seeking (GST_FORMAT_TIME);
    default:
      return gst_query_new_segment (GST_FORMAT_TIME);
  }
}

gboolean
operate_query (Scene * scene, Actor * actor)
{
  StageId id = actor_below (actor, N_STAGES);
  g_autoptr (GstQuery) query = new_query (actor_below (actor, 5));
  GstElement *pipeline = scene_dup_pipeline (scene, id);

  if (pipeline) {
    actor_will (actor, "%s of %s", GST_QUERY_TYPE_NAME (query), GST_OBJECT_NAME (pipeline));
    gst_element_query (pipeline, query);
    gst_object_unref (pipeline);
    actor_done (actor);
  }
  return pipeline != NULL;
}
