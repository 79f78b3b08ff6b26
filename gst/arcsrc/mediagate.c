/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "mediagate.h"

static void
unref (gpointer media)
{
  gst_mini_object_unref (media);
}

static void
drop_held (MediaGate * self)
{
  g_slist_free_full (g_steal_pointer (&self->held), unref);
  self->n_held = 0;
}

void
media_gate_reset (MediaGate * self)
{
  drop_held (self);
  *self = (MediaGate) { MEDIA_GATE_NEW };
}

void
media_gate_hold (MediaGate * self, GstMiniObject * media, RcTime now)
{
  if (self->n_held == 0)
    self->held_since = now;
  self->held = g_slist_prepend (self->held, media);
  self->n_held++;
}

gboolean
media_gate_is_patient (const MediaGate * self, RcTime now)
{
  return self->n_held == 0 || (self->n_held < MEDIA_GATE_MAX_PKTS
      && now - self->held_since < MEDIA_GATE_MAX_TIME);
}

/* A pad may regard an event that a probe dropped as sent: another event is sent for certain. */
static void
send_segment (GstPad * pad)
{
  GstEvent *segment = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);

  if (segment)
    gst_pad_push_event (pad, gst_event_copy (segment));
  gst_clear_event (&segment);
}

void
media_gate_open (MediaGate * self, GstPad * pad)
{
  GSList *held = g_slist_reverse (g_steal_pointer (&self->held)), *l;

  self->n_held = 0;
  self->state = MEDIA_GATE_OPEN;
  self->releasing = TRUE;
  if (self->holds_segment)
    send_segment (pad);
  self->holds_segment = FALSE;
  for (l = held; l; l = l->next) {
    if (GST_IS_BUFFER_LIST (l->data))
      gst_pad_push_list (pad, l->data);
    else
      gst_pad_push (pad, l->data);
  }
  self->releasing = FALSE;
  g_slist_free (held);
}

guint
media_gate_shut (MediaGate * self)
{
  guint pkts = self->n_held;

  drop_held (self);
  self->shut = TRUE;
  return pkts;
}
