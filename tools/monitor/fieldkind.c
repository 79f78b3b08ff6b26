/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fieldkind.h"

#define BIT (1.0 / 8)           /* byte */
#define NS 1e-9                 /* second */

/* The first pattern that fits counts. */
static const FieldKind kinds[] = {
  {"law-*-bps", "gauge", "bytes_per_second", BIT},
  {"law-*-bits", "gauge", "bytes", BIT},
  {"law-*-s", "gauge", "seconds", 1},
  {"law-*", "gauge", "", 1},
  {"rate", "gauge", "bytes_per_second", BIT},
  {"*bitrate*", "gauge", "bytes_per_second", BIT},
  {"budget", "gauge", "bytes_per_second", BIT},
  {"requirement", "gauge", "bytes_per_second", BIT},
  {"allocation", "gauge", "bytes_per_second", BIT},
  {"rtt", "gauge", "seconds", NS},
  {"queueing-delay", "gauge", "seconds", NS},
  {"queue-time", "gauge", "seconds", NS},
  {"*latency", "gauge", "seconds", NS},
  {"loop-delay", "gauge", "seconds", NS},
  {"*queue-bytes", "gauge", "bytes", 1},
  {"fill", "gauge", "bytes", 1},
  {"buffer-size", "gauge", "bytes", 1},
  {"*queue-packets", "gauge", "", 1},
  {"flows", "gauge", "", 1},
  {"overloaded", "gauge", "", 1},
  {"live", "gauge", "", 1},
  {"sender-proven", "gauge", "", 1},
  {"*width", "gauge", "pixels", 1},
  {"*height", "gauge", "pixels", 1},
  {"*framerate", "gauge", "hertz", 1},
  {"difficulty*", "gauge", "", 1},
  {"predicted-quantiser", "gauge", "", 1},
  {"kappa", "gauge", "", 1},
  {"*bytes*", "counter", "bytes", 1},
  {"*packets*", "counter", "", 1},
  {"frames-*", "counter", "", 1},
  {"*reports*", "counter", "", 1},
  {"*requests*", "counter", "", 1},
  {"rtx-*", "counter", "", 1},
  {"fec-*", "counter", "", 1},
  {"retransmissions*", "counter", "", 1},
  {"arrivals-*", "counter", "", 1},
  {"feedback-*", "counter", "", 1},
  {"rtcp-*", "counter", "", 1},
  {"*not-rtcp", "counter", "", 1},
  {"send-*", "counter", "", 1},
  {"sender-*", "counter", "", 1},
  {"sources-*", "counter", "", 1},
  {"flows-*", "counter", "", 1},
  {"events-*", "counter", "", 1},
  {"notices-*", "counter", "", 1},
  {"claims-*", "counter", "", 1},
  {"refus*", "counter", "", 1},
  {"port-unreachable", "counter", "", 1},
  {"rtt-clamped", "counter", "", 1},
  {"size-*", "counter", "", 1},
  {"rejected*", "counter", "", 1},
  {"srtp-*", "counter", "", 1},
  {"path-changes", "counter", "", 1},
  {"non-rtp-buffers", "counter", "", 1},
  {"arrivals-unreported", "counter", "", 1},
  {"overloads", "counter", "", 1},
  {"steps", "counter", "", 1},
  {"*", "unknown", "", 1},
};

const FieldKind *
field_kind_of (const gchar * field)
{
  guint i = 0;

  while (!g_pattern_match_simple (kinds[i].fields, field))
    i++;
  return &kinds[i];
}

/* Does the word of a name tell the unit, or the one that was scaled to it? */
static gboolean
says_unit (const FieldKind * self, const gchar * word)
{
  if (g_str_equal (self->unit, "bytes"))
    return g_str_equal (word, "bytes") || g_str_equal (word, "bits");
  if (g_str_equal (self->unit, "bytes_per_second"))
    return g_str_equal (word, "bps");
  return g_str_equal (self->unit, "seconds") && g_str_equal (word, "s");
}

gchar *
field_kind_metric (const FieldKind * self, const gchar * field)
{
  GString *name = g_string_new (NULL);
  gchar **words = g_strsplit (field, "-", -1), **word;

  for (word = words; *word != NULL; word++) {
    if (says_unit (self, *word))
      continue;
    if (name->len > 0)
      g_string_append_c (name, '_');
    g_string_append (name, *word);
  }
  g_strfreev (words);
  if (*self->unit)
    g_string_append_printf (name, "%s%s", name->len > 0 ? "_" : "", self->unit);
  g_strcanon (name->str, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  return g_string_free (name, FALSE);
}
