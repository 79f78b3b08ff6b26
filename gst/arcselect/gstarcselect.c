/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcselect
 * @title: arcselect
 * @see_also: arcladder, rmcsink, rtparcbwe
 *
 * Sends each of many viewers the one of a few encodings of the same picture that its network
 * carries.
 *
 * ## Behaviour
 * Each sink pad takes one encoding, as RTP or as an elementary stream. Each source pad is a viewer;
 * it follows the upstream event GstArcTargetBitrate of the sink behind it (rmcsink, rtparcbwe). A
 * viewer gets the encoding of the highest bitrate that its target carries. It switches at a
 * keyframe: downwards soon, upwards when the better picture has been missed for a while. Keyframes
 * are asked for with GstForceKeyUnit when those who wait have lost as much quality as a keyframe
 * costs all who watch the encoding (model: lib/rc/ladder), and never one for each viewer.
 *
 * A viewer is sent one stream: no frame twice, none missing, and in RTP one SSRC, with sequence
 * numbers and timestamps without a gap. Payloads are shared, headers are each viewer's own.
 *
 * A viewer whose network carries less than the lowest encoding gets that one without the frames
 * that no other frame needs: with H.264 those of nal_ref_idc 0, with H.265 those that are no
 * reference, with VP8 those with the bit N, and buffers with GST_BUFFER_FLAG_DROPPABLE. Where there
 * are none, or the rest is still too much, it is sent nothing, and an element message
 * GstArcSelectViewerState says so, and again when it is served. Until its sink has a target a
 * viewer gets the lowest encoding.
 *
 * ## Tuning
 * #GstArcSelectRung:bitrate of a sink pad, where the bitrate of the encoding is known; else it is
 * measured over a second.
 *
 * ## Statistics
 * See #GstArcSelect:stats.
 *
 * ## Clock and threads
 * Frames are pushed to the viewers on the streaming thread of the encoding. A sink must not block:
 * rmcsink never does with a live source. The laws read the monotonic clock.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcselect name=s \
 *     videotestsrc is-live=true ! tee name=t \
 *     t. ! queue ! x264enc tune=zerolatency bitrate=300 ! rtph264pay config-interval=-1 ! s. \
 *     t. ! queue ! x264enc tune=zerolatency bitrate=2000 ! rtph264pay config-interval=-1 ! s. \
 *     s. ! rmcsink host=192.0.2.1 port=5004 async=false \
 *     s. ! rmcsink host=192.0.2.2 port=5004 async=false
 * ]| Two viewers, each at 0.3 or 2 Mbit/s.
 *
 * ## Limits
 * Frames must leave the encoders in the order of their timestamps, and the same timestamps must
 * mean the same picture at all sink pads. RTP needs parameter sets in the stream
 * (config-interval=-1). Sinks need async=false, or a queue before them: else one that waits for
 * preroll stops all.
 * With intra refresh and without keyframes nobody can switch. Eight sink pads at most.
 *
 * Since: 0.1
 */

#include "gstarcselectprivate.h"

#include "base/clockglue.h"
#include "base/description.h"
#include "base/padname.h"
#include "base/watchlist.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>
#include <stdio.h>

G_DEFINE_TYPE_WITH_CODE (GstArcSelect, gst_arc_select, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_arc_select_debug, "arcselect", 0, "an encoding for each viewer"));
GST_ELEMENT_REGISTER_DEFINE (arcselect, "arcselect", GST_RANK_NONE, GST_TYPE_ARC_SELECT);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

/* --- data --- */

/* Viewers that the rung matters to, each with a reference. */
static GPtrArray *
viewers_of (GstArcSelect * self, guint number)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcSelectViewer *viewer = self->viewers->pdata[i];

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
    GstArcSelectViewer *viewer = viewers->pdata[i];

    if (viewer->choice.rung == RC_RUNGS_NONE && viewer->wish == (gint) number)
      g_ptr_array_add (waiting, g_ptr_array_steal_index_fast (viewers, i));
  }
  return waiting;
}

static guint
offer_all (GPtrArray * viewers, const SelectPiece * piece)
{
  guint errors = 0;

  for (guint i = 0; i < viewers->len; i++)
    errors += select_viewer_offer (viewers->pdata[i], piece) <= GST_FLOW_NOT_NEGOTIATED;
  return errors;
}

static void
deliver (GstArcSelect * self, const SelectPiece * piece)
{
  RcTime now = clock_glue_monotonic ();
  guint number = piece->rung->number, errors = 0;
  GPtrArray *viewers, *waiting = NULL;
  SelectActions actions;
  GQueue begin;

  g_mutex_lock (&self->lock);
  select_rung_note (piece->rung, piece, now);
  gst_arc_select_tick (self, now, &actions);
  viewers = viewers_of (self, number);
  begin = select_rung_keep_begin (piece->rung, piece, self->law->bps[number] > 0);
  if (!g_queue_is_empty (&begin))
    waiting = take_waiting (viewers, number);
  g_mutex_unlock (&self->lock);
  gst_arc_select_act (self, &actions);
  for (GList * l = begin.head; l; l = l->next)
    errors += offer_all (waiting, l->data);
  errors += offer_all (viewers, piece);
  g_queue_clear_full (&begin, select_piece_free);
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
gst_arc_select_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstArcSelectRung *rung = GST_ARC_SELECT_RUNG (pad);
  SelectPiece piece = select_rung_piece_of (rung, GST_MINI_OBJECT_CAST (buffer));

  deliver (GST_ARC_SELECT (parent), &piece);
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
gst_arc_select_chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstArcSelectRung *rung = GST_ARC_SELECT_RUNG (pad);
  guint n = gst_buffer_list_length (list);

  if (n > 0 && rung->is_rtp && has_one_frame (list)) {
    SelectPiece piece = select_rung_piece_of (rung, GST_MINI_OBJECT_CAST (list));

    deliver (GST_ARC_SELECT (parent), &piece);
  } else {
    for (guint i = 0; i < n; i++)
      gst_arc_select_chain (pad, parent, gst_buffer_ref (gst_buffer_list_get (list, i)));
  }
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

/* --- events --- */

static gboolean
are_all_eos (GstArcSelect * self)
{
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k] && !self->rungs[k]->eos)
      return FALSE;
  return TRUE;
}

static GPtrArray *
all_viewers (GstArcSelect * self)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = 0; i < self->viewers->len; i++)
    g_ptr_array_add (all, gst_object_ref (self->viewers->pdata[i]));
  return all;
}

/* One encoder may end before the others; the stream has ended when all have. */
static void
end_rung (GstArcSelect * self, GstArcSelectRung * rung)
{
  GPtrArray *viewers = NULL;

  g_mutex_lock (&self->lock);
  rung->eos = TRUE;
  if (are_all_eos (self))
    viewers = all_viewers (self);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; viewers && i < viewers->len; i++)
    select_viewer_push_event (viewers->pdata[i], gst_event_new_eos ());
  g_clear_pointer (&viewers, g_ptr_array_unref);
}

static GPtrArray *
present_viewers (GstArcSelect * self, GstArcSelectRung * rung)
{
  GPtrArray *found;

  g_mutex_lock (&self->lock);
  found = viewers_of (self, rung->number);
  for (guint i = found->len; i-- > 0;)
    if (((GstArcSelectViewer *) found->pdata[i])->choice.rung != (gint) rung->number)
      g_ptr_array_remove_index_fast (found, i);
  g_mutex_unlock (&self->lock);
  return found;
}

/* After a flush each viewer begins anew, at a keyframe. */
static void
flush_viewer (GstArcSelect * self, GstArcSelectViewer * viewer)
{
  select_viewer_reset (viewer);
  g_mutex_lock (&self->lock);
  viewer->choice.rung = RC_RUNGS_NONE;
  viewer->hold_at = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&self->lock);
}

static void
forward_to_present (GstArcSelect * self, GstArcSelectRung * rung, GstEvent * event)
{
  GPtrArray *viewers = present_viewers (self, rung);

  for (guint i = 0; i < viewers->len; i++) {
    if (GST_EVENT_IS_SERIALIZED (event) && GST_EVENT_TYPE (event) != GST_EVENT_FLUSH_STOP)
      select_viewer_push_event (viewers->pdata[i], gst_event_ref (event));
    else
      gst_pad_push_event (viewers->pdata[i], gst_event_ref (event));
    if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
      flush_viewer (self, viewers->pdata[i]);
  }
  g_ptr_array_unref (viewers);
}

/* After the end of all rungs another stream begins. */
static void
begin_rung (GstArcSelect * self, GstArcSelectRung * rung)
{
  GPtrArray *viewers = NULL;

  g_mutex_lock (&self->lock);
  if (rung->eos && are_all_eos (self))
    viewers = all_viewers (self);
  if (rung->eos)
    select_rung_reset (rung);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; viewers && i < viewers->len; i++) {
    flush_viewer (self, viewers->pdata[i]);
    select_viewer_begin_anew (viewers->pdata[i]);
  }
  g_clear_pointer (&viewers, g_ptr_array_unref);
}

static gboolean
gst_arc_select_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcSelect *self = GST_ARC_SELECT (parent);
  GstArcSelectRung *rung = GST_ARC_SELECT_RUNG (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      select_rung_set_caps (rung, caps);
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
      select_rung_reset (rung);
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
note_target (GstArcSelect * self, GstArcSelectViewer * viewer, GstEvent * event)
{
  const GstStructure *s = gst_event_get_structure (event);
  gboolean answers = FALSE, told = gst_structure_get_boolean (s, "answers", &answers);
  guint bps = 0;

  gst_structure_get_uint (s, "bitrate", &bps);
  g_mutex_lock (&self->lock);
  if (bps > 0)
    rc_viewerchoice_on_target (&viewer->choice, bps);
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
gst_arc_select_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcSelect *self = GST_ARC_SELECT (parent);
  GstArcSelectViewer *viewer = GST_ARC_SELECT_VIEWER (pad);

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

static GstPad *
add_rung (GstArcSelect * self, GstPadTemplate * templ, const gchar * name)
{
  GstArcSelectRung *rung;
  guint number = 0;
  gchar *own = NULL;

  g_mutex_lock (&self->lock);
  if (name == NULL || sscanf (name, "sink_%u", &number) != 1)
    for (number = 0; number < RC_PLACEMENT_MOST_RUNGS && self->rungs[number];)
      number++;
  if (number >= RC_PLACEMENT_MOST_RUNGS || self->rungs[number]) {
    g_mutex_unlock (&self->lock);
    GST_WARNING_OBJECT (self, "there are sink_0 to sink_%d, each once",
        RC_PLACEMENT_MOST_RUNGS - 1);
    return NULL;
  }
  own = g_strdup_printf ("sink_%u", number);
  rung = g_object_new (GST_TYPE_ARC_SELECT_RUNG, "name", own, "direction", GST_PAD_SINK, "template",
      templ, NULL);
  rung->number = number;
  self->rungs[number] = gst_object_ref (rung);
  g_mutex_unlock (&self->lock);
  g_free (own);
  gst_pad_set_chain_function (GST_PAD (rung), gst_arc_select_chain);
  gst_pad_set_chain_list_function (GST_PAD (rung), gst_arc_select_chain_list);
  gst_pad_set_event_function (GST_PAD (rung), gst_arc_select_sink_event);
  GST_PAD_SET_PROXY_CAPS (rung);
  return GST_PAD (rung);
}

static GstPad *
add_viewer (GstArcSelect * self, GstPadTemplate * templ, const gchar * name)
{
  gchar *own = pad_name_choose (GST_ELEMENT (self), "src_%u", name, &self->next_viewer);
  GstArcSelectViewer *viewer;

  g_mutex_lock (&self->lock);
  viewer = g_object_new (GST_TYPE_ARC_SELECT_VIEWER, "name", own, "direction", GST_PAD_SRC,
      "template", templ, NULL);
  viewer->lock = &self->lock;
  g_ptr_array_add (self->viewers, gst_object_ref (viewer));
  g_mutex_unlock (&self->lock);
  g_free (own);
  gst_pad_set_event_function (GST_PAD (viewer), gst_arc_select_src_event);
  return GST_PAD (viewer);
}

static void gst_arc_select_release_pad (GstElement * element, GstPad * pad);

static GstPad *
gst_arc_select_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcSelect *self = GST_ARC_SELECT (element);
  GstPad *pad = GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK ? add_rung (self, templ, name)
      : add_viewer (self, templ, name);

  if (pad == NULL)
    return NULL;
  gst_pad_set_active (pad, TRUE);
  if (!gst_element_add_pad (element, gst_object_ref (pad))) {
    gst_arc_select_release_pad (element, pad);
    gst_object_unref (pad);
    return NULL;
  }
  gst_object_unref (pad);
  return pad;
}

static void
forget_rung (GstArcSelect * self, GstArcSelectRung * rung)
{
  g_mutex_lock (&self->lock);
  if (self->rungs[rung->number] == rung) {
    self->rungs[rung->number] = NULL;
    select_rung_forget_begin (rung);
    for (guint i = 0; i < self->viewers->len; i++) {
      GstArcSelectViewer *viewer = self->viewers->pdata[i];

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
forget_viewer (GstArcSelect * self, GstArcSelectViewer * viewer)
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

static void
gst_arc_select_release_pad (GstElement * element, GstPad * pad)
{
  GstArcSelect *self = GST_ARC_SELECT (element);

  gst_object_ref (pad);
  if (GST_IS_ARC_SELECT_RUNG (pad))
    forget_rung (self, GST_ARC_SELECT_RUNG (pad));
  else
    forget_viewer (self, GST_ARC_SELECT_VIEWER (pad));
  gst_pad_set_active (pad, FALSE);
  if (GST_OBJECT_PARENT (pad) == GST_OBJECT (element))
    gst_element_remove_pad (element, pad);
  gst_object_unref (pad);
}

/* --- life --- */

static void
reset (GstArcSelect * self)
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
      select_rung_reset (self->rungs[k]);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < viewers->len; i++) {
    GstArcSelectViewer *viewer = viewers->pdata[i];

    flush_viewer (self, viewer);
    select_viewer_begin_anew (viewer);
    g_mutex_lock (&self->lock);
    rc_viewerchoice_init (&viewer->choice);
    viewer->wish = RC_RUNGS_NONE;
    viewer->stopped = viewer->needs_key = viewer->need_counts = FALSE;
    g_mutex_unlock (&self->lock);
  }
  g_ptr_array_unref (viewers);
}

static GstStateChangeReturn
gst_arc_select_change_state (GstElement * element, GstStateChange transition)
{
  GstStateChangeReturn result =
      GST_ELEMENT_CLASS (gst_arc_select_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (GST_ARC_SELECT (element));
  return result;
}

static void
gst_arc_select_finalize (GObject * object)
{
  GstArcSelect *self = GST_ARC_SELECT (object);

  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    gst_clear_object (&self->rungs[k]);
  g_ptr_array_unref (self->viewers);
  g_queue_clear_full (&self->news, (GDestroyNotify) gst_structure_free);
  g_free (self->law);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_arc_select_parent_class)->finalize (object);
}

/* Of the source, as far as the choice matters: for a picture of 720 lines at 25 frames/s. Another
 * size scales all bitrates of the curve, and hardly changes which differences are worth a
 * switch. */
#define USUAL_PIXELS_PER_S (1280 * 720 * 25.0)

static void
gst_arc_select_init (GstArcSelect * self)
{
  RcRungsParams params = {.n_rungs = RC_PLACEMENT_MOST_RUNGS,.min_bps = 1,.max_bps = 1e9,
    .pixels_per_s = USUAL_PIXELS_PER_S
  };

  g_mutex_init (&self->lock);
  g_queue_init (&self->news);
  self->viewers = g_ptr_array_new_with_free_func (gst_object_unref);
  self->ticked_at = self->shared_at = RC_TIME_NONE;
  self->law = g_new (RcRungs, 1);       /* too large for an instance */
  rc_rungs_init (self->law, &params);
  watch_list_add (GST_ELEMENT (self));
  encoder_walk_mark_steered (GST_ELEMENT (self));
}

static void
gst_arc_select_class_init (GstArcSelectClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_arc_select_finalize;
  gst_arc_select_install_properties (object_class);
  element_class->request_new_pad = gst_arc_select_request_new_pad;
  element_class->release_pad = gst_arc_select_release_pad;
  element_class->change_state = gst_arc_select_change_state;
  gst_element_class_add_static_pad_template_with_gtype (element_class, &sink_template,
      GST_TYPE_ARC_SELECT_RUNG);
  gst_element_class_add_static_pad_template_with_gtype (element_class, &src_template,
      GST_TYPE_ARC_SELECT_VIEWER);
  gst_element_class_set_static_metadata (element_class, "Encoding for each viewer", "Generic",
      "Sends each viewer the one of a few encodings of a picture that its network carries",
      "the gst-arc authors");
  gst_arc_select_describe (element_class);
}
