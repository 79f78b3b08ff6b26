/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a sender should check that its route to the peer is still current: while sending fails, and
 * while no answer arrives. A route that works is kept, even if the kernel would choose another
 * now. No locks; time is an argument and must not run
 * backwards. What to do then: udpsocket.h. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define PATH_WATCH_FAILING_INTERVAL (100 * RC_MSEC)     /* asking costs some system calls */
#define PATH_WATCH_SILENT_INTERVAL (500 * RC_MSEC)      /* two of the rarest reports */
#define PATH_WATCH_NAME_AFTER RC_SECOND
#define PATH_WATCH_NAME_INTERVAL (5 * RC_SECOND)        /* a name server is asked */

typedef struct
{
  RcTime silent_since;          /* the first unanswered packet; RC_TIME_NONE: none */
  RcTime route_asked_at, name_asked_at; /* RC_TIME_NONE: not in this silence */
  gboolean failing;             /* the last packet could not be sent */
} PathWatch;

void path_watch_init (PathWatch * self);
/* A packet left, or (`failed`) the system refused it. */
void path_watch_on_sent (PathWatch * self, gboolean failed, RcTime now);
void path_watch_on_answer (PathWatch * self);
/* TRUE: ask for the route now, which counts as asked. */
gboolean path_watch_wants_route (PathWatch * self, RcTime now);
/* When to ask at the latest, though nothing is sent meanwhile; RC_TIME_NONE: no need. */
RcTime path_watch_next_at (const PathWatch * self);
/* TRUE: look the peer's name up now, which counts as asked. */
gboolean path_watch_wants_name (PathWatch * self, RcTime now);

G_END_DECLS
