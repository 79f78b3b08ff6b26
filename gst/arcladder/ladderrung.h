/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sink pad of arcladder: one encoding of the picture. */
#pragma once

#include "base/fields.h"
#include "rtp/rtpcodec.h"

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <rc/base/ratemeter.h>
#include <rc/ladder/keygroup.h>

G_BEGIN_DECLS

#define GST_TYPE_ARC_LADDER_RUNG (gst_arc_ladder_rung_get_type ())
G_DECLARE_FINAL_TYPE (GstArcLadderRung, gst_arc_ladder_rung, GST, ARC_LADDER_RUNG, GstPad)

struct _GstArcLadderRung
{
  GstPad parent;
  guint number;                 /* as long as the pad is one of the element */
  guint set_bps;                /* object lock; the property; 0: measured */

  /* Of its streaming thread. */
  GstSegment segment;
  RtpCodec codec;
  gboolean is_rtp;
  guint clock_rate;             /* of RTP */
  gint payload_type;            /* of its media, FEC has another; -1: unknown */
  gboolean discardable;         /* no other frame needs the one that came last */
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
  GQueue begin;                 /* of LadderPiece, from its first keyframe until it has a bitrate */
  gsize begin_bytes;
  gboolean begun;               /* nothing more is kept */
};

/* A buffer or a list of RTP packets: of one frame. */
typedef struct
{
  GstMiniObject *data;
  GstArcLadderRung *rung;
  GstClockTime running;         /* GST_CLOCK_TIME_NONE: without timestamp */
  gboolean is_key;              /* begins a keyframe */
  gboolean ends;                /* the frame */
  gboolean discardable;         /* no other frame needs it */
} LadderPiece;

/* With references of its own; free by ladder_piece_free (). */
LadderPiece *ladder_piece_copy (const LadderPiece * self);
void ladder_piece_free (gpointer piece);

/* On the rung's streaming thread. */
void ladder_rung_set_caps (GstArcLadderRung * self, GstCaps * caps);
LadderPiece ladder_rung_piece_of (GstArcLadderRung * self, GstMiniObject * data);
/* FEC, which rtpulpfecenc puts behind the packets of a frame. */
gboolean ladder_rung_is_fec (const GstArcLadderRung * self, GstRTPBuffer * rtp);
/* With the lock of the element. */
void ladder_rung_note (GstArcLadderRung * self, const LadderPiece * piece, RcTime now);
/* Until a rung has a bitrate nobody is sent it, and its source may make no further keyframe when it
 * is asked: what comes until then is kept. Returns what was, when known: for those who wait. */
GQueue ladder_rung_keep_begin (GstArcLadderRung * self, const LadderPiece * piece, gboolean known);
void ladder_rung_forget_begin (GstArcLadderRung * self);
/* What it makes now, bit/s of media; 0: it stands still. */
gdouble ladder_rung_bps (GstArcLadderRung * self, RcTime now);
/* How much of that are frames that others need, 0 to 1. */
gdouble ladder_rung_base_share (GstArcLadderRung * self, RcTime now);
void ladder_rung_reset (GstArcLadderRung * self);
GstStructure *ladder_rung_create_stats (GstArcLadderRung * self, RcTime now);
extern const FieldRow ladder_rung_fields[];

G_END_DECLS
