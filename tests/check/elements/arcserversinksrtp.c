/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One key for all viewers, or a key for each. */

#include <gio/gio.h>
#include <rtp/rtcpwriter.h>
#include <srtp/secureproof.h>
#include <srtp/secureproperties.h>

#include "joinfixture.h"
#include "readstat.h"

#define SERVER MEDIA "! arcserversink name=sink bind-address=127.0.0.1 port=0 %s"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u %s ! " VIEW

static gint got, got_too;

BEFORE_EACH
{
  got = got_too = 0;
}

/* Each has its own SSRC: the same packets under two sets of numbers would break SRTP. */
CLAIM (test_one_key_serves_all_viewers)
{
  STOPPED GstElement *server = join_play (join_launch (SERVER, "srtp-key=" KEY), NULL);
  GstElement *one = join_play (join_launch (CALLER, join_port (server), "srtp-key=" KEY), &got);
  STOPPED GstElement *two = join_play (join_launch (CALLER, join_port (server), "srtp-key=" KEY),
      &got_too);

  await_media (got, 10);
  await_media (got_too, 10);
  claim_stop (one);
}

static void
on_added (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer data)
{
  gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", g_str_equal (stream_id, "a") ? KEY
      : OTHER_KEY);
}

CLAIM (test_each_viewer_may_have_a_key_of_its_own)
{
  GstElement *sink;
  STOPPED GstElement *server = join_launch (SERVER, ""), *one = NULL, *two = NULL, *wrong = NULL;
  g_autofree gchar *text = NULL;

  sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  g_signal_connect (sink, "caller-added", G_CALLBACK (on_added), NULL);
  join_play (server, NULL);
  one = join_play (join_launch (CALLER, join_port (server), "streamid=a srtp-key=" KEY), &got);
  two = join_play (join_launch (CALLER, join_port (server), "streamid=b srtp-key=" OTHER_KEY),
      &got_too);
  await_media (got, 10);
  await_media (got_too, 10);
  wrong = join_play (join_launch (CALLER, join_port (server), "streamid=b srtp-key=" KEY), &got);
  text = join_await_text (wrong, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "of the caller is another one") != NULL, "%s", text);
  gst_object_unref (sink);
}

/* --- who is not known --- */

/* As an application that looks keys up, and has none of an unknown stream id. */
static void
on_added_known (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer data)
{
  if (g_str_equal (stream_id, "a"))
    gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", KEY);
  else
    g_object_set (sink, "srtp-key", NULL, NULL);
}

static void
fail_unless_strangers_get_no_media (GstElement * server)
{
  STOPPED GstElement *stranger = NULL;
  g_autofree gchar *text = NULL;

  stranger = join_play (join_launch (CALLER, join_port (server), "streamid=b"), &got_too);
  text = join_await_text (stranger, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "it encrypts (SRTP)") != NULL, "%s", text);
  fail_unless_equals_int (got_too, 0);
}

static const gchar *const keyed[] = {
  "srtp-key=" OTHER_KEY,
  "viewer-properties=\"viewer, srtp-key=(string)" OTHER_KEY "\"",
};

CLAIMS (test_who_is_not_known_is_refused_where_keys_are_in_use, G_N_ELEMENTS (keyed))
{
  STOPPED GstElement *server = join_launch (SERVER, keyed[__i__]), *known = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");

  g_signal_connect (sink, "caller-added", G_CALLBACK (on_added_known), NULL);
  join_play (server, NULL);
  fail_unless_strangers_get_no_media (server);
  known = join_play (join_launch (CALLER, join_port (server), "streamid=a srtp-key=" KEY), &got);
  await_media (got, 10);
}

/* The server itself has no key, so it learns of them with the first one. */
CLAIM (test_with_the_first_key_who_is_served_in_the_clear_is_dropped)
{
  GstElement *stranger;
  STOPPED GstElement *server = join_launch (SERVER, ""), *known = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  gchar *text;

  g_signal_connect (sink, "caller-added", G_CALLBACK (on_added_known), NULL);
  join_play (server, NULL);
  stranger = join_play (join_launch (CALLER, join_port (server), "streamid=b"), &got_too);
  await_media (got_too, 10);
  known = join_play (join_launch (CALLER, join_port (server), "streamid=a srtp-key=" KEY), &got);
  text = join_await_text (server, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "1 viewers got media in the clear") != NULL, "%s", text);
  g_free (text);
  text = join_await_text (stranger, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "has no srtp-key for this stream id") != NULL, "%s", text);
  g_free (text);
  claim_stop (stranger);
  got_too = 0;
  fail_unless_strangers_get_no_media (server);
  await_media (got, 10);
}

static void
keep_sink (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer kept)
{
  g_atomic_pointer_set ((GstElement **) kept, gst_object_ref (sink));
}

CLAIM (test_a_key_that_comes_too_late_ends_what_is_in_the_clear)
{
  GstElement *kept = NULL;
  STOPPED GstElement *server = join_launch (SERVER, ""), *viewer = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");

  g_signal_connect (sink, "caller-added", G_CALLBACK (keep_sink), &kept);
  join_play (server, NULL);
  viewer = join_play (join_launch (CALLER, join_port (server), "streamid=a"), &got);
  await_media (got, 5);
  g_signal_handlers_disconnect_by_data (sink, &kept);
  gst_util_set_object_arg (G_OBJECT (kept), "srtp-key", KEY);
  wait_until (GST_STATE (kept) == GST_STATE_NULL);
  gst_object_unref (kept);
}

static gchar *
count_asked (GstElement * server, GSocketAddress * from, const gchar * stream_id, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
  return NULL;
}

static void
count_added (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer n)
{
  g_atomic_int_inc ((gint *) n);
}

/* With another key, only if nobody may set that of the viewer. */
CLAIM (test_the_application_does_not_hear_of_who_has_not_the_key)
{
  const gchar *settings[] = { "", "srtp-key=" OTHER_KEY };
  GstElement *server = join_launch (SERVER, "srtp-key=" KEY), *viewer;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  gint asked = 0, added = 0;

  g_signal_connect (sink, "caller-connecting", G_CALLBACK (count_asked), &asked);
  join_play (server, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    viewer = join_play (join_launch (CALLER, join_port (server), settings[i]), &got);
    g_free (join_await_text (viewer, GST_MESSAGE_ERROR));
    claim_stop (viewer);
  }
  fail_unless_equals_int (g_atomic_int_get (&asked), 0);
  g_signal_connect (sink, "caller-added", G_CALLBACK (count_added), &added);
  viewer = join_play (join_launch (CALLER, join_port (server), ""), &got);
  g_free (join_await_text (viewer, GST_MESSAGE_ERROR));
  claim_stop (viewer);
  fail_unless_equals_int (g_atomic_int_get (&asked), 0);
  fail_unless_equals_int (g_atomic_int_get (&added), 0);
  claim_stop (server);
}

/* --- a new key --- */

static guint64
rejected_by (GstElement * viewer)
{
  return read_stat_in (viewer, "src", "rejected");
}

static void
change_key (GstElement * server, GstElement * sink, const gchar * stream_id, gpointer data)
{
  gst_util_set_object_arg (G_OBJECT (server), "srtp-key", OTHER_KEY);
}

/* It has proved the old key, and is not in the table yet. */
CLAIM (test_a_new_key_reaches_who_is_about_to_join)
{
  STOPPED GstElement *server = join_launch (SERVER, "srtp-key=" KEY), *viewer = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  g_autofree gchar *text = NULL;

  g_signal_connect (sink, "caller-added", G_CALLBACK (change_key), NULL);
  join_play (server, NULL);
  viewer = join_play (join_launch (CALLER, join_port (server), "srtp-key=" KEY), &got);
  text = join_await_text (viewer, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "of the caller is another one") != NULL, "%s", text);
}

/* As with rmcsink: the receiver has the new key first. */
CLAIM (test_a_new_key_reaches_the_viewers_that_are_there)
{
  STOPPED GstElement *server = join_play (join_launch (SERVER, "srtp-key=" KEY), NULL),
      *new = NULL, *old = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink"), src = NULL;

  new = join_play (join_launch (CALLER, join_port (server), "name=src srtp-key=" KEY), &got);
  old = join_play (join_launch (CALLER, join_port (server), "name=src srtp-key=" KEY), &got_too);
  await_media (got, 5);
  await_media (got_too, 5);
  src = gst_bin_get_by_name (GST_BIN (new), "src");
  gst_util_set_object_arg (G_OBJECT (src), "srtp-key", OTHER_KEY);
  gst_util_set_object_arg (G_OBJECT (sink), "srtp-key", OTHER_KEY);
  wait_until (rejected_by (old) > 5);
  await_media (got, 20);
  fail_unless_equals_uint64 (rejected_by (new), 0);
}

/* --- who knows the number of a viewer, but not the key --- */

static void
send_call (GSocket * socket, GSocketAddress * to, RcCall * call, const SecureSettings * key)
{
  secure_proof_write (key, call);
  join_send_call (socket, to, call);
}

/* With the cookie of an address of its own. */
static RcCall
call_from (GSocket * socket, GSocketAddress * to, guint64 number, RcCallWish wish,
    const SecureSettings * key)
{
  RcCall call = {.number = number,.wish = wish };

  send_call (socket, to, &call, key);
  call.cookie = await_answer (socket).cookie;
  send_call (socket, to, &call, key);
  return call;
}

static GSocket *
call_as (GSocketAddress * to, guint64 number, RcCallWish wish, const SecureSettings * key)
{
  GSocket *socket = join_socket ();

  call_from (socket, to, number, wish, key);
  return socket;
}

/* Which shows that the calls before it have been looked at. */
static void
fail_unless_refused (GSocketAddress * to, guint64 number, const SecureSettings * key)
{
  g_autoptr (GSocket) socket = call_as (to, number, RC_CALL_JOIN, key);

  fail_unless_equals_int (await_answer (socket).verdict, RC_ANSWER_STRANGER);
}

static guint
viewers_now (GstElement * sink)
{
  return read_stat (sink, "viewers-now");
}

/* KEY, but for its first byte. */
static SecureSettings
key_settings (guint8 first)
{
  SecureSettings settings = SECURE_SETTINGS_DEFAULT;
  guint8 bytes[30];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i == 0 ? first : i);
  settings.key = gst_buffer_new_memdup (bytes, sizeof bytes);
  return settings;
}

CLAIM (test_without_the_key_nobody_makes_a_viewer_leave_or_moves_it)
{
  SecureSettings key = key_settings (0), wrong = key_settings (1);
  STOPPED GstElement *server = join_play (join_launch (SERVER, "srtp-key=" KEY), NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", join_port (server));
  GSocket *viewer, *thief;

  viewer = call_as (to, 7, RC_CALL_JOIN, &key);
  wait_until (viewers_now (sink) == 1);
  thief = call_as (to, 7, RC_CALL_LEAVE, &wrong);
  fail_unless_refused (to, 8, &wrong);
  fail_unless_equals_int (viewers_now (sink), 1);
  fail_unless_refused (to, 7, &wrong);
  fail_unless_equals_int (viewers_now (sink), 1);
  g_object_unref (thief);
  thief = call_as (to, 7, RC_CALL_LEAVE, &key);
  wait_until (viewers_now (sink) == 0);
  g_object_unref (viewer);
  g_object_unref (thief);
  g_object_unref (to);
  gst_buffer_unref (key.key);
  gst_buffer_unref (wrong.key);
}

/* --- who has recorded the calls of a viewer --- */

/* The answer is another cookie, and who has no key cannot bring that back with a proof. */
static void
fail_unless_without_effect (GSocket * socket, GSocketAddress * to, RcCall call,
    const SecureSettings * key)
{
  send_call (socket, to, &call, key);
  fail_unless_equals_int (await_answer (socket).verdict, RC_ANSWER_COOKIE);
}

static gboolean
gets_media (GSocket * socket)
{
  guint8 data[2048];
  gssize size;

  while (g_socket_condition_check (socket, G_IO_IN)) {
    size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    if (size > 0 && !rtcp_is_rtcp (data, (gsize) size))
      return TRUE;
  }
  return FALSE;
}

CLAIM (test_a_recorded_call_neither_moves_a_viewer_back_nor_serves_one_that_has_vanished)
{
  SecureSettings key = key_settings (0);
  STOPPED GstElement *server = join_play (join_launch (SERVER, "srtp-key=" KEY), NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", join_port (server));
  GSocket *before = join_socket (), *now = join_socket ();
  RcCall recorded = call_from (before, to, 7, RC_CALL_JOIN, &key);

  fail_unless_equals_int (await_answer (before).verdict, RC_ANSWER_ACCEPTED);
  wait_until (gets_media (before));
  call_from (now, to, 7, RC_CALL_JOIN, &key);
  fail_unless_equals_int (await_answer (now).verdict, RC_ANSWER_ACCEPTED);
  wait_until (gets_media (now));
  while (gets_media (before));
  fail_unless_without_effect (before, to, recorded, &key);
  while (gets_media (now));
  wait_until (gets_media (now));
  fail_if (gets_media (before));
  g_object_unref (now);
  wait_until (viewers_now (sink) == 0);
  fail_unless_without_effect (before, to, recorded, &key);
  fail_unless_equals_int (viewers_now (sink), 0);
  g_object_unref (before);
  g_object_unref (to);
  gst_buffer_unref (key.key);
}
