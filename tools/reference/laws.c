/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "page.h"

#include "rows.h"

#include <rc/law/controller.h>

#include <string.h>

static void
write_law (GString * page, const RcLaw * law)
{
  RcParam param;
  Rows rows;

  g_string_append_printf (page, "\n%s.\n", law->doc);
  rows_begin (&rows, page, "laws", "\n");
  for (guint i = 0; rc_law_param (law, i, &param); i++) {
    g_autofree gchar *paper = param.paper == param.initial ? NULL
        : g_strdup_printf (", %g with `profile=paper`", param.paper);
    gboolean is_switch = strchr (param.unit, '|') != NULL;
    g_autofree gchar *unit = is_switch || !*param.unit ? g_strdup ("")
        : g_strconcat (" ", param.unit, NULL);
    g_autofree gchar *row = g_strdup_printf ("- `%s` (%g %s %g%s, default %g%s): %s\n", param.name,
        param.min, is_switch ? "or" : "to", param.max, unit, param.initial, paper ? paper : "",
        param.doc);

    rows_add (&rows, param.name, "", row);
  }
  rows_end (&rows);
}

gchar *
page_of_laws (void)
{
  GString *page = g_string_new ("# Congestion control and its parameters\n\n"
      "<!-- Made by `ninja -C build reference` from the laws; do not edit. -->\n\n"
      "`congestion-control` of rmcsink and rtparcbwe names the algorithm, or *law*, and\n"
      "`controller-params=\"params, k=2.0\"` sets its parameters.\n");

  for (guint i = 0; rc_laws[i]; i++) {
    g_string_append_printf (page, "\n## %s\n", rc_laws[i]->name);
    write_law (page, rc_laws[i]);
    if (rc_laws[i]->paper) {
      g_string_append_printf (page, "\n### %s with `profile=paper`\n", rc_laws[i]->name);
      write_law (page, rc_laws[i]->paper);
    }
  }
  return g_string_free (page, FALSE);
}
