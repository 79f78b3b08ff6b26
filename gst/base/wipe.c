/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _DEFAULT_SOURCE         /* explicit_bzero */
#include "base/wipe.h"

#include <string.h>
#ifdef G_OS_WIN32
#include <windows.h>
#define explicit_bzero SecureZeroMemory
#endif

void
wipe (gpointer bytes, gsize size)
{
  explicit_bzero (bytes, size);
}

void
wipe_and_free (gchar * text)
{
  if (text)
    explicit_bzero (text, strlen (text));
  g_free (text);
}
