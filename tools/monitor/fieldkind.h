/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a field of the statistics is, by its name: how OpenMetrics names it and in which unit. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  const gchar *fields;          /* a pattern of names: * is any text */
  const gchar *type;            /* of OpenMetrics: gauge, counter, unknown */
  const gchar *unit;            /* of OpenMetrics; "": none */
  gdouble scale;                /* unit of the field in that unit */
} FieldKind;

/* Never NULL: fields that nobody has described here are of type "unknown". */
const FieldKind *field_kind_of (const gchar * field);
/* The name with its unit at the end, without a counter's _total; g_free() */
gchar *field_kind_metric (const FieldKind * self, const gchar * field);
