/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

#define MAX_BRANCHES 6
#define MAX_PLUGS 3
#define RTCP_BYTES 64
#define BLOCK_PATIENCE_US 300000

gboolean
operate_add_branch (Scene * scene, Actor * actor)
{
  if (scene->stages[STAGE_STUDIO].branches->len >= MAX_BRANCHES)
    return FALSE;
  actor_will (actor, "to the scheduler");
  scene_add_branch (scene, actor, STAGE_STUDIO);
  actor_done (actor);
  return TRUE;
}

gboolean
operate_remove_branch (Scene * scene, Actor * actor)
{
  guint n = scene->stages[STAGE_STUDIO].branches->len;
  gboolean unlink_first = actor_one_in (actor, 2);
  guint index = actor_below (actor, MAX (n, 1));

  if (n == 0)
    return FALSE;
  actor_will (actor, "number %u of the scheduler, %s first", index, unlink_first ? "unlinked"
      : "released");
  scene_remove_branch (scene, STAGE_STUDIO, index, unlink_first);
  actor_done (actor);
  return TRUE;
}

/* A file in the place of a camera, or the other way round. */
gboolean
operate_replace_branch (Scene * scene, Actor * actor)
{
  StageId id = actor_one_in (actor, 2) ? STAGE_CAMERA : STAGE_CINEMA;

  if (scene->stages[id].branches->len == 0)
    return FALSE;
  actor_will (actor, "of %s", scene->stages[id].name);
  scene_remove_branch (scene, id, 0, FALSE);
  scene_add_branch (scene, actor, id);
  actor_done (actor);
  return TRUE;
}

/* --- the sink taken out and put in again --- */

typedef struct
{
  GMutex lock;
  GCond cond;
  gboolean blocked;
} Block;

static GstPadProbeReturn
on_blocked (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Block *block = user_data;

  g_mutex_lock (&block->lock);
  block->blocked = TRUE;
  g_cond_signal (&block->cond);
  g_mutex_unlock (&block->lock);
  return GST_PAD_PROBE_OK;
}

static gboolean
wait_until_blocked (Block * block)
{
  gint64 end = g_get_monotonic_time () + BLOCK_PATIENCE_US;
  gboolean blocked;

  g_mutex_lock (&block->lock);
  while (!block->blocked && g_cond_wait_until (&block->cond, &block->lock, end));
  blocked = block->blocked;
  g_mutex_unlock (&block->lock);
  return blocked;
}

static void
take_out_and_put_in (GstElement * pipeline, GstElement * sink, GstPad * source, GstPad * pad)
{
  gst_pad_unlink (source, pad);
  gst_element_set_locked_state (sink, TRUE);
  gst_element_set_state (sink, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (pipeline), sink);
  gst_element_set_locked_state (sink, FALSE);
  gst_bin_add (GST_BIN (pipeline), sink);
  if (gst_pad_link (source, pad) != GST_PAD_LINK_OK)
    watchdog_fail ("the sink cannot be linked again");
  gst_element_sync_state_with_parent (sink);
}

gboolean
operate_relink_sink (Scene * scene, Actor * actor)
{
  static const StageId ids[] = { STAGE_CAMERA, STAGE_CINEMA, STAGE_STUDIO, STAGE_DOOR,
    STAGE_CONVOY
  };
  StageId id = ids[actor_below (actor, G_N_ELEMENTS (ids))];
  GstElement *sink = scene_dup_element (scene, id, "sink");
  GstPad *pad = gst_element_get_static_pad (sink, "sink"), *source = gst_pad_get_peer (pad);
  Block *block = g_new0 (Block, 1);
  gulong probe;

  actor_will (actor, "of %s", scene->stages[id].name);
  probe = source ? gst_pad_add_probe (source, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, on_blocked,
      block, g_free) : 0;
  if (probe && wait_until_blocked (block)) {
    take_out_and_put_in (scene->stages[id].pipeline, sink, source, pad);
  } else {
    actor_note (actor, "(not: nothing comes that could be blocked)");
  }
  if (probe)
    gst_pad_remove_probe (source, probe);
  gst_clear_object (&source);
  gst_object_unref (pad);
  gst_object_unref (sink);
  actor_done (actor);
  return TRUE;
}

/* What follows a source of ours or the scheduler is linked anew while data waits. */
gboolean
operate_relink_behind (Scene * scene, Actor * actor)
{
  static const Subject subjects[] = {
    {STAGE_SCREEN, "in"}, {STAGE_VIEWER, "in"}, {STAGE_STUDIO, "scheduler"}, {STAGE_GUEST, "in"},
    {STAGE_DEPOT, "in"},
  };
  const Subject *subject = &subjects[actor_below (actor, G_N_ELEMENTS (subjects))];
  g_autoptr (GstElement) element = scene_dup_element (scene, subject->stage, subject->element);
  GstPad *source = gst_element_get_static_pad (element, "src"), *pad = gst_pad_get_peer (source);
  Block *block = g_new0 (Block, 1);
  gulong probe;

  actor_will (actor, "%s of %s", subject->element, scene->stages[subject->stage].name);
  probe = gst_pad_add_probe (source, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, on_blocked, block,
      g_free);
  if (pad && wait_until_blocked (block)) {
    gst_pad_unlink (source, pad);
    if (gst_pad_link (source, pad) != GST_PAD_LINK_OK)
      watchdog_fail ("what follows cannot be linked again");
  } else {
    actor_note (actor, "(not: nothing comes that could be blocked)");
  }
  gst_pad_remove_probe (source, probe);
  gst_clear_object (&pad);
  gst_object_unref (source);
  actor_done (actor);
  return TRUE;
}

/* --- request pads for RTCP --- */

static GstFlowReturn
swallow (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static GstPad *
new_loose_pad (GstPad * pad)
{
  gboolean is_source = GST_PAD_IS_SRC (pad);
  GstPad *loose = gst_object_ref_sink (gst_pad_new (NULL, is_source ? GST_PAD_SINK : GST_PAD_SRC));

  if (is_source)
    gst_pad_set_chain_function (loose, swallow);
  gst_pad_set_active (loose, TRUE);
  if (gst_pad_link (is_source ? pad : loose, is_source ? loose : pad) != GST_PAD_LINK_OK)
    watchdog_fail ("%s:%s cannot be linked", GST_DEBUG_PAD_NAME (pad));
  if (!is_source) {
    g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("application/x-rtcp");
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_pad_push_event (loose, gst_event_new_stream_start ("chaos"));
    gst_pad_push_event (loose, gst_event_new_caps (caps));
    gst_pad_push_event (loose, gst_event_new_segment (&segment));
  }
  return loose;
}

/* Not asked for again: that is an error of the application. */
static gboolean
may_request (GstElement * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  gboolean has = pad != NULL;

  gst_clear_object (&pad);
  return !has && gst_element_get_pad_template (element, name);
}

gboolean
operate_plug (Scene * scene, Actor * actor)
{
  static const gchar *const names[] = { "rtcp_sink", "rtcp_src", "sender_rtcp_src" };
  const Subject *subject = &scene_subjects[actor_below (actor, scene_n_subjects)];
  const gchar *name = names[actor_below (actor, G_N_ELEMENTS (names))];
  Stage *stage = &scene->stages[subject->stage];
  GstElement *element = scene_dup_element (scene, subject->stage, subject->element);
  GstPad *pad;

  if (!may_request (element, name) || stage->plugs->len >= MAX_PLUGS) {
    gst_object_unref (element);
    return FALSE;
  }
  actor_will (actor, "%s of %s", name, stage->name);
  pad = gst_element_request_pad_simple (element, name);
  if (pad)
    scene_add_plug (scene, subject->stage, element, pad, new_loose_pad (pad));
  gst_object_unref (element);
  actor_done (actor);
  return TRUE;
}

static Stage *
choose_plugged (Scene * scene, Actor * actor, guint * id, guint * index)
{
  *id = actor_below (actor, N_STAGES);
  *index = actor_below (actor, MAX_PLUGS);
  for (guint i = 0; i < N_STAGES; i++, *id = (*id + 1) % N_STAGES) {
    Stage *stage = &scene->stages[*id];

    if (stage->plugs->len > 0) {
      *index %= stage->plugs->len;
      return stage;
    }
  }
  return NULL;
}

gboolean
operate_unplug (Scene * scene, Actor * actor)
{
  guint id, index;
  Stage *stage = choose_plugged (scene, actor, &id, &index);

  if (!stage)
    return FALSE;
  actor_will (actor, "number %u of %s", index, stage->name);
  scene_remove_plug (scene, id, index);
  actor_done (actor);
  return TRUE;
}

/* Bytes that begin as RTCP does, as rtpbin sends them or worse. */
gboolean
operate_rtcp (Scene * scene, Actor * actor)
{
  guint id, index;
  Stage *stage = choose_plugged (scene, actor, &id, &index);
  Plug *plug = stage ? stage->plugs->pdata[index] : NULL;
  guint8 bytes[RTCP_BYTES];

  if (!plug || GST_PAD_IS_SRC (plug->pad))
    return FALSE;
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) actor_below (actor, 256);
  bytes[0] = 0x80;
  bytes[1] = (guint8) (200 + actor_below (actor, 8));
  GST_WRITE_UINT16_BE (bytes + 2, RTCP_BYTES / 4 - 1);
  actor_will (actor, "type %u into number %u of %s", bytes[1], index, stage->name);
  gst_pad_push (plug->loose, gst_buffer_new_memdup (bytes, sizeof bytes));
  actor_done (actor);
  return TRUE;
}
