/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A link that carries less than min-bitrate: the rate cannot follow it, and what is too much is
 * lost, all the time. No locks: the caller's is held. */
#pragma once

#include <glib.h>
#include <rc/sender/sender.h>

G_BEGIN_DECLS

typedef struct
{
  guint min_bps, link_bps;
  guint sent_pkts, lost_pkts;   /* of a span of some seconds */
} FloorShortage;

typedef struct
{
  RcTime looked_at;             /* RC_TIME_NONE: no span has begun */
  guint64 sent_bytes, sent_pkts, lost_pkts;     /* then */
  guint spans;                  /* that were short, without one between that was not */
  gboolean told;
} FloorWatch;

void floor_watch_init (FloorWatch * self);
/* When to look next. */
gboolean floor_watch_is_due (const FloorWatch * self, RcTime now);
/* TRUE, once: all through two spans the link carried less than min_bps. */
gboolean floor_watch_look (FloorWatch * self, const RcSenderStats * stats, guint64 min_bps,
    RcTime now, FloorShortage * shortage);
/* As a sentence (g_free). */
gchar *floor_shortage_describe (const FloorShortage * self);

G_END_DECLS
