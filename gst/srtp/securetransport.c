/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securetransport.h"

#include <errno.h>
#include <gst/rtp/rtp.h>

#ifndef EKEYREJECTED
#define EKEYREJECTED EACCES     /* not of Linux */
#endif

#include "base/clockglue.h"
#include "base/threadplaces.h"
#include "rtp/ratestamp.h"
#include "rtp/stamptrailer.h"

/* Larger ones than Ethernet takes get memory of their own. */
#define SLOT_BYTES 2048
/* What a packet may get behind it. */
#define SPARE_BYTES (SECURE_MAX_TRAILER_BYTES + STAMP_TRAILER_BYTES)
/* An SDES packet (RFC 3550 6.5) of one source, of which it says nothing. */
#define HELLO_BYTES 12
/* A receiver that starts amid media takes no more than this for plain. */
#define HELLO_INTERVAL (100 * RC_MSEC)

/* A batch as it leaves. As many as threads that send at a time: with one for each of 300 viewers
 * every packet would be written to memory that no cache has. */
typedef struct
{
  guint8 *slots;                /* TRANSPORT_MAX_BATCH of them */
  GstBuffer *buffers[TRANSPORT_MAX_BATCH];      /* one over each slot */
} Batch;

typedef struct
{
  Transport transport;
  Transport *inner;
  SecureContext *context;
  SecureDeparture departures[TRANSPORT_MAX_BATCH];
  gboolean stamped;             /* RTP gets a trailer for relays */
  RcTime loop_time;             /* that it claims */
  gboolean heard;               /* something authentic has come */
  RcTime hello_at;              /* the last; RC_TIME_NONE: one is due */
} SecureTransport;

static SecureTransport *
secure (Transport * transport)
{
  return (SecureTransport *) transport;
}

static Transport *
inner (Transport * transport)
{
  return secure (transport)->inner;
}

/* --- out --- */

static ThreadPlaces batches;     /* users: transports */

static Batch *
batch_new (void)
{
  Batch *self = g_new (Batch, 1);

  self->slots = g_malloc0 (TRANSPORT_MAX_BATCH * SLOT_BYTES);
  for (guint i = 0; i < TRANSPORT_MAX_BATCH; i++)
    self->buffers[i] = gst_buffer_new_wrapped_full (0, self->slots + i * SLOT_BYTES, SLOT_BYTES, 0,
        SLOT_BYTES, NULL, NULL);
  return self;
}

static void
batch_free (gpointer batch)
{
  Batch *self = batch;

  for (guint i = 0; i < TRANSPORT_MAX_BATCH; i++)
    gst_buffer_unref (self->buffers[i]);
  g_free (self->slots);
  g_free (self);
}

static Batch *
take_batch (void)
{
  Batch *self = thread_places_take (&batches);

  return self ? self : batch_new ();
}

static void
put_batch (Batch * self)
{
  if (!thread_places_put (&batches, self))
    batch_free (self);
}

/* Behind what is authenticated. Returns the new size. */
static gsize
append_stamp (const SecureTransport * self, guint8 * data, gsize size, guint i)
{
  if (!self->stamped || !self->departures[i].rtp || size == 0)
    return size;
  stamp_trailer_write (data + size, self->loop_time);
  return size + STAMP_TRAILER_BYTES;
}

/* The packet as it leaves, in place `i` or in memory of its own; NULL: it must not leave. */
static GstBuffer *
protect (SecureTransport * self, Batch * batch, GstBuffer * plain, guint i, RcTime now)
{
  gsize size = gst_buffer_get_size (plain), room = size + SPARE_BYTES;
  gboolean large = room > SLOT_BYTES;
  guint8 *data = large ? g_malloc (room) : batch->slots + i * SLOT_BYTES;

  gst_buffer_extract (plain, 0, data, size);
  size = secure_context_protect (self->context, data, size, &self->departures[i], now);
  size = append_stamp (self, data, size, i);
  if (large && size > 0)
    return gst_buffer_new_wrapped_full (0, data, room, 0, size, data, g_free);
  if (large)
    g_free (data);
  if (size == 0)
    return NULL;
  gst_buffer_set_size (batch->buffers[i], (gssize) size);
  return gst_buffer_ref (batch->buffers[i]);
}

/* Another packet of this batch has the number of packet `i`, which the context cannot detect, since
 * it knows only packets that have left. */
static gboolean
is_used_in_batch (const SecureTransport * self, guint i)
{
  const SecureDeparture *departures = self->departures;

  for (guint k = 0; departures[i].rtp && k < i; k++)
    if (departures[k].rtp && departures[k].ssrc == departures[i].ssrc
        && departures[k].index == departures[i].index
        && departures[k].digest != departures[i].digest)
      return TRUE;
  return FALSE;
}

static GstBuffer *
new_hello (SecureContext * context, guint32 ssrc)
{
  guint8 bytes[HELLO_BYTES] = { 0x81, GST_RTCP_TYPE_SDES, 0, 2, (guint8) (ssrc >> 24),
    (guint8) (ssrc >> 16), (guint8) (ssrc >> 8), (guint8) ssrc
  };
  GstBuffer *plain = gst_buffer_new_memdup (bytes, sizeof bytes);
  GstBuffer *closed = secure_transport_close (context, plain);

  gst_buffer_unref (plain);
  return closed;
}

/* SRTP looks like plain RTP, so a receiver without a key would decode noise; SRTCP shows that it is
 * encrypted (rc_sealed_rtcp()). The session sends no RTCP before the receiver reported, and without
 * a key no authentic report ever arrives. So an RTCP packet without content precedes media until
 * one has: each HELLO_INTERVAL, and at once after the port was unreachable, so that it is the first
 * packet at a receiver that starts second. It is not paced: 4.4 kbit/s, for the 5 s after which
 * media stops and only probes are sent. A receiver with the key ignores it. It is sent only with a
 * packet that SRTP let pass: no other context sends under this SSRC and key.
 *   Why SDES alone: srtpdec knows no SSRC of it, and drops it. A receiver report it pushes out of
 * its RTCP pad, and where that is not linked the pipeline ends with not-linked. */
static TransportResult
greet (SecureTransport * self, guint n_ready, RcEcnBits ecn, RcTime now)
{
  TransportResult result = { 0 };
  GstBuffer *hello;
  guint i = 0;

  while (i < n_ready && !self->departures[i].rtp)
    i++;
  if (self->heard || i == n_ready
      || (self->hello_at != RC_TIME_NONE && now - self->hello_at < HELLO_INTERVAL))
    return result;
  self->hello_at = now;
  hello = new_hello (self->context, self->departures[i].ssrc);
  if (hello)
    result = self->inner->funcs->send (self->inner, &hello, 1, ecn);
  gst_clear_buffer (&hello);
  return result;
}

/* A packet that must not leave ends the batch before it, and is an error of its own batch. */
static TransportResult
secure_send (Transport * transport, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  SecureTransport *self = secure (transport);
  TransportResult result = {.sent = 1,.errors = 1,.last_error = EKEYREJECTED }, greeting;
  GstBuffer *ready[TRANSPORT_MAX_BATCH];
  RcTime now = clock_glue_monotonic ();
  Batch *batch = take_batch ();
  guint n_ready = 0;

  while (n_ready < MIN (n, TRANSPORT_MAX_BATCH)
      && (ready[n_ready] = protect (self, batch, buffers[n_ready], n_ready, now))) {
    if (is_used_in_batch (self, n_ready)) {
      gst_buffer_unref (ready[n_ready]);
      break;
    }
    n_ready++;
  }
  if (n_ready == 0) {
    put_batch (batch);
    return result;
  }
  greeting = greet (self, n_ready, ecn, now);
  result = self->inner->funcs->send (self->inner, ready, n_ready, ecn);
  result.refused += greeting.refused;   /* reported once, to the first send after it */
  if (result.refused > 0)
    self->hello_at = RC_TIME_NONE;
  secure_context_note_sent (self->context, self->departures, result.sent);
  for (guint i = 0; i < n_ready; i++)
    gst_buffer_unref (ready[i]);
  put_batch (batch);
  return result;
}

GstBuffer *
secure_transport_close (SecureContext * context, GstBuffer * buffer)
{
  gsize size = gst_buffer_get_size (buffer), room = size + SECURE_MAX_TRAILER_BYTES;
  guint8 *data = g_malloc (room);
  SecureDeparture departure;

  gst_buffer_extract (buffer, 0, data, size);
  size = secure_context_protect (context, data, size, &departure, clock_glue_monotonic ());
  if (size > 0) {
    secure_context_note_sent (context, &departure, 1);
    return gst_buffer_new_wrapped_full (0, data, room, 0, size, data, g_free);
  }
  g_free (data);
  return NULL;
}

/* --- in --- */

static gssize
secure_receive (Transport * transport, guint8 * data, gsize size)
{
  SecureTransport *self = secure (transport);
  gssize got = self->inner->funcs->receive (self->inner, data, size);
  SecureArrival arrival;
  gsize left;

  if (got < 0)
    return got;
  left = (gsize) got;
  if (!secure_context_unprotect (self->context, data, &left, &arrival, clock_glue_monotonic ())) {
    secure_context_count_copy (self->context, &arrival);
    return -3;
  }
  self->heard = TRUE;
  return (gssize) left;
}

GstBuffer *
secure_transport_open (SecureContext * context, GstBuffer * buffer, SecureArrival * arrival)
{
  guint8 *trailer = NULL;
  guint64 stamped_bps = 0;
  gboolean ok = FALSE;
  GstMapInfo map;
  gsize size;

  *arrival = (SecureArrival) { 0 };
  buffer = gst_buffer_make_writable (buffer);
  if (gst_buffer_map (buffer, &map, GST_MAP_READWRITE)) {
    size = map.size;
    trailer = stamp_trailer_find (map.data, size);
    if (trailer) {
      stamped_bps = rate_stamp_bps (trailer);
      size -= STAMP_TRAILER_BYTES;
    }
    ok = secure_context_unprotect (context, map.data, &size, arrival, clock_glue_monotonic ());
    gst_buffer_unmap (buffer, &map);
  }
  if (!ok) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  gst_buffer_set_size (buffer, (gssize) size);
  return stamped_bps > 0 ? rate_stamp_attach (buffer, stamped_bps) : buffer;
}

/* --- the rest --- */

static void
secure_set_stamped (Transport * transport, gboolean stamped, RcTime loop_time)
{
  SecureTransport *self = secure (transport);

  self->stamped = stamped;
  self->loop_time = loop_time;
}

static TransportRoute
secure_follow_route (Transport * self)
{
  return inner (self)->funcs->follow_route (inner (self));
}

static GSocketAddress *
secure_get_peer (Transport * self)
{
  return inner (self)->funcs->get_peer (inner (self));
}

static gboolean
secure_set_peer (Transport * self, GSocketAddress * peer)
{
  return inner (self)->funcs->set_peer (inner (self), peer);
}

static guint
secure_get_mtu (Transport * self)
{
  return inner (self)->funcs->get_mtu ? inner (self)->funcs->get_mtu (inner (self)) : 0;
}

static void
secure_close (Transport * self)
{
  inner (self)->funcs->close (inner (self));
}

static void
secure_free (Transport * transport)
{
  SecureTransport *self = secure (transport);

  self->inner->funcs->free (self->inner);
  secure_context_unref (self->context);
  g_free (self);
  thread_places_remove_user (&batches, batch_free);
}

static const TransportFuncs secure_funcs = {.send = secure_send,.receive = secure_receive,
  .set_stamped = secure_set_stamped,.follow_route = secure_follow_route,
  .get_peer = secure_get_peer,.set_peer = secure_set_peer,
  .get_mtu = secure_get_mtu,.close = secure_close,.free = secure_free
};

Transport *
secure_transport_new (Transport * inner_transport, SecureContext * context, gboolean stamps)
{
  guint stamp_bytes = stamps ? STAMP_TRAILER_BYTES : 0;
  SecureTransport *self = g_new0 (SecureTransport, 1);

  self->transport = (Transport) { &secure_funcs,
    inner_transport->overhead_bytes + secure_context_overhead_bytes (context) + stamp_bytes,
    inner_transport->fd
  };
  self->inner = inner_transport;
  self->hello_at = RC_TIME_NONE;
  self->context = secure_context_ref (context);
  thread_places_add_user (&batches);
  return &self->transport;
}
