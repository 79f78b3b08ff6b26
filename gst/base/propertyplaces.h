/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Properties that are nothing but a field of a struct: a table says which field is whose. Strings
 * and GstStructures are copied, and freed by the struct's owner. No locks: the caller's is held. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint id;                     /* of the property; 0 ends the table */
  gsize offset;                 /* of its field, of the C type of the property's values */
} PropertyPlace;

/* FALSE: the table does not have it. */
gboolean property_places_write (const PropertyPlace * places, gpointer fields, guint id,
    const GValue * value);
gboolean property_places_read (const PropertyPlace * places, gconstpointer fields, guint id,
    GValue * value);

G_END_DECLS
