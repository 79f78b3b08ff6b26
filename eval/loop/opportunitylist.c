/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "opportunitylist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPPORTUNITIES 2000000      /* 120 s at 200 Mbit/s */
#define LAST_RATE_S 0.5         /* for so long it holds */

static void
add (OpportunityList *self, RcTime at)
{
  if (!self->at)
    self->at = malloc (MOST_OPPORTUNITIES * sizeof *self->at);
  if (self->n < MOST_OPPORTUNITIES)
    self->at[self->n++] = at;
}

void
opportunitylist_add_ms (OpportunityList *self, double rate_bps)
{
  self->length += RC_MSEC;
  self->credit_bytes += rate_bps / 8 / 1000;
  for (; self->credit_bytes >= LINK_OPPORTUNITY_BYTES; self->credit_bytes -= LINK_OPPORTUNITY_BYTES)
    add (self, self->length);
}

static void
add_until (OpportunityList *self, double until_s, double kbps)
{
  RcTime until = rc_time_from_s (until_s);

  while (self->length + RC_MSEC / 2 < until)
    opportunitylist_add_ms (self, kbps * 1e3);
}

static void
read_kbps (OpportunityList *self, FILE *file)
{
  double at_s, kbps, last_s = 0, last_kbps = 0;

  while (fscanf (file, "%lf %lf", &at_s, &kbps) == 2 && at_s >= last_s && kbps >= 0) {
    add_until (self, at_s, last_kbps);
    last_s = at_s;
    last_kbps = kbps;
  }
  add_until (self, last_s + LAST_RATE_S, last_kbps);
}

static void
read_times (OpportunityList *self, FILE *file)
{
  long long ms;

  while (fscanf (file, "%lld", &ms) == 1 && ms * RC_MSEC >= self->length) {
    self->length = ms * RC_MSEC;
    add (self, self->length);
  }
}

static bool
seek_part (FILE *file, const char *name)
{
  size_t length = strlen (name);
  char line[100];

  while (fgets (line, sizeof line, file))
    if (line[0] == '#' && strncmp (line + 2, name, length) == 0 && line[2 + length] == '\n')
      return true;
  return false;
}

static FILE *
open_part (const char *path, const char *name)
{
  char *whole = strndup (path, (size_t) (name - path) - 1);
  FILE *file = fopen (whole, "r");

  free (whole);
  if (file && !seek_part (file, name)) {
    fclose (file);
    file = NULL;
  }
  return file;
}

bool
opportunitylist_read (OpportunityList *self, const char *path)
{
  const char *part = strchr (path, '#');
  FILE *file = part ? open_part (path, part + 1) : fopen (path, "r");
  const char *dot = strrchr (path, '.');
  bool whole;

  if (!file)
    return false;
  if (dot && strcmp (dot, ".kbps") == 0)
    read_kbps (self, file);
  else
    read_times (self, file);
  whole = feof (file) || (part && getc (file) == '#');
  fclose (file);
  return whole && self->n > 0 && self->at[self->n - 1] > 0;
}
