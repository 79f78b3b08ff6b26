/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "nesting.h"

#include <string.h>

gboolean
nesting_is_shallow (const gchar * text)
{
  static const gchar opening[] = "<{[", closing[] = ">}]";
  gchar awaited[NESTING_MAX];
  gboolean quoted = FALSE;
  guint depth = 0;

  for (; *text != '\0'; text++) {
    const gchar *opens = strchr (opening, *text), *closes = strchr (closing, *text);

    if (*text == '\\' && text[1] != '\0') {
      text++;
    } else if (*text == '"') {
      quoted = !quoted;
    } else if (opens != NULL) {
      if (quoted || depth == NESTING_MAX)
        return FALSE;
      awaited[depth++] = closing[opens - opening];
    } else if (closes != NULL) {
      if (quoted || depth == 0 || awaited[--depth] != *text)
        return FALSE;
    }
  }
  return TRUE;
}
