/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "knownpaths.h"

void
known_paths_clear (KnownPaths * self)
{
  for (guint i = 0; i < MIN (self->n, KNOWN_PATHS); i++)
    g_free (self->paths[i].name);
}

KnownPath *
known_paths_get (KnownPaths * self, const gchar * name)
{
  KnownPath *path;

  for (guint i = 0; i < MIN (self->n, KNOWN_PATHS); i++)
    if (g_str_equal (self->paths[i].name, name))
      return &self->paths[i];
  path = &self->paths[self->n++ % KNOWN_PATHS];
  g_free (path->name);
  *path = (KnownPath) { g_strdup (name), g_random_int (), (guint16) g_random_int () };
  return path;
}
