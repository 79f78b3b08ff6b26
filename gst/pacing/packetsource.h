/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packet source interface: supplies a pacer with packets. A pacer asks for one when it is due and
 * not before, so that a source which chooses among streams (RAMP) chooses at that moment. The queue
 * of a sink (sendqueue.h), that of a relay and rampscheduler are sources. No locks: the owner of
 * the source holds its own. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct
{
  GstBuffer *buffer;            /* the source's */
  guint size_bytes;             /* at the network layer */
  gboolean urgent;              /* it has a deadline: PacerFuncs.urgent_at */
} PacedPacket;

typedef struct _PacketSource PacketSource;

typedef struct
{
  /* The packet that leaves after `nth` others. FALSE: there is none, or it is not known yet, or it
   * cannot leave in one batch with those before it. What it fills is valid until the source
   * changes. */
  gboolean (*peek) (PacketSource * self, guint nth, RcTime now, PacedPacket * packet);
  /* The first n leave now: the source writes what belongs into them at this moment, such as
   * sequence numbers, and fills `buffers`. It may change their order, as peek () tells after.
   * Packets that do not leave after all stay, and are made ready again. */
  void (*make_ready) (PacketSource * self, guint n, GstBuffer ** buffers);
  /* The first packet has left. `now` is that of the peek. */
  void (*take) (PacketSource * self, RcTime now);
  /* How much waits, with the headers of the network layer. */
  guint64 (*get_waiting_bytes) (PacketSource * self);
} PacketSourceFuncs;

struct _PacketSource
{
  const PacketSourceFuncs *funcs;
};

G_END_DECLS
