/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A passphrase at both ends of a call. */

#include <rtp/rtcpwriter.h>

#include "joinfixture.h"
#include "readstat.h"

#define SENDER MEDIA "! %s name=sink bind-address=127.0.0.1 port=%u %s"
#define CALLER "arcsrc name=src mode=caller host=127.0.0.1 port=%u %s ! " VIEW
#define ONE "passphrase=\"correct horse\" "
#define OTHER "passphrase=\"battery staple\" "
#define STATION "rmcsink mode=listener"
#define SERVER "arcserversink"

static const gchar *const listeners[] = { STATION, SERVER };
static gint got, got_too;

BEFORE_EACH
{
  got = got_too = 0;
}

static GstElement *
send_from (const gchar * listener, guint port, const gchar * settings)
{
  return join_play (join_launch (SENDER, listener, port, settings), NULL);
}

static GstElement *
call (GstElement * sender, const gchar * settings, gint * count)
{
  return join_play (join_launch (CALLER, join_port (sender), settings), count);
}

static void
set_passphrase (GstElement * pipeline, const gchar * name, const gchar * text)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_object_set (element, "passphrase", text, NULL);
}

static gchar *
cipher_of (GstElement * receiver)
{
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (src, "stats", &stats, NULL);
  return g_strdup (gst_structure_get_string (stats, "srtp"));
}

/* --- the right one --- */

CLAIMS (test_media_flows_under_one_passphrase, G_N_ELEMENTS (listeners))
{
  STOPPED GstElement *sender = send_from (listeners[__i__], 0, ONE);
  GstElement *receiver = call (sender, ONE, &got);
  g_autofree gchar *cipher = NULL;

  await_media (got, 10);
  cipher = cipher_of (receiver);
  fail_unless_equals_string (cipher, "aes-128-gcm");
  fail_unless_equals_uint64 (read_stat_in (receiver, "src", "rejected"), 0);
  claim_stop (receiver);
  receiver = call (sender, ONE, &got);
  await_media (got, 10);
  claim_stop (receiver);
}

/* The ends have to agree on it, as with a key. */
CLAIM (test_a_cipher_that_is_set_gets_a_key_of_its_length)
{
  STOPPED GstElement *sender = send_from (STATION, 0, ONE "srtp-cipher=aes-256-gcm");
  STOPPED GstElement *receiver = call (sender, ONE "srtp-cipher=aes-256-gcm", &got);

  await_media (got, 10);
}

CLAIM (test_a_uri_has_the_passphrase_and_does_not_give_it_back)
{
  STOPPED GstElement *sender = send_from (STATION, 0, ONE);
  g_autofree gchar *text = g_strdup_printf ("uri=\"arc://127.0.0.1:%u?mode=caller&"
      "passphrase=correct%%20horse\"", join_port (sender));
  STOPPED GstElement *receiver = join_play (join_launch ("arcsrc name=src %s ! " VIEW, text),
      &got);
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autofree gchar *uri = NULL;

  await_media (got, 10);
  g_object_get (src, "uri", &uri, NULL);
  fail_unless (strstr (uri, "mode=caller") && !strstr (uri, "pass") && !strstr (uri, "horse"),
      "%s", uri);
}

CLAIM (test_a_sender_takes_it_by_its_uri)
{
  STOPPED GstElement *sender = join_play (join_launch (MEDIA "! rmcsink name=sink "
          "uri=\"arc://127.0.0.1:0?mode=listener&passphrase=correct%%20horse\""), NULL);
  STOPPED GstElement *receiver = call (sender, ONE, &got);

  await_media (got, 10);
}

CLAIM (test_audio_and_video_have_one_passphrase)
{
  STOPPED GstElement *sender = join_play (join_launch ("arcavsink name=av sink::mode=listener "
          "sink::bind-address=127.0.0.1 sink::port=0 sink::passphrase=\"correct horse\" "
          "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000 ! mulawenc "
          "! av.audio_0"), NULL);
  g_autoptr (GstElement) av = gst_bin_get_by_name (GST_BIN (sender), "av");
  STOPPED GstElement *receiver = NULL;
  guint port;

  gst_child_proxy_get (GST_CHILD_PROXY (av), "sink::port", &port, NULL);
  receiver = join_play (join_launch ("arcavsrc source::mode=caller source::host=127.0.0.1 "
          "source::port=%u source::passphrase=\"correct horse\" ! fakesink name=out sync=false",
          port), &got);
  await_media (got, 10);
}

CLAIM (test_paths_carry_it)
{
  STOPPED GstElement *sender = send_from (STATION, 0, ONE "paths=127.0.0.1");
  STOPPED GstElement *receiver = call (sender, ONE, &got);

  await_media (got, 10);
}

/* --- a wrong one --- */

static const struct
{
  const gchar *sender, *caller, *reason, *hint;
} misfits[] = {
  {ONE, OTHER, "the passphrase differs", NULL},
  {ONE, "", "it encrypts (SRTP): set its passphrase at the caller too", NULL},
  {ONE, "srtp-key=" KEY, "the passphrase differs", NULL},
  {ONE, ONE "srtp-cipher=aes-256-gcm", "the passphrase differs", NULL},
  {"", ONE, "it sends in the clear, but the caller has an srtp-key or passphrase",
      "The sender has no passphrase"},
  {"srtp-key=" KEY, ONE, "the srtp-key, srtp-cipher or srtp-auth of the caller is another one",
      "The sender has no passphrase"},
};

CLAIMS (test_both_ends_are_told_why, G_N_ELEMENTS (misfits) * G_N_ELEMENTS (listeners))
{
  guint i = (guint) __i__ / G_N_ELEMENTS (listeners);
  STOPPED GstElement *sender = send_from (listeners[__i__ % G_N_ELEMENTS (listeners)], 0,
      misfits[i].sender);
  STOPPED GstElement *receiver = call (sender, misfits[i].caller, &got);
  g_autofree gchar *error = join_await_text (receiver, GST_MESSAGE_ERROR);
  g_autofree gchar *warning = join_await_text (sender, GST_MESSAGE_WARNING);

  fail_unless (strstr (error, "refuses this receiver") && strstr (error, misfits[i].reason),
      "%s", error);
  fail_unless (!misfits[i].hint == !strstr (error, "The sender has no passphrase"), "%s", error);
  fail_unless (strstr (warning, "calls and is refused") && strstr (warning, misfits[i].reason),
      "%s", warning);
  fail_unless_equals_uint64 (read_stat_in (sender, "sink", "calls-strangers"), 1);
  fail_unless_equals_int (got, 0);
}

CLAIMS (test_a_host_is_told_of_once, G_N_ELEMENTS (listeners))
{
  STOPPED GstElement *sender = send_from (listeners[__i__], 0, ONE);
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);

  for (guint i = 0; i < 3; i++) {
    STOPPED GstElement *receiver = call (sender, OTHER, &got);

    g_free (join_await_text (receiver, GST_MESSAGE_ERROR));
  }
  fail_unless_equals_uint64 (read_stat_in (sender, "sink", "calls-strangers"), 3);
  fail_unless_equals_int (bus_count (bus, GST_MESSAGE_WARNING, "calls and is refused"), 1);
}

#define TEN "0123456789"
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN

static const struct
{
  const gchar *line, *passphrase, *fault;
} faults[] = {
  {"fakesrc ! rmcsink name=x mode=listener port=0", "123456789",
      "has 9 bytes; it may have 10 to 79"},
  {"fakesrc ! arcserversink name=x port=0", SEVENTY TEN, "has 80 bytes; it may have 10 to 79"},
  {"arcsrc name=x mode=caller host=127.0.0.1 port=9 ! fakesink", "", "has 0 bytes"},
  {"arcsrc name=x mode=caller host=127.0.0.1 port=9 ! fakesink", "caf\xe9 au lait", "not UTF-8"},
  {"arcsrc name=x mode=caller host=127.0.0.1 port=9 srtp-key=" KEY " ! fakesink", TEN,
      "passphrase is set beside srtp-key"},
  {"fakesrc ! rmcsink name=x mode=listener port=0 srtp-key-file=/nowhere", TEN,
      "passphrase is set beside srtp-key"},
  {"fakesrc ! rmcsink name=x host=127.0.0.1 port=9", TEN, "passphrase needs a receiver that calls"},
  {"arcsrc name=x port=0 ! fakesink", TEN, "passphrase needs a sender that listens"},
  {"fakesrc ! arcserversink name=x port=0 viewer-properties=\"v, passphrase=(string)0\"",
      NULL, "passphrase is for all viewers"},
};

CLAIMS (test_what_cannot_work_is_refused_at_the_start, G_N_ELEMENTS (faults))
{
  STOPPED GstElement *pipeline = join_launch ("%s", faults[__i__].line);
  g_autofree gchar *text = NULL;

  if (faults[__i__].passphrase)
    set_passphrase (pipeline, "x", faults[__i__].passphrase);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  text = join_await_text (pipeline, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, faults[__i__].fault) != NULL, "%s", text);
}

CLAIM (test_nothing_shows_it)
{
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (src), "passphrase");
  const gchar *const wrong[] = { "arc://u@h?passphrase=correct-horse",
    "arc://h?passphrase=correct-horse&x", "arc://h:z?passphrase=correct-horse"
  };

  fail_if (spec->flags & G_PARAM_READABLE);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;

    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src), wrong[i], &error));
    fail_unless (strstr (error->message, "horse") == NULL, "%s", error->message);
  }
}

/* --- again --- */

CLAIMS (test_a_sender_that_begins_anew_is_joined_again, G_N_ELEMENTS (listeners))
{
  GstElement *sender = send_from (listeners[__i__], 0, ONE);
  guint port = join_port (sender);
  STOPPED GstElement *receiver = call (sender, ONE, &got);

  await_media (got, 5);
  claim_stop (sender);
  sender = send_from (listeners[__i__], port, ONE);
  await_media (got, 10);
  gst_element_set_state (sender, GST_STATE_READY);
  fail_if (gst_element_set_state (sender, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  await_media (got, 10);
  claim_stop (sender);
}

/* What it answers to a stranger. */
static RcAnswer
first_answer (GstElement * sender)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string ("127.0.0.1",
      join_port (sender));
  const RcCall stranger = {.number = 7 };
  g_autoptr (GstBuffer) buffer = rtcp_new_call (&stranger);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (socket, to, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
  return await_answer (socket);
}

static gboolean
same_salt (const RcAnswer * one, const RcAnswer * other)
{
  fail_unless (one->salted && other->salted);
  return memcmp (one->salt, other->salt, sizeof one->salt) == 0;
}

/* Else a key would be used twice, and guesses hold for the next session. */
CLAIMS (test_each_start_and_each_passphrase_has_a_salt_of_its_own, G_N_ELEMENTS (listeners))
{
  STOPPED GstElement *sender = send_from (listeners[__i__], 0, ONE);
  RcAnswer first = first_answer (sender), again = first_answer (sender), next;

  fail_unless (same_salt (&first, &again));
  set_passphrase (sender, "sink", "correct horse");
  next = first_answer (sender);
  fail_if (same_salt (&first, &next));
  gst_element_set_state (sender, GST_STATE_READY);
  fail_if (gst_element_set_state (sender, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  again = first_answer (sender);
  fail_if (same_salt (&again, &next) || same_salt (&again, &first));
}

CLAIM (test_a_receiver_begins_anew_with_the_right_one)
{
  STOPPED GstElement *sender = send_from (STATION, 0, ONE);
  STOPPED GstElement *receiver = call (sender, OTHER, &got);

  g_free (join_await_text (receiver, GST_MESSAGE_ERROR));
  gst_element_set_state (receiver, GST_STATE_NULL);
  set_passphrase (receiver, "src", "correct horse");
  fail_if (gst_element_set_state (receiver, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  await_media (got, 10);
  gst_element_set_state (receiver, GST_STATE_READY);
  fail_if (gst_element_set_state (receiver, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  await_media (got, 10);
}

/* --- a new one while it plays --- */

/* The receivers have it first. */
CLAIMS (test_a_new_passphrase_reaches_who_is_there, G_N_ELEMENTS (listeners))
{
  STOPPED GstElement *sender = send_from (listeners[__i__], 0, ONE);
  STOPPED GstElement *receiver = call (sender, ONE, &got), *next = NULL;

  await_media (got, 5);
  set_passphrase (receiver, "src", "battery staple");
  await_media (got, 20);
  set_passphrase (sender, "sink", "battery staple");
  await_media (got, 50);
  if (__i__ > 0) {
    next = call (sender, OTHER, &got_too);
    await_media (got_too, 5);
  }
}

CLAIMS (test_who_has_the_old_passphrase_is_refused, G_N_ELEMENTS (listeners))
{
  STOPPED GstElement *sender = send_from (listeners[__i__], 0, ONE);
  STOPPED GstElement *receiver = call (sender, ONE, &got);
  g_autofree gchar *text = NULL;

  await_media (got, 5);
  set_passphrase (sender, "sink", "battery staple");
  text = join_await_text (receiver, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "the passphrase differs") != NULL, "%s", text);
}

static const gchar *const no_passphrases[] = { "too short", NULL };

CLAIMS (test_what_is_no_passphrase_changes_nothing, G_N_ELEMENTS (listeners)
    * G_N_ELEMENTS (no_passphrases))
{
  const gchar *no_passphrase = no_passphrases[__i__ / G_N_ELEMENTS (listeners)];
  STOPPED GstElement *sender = send_from (listeners[__i__ % G_N_ELEMENTS (listeners)], 0, ONE);
  GstElement *receiver = call (sender, ONE, &got);

  await_media (got, 5);
  set_passphrase (receiver, "src", no_passphrase);
  g_free (join_await_text (receiver, GST_MESSAGE_WARNING));
  set_passphrase (sender, "sink", no_passphrase);
  g_free (join_await_text (sender, GST_MESSAGE_WARNING));
  await_media (got, 10);
  claim_stop (receiver);
  receiver = call (sender, ONE, &got);
  await_media (got, 10);
  claim_stop (receiver);
}

/* --- a key for one viewer --- */

static void
give_key (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer data)
{
  if (g_str_equal (stream_id, "key"))
    gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", KEY);
  else if (g_str_equal (stream_id, "passphrase"))
    g_object_set (sink, "passphrase", "battery staple", NULL);
}

CLAIM (test_a_key_of_its_own_goes_before_the_passphrase_of_all)
{
  STOPPED GstElement *server = join_launch (SENDER, SERVER, 0, ONE), *one = NULL, *two = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");

  g_signal_connect (sink, "caller-added", G_CALLBACK (give_key), NULL);
  join_play (server, NULL);
  one = call (server, "streamid=key srtp-key=" KEY, &got);
  two = call (server, ONE, &got_too);
  await_media (got, 10);
  await_media (got_too, 10);
  set_passphrase (server, "sink", "battery staple");
  await_media (got, 50);
}

CLAIM (test_a_passphrase_for_one_viewer_is_refused)
{
  STOPPED GstElement *server = join_launch (SENDER, SERVER, 0, ONE), *viewer = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  g_autofree gchar *text = NULL;

  g_signal_connect (sink, "caller-added", G_CALLBACK (give_key), NULL);
  join_play (server, NULL);
  viewer = call (server, "streamid=passphrase " ONE, &got);
  g_free (join_await_text (viewer, GST_MESSAGE_ERROR));
  text = join_await_text (server, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "passphrase is for all viewers") != NULL, "%s", text);
}
