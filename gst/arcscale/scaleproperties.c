/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcscaleprivate.h"

#include "base/fields.h"
#include "base/propertyrows.h"

#include <gst/arc/arc.h>

static PROPERTY_ENUM_TYPE (prefer_get_type, "GstArcScalePrefer",
    {RC_PREFER_BALANCED, "Reduce the lines to 3/8, then halve the frame rate, then both",
        "balanced"},
    {RC_PREFER_SHARPNESS, "Reduce the frame rate first", "sharpness"},
    {RC_PREFER_MOTION, "Reduce the resolution first", "motion"})

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
  const gchar *reason, *target_cause;
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
  FIELD_TEXT (ScaleStats, target_cause, "target-cause", "why it is no more, as its sender says"),
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
    .fps = now.fps,.reason = gst_arc_scale_reason (self),
    .target_cause = rc_cause_name (self->target_cause),.difficulty = self->law.difficulty,
    .learnt = self->law.frames_learnt > 0,.steps = self->steps,.refusals = self->refusals,
    .frames_dropped = self->frames_dropped
  };
  GstStructure *s = gst_structure_new_empty (GST_ARC_SCALE_STATS);

  if (self->law.ladder.n_rungs > 0 && self->law.told_bps > 0)
    stats.predicted_qp = rc_scale_predict_qp (&self->law, self->rung);
  fields_add (s, fields, &stats);
  return s;
}

#define READING(kind, ...) PROPERTY_ROW_OWN (kind, PROPERTY_READ, __VA_ARGS__)

static const PropertyRow properties[] = {
  /**
   * GstArcScale:min-height:
   *
   * Minimum number of lines, unless the input has fewer. In any case, at least a quarter of the
   * lines of the input is kept.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_NUMBER (GstArcScale, limits.min_height, PROPERTY_PLAYING, "min-height",
      "Minimum height", "Minimum number of lines (0: a quarter of the input)", 0, G_MAXINT,
      RC_LADDER_MIN_HEIGHT),
  /**
   * GstArcScale:prefer:
   *
   * What to preserve when the bitrate is too low for both. Use `sharpness` for a screen or a
   * document, `motion` for sports.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_ENUM (GstArcScale, limits.prefer, PROPERTY_PLAYING, "prefer", "Prefer",
      "Whether to preserve the resolution or the frame rate", prefer_get_type,
      RC_PREFER_BALANCED),
  READING (PROPERTY_UINT, "current-width", "Current width", "Current output width in pixels", 0,
      G_MAXUINT, 0),
  READING (PROPERTY_UINT, "current-height", "Current height", "Current output height in lines", 0,
      G_MAXUINT, 0),
  READING (PROPERTY_DOUBLE, "current-framerate", "Current framerate",
      "Current output frame rate in frames/s (0: unknown or variable)", 0, G_MAXDOUBLE, 0),
  /**
   * GstArcScale:reason:
   *
   * Reason for the current size: `no-target`, `fits`, `less-rate`, `more-rate`, `harder-content`,
   * `easier-content`, `refused-downstream` (caps downstream fix the size) or `interlaced`.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_OWN_STRING (PROPERTY_READ, "reason", "Reason", "Reason for the current size",
      "no-target"),
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcScale *self = GST_ARC_SCALE_CAST (object);

  GST_OBJECT_LOCK (self);
  self->limits_changed = TRUE;
  property_rows_write (properties, self, id, value);
  GST_OBJECT_UNLOCK (self);
}

/* Each is a field of the statistics, too. */
static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcScale *self = GST_ARC_SCALE_CAST (object);
  GstStructure *stats = NULL;

  GST_OBJECT_LOCK (self);
  if (!property_rows_read (properties, self, id, value))
    stats = stats_of (self);
  GST_OBJECT_UNLOCK (self);
  if (stats && G_VALUE_HOLDS_BOXED (value))
    g_value_set_boxed (value, stats);
  else if (stats)
    g_value_copy (gst_structure_get_value (stats, pspec->name), value);
  g_clear_pointer (&stats, gst_structure_free);
}

void
gst_arc_scale_init_settings (GstArcScale * self)
{
  property_rows_init (properties, self);
}

void
gst_arc_scale_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  property_rows_install (object_class, 1, properties);
}
