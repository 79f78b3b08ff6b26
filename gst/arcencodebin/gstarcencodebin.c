/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcencodebin
 * @title: arcencodebin
 * @see_also: rmcsink, arcscale
 *
 * Makes an encoder follow its bitrate that reads it only when it starts, such as
 * svtav1enc, rav1enc or mpeg2enc. Raw video goes in, what the encoder makes comes out.
 *
 * ## Behaviour
 * The element is a bin around an instance of the encoder that #GstArcEncodeBin:encoder describes.
 * When #GstArcEncodeBin:bitrate falls by 15 % or rises by 25 %, a fresh instance gets the next
 * frame and so begins with a keyframe. The former instance is drained by a thread meanwhile, and
 * its last frames leave before the first of the fresh one. No frame is lost or doubled, and frames
 * keep their timestamps. For 2 s after a takeover only a rise to twice the bitrate counts. New caps
 * of the video make a fresh instance, too, so that each encoder takes a new size while it plays.
 * What changes in the caps of the stream goes downstream.
 *
 * rmcsink, rampscheduler and rtparcbwe set the bitrate.
 *
 * ## Tuning
 * #GstArcEncodeBin:encoder: a long distance of keyframes and no B-frames (which change the order
 * of timestamps where one instance ends).
 *
 * ## Statistics
 * See #GstArcEncodeBin:stats.
 *
 * ## Clock and threads
 * It reads no clock but to give up an encoder that does not give its last frames within 5 s. All
 * but the draining is done on the streaming thread.
 *
 * ## Example
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! arcencodebin encoder="svtav1enc preset=10" ! av1parse !
 *     rtpav1pay mtu=1200 ! rmcsink host=192.0.2.1 port=5004
 * ]| A camera by AV1, whose encoder alone would keep one bitrate.
 *
 * ## Limits
 * Video only. A takeover costs a keyframe, and for its time two instances of the encoder.
 *
 * Since: 0.1
 */

#include "gstarcencodebinprivate.h"

#include "base/description.h"
#include "base/watchlist.h"

#include <gst/arc/arc.h>

#define GST_CAT_DEFAULT gst_arc_encode_bin_debug
#define READABLE (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define WRITABLE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

enum
{
  PROP_0,
  PROP_ENCODER,
  PROP_BITRATE,
  PROP_STATS,
};

G_DEFINE_TYPE_WITH_CODE (GstArcEncodeBin, gst_arc_encode_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_encode_bin_debug, "arcencodebin", 0,
        "takeovers of encoders"));
GST_ELEMENT_REGISTER_DEFINE (arcencodebin, "arcencodebin", GST_RANK_NONE,
    GST_TYPE_ARC_ENCODE_BIN);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw(ANY)"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
on_frame (GstPad * pad, GstObject * parent, GstBuffer * frame)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (parent);

  if (!gst_arc_encode_bin_take_over (self, GST_BUFFER_PTS (frame))) {
    gst_buffer_unref (frame);
    return GST_FLOW_ERROR;
  }
  g_mutex_lock (&self->lock);
  self->frames_in++;
  g_mutex_unlock (&self->lock);
  return gst_pad_push (self->current->feed, frame);
}

/* The begin of a flush, and what is not serialized, wait for no stream lock: meanwhile the element
 * may stop. */
static gboolean
pass_on (GstArcEncodeBin * self, GstEvent * event)
{
  GstPad *feed = gst_arc_encode_bin_feed (self);
  gboolean taken = feed && gst_pad_push_event (feed, gst_event_ref (event));

  gst_clear_object (&feed);
  gst_event_unref (event);
  return taken;
}

static gboolean
on_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    return gst_arc_encode_bin_take_caps (self, event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    gst_arc_encode_bin_set_flushing (self, TRUE);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    gst_arc_encode_bin_set_flushing (self, FALSE);
  return pass_on (self, event);
}

static gboolean
on_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstPad *caught = gst_arc_encode_bin_caught (GST_ARC_ENCODE_BIN (parent));
  gboolean taken = caught && gst_pad_push_event (caught, gst_event_ref (event));

  gst_clear_object (&caught);
  gst_event_unref (event);
  return taken;
}

/* Would a fresh instance take these caps? The present one may take none but its own any more, as
 * mpeg2enc does. */
static void
answer_accept (GstPad * inner, GstQuery * query)
{
  GstCaps *caps, *possible = encoder_instance_possible_caps (inner);

  gst_query_parse_accept_caps (query, &caps);
  gst_query_set_accept_caps_result (query, gst_caps_is_subset (caps, possible));
  gst_caps_unref (possible);
}

static void
copy_field (GstStructure * to, const GstStructure * from, const gchar * name)
{
  if (gst_structure_has_field (from, name))
    gst_structure_set_value (to, name, gst_structure_get_value (from, name));
}

/* Raw video of each size and frame rate that what follows takes; ANY: all. */
static GstCaps *
sizes_downstream (GstArcEncodeBin * self, GstCaps * templ)
{
  static const gchar *const names[] = { "width", "height", "framerate", "pixel-aspect-ratio" };
  GstCaps *encoded = gst_pad_peer_query_caps (self->srcpad, NULL), *raw = gst_caps_new_empty ();

  if (gst_caps_is_any (encoded)) {
    gst_caps_unref (raw);
    return encoded;
  }
  for (guint i = 0; i < gst_caps_get_size (encoded); i++) {
    for (guint j = 0; j < gst_caps_get_size (templ); j++) {
      GstStructure *s = gst_structure_new_empty (gst_structure_get_name (gst_caps_get_structure
              (templ, j)));

      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        copy_field (s, gst_caps_get_structure (encoded, i), names[k]);
      raw = gst_caps_merge_structure_full (raw, s, gst_caps_features_copy (gst_caps_get_features
              (templ, j)));
    }
  }
  gst_caps_unref (encoded);
  return raw;
}

/* What the present instance takes, but in each size, since a fresh one takes it. */
static void
answer_caps (GstArcEncodeBin * self, GstPad * inner, GstQuery * query)
{
  GstCaps *filter, *taken = gst_pad_peer_query_caps (inner, NULL);
  GstCaps *templ = encoder_instance_possible_caps (inner), *sizes = sizes_downstream (self, templ);
  GstCaps *caps = gst_caps_make_writable (taken);

  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    gst_structure_remove_fields (gst_caps_get_structure (caps, i), "width", "height", "framerate",
        "pixel-aspect-ratio", NULL);
  gst_caps_take (&caps, gst_caps_intersect_full (caps, templ, GST_CAPS_INTERSECT_FIRST));
  gst_caps_take (&caps, gst_caps_intersect_full (caps, sizes, GST_CAPS_INTERSECT_FIRST));
  gst_query_parse_caps (query, &filter);
  if (filter)
    gst_caps_take (&caps, gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST));
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  gst_caps_unref (sizes);
  gst_caps_unref (templ);
}

/* The encoder answers, and for a fresh instance of it we do. */
static gboolean
on_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (parent);
  GstPad *inner = GST_PAD_IS_SINK (pad) ? gst_arc_encode_bin_feed (self)
      : gst_arc_encode_bin_caught (self);
  gboolean answered = TRUE;

  if (!inner)
    return gst_pad_query_default (pad, parent, query);
  if (GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS && GST_PAD_IS_SINK (pad))
    answer_accept (inner, query);
  else if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS && GST_PAD_IS_SINK (pad))
    answer_caps (self, inner, query);
  else
    answered = gst_pad_peer_query (inner, query);
  gst_object_unref (inner);
  return answered;
}

static GstStateChangeReturn
gst_arc_encode_bin_change_state (GstElement * element, GstStateChange transition)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !gst_arc_encode_bin_begin (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_arc_encode_bin_stop (self);
  result = GST_ELEMENT_CLASS (gst_arc_encode_bin_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE))
    gst_arc_encode_bin_end (self);
  return result;
}

static GstStructure *
stats_of (GstArcEncodeBin * self)
{
  GstStructure *stats;
  guint64 wanted_bps;

  GST_OBJECT_LOCK (self);
  wanted_bps = self->wanted_bps;
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  stats = gst_structure_new (GST_ARC_ENCODE_BIN_STATS,
      "wanted-bitrate", G_TYPE_UINT64, wanted_bps,
      "bitrate", G_TYPE_UINT64, self->current ? self->current->bps : 0,
      "frames-in", G_TYPE_UINT64, self->frames_in, "frames-out", G_TYPE_UINT64, self->frames_out,
      "takeovers", G_TYPE_UINT64, self->takeovers, "cut-off", G_TYPE_UINT64, self->cut_off, NULL);
  g_mutex_unlock (&self->lock);
  return stats;
}

static void
set_property (GObject * object, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_ENCODER:
      g_free (self->description);
      self->description = g_value_dup_string (value);
      break;
    case PROP_BITRATE:
      self->wanted_bps = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject * object, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (object);

  if (prop_id == PROP_STATS) {
    g_value_take_boxed (value, stats_of (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_ENCODER:
      g_value_set_string (value, self->description);
      break;
    case PROP_BITRATE:
      g_value_set_uint (value, (guint) self->wanted_bps);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_arc_encode_bin_finalize (GObject * object)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN (object);

  g_free (self->description);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  G_OBJECT_CLASS (gst_arc_encode_bin_parent_class)->finalize (object);
}

static void
gst_arc_encode_bin_init (GstArcEncodeBin * self)
{
  watch_list_add (GST_ELEMENT (self));
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, on_frame);
  gst_pad_set_event_function (self->sinkpad, on_sink_event);
  gst_pad_set_query_function (self->sinkpad, on_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, on_src_event);
  gst_pad_set_query_function (self->srcpad, on_query);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

static void
install_properties (GObjectClass * object_class)
{
  /**
   * GstArcEncodeBin:encoder:
   *
   * The encoder as gst-launch-1.0 writes it, alone or with elements before and behind it. It is
   * read when an instance is made.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ENCODER,
      g_param_spec_string ("encoder", "Encoder", "The encoder as gst-launch-1.0 writes it", NULL,
          WRITABLE | GST_PARAM_MUTABLE_READY));

  /**
   * GstArcEncodeBin:bitrate:
   *
   * Bitrate that is wanted, bit/s. 0: as the description of the encoder says. Changes that are not
   * worth a keyframe wait: falls of less than 15 %, rises of less than 25 %, and for 2 s after a
   * takeover rises to less than twice.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BITRATE,
      g_param_spec_uint ("bitrate", "Bitrate", "Bitrate, bit/s (0 = as the encoder says)", 0,
          G_MAXINT, 0, WRITABLE | GST_PARAM_MUTABLE_PLAYING));

  /**
   * GstArcEncodeBin:stats:
   *
   * Structure GstArcEncodeBinStats, all guint64. `wanted-bitrate` (bit/s), `bitrate` (bit/s, that
   * the present instance was made for; 0: what the description says), `frames-in`, `frames-out`,
   * `takeovers`, `cut-off` (instances that gave nothing for 5 s and kept their last frames).
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Structure GstArcEncodeBinStats",
          GST_TYPE_STRUCTURE, READABLE));
}

static void
gst_arc_encode_bin_class_init (GstArcEncodeBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = gst_arc_encode_bin_finalize;
  install_properties (object_class);
  element_class->change_state = gst_arc_encode_bin_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Encoder that follows its bitrate",
      "Codec/Encoder/Video",
      "Gives a fresh instance of an encoder the stream, at a keyframe, when the bitrate changes",
      "the gst-arc authors");
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_STATISTICS,
      DESCRIPTION_STRUCTURE (GST_ARC_ENCODE_BIN_STATS, "property stats")
      DESCRIPTION_FIELD ("wanted-bitrate", "uint64, bit/s", "as the property bitrate")
      DESCRIPTION_FIELD ("bitrate", "uint64, bit/s", "that the present instance was made for; 0: "
          "what the description says")
      DESCRIPTION_FIELD ("frames-in", "uint64", "of raw video")
      DESCRIPTION_FIELD ("frames-out", "uint64", "buffers that the encoders made")
      DESCRIPTION_FIELD ("takeovers", "uint64", "by fresh instances")
      DESCRIPTION_FIELD ("cut-off", "uint64", "instances that did not give their last frames"));
}
