/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rcprelay between senders and a host, which are sockets of the test. */
#pragma once

#include <rtp/ratestamp.h>
#include <rtp/rtcpwriter.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "quiet.h"
#include "readstat.h"
#include "boundsocket.h"

#define SENDERS 3
#define CAPACITY 8000000

typedef struct
{
  GstElement *relay;
  GSocket *host, *senders[SENDERS];
  GSocketAddress *relay_address, *from[SENDERS]; /* from: whence the host hears each sender */
} Fixture;

static inline GSocket *
socket_new (guint * port)
{
  GSocket *socket = bound_socket ("127.0.0.1", 0);

  g_socket_set_timeout (socket, 30);
  *port = bound_port (socket);
  return socket;
}

/* A port that was free a moment ago. */
static inline guint
free_port (void)
{
  guint port;

  g_object_unref (socket_new (&port));
  return port;
}

static inline void
fixture_init (Fixture * f, const gchar * properties)
{
  guint port = free_port (), host_port, any;
  g_autofree gchar *line = NULL;

  memset (f, 0, sizeof *f);
  f->host = socket_new (&host_port);
  line = g_strdup_printf ("rcprelay address=127.0.0.1 port=%u host=127.0.0.1 host-port=%u "
      "capacity=%u %s", port, host_port, CAPACITY, properties);
  f->relay = gst_parse_launch (line, NULL);
  fail_unless (f->relay != NULL);
  fail_unless (gst_element_set_state (f->relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  f->relay_address = g_inet_socket_address_new_from_string ("127.0.0.1", port);
  for (guint i = 0; i < SENDERS; i++)
    f->senders[i] = socket_new (&any);
}

static inline void
fixture_clear (Fixture * f)
{
  gst_element_set_state (f->relay, GST_STATE_NULL);
  gst_object_unref (f->relay);
  for (guint i = 0; i < SENDERS; i++) {
    g_object_unref (f->senders[i]);
    g_clear_object (&f->from[i]);
  }
  g_object_unref (f->host);
  g_object_unref (f->relay_address);
}

#define RELAY(properties) Fixture, f, fixture_init (f, properties), fixture_clear (f)

static inline guint64
stat_of (Fixture * f, const gchar * name)
{
  return read_stat (f->relay, name);
}

/* An RTP packet of `size` bytes, with a stamp that offers so much already (0: nothing); byte 11
 * of the header tells the sender. */
static inline void
send_offered (Fixture * f, guint sender, guint size, RcTime rtt, guint64 offered_bps)
{
  guint8 packet[2000] = { 0x90, 96, [11] = (guint8) sender, [12] = 0xbe, 0xde,
      0, 3, RATE_STAMP_ID << 4 | 7 };

  rate_stamp_write (packet + 17, rtt);
  if (offered_bps > 0)
    rate_stamp_offer (packet + 17, offered_bps);
  fail_unless (g_socket_send_to (f->senders[sender], f->relay_address, (gchar *) packet, size,
          NULL, NULL) == (gssize) size);
}

static inline void
send_stamped (Fixture * f, guint sender, guint size, RcTime rtt)
{
  send_offered (f, sender, size, rtt, 0);
}

static inline void
send_bytes (Fixture * f, guint sender, gconstpointer bytes, gsize size)
{
  fail_unless (g_socket_send_to (f->senders[sender], f->relay_address, bytes, size, NULL, NULL)
      == (gssize) size);
}

/* The stamp of a packet that arrives at the host, and whose it is. */
static inline guint64
receive_stamped (Fixture * f, guint * sender)
{
  GSocketAddress *from;
  guint8 packet[2000];
  gssize size = g_socket_receive_from (f->host, &from, (gchar *) packet, sizeof packet, NULL, NULL);
  guint8 *stamp;

  fail_unless (size > 0, "nothing came");
  *sender = packet[11];
  fail_unless (*sender < SENDERS);
  g_clear_object (&f->from[*sender]);
  f->from[*sender] = from;
  stamp = rate_stamp_find (packet, (gsize) size, RATE_STAMP_ID);
  fail_unless (stamp != NULL);
  return rate_stamp_bps (stamp);
}

static inline void
wait_for (Fixture * f, const gchar * name, guint64 value)
{
  for (guint i = 0; i < 3000 && stat_of (f, name) < value; i++)
    g_usleep (10000);
  fail_unless_equals_uint64 (stat_of (f, name), value);
}

static inline void
not_readable (gpointer user_data, RcTime now)
{
}
