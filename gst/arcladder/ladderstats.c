/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistics of arcladder, and what it posts and hears. */

#include "gstarcladderprivate.h"

#include "base/clockglue.h"
#include "base/description.h"

#include <gst/arc/arc.h>

typedef struct
{
  guint viewers, served;
  guint64 viewers_left, switches, keyframes_asked, late, moves, flow_errors;
} LadderStats;

#define COUNTER(...) FIELD_COUNTER (LadderStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (LadderStats, __VA_ARGS__)

static const FieldRow ladder_fields[] = {
  GAUGE (viewers, "viewers", "", "source pads"),
  GAUGE (served, "viewers-served", "", "viewers that are sent a rendition"),
  COUNTER (viewers_left, "viewers-left", "", "source pads that were released"),
  COUNTER (switches, "switches", "", "changes of viewers from one rendition to another"),
  COUNTER (keyframes_asked, "keyframe-requests", "", "keyframe requests sent to encoders"),
  COUNTER (late, "keyframes-late", "",
      "keyframes that a viewer could not use, as their time had passed"),
  COUNTER (moves, "rung-moves", "", "times that renditions got other bitrates"),
  COUNTER (flow_errors, "flow-errors", "", "pushes to viewers that failed"),
  FIELD_OWN (FIELD_ARRAY, "rungs", "GstArcLadderRungStats of each sink pad"),
  FIELD_OWN (FIELD_ARRAY, "viewer-list", "GstArcLadderViewerStats of each source pad"),
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
stats_of_viewer (GstArcLadder * self, GstArcLadderViewer * viewer)
{
  GstStructure *s = ladder_viewer_create_stats (viewer);
  gint rung = viewer->choice.rung;

  if (rung != RC_RUNGS_NONE && self->rungs[rung])
    gst_structure_set (s, "rung", G_TYPE_STRING, GST_OBJECT_NAME (self->rungs[rung]), NULL);
  return s;
}

GstStructure *
gst_arc_ladder_create_stats (GstArcLadder * self)
{
  GstStructure *s = gst_structure_new_empty (GST_ARC_LADDER_STATS);
  LadderStats stats = { 0 };
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
    GstArcLadderViewer *viewer = self->viewers->pdata[i];

    stats.served += viewer->choice.rung != RC_RUNGS_NONE;
    stats.switches += viewer->switches;
    stats.late += viewer->late;
    append_structure (&viewers, stats_of_viewer (self, viewer));
  }
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k])
      append_structure (&rungs, ladder_rung_create_stats (self->rungs[k], clock_glue_monotonic ()));
  g_mutex_unlock (&self->lock);
  fields_add (s, ladder_fields, &stats);
  gst_structure_take_value (s, "rungs", &rungs);
  gst_structure_take_value (s, "viewer-list", &viewers);
  return s;
}

void
gst_arc_ladder_describe (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_LADDER_STATS, "property stats", {ladder_fields}},
    {GST_ARC_LADDER_RUNG_STATS, "field rungs", {ladder_rung_fields}},
    {GST_ARC_LADDER_VIEWER_STATS, "field viewer-list", {ladder_viewer_fields}}, {NULL}
  };

  fields_describe (klass, structures);
  gst_element_class_add_static_metadata (klass, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_LADDER_RUNGS, "the renditions have other bitrates")
      DESCRIPTION_FIELD ("bitrates", "array", "of each encoder, uint, bit/s; 0: nobody needs it")
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_LADDER_VIEWER_STATE,
          "a viewer's network carries less than any rendition, or enough again")
      DESCRIPTION_FIELD ("pad", "string", "name of the source pad")
      DESCRIPTION_FIELD ("served", "boolean", "it is sent a rendition")
      DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "target of the viewer")
      DESCRIPTION_FIELD ("cause", "string", "why it is no more, as target-cause"));
  gst_element_class_add_static_metadata (klass, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "received from the sink of a viewer")
      DESCRIPTION_TARGET_BITRATE);
}
