/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <netinet/in.h>
#include <netinet/udp.h>
#include <net/udpsender.h>
#include <sys/socket.h>

#include "claim.h"
#include "boundsocket.h"

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define MAX_BYTES 65536

/* A pair of sockets on loopback. */
typedef struct
{
  GSocket *out, *in;
  UdpSender sender;
  guint8 *data;
} Fixture;

static GSocket *
socket_new (void)
{
  GSocket *socket = bound_socket ("127.0.0.1", 0);

  g_socket_set_blocking (socket, FALSE);
  g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUF, 4 << 20, NULL);
  return socket;
}

static void
fixture_init (Fixture * f)
{
  GSocketAddress *address;

  f->in = socket_new ();
  f->out = socket_new ();
  f->data = g_malloc (MAX_BYTES);
  address = g_socket_get_local_address (f->in, NULL);
  fail_unless (g_socket_connect (f->out, address, NULL, NULL));
  g_object_unref (address);
  udp_sender_init (&f->sender, f->out);
}

static void
fixture_clear (Fixture * f)
{
  g_object_unref (f->in);
  g_object_unref (f->out);
  g_free (f->data);
}

#define UDP_SENDER Fixture, f, fixture_init (f), fixture_clear (f)

/* In several memories, each byte telling which packet it is of. */
static GstBuffer *
packet_new (guint number, guint bytes, guint memories)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint i, from, to;

  for (i = 0; i < memories; i++) {
    from = bytes * i / memories;
    to = bytes * (i + 1) / memories;
    gst_buffer_append_memory (buffer, gst_allocator_alloc (NULL, to - from, NULL));
  }
  gst_buffer_memset (buffer, 0, (guint8) number, bytes);
  return buffer;
}

static TransportResult
send_packets (Fixture * f, const guint * bytes, guint n, guint memories)
{
  GstBuffer *packets[TRANSPORT_MAX_BATCH];
  TransportResult result;

  for (guint i = 0; i < n; i++)
    packets[i] = packet_new (i, bytes[i], i % 2 ? memories : 1);
  result = udp_sender_send (&f->sender, packets, n, FALSE);
  for (guint i = 0; i < n; i++)
    gst_buffer_unref (packets[i]);
  return result;
}

static gssize
receive (Fixture * f)
{
  if (!g_socket_condition_timed_wait (f->in, G_IO_IN, G_TIME_SPAN_SECOND, NULL, NULL))
    return -1;
  return g_socket_receive (f->in, (gchar *) f->data, MAX_BYTES, NULL, NULL);
}

static void
assert_received (Fixture * f, const guint * bytes, guint n)
{
  guint i, k;

  for (i = 0; i < n; i++) {
    fail_unless_equals_int64 (receive (f), bytes[i]);
    for (k = 0; k < bytes[i]; k++)
      fail_unless_equals_int (f->data[k], i);
  }
  fail_unless_equals_int64 (g_socket_receive (f->in, (gchar *) f->data, MAX_BYTES, NULL, NULL), -1);
}

static const guint mixed[] = { 1200, 1200, 1200, 700, 700, 1, 1200, 100, 1200, 1200, 90, 90,
    90, 90, 1472, 12 };

CLAIM (test_cut_by_the_kernel_or_not_the_datagrams_are_the_same_in_the_same_order)
{
  guint equal[TRANSPORT_MAX_BATCH], i, memories;
  TransportResult result;
  AT_END (fixture_clear) Fixture f;

  for (i = 0; i < G_N_ELEMENTS (equal); i++)
    equal[i] = 1200;            /* 64 are more bytes than one message holds */
  fixture_init (&f);
  for (i = 0; i < 2; i++) {
    f.sender.segments = i;
    for (memories = 1; memories <= 9; memories += 4) {
      result = send_packets (&f, mixed, G_N_ELEMENTS (mixed), memories);
      fail_unless_equals_int (result.sent, G_N_ELEMENTS (mixed));
      assert_received (&f, mixed, G_N_ELEMENTS (mixed));
    }
    result = send_packets (&f, equal, G_N_ELEMENTS (equal), 2);
    fail_unless_equals_int (result.sent, G_N_ELEMENTS (equal));
    fail_unless_equals_int (result.errors, 0);
    assert_received (&f, equal, G_N_ELEMENTS (equal));
  }
}

/* A receiver that asks for it gets uncut what was handed over as one. */
CLAIM_ON (test_packets_of_one_size_are_handed_over_as_one, UDP_SENDER)
{
  const guint bytes[] = { 1200, 1200, 1200, 1200, 500, 1200 };

  fail_unless (f->sender.segments);
  fail_unless (g_socket_set_option (f->in, IPPROTO_UDP, UDP_GRO, 1, NULL));
  fail_unless_equals_int (send_packets (f, bytes, G_N_ELEMENTS (bytes), 2).sent,
      G_N_ELEMENTS (bytes));
  if (f->sender.segments) {
    fail_unless_equals_int64 (receive (f), 4 * 1200 + 500);
    fail_unless_equals_int64 (receive (f), 1200);
  }
}

CLAIM_ON (test_kernel_that_does_not_cut_is_asked_once_and_nothing_is_lost, UDP_SENDER)
{
  TransportResult result;

  /* Without checksums it refuses. */
  fail_unless (g_socket_set_option (f->out, SOL_SOCKET, SO_NO_CHECK, 1, NULL));
  for (guint i = 0; i < 2; i++) {
    result = send_packets (f, mixed, G_N_ELEMENTS (mixed), 2);
    fail_if (f->sender.segments);
    fail_unless_equals_int (result.sent, G_N_ELEMENTS (mixed));
    fail_unless_equals_int (result.errors, 0);
    assert_received (f, mixed, G_N_ELEMENTS (mixed));
  }
}

CLAIM_ON (test_packet_that_fits_no_datagram_is_an_error_and_the_others_leave, UDP_SENDER)
{
  const guint bytes[] = { 100, 65530, 200 };
  TransportResult result = send_packets (f, bytes, G_N_ELEMENTS (bytes), 1);

  fail_unless_equals_int (result.sent, 3);
  fail_unless_equals_int (result.errors, 1);
  fail_unless_equals_int64 (receive (f), 100);
  fail_unless_equals_int64 (receive (f), 200);
}
