/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much FEC the packets of a session need (lib/rc/fec/fecplan.h), from what its queue, its
 * resender and its reports saw in the last second. No locks: the caller's is held. */
#pragma once

#include "pacing/resender.h"
#include "pacing/sendqueue.h"
#include <rc/path/lossshape.h>

G_BEGIN_DECLS

typedef struct
{
  RcTime looked_at;             /* RC_TIME_NONE: never */
  SendQueueStats queue;         /* then */
  guint64 asked, lost;
  gdouble frame_pkts;           /* 0: unknown */
  gboolean is_asked;            /* the receiver asks for what it lost */
  guint percentage;             /* as last reported */
} FecRate;

/* What is known of the path. */
typedef struct
{
  const RcLossShape *loss;
  guint64 lost;                 /* packets, all in all */
  RcTime rtt;                   /* RC_TIME_NONE: unknown */
  RcTime repair_time;           /* what is sent again comes in time until then; 0: nothing is */
} FecPath;

void fec_rate_init (FecRate * self);
/* Once a second. */
gboolean fec_rate_is_due (const FecRate * self, RcTime now);
/* TRUE: the percentage has changed. */
gboolean fec_rate_look (FecRate * self, const SendQueueStats * queue, guint64 asked,
    const FecPath * path, RcTime now);

G_END_DECLS
