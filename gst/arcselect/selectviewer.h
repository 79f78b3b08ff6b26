/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source pad of arcselect: one viewer. It is sent the frames of one rung after the other, as one
 * stream: no frame twice, none missing, RTP numbers and timestamps without a gap. */
#pragma once

#include "selectrung.h"

#include <rc/ladder/viewerchoice.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SELECT_VIEWER (gst_arc_select_viewer_get_type ())
G_DECLARE_FINAL_TYPE (GstArcSelectViewer, gst_arc_select_viewer, GST, ARC_SELECT_VIEWER, GstPad)

struct _GstArcSelectViewer
{
  GstPad parent;
  gdouble weight;               /* object lock; the property */

  /* Under the lock of the element. */
  GMutex *lock;                 /* that one, as long as the pad is part of it */
  RcViewerChoice choice;        /* .rung: what it is sent now */
  gboolean on_trial;            /* its sink says whether the receiver answers */
  RcTime answers_since;         /* of that; RC_TIME_NONE: it does not */
  guint64 host;                 /* of its receiver, as its sink says; 0: unknown */
  gdouble share;                /* of what that host counts */
  gint wish;                    /* what it shall be sent: a rung or RC_RUNGS_NONE */
  GstClockTime hold_at;         /* frames from here on wait for a keyframe of the wish, or none */
  gboolean needs_key;
  gboolean need_counts;         /* from need_at on, until a keyframe comes */
  RcTime need_at;
  gboolean stopped;             /* told of: its network carries less than any rung */
  guint64 switches, late;

  /* Under the stream lock of the pad. */
  GQueue next, held;            /* of SelectPiece: of the wish, from its keyframe; of the present */
  gint next_rung;
  GstClockTime last_running;    /* of the last frame pushed */
  gboolean open;                /* of this frame packets may be missing */
  gboolean begun;               /* stream-start was pushed */
  guint64 seqnum;               /* of the rung's caps and segment pushed last */
  GstArcSelectRung *sent_of;    /* borrowed, to compare only: whose they were */
  GstSegment segment;           /* pushed last */
  guint32 ssrc, ts, ts_offset;
  guint16 seq;
  gboolean has_ts;
};

/* On the streaming thread of the piece's rung, with no lock held. It keeps no reference. */
GstFlowReturn select_viewer_offer (GstArcSelectViewer * self, const SelectPiece * piece);
/* A serialized event of its rung; takes it. */
void select_viewer_push_event (GstArcSelectViewer * self, GstEvent * event);
/* After a flush, or when the element stops. */
void select_viewer_reset (GstArcSelectViewer * self);
/* The next that it is sent begins a stream. */
void select_viewer_begin_anew (GstArcSelectViewer * self);
GstStructure *select_viewer_create_stats (GstArcSelectViewer * self);
extern const FieldRow select_viewer_fields[];

G_END_DECLS
