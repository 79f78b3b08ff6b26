/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcladder
 * @title: arcladder
 * @see_also: arcselect, arcscale, rmcsink
 *
 * One camera for many viewers: encodes raw video a few times, at the bitrates that serve the
 * viewers best, and sends each viewer the best encoding that its network carries.
 *
 * ## Behaviour
 * The element is a bin of #GstArcLadder:rungs encoders, each behind an arcscale, and an arcselect.
 * Each source pad is a viewer, whose sink (rmcsink, rtparcbwe) says by the upstream event
 * GstArcTargetBitrate what its network carries. The bitrates of the encoders are those at which the
 * sum of the viewers' quality is the most; they move when the quality that was lost since the last
 * move exceeds what a move costs (model: lib/rc/ladder). arcselect describes how viewers switch.
 * Encoders that nobody needs get no frames.
 *
 * An encoder that fails is one warning, and the others go on; only if all have failed, the error is
 * posted. An element message GstArcLadderRungs has the bitrates after each move.
 *
 * ## Tuning
 * #GstArcLadder:rungs, #GstArcLadder:encoder, #GstArcLadder:max-bitrate.
 *
 * ## Statistics
 * See #GstArcLadder:stats.
 *
 * ## Clock and threads
 * Each encoder has a thread, on which its frames are pushed to its viewers. The laws read the
 * monotonic clock. Encoders are set on a worker.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcladder name=l v4l2src ! videoconvert ! l. \
 *     l. ! rmcsink host=192.0.2.1 port=5004 async=false \
 *     l. ! rmcsink host=192.0.2.2 port=5004 async=false
 * ]| Two viewers, each with an encoding for its network.
 *
 * ## Limits
 * Raw video in system memory only. Sinks need async=false, or a queue before them: else one that
 * waits for preroll stops all. The limits of arcselect hold.
 *
 * Since: 0.1
 */

#include "gstarcladder.h"

#include "arcselect/gstarcselectprivate.h"
#include "base/description.h"
#include "base/propertyplaces.h"
#include "base/watchlist.h"
#include "base/workturns.h"
#include "ladderrung.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_arc_ladder_debug);
#undef GST_CAT_DEFAULT
#define GST_CAT_DEFAULT gst_arc_ladder_debug

#define DEFAULT_RUNGS 3
#define DEFAULT_ENCODER "x264enc tune=zerolatency speed-preset=superfast key-int-max=300"
#define DEFAULT_MIN_BITRATE 100000
#define DEFAULT_MAX_BITRATE 6000000
#define DEFAULT_START_BITRATE 500000
#define USUAL_FPS 30

struct _GstArcLadder
{
  GstBin parent;
  GstElement *tee, *select;     /* of the bin; NULL: not installed */
  GstPad *sinkpad;
  WorkTurns turns;

  GMutex lock;                  /* of the rungs; never held across a call out */
  LadderRung *rungs[RC_PLACEMENT_MOST_RUNGS];   /* each with a reference */
  guint n_rungs;                /* 0: stopped */

  /* Object lock. */
  guint wanted_rungs, placed_rungs;     /* set; since the last start */
  guint min_bps, max_bps, start_bps;
  gchar *encoder, *payloader;
  gdouble pixels_per_s;
};

enum
{
  PROP_0,
  PROP_RUNGS,
  PROP_ENCODER,
  PROP_PAYLOADER,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_START_BITRATE,
  PROP_STATS,
};

G_DEFINE_TYPE_WITH_CODE (GstArcLadder, gst_arc_ladder, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_ladder_debug, "arcladder", 0, "few encodings, many viewers"));
GST_ELEMENT_REGISTER_DEFINE (arcladder, "arcladder", GST_RANK_NONE, GST_TYPE_ARC_LADDER);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

/* --- rungs --- */

/* Of RC_PLACEMENT_MOST_RUNGS; each with a reference. Returns how many. */
static guint
dup_rungs (GstArcLadder * self, LadderRung ** rungs)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_rungs;
  for (guint k = 0; k < n; k++)
    rungs[k] = ladder_rung_ref (self->rungs[k]);
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
 * element. */
static void
apply (gpointer owner)
{
  GstArcLadder *self = owner;
  LadderRung *rungs[RC_PLACEMENT_MOST_RUNGS];
  gdouble bps[RC_PLACEMENT_MOST_RUNGS];
  gboolean watched[RC_PLACEMENT_MOST_RUNGS];
  guint n = dup_rungs (self, rungs);

  gst_arc_select_get_placed (GST_ARC_SELECT (self->select), bps, watched);
  GST_DEBUG_OBJECT (self, "rungs at %.0f, %.0f, %.0f, %.0f bit/s", bps[0], bps[1], bps[2], bps[3]);
  for (guint k = 0; k < n; k++) {
    if (bps[k] > 0 || !watched[k])
      ladder_rung_set_bps (rungs[k], (guint) bps[k]);
    ladder_rung_unref (rungs[k]);
  }
  if (n > 0)
    post_rungs (self, bps, n);
}

static void
on_moved (gpointer user_data)
{
  work_turns_schedule (&GST_ARC_LADDER (user_data)->turns);
}

static void
place (GstArcLadder * self)
{
  RcRungsParams params;
  guint start_bps;

  GST_OBJECT_LOCK (self);
  params = (RcRungsParams) {.n_rungs = self->placed_rungs,.min_bps = self->min_bps,
    .max_bps = MAX (self->max_bps, self->min_bps),.pixels_per_s = self->pixels_per_s
  };
  start_bps = CLAMP (self->start_bps, self->min_bps, (guint) params.max_bps);
  GST_OBJECT_UNLOCK (self);
  gst_arc_select_place (GST_ARC_SELECT (self->select), &params, start_bps, on_moved, self);
}

static void
warn (GObject * bin, const gchar * sentence)
{
  GST_ELEMENT_WARNING (bin, STREAM, ENCODE, ("%s", sentence), (NULL));
}

static gboolean
add_rungs (GstArcLadder * self)
{
  GError *error = NULL;
  LadderRungConfig config = {.bin = GST_BIN (self),.tee = self->tee,.select = self->select,
    .warn = warn
  };
  gchar *encoder, *payloader;
  LadderRung *rung;
  guint n;

  GST_OBJECT_LOCK (self);
  config.encoder = encoder = g_strdup (self->encoder);
  config.payloader = payloader = g_strdup (self->payloader);
  n = self->placed_rungs;
  GST_OBJECT_UNLOCK (self);
  while (config.number < n && (rung = ladder_rung_new (&config, &error))) {
    g_mutex_lock (&self->lock);
    self->rungs[config.number++] = rung;
    self->n_rungs = config.number;
    g_mutex_unlock (&self->lock);
  }
  if (error)
    GST_ELEMENT_ERROR (self, CORE, FAILED, ("The encoding \"%s\" cannot be built: %s.", encoder,
            error->message), ("Try the same in gst-launch-1.0: videotestsrc ! %s ! %s fakesink",
            encoder, payloader && payloader[0] ? payloader : ""));
  g_free (encoder);
  g_free (payloader);
  return error == NULL ? TRUE : (g_error_free (error), FALSE);
}

static void
remove_rungs (GstArcLadder * self)
{
  LadderRung *rungs[RC_PLACEMENT_MOST_RUNGS];
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_rungs;
  memcpy (rungs, self->rungs, sizeof (rungs));
  self->n_rungs = 0;
  g_mutex_unlock (&self->lock);
  for (guint k = 0; k < n; k++) {
    ladder_rung_take_out (rungs[k]);
    ladder_rung_unref (rungs[k]);
  }
}

/* --- an encoder that fails --- */

/* The rung that has failed, RC_RUNGS_NONE if it is none; left: how many go on. */
static gint
fail_rung (GstArcLadder * self, GstObject * source, guint * left)
{
  LadderRung *rungs[RC_PLACEMENT_MOST_RUNGS];
  gint found = RC_RUNGS_NONE;
  guint n = dup_rungs (self, rungs);

  *left = 0;
  for (guint k = 0; k < n; k++) {
    if (ladder_rung_owns (rungs[k], source)) {
      ladder_rung_fail (rungs[k]);
      found = (gint) k;
    }
    *left += !ladder_rung_has_failed (rungs[k]);
    ladder_rung_unref (rungs[k]);
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
    rung = fail_rung (self, GST_MESSAGE_SRC (message), &left);
  if (rung == RC_RUNGS_NONE || left == 0) {
    GST_BIN_CLASS (gst_arc_ladder_parent_class)->handle_message (bin, message);
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  gst_arc_select_bar (GST_ARC_SELECT (self->select), (guint) rung);
  GST_ELEMENT_WARNING (self, STREAM, ENCODE, ("An encoding has failed, %u go on: %s", left,
          error->message), ("Look for the cause in the log of the encoder, then restart."));
  g_error_free (error);
  gst_message_unref (message);
}

/* --- stream --- */

static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gst_arc_select_let_time_pass (GST_ARC_SELECT (GST_ARC_LADDER (user_data)->select));
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

static GstPad *
gst_arc_ladder_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcLadder *self = GST_ARC_LADDER (element);
  GstPad *target = self->select
      ? gst_element_request_pad_simple (self->select, name ? name : "src_%u") : NULL;
  GstPad *pad;

  if (target == NULL)
    return NULL;
  pad = gst_ghost_pad_new_from_template (GST_OBJECT_NAME (target), target, templ);
  gst_object_unref (target);
  gst_pad_set_active (pad, TRUE);
  if (!gst_element_add_pad (element, pad)) {
    gst_element_release_request_pad (self->select, target);
    return NULL;
  }
  return pad;
}

static void
gst_arc_ladder_release_pad (GstElement * element, GstPad * pad)
{
  GstPad *target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));

  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
  if (target) {
    gst_element_release_request_pad (GST_ARC_LADDER (element)->select, target);
    gst_object_unref (target);
  }
}

static GstStateChangeReturn
gst_arc_ladder_change_state (GstElement * element, GstStateChange transition)
{
  GstArcLadder *self = GST_ARC_LADDER (element);
  GstStateChangeReturn result;

  if (!self->tee) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, ("tee or arcselect is missing."),
        ("Install the plugins coreelements and arc."));
    return GST_STATE_CHANGE_FAILURE;
  }
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    GST_OBJECT_LOCK (self);
    self->placed_rungs = self->wanted_rungs;
    GST_OBJECT_UNLOCK (self);
    place (self);
    if (!add_rungs (self)) {
      remove_rungs (self);
      return GST_STATE_CHANGE_FAILURE;
    }
  }
  result = GST_ELEMENT_CLASS (gst_arc_ladder_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    remove_rungs (self);
  return result;
}

/* --- properties --- */

/* Where in the object a property lies. */
static const PropertyPlace places[] = {
  {PROP_RUNGS, offsetof (GstArcLadder, wanted_rungs)},
  {PROP_ENCODER, offsetof (GstArcLadder, encoder)},
  {PROP_PAYLOADER, offsetof (GstArcLadder, payloader)},
  {PROP_MIN_BITRATE, offsetof (GstArcLadder, min_bps)},
  {PROP_MAX_BITRATE, offsetof (GstArcLadder, max_bps)},
  {PROP_START_BITRATE, offsetof (GstArcLadder, start_bps)},
  {0, 0}
};

static void
gst_arc_ladder_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcLadder *self = GST_ARC_LADDER (object);
  gboolean found, playing;

  GST_OBJECT_LOCK (self);
  found = property_places_write (places, self, id, value);
  if (!self->encoder)
    self->encoder = g_strdup (DEFAULT_ENCODER);
  GST_OBJECT_UNLOCK (self);
  g_mutex_lock (&self->lock);
  playing = self->n_rungs > 0;
  g_mutex_unlock (&self->lock);
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else if (playing && (id == PROP_MIN_BITRATE || id == PROP_MAX_BITRATE))
    place (self);
}

static GstStructure *
create_stats (GstArcLadder * self)
{
  GstStructure *s = gst_structure_new_empty (GST_ARC_LADDER_STATS);

  if (self->select)
    gst_arc_select_add_stats (GST_ARC_SELECT (self->select), s);
  return s;
}

static void
gst_arc_ladder_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcLadder *self = GST_ARC_LADDER (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, create_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (!property_places_read (places, self, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_arc_ladder_finalize (GObject * object)
{
  GstArcLadder *self = GST_ARC_LADDER (object);

  g_free (self->encoder);
  g_free (self->payloader);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (gst_arc_ladder_parent_class)->finalize (object);
}

static void
gst_arc_ladder_init (GstArcLadder * self)
{
  GstElement *tee = gst_element_factory_make ("tee", NULL);
  GstPadTemplate *templ = gst_static_pad_template_get (&sink_template);
  GstPad *target;

  watch_list_add (GST_ELEMENT (self));
  work_turns_init (&self->turns, GST_ELEMENT (self), apply, self);
  g_mutex_init (&self->lock);
  self->wanted_rungs = self->placed_rungs = DEFAULT_RUNGS;
  self->min_bps = DEFAULT_MIN_BITRATE;
  self->max_bps = DEFAULT_MAX_BITRATE;
  self->start_bps = DEFAULT_START_BITRATE;
  self->encoder = g_strdup (DEFAULT_ENCODER);
  self->pixels_per_s = 1280 * 720 * USUAL_FPS;
  self->select = g_object_new (GST_TYPE_ARC_SELECT, NULL);
  gst_bin_add (GST_BIN (self), self->select);
  if (tee) {
    self->tee = tee;
    g_object_set (tee, "allow-not-linked", TRUE, NULL);
    gst_bin_add (GST_BIN (self), tee);
    target = gst_element_get_static_pad (tee, "sink");
    self->sinkpad = gst_ghost_pad_new_from_template ("sink", target, templ);
    gst_object_unref (target);
    gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
    gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
    gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_event, self, NULL);
  }
  gst_object_unref (templ);
}

#define READY_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_RUNGS, g_param_spec_uint ("rungs", "Rungs",
          "Number of encoders; counts from the next start", 1, RC_PLACEMENT_MOST_RUNGS,
          DEFAULT_RUNGS, READY_FLAGS));
  g_object_class_install_property (klass, PROP_ENCODER, g_param_spec_string ("encoder", "Encoder",
          "Encoder of each rung, as in a launch line; several elements with ! between them may be "
          "given", DEFAULT_ENCODER, READY_FLAGS));
  g_object_class_install_property (klass, PROP_PAYLOADER, g_param_spec_string ("payloader",
          "Payloader", "Payloader of each rung, as in a launch line; unset: the one for the "
          "encoder; empty: none, so viewers get the elementary stream", NULL, READY_FLAGS));
  g_object_class_install_property (klass, PROP_MIN_BITRATE, g_param_spec_uint ("min-bitrate",
          "Minimum bitrate", "Minimum bitrate of a rung in bit/s, media only; a viewer whose "
          "network carries less is not served", 1000, G_MAXINT, DEFAULT_MIN_BITRATE,
          PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_MAX_BITRATE, g_param_spec_uint ("max-bitrate",
          "Maximum bitrate", "Maximum bitrate of a rung in bit/s, media only", 1000, G_MAXINT,
          DEFAULT_MAX_BITRATE, PLAYING_FLAGS));
  g_object_class_install_property (klass, PROP_START_BITRATE, g_param_spec_uint ("start-bitrate",
          "Start bitrate", "What viewers are taken to carry until their sinks have a target, in "
          "bit/s, media only", 1000, G_MAXINT, DEFAULT_START_BITRATE, READY_FLAGS));
  g_object_class_install_property (klass, PROP_STATS, g_param_spec_boxed ("stats", "Statistics",
          "Rungs, viewers and switches, as a GstStructure named GstArcLadderStats",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
describe (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_LADDER_STATS, "property stats", {gst_arc_select_fields}},
    {GST_ARC_SELECT_RUNG_STATS, "field rungs", {select_rung_fields}},
    {GST_ARC_SELECT_VIEWER_STATS, "field viewer-list", {select_viewer_fields}}, {NULL}
  };

  fields_describe (klass, structures);
  gst_element_class_add_static_metadata (klass, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_LADDER_RUNGS, "the rungs have moved")
      DESCRIPTION_FIELD ("bitrates", "array", "of each encoder, uint, bit/s; 0: nobody needs it")
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_SELECT_VIEWER_STATE,
          "from the arcselect inside: a viewer's network carries less than any rung, or enough "
          "again")
      DESCRIPTION_FIELD ("pad", "string", "name of the source pad")
      DESCRIPTION_FIELD ("served", "boolean", "it is sent a rung")
      DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "target of the viewer"));
  gst_element_class_add_static_metadata (klass, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "received from the sink of a viewer")
      DESCRIPTION_TARGET_BITRATE);
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
  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Encodings for many viewers",
      "Codec/Encoder/Video",
      "Encodes video a few times at the bitrates that serve many viewers best, one for each",
      "the gst-arc authors");
  describe (element_class);
}
