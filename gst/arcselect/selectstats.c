/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The properties and statistics of arcselect. */

#include "gstarcselectprivate.h"

#include "base/clockglue.h"
#include "base/description.h"

#include <gst/arc/arc.h>

enum
{
  PROP_0,
  PROP_STATS,
};

typedef struct
{
  guint viewers, served;
  guint64 viewers_left, switches, keyframes_asked, late, moves, flow_errors;
} SelectStats;

#define COUNTER(...) FIELD_COUNTER (SelectStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (SelectStats, __VA_ARGS__)

const FieldRow gst_arc_select_fields[] = {
  GAUGE (viewers, "viewers", "", "source pads"),
  GAUGE (served, "viewers-served", "", "viewers that are sent a rung"),
  COUNTER (viewers_left, "viewers-left", "", "source pads that were released"),
  COUNTER (switches, "switches", "", "changes of viewers from one rung to another"),
  COUNTER (keyframes_asked, "keyframe-requests", "", "keyframe requests sent to encoders"),
  COUNTER (late, "keyframes-late", "",
      "keyframes that a viewer could not use, as their time had passed"),
  COUNTER (moves, "rung-moves", "", "times that rungs moved; only in arcladder"),
  COUNTER (flow_errors, "flow-errors", "", "pushes to viewers that failed"),
  FIELD_OWN (FIELD_ARRAY, "rungs", "GstArcSelectRungStats of each sink pad"),
  FIELD_OWN (FIELD_ARRAY, "viewer-list", "GstArcSelectViewerStats of each source pad"),
  {NULL}
};

static void
append_structure (GValue * array, GstStructure * s)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, s);
  gst_value_array_append_and_take_value (array, &value);
}

static GstStructure *
stats_of_viewer (GstArcSelect * self, GstArcSelectViewer * viewer)
{
  GstStructure *s = select_viewer_create_stats (viewer);
  gint rung = viewer->choice.rung;

  if (rung != RC_RUNGS_NONE && self->rungs[rung])
    gst_structure_set (s, "rung", G_TYPE_STRING, GST_OBJECT_NAME (self->rungs[rung]), NULL);
  return s;
}

void
gst_arc_select_add_stats (GstArcSelect * self, GstStructure * s)
{
  SelectStats stats = { 0 };
  GValue rungs = G_VALUE_INIT, viewers = G_VALUE_INIT;

  g_value_init (&rungs, GST_TYPE_ARRAY);
  g_value_init (&viewers, GST_TYPE_ARRAY);
  g_mutex_lock (&self->lock);
  stats.viewers = self->viewers->len;
  stats.viewers_left = self->viewers_left;
  stats.switches = self->switches;
  stats.keyframes_asked = self->keyframes_asked;
  stats.moves = self->law->moves;
  stats.flow_errors = self->flow_errors;
  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcSelectViewer *viewer = self->viewers->pdata[i];

    stats.served += viewer->choice.rung != RC_RUNGS_NONE;
    stats.switches += viewer->switches;
    stats.late += viewer->late;
    append_structure (&viewers, stats_of_viewer (self, viewer));
  }
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k])
      append_structure (&rungs, select_rung_create_stats (self->rungs[k], clock_glue_monotonic ()));
  g_mutex_unlock (&self->lock);
  fields_add (s, gst_arc_select_fields, &stats);
  gst_structure_take_value (s, "rungs", &rungs);
  gst_structure_take_value (s, "viewer-list", &viewers);
}

GstStructure *
gst_arc_select_create_stats (GstArcSelect * self)
{
  GstStructure *s = gst_structure_new_empty (GST_ARC_SELECT_STATS);

  gst_arc_select_add_stats (self, s);
  return s;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  if (id == PROP_STATS)
    g_value_take_boxed (value, gst_arc_select_create_stats (GST_ARC_SELECT_CAST (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

void
gst_arc_select_install_properties (GObjectClass * klass)
{
  klass->get_property = get_property;
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Rungs, viewers and switches, as a GstStructure named GstArcSelectStats",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

void
gst_arc_select_describe (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_SELECT_STATS, "property stats", {gst_arc_select_fields}},
    {GST_ARC_SELECT_RUNG_STATS, "field rungs", {select_rung_fields}},
    {GST_ARC_SELECT_VIEWER_STATS, "field viewer-list", {select_viewer_fields}}, {NULL}
  };

  fields_describe (klass, structures);
  gst_element_class_add_static_metadata (klass, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_SELECT_VIEWER_STATE,
          "a viewer's network carries less than any rung, or enough again")
      DESCRIPTION_FIELD ("pad", "string", "name of the source pad")
      DESCRIPTION_FIELD ("served", "boolean", "it is sent a rung")
      DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "target of the viewer"));
  gst_element_class_add_static_metadata (klass, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "received from the sink of a viewer")
      DESCRIPTION_TARGET_BITRATE);
}
