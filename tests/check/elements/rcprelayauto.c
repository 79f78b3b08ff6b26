/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcprelay with capacity=0: what it learns from reports that pass, and what it does without. */
#include "rcprelayfixture.h"
#include "bustext.h"

#include <rc/receiver/receiver.h>

#define START 400000
#define AUTO "capacity=0 start-capacity=400000 min-capacity=100000 "
#define PACKET_BYTES 600
#define FALSE_RATE 500000000
#define PATIENCE (30 * G_USEC_PER_SEC)

/* A sender that sends what the relay carries, and a receiver at the host, which report. */
typedef struct
{
  Fixture *f;
  RcReceiver receiver;
  guint16 seq;
  gint64 sent_at;
  gdouble credit_bytes;
  guint64 lowest_bps;           /* explicit rate in the reports that came to the sender */
} Media;

static void
media_init (Media * m, Fixture * f)
{
  memset (m, 0, sizeof *m);
  m->f = f;
  m->lowest_bps = G_MAXUINT64;
  m->sent_at = g_get_monotonic_time ();
  rc_receiver_init (&m->receiver, 7, RC_BWFILTER_TAU);
}

static gchar *
state_of (Fixture * f)
{
  g_autoptr (GstStructure) stats = NULL;
  gchar *state;

  g_object_get (f->relay, "stats", &stats, NULL);
  state = g_strdup (gst_structure_get_string (stats, "capacity-state"));
  return state;
}

static void
check_state (Fixture * f, const gchar * expected)
{
  g_autofree gchar *state = state_of (f);

  fail_unless_equals_string (state, expected);
}

static void
send_media (Media * m)
{
  guint8 packet[PACKET_BYTES] = { 0x80, 96, m->seq >> 8, m->seq & 0xff, [11] = 7 };

  send_bytes (m->f, 0, packet, sizeof packet);
  m->seq++;
}

static void
send_what_is_due (Media * m)
{
  gint64 now = g_get_monotonic_time ();

  m->credit_bytes += (gdouble) stat_of (m->f, "capacity") * (now - m->sent_at) / 8e6;
  m->credit_bytes = MIN (m->credit_bytes, 20 * PACKET_BYTES);
  m->sent_at = now;
  for (; m->credit_bytes >= PACKET_BYTES; m->credit_bytes -= PACKET_BYTES)
    send_media (m);
}

static void
receive_media (Media * m)
{
  GSocketAddress *from;
  guint8 packet[2000];

  while (g_socket_condition_check (m->f->host, G_IO_IN)) {
    gssize size = g_socket_receive_from (m->f->host, &from, (gchar *) packet, sizeof packet, NULL,
        NULL);

    fail_unless_equals_int (size, PACKET_BYTES);
    g_clear_object (&m->f->from[0]);
    m->f->from[0] = from;
    rc_receiver_on_packet (&m->receiver, GST_READ_UINT16_BE (packet + 2), PACKET_BYTES, FALSE,
        monotonic_ns ());
    rc_receiver_on_stamp (&m->receiver, FALSE_RATE);
  }
}

static void
answer (Fixture * f, gconstpointer bytes, gsize size)
{
  fail_unless (g_socket_send_to (f->host, f->from[0], bytes, size, NULL, NULL) == (gssize) size);
}

static void
send_report (Media * m)
{
  RcTime now = monotonic_ns (), due = rc_receiver_due_at (&m->receiver, now);
  g_autoptr (GstBuffer) buffer = NULL;
  GstMapInfo map;
  RcReport report;

  if (due == RC_TIME_NONE || due > now)
    return;
  rc_receiver_report (&m->receiver, now, &report);
  buffer = rtcp_new_reports (9, &report, 1);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  answer (m->f, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

static void
hear_reports (Media * m)
{
  g_autofree RtcpMessage *message = g_new (RtcpMessage, 1);
  guint8 bytes[2000];

  while (g_socket_condition_check (m->f->senders[0], G_IO_IN)) {
    gssize size = g_socket_receive (m->f->senders[0], (gchar *) bytes, sizeof bytes, NULL, NULL);

    fail_unless (rtcp_message_read (message, bytes, (gsize) size) == RTCP_VALID);
    fail_unless_equals_int (message->n_reports, 1);
    m->lowest_bps = MIN (m->lowest_bps, message->reports[0].explicit_rate_bps);
  }
}

static void
turn (Media * m)
{
  send_what_is_due (m);
  g_usleep (2000);
  receive_media (m);
  send_report (m);
  hear_reports (m);
}

CLAIM_ON (test_capacity_is_learnt_from_reports_and_told_in_them, RELAY (AUTO))
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  g_autofree gchar *state = NULL;
  Media m;

  check_state (f, "waiting");
  fail_unless_equals_uint64 (stat_of (f, "capacity"), START);
  media_init (&m, f);
  while (stat_of (f, "capacity") < 3 * START && g_get_monotonic_time () < end)
    turn (&m);
  fail_unless (stat_of (f, "capacity") >= 3 * START, "%" G_GUINT64_FORMAT,
      stat_of (f, "capacity"));
  state = state_of (f);
  fail_unless (!g_str_equal (state, "waiting") && !g_str_equal (state, "fixed"), "%s", state);
  fail_unless (stat_of (f, "reports") > 5);
  fail_unless_equals_uint64 (stat_of (f, "reports-refused"), 0);
  fail_unless_equals_uint64 (stat_of (f, "feedback-unreadable"), 0);
  fail_unless (m.lowest_bps > 0 && m.lowest_bps <= START, "%" G_GUINT64_FORMAT, m.lowest_bps);
}

CLAIM_ON (test_capacity_stays_within_its_bounds,
    RELAY (AUTO "max-capacity=500000"))
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  Media m;

  media_init (&m, f);
  while (stat_of (f, "capacity") < 500000 && g_get_monotonic_time () < end)
    turn (&m);
  for (guint i = 0; i < 50; i++)
    turn (&m);
  fail_unless (stat_of (f, "capacity") <= 500000);
}

CLAIM_ON (test_bounds_that_contradict_each_other_are_put_in_order,
    RELAY ("capacity=0 min-capacity=3000000 start-capacity=1000 max-capacity=2000"))
{
  fail_unless_equals_uint64 (stat_of (f, "capacity"), 3000000);
}

/* As SRTCP is: behind the first header nothing can be read. */
CLAIM_ON (test_what_cannot_be_read_passes_and_is_counted_and_one_warning_says_so, RELAY (AUTO))
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint8 sealed[60] = { 0x80, 204, 0, 5, 0, 0, 0, 9 }, got[100];
  guint sender;

  gst_element_set_bus (f->relay, bus);
  send_stamped (f, 0, 500, 50 * RC_MSEC);
  receive_stamped (f, &sender);
  for (guint i = 0; i < 40; i++) {
    for (guint k = 8; k < sizeof sealed; k++)
      sealed[k] = (guint8) g_rand_int (rand);
    answer (f, sealed, sizeof sealed);
    fail_unless_equals_int (g_socket_receive (f->senders[0], (gchar *) got, sizeof got, NULL, NULL),
        sizeof sealed);
    fail_unless (memcmp (got, sealed, sizeof sealed) == 0);
  }
  fail_unless_equals_uint64 (stat_of (f, "feedback-unreadable"), 40);
  fail_unless_equals_uint64 (stat_of (f, "capacity"), START);
  check_state (f, "waiting");
  bus_says (bus, 5 * GST_SECOND, GST_MESSAGE_WARNING, "SRTCP");
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING), "it says so once");
  gst_element_set_state (f->relay, GST_STATE_NULL);
}

CLAIM_ON (test_anything_may_come_back, RELAY (AUTO))
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  guint8 bytes[300], got[400];
  guint sender;

  send_stamped (f, 0, 500, 50 * RC_MSEC);
  receive_stamped (f, &sender);
  for (guint i = 0; i < 500; i++) {
    gsize size = (gsize) g_rand_int_range (rand, 1, sizeof bytes);

    for (guint k = 0; k < size; k++)
      bytes[k] = (guint8) g_rand_int (rand);
    if (i % 2) {
      bytes[0] = 0x81;
      if (size > 12)
        memcpy (bytes + 1, "\314\0\102\0\0\0\11ARCR", 11);
    }
    answer (f, bytes, size);
    fail_unless_equals_int (g_socket_receive (f->senders[0], (gchar *) got, sizeof got, NULL, NULL),
        (gint) size);
    fail_unless (memcmp (got, bytes, size) == 0);
  }
  fail_unless_equals_uint64 (stat_of (f, "reports"), 0);
  fail_unless_equals_uint64 (stat_of (f, "capacity"), START);
}

CLAIM_ON (test_reports_are_not_read_where_the_capacity_is_known, RELAY (""))
{
  Media m;

  media_init (&m, f);
  for (guint i = 0; i < 100; i++)
    turn (&m);
  fail_unless_equals_uint64 (m.lowest_bps, FALSE_RATE);
  fail_unless_equals_uint64 (stat_of (f, "reports"), 0);
  fail_unless_equals_uint64 (stat_of (f, "capacity"), CAPACITY);
  check_state (f, "fixed");
  g_object_set (f->relay, "capacity", (guint64) 0, NULL);
  fail_unless_equals_uint64 (stat_of (f, "capacity"), CAPACITY);
}
