/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "page.h"

#include "cell.h"

#include <rc/law/controller.h>

static void
write_law (GString * page, const RcLaw * law)
{
  RcParam param;

  g_string_append_printf (page, "\n%s.\n", law->doc);
  g_string_append (page, "\n| parameter | unit | default | least | most | meaning |\n"
      "|---|---|---|---|---|---|\n");
  for (guint i = 0; rc_law_param (law, i, &param); i++) {
    g_autofree gchar *unit = cell_text (param.unit), *text = cell_text (param.doc);

    g_string_append_printf (page, "| `%s` | %s | %g", param.name, unit, param.initial);
    if (param.paper != param.initial)
      g_string_append_printf (page, "; %g with `profile=paper`", param.paper);
    g_string_append_printf (page, " | %g | %g | %s |\n", param.min, param.max, text);
  }
}

gchar *
page_of_laws (void)
{
  GString *page = g_string_new ("# Laws and their parameters\n\n"
      "<!-- Made by `ninja -C build reference` from the laws; do not edit. -->\n\n"
      "The property `congestion-control` of rmcsink and rtparcbwe names the law. The property\n"
      "`controller-params` sets parameters of the law, as in "
          "`controller-params=\"params, k=2.0\"`.\n");

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
