/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Paths that went: when one comes again its lane goes on. So SRTP never has an index twice, and the
 * receiver needs one place for it. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define KNOWN_PATHS 16

typedef struct
{
  gchar *name;
  guint32 ssrc;                 /* of its lane */
  guint16 seq;                  /* the lane's next number */
} KnownPath;

/* All zero at first. */
typedef struct
{
  KnownPath paths[KNOWN_PATHS];
  guint n;                      /* that ever were noted */
} KnownPaths;

void known_paths_clear (KnownPaths * self);
/* Of a name that was not there yet SSRC and number are random; the oldest is forgotten for it. */
KnownPath *known_paths_get (KnownPaths * self, const gchar * name);

G_END_DECLS
