/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The first element inside arcsrc, in the place of udpsrc: reads the socket (net/udpreader.h) and
 * pushes what its owner makes of it. What waits together is read by one system call and pushed as a
 * buffer list, and a last buffer.
 *
 * Problem: each packet that udpsrc pushes costs a round of GstBaseSrc, of GIO and of the pad, and
 * objects for its control messages: with what judged it in a pad probe, 22 000 of the 28 000
 * instructions of a packet in arcsrc (docs/results/receiver.md).
 * Rejected: udpsrc without control messages, which saves a fifth and knows neither ECN nor the time
 * of receipt; a cheaper reading of its messages, which GIO makes whether they are read or not.
 *
 * It is called udpsrc, as its predecessor was, and has the one of its properties that arcsrc has no
 * own for: `udpsrc::multicast-iface` of arcsrc in a launch line.
 *
 * A pad with a probe for single buffers gets none of those in a list. Rule: lists go only where
 * neither the pad by which media leaves the owner nor its peer has a probe. */
#pragma once

#include "net/udpreader.h"

#include <gst/base/gstpushsrc.h>

G_BEGIN_DECLS

#define TYPE_DATAGRAM_SOURCE (datagram_source_get_type ())
G_DECLARE_FINAL_TYPE (DatagramSource, datagram_source, DATAGRAM, SOURCE, GstPushSrc)

/* Both in the thread that receives. */
typedef struct
{
  /* Takes the buffer of each and leaves what is to be pushed, with its times, or NULL. now: the
   * running time. */
  void (*take) (gpointer owner, UdpDatagram * datagrams, guint n, GstClockTime now);
  /* Nothing came for the time of datagram_source_set_tick (). */
  void (*on_tick) (gpointer owner);
} DatagramSourceFuncs;

DatagramSource *datagram_source_new (const DatagramSourceFuncs * funcs, gpointer owner);
/* The pad by which media leaves the owner. */
void datagram_source_set_out (DatagramSource * self, GstPad * out);
/* In NULL; NULL: none. */
void datagram_source_set_socket (DatagramSource * self, GSocket * socket);
/* From any thread, as the next. Go ahead of the next packet. */
void datagram_source_set_caps (DatagramSource * self, const GstCaps * caps);
/* ms; 0: none. */
void datagram_source_set_tick (DatagramSource * self, gint tick_ms);

G_END_DECLS
