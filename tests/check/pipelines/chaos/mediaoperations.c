/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

#include <gst/video/video.h>

#define LAST_POSITION_S 1000

static const StageId senders[] = { STAGE_CAMERA, STAGE_CINEMA, STAGE_STUDIO, STAGE_DOOR,
  STAGE_CONVOY
};

static StageId
choose_sender (Actor * actor)
{
  return senders[actor_below (actor, G_N_ELEMENTS (senders))];
}

static GstEvent *
new_seek (Actor * actor, guint * position_s)
{
  *position_s = actor_below (actor, LAST_POSITION_S);
  return gst_event_new_seek (1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH
      | (actor_one_in (actor, 2) ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT),
      GST_SEEK_TYPE_SET, *position_s * GST_SECOND, GST_SEEK_TYPE_NONE, 0);
}

static gboolean
all_are_seekable (const Stage * stage)
{
  for (guint i = 0; i < stage->branches->len; i++)
    if (!((Branch *) stage->branches->pdata[i])->seekable)
      return FALSE;
  return TRUE;
}

/* All sources, the live ones too. */
gboolean
operate_seek (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[choose_sender (actor)];
  guint position_s;
  GstEvent *seek = new_seek (actor, &position_s);

  actor_will (actor, "%s to %u s", stage->name, position_s);
  if (!all_are_seekable (stage))
    g_atomic_int_set (&stage->restart, TRUE);
  gst_element_send_event (stage->pipeline, seek);
  actor_done (actor);
  return TRUE;
}

/* An application that seeks its files one after the other; by one seek or one each. */
gboolean
operate_branch_seeks (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[choose_sender (actor)];
  gboolean same = actor_one_in (actor, 2), all = actor_one_in (actor, 2);
  guint position_s, first = actor_below (actor, 100), n = 0;
  g_autoptr (GstEvent) seek = new_seek (actor, &position_s);

  actor_will (actor, "%s of %s to %u s, %s", all ? "all" : "one", stage->name, position_s,
      same ? "the same seek" : "a seek each");
  for (guint i = 0; i < stage->branches->len && (all || n == 0); i++) {
    Branch *branch = stage->branches->pdata[(first + i) % stage->branches->len];
    g_autoptr (GstPad) pad = NULL;

    if (!branch->seekable)
      continue;
    n++;
    pad = branch_dup_pad (branch);
    if (!same)
      gst_event_set_seqnum (seek, gst_util_seqnum_next ());
    gst_pad_send_event (pad, gst_event_copy (seek));
  }
  actor_done (actor);
  return n > 0;
}

gboolean
operate_flush (Scene * scene, Actor * actor)
{
  StageId id = choose_sender (actor);
  gboolean reset = actor_one_in (actor, 2);
  guint pause_us = actor_below (actor, 3) * 10000;
  g_autoptr (GstElement) source = scene_dup_branch_part (scene, actor, id, "source");

  if (!source)
    return FALSE;
  actor_will (actor, "a source of %s for %u us%s", scene->stages[id].name, pause_us,
      reset ? ", time begins anew" : "");
  gst_element_send_event (source, gst_event_new_flush_start ());
  g_usleep (pause_us);
  gst_element_send_event (source, gst_event_new_flush_stop (reset));
  actor_done (actor);
  return TRUE;
}

static GstEvent *
new_event (guint kind)
{
  GstStructure *s = gst_structure_new ("GstChaos", "kind", G_TYPE_UINT, kind, NULL);

  switch (kind) {
    case 0:
      gst_structure_free (s);
      return gst_event_new_tag (gst_tag_list_new (GST_TAG_TITLE, "chaos", NULL));
    case 1:
      return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, s);
    case 2:
      return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_OOB, s);
    case 3:
      return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, s);
    default:
      gst_structure_free (s);
      return gst_video_event_new_downstream_force_key_unit (GST_CLOCK_TIME_NONE,
          GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, TRUE, 0);
  }
}

gboolean
operate_event (Scene * scene, Actor * actor)
{
  StageId id = choose_sender (actor);
  GstEvent *event = new_event (actor_below (actor, 5));
  g_autoptr (GstElement) source = scene_dup_branch_part (scene, actor, id, "source");

  if (!source) {
    gst_event_unref (event);
    return FALSE;
  }
  actor_will (actor, "%s into a source of %s", GST_EVENT_TYPE_NAME (event), scene->stages[id].name);
  gst_element_send_event (source, event);
  actor_done (actor);
  return TRUE;
}

gboolean
operate_keyframe (Scene * scene, Actor * actor)
{
  StageId id = choose_sender (actor);
  g_autoptr (GstElement) payloader = scene_dup_branch_part (scene, actor, id, "payloader");
  g_autoptr (GstPad) pad = NULL;

  if (!payloader)
    return FALSE;
  pad = gst_element_get_static_pad (payloader, "src");
  actor_will (actor, "wanted from a branch of %s", scene->stages[id].name);
  gst_pad_send_event (pad,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  actor_done (actor);
  return TRUE;
}

/* A stream that is silent for a while. */
gboolean
operate_gate (Scene * scene, Actor * actor)
{
  StageId id = choose_sender (actor);
  gboolean shut = actor_one_in (actor, 3);
  g_autoptr (GstElement) gate = scene_dup_branch_part (scene, actor, id, "gate");

  if (!gate)
    return FALSE;
  actor_will (actor, "a branch of %s %s", scene->stages[id].name, shut ? "is silent" : "is heard");
  g_object_set (gate, "drop-probability", shut ? 1.0 : 0.0, NULL);
  actor_done (actor);
  return TRUE;
}

/* The other way of an input-selector: packets that wait in the first are left out. */
gboolean
operate_switch (Scene * scene, Actor * actor)
{
  StageId id = choose_sender (actor);
  guint way = actor_below (actor, 2);
  g_autoptr (GstElement) selector = scene_dup_branch_part (scene, actor, id, "switch");
  g_autofree gchar *name = g_strdup_printf ("sink_%u", way);
  g_autoptr (GstPad) pad = selector ? gst_element_get_static_pad (selector, name) : NULL;

  if (!selector)
    return FALSE;
  actor_will (actor, "a branch of %s to way %u", scene->stages[id].name, way);
  g_object_set (selector, "active-pad", pad, NULL);
  actor_done (actor);
  return TRUE;
}

/* Only into a live source that streams: in READY it would keep it for its next start, and the call
 * waits for a thread that pushes into a sink that waits. */
gboolean
operate_eos (Scene * scene, Actor * actor)
{
  Stage *stage = &scene->stages[choose_sender (actor)];
  guint index = actor_below (actor, MAX (stage->branches->len, 1));
  Branch *branch = stage->branches->len > 0 ? stage->branches->pdata[index] : NULL;
  g_autoptr (GstElement) source = NULL;

  if (!branch || branch->seekable || GST_STATE (stage->pipeline) < GST_STATE_PLAYING)
    return FALSE;
  source = branch_dup_part (branch, "source");
  actor_will (actor, "into source %u of %s", index, stage->name);
  gst_element_send_event (source, gst_event_new_eos ());
  stage->ended = TRUE;
  actor_done (actor);
  return TRUE;
}
