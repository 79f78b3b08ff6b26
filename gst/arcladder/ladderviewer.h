/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source pad of arcladder: one viewer. It is sent the frames of one rung after the other, as one
 * stream: no frame twice, none missing, RTP numbers and timestamps without a gap. */
#pragma once

#include "encoder/encoderorders.h"
#include "ladderrung.h"

#include <rc/ladder/viewerchoice.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_LADDER_VIEWER (gst_arc_ladder_viewer_get_type ())
G_DECLARE_FINAL_TYPE (GstArcLadderViewer, gst_arc_ladder_viewer, GST, ARC_LADDER_VIEWER, GstPad)

struct _GstArcLadderViewer
{
  GstPad parent;
  gdouble weight;               /* object lock; the property */

  /* Under the lock of the element. */
  GMutex *lock;                 /* that one, as long as the pad is part of it */
  RcViewerChoice choice;        /* .rung: what it is sent now */
  RcCause cause;                /* of its target, as its sink says */
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
  GQueue next, held;            /* of LadderPiece: of the wish, from its keyframe; of the present */
  gint next_rung;
  GstClockTime last_running;    /* of the last frame pushed */
  gboolean open;                /* of this frame packets may be missing */
  gboolean begun;               /* stream-start was pushed */
  guint64 seqnum;               /* of the rung's caps and segment pushed last */
  GstArcLadderRung *sent_of;    /* borrowed, to compare only: whose they were */
  GstSegment segment;           /* pushed last */
  guint32 ssrc, ts, ts_offset;
  guint16 seq;
  gboolean has_ts;
};

/* On the streaming thread of the piece's rung, with no lock held. It keeps no reference. */
GstFlowReturn ladder_viewer_offer (GstArcLadderViewer * self, const LadderPiece * piece);
/* A serialized event of its rung; takes it. */
void ladder_viewer_push_event (GstArcLadderViewer * self, GstEvent * event);
/* After a flush, or when the element stops. */
void ladder_viewer_reset (GstArcLadderViewer * self);
/* The next that it is sent begins a stream. */
void ladder_viewer_begin_anew (GstArcLadderViewer * self);
GstStructure *ladder_viewer_create_stats (GstArcLadderViewer * self);
extern const FieldRow ladder_viewer_fields[];

G_END_DECLS
