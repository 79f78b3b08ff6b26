/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Has an element's work done by one thread at a time: events, messages, notifications, encoders,
 * which the pacing thread must not meet. Work that is asked for while a thread is at it is done
 * after that, by a thread of the pool: a handler that asks each time holds up neither a change of
 * state nor a thread for ever. Work that waits, for an application or an encoder, holds up no
 * other element's. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GstElement *element;
  void (*work) (gpointer owner);        /* called without a lock; may take its time */
  gpointer owner;
  guint state;                  /* atomic: WORK_ of workturns.c; 0: no thread is at it */
} WorkTurns;

/* The turns and the owner are parts of the element, or the owner is the element. */
void work_turns_init (WorkTurns * self, GstElement * element, void (*work) (gpointer owner),
    gpointer owner);
/* Soon, on another thread. Any thread, also the pacing thread. `turns` is a WorkTurns. */
void work_turns_schedule (gpointer turns);
/* Here and now, unless another thread is at it: that one has it done then. */
void work_turns_take (WorkTurns * self);

G_END_DECLS
