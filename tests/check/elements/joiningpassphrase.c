/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A passphrase at both ends of a call. */

#include <glib/gstdio.h>
#include <rtp/rtcpwriter.h>
#include <srtp/securepassphrase.h>
#include <srtp/secureproof.h>
#include <srtp/secureproperties.h>

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

/* Of the rmcsink, or of that of the viewer. */
static guint
paths_that_carry (GstElement * sender)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  g_autoptr (GstStructure) stats = NULL;
  g_autofree gchar *text = NULL;
  g_auto (GStrv) parts = NULL;

  g_object_get (sink, "stats", &stats, NULL);
  text = gst_structure_to_string (stats);
  parts = g_strsplit (text, ")carrying", -1);
  return g_strv_length (parts) - 1;
}

static const struct
{
  const gchar *listener, *paths;
} several[] = {
  {STATION, ONE "paths=127.0.0.1,127.0.0.2"},
  {SERVER, ONE "viewer-properties=\"viewer,paths=(string)\\\"127.0.0.1,127.0.0.2\\\"\""},
};

/* So does the key of another one, while playing. */
CLAIMS (test_several_paths_carry_it, G_N_ELEMENTS (several))
{
  STOPPED GstElement *sender = send_from (several[__i__].listener, 0, several[__i__].paths);
  STOPPED GstElement *receiver = call (sender, ONE, &got);
  gint before;

  await_media (got, 10);
  for (guint i = 0; i < 100 && paths_that_carry (sender) < 2; i++)
    g_usleep (100 * 1000);
  fail_unless_equals_int (paths_that_carry (sender), 2);
  fail_unless_equals_uint64 (read_stat_in (receiver, "src", "rejected"), 0);
  set_passphrase (receiver, "src", "battery staple");
  set_passphrase (sender, "sink", "battery staple");
  before = g_atomic_int_get (&got);
  await_media (got, before + 100);
  fail_unless_equals_int (paths_that_carry (sender), 2);
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

static void
send_call (GSocket * socket, GstElement * sender, const RcCall * call)
{
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string ("127.0.0.1",
      join_port (sender));

  join_send_call (socket, to, call);
}

/* What it answers to a stranger. */
static RcAnswer
first_answer (GstElement * sender)
{
  g_autoptr (GSocket) socket = join_socket ();

  send_call (socket, sender, &(RcCall) {.number = 7 });
  return await_answer (socket);
}

/* Of somebody with such a key, who has asked for a cookie. */
static RcAnswerVerdict
verdict_on (GstElement * sender, guint64 number, const SecureSettings * key)
{
  RcCall call = {.number = number,.wish = RC_CALL_JOIN };
  g_autoptr (GSocket) socket = join_socket ();
  RcAnswer answer = { 0 };

  for (guint i = 0; i < 9 && answer.verdict == RC_ANSWER_COOKIE; i++) {
    if (key)
      secure_proof_write (key, &call);
    send_call (socket, sender, &call);
    if (g_socket_condition_timed_wait (socket, G_IO_IN, G_USEC_PER_SEC, NULL, NULL))
      answer = await_answer (socket);   /* or the call was of before a salt */
    call.cookie = answer.cookie;
  }
  return answer.verdict;
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

/* --- who calls meanwhile --- */

typedef struct
{
  GstElement *pipeline;
  gint done;
} Setting;

static gpointer
set_other (gpointer user_data)
{
  Setting *self = user_data;

  set_passphrase (self->pipeline, "sink", "battery staple");
  g_atomic_int_set (&self->done, TRUE);
  return NULL;
}

/* The derivation takes a tenth of a second, and some calls fall into it. Who has proved the old key
 * may be admitted, or refused once the new one holds; but the application is not blamed for it. */
CLAIMS (test_while_a_key_is_derived_the_old_one_holds, G_N_ELEMENTS (listeners) * 2)
{
  gboolean proves = __i__ >= (gint) G_N_ELEMENTS (listeners);
  STOPPED GstElement *sender = send_from (listeners[__i__ % G_N_ELEMENTS (listeners)], 0, ONE);
  SecureSettings old = SECURE_SETTINGS_DEFAULT;
  g_autoptr (GstBuffer) text = secure_passphrase_new ("correct horse");
  g_autoptr (GstBus) bus = gst_element_get_bus (sender);
  Setting setting = { sender, FALSE };
  RcAnswer answer = first_answer (sender);
  RcAnswerVerdict verdict, earliest = RC_ANSWER_COOKIE;
  GThread *thread;

  old.key = secure_passphrase_derive (text, answer.salt, SECURE_CIPHER_AUTO);
  thread = g_thread_new ("set", set_other, &setting);
  for (guint i = 0; !g_atomic_int_get (&setting.done); i++) {
    g_usleep (10000);
    verdict = verdict_on (sender, 100 + i, proves ? &old : NULL);
    earliest = i == 0 ? verdict : earliest;
    fail_unless (verdict != RC_ANSWER_REFUSED && (proves || verdict == RC_ANSWER_STRANGER),
        "call %u: %d", i, (gint) verdict);
  }
  g_thread_join (thread);
  fail_unless_equals_int (earliest, proves ? RC_ANSWER_ACCEPTED : RC_ANSWER_STRANGER);
  fail_unless_equals_int (verdict_on (sender, 99, &old), RC_ANSWER_STRANGER);
  fail_unless_equals_int (bus_count (bus, GST_MESSAGE_WARNING, "is for all viewers"), 0);
  gst_buffer_unref (old.key);
}

/* --- a setting that is refused --- */

static const struct
{
  const gchar *before, *property, *value, *fault;
} refused[] = {
  {"srtp-key-file=%s", "passphrase", "battery staple", "passphrase is set beside"},
  {"srtp-key-file=%s", "srtp-key-file", "/nowhere", "cannot open the srtp-key-file"},
  {"srtp-key-file=%s", "srtp-key", OTHER_KEY, "are both set"},
  {"srtp-key=" KEY, "srtp-key-file", "/nowhere", "are both set"},
  {ONE, "srtp-key", KEY, "passphrase is set beside"},
  {ONE, "srtp-key-file", "/nowhere", "passphrase is set beside"},
};

/* Nobody is admitted without the key, who has it is admitted, and it starts again. */
CLAIMS (test_a_setting_that_is_refused_changes_nothing, G_N_ELEMENTS (refused)
    * G_N_ELEMENTS (listeners))
{
  guint i = (guint) __i__ / G_N_ELEMENTS (listeners);
  g_autofree gchar *path = g_build_filename (g_get_tmp_dir (), "arc-key-XXXXXX", NULL);
  gint fd = g_mkstemp (path);
  g_autofree gchar *before = NULL, *text = NULL;
  const gchar *right = strstr (refused[i].before, "srtp") ? "srtp-key=" KEY : ONE;
  STOPPED GstElement *sender = NULL, *receiver = NULL;
  g_autoptr (GstElement) sink = NULL;

  fail_unless (fd >= 0 && g_close (fd, NULL) && g_file_set_contents (path, KEY, -1, NULL)
      && g_chmod (path, 0600) == 0);
  before = strstr (refused[i].before, "%s") ? g_strconcat ("srtp-key-file=", path, NULL)
      : g_strdup (refused[i].before);
  sender = send_from (listeners[__i__ % G_N_ELEMENTS (listeners)], 0, before);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  gst_util_set_object_arg (G_OBJECT (sink), refused[i].property, refused[i].value);
  text = join_await_text (sender, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, refused[i].fault) && strstr (text, "The old key stays"), "%s", text);
  fail_unless_equals_int (verdict_on (sender, 8, NULL), RC_ANSWER_STRANGER);
  receiver = call (sender, right, &got);
  await_media (got, 5);
  gst_element_set_state (sender, GST_STATE_READY);
  fail_if (gst_element_set_state (sender, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  g_unlink (path);
}

/* What is set while media flows in the clear holds from the next start, and the last one counts. */
CLAIM (test_of_passphrases_for_the_next_start_the_last_one_holds)
{
  STOPPED GstElement *sender = send_from (STATION, 0, "");
  GstElement *receiver = call (sender, "", &got);

  await_media (got, 5);
  set_passphrase (sender, "sink", "correct horse");
  set_passphrase (sender, "sink", "battery staple");
  await_media (got, 5);
  claim_stop (receiver);
  gst_element_set_state (sender, GST_STATE_READY);
  fail_if (gst_element_set_state (sender, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  receiver = call (sender, OTHER, &got);
  await_media (got, 5);
  claim_stop (receiver);
}

/* --- answers that somebody made up --- */

/* On the path of the calls. */
typedef struct
{
  GSocket *near, *far;
  GSocketAddress *caller, *sender;
  gint64 number;                /* of the calls */
  gint stop;
} Relay;

static void
pass_on (Relay * self, GSocket * from)
{
  g_autoptr (GSocketAddress) source = NULL;
  RtcpMessage message = { 0 };
  guint8 data[2048];
  gssize size = g_socket_receive_from (from, &source, (gchar *) data, sizeof data, NULL, NULL);

  if (size <= 0)
    return;
  if (from == self->far) {
    g_socket_send_to (self->near, self->caller, (gchar *) data, size, NULL, NULL);
    return;
  }
  g_set_object (&self->caller, source);
  if (rtcp_message_read (&message, data, (gsize) size) == RTCP_VALID && message.called)
    self->number = (gint64) message.call.number;
  g_socket_send_to (self->far, self->sender, (gchar *) data, size, NULL, NULL);
}

static gpointer
run_relay (gpointer user_data)
{
  Relay *self = user_data;

  while (!g_atomic_int_get (&self->stop)) {
    g_socket_condition_timed_wait (self->near, G_IO_IN, 2000, NULL, NULL);
    while (g_socket_condition_check (self->near, G_IO_IN))
      pass_on (self, self->near);
    while (self->caller && g_socket_condition_check (self->far, G_IO_IN))
      pass_on (self, self->far);
  }
  return NULL;
}

static void
forge_salt (Relay * self, guint8 salt)
{
  RcAnswer answer = {.verdict = RC_ANSWER_COOKIE,.number = (guint64) self->number,.cookie = salt,
    .salted = TRUE
  };
  g_autoptr (GstBuffer) buffer = NULL;
  GstMapInfo map;

  memset (answer.salt, salt, sizeof answer.salt);
  buffer = rtcp_new_answer (&answer);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (self->near, self->caller, (gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
}

CLAIM (test_forged_salts_do_not_end_media)
{
  STOPPED GstElement *sender = send_from (STATION, 0, ONE), *receiver = NULL;
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  g_autoptr (GSocketAddress) own = NULL;
  Relay relay = { join_socket (), join_socket (), NULL,
    g_inet_socket_address_new_from_string ("127.0.0.1", join_port (sender)), 0, FALSE };
  GThread *thread;

  fail_unless (g_socket_bind (relay.near, any, FALSE, NULL)
      && g_socket_bind (relay.far, any, FALSE, NULL));
  own = g_socket_get_local_address (relay.near, NULL);
  thread = g_thread_new ("relay", run_relay, &relay);
  receiver = join_play (join_launch (CALLER,
          g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (own)), ONE), &got);
  await_media (got, 10);
  for (guint8 salt = 1; salt <= 3; salt++) {
    forge_salt (&relay, salt);
    await_media (got, 50);
  }
  g_atomic_int_set (&relay.stop, TRUE);
  g_thread_join (thread);
  g_object_unref (relay.near);
  g_object_unref (relay.far);
  g_clear_object (&relay.caller);
  g_object_unref (relay.sender);
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
