/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcscaleprivate.h"

#include "base/fields.h"
#include "base/propertyplaces.h"

#include <gst/arc/arc.h>

enum
{
  PROP_0,
  PROP_MIN_HEIGHT,
  PROP_PREFER,
  PROP_CURRENT_WIDTH,
  PROP_CURRENT_HEIGHT,
  PROP_CURRENT_FRAMERATE,
  PROP_REASON,
  PROP_STATS,
};

#define READABLE (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define WRITABLE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static GType
prefer_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {RC_PREFER_BALANCED, "Reduce the lines to 3/8, then halve the frame rate, then both",
        "balanced"},
    {RC_PREFER_SHARPNESS, "Reduce the frame rate first", "sharpness"},
    {RC_PREFER_MOTION, "Reduce the resolution first", "motion"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstArcScalePrefer", values));
  return type;
}

/* What leaves now; {0, 0, 0} before there are caps. The object lock is held. */
typedef struct
{
  guint width, height;
  gdouble fps;
} Shown;

static Shown
shown (GstArcScale * self)
{
  const RcRung *rung = &self->law.ladder.rungs[self->rung];

  if (self->law.ladder.n_rungs == 0)
    return (Shown) { 0, 0, 0 };
  if (GST_VIDEO_INFO_FPS_N (&self->input) == 0)
    return (Shown) { rung->width, rung->height, 0 };
  return (Shown) { rung->width, rung->height, self->law.ladder.fps / rung->divisor };
}

typedef struct
{
  guint64 target_bps;
  guint width, height;
  gdouble fps;
  const gchar *reason;
  gdouble difficulty;
  gboolean learnt;
  gdouble predicted_qp;
  guint64 steps, refusals, frames_dropped;
} ScaleStats;

#define COUNTER(...) FIELD_COUNTER (ScaleStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (ScaleStats, __VA_ARGS__)

static const FieldRow fields[] = {
  FIELD_BITRATE (ScaleStats, target_bps, "target-bitrate",
      "requested bitrate, media only; 0: none yet"),
  GAUGE (width, "current-width", "pixels", "width of outgoing frames"),
  GAUGE (height, "current-height", "pixels", "height of outgoing frames"),
  GAUGE (fps, "current-framerate", "frames/s", "rate of outgoing frames; 0: unknown"),
  FIELD_TEXT (ScaleStats, reason, "reason", "reason for the current size, as the property"),
  GAUGE (difficulty, "difficulty", "", "difficulty of the content: quantiser at one bit per pixel"),
  GAUGE (learnt, "difficulty-learnt", "", "difficulty was measured at this encoder"),
  GAUGE (predicted_qp, "predicted-quantiser", "", "quantiser expected at this size and target"),
  COUNTER (steps, "size-changes", "", "changes of frame size or frame rate"),
  COUNTER (refusals, "size-refusals", "", "times that downstream kept its size"),
  COUNTER (frames_dropped, "frames-dropped", "", "frames dropped for a lower frame rate"),
  {NULL}
};

void
gst_arc_scale_describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_SCALE_STATS, "property stats", {fields}}, {NULL}
  };

  fields_describe (klass, structures);
}

static GstStructure *
stats_of (GstArcScale * self)
{
  Shown now = shown (self);
  ScaleStats stats = {.target_bps = self->law.told_bps,.width = now.width,.height = now.height,
    .fps = now.fps,.reason = gst_arc_scale_reason (self),.difficulty = self->law.difficulty,
    .learnt = self->law.frames_learnt > 0,.steps = self->steps,.refusals = self->refusals,
    .frames_dropped = self->frames_dropped
  };
  GstStructure *s = gst_structure_new_empty (GST_ARC_SCALE_STATS);

  if (self->law.ladder.n_rungs > 0 && self->law.told_bps > 0)
    stats.predicted_qp = rc_scale_predict_qp (&self->law, self->rung);
  fields_add (s, fields, &stats);
  return s;
}

/* Where in the object a property lies. */
static const PropertyPlace places[] = {
  {PROP_MIN_HEIGHT, offsetof (GstArcScale, limits.min_height)},
  {PROP_PREFER, offsetof (GstArcScale, limits.prefer)},
  {0, 0}
};

static void
set_property (GObject * object, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  GstArcScale *self = GST_ARC_SCALE_CAST (object);

  GST_OBJECT_LOCK (self);
  self->limits_changed = TRUE;
  if (!property_places_write (places, self, prop_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject * object, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GstArcScale *self = GST_ARC_SCALE_CAST (object);

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_CURRENT_WIDTH:
      g_value_set_uint (value, shown (self).width);
      break;
    case PROP_CURRENT_HEIGHT:
      g_value_set_uint (value, shown (self).height);
      break;
    case PROP_CURRENT_FRAMERATE:
      g_value_set_double (value, shown (self).fps);
      break;
    case PROP_REASON:
      g_value_set_static_string (value, gst_arc_scale_reason (self));
      break;
    case PROP_STATS:
      g_value_take_boxed (value, stats_of (self));
      break;
    default:
      if (!property_places_read (places, self, prop_id, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_limits (GObjectClass * object_class)
{
  /**
   * GstArcScale:min-height:
   *
   * Minimum number of lines, unless the input has fewer. In any case, at least a quarter of the
   * lines of the input is kept.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MIN_HEIGHT,
      g_param_spec_uint ("min-height", "Minimum height",
          "Minimum number of lines (0: a quarter of the input)", 0, G_MAXINT, RC_LADDER_MIN_HEIGHT,
          WRITABLE));

  /**
   * GstArcScale:prefer:
   *
   * What to preserve when the bitrate is too low for both. Use `sharpness` for a screen or a
   * document, `motion` for sports.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_PREFER,
      g_param_spec_enum ("prefer", "Prefer", "Whether to preserve the resolution or the frame rate",
          prefer_get_type (), RC_PREFER_BALANCED, WRITABLE));
}

static void
install_current (GObjectClass * object_class)
{
  /**
   * GstArcScale:current-width:
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CURRENT_WIDTH,
      g_param_spec_uint ("current-width", "Current width", "Current output width in pixels", 0,
          G_MAXUINT, 0, READABLE));

  /**
   * GstArcScale:current-height:
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CURRENT_HEIGHT,
      g_param_spec_uint ("current-height", "Current height", "Current output height in lines", 0,
          G_MAXUINT, 0, READABLE));

  /**
   * GstArcScale:current-framerate:
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CURRENT_FRAMERATE,
      g_param_spec_double ("current-framerate", "Current framerate",
          "Current output frame rate in frames/s (0: unknown or variable)", 0, G_MAXDOUBLE, 0,
          READABLE));

  /**
   * GstArcScale:reason:
   *
   * Reason for the current size: `no-target`, `fits`, `less-rate`, `more-rate`, `harder-content`,
   * `easier-content`, `refused-downstream` (caps downstream fix the size) or `interlaced`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_REASON,
      g_param_spec_string ("reason", "Reason", "Reason for the current size", "no-target",
          READABLE));
}

void
gst_arc_scale_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  install_limits (object_class);
  install_current (object_class);

  /**
   * GstArcScale:stats:
   *
   * Structure GstArcScaleStats. `target-bitrate` (guint64, bit/s; 0: none yet), `current-width`,
   * `current-height` (guint), `current-framerate` (gdouble), `reason` (string), `difficulty`
   * (gdouble: the quantiser at which the content takes one bit per pixel and frame, on H.264's
   * scale), `difficulty-learnt` (gboolean: from this encoder), `predicted-quantiser` (gdouble: at
   * this size and target), `steps`, `refusals` (what follows kept the size), `frames-dropped`
   * (guint64: for a lower frame rate).
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Statistics; gst-inspect-1.0 lists the fields",
          GST_TYPE_STRUCTURE, READABLE));
  gst_type_mark_as_plugin_api (prefer_get_type (), 0);
}
