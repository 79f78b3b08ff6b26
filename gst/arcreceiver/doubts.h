/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that wait until another one confirms their numbers (rc/loss/leaps.h), one of an SSRC and
 * DOUBTS_MAX in all: without SRTP anybody may make them up. What has to give way to another is
 * dropped and counted. No lock: it is the caller's. */
#pragma once

#include <gst/gst.h>
#include <rc/loss/leaps.h>

G_BEGIN_DECLS

#define DOUBTS_MAX 8

typedef struct
{
  guint32 ssrc;
  RcLeaps leaps;                /* of an SSRC that has no source */
  GstBuffer *packet;            /* NULL: none waits */
} Doubt;

typedef struct
{
  Doubt doubts[DOUBTS_MAX];
  guint next;                   /* that gives way */
  guint64 dropped;
} Doubts;

/* All that wait; what it counted stays. */
void doubts_forget (Doubts * self);
/* leaps: of the source, NULL: it has none. doubtful: of rc_leaps_on_packet(). A packet that is
 * doubted is kept; *before: the one that is confirmed by this one, else NULL. */
RcLeapVerdict doubts_judge (Doubts * self, guint32 ssrc, guint16 seq, RcLeaps * leaps,
    gboolean doubtful, GstBuffer * packet, GstBuffer ** before);

G_END_DECLS
