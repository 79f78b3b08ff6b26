/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcladder
 * @title: arcladder
 * @see_also: arcscale, rmcsink, rtparcbwe, arcserversink
 *
 * One camera for many viewers: encodes raw video a few times, at the bitrates that serve the
 * viewers best, and sends each viewer the best encoding that its network carries. It also chooses
 * among encodings of one picture that are made elsewhere.
 *
 * ## Behaviour
 * The element is a bin of #GstArcLadder:rungs encoders, each behind an arcscale. Each source pad is
 * a viewer, whose sink (rmcsink, rtparcbwe) says by the upstream event GstArcTargetBitrate what its
 * network carries. The bitrates of the encoders are those at which the sum of the viewers' quality
 * is the most; they move when the quality that was lost since the last move exceeds what a move
 * costs (model: lib/rc/ladder). Encoders that nobody needs get no frames.
 *
 * With `rungs=0` nothing is encoded here: each request pad `sink_%u` takes one encoding of the same
 * picture, as RTP or as an elementary stream. Nobody moves them.
 *
 * A viewer gets the encoding of the highest bitrate that its target carries. It switches at a
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
 * GstArcLadderViewerState says so, and again when it is served. That is tried with the lowest
 * encoding for 6 s, after pauses of 2 to 32 s. Until its sink has a target a viewer gets the lowest
 * encoding.
 *
 * An encoder that fails is one warning, and the others go on; only if all have failed, the error is
 * posted. An element message GstArcLadderRungs has the bitrates after each move.
 *
 * ## Tuning
 * #GstArcLadder:rungs, #GstArcLadder:encoder, #GstArcLadder:max-bitrate. #GstArcLadderRung:bitrate
 * of a pad `sink_%u`, where the bitrate of the encoding is known; else it is measured over a
 * second. #GstArcLadderViewer:weight of a pad `src_%u`.
 *
 * ## Statistics
 * See #GstArcLadder:stats.
 *
 * ## Clock and threads
 * Each encoder has a thread, on which its frames are pushed to its viewers; those of a pad
 * `sink_%u` are pushed on its streaming thread. A sink must not block: rmcsink never does with a
 * live source. The laws read the monotonic clock. Encoders are set on a worker.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcladder name=l v4l2src ! videoconvert ! l. \
 *     l. ! rmcsink host=192.0.2.1 port=5004 async=false \
 *     l. ! rmcsink host=192.0.2.2 port=5004 async=false
 * ]| Two viewers, each with an encoding for its network.
 *
 * |[
 * gst-launch-1.0 arcladder name=l rungs=0 \
 *     videotestsrc is-live=true ! tee name=t \
 *     t. ! queue ! x264enc tune=zerolatency bitrate=300 ! rtph264pay config-interval=-1 ! l. \
 *     t. ! queue ! x264enc tune=zerolatency bitrate=2000 ! rtph264pay config-interval=-1 ! l. \
 *     l. ! rmcsink host=192.0.2.1 port=5004 async=false \
 *     l. ! rmcsink host=192.0.2.2 port=5004 async=false
 * ]| Two viewers, each at 0.3 or 2 Mbit/s.
 *
 * ## Limits
 * Encoded here is raw video in system memory only. Frames must leave the encoders in the order of
 * their timestamps, and the same timestamps must mean the same picture in all encodings. RTP needs
 * parameter sets in the stream (config-interval=-1). Sinks need async=false, or a queue before
 * them: else one that waits for preroll stops all. With intra refresh and without keyframes nobody
 * can switch. Eight encodings at most.
 *
 * Since: 0.1
 */

#include "gstarcladderprivate.h"

#include "base/binparts.h"
#include "base/propertyrows.h"
#include "base/watchlist.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>
#include <string.h>


#define USUAL_FPS 30
/* Of the source, as far as the choice matters: for a picture of 720 lines at 25 frames/s. Another
 * size scales all bitrates of the curve, and hardly changes which differences are worth a
 * switch. */
#define USUAL_PIXELS_PER_S (1280 * 720 * 25.0)

G_DEFINE_TYPE_WITH_CODE (GstArcLadder, gst_arc_ladder, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_ladder_debug, "arcladder", 0, "few encodings, many viewers"));
GST_ELEMENT_REGISTER_DEFINE (arcladder, "arcladder", GST_RANK_NONE, GST_TYPE_ARC_LADDER);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_SOMETIMES, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)));
static GstStaticPadTemplate rung_template = GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

/* --- rungs that are made here --- */

/* Of RC_PLACEMENT_MOST_RUNGS; each with a reference. Returns how many. */
static guint
dup_encoders (GstArcLadder * self, LadderEncoder ** encoders)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_encoders;
  for (guint k = 0; k < n; k++)
    encoders[k] = ladder_encoder_ref (self->encoders[k]);
  g_mutex_unlock (&self->lock);
  return n;
}

static void
post_rungs (GstArcLadder * self, const gdouble * bps, guint n)
{
  GValue array = G_VALUE_INIT, value = G_VALUE_INIT;
  GstStructure *s = gst_structure_new_empty (GST_ARC_LADDER_RUNGS);

  g_value_init (&array, GST_TYPE_ARRAY);
  for (guint k = 0; k < n; k++) {
    g_value_init (&value, G_TYPE_UINT);
    g_value_set_uint (&value, (guint) bps[k]);
    gst_value_array_append_and_take_value (&array, &value);
  }
  gst_structure_take_value (s, "bitrates", &array);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), s));
}

/* On a worker: what the law has placed, the encoders are set to. Whoever is called may stop the
 * element. A rung that viewers have goes on: they may wait for the keyframe of another one. */
static void
apply (gpointer owner)
{
  GstArcLadder *self = owner;
  LadderEncoder *encoders[RC_PLACEMENT_MOST_RUNGS];
  gdouble bps[RC_PLACEMENT_MOST_RUNGS];
  gboolean watched[RC_PLACEMENT_MOST_RUNGS];
  guint n = dup_encoders (self, encoders);

  g_mutex_lock (&self->lock);
  memcpy (bps, self->law->bps, sizeof (bps));
  for (guint k = 0; k < n; k++)
    watched[k] = self->rungs[k] && self->rungs[k]->members > 0;
  g_mutex_unlock (&self->lock);
  GST_DEBUG_OBJECT (self, "rungs at %.0f, %.0f, %.0f, %.0f bit/s", bps[0], bps[1], bps[2], bps[3]);
  for (guint k = 0; k < n; k++) {
    if (bps[k] > 0 || !watched[k])
      ladder_encoder_set_bps (encoders[k], (guint) bps[k]);
    ladder_encoder_unref (encoders[k]);
  }
  if (n > 0)
    post_rungs (self, bps, n);
}

static void
place (GstArcLadder * self)
{
  RcRungsParams params = {.n_rungs = RC_PLACEMENT_MOST_RUNGS,.min_bps = 1,.max_bps = 1e9 };
  gboolean placing;
  guint start_bps;

  GST_OBJECT_LOCK (self);
  params.pixels_per_s = self->pixels_per_s;
  placing = self->placed_rungs > 0;
  if (placing) {
    params.n_rungs = self->placed_rungs;
    params.min_bps = self->min_bps;
    params.max_bps = MAX (self->max_bps, self->min_bps);
  }
  start_bps = CLAMP (self->start_bps, self->min_bps, MAX (self->max_bps, self->min_bps));
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  rc_rungs_set_params (self->law, &params);
  self->placing = placing;
  self->placed_bps = start_bps;
  g_mutex_unlock (&self->lock);
}

static void
warn (GObject * bin, const gchar * sentence)
{
  GST_ELEMENT_WARNING (bin, STREAM, ENCODE, ("%s", sentence), (NULL));
}

static gboolean
add_encoder (GstArcLadder * self, LadderEncoderConfig * config, guint number, GError ** error)
{
  LadderEncoder *encoder;

  config->rung = gst_arc_ladder_add_rung (self, number);
  if (!config->rung) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_PAD, "the pad sink_%u takes an encoding "
        "that is made elsewhere: release it, or set rungs=0", number);
    return FALSE;
  }
  encoder = ladder_encoder_new (config, error);
  if (!encoder) {
    gst_arc_ladder_remove_rung (self, config->rung);
    return FALSE;
  }
  g_mutex_lock (&self->lock);
  self->encoders[number] = encoder;
  self->n_encoders = number + 1;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
add_encoders (GstArcLadder * self)
{
  GError *error = NULL;
  LadderEncoderConfig config = {.bin = GST_BIN (self),.tee = self->tee,.warn = warn };
  gchar *encoder, *payloader;
  guint n;

  GST_OBJECT_LOCK (self);
  config.encoder = encoder = g_strdup (self->encoder);
  config.payloader = payloader = g_strdup (self->payloader);
  n = self->placed_rungs;
  GST_OBJECT_UNLOCK (self);
  for (guint k = 0; k < n && add_encoder (self, &config, k, &error);)
    k++;
  if (error)
    GST_ELEMENT_ERROR (self, CORE, FAILED, ("The encoding \"%s\" cannot be built: %s.", encoder,
            error->message), ("Try the same in gst-launch-1.0: videotestsrc ! %s ! %s fakesink",
            encoder, payloader && payloader[0] ? payloader : ""));
  g_free (encoder);
  g_free (payloader);
  return error == NULL ? TRUE : (g_error_free (error), FALSE);
}

static void
remove_encoders (GstArcLadder * self)
{
  LadderEncoder *encoders[RC_PLACEMENT_MOST_RUNGS];
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_encoders;
  memcpy (encoders, self->encoders, sizeof (encoders));
  self->n_encoders = 0;
  g_mutex_unlock (&self->lock);
  for (guint k = 0; k < n; k++) {
    ladder_encoder_take_out (encoders[k]);
    gst_arc_ladder_remove_rung (self, ladder_encoder_rung (encoders[k]));
    ladder_encoder_unref (encoders[k]);
  }
}

/* --- an encoder that fails --- */

/* The rung that has failed, RC_RUNGS_NONE if it is none; left: how many go on. */
static gint
fail_encoder (GstArcLadder * self, GstObject * source, guint * left)
{
  LadderEncoder *encoders[RC_PLACEMENT_MOST_RUNGS];
  gint found = RC_RUNGS_NONE;
  guint n = dup_encoders (self, encoders);

  *left = 0;
  for (guint k = 0; k < n; k++) {
    if (ladder_encoder_owns (encoders[k], source)) {
      ladder_encoder_fail (encoders[k]);
      found = (gint) k;
    }
    *left += !ladder_encoder_has_failed (encoders[k]);
    ladder_encoder_unref (encoders[k]);
  }
  return found;
}

static void
gst_arc_ladder_handle_message (GstBin * bin, GstMessage * message)
{
  GstArcLadder *self = GST_ARC_LADDER (bin);
  GError *error = NULL;
  gint rung = RC_RUNGS_NONE;
  guint left = 0;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    rung = fail_encoder (self, GST_MESSAGE_SRC (message), &left);
  if (rung == RC_RUNGS_NONE || left == 0) {
    GST_BIN_CLASS (gst_arc_ladder_parent_class)->handle_message (bin, message);
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  g_mutex_lock (&self->lock);
  rc_rungs_bar (self->law, (guint) rung);
  g_mutex_unlock (&self->lock);
  GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("An encoding has failed, %u go on: %s", left,
          error->message), ("Look for the cause in the log of the encoder, then restart."));
  g_error_free (error);
  gst_message_unref (message);
}

/* --- stream --- */

static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gst_arc_ladder_let_time_pass (user_data);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcLadder *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstVideoInfo video;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  if (gst_video_info_from_caps (&video, caps)) {
    GST_OBJECT_LOCK (self);
    self->pixels_per_s = (gdouble) video.width * video.height
        * (video.fps_n > 0 ? (gdouble) video.fps_n / video.fps_d : USUAL_FPS);
    GST_OBJECT_UNLOCK (self);
    place (self);
  }
  return GST_PAD_PROBE_OK;
}

/* --- life --- */

/* A pad for a camera, and what its frames go by. */
static void
add_camera (GstArcLadder * self)
{
  self->tee = bin_part_make (self, "tee", NULL);
  if (!self->tee)
    return;
  g_object_set (self->tee, "allow-not-linked", TRUE, NULL);
  self->sinkpad = bin_part_show (self, self->tee, "sink", &sink_template);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, self, NULL);
}

static void
remove_camera (GstArcLadder * self)
{
  gst_element_remove_pad (GST_ELEMENT (self), g_steal_pointer (&self->sinkpad));
  bin_part_take_out (g_steal_pointer (&self->tee));
}

/* Not while it plays: the number that was set holds from now on. Nothing of a camera's is there
 * without encoders: what parses launch lines would give a child's unlinked pad to the bin. */
static void
settle_rungs (GstArcLadder * self)
{
  gboolean has_camera;

  GST_OBJECT_LOCK (self);
  self->placed_rungs = self->wanted_rungs;
  has_camera = self->placed_rungs > 0;
  GST_OBJECT_UNLOCK (self);
  if (has_camera && !self->tee)
    add_camera (self);
  else if (!has_camera && self->tee)
    remove_camera (self);
}

static void
set_playing (GstArcLadder * self, gboolean playing)
{
  GST_OBJECT_LOCK (self);
  self->playing = playing;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
start (GstArcLadder * self)
{
  settle_rungs (self);
  place (self);
  set_playing (self, TRUE);
  return add_encoders (self);
}

static void
stop (GstArcLadder * self)
{
  set_playing (self, FALSE);
  remove_encoders (self);
  gst_arc_ladder_reset (self);
}

static GstStateChangeReturn
gst_arc_ladder_change_state (GstElement * element, GstStateChange transition)
{
  GstArcLadder *self = GST_ARC_LADDER (element);
  GstStateChangeReturn result;

  if (!bin_parts_are_there (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self)) {
    stop (self);
    return GST_STATE_CHANGE_FAILURE;
  }
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    property_rows_warn_small_numbers (element);
  result = GST_ELEMENT_CLASS (gst_arc_ladder_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    stop (self);
  return result;
}

/* --- properties --- */

#define NUMBER(...) PROPERTY_ROW_NUMBER (GstArcLadder, __VA_ARGS__)

static const PropertyRow properties[] = {
  NUMBER (wanted_rungs, PROPERTY_READY, "rungs", "Rungs",
      "Number of encoders; 0: request pads sink_%u take encodings that are made elsewhere", 0,
      RC_PLACEMENT_MOST_RUNGS, 3),
  PROPERTY_ROW_NEVER_NULL (GstArcLadder, encoder, PROPERTY_READY, "encoder", "Encoder",
      "Encoder of each rendition, as in a launch line",
      "x264enc tune=zerolatency speed-preset=superfast key-int-max=300"),
  PROPERTY_ROW_STRING (GstArcLadder, payloader, PROPERTY_READY, "payloader", "Payloader",
      "Payloader of each rendition, as in a launch line; unset: the one for the encoder; empty: "
      "the elementary stream", NULL),
  NUMBER (min_bps, PROPERTY_PLAYING, "min-bitrate", "Minimum bitrate",
      "Minimum bitrate of a rendition in bit/s, media only; a viewer whose network carries less is "
      "not served", 1000, G_MAXINT, 100000),
  NUMBER (max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Maximum bitrate of a rendition in bit/s, media only", 1000, G_MAXINT, 6000000),
  NUMBER (start_bps, PROPERTY_READY, "start-bitrate", "Start bitrate",
      "What viewers are taken to carry until their sinks have a target, in bit/s, media only",
      1000, G_MAXINT, 500000),
  PROPERTY_ROW_STATS ("Rungs, viewers and switches, as a GstStructure named GstArcLadderStats"),
  {NULL}
};

static void
gst_arc_ladder_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcLadder *self = GST_ARC_LADDER (object);
  gboolean playing;

  GST_OBJECT_LOCK (self);
  property_rows_write (properties, self, id, value);
  playing = self->playing;
  GST_OBJECT_UNLOCK (self);
  if (playing && (pspec->flags & GST_PARAM_MUTABLE_PLAYING))
    place (self);
  else if (!playing)
    settle_rungs (self);
}

static void
gst_arc_ladder_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcLadder *self = GST_ARC_LADDER (object);
  gboolean found;

  GST_OBJECT_LOCK (self);
  found = property_rows_read (properties, self, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!found)
    g_value_take_boxed (value, gst_arc_ladder_create_stats (self));
}

static void
gst_arc_ladder_finalize (GObject * object)
{
  GstArcLadder *self = GST_ARC_LADDER (object);

  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    gst_clear_object (&self->rungs[k]);
  g_list_free (self->rung_pads);
  g_ptr_array_unref (self->viewers);
  g_queue_clear_full (&self->news, (GDestroyNotify) gst_structure_free);
  g_free (self->law);
  property_rows_clear (properties, self);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_arc_ladder_parent_class)->finalize (object);
}

static void
gst_arc_ladder_init (GstArcLadder * self)
{
  RcRungsParams params = {.n_rungs = RC_PLACEMENT_MOST_RUNGS,.min_bps = 1,.max_bps = 1e9,
    .pixels_per_s = USUAL_PIXELS_PER_S
  };

  watch_list_add (GST_ELEMENT (self));
  encoder_walk_mark_steered (GST_ELEMENT (self));
  work_turns_init (&self->turns, GST_ELEMENT (self), apply, self);
  g_mutex_init (&self->lock);
  g_queue_init (&self->news);
  self->viewers = g_ptr_array_new_with_free_func (gst_object_unref);
  self->ticked_at = self->shared_at = RC_TIME_NONE;
  self->law = g_new (RcRungs, 1);       /* too large for an instance */
  rc_rungs_init (self->law, &params);
  property_rows_init (properties, self);
  self->pixels_per_s = USUAL_PIXELS_PER_S;
  settle_rungs (self);
}

static void
gst_arc_ladder_class_init (GstArcLadderClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_arc_ladder_finalize;
  object_class->set_property = gst_arc_ladder_set_property;
  object_class->get_property = gst_arc_ladder_get_property;
  element_class->request_new_pad = gst_arc_ladder_request_new_pad;
  element_class->release_pad = gst_arc_ladder_release_pad;
  element_class->change_state = gst_arc_ladder_change_state;
  GST_BIN_CLASS (klass)->handle_message = gst_arc_ladder_handle_message;
  property_rows_install (object_class, 1, properties);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template_with_gtype (element_class, &rung_template,
      GST_TYPE_ARC_LADDER_RUNG);
  gst_element_class_add_static_pad_template_with_gtype (element_class, &src_template,
      GST_TYPE_ARC_LADDER_VIEWER);
  gst_element_class_set_static_metadata (element_class, "Adaptive bitrate ladder",
      "Codec/Encoder/Video",
      "Encodes video at a few bitrates that follow the viewers, and sends each viewer the best one",
      "the gst-arc authors");
  gst_arc_ladder_describe (element_class);
}
