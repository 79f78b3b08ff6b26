/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The opportunities of a link to serve (link/opportunities.h), made from a capacity or read from
 * a file. Times are whole milliseconds, as in the files. */
#pragma once

#include <link/opportunities.h>

typedef struct
{
  RcTime *at;                   /* freed by the caller */
  uint32_t n;
  RcTime length;
  double credit_bytes;
} OpportunityList;              /* begins with zeros */

/* Appends one millisecond at this rate. */
void opportunitylist_add_ms (OpportunityList *self, double rate_bps);
/* A file whose name ends with .kbps has lines "seconds kbit/s", and the rate holds from there on;
 * any other is in mahimahi's format, one time in ms a line. FILE#NAME is a part of a file: what
 * follows the line "# NAME", up to the next that begins so. false: it cannot be read as such. */
bool opportunitylist_read (OpportunityList *self, const char *path);
