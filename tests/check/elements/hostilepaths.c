/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Several paths among the hostile: real elements, with a relay on each of two paths that forwards,
 * delays, drops, changes its port as a NAT does, or hands on what it heard to a stranger and to the
 * other path. Nothing is gained, and the stream goes on. */

#include "pathsfixture.h"
#include "readstat.h"
#include "boundsocket.h"

#define N 2

typedef struct
{
  gint64 due_at;
  gsize size;
  gchar data[2048];
} Datagram;

/* front: where the sender sends to; back: by which it goes on to the receiver. */
typedef struct
{
  GSocket *front, *back;
  GSocketAddress *sender;
  gchar *name;                  /* of the path */
  GQueue waits;                 /* Datagram, to the receiver */
  gint64 free_at;               /* of the link behind it */
} Relay;

typedef struct
{
  World world;
  Relay relay[N];
  GSocket *stranger;
  GSocketAddress *receiver;
  GThread *thread;
  /* atomic */
  gint ends, drops_media, drops_reports, crosses_reports, repeats_reports, copies_to_stranger;
  gint rebinds, loses, passed;  /* loses: each so many of the second path's media packets */
  gint forges;                  /* one packet of the second path once more, with this added */
  gint delay_us[N], rate_bps[N];        /* to the receiver; rate 0: no limit */
  gint stranger_sent, stranger_got;     /* bytes */
} Hostile;

static GSocket *
socket_new (void)
{
  GSocket *socket = bound_socket ("127.0.0.1", 0);

  g_socket_set_blocking (socket, FALSE);
  return socket;
}

static void
hold (Hostile * h, guint i, const gchar * data, gsize size)
{
  Relay *relay = &h->relay[i];
  Datagram *datagram = g_new (Datagram, 1);
  gint bps = g_atomic_int_get (&h->rate_bps[i]);

  relay->free_at = MAX (relay->free_at, g_get_monotonic_time ());
  if (bps > 0)
    relay->free_at += (gint64) size * 8 * G_USEC_PER_SEC / bps;
  datagram->due_at = relay->free_at + g_atomic_int_get (&h->delay_us[i]);
  datagram->size = size;
  memcpy (datagram->data, data, size);
  g_queue_push_tail (&relay->waits, datagram);
}

static gboolean
is_dropped (Hostile * h, guint8 type)
{
  gint each = g_atomic_int_get (&h->loses);
  gboolean is_rtcp = type >= 192 && type <= 223;

  if (g_atomic_int_get (&h->drops_media))
    return TRUE;
  return each > 0 && !is_rtcp && (g_atomic_int_add (&h->passed, 1) + 1) % each == 0;
}

/* A packet of the lane, whose stream's number is far from the others (gst/rtp/lanepacket.h). */
static void
forge (Hostile * h, const gchar * data, gsize size)
{
  guint16 ahead = (guint16) g_atomic_int_get (&h->forges);
  guint8 *forged, *number;

  if (ahead == 0 || (data[0] & 0x20) == 0)
    return;
  forged = g_memdup2 (data, size);
  number = forged + size - 4;
  GST_WRITE_UINT16_BE (number, GST_READ_UINT16_BE (number) + ahead);
  g_socket_send_to (h->relay[1].back, h->receiver, (gchar *) forged, size, NULL, NULL);
  g_free (forged);
  g_atomic_int_set (&h->forges, 0);
}

static void
forward (Hostile * h, guint i)
{
  Relay *relay = &h->relay[i];
  GSocketAddress *from = NULL;
  gchar data[2048];
  gssize size;

  while ((size = g_socket_receive_from (relay->front, &from, data, sizeof data, NULL, NULL)) > 0) {
    g_clear_object (&relay->sender);
    relay->sender = from;
    from = NULL;
    if (i == 1 && g_atomic_int_get (&h->copies_to_stranger)) {
      g_socket_send_to (h->stranger, h->receiver, data, (gsize) size, NULL, NULL);
      g_atomic_int_add (&h->stranger_sent, (gint) size);
    }
    if (i == 1)
      forge (h, data, (gsize) size);
    if (i == 0 || !is_dropped (h, (guint8) data[1]))
      hold (h, i, data, (gsize) size);
  }
  g_clear_object (&from);
}

static void
let_go (Hostile * h, Relay * relay)
{
  Datagram *datagram;

  while ((datagram = g_queue_peek_head (&relay->waits))
      && datagram->due_at <= g_get_monotonic_time ()) {
    g_socket_send_to (relay->back, h->receiver, datagram->data, datagram->size, NULL, NULL);
    g_free (g_queue_pop_head (&relay->waits));
  }
}

static void
say (Hostile * h, guint i, const gchar * data, gssize size)
{
  if (h->relay[i].sender)
    g_socket_send_to (h->relay[i].front, h->relay[i].sender, data, (gsize) size, NULL, NULL);
}

static void
answer (Hostile * h, guint i)
{
  gchar data[2048];
  gssize size;

  while ((size = g_socket_receive (h->relay[i].back, data, sizeof data, NULL, NULL)) > 0) {
    if (i == 0 || !g_atomic_int_get (&h->drops_reports))
      say (h, i, data, size);
    if (i == 0 && g_atomic_int_get (&h->crosses_reports))
      say (h, 1, data, size);
    for (guint k = 0; k < 5 && g_atomic_int_get (&h->repeats_reports); k++)
      say (h, i, data, size);
  }
}

static gpointer
run (gpointer user_data)
{
  Hostile *h = user_data;
  gchar data[2048];
  gssize size;

  while (!g_atomic_int_get (&h->ends)) {
    if (g_atomic_int_compare_and_exchange (&h->rebinds, 1, 0)) {
      g_object_unref (h->relay[1].back);
      h->relay[1].back = socket_new ();
    }
    for (guint i = 0; i < N; i++) {
      forward (h, i);
      let_go (h, &h->relay[i]);
      answer (h, i);
    }
    while ((size = g_socket_receive (h->stranger, data, sizeof data, NULL, NULL)) > 0)
      g_atomic_int_add (&h->stranger_got, (gint) size);
    g_usleep (500);
  }
  return NULL;
}

static void
open_relay (Relay * relay)
{
  relay->front = socket_new ();
  relay->back = socket_new ();
  relay->name = g_strdup_printf ("127.0.0.1:%u", bound_port (relay->front));
}

static void
hostile_open_with (Hostile * h, const gchar * receiver, gint delay_us, gint other_delay_us)
{
  g_autofree gchar *settings = NULL;

  memset (h, 0, sizeof *h);
  h->delay_us[0] = delay_us;
  h->delay_us[1] = other_delay_us;
  world_open (&h->world);
  start_receiver (&h->world, receiver);
  h->receiver = g_inet_socket_address_new_from_string ("127.0.0.1", h->world.port);
  h->stranger = socket_new ();
  for (guint i = 0; i < N; i++)
    open_relay (&h->relay[i]);
  h->thread = g_thread_new ("relays", run, h);
  settings = g_strdup_printf ("paths=%s,%s", h->relay[0].name, h->relay[1].name);
  start_sender (&h->world, settings);
}

static void
hostile_open (Hostile * h)
{
  hostile_open_with (h, "", 0, 0);
}

static void
hostile_close (Hostile * h)
{
  world_close (&h->world);
  g_atomic_int_set (&h->ends, 1);
  g_thread_join (h->thread);
  for (guint i = 0; i < N; i++) {
    g_object_unref (h->relay[i].front);
    g_object_unref (h->relay[i].back);
    g_clear_object (&h->relay[i].sender);
    g_queue_clear_full (&h->relay[i].waits, g_free);
    g_free (h->relay[i].name);
  }
  g_object_unref (h->stranger);
  g_object_unref (h->receiver);
}

#define HOSTILE Hostile, h, hostile_open (h), hostile_close (h)

static gboolean
carries (Hostile * h, guint i)
{
  return is_carrying (&h->world, h->relay[i].name);
}

static void
await_both (Hostile * h)
{
  await (carries (h, 0) && carries (h, 1));
  count_anew (&h->world);
}

static void
goes_on (Hostile * h)
{
  await_packets (&h->world, 300);
  fail_unless_equals_int (h->world.doubles, 0);
  fail_unless_equals_int (h->world.strange, 0);
}

/* What the first path can carry alone need not go by the second. */
static void
need_both (Hostile * h)
{
  g_atomic_int_set (&h->rate_bps[0], 600000);
}

/* Nobody asks for a packet here: there is no jitter buffer. */
CLAIM_ON (test_what_one_path_loses_leaves_by_the_other, HOSTILE)
{
  await_both (h);
  need_both (h);
  g_atomic_int_set (&h->loses, 10);
  await (g_atomic_int_get (&h->passed) > 300);
  await_packets (&h->world, 200);
  goes_on (h);
  fail_unless (missing (&h->world) <= 20, "%u packets missing of %u", missing (&h->world),
      counted (&h->world, &h->world.came));
}

/* Among it are the infos with both cookies of the path. */
CLAIM_ON (test_stranger_who_repeats_all_of_a_path_is_not_that_path, HOSTILE)
{
  await_both (h);
  need_both (h);
  g_atomic_int_set (&h->copies_to_stranger, 1);
  await (g_atomic_int_get (&h->stranger_sent) > 10000);
  goes_on (h);
  fail_unless (carries (h, 0) && carries (h, 1));
  g_atomic_int_set (&h->drops_media, 1);
  await (!carries (h, 1));
  goes_on (h);
  fail_if (carries (h, 1));
  fail_unless (g_atomic_int_get (&h->stranger_got) <= g_atomic_int_get (&h->stranger_sent),
      "%d bytes for %d", g_atomic_int_get (&h->stranger_got),
      g_atomic_int_get (&h->stranger_sent));
}

CLAIM_ON (test_reports_of_one_path_keep_no_other_alive, HOSTILE)
{
  await_both (h);
  g_atomic_int_set (&h->crosses_reports, 1);
  goes_on (h);
  fail_unless (carries (h, 0) && carries (h, 1));
  g_atomic_int_set (&h->drops_reports, 1);
  await (!carries (h, 1));
  goes_on (h);
  fail_if (carries (h, 1));
}

CLAIM_ON (test_forged_number_of_a_stream_stops_no_media, HOSTILE)
{
  await_both (h);
  need_both (h);
  for (gint ahead = 5000; ahead < 65536; ahead += 9000) {
    g_atomic_int_set (&h->forges, ahead);
    await (g_atomic_int_get (&h->forges) == 0);
    await_packets (&h->world, 50);
  }
  fail_unless_equals_int (h->world.strange, 0);
}

CLAIM_ON (test_reports_that_are_repeated_change_nothing, HOSTILE)
{
  await_both (h);
  g_atomic_int_set (&h->repeats_reports, 1);
  goes_on (h);
  fail_unless (carries (h, 0) && carries (h, 1));
}

CLAIM_ON (test_path_behind_a_nat_that_forgot_it_is_back_and_the_stream_goes_on, HOSTILE)
{
  guint64 before;

  await_both (h);
  g_atomic_int_set (&h->rebinds, 1);
  goes_on (h);
  await (carries (h, 1));
  fail_unless (missing (&h->world) <= 100, "%u packets missing", missing (&h->world));
  need_both (h);
  before = packets_of (&h->world, h->relay[1].name);
  await (packets_of (&h->world, h->relay[1].name) > before + 100 && carries (h, 1));
}

static guint64
receiver_ms (Hostile * h, const gchar * field)
{
  return read_stat (h->world.src, field) / GST_MSECOND;
}

static guint64
frame_delay_ms (Hostile * h)
{
  return receiver_ms (h, "frame-delay-p95");
}

/* The first path carries less than the media, so the rest comes by the slower one. */
CLAIM_ON (test_receiver_tells_the_spread_of_the_paths_for_its_jitter_buffer, HOSTILE)
{
  await_both (h);
  g_atomic_int_set (&h->delay_us[1], 80000);
  g_atomic_int_set (&h->rate_bps[0], 600000);
  await (frame_delay_ms (h) >= 60);
  goes_on (h);
  fail_unless (frame_delay_ms (h) >= 60, "%u ms", (guint) frame_delay_ms (h));
}

/* No packet is lost, and none needs a repair. */
CLAIM_ON (test_what_comes_later_by_one_path_asks_for_no_latency_of_repair, Hostile, h,
    hostile_open_with (h, " ! rtpjitterbuffer latency=200 do-retransmission=true", 50000, 110000),
    hostile_close (h))
{
  guint64 needed;

  await_both (h);
  need_both (h);
  await_packets (&h->world, 1200);
  needed = receiver_ms (h, "repair-latency");
  fail_unless (needed < 150, "%u ms", (guint) needed);
}
