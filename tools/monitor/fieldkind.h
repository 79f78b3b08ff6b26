/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the fields of a snapshot are, by its member `fields`: how OpenMetrics names them and in
 * which unit. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  const gchar *type;            /* of OpenMetrics: gauge, counter, unknown */
  const gchar *unit;            /* of OpenMetrics; "": none */
  gdouble scale;                /* unit of the field in that unit */
} MetricKind;

typedef struct
{
  gchar *text;
  GHashTable *kinds;            /* KIND:UNIT by name, both within the text */
} FieldKinds;

void field_kinds_init (FieldKinds * self, const GstStructure * snapshot);
void field_kinds_clear (FieldKinds * self);
/* A field that the snapshot does not know is of type "unknown". */
MetricKind field_kinds_get (const FieldKinds * self, const gchar * field);
/* Of the text KIND:UNIT. */
MetricKind field_kind (const gchar * kind);
/* The name with its unit at the end, without a counter's _total; g_free() */
gchar *field_kind_metric (const MetricKind * self, const gchar * field);
