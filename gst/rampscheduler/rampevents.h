/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Serialized events of a stream. They wait among its packets and leave by the thread that sends:
 * whoever brought one would wait in a sink that blocks, while he holds the lock of his pad, and so
 * of all that is upstream. No locks: that of the scheduler is held. */
#pragma once

#include "pacing/sendqueue.h"

#include <gst/base/base.h>

G_BEGIN_DECLS

typedef struct
{
  GstQueueArray *waiting;
  guint64 dropped;
} RampEvents;

void ramp_events_init (RampEvents * self);
void ramp_events_free (RampEvents * self);
/* FALSE: the event means nothing to somebody who gets many streams in one. */
gboolean ramp_events_matter (GstEvent * event);
/* Takes a reference of its own. The event leaves before the next packet that comes into the queue.
 * */
void ramp_events_push (RampEvents * self, GstEvent * event, SendQueue * queue);
/* An event leaves before the next packet of the queue. */
gboolean ramp_events_are_due (const RampEvents * self, SendQueue * queue);
/* The event whose turn it is, or NULL. */
GstEvent *ramp_events_take (RampEvents * self, SendQueue * queue);
void ramp_events_forget (RampEvents * self);
gboolean ramp_events_is_empty (const RampEvents * self);

G_END_DECLS
