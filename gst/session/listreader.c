/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "listreader.h"

#include <rc/ledger/acks.h>

/* As many as a datagram of the session has bytes, and more. */
#define MAX_ARRIVALS RC_ACKS_MAX

/* The clock of the receiver that spoke last. Another one's clock has nothing to do with it. */
typedef struct
{
  guint32 ssrc;
  RcWireClock clock;
} ReaderClock;

struct _ListReader
{
  ReaderClock ccfb, twcc;
  RcArrivalLists lists;
  RcArrival arrivals[MAX_ARRIVALS];
};

void
list_reader_free (ListReader * self)
{
  g_free (self);
}

static RcWireClock *
clock_of (ReaderClock * self, guint32 ssrc)
{
  if (self->ssrc != ssrc)
    *self = (ReaderClock) {.ssrc = ssrc };
  return &self->clock;
}

static gboolean
decode (ListReader * self, const RtcpList * list, const guint8 * bytes)
{
  guint32 ssrc = list->sender_ssrc;

  self->lists.arrivals = self->arrivals;
  self->lists.max_arrivals = MAX_ARRIVALS;
  switch (list->fmt) {
    case RC_CCFB_FMT:
      return rc_ccfb_decode (bytes, list->size, ssrc, clock_of (&self->ccfb, ssrc), &self->lists);
    case RC_TWCC_FMT:
      return rc_twcc_decode (bytes, list->size, ssrc, clock_of (&self->twcc, ssrc), &self->lists);
    default:                   /* rtcpmessage.c hands over no other */
      g_return_val_if_reached (FALSE);
  }
}

gboolean
list_reader_take (ListReader ** self, RcLane * lane, const RtcpList * list,
    const guint8 * data, RcTime now)
{
  RcArrivalLists *lists;

  if (!*self)
    *self = g_new0 (ListReader, 1);
  lists = &(*self)->lists;
  if (!decode (*self, list, data + list->offset))
    return FALSE;
  if (lists->n_lists > 0)
    rc_lane_on_arrivals (lane, lists->lists, lists->n_lists, now);
  return TRUE;
}
