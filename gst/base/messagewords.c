/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/messagewords.h"

#include <gst/arc/arc.h>
#include <string.h>

/* {FIELD} is the value, {FIELD?YES|NO} one or the other of a boolean, and what is in brackets is
 * left out if a field in it is absent or empty. NULL: monitors show it anyway. */
typedef struct
{
  const gchar *name, *words;
} MessageWords;

static const MessageWords messages[] = {
  {GST_RMC_SINK_TARGET_BITRATE, NULL},
  {GST_ARC_LADDER_RUNGS, NULL},
  {GST_RMC_SINK_STATE, "media is {state}[: {reason}]"},
  {GST_RMC_SINK_PATH, "path {path} is {state}"},
  {GST_ARC_SRC_TIMEOUT, "no media for {silence}[ from {sender}]"},
  {GST_ARC_SRC_RESUMED, "media comes again after {silence}[ from {sender}]"},
  {GST_ARC_RECEIVER_LATENCY, "repair needs {needed} of latency, and has {latency}"},
  {GST_RAMP_SCHEDULER_OVERLOAD, "the streams want {requirement}, {overloaded?more|no more} than "
        "the {budget} that there are"},
  {GST_ARC_SCALE_STEP, "picture {width}×{height}, {framerate} a second, for {bitrate} ({reason})"},
  {GST_ARC_LADDER_VIEWER_STATE, "viewer at {pad} {served?is served again|gets nothing}: its "
        "network carries {bitrate}[ ({cause})]"},
  {GST_ARC_SERVER_SINK_VIEWER, "viewer[ {streamid}] ({address}) {state}; {viewers} now"},
};

static gboolean
is_one_of (const gchar * field, const gchar * const *names)
{
  return g_strv_contains (names, field);
}

static gchar *
number_text (const gchar * field, guint64 number)
{
  static const gchar *const rates[] = { "bitrate", "requirement", "budget", NULL };
  static const gchar *const times[] = { "silence", "needed", "latency", NULL };

  if (is_one_of (field, times))
    return number < GST_SECOND ? g_strdup_printf ("%.0f ms", (gdouble) number / GST_MSECOND)
        : g_strdup_printf ("%.1f s", (gdouble) number / GST_SECOND);
  if (!is_one_of (field, rates))
    return g_strdup_printf ("%" G_GUINT64_FORMAT, number);
  return number < 1000000 ? g_strdup_printf ("%.0f kbit/s", (gdouble) number / 1e3)
      : g_strdup_printf ("%.2f Mbit/s", (gdouble) number / 1e6);
}

/* choice: YES|NO, or NULL. "": there is no such field. */
static gchar *
value_text (const GstStructure * s, const gchar * field, const gchar * choice)
{
  const GValue *value = gst_structure_get_value (s, field);
  const gchar *other = choice ? strchr (choice, '|') : NULL;

  if (value == NULL)
    return g_strdup ("");
  if (other != NULL && G_VALUE_HOLDS_BOOLEAN (value))
    return g_value_get_boolean (value) ? g_strndup (choice, (gsize) (other - choice))
        : g_strdup (other + 1);
  if (G_VALUE_HOLDS_UINT (value))
    return number_text (field, g_value_get_uint (value));
  if (G_VALUE_HOLDS_UINT64 (value))
    return number_text (field, g_value_get_uint64 (value));
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_strdup_printf ("%.4g", g_value_get_double (value));
  return G_VALUE_HOLDS_STRING (value) ? g_strdup (g_value_get_string (value) ?
      g_value_get_string (value) : "") : gst_value_serialize (value);
}

/* From behind a {, up to behind its }. FALSE: it was empty. */
static gboolean
append_value (GString * text, const GstStructure * s, const gchar ** at)
{
  const gchar *end = strchr (*at, '}');
  gchar *field = g_strndup (*at, (gsize) (end - *at)), *choice = strchr (field, '?'), *value;
  gboolean has;

  if (choice != NULL)
    *choice++ = '\0';
  value = value_text (s, field, choice);
  has = *value != '\0';
  g_string_append (text, value);
  g_free (value);
  g_free (field);
  *at = end + 1;
  return has;
}

static gchar *
fill_in (const gchar * words, const GstStructure * s)
{
  GString *text = g_string_new (NULL);
  gsize kept = 0;
  gboolean has = TRUE;

  for (const gchar * at = words; *at != '\0';) {
    const gchar sign = *at++;

    if (sign == '{') {
      has &= append_value (text, s, &at);
    } else if (sign == '[') {
      kept = text->len;
      has = TRUE;
    } else if (sign == ']') {
      if (!has)
        g_string_truncate (text, kept);
    } else {
      g_string_append_c (text, sign);
    }
  }
  return g_string_free (text, FALSE);
}

static gboolean
append_field (GQuark id, const GValue * value, gpointer text)
{
  gchar *written = G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value)
      : gst_value_serialize (value);

  g_string_append_printf (text, " %s=%s", g_quark_to_string (id), written ? written : "");
  g_free (written);
  return TRUE;
}

gchar *
message_words (const GstStructure * s)
{
  GString *text;

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (gst_structure_has_name (s, messages[i].name))
      return messages[i].words ? fill_in (messages[i].words, s) : NULL;
  if (g_str_has_suffix (gst_structure_get_name (s), "Stats"))
    return NULL;
  text = g_string_new (gst_structure_get_name (s));
  gst_structure_foreach (s, append_field, text);
  return g_string_free (text, FALSE);
}
