/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the fuzz bodies share: an invariant that ends the process, and counts that show what the
 * inputs reached. */
#pragma once

#include <rc/ledger/acks.h>
#include <stdio.h>
#include <stdlib.h>

#define FUZZ_CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf (stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      abort (); \
    } \
  } while (0)

typedef struct
{
  unsigned long reports_accepted, reports_refused, infos_accepted, infos_refused, notices_accepted,
      notices_refused;
  unsigned long parts, formats; /* of infos that were accepted; formats whose parts all came */
  unsigned long lists;          /* of reports that were accepted */
  unsigned long same_bytes;     /* accepted, and encoded to the very bytes that were decoded */
  unsigned long digests[RC_DIGEST_TOO_MANY_RESTARTS + 1];
  /* digested reports that told of several packets; entries refused */
  unsigned long delays, false_arrivals;
  /* Reports of the session's own receiver, and how many were accepted. */
  unsigned long sent_in_order, believed;
} FuzzCounts;

extern FuzzCounts fuzz_counts;

/* First byte even: the rest is one packet for the decoders. Odd: the rest is a session for the
 * ledger. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Decodes and counts. */
bool fuzz_decode_report (const uint8_t *bytes, size_t size, RcReport *report);
void fuzz_session (const uint8_t *data, size_t size);
