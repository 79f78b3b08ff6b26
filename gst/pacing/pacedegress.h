/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets leave a source, each when the pacer says so: what is due together goes as one batch.
 * rmcsink, each of its lanes, and rcprelay send in this way. No locks: the owner holds its own, and
 * calls this on the thread of the pacing engine. */
#pragma once

#include "net/transport.h"
#include "pacing/packetpacer.h"
#include "pacing/packetsource.h"

G_BEGIN_DECLS

typedef struct
{
  /* As TransportFuncs.send. */
  TransportResult (*send) (gpointer owner, GstBuffer ** buffers, guint n);
  /* What became of a batch, before the packets that left are taken from the source. */
  void (*on_batch) (gpointer owner, const TransportResult * result, RcTime now);
  /* The first packet of the source has left, and is taken next; with it the one behind it, if there
   * are more. */
  void (*on_sent) (gpointer owner, gboolean more, RcTime now);
} PacedEgressFuncs;

typedef struct
{
  PacketSource *source;
  Pacer *pacer;
  const PacedEgressFuncs *funcs;
  gpointer owner;
} PacedEgress;

/* Sends all that is due. Returns when to come again, as PacingClientFuncs.on_due does: 0: at once,
 * after the others; RC_TIME_NONE: when a packet comes, or when the pacer's rate changes. */
RcTime paced_egress_serve (PacedEgress * self, RcTime now);
/* What waits, with the headers of the network layer. */
guint64 paced_egress_get_waiting_bytes (PacedEgress * self);

G_END_DECLS
