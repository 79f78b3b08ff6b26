/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The first look-up of the receiver's name: nobody waits for it but the stream. */

#include <string.h>

#include "claim.h"
#include "fakeresolver.h"
#include "readstat.h"
#include "boundsocket.h"

#define PATIENCE_S 30

static GMutex lock;
static GCond changed;
static gboolean silent, unknown;        /* what the name server does; under the lock */
static guint asked, answered;

static void
on_cancelled (GCancellable * cancellable, gpointer user_data)
{
  g_mutex_lock (&lock);
  g_cond_broadcast (&changed);
  g_mutex_unlock (&lock);
}

/* Silent for ever, but for a look-up that is given up. */
static GList *
fake_lookup (GResolver * resolver, const gchar * name, GCancellable * cancellable, GError ** error)
{
  gulong id = cancellable ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), NULL,
      NULL) : 0;
  gboolean fails;

  g_mutex_lock (&lock);
  asked++;
  g_cond_broadcast (&changed);
  while (silent && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&changed, &lock);
  fails = silent || unknown;
  answered++;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&lock);
  if (id)
    g_cancellable_disconnect (cancellable, id);
  if (!fails)
    return g_list_append (NULL, g_inet_address_new_from_string ("127.0.0.1"));
  g_set_error_literal (error, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "no such name");
  return NULL;
}

static void
resolver_set (gboolean is_silent, gboolean is_unknown)
{
  g_mutex_lock (&lock);
  silent = is_silent;
  unknown = is_unknown;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&lock);
}

static void
resolver_wait (const guint * counter, guint n)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_S * G_TIME_SPAN_SECOND;

  g_mutex_lock (&lock);
  while (*counter < n)
    fail_unless (g_cond_wait_until (&changed, &lock, end), "nobody asks");
  g_mutex_unlock (&lock);
}

/* --- the pipeline --- */

static GSocket *socket_there;
static GstElement *pipeline;

static void
begin (void)
{
  GResolver *resolver = g_object_new (fake_resolver_get_type (), NULL);
  g_autofree gchar *line = NULL;

  g_resolver_set_default (resolver);
  g_object_unref (resolver);
  asked = answered = 0;
  socket_there = bound_socket ("127.0.0.1", 0);
  g_socket_set_timeout (socket_there, PATIENCE_S);
  line = g_strdup_printf ("audiotestsrc is-live=true "
      "! audio/x-raw,rate=8000,channels=1,format=S16BE ! rtpL16pay pt=96 "
      "! rmcsink name=sink host=camera.example port=%u adapt-encoder=false",
      bound_port (socket_there));
  pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  fail_unless (pipeline != NULL);
}

/* Within the test: what still plays when it returns is waited for. */
static void
end (void)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_clear_object (&pipeline);
  g_clear_object (&socket_there);
}

static void
check_media_comes (void)
{
  gchar data[2048];

  fail_unless (g_socket_receive (socket_there, data, sizeof data, NULL, NULL) > 12);
  fail_unless_equals_int ((guint8) data[0], 0x80);
}

/* Else this test never ends. */
CLAIM (test_a_silent_name_server_holds_up_no_change_of_state)
{
  static const GstState states[] = { GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_PLAYING,
    GST_STATE_NULL
  };

  begin ();
  resolver_set (TRUE, FALSE);
  for (guint round = 1; round <= 2; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (states); i++) {
      fail_if (gst_element_set_state (pipeline, states[i]) == GST_STATE_CHANGE_FAILURE);
      resolver_wait (&asked, round);
      g_usleep (50 * 1000);     /* the first packet gets there, too */
    }
    resolver_wait (&answered, round);
  }
  end ();
}

CLAIM (test_media_flows_as_soon_as_the_name_is_known)
{
  begin ();
  resolver_set (TRUE, FALSE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  resolver_wait (&asked, 1);
  g_usleep (100 * 1000);
  fail_if (g_socket_condition_check (socket_there, G_IO_IN) & G_IO_IN);
  resolver_set (FALSE, FALSE);
  check_media_comes ();
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  check_media_comes ();
  end ();
}

static guint64
unreachable_packets (void)
{
  return read_stat_in (pipeline, "sink", "packets-unreachable");
}

/* The text of the next message of this type; g_free. */
static gchar *
next_text (GstBus * bus, GstMessageType type)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, PATIENCE_S * GST_SECOND,
      type | GST_MESSAGE_ERROR);
  GError *error;
  gchar *text;

  fail_unless (message != NULL);
  fail_unless (GST_MESSAGE_TYPE (message) == type);
  if (type == GST_MESSAGE_WARNING)
    gst_message_parse_warning (message, &error, NULL);
  else
    gst_message_parse_info (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  return text;
}

CLAIM (test_an_unknown_name_is_one_warning_and_media_flows_once_it_is_known)
{
  GstBus *bus;
  gchar *text;

  begin ();
  bus = gst_element_get_bus (pipeline);
  resolver_set (FALSE, TRUE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  text = next_text (bus, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "cannot find host \"camera.example\" (no such name)") != NULL,
      "%s", text);
  g_free (text);
  resolver_wait (&asked, 3);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR) == NULL);
  resolver_set (FALSE, FALSE);
  check_media_comes ();
  text = next_text (bus, GST_MESSAGE_INFO);
  fail_unless (strstr (text, "can be reached: media flows") != NULL, "%s", text);
  g_free (text);
  /* Two attempts apart by half a second, with 50 packets a second. */
  fail_unless (unreachable_packets () > 0);
  gst_object_unref (bus);
  end ();
}

/* Else this test never ends. */
CLAIM (test_a_stream_ends_and_begins_while_its_receiver_cannot_be_found)
{
  GstMessage *message;
  GstBus *bus;

  begin ();
  bus = gst_element_get_bus (pipeline);
  resolver_set (FALSE, TRUE);
  for (guint round = 1; round <= 2; round++) {
    guint before = asked;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    resolver_wait (&asked, before + 2);
    gst_element_send_event (pipeline, gst_event_new_eos ());
    message = gst_bus_timed_pop_filtered (bus, PATIENCE_S * GST_SECOND, GST_MESSAGE_EOS);
    fail_unless (message != NULL, "the end waits for the receiver");
    gst_message_unref (message);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (bus);
  end ();
}
