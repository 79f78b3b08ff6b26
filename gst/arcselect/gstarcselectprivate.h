/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "gstarcselect.h"
#include "selectviewer.h"

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_arc_select_debug
GST_DEBUG_CATEGORY_EXTERN (gst_arc_select_debug);

#define GST_ARC_SELECT_CAST(object) ((GstArcSelect *) (object))

/* Lock order: the stream lock of a viewer, then `lock`, then object locks. None is held across a
 * call out of the element but the stream lock of the pad that is pushed to. */
struct _GstArcSelect
{
  GstElement parent;

  GMutex lock;                  /* of all below */
  GPtrArray *viewers;           /* of GstArcSelectViewer, with a reference */
  GstArcSelectRung *rungs[RC_PLACEMENT_MOST_RUNGS];     /* with a reference; NULL: no such pad */
  guint next_viewer;            /* number of its pad */
  RcRungs *law;                 /* ->bps: what the rungs make now */
  gboolean placing;             /* the law moves them */
  guint start_bps;              /* what viewers without a target count as; 0: they do not */
  void (*moved) (gpointer);     /* called without a lock when the law has moved them */
  gpointer user_data;
  RcTime ticked_at, shared_at;  /* RC_TIME_NONE: not yet */
  guint64 switches, keyframes_asked, viewers_left, flow_errors; /* of all that there were */
  GQueue news;                  /* of GstStructure: messages to post */
};

/* What to do without a lock after a tick. */
typedef struct
{
  GstArcSelectRung *ask[RC_PLACEMENT_MOST_RUNGS];       /* for a keyframe; with a reference */
  GstClockTime at[RC_PLACEMENT_MOST_RUNGS];     /* running time of its frame */
  guint n_asks;
  gboolean moved;
} SelectActions;

/* With the lock held: lets the laws decide, at most each 20 ms. */
void gst_arc_select_tick (GstArcSelect * self, RcTime now, SelectActions * actions);
/* Without. */
void gst_arc_select_act (GstArcSelect * self, SelectActions * actions);

/* --- for arcladder --- */

/* The law places the rungs from now on: `moved` is called on a streaming thread when it has moved
 * some, and the bitrates are those of gst_arc_select_get_placed (). */
void gst_arc_select_place (GstArcSelect * self, const RcRungsParams * params, guint start_bps,
    void (*moved) (gpointer), gpointer user_data);
/* Of RC_PLACEMENT_MOST_RUNGS each. bps: 0: no rung is placed there. watched: viewers have it, who
 * may wait for the keyframe of another one. */
void gst_arc_select_get_placed (GstArcSelect * self, gdouble * bps, gboolean * watched);
/* This rung cannot be had any more. */
void gst_arc_select_bar (GstArcSelect * self, guint number);
/* While no rung has frames nobody else lets the laws decide. */
void gst_arc_select_let_time_pass (GstArcSelect * self);

void gst_arc_select_install_properties (GObjectClass * klass);
void gst_arc_select_describe (GstElementClass * klass);
GstStructure *gst_arc_select_create_stats (GstArcSelect * self);
/* The fields of the property `stats`; arcladder has them too. */
extern const FieldRow gst_arc_select_fields[];
void gst_arc_select_add_stats (GstArcSelect * self, GstStructure * s);

G_END_DECLS
