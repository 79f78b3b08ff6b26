/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Reads the texts of gst/base/description.h back from an element's metadata: structures and their
 * fields. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  gchar *name, *type, *unit, *text;     /* unit: "" where there is none */
} Field;

typedef struct
{
  gchar *name, *text;
  GPtrArray *fields;            /* of Field */
} Structure;

/* Of Structure; empty if the element has no such key. */
GPtrArray *structures_of (GstElementFactory * factory, const gchar * key);
/* NULL: there is none. */
const Structure *structures_find (const GPtrArray * structures, const gchar * name);
const Field *structure_find_field (const Structure * structure, const gchar * name);

G_END_DECLS
