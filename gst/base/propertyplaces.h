/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Properties that map directly to a struct field: a table gives the offset of the field for each
 * property ID. Strings and boxed values, as GstStructure and GstCaps, are copied, or get a
 * reference; the owner of the struct frees them. Not thread-safe: the caller holds its lock. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint id;                     /* of the property; 0 ends the table */
  gsize offset;                 /* of its field, of the C type of the property's values */
} PropertyPlace;

/* Of the C type of the value. */
void property_place_write (gpointer place, const GValue * value);
void property_place_read (gconstpointer place, GValue * value);
/* FALSE: the table does not have it. */
gboolean property_places_write (const PropertyPlace * places, gpointer fields, guint id,
    const GValue * value);
gboolean property_places_read (const PropertyPlace * places, gconstpointer fields, guint id,
    GValue * value);

G_END_DECLS
