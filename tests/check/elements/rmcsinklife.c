/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* States, settings between them, restarts, other sources, other addresses. */

#include "camerafixture.h"
#include "bustext.h"

#include <gst/arc/arc.h>

/* --- restarts --- */

typedef struct
{
  GMutex lock;
  GCond changed;
  GThread *application;
  gboolean inside, released;
} SlowHandler;

/* Blocks in a thread of the element until released. */
static void
on_target (GstElement * sink, GParamSpec * pspec, gpointer user_data)
{
  SlowHandler *slow = user_data;

  if (g_thread_self () == slow->application)
    return;
  g_mutex_lock (&slow->lock);
  slow->inside = TRUE;
  g_cond_broadcast (&slow->changed);
  while (!slow->released)
    g_cond_wait (&slow->changed, &slow->lock);
  g_mutex_unlock (&slow->lock);
}

CLAIM (test_port_is_free_again_while_a_handler_takes_its_time)
{
  SlowHandler slow = {.application = g_thread_self () };
  AT_END (fixture_clear) Fixture f;
  Datagram d;
  GSocket *free_port;
  guint port;
  g_autofree gchar *line = NULL;

  free_port = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  g_object_unref (free_port);
  line = g_strdup_printf ("adapt-encoder=false bind-port=%u", port);
  fixture_init (&f, TRUE, line);
  g_signal_connect (f.sink, "notify::target-bitrate", G_CALLBACK (on_target), &slow);
  fixture_play (&f);
  push_frame (&f, 0, FALSE, 1, 200);
  g_mutex_lock (&slow.lock);
  while (!slow.inside)
    g_cond_wait (&slow.changed, &slow.lock);
  g_mutex_unlock (&slow.lock);

  fixture_stop (&f);
  fixture_play (&f);
  push_frame (&f, 1, FALSE, 1, 200);
  while (receive_rtp (&f, &d, PATIENCE) && d.timestamp != 1);
  fail_unless_equals_int (d.timestamp, 1);
  fail_unless_equals_int (g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f.sender)), port);

  g_mutex_lock (&slow.lock);
  slow.released = TRUE;
  g_cond_broadcast (&slow.changed);
  g_mutex_unlock (&slow.lock);
}

/* --- settings --- */

static GSocket *
assert_sends_to_new_port (Fixture * f, gboolean by_uri)
{
  GSocket *old = f->socket;
  Datagram d;
  g_autofree gchar *uri = NULL;

  fail_unless_equals_int (gst_element_set_state (f->sink, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  f->socket = socket_new (G_SOCKET_FAMILY_IPV4, &f->port);
  uri = g_strdup_printf ("arc://127.0.0.1:%u", f->port);
  if (by_uri)
    fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (f->sink), uri, NULL));
  else
    g_object_set (f->sink, "port", f->port, NULL);
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 200);
  fail_unless (receive_rtp (f, &d, PATIENCE), "not sent to the port that was set in READY");
  return old;
}

CLAIM_ON (test_what_is_set_in_ready_holds, SINK (TRUE, "adapt-encoder=false"))
{
  g_autoptr (GSocket) first = NULL, second = NULL;

  first = assert_sends_to_new_port (f, FALSE);
  gst_element_set_state (f->sink, GST_STATE_READY);
  gst_pad_set_active (f->src, FALSE);
  second = assert_sends_to_new_port (f, TRUE);
}

static GstBusSyncReply
lower_on_warning (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Fixture *f = user_data;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    g_object_set (f->sink, "max-bitrate", 300000, "stats-interval", 20 * GST_MSECOND, NULL);
  return GST_BUS_PASS;
}

/* The warning comes while the session is opened: what an application sets right then, as from
 * another thread. */
CLAIM_ON (test_value_set_while_opening_is_not_lost,
    SINK (TRUE, "adapt-encoder=false controller-params=\"params,kk=1.0\""))
{
  GstMessage *message;
  gboolean told = FALSE;

  gst_bus_set_sync_handler (f->bus, lower_on_warning, f, NULL);
  fixture_play (f);
  fail_unless (stat_of (f, "rate") <= 300000, "%" G_GUINT64_FORMAT " bit/s", stat_of (f, "rate"));
  while (!told) {
    message = gst_bus_timed_pop_filtered (f->bus, PATIENCE, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL, "no statistics");
    told = gst_structure_has_name (gst_message_get_structure (message), GST_RMC_SINK_STATS);
    gst_message_unref (message);
  }
}

static gint setting;            /* atomic */

static gpointer
set_all_the_time (gpointer data)
{
  Fixture *f = data;

  for (guint i = 0; g_atomic_int_get (&setting); i++) {
    g_object_set (f->sink,
        "max-bitrate", 300000 + i % 1000, "max-queue-time", (guint64) (i % 1000) * GST_MSECOND,
        "stats-interval", (guint64) (i % 2) * GST_SECOND, "adapt-encoder", i % 2, NULL);
    g_usleep (100);
  }
  return NULL;
}

/* For the thread sanitizer; else: nothing hangs, and the last value holds. */
CLAIM_ON (test_values_may_be_set_at_any_time_from_any_thread, SINK (TRUE, "adapt-encoder=false"))
{
  GThread *thread;
  Datagram d;
  guint i, max_bps;

  g_atomic_int_set (&setting, TRUE);
  thread = g_thread_new ("settings", set_all_the_time, f);
  do
    g_object_get (f->sink, "max-bitrate", &max_bps, NULL);
  while (max_bps > 301000);
  for (i = 0; i < 30; i++) {
    fixture_play (f);
    push_frame (f, i, FALSE, 2, 200);
    fail_unless (receive_rtp (f, &d, PATIENCE));
    fail_unless (stat_of (f, "rate") <= 301000);
    fixture_stop (f);
  }
  g_atomic_int_set (&setting, FALSE);
  g_thread_join (thread);
}

CLAIM_ON (test_wrong_uri_does_not_start_and_says_why, SINK (TRUE, "uri=udp://192.0.2.1:7000"))
{
  fail_unless_equals_int (gst_element_set_state (f->sink, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  bus_says (f->bus, 0, GST_MESSAGE_ERROR, "arc://");
  g_object_set (f->sink, "uri", "arc://127.0.0.1:7000", NULL);
  fail_if (gst_element_set_state (f->sink, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
}

/* --- sources --- */

static gboolean
syncs (Fixture * f)
{
  gboolean sync;

  g_object_get (f->sink, "sync", &sync, NULL);
  return sync;
}

CLAIM_ON (test_liveness_is_asked_again_when_another_source_comes,
    SINK (FALSE, "adapt-encoder=false"))
{
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 200);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  fail_unless (syncs (f), "a file plays in its own time");

  f->live = TRUE;
  fail_unless (gst_pad_unlink (f->src, GST_BASE_SINK_PAD (f->sink)));
  fail_unless_equals_int (gst_pad_link (f->src, GST_BASE_SINK_PAD (f->sink)), GST_PAD_LINK_OK);
  push_frame (f, 1, FALSE, 1, 200);
  fail_if (syncs (f), "a camera must not wait for the clock");

  f->live = FALSE;               /* relinked further upstream */
  fail_unless (gst_pad_push_event (f->src, gst_event_new_stream_start ("another")));
  push_frame (f, 2, FALSE, 1, 200);
  fail_unless (syncs (f));
}

/* A funnel is, while one of the payloaders before it has no caps. */
CLAIM_ON (test_what_does_not_know_yet_whether_it_is_live_is_asked_again,
    SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;

  f->mute = TRUE;
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 200);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  fail_unless (syncs (f), "counted as not live until it knows");
  f->mute = FALSE;
  g_usleep (150 * 1000);
  push_frame (f, 1, FALSE, 1, 200);
  fail_if (syncs (f));

  f->mute = TRUE;
  fail_unless (gst_pad_push_event (f->src, gst_event_new_stream_start ("another")));
  push_frame (f, 2, FALSE, 1, 200);
  fail_if (syncs (f), "the last answer holds");
}

CLAIM_ON (test_sync_of_the_user_stays_with_another_source,
    SINK (FALSE, "adapt-encoder=false sync=false"))
{
  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 200);
  fail_if (syncs (f));
  fail_unless (gst_pad_push_event (f->src, gst_event_new_stream_start ("another")));
  push_frame (f, 1, FALSE, 1, 200);
  fail_if (syncs (f));
}

/* --- receivers --- */

/* The text (g_free) of the next warning; NULL: there is none in time. */
static gchar *
next_warning (Fixture * f, GstClockTime timeout)
{
  return bus_text (f->bus, timeout, GST_MESSAGE_WARNING);
}

TIMED_CLAIM (test_refused_port_is_told_soon_and_media_flows_once_somebody_listens)
{
  GSocket *holder;
  Receiver receiver;
  AT_END (camera_stop) Camera camera;
  guint port;
  gchar *text;

  holder = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  g_object_unref (holder);
  camera_start (&camera, "127.0.0.1", port, "controller-params=\"params,stop=2.0\"");
  text = next_warning (&camera.fixture, 1500 * GST_MSECOND);
  fail_unless (text && strstr (text, "refused") && strstr (text, "set mode=listener here"),
      "says: %s", text);
  fail_unless (state_is (&camera.fixture, "running"), "told only when media stopped");
  g_free (text);
  wait_until (state_is (&camera.fixture, "stopped"));
  text = next_warning (&camera.fixture, 100 * GST_MSECOND);
  fail_unless (text == NULL, "told twice: %s", text);

  receiver_start (&receiver, "127.0.0.1", port);
  assert_media (&receiver, 20, 3 * G_TIME_SPAN_SECOND, "with the receiver");
  receiver_stop (&receiver);
  text = next_warning (&camera.fixture, 1500 * GST_MSECOND);
  fail_unless (text && strstr (text, "refused"), "says: %s", text);
  g_free (text);
}

CLAIM (test_receiver_that_starts_anew_is_no_reason_to_warn)
{
  Receiver receiver;
  Camera camera;
  gchar *text;
  guint port;

  receiver_start (&receiver, "127.0.0.1", 0);
  port = receiver.port;
  camera_start (&camera, "127.0.0.1", port, "");
  assert_media (&receiver, 20, 3 * G_TIME_SPAN_SECOND, "first");
  receiver_stop (&receiver);
  wait_until (stat_of (&camera.fixture, "port-unreachable") > 0);
  receiver_start (&receiver, "127.0.0.1", port);
  assert_media (&receiver, 20, 3 * G_TIME_SPAN_SECOND, "again");
  text = next_warning (&camera.fixture, 0);
  fail_unless (text == NULL, "%s", text);
  camera_stop (&camera);
  receiver_stop (&receiver);
}

CLAIM_ON (test_a_port_that_is_set_too_late_is_warned_of, SINK (TRUE, "adapt-encoder=false"))
{
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  fixture_play (f);
  g_object_set (f->sink, "max-bitrate", 1000000, NULL);
  fail_if (gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING));
  g_object_set (f->sink, "port", 5999, NULL);
  message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_str_has_prefix (error->message, "port is set"), "%s", error->message);
}
