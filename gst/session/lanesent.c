/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lanesent.h"

#include <string.h>

void
lane_sent_init (LaneSent * self, guint16 next)
{
  memset (self, 0, sizeof *self);
  self->next = self->answered = next;
}

void
lane_sent_clear (LaneSent * self)
{
  for (guint i = 0; i < LANE_SENT_PACKETS; i++)
    gst_clear_buffer (&self->packets[i].buffer);
}

void
lane_sent_add (LaneSent * self, GstBuffer * buffer, RcTime now)
{
  LaneSentPacket *place = &self->packets[self->next % LANE_SENT_PACKETS];

  gst_buffer_replace (&place->buffer, buffer);
  place->sent_at = now;
  self->next++;
}

static void
take (LaneSent * self, guint16 seq, RcTime now, GQueue * buffers)
{
  LaneSentPacket *place = &self->packets[seq % LANE_SENT_PACKETS];

  if (place->buffer && now - place->sent_at <= LANE_SENT_AGE)
    g_queue_push_tail (buffers, gst_buffer_ref (place->buffer));
  gst_clear_buffer (&place->buffer);
}

void
lane_sent_take_unanswered (LaneSent * self, RcTime now, GQueue * buffers)
{
  guint n = (guint16) (self->next - self->answered);

  for (guint k = MIN (n, LANE_SENT_PACKETS); k > 0; k--)
    take (self, (guint16) (self->next - k), now, buffers);
}

/* A report that did not come has taken its list along: what that would have named is unknown. */
static guint16
first_known (const LaneSent * self, const RcReport * report)
{
  if (self->reported && report->number == self->report + 1)
    return self->answered;
  return report->arrivals.n > 0 ? report->arrivals.first : (guint16) report->highest_seq;
}

/* It is called for lists of all numbers only. */
static gboolean
has_come (const RcArrivalAges * list, guint16 seq)
{
  guint place = (guint16) (seq - list->first);

  return place < list->n && list->ages[place] != RC_ARRIVALAGE_NONE;
}

/* Within a lane packets keep their order, so a gap is a loss. One that is only late comes twice,
 * and the receiver drops the second. */
void
lane_sent_take_lost (LaneSent * self, const RcReport * report, RcTime now, GQueue * buffers)
{
  guint16 highest = (guint16) report->highest_seq, seq = first_known (self, report);

  if (report->arrivals.stride_log2 == 0 && (guint16) (highest - seq) < LANE_SENT_PACKETS)
    for (; seq != highest; seq++)
      if (!has_come (&report->arrivals, seq))
        take (self, seq, now, buffers);
  self->answered = (guint16) (highest + 1);
  self->report = report->number;
  self->reported = TRUE;
}
