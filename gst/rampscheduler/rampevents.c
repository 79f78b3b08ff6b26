/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Serialized events of a stream. They wait among its packets and leave by the thread that sends: whoever brought one
 * would wait in a sink that blocks, while he holds the lock of his pad, and so of all that is upstream. */

#include "gstrampschedulerprivate.h"

#define FIRST_CAPACITY 4        /* it grows */
#define MAX_EVENTS 100          /* of a stream; while a sink blocks for hours they must not pile up */

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

GstQueueArray *
gst_ramp_pad_events_new (void)
{
  GstQueueArray *events = gst_queue_array_new_for_struct (sizeof (PadEvent), FIRST_CAPACITY);

  gst_queue_array_set_clear_func (events, pad_event_clear);
  return events;
}

/* Of no use to somebody who gets many streams in one: a new one would only replace that of another stream. */
static gboolean
describes_stream (GstEvent * event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_COLLECTION:
    case GST_EVENT_STREAM_GROUP_DONE:
    case GST_EVENT_TAG:
    case GST_EVENT_TOC:
    case GST_EVENT_PROTECTION:
    case GST_EVENT_BUFFERSIZE:
    case GST_EVENT_GAP:
      return TRUE;
    default:
      return FALSE;
  }
}

static void
push_tail (GstRampPad * pad, GstEvent * event)
{
  PadEvent item = { gst_event_ref (event), send_queue_count (pad->queue) };

  if (gst_queue_array_get_length (pad->events) >= MAX_EVENTS) {
    PadEvent *oldest = gst_queue_array_pop_head_struct (pad->events);

    pad_event_clear (oldest);
    pad->events_dropped++;
  }
  gst_queue_array_push_tail_struct (pad->events, &item);
}

gboolean
gst_ramp_scheduler_keep_event (GstRampScheduler * self, GstRampPad * pad, GstEvent * event)
{
  gboolean kept = FALSE;

  if (!describes_stream (event)) {
    g_mutex_lock (&self->lock);
    kept = pad->queue && !pad->flushing;
    if (kept)
      push_tail (pad, event);
    gst_ramp_scheduler_wake (self);
    g_mutex_unlock (&self->lock);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
is_due (GstRampPad * pad)
{
  const SendPacket *packet = send_queue_peek (pad->queue, 0);
  const PadEvent *next = gst_queue_array_peek_head_struct (pad->events);

  return next && (!packet || packet->number >= next->place);
}

GstEvent *
gst_ramp_scheduler_take_event (GstRampScheduler * self)
{
  guint i;

  for (i = 0; i < self->source.pads->len; i++) {
    GstRampPad *pad = self->source.pads->pdata[i];

    if (is_due (pad))
      return ((PadEvent *) gst_queue_array_pop_head_struct (pad->events))->event;
  }
  return NULL;
}
