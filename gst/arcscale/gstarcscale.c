/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcscale
 * @title: arcscale
 * @see_also: rmcsink, rampscheduler, rtparcbwe
 *
 * Reduces the frame size or frame rate of raw video ahead of an encoder while the bitrate is too
 * low for the full ones.
 *
 * ## Behaviour
 * The element is a bin around the stock videorate, videoscale and capsfilter. It follows the
 * upstream event GstArcTargetBitrate of rmcsink, rampscheduler and rtparcbwe; until the first one,
 * video passes unmodified. Out of 1, 3/4, 2/3, 1/2, 3/8 and 1/4 of the lines, and 1, 1/2 and 1/3 of
 * the frame rate, it selects the largest combination that the encoder need not quantise too
 * coarsely (model: lib/rc/scale/scale.c). The difficulty of the content is learnt from the
 * quantiser of H.264 frames behind the encoder; with other encoders the content is assumed to be
 * typical.
 *
 * Reductions are at least 2 s apart and increases 5 s; variations of the rate by 20 % cause no
 * change. Each change posts an element message `GstArcScaleStep` (`width`, `height`, `framerate`,
 * `reason`, `bitrate`) and makes the encoder restart with a keyframe.
 *
 * ## Tuning
 * #GstArcScale:prefer and #GstArcScale:min-height.
 *
 * ## Statistics
 * See #GstArcScale:stats.
 *
 * ## Clock and threads
 * Time is the running time of the frames; a stream without timestamps keeps its first size. Apart
 * from the target and the quantiser, everything is handled on the streaming thread.
 *
 * ## Example
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! arcscale ! x264enc tune=zerolatency !
 *     rtph264pay mtu=1200 ! rmcsink host=192.0.2.1 port=5004
 * ]| A camera whose frame size decreases on a slow network. The receiver displays any size.
 *
 * ## Limits
 * Frames in system memory only. Interlaced video keeps its size. If caps downstream fix the size,
 * it stays, and a warning is posted once. docs/guide/encoders.md lists the encoders that accept a
 * new size while playing.
 *
 * Since: 0.1
 */

#include "gstarcscaleprivate.h"

#include "base/binparts.h"
#include "base/description.h"
#include "base/watchlist.h"

#include <gst/arc/arc.h>

#define GST_CAT_DEFAULT gst_arc_scale_debug

G_DEFINE_TYPE_WITH_CODE (GstArcScale, gst_arc_scale, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_scale_debug, "arcscale", 0, "size that follows the rate"));
GST_ELEMENT_REGISTER_DEFINE (arcscale, "arcscale", GST_RANK_NONE, GST_TYPE_ARC_SCALE);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)));

/* With average-period videorate passes each frame at once; without, it holds one back to compare
 * with the next. */
#define RATE_AVERAGE GST_SECOND

/* Of the frames, one in `divisor` passes: for whole divisors this keeps their distance even, and
 * costs no delay. */
static gboolean
is_frame_skipped (GstArcScale * self)
{
  guint divisor = 1;

  if (self->law.ladder.n_rungs > 0)
    divisor = self->law.ladder.rungs[self->rung].divisor;
  if (++self->skipped >= divisor) {
    self->skipped = 0;
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->frames_dropped++;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

/* Problem: videorate of GStreamer 1.26 drops each frame that comes sooner than the rate says, since
 * it forgets its average with each frame, and a camera's frames come sooner and later. Rule:
 * videorate, which is here to announce the rate and not to choose frames, sees none of their times;
 * they are restored behind it. It holds no frame back, so one time is on its way. */
static void
hide_time (GstArcScale * self, GstPadProbeInfo * info)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  self->hidden_pts = GST_BUFFER_PTS (buffer);
  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
}

static GstPadProbeReturn
on_rated_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcScale *self = user_data;
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  GST_BUFFER_PTS (buffer) = self->hidden_pts;
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_sink_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcScale *self = user_data;
  GstClockTime pts = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));

  if (self->segment.format == GST_FORMAT_TIME)
    pts = gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, pts);
  gst_arc_scale_step (self, pts);
  if (is_frame_skipped (self))
    return GST_PAD_PROBE_DROP;
  hide_time (self, info);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_sink_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcScale *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_arc_scale_set_input (self, caps);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &self->segment);
  return GST_PAD_PROBE_OK;
}

/* Problem: our filter asks all that is upstream to negotiate again. A camera would choose the size
 * that our filter prefers now, and that would be the full one from then on. */
static GstPadProbeReturn
on_sink_event_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcScale *self = user_data;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_RECONFIGURE
      && g_atomic_pointer_get (&self->setting) == g_thread_self ())
    return GST_PAD_PROBE_DROP;
  return GST_PAD_PROBE_OK;
}

/* The event goes on: the encoder has seen it, and a source may want to. */
static GstPadProbeReturn
on_src_event_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcScale *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  guint bps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM
      || !gst_event_has_name (event, GST_ARC_TARGET_BITRATE)
      || !gst_structure_get_uint (gst_event_get_structure (event), "bitrate", &bps) || bps == 0)
    return GST_PAD_PROBE_OK;
  GST_OBJECT_LOCK (self);
  rc_scale_on_target (&self->law, bps);
  self->target_cause = encoder_orders_read_cause (gst_event_get_structure (event));
  GST_OBJECT_UNLOCK (self);
  return GST_PAD_PROBE_OK;
}

/* What upstream may send: what follows prefers, and, since it is scaled here, every other size. Our
 * own filter must not show, or a camera would choose its present size. */
static gboolean
gst_arc_scale_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstArcScale *self = GST_ARC_SCALE (parent);
  GstCaps *filter, *caps, *any_size;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return gst_pad_query_default (pad, parent, query);
  gst_query_parse_caps (query, &filter);
  caps = gst_pad_peer_query_caps (self->srcpad, self->scalable);
  any_size = gst_caps_copy (caps);
  for (guint i = 0; i < gst_caps_get_size (any_size); i++)
    gst_structure_remove_fields (gst_caps_get_structure (any_size, i), "width", "height",
        "framerate", "pixel-aspect-ratio", NULL);
  caps = gst_caps_merge (caps, any_size);
  if (filter)
    gst_caps_take (&caps, gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST));
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

static void
on_encoded (GstElement * owner, gdouble bits, gdouble qp)
{
  GstArcScale *self = GST_ARC_SCALE (owner);

  GST_OBJECT_LOCK (self);
  rc_scale_on_frame (&self->law, bits, qp);
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
gst_arc_scale_change_state (GstElement * element, GstStateChange transition)
{
  GstArcScale *self = GST_ARC_SCALE (element);
  GstStateChangeReturn result;
  RcLadder none = { .n_rungs = 0 };

  if (!bin_parts_are_there (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
    self->running = GST_CLOCK_TIME_NONE;
    self->now = 0;
    GST_OBJECT_LOCK (self);
    gst_video_info_init (&self->input);
    rc_scale_init (&self->law, &none);
    self->rung = 0;
    self->refused = self->warned = FALSE;
    self->steps = self->refusals = self->frames_dropped = 0;
    GST_OBJECT_UNLOCK (self);
  }
  result = GST_ELEMENT_CLASS (gst_arc_scale_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    encoder_tap_close (self->tap);
  return result;
}

static void
gst_arc_scale_finalize (GObject * object)
{
  encoder_tap_free (GST_ARC_SCALE (object)->tap);
  gst_clear_caps (&GST_ARC_SCALE (object)->scalable);
  G_OBJECT_CLASS (gst_arc_scale_parent_class)->finalize (object);
}

/* What videoscale can scale, in system memory. */
static GstCaps *
scalable_caps (GstElement * videoscale)
{
  GstPad *pad = gst_element_get_static_pad (videoscale, "sink");
  GstCaps *all = gst_pad_get_pad_template_caps (pad), *ours = gst_static_pad_template_get_caps
      (&sink_template);
  GstCaps *caps = gst_caps_intersect (all, ours);

  gst_caps_unref (ours);
  gst_caps_unref (all);
  gst_object_unref (pad);
  return caps;
}

static void
add_pads (GstArcScale * self)
{
  self->sinkpad = bin_part_show (self, self->videorate, "sink", &sink_template);
  self->srcpad = bin_part_show (self, self->filter, "src", &src_template);
  gst_pad_set_query_function (self->sinkpad, gst_arc_scale_sink_query);
  /* At the pad within, which takes a list apart: each buffer of it is seen. */
  bin_part_probe (self->videorate, "sink", GST_PAD_PROBE_TYPE_BUFFER, on_sink_buffer, self);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_sink_event, self,
      NULL);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_sink_event_upstream,
      self, NULL);
  bin_part_probe (self->videorate, "src", GST_PAD_PROBE_TYPE_BUFFER, on_rated_buffer, self);
  gst_pad_add_probe (self->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_src_event_upstream, self,
      NULL);
}

static void
gst_arc_scale_init (GstArcScale * self)
{
  watch_list_add (GST_ELEMENT (self));
  self->tap = encoder_tap_new (on_encoded);
  gst_video_info_init (&self->input);
  rc_scale_init (&self->law, &(RcLadder) { .n_rungs = 0 });
  gst_arc_scale_init_settings (self);
  self->videorate = bin_part_make (self, "videorate", NULL);
  self->videoscale = bin_part_make (self, "videoscale", NULL);
  self->filter = bin_part_make (self, "capsfilter", NULL);
  if (!self->videorate || !self->videoscale || !self->filter)
    return;
  g_object_set (self->videorate, "drop-only", TRUE, "average-period", (guint64) RATE_AVERAGE,
      NULL);
  g_object_set (self->videoscale, "add-borders", FALSE, NULL);
  gst_element_link_many (self->videorate, self->videoscale, self->filter, NULL);
  self->scalable = scalable_caps (self->videoscale);
  add_pads (self);
}

static void
gst_arc_scale_class_init (GstArcScaleClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_arc_scale_finalize;
  gst_arc_scale_install_properties (object_class);
  element_class->change_state = gst_arc_scale_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Adaptive video scaler",
      "Filter/Converter/Video/Scaler",
      "Reduces frame size or frame rate while the bitrate is too low for the full ones",
      "the gst-arc authors");
  gst_arc_scale_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_SCALE_STEP, "the frame size or frame rate changes")
      DESCRIPTION_FIELD ("width", "uint, pixels", "new width")
      DESCRIPTION_FIELD ("height", "uint, lines", "new height")
      DESCRIPTION_FIELD ("framerate", "double, frames/s", "new frame rate")
      DESCRIPTION_FIELD ("reason", "string", "as the property")
      DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "target for which it was chosen")
      DESCRIPTION_FIELD ("cause", "string", "why that is no more, as the statistic target-cause"));
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "received from downstream and forwarded")
      DESCRIPTION_TARGET_BITRATE);
}
