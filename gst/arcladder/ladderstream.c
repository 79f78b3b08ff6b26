/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rungs, viewers, and what goes from the ones to the others: frames and events. */

#include "gstarcladderprivate.h"

#include "base/clockglue.h"
#include "base/padname.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>
#include <stdio.h>

/* --- data --- */

/* Viewers that the rung matters to, each with a reference. */
static GPtrArray *
viewers_of (GstArcLadder * self, guint number)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcLadderViewer *viewer = self->viewers->pdata[i];

    if (viewer->choice.rung == (gint) number || viewer->wish == (gint) number)
      g_ptr_array_add (found, gst_object_ref (viewer));
  }
  return found;
}

/* With the lock. Those who wait for a first frame are sent the rung from its beginning on, which is
 * taken out of the others. */
static GPtrArray *
take_waiting (GPtrArray * viewers, guint number)
{
  GPtrArray *waiting = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = viewers->len; i-- > 0;) {
    GstArcLadderViewer *viewer = viewers->pdata[i];

    if (viewer->choice.rung == RC_RUNGS_NONE && viewer->wish == (gint) number)
      g_ptr_array_add (waiting, g_ptr_array_steal_index_fast (viewers, i));
  }
  return waiting;
}

static guint
offer_all (GPtrArray * viewers, const LadderPiece * piece)
{
  guint errors = 0;

  for (guint i = 0; i < viewers->len; i++)
    errors += ladder_viewer_offer (viewers->pdata[i], piece) <= GST_FLOW_NOT_NEGOTIATED;
  return errors;
}

static void
deliver (GstArcLadder * self, const LadderPiece * piece)
{
  RcTime now = clock_glue_monotonic ();
  guint number = piece->rung->number, errors = 0;
  GPtrArray *viewers, *waiting = NULL;
  LadderActions actions;
  GQueue begin;

  g_mutex_lock (&self->lock);
  ladder_rung_note (piece->rung, piece, now);
  gst_arc_ladder_tick (self, now, &actions);
  viewers = viewers_of (self, number);
  begin = ladder_rung_keep_begin (piece->rung, piece, self->law->bps[number] > 0);
  if (!g_queue_is_empty (&begin))
    waiting = take_waiting (viewers, number);
  g_mutex_unlock (&self->lock);
  gst_arc_ladder_act (self, &actions);
  for (GList * l = begin.head; l; l = l->next)
    errors += offer_all (waiting, l->data);
  errors += offer_all (viewers, piece);
  g_queue_clear_full (&begin, ladder_piece_free);
  g_clear_pointer (&waiting, g_ptr_array_unref);
  g_ptr_array_unref (viewers);
  if (errors > 0) {
    g_mutex_lock (&self->lock);
    self->flow_errors += errors;
    g_mutex_unlock (&self->lock);
  }
}

/* A viewer that fails does not stop the others: it is counted. */
static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstArcLadderRung *rung = GST_ARC_LADDER_RUNG (pad);
  LadderPiece piece = ladder_rung_piece_of (rung, GST_MINI_OBJECT_CAST (buffer));

  deliver (GST_ARC_LADDER_CAST (parent), &piece);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Packets of several frames may come in one list. */
static gboolean
has_one_frame (GstBufferList * list)
{
  GstBuffer *first = gst_buffer_list_get (list, 0);
  GstBuffer *last = gst_buffer_list_get (list, gst_buffer_list_length (list) - 1);

  return GST_BUFFER_PTS (first) == GST_BUFFER_PTS (last);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstArcLadderRung *rung = GST_ARC_LADDER_RUNG (pad);
  guint n = gst_buffer_list_length (list);

  if (n > 0 && rung->is_rtp && has_one_frame (list)) {
    LadderPiece piece = ladder_rung_piece_of (rung, GST_MINI_OBJECT_CAST (list));

    deliver (GST_ARC_LADDER_CAST (parent), &piece);
  } else {
    for (guint i = 0; i < n; i++)
      chain (pad, parent, gst_buffer_ref (gst_buffer_list_get (list, i)));
  }
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

/* --- events --- */

static gboolean
are_all_eos (GstArcLadder * self)
{
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k] && !self->rungs[k]->eos)
      return FALSE;
  return TRUE;
}

static GPtrArray *
all_viewers (GstArcLadder * self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = 0; i < self->viewers->len; i++)
    g_ptr_array_add (all, gst_object_ref (self->viewers->pdata[i]));
  return all;
}

/* One encoder may end before the others; the stream has ended when all have. */
static void
end_rung (GstArcLadder * self, GstArcLadderRung * rung)
{
  GPtrArray *viewers = NULL;

  g_mutex_lock (&self->lock);
  rung->eos = TRUE;
  if (are_all_eos (self))
    viewers = all_viewers (self);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; viewers && i < viewers->len; i++)
    ladder_viewer_push_event (viewers->pdata[i], gst_event_new_eos ());
  g_clear_pointer (&viewers, g_ptr_array_unref);
}

static GPtrArray *
present_viewers (GstArcLadder * self, GstArcLadderRung * rung)
{
  GPtrArray *found;

  g_mutex_lock (&self->lock);
  found = viewers_of (self, rung->number);
  for (guint i = found->len; i-- > 0;)
    if (((GstArcLadderViewer *) found->pdata[i])->choice.rung != (gint) rung->number)
      g_ptr_array_remove_index_fast (found, i);
  g_mutex_unlock (&self->lock);
  return found;
}

/* After a flush each viewer begins anew, at a keyframe. */
static void
flush_viewer (GstArcLadder * self, GstArcLadderViewer * viewer)
{
  ladder_viewer_reset (viewer);
  g_mutex_lock (&self->lock);
  viewer->choice.rung = RC_RUNGS_NONE;
  viewer->hold_at = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&self->lock);
}

static void
forward_to_present (GstArcLadder * self, GstArcLadderRung * rung, GstEvent * event)
{
  GPtrArray *viewers = present_viewers (self, rung);

  for (guint i = 0; i < viewers->len; i++) {
    if (GST_EVENT_IS_SERIALIZED (event) && GST_EVENT_TYPE (event) != GST_EVENT_FLUSH_STOP)
      ladder_viewer_push_event (viewers->pdata[i], gst_event_ref (event));
    else
      gst_pad_push_event (viewers->pdata[i], gst_event_ref (event));
    if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
      flush_viewer (self, viewers->pdata[i]);
  }
  g_ptr_array_unref (viewers);
}

/* After the end of all rungs another stream begins. */
static void
begin_rung (GstArcLadder * self, GstArcLadderRung * rung)
{
  GPtrArray *viewers = NULL;

  g_mutex_lock (&self->lock);
  if (rung->eos && are_all_eos (self))
    viewers = all_viewers (self);
  if (rung->eos)
    ladder_rung_reset (rung);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; viewers && i < viewers->len; i++) {
    flush_viewer (self, viewers->pdata[i]);
    ladder_viewer_begin_anew (viewers->pdata[i]);
  }
  g_clear_pointer (&viewers, g_ptr_array_unref);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcLadder *self = GST_ARC_LADDER_CAST (parent);
  GstArcLadderRung *rung = GST_ARC_LADDER_RUNG (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      ladder_rung_set_caps (rung, caps);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &rung->segment);
      rung->seqnum++;
      break;
    case GST_EVENT_STREAM_START:
      begin_rung (self, rung);
      break;
    case GST_EVENT_TAG:
      break;
    case GST_EVENT_EOS:
      end_rung (self, rung);
      break;
    case GST_EVENT_FLUSH_STOP:
      forward_to_present (self, rung, event);
      g_mutex_lock (&self->lock);
      ladder_rung_reset (rung);
      g_mutex_unlock (&self->lock);
      rung->seqnum++;
      break;
    default:
      forward_to_present (self, rung, event);
      break;
  }
  gst_event_unref (event);
  return TRUE;
}

static void
note_target (GstArcLadder * self, GstArcLadderViewer * viewer, GstEvent * event)
{
  const GstStructure *s = gst_event_get_structure (event);
  gboolean answers = FALSE, told = gst_structure_get_boolean (s, "answers", &answers);
  guint bps = 0;

  gst_structure_get_uint (s, "bitrate", &bps);
  g_mutex_lock (&self->lock);
  if (bps > 0)
    rc_viewerchoice_on_target (&viewer->choice, bps);
  viewer->cause = encoder_orders_read_cause (s);
  viewer->on_trial |= told;
  gst_structure_get_uint64 (s, "host", &viewer->host);
  if (!answers)
    viewer->answers_since = RC_TIME_NONE;
  else if (viewer->answers_since == RC_TIME_NONE)
    viewer->answers_since = clock_glue_monotonic ();
  g_mutex_unlock (&self->lock);
}

/* Requests of a viewer stay here: its target is a matter of choice, its keyframes are asked for
 * together with others', and that it negotiates must not restart the encoders. */
static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcLadder *self = GST_ARC_LADDER_CAST (parent);
  GstArcLadderViewer *viewer = GST_ARC_LADDER_VIEWER (pad);

  if (gst_event_has_name (event, GST_ARC_TARGET_BITRATE)) {
    note_target (self, viewer, event);
  } else if (gst_video_event_is_force_key_unit (event)) {
    g_mutex_lock (&self->lock);
    viewer->needs_key = TRUE;
    g_mutex_unlock (&self->lock);
  } else if (GST_EVENT_TYPE (event) != GST_EVENT_RECONFIGURE
      && GST_EVENT_TYPE (event) != GST_EVENT_QOS) {
    return gst_pad_event_default (pad, parent, event);
  }
  gst_event_unref (event);
  return TRUE;
}

/* --- pads --- */

/* NULL: there is one of this number. */
static GstPad *
new_rung (GstArcLadder * self, GstPadTemplate * templ, guint number)
{
  GstArcLadderRung *rung = NULL;
  gchar *name = g_strdup_printf ("sink_%u", number);

  g_mutex_lock (&self->lock);
  if (!self->rungs[number]) {
    rung = g_object_new (GST_TYPE_ARC_LADDER_RUNG, "name", name, "direction", GST_PAD_SINK,
        "template", templ, NULL);
    rung->number = number;
    self->rungs[number] = gst_object_ref (rung);
    self->rung_pads = g_list_append (self->rung_pads, rung);
    self->rungs_cookie++;
  }
  g_mutex_unlock (&self->lock);
  g_free (name);
  if (!rung)
    return NULL;
  gst_pad_set_chain_function (GST_PAD (rung), chain);
  gst_pad_set_chain_list_function (GST_PAD (rung), chain_list);
  gst_pad_set_event_function (GST_PAD (rung), sink_event);
  GST_PAD_SET_PROXY_CAPS (rung);
  return GST_PAD (rung);
}

static GstPad *
request_rung (GstArcLadder * self, GstPadTemplate * templ, const gchar * name)
{
  GstPad *pad = NULL;
  guint number = 0;

  if (self->sinkpad) {
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s takes an encoding that is made elsewhere: "
            "set rungs=0 first", name ? name : "sink_%u"), (NULL));
    return NULL;
  }
  if (name && sscanf (name, "sink_%u", &number) == 1)
    pad = number < RC_PLACEMENT_MOST_RUNGS ? new_rung (self, templ, number) : NULL;
  else
    while (number < RC_PLACEMENT_MOST_RUNGS && !(pad = new_rung (self, templ, number)))
      number++;
  if (!pad)
    GST_WARNING_OBJECT (self, "there are sink_0 to sink_%d, each once",
        RC_PLACEMENT_MOST_RUNGS - 1);
  return pad;
}

/* The parent of such a pad is the element, of which it is no part: it faces inwards. */
GstPad *
gst_arc_ladder_add_rung (GstArcLadder * self, guint number)
{
  GstPad *pad = new_rung (self, gst_element_get_pad_template (GST_ELEMENT (self), "sink_%u"),
      number);

  if (!pad)
    return NULL;
  gst_object_set_parent (GST_OBJECT (pad), GST_OBJECT (self));
  gst_pad_set_active (pad, TRUE);
  return pad;
}

/* What comes from the viewer reaches all rungs, also those that are no pads of the element. */
static GstIterator *
iterate_rungs (GstPad * pad, GstObject * parent)
{
  GstArcLadder *self = GST_ARC_LADDER_CAST (parent);

  return gst_iterator_new_list (GST_TYPE_PAD, &self->lock, &self->rungs_cookie, &self->rung_pads,
      G_OBJECT (self), NULL);
}

static GstPad *
add_viewer (GstArcLadder * self, GstPadTemplate * templ, const gchar * name)
{
  gchar *own = pad_name_choose (GST_ELEMENT (self), "src_%u", name, &self->next_viewer);
  GstArcLadderViewer *viewer;

  g_mutex_lock (&self->lock);
  viewer = g_object_new (GST_TYPE_ARC_LADDER_VIEWER, "name", own, "direction", GST_PAD_SRC,
      "template", templ, NULL);
  viewer->lock = &self->lock;
  g_ptr_array_add (self->viewers, gst_object_ref (viewer));
  g_mutex_unlock (&self->lock);
  g_free (own);
  gst_pad_set_event_function (GST_PAD (viewer), src_event);
  gst_pad_set_iterate_internal_links_function (GST_PAD (viewer), iterate_rungs);
  return GST_PAD (viewer);
}

GstPad *
gst_arc_ladder_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcLadder *self = GST_ARC_LADDER_CAST (element);
  GstPad *pad = GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK
      ? request_rung (self, templ, name) : add_viewer (self, templ, name);

  if (pad == NULL)
    return NULL;
  gst_pad_set_active (pad, TRUE);
  if (!gst_element_add_pad (element, gst_object_ref (pad))) {
    gst_arc_ladder_release_pad (element, pad);
    gst_object_unref (pad);
    return NULL;
  }
  gst_object_unref (pad);
  return pad;
}

static void
forget_rung (GstArcLadder * self, GstArcLadderRung * rung)
{
  g_mutex_lock (&self->lock);
  if (self->rungs[rung->number] == rung) {
    self->rungs[rung->number] = NULL;
    self->rung_pads = g_list_remove (self->rung_pads, rung);
    self->rungs_cookie++;
    ladder_rung_forget_begin (rung);
    for (guint i = 0; i < self->viewers->len; i++) {
      GstArcLadderViewer *viewer = self->viewers->pdata[i];

      if (viewer->choice.rung == (gint) rung->number)
        viewer->choice.rung = RC_RUNGS_NONE;
      if (viewer->wish == (gint) rung->number)
        viewer->wish = RC_RUNGS_NONE;
    }
    gst_object_unref (rung);
  }
  g_mutex_unlock (&self->lock);
}

static void
forget_viewer (GstArcLadder * self, GstArcLadderViewer * viewer)
{
  gboolean had;

  g_mutex_lock (&self->lock);
  had = g_ptr_array_remove (self->viewers, viewer);
  if (had) {
    self->switches += viewer->switches;
    self->viewers_left++;
  }
  g_mutex_unlock (&self->lock);
}

void
gst_arc_ladder_remove_rung (GstArcLadder * self, GstPad * pad)
{
  forget_rung (self, GST_ARC_LADDER_RUNG (pad));
  gst_pad_set_active (pad, FALSE);
  gst_object_unparent (GST_OBJECT (pad));
}

void
gst_arc_ladder_release_pad (GstElement * element, GstPad * pad)
{
  GstArcLadder *self = GST_ARC_LADDER_CAST (element);

  gst_object_ref (pad);
  if (GST_IS_ARC_LADDER_RUNG (pad))
    forget_rung (self, GST_ARC_LADDER_RUNG (pad));
  else
    forget_viewer (self, GST_ARC_LADDER_VIEWER (pad));
  gst_pad_set_active (pad, FALSE);
  if (GST_OBJECT_PARENT (pad) == GST_OBJECT (element))
    gst_element_remove_pad (element, pad);
  gst_object_unref (pad);
}

/* --- life --- */

void
gst_arc_ladder_reset (GstArcLadder * self)
{
  RcRungsParams params;
  GPtrArray *viewers;

  g_mutex_lock (&self->lock);
  viewers = all_viewers (self);
  self->ticked_at = self->shared_at = RC_TIME_NONE;
  params = self->law->params;
  rc_rungs_init (self->law, &params);
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k])
      ladder_rung_reset (self->rungs[k]);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < viewers->len; i++) {
    GstArcLadderViewer *viewer = viewers->pdata[i];

    flush_viewer (self, viewer);
    ladder_viewer_begin_anew (viewer);
    g_mutex_lock (&self->lock);
    rc_viewerchoice_init (&viewer->choice);
    viewer->wish = RC_RUNGS_NONE;
    viewer->stopped = viewer->needs_key = viewer->need_counts = FALSE;
    g_mutex_unlock (&self->lock);
  }
  g_ptr_array_unref (viewers);
}
