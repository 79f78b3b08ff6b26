/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who is relayed: the flows of rcprelay, how many there may be, and who takes whose place. */

#include <net/sparefiles.h>
#include <rcprelay/relayflow.h>

#include "rcprelayfixture.h"
#include "bustext.h"

POINTER_END (pacing_engine_unref, PacingEngine)

CLAIM_ON (test_flows_are_bounded, RELAY ("max-flows=2"))
{
  guint sender;

  for (guint i = 0; i < SENDERS; i++)
    send_stamped (f, i, 100, 0);
  for (guint i = 0; i < 2; i++)
    receive_stamped (f, &sender);
  fail_unless_equals_uint64 (stat_of (f, "flows"), 2);
  fail_unless_equals_uint64 (stat_of (f, "packets-refused"), 1);
}

static RcTime
never_due (gpointer user_data, RcTime now)
{
  return RC_TIME_NONE;
}

static RelayFlow *
add_flow (RelayFlowTable * table, PacingEngine * engine, guint port_index, RcTime now)
{
  static const PacingClientFuncs funcs = { never_due, not_readable };
  RelayFlowKey key = {.port_index = port_index };
  RelayHost host = { 0 };
  RelayFlow *flow;

  fail_unless (relay_host_init (&host, "127.0.0.1", 9, NULL));
  flow = relay_flow_table_add (table, &key, &host, engine, &funcs, NULL, now);
  relay_host_clear (&host);
  return flow;
}

#define HASHED 12

/* In a process of its own: the order in which a table of random numbers of this seed has flows. */
static void
tell_order (guint32 seed, int fd)
{
  PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowTable table = { 0 };
  GHashTableIter iter;
  gpointer flow;

  g_random_set_seed (seed);
  relay_flow_table_init (&table, HASHED, 0);
  for (guint i = 0; i < HASHED; i++)
    add_flow (&table, engine, i, 0);
  g_hash_table_iter_init (&iter, table.flows);
  while (g_hash_table_iter_next (&iter, &flow, NULL)) {
    guint8 index = (guint8) ((RelayFlow *) flow)->key.port_index;

    if (write (fd, &index, 1) != 1)
      _exit (1);
  }
  _exit (0);
}

static void
read_order (guint32 seed, guint8 * order)
{
  int ends[2];

  fail_unless (pipe (ends) == 0);
  if (fork () == 0)
    tell_order (seed, ends[1]);
  close (ends[1]);
  for (guint i = 0; i < HASHED; i++)
    fail_unless (read (ends[0], &order[i], 1) == 1);
  close (ends[0]);
}

/* Else forged addresses that collide make each look-up as long as the table. */
CLAIM (test_nobody_knows_which_addresses_collide)
{
  guint8 order[3][HASHED];

  read_order (1, order[0]);
  read_order (2, order[1]);
  read_order (1, order[2]);
  fail_if (memcmp (order[0], order[1], HASHED) == 0);
  fail_unless (memcmp (order[0], order[2], HASHED) == 0);
}

CLAIM (test_newcomer_takes_the_place_of_the_idlest_that_was_answered)
{
  AT_END (pacing_engine_unref_at) PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowKey keys[] = { {.port_index = 0}, {.port_index = 1} };
  RelayFlowTable table = { 0 };
  RelayFlow *waiting;
  gpointer socket;

  relay_flow_table_init (&table, 2, 0);
  waiting = add_flow (&table, engine, 0, 0);
  relay_flow_table_on_answer (&table, waiting, 0);
  waiting->queued = 2;
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 1, 0), 2 * RC_SECOND);
  fail_unless (relay_flow_table_find (&table, &keys[0], 3 * RC_SECOND) == waiting);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 11 * RC_SECOND), RELAY_FLOW_FULL);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 12 * RC_SECOND),
      RELAY_FLOW_ADMITTED);
  fail_unless (relay_flow_table_find (&table, &keys[1], 12 * RC_SECOND) == NULL);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 12 * RC_SECOND),
      RELAY_FLOW_ADMITTED);
  fail_unless_equals_uint64 (table.evicted, 1);
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 2, 12 * RC_SECOND), 12 * RC_SECOND);
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 13 * RC_SECOND),
      RELAY_FLOW_ADMITTED);
  fail_unless (relay_flow_table_find (&table, &keys[0], 13 * RC_SECOND) == NULL);
  socket = waiting->socket;
  g_object_add_weak_pointer (G_OBJECT (socket), &socket);
  relay_flow_dequeued (waiting);
  fail_unless (G_IS_SOCKET (socket), "what waits in the queue needs its socket");
  relay_flow_dequeued (waiting);
  fail_unless (socket == NULL);
  relay_flow_table_clear (&table, engine);
}

/* They go on sending, which does not help them; whom the host answered stays. */
CLAIM (test_newcomer_takes_the_place_of_the_oldest_that_was_never_answered)
{
  AT_END (pacing_engine_unref_at) PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowTable table = { 0 };
  RcTime at = 1900 * RC_MSEC;

  relay_flow_table_init (&table, 3, 0);
  relay_flow_table_on_answer (&table, add_flow (&table, engine, 0, 0), 0);
  for (guint i = 1; i < 3; i++)
    add_flow (&table, engine, i, i * RC_MSEC);
  for (guint i = 0; i < 3; i++) {
    RelayFlowKey key = {.port_index = i };

    fail_unless (relay_flow_table_find (&table, &key, at) != NULL);
  }
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, 2 * RC_SECOND), RELAY_FLOW_FULL);
  for (guint i = 1; i < 3; i++) {
    RelayFlowKey key = {.port_index = i };

    at = RELAY_FLOW_PROBATION + i * RC_MSEC;
    fail_unless_equals_int (relay_flow_table_admit (&table, engine, at), RELAY_FLOW_ADMITTED);
    fail_unless (relay_flow_table_find (&table, &key, at) == NULL);
    add_flow (&table, engine, 2 + i, at);
  }
  fail_unless_equals_int (relay_flow_table_admit (&table, engine, at), RELAY_FLOW_FULL);
  fail_unless_equals_uint64 (table.evicted, 2);
  relay_flow_table_clear (&table, engine);
}

CLAIM (test_new_flows_are_limited_by_time)
{
  AT_END (pacing_engine_unref_at) PacingEngine *engine = pacing_engine_ref (NULL);
  RelayFlowTable table = { 0 };
  guint admitted = 0;

  relay_flow_table_init (&table, 100000, 0);
  for (guint ms = 1; ms <= 3000; ms++)
    for (guint i = 0; i < 10; i++)
      admitted += relay_flow_table_admit (&table, engine, ms * RC_MSEC) == RELAY_FLOW_ADMITTED;
  fail_unless (ABS ((gint) admitted - RELAY_FLOW_NEW_BURST - 3 * RELAY_FLOW_NEW_PER_S) <= 1,
      "%u", admitted);
  for (admitted = 0;
      relay_flow_table_admit (&table, engine, RC_SECOND * 3600) == RELAY_FLOW_ADMITTED;)
    admitted++;
  fail_unless_equals_int (admitted, RELAY_FLOW_NEW_BURST);      /* a pause saves up no more */
  relay_flow_table_clear (&table, engine);
}

static guint
source_of (Fixture * f, guint sender)
{
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f->from[sender]));
}

/* Media from many forged addresses, which nobody answers, fills the table, and a sender comes by
 * and by. Who was there before, and was answered, stays. */
TIMED_CLAIM_ON (test_flood_of_forged_media_shuts_nobody_out, RELAY ("max-flows=20"))
{
  guint8 rtp[12] = { 0x80, 96 };
  GSocket *forgers[40];
  guint port, sender, source;

  send_stamped (f, 2, 100, 0);
  receive_stamped (f, &sender);
  source = source_of (f, 2);
  fail_unless (g_socket_send_to (f->host, f->from[2], "yes", 3, NULL, NULL) == 3);
  wait_for (f, "feedback-packets", 1);
  for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
    forgers[i] = socket_new (&port);
  g_socket_set_blocking (f->host, FALSE);
  for (guint step = 0; step < 120; step++) {
    guint8 packet[200];

    for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
      g_socket_send_to (forgers[i], f->relay_address, (gchar *) rtp, sizeof rtp, NULL, NULL);
    send_stamped (f, 1, 100, 0);
    g_usleep (25000);
    while (g_socket_receive (f->host, (gchar *) packet, sizeof packet, NULL, NULL) > 0)
      if (packet[11] == 1)
        step = 1000;
  }
  fail_unless (stat_of (f, "packets-refused") > 100, "%" G_GUINT64_FORMAT " packets",
      stat_of (f, "packets-refused"));
  fail_unless (stat_of (f, "flows-evicted") >= 1, "the sender never got a place");
  g_usleep (200000);            /* what waits has left */
  while (g_socket_receive (f->host, (gchar *) rtp, sizeof rtp, NULL, NULL) > 0);
  g_socket_set_blocking (f->host, TRUE);
  send_stamped (f, 2, 100, 0);
  receive_stamped (f, &sender);
  fail_unless (sender == 2 && source_of (f, 2) == source);
  for (guint i = 0; i < G_N_ELEMENTS (forgers); i++)
    g_object_unref (forgers[i]);
}

/* What GLib opens for itself it aborts without. */
CLAIM_ON (test_flows_leave_files_to_the_process, RELAY (""))
{
  const struct rlimit few = { 160, 160 };
  guint8 rtp[12] = { 0x80, 96 };
  GSocket *senders[80];
  guint port;
  int fd;

  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    senders[i] = socket_new (&port);
  fail_unless (setrlimit (RLIMIT_NOFILE, &few) == 0);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_socket_send_to (senders[i], f->relay_address, (gchar *) rtp, sizeof rtp, NULL, NULL);
  wait_for (f, "packets-in", G_N_ELEMENTS (senders));
  fail_unless (stat_of (f, "flows") > 0);
  fail_unless (stat_of (f, "packets-refused") > 0);
  fail_unless_equals_uint64 (stat_of (f, "packets-refused") + stat_of (f, "flows"),
      G_N_ELEMENTS (senders));
  fd = dup (0);
  fail_unless (fd >= 0 && fd <= 160 - 160 / 8 - 16, "%d", fd);
  close (fd);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_object_unref (senders[i]);
}

CLAIM (test_asking_how_many_flows_there_may_be_keeps_no_file)
{
  guint before = count_files (), most = spare_files_most ();

  for (guint i = 0; i < 10; i++)
    fail_unless_equals_int (spare_files_most (), most);
  fail_unless_equals_int (count_files (), before);
}

static gchar *
warning_of (const gchar * properties)
{
  gchar *line = g_strdup_printf ("rcprelay address=127.0.0.1 port=%u host=127.0.0.1 host-port=%u "
      "%s", free_port (), free_port (), properties), *text = NULL;
  g_autoptr (GstElement) relay = NULL;
  g_autoptr (GstBus) bus = gst_bus_new ();

  relay = gst_parse_launch (line, NULL);
  gst_element_set_bus (relay, bus);
  fail_unless (gst_element_set_state (relay, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS);
  text = bus_text (bus, 0, GST_MESSAGE_WARNING);
  gst_element_set_state (relay, GST_STATE_NULL);
  g_free (line);
  return text;
}

CLAIM (test_more_flows_than_files_is_one_clear_warning)
{
  const struct rlimit few = { 200, 200 };
  gchar *text;

  fail_unless (setrlimit (RLIMIT_NOFILE, &few) == 0);
  text = warning_of ("max-flows=180");
  fail_unless (text && strstr (text, "ulimit -n"), "%s", text);
  g_free (text);
  text = warning_of ("max-flows=50");
  fail_unless (text == NULL, "%s", text);
  text = warning_of ("");
  fail_unless (text == NULL, "the default is no wish: %s", text);
}
