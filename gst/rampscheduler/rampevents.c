/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rampevents.h"

#define FIRST_CAPACITY 4        /* it grows */
#define MAX_EVENTS 100          /* while a sink blocks for hours they must not pile up */

typedef struct
{
  GstEvent *event;
  guint64 place;                /* it leaves before the packet of this number */
} PadEvent;

static void
pad_event_clear (gpointer data)
{
  gst_clear_event (&((PadEvent *) data)->event);
}

void
ramp_events_init (RampEvents * self)
{
  self->waiting = gst_queue_array_new_for_struct (sizeof (PadEvent), FIRST_CAPACITY);
  gst_queue_array_set_clear_func (self->waiting, pad_event_clear);
}

void
ramp_events_free (RampEvents * self)
{
  gst_queue_array_free (self->waiting);
}

/* Those that describe a stream would only replace that of another stream. */
gboolean
ramp_events_matter (GstEvent * event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_COLLECTION:
    case GST_EVENT_STREAM_GROUP_DONE:
    case GST_EVENT_TAG:
    case GST_EVENT_TOC:
    case GST_EVENT_PROTECTION:
    case GST_EVENT_BUFFERSIZE:
    case GST_EVENT_GAP:
      return FALSE;
    default:
      return TRUE;
  }
}

void
ramp_events_push (RampEvents * self, GstEvent * event, SendQueue * queue)
{
  PadEvent item = { gst_event_ref (event), send_queue_count (queue) };

  if (gst_queue_array_get_length (self->waiting) >= MAX_EVENTS) {
    pad_event_clear (gst_queue_array_pop_head_struct (self->waiting));
    self->dropped++;
  }
  gst_queue_array_push_tail_struct (self->waiting, &item);
}

gboolean
ramp_events_are_due (const RampEvents * self, SendQueue * queue)
{
  const SendPacket *packet = send_queue_peek (queue, 0);
  const PadEvent *next = gst_queue_array_peek_head_struct (self->waiting);

  return next && (!packet || packet->number >= next->place);
}

GstEvent *
ramp_events_take (RampEvents * self, SendQueue * queue)
{
  if (!ramp_events_are_due (self, queue))
    return NULL;
  return ((PadEvent *) gst_queue_array_pop_head_struct (self->waiting))->event;
}

void
ramp_events_forget (RampEvents * self)
{
  gst_queue_array_clear (self->waiting);
}

guint
ramp_events_n (const RampEvents * self)
{
  return gst_queue_array_get_length (self->waiting);
}
