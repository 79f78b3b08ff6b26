/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What comes in where no encoder follows: at which rate a session begins, and what a viewer will
 * see if the link carries less. No locks: the caller's is held. */
#pragma once

#include "pacing/sendqueue.h"

G_BEGIN_DECLS

/* The link carries less than what comes. */
typedef struct
{
  guint in_bps, link_bps;       /* on the network */
  guint frames_in, frames_dropped;      /* of a span of some seconds */
  RcTime key_interval;          /* 0: unknown */
  RcTime held;                  /* 95 % of the frames were held for so long at most */
  RcTime latency;               /* that the receiver needs in time */
} InputShortage;

typedef struct
{
  RcTime since;                 /* the first packet came; RC_TIME_NONE: none */
  guint64 bytes;                /* came since then */
  RcTime looked_at;             /* RC_TIME_NONE: no span has begun */
  guint64 looked_bytes;
  SendQueueStats looked;
  guint n_told;                 /* what was told last: */
  gdouble told_share;           /* of the frames, dropped */
  RcTime told_latency;
} InputWatch;

void input_watch_init (InputWatch * self);
/* bytes: on the network. Returns a rate to begin with, which is that of the first second, while it
 * lasts; 0: it is over. */
guint64 input_watch_on_packet (InputWatch * self, guint bytes, RcTime now);
/* A span without. */
void input_watch_forget (InputWatch * self);
/* TRUE, to be told: more came than the link carries, and frames were dropped all through a span;
 * and again, a few times, when what is dropped or late has doubled. hold_time: frames wait so
 * long. */
gboolean input_watch_look (InputWatch * self, SendQueue * queue, guint link_bps, RcTime hold_time,
    RcTime now, InputShortage * shortage);
/* As a sentence (g_free). */
gchar *input_shortage_describe (const InputShortage * self);

G_END_DECLS
