/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "drives.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_NAME 40

typedef char DrivePath[sizeof DRIVES + MOST_NAME];

static DrivePath paths[N_DRIVES];

static void
read_names (void)
{
  FILE *file = fopen (DRIVES, "r");
  char line[MOST_NAME], name[MOST_NAME];
  unsigned n = 0;

  while (file && n < N_DRIVES && fgets (line, sizeof line, file))
    if (sscanf (line, "# %39s", name) == 1)
      snprintf (paths[n++], sizeof (DrivePath), "%s#%s", DRIVES, name);
  if (file)
    fclose (file);
  if (n < N_DRIVES) {
    fprintf (stderr, "%s has not the %u drives\n", DRIVES, N_DRIVES);
    exit (1);
  }
}

const char *
drive_path (unsigned index)
{
  if (!paths[0][0])
    read_names ();
  return paths[index];
}

const char *
drive_named (const char *name)
{
  static DrivePath path;

  snprintf (path, sizeof path, "%s#%s.kbps", DRIVES, name);
  return path;
}
