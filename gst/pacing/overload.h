/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether a pacing thread has more to send than its processor can.
 *
 * Problem: on a full CPU everything leaves later and later, until the queue of each viewer is as
 * long as it may be. Then all of them lose frames: of 1500 viewers at 1 Mbit/s on two cores each
 * got 60 %, 0.27 s late, and 1 % of it later than 0.7 s.
 *
 * Rule: the thread is overloaded when what is due leaves more than OVERLOAD_LAG late on average, in
 * half a second. Then nobody more is let in. While it gets no better, those who came last are set
 * aside, some more each OVERLOAD_WINDOW: they get no media, whole frames are left out, and the
 * others are served as if they were alone. Once the thread has been in time for a while they come
 * back, few at a time. After each return that was too much the while is twice as long.
 *
 * Rejected: a shorter queue for each. All are equally late, so all drop their frames up to the next
 * keyframe at once, and the CPU is idle until then. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define OVERLOAD_WINDOW (250 * RC_MSEC)
/* A thousand viewers on two cores with time to spare: 15 ms. */
#define OVERLOAD_LAG (30 * RC_MSEC)

typedef struct
{
  RcTime began_at;              /* the window; 0: not yet */
  RcTime late_sum;              /* of its passes */
  guint passes;
  RcTime lag;                   /* mean of the last window */
  guint late, fine;             /* such windows in a row */
  guint patience;               /* so many fine ones until some return */
  gboolean bound;               /* it is overloaded */
  gboolean returning;           /* some came back last, and none was set aside since */
  guint aside;                  /* those who came last */
} Overload;

/* What was due so long ago has left now, in one pass. */
void overload_note (Overload * self, RcTime late);
/* After each pass. n: how many may be set aside, the one who came first excepted. */
void overload_look (Overload * self, guint n, RcTime now);

G_END_DECLS
