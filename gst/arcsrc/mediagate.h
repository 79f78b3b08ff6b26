/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Media that came before its caps: depayloaders end the stream without any. Segment and first
 * packets wait for the sender's format, which follows our first report, and then leave in order;
 * nothing is lost. In one thread. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* By then a sender that announces its format has done so: it is as far as a satellite is. */
#define MEDIA_GATE_MAX_TIME RC_SECOND
#define MEDIA_GATE_MAX_PKTS 2000        /* a second at 20 Mbit/s */

typedef enum
{
  MEDIA_GATE_NEW,
  MEDIA_GATE_HOLDS,
  MEDIA_GATE_OPEN,
} MediaGateState;

typedef struct
{
  MediaGateState state;
  gboolean has_caps;            /* they have passed */
  gboolean shut;                /* its format is refused: dropped */
  gboolean releasing;           /* what waited passes */
  gboolean holds_segment;
  GSList *held;                 /* GstBuffer and GstBufferList, the latest first */
  guint n_held;
  RcTime held_since;            /* the first of them */
} MediaGate;

/* New, and empty. */
void media_gate_reset (MediaGate * self);
/* Takes the object. */
void media_gate_hold (MediaGate * self, GstMiniObject * media, RcTime now);
gboolean media_gate_is_patient (const MediaGate * self, RcTime now);
/* What waited leaves by this pad, and all that follows. */
void media_gate_open (MediaGate * self, GstPad * pad);
/* What waited is gone; returns how many packets. */
guint media_gate_shut (MediaGate * self);

G_END_DECLS
