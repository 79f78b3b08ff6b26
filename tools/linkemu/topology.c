/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "topology.h"

#include <gio/gio.h>

#include "units.h"

void
topology_init (Topology *self)
{
  *self = (Topology) { .n_hops = 1 };
}

static gboolean
refuse (GError **error, const gchar *option, const gchar *text, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s %s: %s", option, text, why);
  return FALSE;
}

/* Paths that were told nothing else leave behind the last link. */
static void
extend_paths (Topology *self)
{
  for (guint i = 0; i < TOPOLOGY_MAX_PATHS; i++)
    self->paths[i].last = self->n_hops - 1;
}

gboolean
topology_add_hop (Topology *self, const gchar *text, const LinkParams *defaults, GError **error)
{
  gchar **parts = g_strsplit (text, ",", -1);
  guint n = g_strv_length (parts);
  LinkParams hop = { .aqm = defaults->aqm };
  gboolean ok = n >= 1 && n <= 3 && units_parse_rate (parts[0], &hop.rate_bps)
      && units_parse_queue (n > 1 ? parts[1] : UNITS_DEFAULT_QUEUE, &hop)
      && (n < 3 || units_parse_ms (parts[2], &hop.delay));

  g_strfreev (parts);
  if (!ok)
    return refuse (error, "--hop", text, "not a link (RATE[,QUEUE[,DELAY_MS]])");
  if (self->n_hops == TOPOLOGY_MAX_HOPS)
    return refuse (error, "--hop", text, "too many links (3 with the first)");
  self->hops[self->n_hops++] = hop;
  extend_paths (self);
  return TRUE;
}

static gboolean
parse_span (const gchar *text, guint n_hops, TopologyPath *path)
{
  gchar **ends = g_strsplit (text, "-", -1);
  guint64 first, last;
  gboolean ok = g_strv_length (ends) == 2 && g_ascii_string_to_unsigned (ends[0], 10, 1, n_hops,
      &first, NULL) && g_ascii_string_to_unsigned (ends[1], 10, first, n_hops, &last, NULL);

  if (ok) {
    path->first = (guint) first - 1;
    path->last = (guint) last - 1;
  }
  g_strfreev (ends);
  return ok;
}

gboolean
topology_set_path (Topology *self, const gchar *text, GError **error)
{
  gchar **parts = g_strsplit (text, ":", -1);
  guint n = g_strv_length (parts);
  guint64 number;
  TopologyPath path = { .last = self->n_hops - 1 };
  gboolean ok = (n == 2 || n == 3) && g_ascii_string_to_unsigned (parts[0], 10,
      1, TOPOLOGY_MAX_PATHS, &number, NULL) && units_parse_ms (parts[1], &path.access_delay)
      && (n == 2 || parse_span (parts[2], self->n_hops, &path));

  g_strfreev (parts);
  if (!ok)
    return refuse (error, "--path", text,
        "not a path (K:DELAY_MS[:FIRST-LAST], K from 1 to 32, links from 1)");
  self->paths[number - 1] = path;
  return TRUE;
}
