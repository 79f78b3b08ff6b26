/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the body and the driver of fuzz-lists share. */
#pragma once

#include "fuzz.h"

#include <rc/feedback/ccfb.h>
#include <rc/feedback/nack.h>
#include <rc/feedback/twcc.h>
#include <rc/ledger/ledgers.h>

typedef struct
{
  unsigned long accepted[2], refused[2];        /* RFC 8888, TWCC */
  unsigned long digested, delays;       /* by the ledgers; of them with several delays */
  unsigned long nacked;         /* packets */
} ListCounts;

extern ListCounts list_counts;
