/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The transport of a session whose packets leave by a source pad. The session hands packets over on
 * the pacing thread, which all senders share and which must not be blocked. So they wait here for
 * the task of the pad, but not behind a push that is held up: then they wait in the queue of the
 * session, which drops what is too late. Serialized events wait here too, each behind the packets
 * that came before it. One lock inside. */
#pragma once

#include "net/transport.h"

#include <gst/base/base.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct
{
  Transport transport;          /* must stay first */
  GMutex lock;
  GCond changed;
  GstQueueArray *packets;       /* that the session handed over */
  guint n_numbered;             /* of them, from the first on: their place is known */
  GstQueueArray *events;
  GstEvent *pushed;             /* the task pushes it now */
  gboolean halted;              /* no caller waits, nothing is kept */
  RcTime push_since;            /* the task pushes what it got; RC_TIME_NONE: it waits */
  guint64 events_dropped;
} PadTransport;

/* overhead_bytes: of the headers that are added behind the pad. */
void pad_transport_init (PadTransport * self, guint overhead_bytes);
void pad_transport_clear (PadTransport * self);

/* Halted: what waits is forgotten, but for sticky events, which the pad gets. */
void pad_transport_set_halted (PadTransport * self, gboolean halted, GstPad * srcpad);
/* Takes the event, which leaves before the packet with the number `place` and those after it. */
void pad_transport_push_event (PadTransport * self, GstEvent * event, guint64 place);
/* Since it was made: while the pad was blocked they were too many. */
guint64 pad_transport_get_events_dropped (PadTransport * self);
/* Waits for what leaves next, a buffer or an event; NULL: halted. `next` returns the number of the
 * packet that the session hands over next; it is called without the lock. */
GstMiniObject *pad_transport_wait (PadTransport * self, guint64 (*next) (gpointer owner),
    gpointer owner);

G_END_DECLS
