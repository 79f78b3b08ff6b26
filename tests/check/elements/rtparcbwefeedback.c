/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What an rtparcbwe makes of the events of rtpsession: true, odd and hostile ones. */

#include "quiet.h"
#include "rtparcbwefixture.h"

G_GNUC_BEGIN_IGNORE_DEPRECATIONS       /* GValueArray, which rtpsession uses */
#define DELAY (20 * GST_MSECOND)        /* one way; the receiver's clock is as ours */

static Bwe bwe;
static guint16 session_number;  /* of the next packet, as rtpsession counts */

static void
setup (const gchar * properties)
{
  session_number = 0;
  bwe_init (&bwe, properties);
}

/* Sends and collects so many packets, and makes the list that tells of them after DELAY. `lost`:
 * of so many the first is lost; 0: none. */
static GValueArray *
send_and_list (guint n, guint lost)
{
  GValueArray *told = told_new ();

  for (guint i = 0; i < n; i++) {
    GstClockTime now;

    gst_harness_push (bwe.h, bwe_packet (&bwe));
    gst_buffer_unref (gst_harness_pull (bwe.h));
    now = (GstClockTime) monotonic_ns ();
    told_add (told, session_number, now, lost > 0 && i % lost == 0 ? GST_CLOCK_TIME_NONE
        : now + DELAY);
    session_number++;
  }
  g_usleep (DELAY / 1000 + 1000);
  return told;
}

static void
send_and_tell (guint n)
{
  bwe_tell (&bwe, send_and_list (n, 0));
}

static guint
estimate (void)
{
  guint bps;

  g_object_get (bwe.h->element, "estimated-bitrate", &bps, NULL);
  return bps;
}

TIMED_CLAIM (test_feedback_raises_the_rate_and_is_notified)
{
  guint before, notified;

  setup ("estimated-bitrate=1000000");
  before = estimate ();
  notified = (guint) g_atomic_int_get (&bwe.notified);
  for (guint i = 0; i < 60 && estimate () < 2 * before; i++)
    send_and_tell (10);
  fail_unless (estimate () >= 2 * before, "from %u to %u", before, estimate ());
  for (gint64 waited = 0; waited < PATIENCE_US
      && (guint) g_atomic_int_get (&bwe.notified) == notified; waited += 10000)
    g_usleep (10000);
  fail_unless ((guint) g_atomic_int_get (&bwe.notified) > notified);
  fail_unless (bwe_stat (&bwe, "reports-received") > 0);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "arrivals-rejected"), 0);
  bwe_clear (&bwe);
}

static GstPadProbeReturn
dawdle (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_usleep (200000);
  return GST_PAD_PROBE_OK;
}

/* On a busy machine. A departure that is too late would make all other delays look like a queue. */
CLAIM (test_a_push_that_returns_late_is_no_late_departure)
{
  GValueArray *told;
  GstClockTime now;
  GstPad *pad;
  gulong id;

  setup ("estimated-bitrate=5000000");
  send_and_tell (10);
  pad = gst_element_get_static_pad (bwe.h->element, "src");
  id = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, dawdle, NULL, NULL);
  now = (GstClockTime) monotonic_ns ();
  gst_harness_push (bwe.h, bwe_packet (&bwe));
  gst_buffer_unref (gst_harness_pull (bwe.h));
  gst_pad_remove_probe (pad, id);
  gst_object_unref (pad);
  told = told_new ();
  told_add (told, session_number++, now + 100 * GST_MSECOND, now + 100 * GST_MSECOND + DELAY);
  bwe_tell (&bwe, told);
  for (guint i = 0; i < 5; i++)
    send_and_tell (10);
  fail_unless (bwe_stat (&bwe, "queueing-delay") < 15 * GST_MSECOND, "%" G_GUINT64_FORMAT " ms",
      bwe_stat (&bwe, "queueing-delay") / GST_MSECOND);
  bwe_clear (&bwe);
}

CLAIM (test_feedback_passes_on_upstream)
{
  GstEvent *event;
  gboolean found = FALSE;

  setup ("");
  send_and_tell (3);
  while (!found && (event = gst_harness_try_pull_upstream_event (bwe.h))) {
    found = gst_event_has_name (event, "RTPTWCCPackets");
    gst_event_unref (event);
  }
  fail_unless (found);
  bwe_clear (&bwe);
}

/* Also those with which a message begins: it tells of them, so they are of no lost message. */
CLAIM (test_losses_are_counted)
{
  setup ("estimated-bitrate=5000000");
  send_and_tell (10);
  bwe_tell (&bwe, send_and_list (50, 10));
  send_and_tell (10);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 5);
  bwe_clear (&bwe);
}

/* A message is lost, and nobody knows what became of its packets. */
CLAIM (test_lost_message_is_no_loss_of_packets)
{
  setup ("estimated-bitrate=5000000");
  send_and_tell (20);
  g_value_array_free (send_and_list (20, 0));
  send_and_tell (20);
  send_and_tell (20);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 0);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 60);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "reports-received"), 3);
  bwe_clear (&bwe);
}

CLAIM (test_numbers_wrap_around)
{
  setup ("estimated-bitrate=5000000");
  session_number = 65520;
  for (guint i = 0; i < 5; i++)
    send_and_tell (10);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 0);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "reports-received"), 5);
  bwe_clear (&bwe);
}

static const guint16 restart_at[] = { 0, 95, 101, 40000 };

/* Another session, or the same one made anew, begins at any number. */
CLAIMS (test_numbering_may_begin_again, G_N_ELEMENTS (restart_at))
{
  setup ("estimated-bitrate=5000000");
  session_number = 80;
  send_and_tell (20);
  session_number = restart_at[__i__];
  for (guint i = 0; i < 3; i++)
    send_and_tell (20);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 0);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "reports-received"), 4);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 80);
  bwe_clear (&bwe);
}

/* --- bad input --- */

CLAIM (test_repeated_feedback_changes_nothing)
{
  GValueArray *told;

  setup ("estimated-bitrate=5000000");
  told = send_and_list (20, 0);
  bwe_tell (&bwe, g_value_array_copy (told));
  bwe_tell (&bwe, g_value_array_copy (told));
  bwe_tell (&bwe, told);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 20);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 0);
  fail_unless (bwe_stat (&bwe, "reports-received") >= 1);
  bwe_clear (&bwe);
}

CLAIM (test_entries_without_fields_are_refused_and_the_others_count)
{
  GValueArray *told;

  setup ("estimated-bitrate=5000000");
  told = send_and_list (20, 0);
  told_add_structure (told, gst_structure_new_empty ("RTPTWCCPacket"));
  told_add_structure (told, gst_structure_new ("RTPTWCCPacket", "seqnum", G_TYPE_STRING, "x",
          NULL));
  told_add_structure (told, gst_structure_new ("RTPTWCCPacket", "seqnum", G_TYPE_UINT, 3,
          "lost", G_TYPE_BOOLEAN, FALSE, NULL));
  bwe_tell (&bwe, told);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "feedback-rejected"), 3);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 20);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "reports-received"), 1);
  bwe_clear (&bwe);
}

CLAIM (test_event_without_a_list_is_refused)
{
  setup ("");
  gst_harness_push_upstream_event (bwe.h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("RTPTWCCPackets")));
  gst_harness_push_upstream_event (bwe.h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("RTPTWCCPackets", "packets", G_TYPE_STRING, "x", NULL)));
  fail_unless_equals_uint64 (bwe_stat (&bwe, "feedback-rejected"), 2);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "feedback-messages"), 0);
  bwe_clear (&bwe);
}

/* From the future, from long ago, of packets that never left, at impossible times. */
CLAIM (test_impossible_times_harm_nothing)
{
  GstClockTime now = (GstClockTime) monotonic_ns ();
  GValueArray *told = told_new ();

  setup ("estimated-bitrate=5000000");
  told_add (told, 5, now + GST_SECOND * 3600, now);
  told_add (told, 6, 0, now);
  told_add (told, 7, now, G_MAXUINT64 - 1);
  told_add (told, 8, G_MAXUINT64 - 1, now);
  bwe_tell (&bwe, told);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 0);
  for (guint i = 0; i < 3; i++)
    send_and_tell (20);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "reports-received"), 3);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-lost"), 0);
  bwe_clear (&bwe);
}

/* Random entries, among true ones: nothing crashes, and the rate stays within its bounds. */
CLAIM (test_nonsense_harms_nothing)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  setup ("estimated-bitrate=5000000 min-bitrate=100000 max-bitrate=8000000");
  for (guint i = 0; i < 40; i++) {
    GValueArray *told = send_and_list (5, 0);

    for (guint k = 0; k < 50; k++) {
      GstClockTime now = (GstClockTime) monotonic_ns ();
      GstClockTime local = now - (GstClockTime) g_rand_int_range (rand, 0, 2000000000);
      GstClockTime remote = g_rand_boolean (rand) ? GST_CLOCK_TIME_NONE :
          now + (GstClockTime) g_rand_int (rand) * (GstClockTime) g_rand_int_range (rand, 1, 1000);

      told_add (told, (guint16) g_rand_int (rand), local, remote);
    }
    bwe_tell (&bwe, told);
    fail_unless (bwe_stat (&bwe, "rate") >= 100000 && bwe_stat (&bwe, "rate") <= 8000000);
  }
  bwe_clear (&bwe);
}

static GstMessage *
wait_for_warning (GstBus * bus)
{
  return gst_bus_timed_pop_filtered (bus, PATIENCE_US * GST_USECOND, GST_MESSAGE_WARNING);
}

/* Takes the message, or NULL: none came. */
static void
fail_unless_only_warning (GstMessage * message, GstBus * bus, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
}

static void
fail_unless_warned_once (GstBus * bus, const gchar * words)
{
  fail_unless_only_warning (wait_for_warning (bus), bus, words);
}

/* Two elements in one session: each hears of the packets of both. */
CLAIM (test_packets_of_strangers_are_warned_of)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GValueArray *told;

  setup ("estimated-bitrate=5000000");
  gst_element_set_bus (bwe.h->element, bus);
  told = send_and_list (10, 0);
  for (guint i = 0; i < 10; i++) {
    GstClockTime now = (GstClockTime) monotonic_ns ();

    told_add (told, session_number++, now, now + DELAY);
  }
  bwe_tell (&bwe, told);
  fail_unless_warned_once (bus, "rtpfunnel");
  gst_element_set_bus (bwe.h->element, NULL);
  bwe_clear (&bwe);
}

CLAIM (test_packets_from_before_it_came_are_no_strangers)
{
  GstClockTime before = (GstClockTime) monotonic_ns () - GST_SECOND;
  g_autoptr (GstBus) bus = gst_bus_new ();
  GValueArray *told = told_new ();

  setup ("estimated-bitrate=5000000");
  gst_element_set_bus (bwe.h->element, bus);
  for (guint i = 0; i < 10; i++)
    told_add (told, session_number++, before, before + DELAY);
  bwe_tell (&bwe, told);
  bwe_tell (&bwe, send_and_list (10, 0));
  fail_unless_equals_uint64 (bwe_stat (&bwe, "packets-reported"), 10);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  gst_element_set_bus (bwe.h->element, NULL);
  bwe_clear (&bwe);
}

CLAIM (test_of_two_in_a_row_the_later_one_decides)
{
  g_autoptr (GstElement) earlier = gst_element_factory_make ("rtparcbwe", NULL), later = NULL;
  GstHarness *in = gst_harness_new_with_element (earlier, "sink", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstStructure) stats = NULL;
  guint64 rate;

  gst_element_set_bus (earlier, bus);
  later = gst_element_factory_make ("rtparcbwe", NULL);
  bwe = (Bwe) {.h = gst_harness_new_with_element (later, NULL, "src") };
  fail_unless (gst_element_link (earlier, later));
  gst_harness_set_live (in, TRUE);
  gst_harness_set_src_caps_str (in, RTP_CAPS);
  gst_harness_push (in, bwe_packet (&bwe));
  gst_buffer_unref (gst_harness_pull (bwe.h));
  fail_unless_warned_once (bus, "another rtparcbwe follows");
  g_object_get (earlier, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "rate", &rate));
  fail_unless_equals_uint64 (rate, 50000000);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "rate"), 500000);

  gst_element_set_state (earlier, GST_STATE_NULL);
  gst_element_set_state (later, GST_STATE_NULL);
  gst_element_unlink (earlier, later);
  gst_element_set_bus (earlier, NULL);
  gst_harness_teardown (in);
  gst_harness_teardown (bwe.h);
}

/* Packets must come until the warning does: the element looks at the time when it sends. */
CLAIM (test_without_feedback_the_rate_stays_and_a_warning_says_why)
{
  gint64 end_us = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *warning = NULL;
  guint before;

  setup ("estimated-bitrate=1000000");
  gst_element_set_bus (bwe.h->element, bus);
  before = estimate ();
  while (!warning && g_get_monotonic_time () < end_us) {
    gst_harness_push (bwe.h, bwe_packet (&bwe));
    gst_buffer_unref (gst_harness_pull (bwe.h));
    warning = gst_bus_timed_pop_filtered (bus, 50 * GST_MSECOND, GST_MESSAGE_WARNING);
  }
  fail_unless_only_warning (warning, bus, "rtphdrexttwcc");
  fail_unless_equals_int (estimate (), before);
  fail_unless_equals_uint64 (bwe_stat (&bwe, "rate"), 1000000);
  gst_element_set_bus (bwe.h->element, NULL);
  bwe_clear (&bwe);
}

G_GNUC_END_IGNORE_DEPRECATIONS
