/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayqueue.h"

#define FIRST_ROOM 64

void
relay_queue_init (RelayQueue * self)
{
  self->packets = gst_queue_array_new_for_struct (sizeof (RelayPacket), FIRST_ROOM);
}

void
relay_queue_clear (RelayQueue * self)
{
  while (relay_queue_nth (self, 0))
    relay_queue_pop (self);
  gst_queue_array_free (self->packets);
}

void
relay_queue_push (RelayQueue * self, const RelayPacket * packet)
{
  gst_queue_array_push_tail_struct (self->packets, (gpointer) packet);
  packet->flow->queued++;
  self->bytes += packet->size_bytes;
  self->max_packets = MAX (self->max_packets, gst_queue_array_get_length (self->packets));
}

RelayPacket *
relay_queue_nth (const RelayQueue * self, guint n)
{
  return n < gst_queue_array_get_length (self->packets)
      ? gst_queue_array_peek_nth_struct (self->packets, n) : NULL;
}

void
relay_queue_group (RelayQueue * self, guint n)
{
  RelayPacket waiting[RELAY_QUEUE_MAX_GROUP];
  guint grouped = 0;

  g_assert (n <= RELAY_QUEUE_MAX_GROUP);
  for (guint i = 0; i < n; i++)
    waiting[i] = *relay_queue_nth (self, i);
  for (guint i = 0; i < n; i++) {
    const RelayFlow *flow = waiting[i].flow;

    for (guint k = i; flow && k < n; k++)
      if (waiting[k].flow == flow) {
        *relay_queue_nth (self, grouped++) = waiting[k];
        waiting[k].flow = NULL;
      }
  }
}

void
relay_queue_pop (RelayQueue * self)
{
  RelayPacket *packet = gst_queue_array_pop_head_struct (self->packets);

  self->bytes -= packet->size_bytes;
  g_rc_box_release (packet->train);
  relay_flow_dequeued (packet->flow);
}
