/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _GNU_SOURCE             /* recvmmsg */
#include "udpreader.h"

#include "base/arcdebug.h"
#include "ecnbits.h"

#include <errno.h>
#include <gst/net/net.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define FIRST_SLOTS 4           /* so many datagrams a read at first; doubled by what fills them */
#define BUFFER_BYTES 1500       /* of nearly all datagrams */
#define SPILL_BYTES 65536       /* the rest of any other; untouched memory costs nothing */
#define SENDERS 4               /* addresses that are known again: those of one sender */

typedef union
{
  struct cmsghdr align;
  guint8 bytes[LOCAL_ADDRESS_CONTROL_BYTES + ECN_BITS_CONTROL_BYTES
      + CMSG_SPACE (sizeof (struct timespec))];
} Control;

typedef struct
{
  GstMemory *memory;            /* waits, mapped */
  GstMapInfo map;
  struct sockaddr_storage from;
  Control control;
  struct iovec vectors[2];
} Slot;

typedef struct
{
  struct sockaddr_storage native;
  socklen_t size;
  GSocketAddress *address;
} Sender;

struct _UdpReader
{
  gint fd;
  GstPoll *poll;
  GstPollFD poll_fd;
  guint n_slots;
  Slot slots[UDP_READER_MOST];
  struct mmsghdr messages[UDP_READER_MOST];
  guint8 *spill;                /* of all slots */
  Sender senders[SENDERS];
  guint next_sender;
  EcnBitsCache classes;
};

static void
prepare_slots (UdpReader * self, guint n)
{
  self->spill = g_realloc (self->spill, (gsize) n * SPILL_BYTES);
  for (guint i = 0; i < n; i++)
    self->slots[i].vectors[1] = (struct iovec) { self->spill + i * SPILL_BYTES, SPILL_BYTES };
  self->n_slots = n;
}

UdpReader *
udp_reader_new (GSocket * socket)
{
  UdpReader *self = g_new0 (UdpReader, 1);
  const int on = 1;

  self->fd = g_socket_get_fd (socket);
  self->poll = gst_poll_new (TRUE);
  gst_poll_fd_init (&self->poll_fd);
  self->poll_fd.fd = self->fd;
  gst_poll_add_fd (self->poll, &self->poll_fd);
  gst_poll_fd_ctl_read (self->poll, &self->poll_fd, TRUE);
  prepare_slots (self, FIRST_SLOTS);
  if (setsockopt (self->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0)
    GST_INFO ("the system does not report the time of receipt of packets");
  if (!ecn_bits_watch (socket))
    GST_INFO ("the system does not report the ECN bits of received packets");
  if (!local_address_watch (socket))
    GST_INFO ("the system does not report the destination address of packets");
  return self;
}

void
udp_reader_free (UdpReader * self)
{
  for (guint i = 0; i < UDP_READER_MOST; i++)
    if (self->slots[i].memory) {
      gst_memory_unmap (self->slots[i].memory, &self->slots[i].map);
      gst_memory_unref (self->slots[i].memory);
    }
  for (guint i = 0; i < SENDERS; i++)
    g_clear_object (&self->senders[i].address);
  ecn_bits_cache_clear (&self->classes);
  gst_poll_free (self->poll);
  g_free (self->spill);
  g_free (self);
}

void
udp_reader_set_flushing (UdpReader * self, gboolean flushing)
{
  gst_poll_set_flushing (self->poll, flushing);
}

UdpReaderWait
udp_reader_wait (UdpReader * self, gint timeout_ms)
{
  gint ready = gst_poll_wait (self->poll,
      timeout_ms > 0 ? (GstClockTime) timeout_ms * GST_MSECOND : GST_CLOCK_TIME_NONE);

  if (ready > 0)
    return UDP_READER_READY;
  if (ready == 0)
    return UDP_READER_TIMEOUT;
  if (errno == EBUSY)
    return UDP_READER_FLUSHING;
  return errno == EINTR || errno == EAGAIN ? UDP_READER_READY : UDP_READER_ERROR;
}

/* --- one datagram --- */

static GSocketAddress *
address_of (UdpReader * self, const struct msghdr *message)
{
  Sender *sender = self->senders;

  while (sender < self->senders + SENDERS && !(sender->address
          && sender->size == message->msg_namelen
          && memcmp (&sender->native, message->msg_name, message->msg_namelen) == 0))
    sender++;
  if (sender < self->senders + SENDERS)
    return sender->address;
  sender = &self->senders[self->next_sender++ % SENDERS];
  g_clear_object (&sender->address);
  sender->size = message->msg_namelen;
  memcpy (&sender->native, message->msg_name, message->msg_namelen);
  sender->address = g_socket_address_new_from_native (message->msg_name, message->msg_namelen);
  return sender->address;
}

/* The bytes, without a copy if they fit. */
static GstBuffer *
buffer_of (UdpReader * self, Slot * slot, gsize bytes)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstMemory *memory;
  GstMapInfo map;

  if (bytes <= BUFFER_BYTES) {
    memory = g_steal_pointer (&slot->memory);
    gst_memory_unmap (memory, &slot->map);
    gst_memory_resize (memory, 0, bytes);
  } else {
    memory = gst_allocator_alloc (NULL, bytes, NULL);
    gst_memory_map (memory, &map, GST_MAP_WRITE);
    memcpy (map.data, slot->vectors[0].iov_base, BUFFER_BYTES);
    memcpy (map.data + BUFFER_BYTES, slot->vectors[1].iov_base, bytes - BUFFER_BYTES);
    gst_memory_unmap (memory, &map);
  }
  gst_buffer_append_memory (buffer, memory);
  return buffer;
}

static RcTime
age_of (const struct cmsghdr *control, RcTime now)
{
  struct timespec at;

  memcpy (&at, CMSG_DATA (control), sizeof at);
  return now - (at.tv_sec * RC_SECOND + at.tv_nsec);
}

static void
read_controls (UdpReader * self, struct msghdr *message, UdpDatagram * datagram, RcTime now)
{
  for (struct cmsghdr * c = CMSG_FIRSTHDR (message); c; c = CMSG_NXTHDR (message, c)) {
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS)
      datagram->age = age_of (c, now);
    else if (!ecn_bits_attach (datagram->buffer, &self->classes, c)
        && datagram->local.family == AF_UNSPEC)
      datagram->local = local_address_of_control (c);
  }
}

static void
take (UdpReader * self, guint i, UdpDatagram * datagram, RcTime now)
{
  struct msghdr *message = &self->messages[i].msg_hdr;
  GSocketAddress *from = address_of (self, message);

  *datagram = (UdpDatagram) { buffer_of (self, &self->slots[i], self->messages[i].msg_len),
      .age = RC_TIME_NONE };
  if (from)
    gst_buffer_add_net_address_meta (datagram->buffer, from);
  read_controls (self, message, datagram, now);
}

/* --- many --- */

static void
prepare (UdpReader * self, guint i)
{
  Slot *slot = &self->slots[i];

  if (!slot->memory) {
    slot->memory = gst_allocator_alloc (NULL, BUFFER_BYTES, NULL);
    gst_memory_map (slot->memory, &slot->map, GST_MAP_WRITE);
    slot->vectors[0] = (struct iovec) { slot->map.data, BUFFER_BYTES };
  }
  self->messages[i].msg_hdr = (struct msghdr) {.msg_name = &slot->from,
      .msg_namelen = sizeof slot->from,.msg_iov = slot->vectors,.msg_iovlen = 2,
      .msg_control = &slot->control,.msg_controllen = sizeof slot->control };
}

/* What an ICMP message says of a packet of ours, or a want of memory that passes. */
static gboolean
passes (gint error)
{
  return error == EAGAIN || error == EINTR || error == ECONNREFUSED || error == EHOSTUNREACH
      || error == ENETUNREACH || error == ENETDOWN || error == ENOMEM || error == ENOBUFS;
}

static RcTime
now_real (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return now.tv_sec * RC_SECOND + now.tv_nsec;
}

gint
udp_reader_read (UdpReader * self, UdpDatagram datagrams[UDP_READER_MOST])
{
  RcTime now;
  gint n;

  for (guint i = 0; i < self->n_slots; i++)
    prepare (self, i);
  n = recvmmsg (self->fd, self->messages, self->n_slots, MSG_DONTWAIT, NULL);
  if (n < 0)
    return passes (errno) ? 0 : -1;
  now = now_real ();
  for (gint i = 0; i < n; i++)
    take (self, (guint) i, &datagrams[i], now);
  if ((guint) n == self->n_slots && n < UDP_READER_MOST)
    prepare_slots (self, 2 * self->n_slots);
  return n;
}
