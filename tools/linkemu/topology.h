/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which links there are and which way the packets of each path take.
 *
 *   sender -> access delay of the path -> link 1 -> link 2 -> link 3 -> receiver
 *      <----- access delay of the path <------ reverse link <----------------'
 *
 * A path may enter at a later link than the first and leave before the last. */
#pragma once

#include <glib.h>
#include <link/link.h>

G_BEGIN_DECLS

#define TOPOLOGY_MAX_HOPS 3
#define TOPOLOGY_MAX_PATHS 32

typedef struct
{
  RcTime access_delay;          /* each way */
  guint first, last;            /* links that it takes on the way out, from 0 */
} TopologyPath;

typedef struct
{
  LinkParams hops[TOPOLOGY_MAX_HOPS];   /* forward; [0] is the link of --rate, --delay ... */
  guint n_hops;
  LinkParams reverse;
  TopologyPath paths[TOPOLOGY_MAX_PATHS];
} Topology;

/* One hop, all paths over it. */
void topology_init (Topology * self);
/* "RATE", "RATE,QUEUE" or "RATE,QUEUE,DELAY_MS": one more link behind the last, with the AQM of
 * `defaults`. */
gboolean topology_add_hop (Topology * self, const gchar * text, const LinkParams * defaults,
    GError ** error);
/* "K:DELAY_MS" or "K:DELAY_MS:FIRST-LAST", K from 1, links from 1. After all hops. */
gboolean topology_set_path (Topology * self, const gchar * text, GError ** error);

G_END_DECLS
