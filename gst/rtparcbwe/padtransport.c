/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "padtransport.h"

#include "base/clockglue.h"

/* Packets that the session no longer drops when they are late: a few milliseconds at any rate up to
 * 100 Mbit/s. */
#define MAX_PACKETS TRANSPORT_MAX_BATCH
/* A push that takes longer is held up by what follows, as by ICE that is not connected yet, and not
 * by a busy machine. Nothing more is taken then: it would leave as one burst. */
#define HELD_UP (50 * RC_MSEC)
/* While the pad is blocked for hours they must not pile up. Sticky ones are few. */
#define MAX_EVENTS 100
/* An event waits for packets that are dropped before they leave: that is not reported. */
#define LOOK_AGAIN (20 * G_TIME_SPAN_MILLISECOND)

typedef struct
{
  GstBuffer *buffer;
  guint64 number;
} Packet;

typedef struct
{
  GstEvent *event;
  guint64 place;
} Event;

static void
packet_clear (gpointer data)
{
  gst_clear_buffer (&((Packet *) data)->buffer);
}

static void
event_clear (gpointer data)
{
  gst_clear_event (&((Event *) data)->event);
}

/* --- as a transport: with the session's lock --- */

static gboolean
is_held_up (const PadTransport * self)
{
  return self->push_since != RC_TIME_NONE
      && clock_glue_monotonic () - self->push_since > HELD_UP;
}

static TransportResult
pad_transport_send (Transport * transport, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  PadTransport *self = (PadTransport *) transport;
  TransportResult result = { 0 };
  guint room;

  g_mutex_lock (&self->lock);
  result.held_up = is_held_up (self);
  room = result.held_up ? 0 : MAX_PACKETS - gst_queue_array_get_length (self->packets);
  result.sent = self->halted ? n : MIN (n, room);
  result.again = result.sent < n;
  for (guint i = 0; i < result.sent && !self->halted; i++) {
    Packet packet = { gst_buffer_ref (buffers[i]), 0 };

    gst_queue_array_push_tail_struct (self->packets, &packet);
  }
  g_mutex_unlock (&self->lock);
  return result;
}

static void
pad_transport_taken (Transport * transport, guint64 number)
{
  PadTransport *self = (PadTransport *) transport;

  g_mutex_lock (&self->lock);
  if (self->n_numbered < gst_queue_array_get_length (self->packets)) {
    Packet *packet = gst_queue_array_peek_nth_struct (self->packets, self->n_numbered++);

    packet->number = number;
    g_cond_signal (&self->changed);
  }
  g_mutex_unlock (&self->lock);
}

static void
pad_transport_do_nothing (Transport * transport)
{
}

/* It is part of its element, and so it is freed with that. */
static const TransportFuncs funcs = {.send = pad_transport_send,.taken = pad_transport_taken,
  .close = pad_transport_do_nothing,.free = pad_transport_do_nothing
};

/* --- life --- */

void
pad_transport_init (PadTransport * self, guint overhead_bytes)
{
  *self = (PadTransport) {.transport = {&funcs, overhead_bytes, -1},.halted = TRUE,
    .push_since = RC_TIME_NONE
  };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->packets = gst_queue_array_new_for_struct (sizeof (Packet), MAX_PACKETS);
  gst_queue_array_set_clear_func (self->packets, packet_clear);
  self->events = gst_queue_array_new_for_struct (sizeof (Event), 8);
  gst_queue_array_set_clear_func (self->events, event_clear);
}

void
pad_transport_clear (PadTransport * self)
{
  gst_queue_array_free (self->packets);
  gst_queue_array_free (self->events);
  gst_clear_event (&self->pushed);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

/* As GstQueue: a segment and an end belong to what was flushed. */
static gboolean
outlives_flush (GstEvent * event)
{
  return GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT
      && GST_EVENT_TYPE (event) != GST_EVENT_EOS;
}

void
pad_transport_set_halted (PadTransport * self, gboolean halted, GstPad * srcpad)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_event_unref);
  Event *waiting;

  g_mutex_lock (&self->lock);
  self->halted = halted;
  gst_queue_array_clear (self->packets);
  self->n_numbered = 0;
  /* What the task has not pushed yet comes before what waits. */
  if (self->pushed && outlives_flush (self->pushed))
    g_ptr_array_add (kept, g_steal_pointer (&self->pushed));
  while ((waiting = gst_queue_array_pop_head_struct (self->events))) {
    if (outlives_flush (waiting->event))
      g_ptr_array_add (kept, g_steal_pointer (&waiting->event));
    event_clear (waiting);
  }
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < kept->len; i++)
    gst_pad_store_sticky_event (srcpad, kept->pdata[i]);
  g_ptr_array_unref (kept);
}

/* --- events --- */

void
pad_transport_push_event (PadTransport * self, GstEvent * event, guint64 place)
{
  Event waiting = { event, place };

  g_mutex_lock (&self->lock);
  if (self->halted) {
    event_clear (&waiting);
  } else if (gst_queue_array_get_length (self->events) >= MAX_EVENTS
      && !GST_EVENT_IS_STICKY (event)) {
    event_clear (&waiting);
    self->events_dropped++;
  } else {
    gst_queue_array_push_tail_struct (self->events, &waiting);
    g_cond_signal (&self->changed);
  }
  g_mutex_unlock (&self->lock);
}

guint64
pad_transport_get_events_dropped (PadTransport * self)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->events_dropped;
  g_mutex_unlock (&self->lock);
  return n;
}

/* --- out --- */

/* The first packet, if it leaves before any event. */
static GstMiniObject *
take_packet (PadTransport * self)
{
  const Event *event = gst_queue_array_peek_head_struct (self->events);
  const Packet *packet = gst_queue_array_peek_head_struct (self->packets);

  if (self->n_numbered == 0 || (event && event->place <= packet->number))
    return NULL;
  self->n_numbered--;
  return GST_MINI_OBJECT (((Packet *) gst_queue_array_pop_head_struct (self->packets))->buffer);
}

/* The first event, if no packet that leaves before it is here or may still come. */
static GstMiniObject *
take_event (PadTransport * self, guint64 next_number)
{
  const Event *event = gst_queue_array_peek_head_struct (self->events);
  const Packet *packet = gst_queue_array_peek_head_struct (self->packets);

  if (!event || (packet && (self->n_numbered == 0 || packet->number < event->place)))
    return NULL;
  if (!packet && next_number < event->place)
    return NULL;
  return GST_MINI_OBJECT (((Event *) gst_queue_array_pop_head_struct (self->events))->event);
}

static void
wait_for_change (PadTransport * self)
{
  if (gst_queue_array_is_empty (self->events))
    g_cond_wait (&self->changed, &self->lock);
  else
    g_cond_wait_until (&self->changed, &self->lock, g_get_monotonic_time () + LOOK_AGAIN);
}

GstMiniObject *
pad_transport_wait (PadTransport * self, guint64 (*next) (gpointer owner), gpointer owner)
{
  GstMiniObject *object = NULL;
  guint64 next_number;

  g_mutex_lock (&self->lock);
  self->push_since = RC_TIME_NONE;
  gst_clear_event (&self->pushed);
  while (!self->halted && !(object = take_packet (self))) {
    if (!gst_queue_array_is_empty (self->events)) {
      g_mutex_unlock (&self->lock);
      next_number = next (owner);
      g_mutex_lock (&self->lock);
      if (self->halted || (object = take_event (self, next_number)))
        break;
      if (self->n_numbered > 0)
        continue;
    }
    wait_for_change (self);
  }
  if (object && GST_IS_EVENT (object))
    self->pushed = gst_event_ref (GST_EVENT (object));
  if (object)
    self->push_since = clock_glue_monotonic ();
  g_mutex_unlock (&self->lock);
  return object;
}
