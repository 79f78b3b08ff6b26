/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "gstarcladder.h"
#include "base/workturns.h"
#include "ladderencoder.h"
#include "ladderviewer.h"

G_BEGIN_DECLS

#define GST_CAT_DEFAULT gst_arc_ladder_debug
GST_DEBUG_CATEGORY_EXTERN (gst_arc_ladder_debug);

/* For the files below gstarcladder.c, which knows the type. */
#define GST_ARC_LADDER_CAST(object) ((GstArcLadder *) (object))

/* Lock order: the stream lock of a viewer, then `lock`, then object locks. None is held across a
 * call out of the element but the stream lock of the pad that is pushed to. */
struct _GstArcLadder
{
  GstBin parent;
  /* Of the bin; NULL: encodings come by sink_%u. They change while it does not play only. */
  GstElement *tee;
  GstPad *sinkpad;
  WorkTurns turns;

  GMutex lock;                  /* of all up to news */
  GPtrArray *viewers;           /* of GstArcLadderViewer, with a reference */
  GstArcLadderRung *rungs[RC_PLACEMENT_MOST_RUNGS];     /* with a reference; NULL: no such pad */
  GList *rung_pads;             /* the same, borrowed */
  guint32 rungs_cookie;         /* of the list */
  LadderEncoder *encoders[RC_PLACEMENT_MOST_RUNGS];     /* of the rungs that are made here */
  guint n_encoders;             /* 0: none, or stopped */
  guint next_viewer;            /* number of its pad */
  RcRungs *law;                 /* ->bps: what the rungs make now */
  gboolean placing;             /* the law moves them */
  guint placed_bps;             /* in placing, what viewers without a target count as */
  RcTime ticked_at, shared_at;  /* RC_TIME_NONE: not yet */
  guint64 switches, keyframes_asked, viewers_left, flow_errors; /* of all that there were */
  GQueue news;                  /* of GstStructure: messages to post */

  /* Object lock. */
  guint wanted_rungs, placed_rungs;     /* set; since the last start */
  gboolean playing;
  guint min_bps, max_bps, start_bps;
  gchar *encoder, *payloader;
  gdouble pixels_per_s;
};

/* What to do without a lock after a tick. */
typedef struct
{
  GstArcLadderRung *ask[RC_PLACEMENT_MOST_RUNGS];       /* for a keyframe; with a reference */
  GstClockTime at[RC_PLACEMENT_MOST_RUNGS];     /* running time of its frame */
  guint n_asks;
  gboolean moved;
} LadderActions;

/* laddertick.c */
/* With the lock held: lets the laws decide, at most each 20 ms. */
void gst_arc_ladder_tick (GstArcLadder * self, RcTime now, LadderActions * actions);
/* Without. */
void gst_arc_ladder_act (GstArcLadder * self, LadderActions * actions);
/* While no rung has frames nobody else lets the laws decide. */
void gst_arc_ladder_let_time_pass (GstArcLadder * self);

/* ladderstream.c */
GstPad *gst_arc_ladder_request_new_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps);
void gst_arc_ladder_release_pad (GstElement * element, GstPad * pad);
/* For an encoder in the bin; NULL: there is one of this number. Only gst_arc_ladder_remove_rung ()
 * takes it away. */
GstPad *gst_arc_ladder_add_rung (GstArcLadder * self, guint number);
void gst_arc_ladder_remove_rung (GstArcLadder * self, GstPad * pad);
/* The element stops: all that comes later is new. */
void gst_arc_ladder_reset (GstArcLadder * self);

/* ladderstats.c */
GstStructure *gst_arc_ladder_create_stats (GstArcLadder * self);
void gst_arc_ladder_describe (GstElementClass * klass);

G_END_DECLS
