/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _DEFAULT_SOURCE         /* getentropy */
#define _CRT_RAND_S             /* rand_s, of Windows */
#include "base/randombytes.h"

#ifdef G_OS_WIN32
#include <stdlib.h>

static int
getentropy (guint8 * bytes, gsize size)
{
  for (gsize i = 0; i < size; i++) {
    unsigned int word;

    if (rand_s (&word) != 0)
      return -1;
    bytes[i] = (guint8) word;
  }
  return 0;
}
#else
#include <unistd.h>
#endif

void
random_bytes (guint8 * bytes, gsize size)
{
  if (getentropy (bytes, size) == 0)
    return;
  for (gsize i = 0; i < size; i++)
    bytes[i] = (guint8) g_random_int ();
}
