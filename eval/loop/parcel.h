/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What is on its way in a closed loop: a media packet, a report, a TCP segment or an
 * acknowledgement. */
#pragma once

#include <link/link.h>

#include "loopconfig.h"

typedef struct Parcel Parcel;
/* The first member of what it carries: allocated whole, freed with free (). */
struct Parcel
{
  LinkPacket link;              /* first: cast */
  unsigned flow, route;         /* links still to cross: bit i is link i */
  bool is_back;                 /* a report or an acknowledgement */
  RcTime rest;                  /* from the last link to the far end */
  RcTime sent_at, waited;       /* in the queues of the relay and the links */
  RcTime due_at;                /* at the far end */
  bool is_media;                /* of ours: */
  uint16_t seq;
  RcTime loop_time;             /* its stamp: what the sender claims; 0: it has no stamp */
  uint64_t stamp_bps;           /* what the relay offers; 0: nothing */
  Parcel *next;
};
