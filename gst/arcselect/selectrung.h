/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sink pad of arcselect: one encoding of the picture. */
#pragma once

#include "base/fields.h"
#include "rtp/rtpcodec.h"

#include <gst/gst.h>
#include <rc/base/ratemeter.h>
#include <rc/ladder/keygroup.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_SELECT_RUNG (gst_arc_select_rung_get_type ())
G_DECLARE_FINAL_TYPE (GstArcSelectRung, gst_arc_select_rung, GST, ARC_SELECT_RUNG, GstPad)

struct _GstArcSelectRung
{
  GstPad parent;
  guint number;                 /* as long as the pad is one of the element */
  guint set_bps;                /* object lock; the property; 0: measured */

  /* Of its streaming thread. */
  GstSegment segment;
  RtpCodec codec;
  gboolean is_rtp;
  guint clock_rate;             /* of RTP */
  guint64 seqnum;               /* of the segment and caps: counts up with each */

  /* Under the lock of the element. */
  RcRateMeter meter, base;      /* of all; of the frames that others need */
  RcTime first_at, last_at;     /* RC_TIME_NONE: no data yet */
  RcKeyGroup group;
  GstClockTime last_running, frame;     /* of the last frame; between two */
  GstClockTime asked_for;       /* the keyframe: first frame from here on */
  guint members;                /* viewers, counted last */
  gboolean watched;             /* there were some */
  gboolean eos;
  guint64 keyframes, keyframes_asked;
  GQueue begin;                 /* of SelectPiece, from its first keyframe until it has a bitrate */
  gsize begin_bytes;
  gboolean begun;               /* nothing more is kept */
};

/* A buffer or a list of RTP packets: of one frame. */
typedef struct
{
  GstMiniObject *data;
  GstArcSelectRung *rung;
  GstClockTime running;         /* GST_CLOCK_TIME_NONE: without timestamp */
  gboolean is_key;              /* begins a keyframe */
  gboolean ends;                /* the frame */
  gboolean discardable;         /* no other frame needs it */
} SelectPiece;

/* With references of its own; free by select_piece_free (). */
SelectPiece *select_piece_copy (const SelectPiece * self);
void select_piece_free (gpointer piece);

/* On the rung's streaming thread. */
void select_rung_set_caps (GstArcSelectRung * self, GstCaps * caps);
SelectPiece select_rung_piece_of (GstArcSelectRung * self, GstMiniObject * data);
/* With the lock of the element. */
void select_rung_note (GstArcSelectRung * self, const SelectPiece * piece, RcTime now);
/* Until a rung has a bitrate nobody is sent it, and its source may make no further keyframe when it
 * is asked: what comes until then is kept. Returns what was, when known: for those who wait. */
GQueue select_rung_keep_begin (GstArcSelectRung * self, const SelectPiece * piece, gboolean known);
void select_rung_forget_begin (GstArcSelectRung * self);
/* What it makes now, bit/s of media; 0: it stands still. */
gdouble select_rung_bps (GstArcSelectRung * self, RcTime now);
/* How much of that are frames that others need, 0 to 1. */
gdouble select_rung_base_share (GstArcSelectRung * self, RcTime now);
void select_rung_reset (GstArcSelectRung * self);
GstStructure *select_rung_create_stats (GstArcSelectRung * self, RcTime now);
extern const FieldRow select_rung_fields[];

G_END_DECLS
