/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The session's pacer as a scheduler upstream sees it. The scheduler asks when its packet may
 * leave, chooses it at that moment, pays for it, and pushes it; the session sends what is paid for
 * at once. A session that has stopped holds nobody up: the push finds out. */

#include "sendsessionprivate.h"

static SendSession *
session_of (Pacer * pacer)
{
  return (SendSession *) ((guint8 *) pacer - G_STRUCT_OFFSET (SendSession, lent));
}

RcTime
send_session_lent_due_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  SendSession *self = session_of (pacer);
  RcTime locked_at, due_at;

  g_mutex_lock (&self->lock);
  locked_at = due_at = clock_glue_monotonic ();
  if (self->client) {
    if (resender_peek (self->media.resender))
      send_media_serve (&self->media, locked_at);        /* before what the scheduler has */
    due_at = rc_sender_due_at (&self->sender, size_bytes, locked_at);
    if (rc_sender_is_stopped (&self->sender) != self->media.stopped)
      pacing_engine_wake (self->engine, self->client);  /* that thread tells its owner */
  }
  g_mutex_unlock (&self->lock);
  return due_at == locked_at ? now : due_at;
}

void
send_session_lent_pay (Pacer * pacer, guint size_bytes, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  sender_pacer_prepay (&self->media.pacer, size_bytes, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

void
send_session_lent_on_idle (Pacer * pacer, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  rc_sender_on_idle (&self->sender, clock_glue_monotonic ());
  if (send_queue_packets (self->media.queue) == 0)
    sender_pacer_forget_prepaid (&self->media.pacer);
  g_mutex_unlock (&self->lock);
}

void
send_session_lent_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now)
{
  SendSession *self = session_of (pacer);

  g_mutex_lock (&self->lock);
  rc_sender_on_blocked (&self->sender, size_bytes, since, now);
  g_mutex_unlock (&self->lock);
}
