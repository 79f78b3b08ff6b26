/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver that calls and a sender that listens, as elements. The receiver has no caps. */

#include <gio/gio.h>
#include <rtp/rtcpwriter.h>

#include "joinfixture.h"
#include "boundsocket.h"

#define LISTENER MEDIA "! rmcsink name=sink mode=listener bind-address=127.0.0.1 port=%u %s"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u %s ! " VIEW

static gint got, got_too;       /* buffers */

BEFORE_EACH
{
  got = got_too = 0;
}

CLAIM (test_a_receiver_that_calls_gets_media_and_its_format)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), ""), &got);

  await_media (got, 10);
}

/* A URI is enough: a jitter buffer and repair are inside. */
CLAIM (test_what_takes_uris_plays_it)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  STOPPED GstElement *receiver = join_launch ("uridecodebin uri=\"arc://127.0.0.1:%u?mode=caller&"
      "streamid=a\" ! fakesink name=out", join_port (sender));

  join_play (receiver, &got);
  await_media (got, 10);
}

static guint
free_port (void)
{
  GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  guint port = join_port (sender);

  claim_stop (sender);
  return port;
}

#define BETWEEN_LOOKUPS_US 2500000

CLAIM (test_a_host_without_an_address_may_be_taken_away_and_corrected)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  GstElement *receiver = join_launch ("arcsrc name=src mode=caller host=nowhere.invalid port=%u ! "
      VIEW, join_port (sender));
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "src");

  join_play (receiver, &got);
  g_object_set (src, "host", NULL, NULL);
  g_usleep (BETWEEN_LOOKUPS_US);
  g_object_set (src, "host", "127.0.0.1", NULL);
  await_media (got, 5);
  claim_stop (receiver);
}

CLAIM (test_the_caller_may_come_first)
{
  guint port = free_port ();
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, port, ""), &got), *sender = NULL;

  g_usleep (300000);
  sender = join_play (join_launch (LISTENER, port, ""), NULL);
  await_media (got, 10);
}

/* After two seconds, which a far sender's answer does not take; and once. */
CLAIM (test_a_caller_that_finds_nobody_says_so_soon)
{
  guint port = free_port ();
  gint64 begin = g_get_monotonic_time (), us;
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, port, ""), &got), *sender = NULL;
  g_autofree gchar *text = join_await_text (receiver, GST_MESSAGE_WARNING);

  us = g_get_monotonic_time () - begin;
  fail_unless (strstr (text, "refuses the connection"), "%s", text);
  fail_unless (us >= 2000000 && us < 7000000, "%" G_GINT64_FORMAT " us", us);
  sender = join_play (join_launch (LISTENER, port, ""), NULL);
  await_media (got, 10);
  g_free (g_steal_pointer (&text));
  text = element_text (receiver, 0, GST_MESSAGE_WARNING);
  fail_unless (text == NULL, "%s", text);
}

/* Of a caller that gets no media, and waits for a second. */
static gchar *
await_complaint (guint port)
{
  GstElement *receiver = join_play (join_launch (CALLER, port, "timeout=200000000"), &got);
  gchar *text = join_await_text (receiver, GST_MESSAGE_WARNING);

  claim_stop (receiver);
  return text;
}

CLAIM (test_a_caller_tells_a_closed_port_from_one_that_is_silent)
{
  guint port = free_port ();
  gchar *text = await_complaint (port);
  g_autoptr (GSocket) mute = NULL;

  fail_unless (strstr (text, "refuses the connection"), "%s", text);
  g_free (text);
  mute = bound_socket ("127.0.0.1", port);
  text = await_complaint (port);
  fail_unless (strstr (text, "does not answer"), "%s", text);
  g_free (text);
}

#define MUTE "appsrc is-live=true caps=application/x-rtp,media=audio,encoding-name=PCMU," \
    "payload=0,clock-rate=8000 ! rmcsink name=sink mode=listener bind-address=127.0.0.1 port=%u"

CLAIM (test_a_caller_tells_a_listener_that_has_no_media)
{
  STOPPED GstElement *sender = join_play (join_launch (MUTE, 0), NULL);
  g_autofree gchar *text = await_complaint (join_port (sender));

  fail_unless (strstr (text, "answers, but no media comes"), "%s", text);
}

CLAIM (test_a_caller_tells_a_listener_that_came_later_and_has_no_media)
{
  guint port = free_port ();
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, port, "timeout=200000000"), &got);
  g_autofree gchar *before = join_await_text (receiver, GST_MESSAGE_WARNING), *text = NULL;
  STOPPED GstElement *sender = join_play (join_launch (MUTE, port), NULL);

  fail_unless (strstr (before, "refuses the connection"), "%s", before);
  text = join_await_text (receiver, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "answers, but no media comes"), "%s", text);
}

CLAIM (test_a_listener_that_begins_anew_is_called_again)
{
  guint port = free_port ();
  GstElement *sender = join_play (join_launch (LISTENER, port, ""), NULL);
  GstElement *receiver = join_play (join_launch (CALLER, port, ""), &got);

  await_media (got, 5);
  claim_stop (sender);
  sender = join_play (join_launch (LISTENER, port, ""), NULL);
  await_media (got, 5);
  claim_stop (receiver);
  claim_stop (sender);
}

CLAIM (test_the_next_caller_is_served_once_the_first_has_left)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  guint port = join_port (sender);
  GstElement *leaving = join_play (join_launch (CALLER, port, ""), &got), *next;
  g_autofree gchar *uri = g_strdup_printf ("arc://127.0.0.1:%u", port), *text = NULL;

  await_media (got, 5);
  next = join_play (join_launch (CALLER, port, ""), &got_too);
  text = join_await_text (next, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "it serves another receiver") && strstr (text, uri), "%s", text);
  fail_unless_equals_int (got_too, 0);
  claim_stop (leaving);
  await_media (got_too, 5);
  claim_stop (next);
}

static gchar *
on_connecting (GstElement * sink, GSocketAddress * from, const gchar * stream_id, gpointer data)
{
  fail_unless (G_IS_INET_SOCKET_ADDRESS (from));
  return g_str_equal (stream_id, "front door") ? NULL : g_strdup ("no such camera");
}

static GstElement *
play_with_handler (void)
{
  GstElement *sender = join_launch (LISTENER, 0, ""), *sink;

  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  g_signal_connect (sink, "caller-connecting", G_CALLBACK (on_connecting), NULL);
  gst_object_unref (sink);
  return join_play (sender, NULL);
}

CLAIM (test_the_application_refuses_with_a_reason)
{
  STOPPED GstElement *sender = play_with_handler ();
  GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), "streamid=garage"),
      &got);
  g_autofree gchar *text = join_await_text (receiver, GST_MESSAGE_ERROR);
  g_autofree gchar *uri = g_strdup_printf ("arc://127.0.0.1:%u", join_port (sender));

  fail_unless (strstr (text, "no such camera") && strstr (text, uri), "%s", text);
  claim_stop (receiver);
}

CLAIM (test_a_stream_id_that_is_lines_of_another_protocol_does_not_leave)
{
  GstElement *receiver = join_launch ("arcsrc name=src mode=caller host=127.0.0.1 port=%u ! " VIEW,
      1), *src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autofree gchar *text = NULL;

  g_object_set (src, "streamid", "x\r\nMAIL FROM:<a>\r\n", NULL);
  fail_unless (gst_element_set_state (receiver, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  text = join_await_text (receiver, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "streamid must be UTF-8 without control") != NULL, "%s", text);
  gst_object_unref (src);
  claim_stop (receiver);
}

CLAIM (test_the_application_knows_the_stream_id)
{
  STOPPED GstElement *sender = play_with_handler ();
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, join_port (sender),
          "streamid=\"front door\""), &got);

  await_media (got, 5);
}

CLAIM (test_who_takes_another_format_is_refused_with_it)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  STOPPED GstElement *receiver = NULL;
  g_autofree gchar *text = NULL;

  g_usleep (200000);
  receiver = join_play (join_launch ("arcsrc mode=caller host=127.0.0.1 port=%u "
          "caps=application/x-rtp,media=audio,encoding-name=PCMA,clock-rate=8000,payload=8 "
          "! fakesink name=out", join_port (sender)), &got);
  text = join_await_text (receiver, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "the stream is PCMU, the caller takes PCMA") != NULL, "%s", text);
}

CLAIM (test_ipv6_works)
{
  STOPPED GstElement *sender = join_play (join_launch (MEDIA
          "! rmcsink name=sink mode=listener bind-address=::1 port=0"), NULL);
  GstElement *receiver = join_play (join_launch ("arcsrc uri=arc://[::1]:%u?mode=caller ! " VIEW,
          join_port (sender)), &got);

  await_media (got, 5);
  claim_stop (receiver);
}

CLAIM (test_any_address_takes_a_caller_of_ipv4)
{
  STOPPED GstElement *sender = join_play (join_launch (MEDIA
          "! rmcsink name=sink mode=listener bind-address=:: port=0"), NULL);
  STOPPED GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), ""), &got);

  await_media (got, 5);
}

/* Not from that of the route back: the caller takes nothing from elsewhere. */
CLAIM (test_a_listener_answers_from_the_address_that_was_called)
{
  STOPPED GstElement *sender = join_play (join_launch (MEDIA
          "! rmcsink name=sink mode=listener port=0"), NULL);
  STOPPED GstElement *receiver = join_play (join_launch (
          "arcsrc uri=arc://127.0.0.9:%u?mode=caller ! " VIEW, join_port (sender)), &got);

  await_media (got, 5);
}

CLAIM (test_the_caller_limits_the_rate)
{
  GstElement *sender = join_play (join_launch (LISTENER, 0, "start-bitrate=200000"), NULL), *sink;
  GstElement *receiver = join_play (join_launch (CALLER, join_port (sender), "max-bitrate=100000"),
      &got);
  g_autoptr (GstStructure) stats = NULL;
  guint64 rate;

  await_media (got, 10);
  sink = gst_bin_get_by_name (GST_BIN (sender), "sink");
  g_object_get (sink, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "rate", &rate) && rate <= 100000);
  gst_object_unref (sink);
  claim_stop (receiver);
  claim_stop (sender);
}

/* --- a NAT on the way --- */

typedef struct
{
  GSocket *inside, *outside[2];
  GSocketAddress *caller, *listener;
  gint which;                   /* atomic: of the outside addresses, the one in use */
  gint ends;                    /* atomic */
} Nat;

static GSocket *
new_socket (void)
{
  GSocket *socket = bound_socket ("127.0.0.1", 0);

  g_socket_set_blocking (socket, FALSE);
  return socket;
}

static void
pass (GSocket * from, GSocketAddress ** who, GSocket * by, GSocketAddress * to)
{
  GSocketAddress *sender = NULL;
  gchar data[2048];
  gssize size;

  while ((size = g_socket_receive_from (from, &sender, data, sizeof data, NULL, NULL)) > 0) {
    if (to)
      g_socket_send_to (by, to, data, (gsize) size, NULL, NULL);
    if (who)
      g_set_object (who, sender);
    g_clear_object (&sender);
  }
}

/* What comes to the address that is not in use any more is lost. */
static gpointer
run_nat (gpointer user_data)
{
  Nat *nat = user_data;

  while (!g_atomic_int_get (&nat->ends)) {
    GSocket *outside = nat->outside[g_atomic_int_get (&nat->which)];

    pass (nat->inside, &nat->caller, outside, nat->listener);
    pass (outside, NULL, nat->inside, nat->caller);
    g_usleep (1000);
  }
  return NULL;
}

CLAIM (test_a_nat_may_give_the_caller_another_address)
{
  GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL), *receiver;
  Nat nat = {.inside = new_socket (),.outside = { new_socket (), new_socket () },
    .listener = g_inet_socket_address_new_from_string ("127.0.0.1", join_port (sender)) };
  GSocketAddress *inside = g_socket_get_local_address (nat.inside, NULL);
  GThread *thread = g_thread_new ("nat", run_nat, &nat);

  receiver = join_play (join_launch (CALLER,
          (guint) g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (inside)), ""), &got);
  await_media (got, 10);
  g_atomic_int_set (&nat.which, 1);
  g_usleep (100000);
  await_media (got, 20);
  claim_stop (receiver);
  claim_stop (sender);
  g_atomic_int_set (&nat.ends, TRUE);
  g_thread_join (thread);
  g_object_unref (inside);
  g_object_unref (nat.listener);
  g_clear_object (&nat.caller);
  g_object_unref (nat.inside);
  g_object_unref (nat.outside[0]);
  g_object_unref (nat.outside[1]);
}

/* --- those who are not trusted --- */

static void
send_buffer (GSocket * from, GSocketAddress * to, GstBuffer * buffer)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (from, to, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* Waits for the next datagram. */
static void
receive (GSocket * socket, GSocketAddress ** from, RtcpMessage * message)
{
  guint8 data[2048];
  gssize size;

  fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 10 * G_USEC_PER_SEC, NULL, NULL));
  size = g_socket_receive_from (socket, from, (gchar *) data, sizeof data, NULL, NULL);
  fail_unless (size > 0);
  rtcp_message_read (message, data, (gsize) size);
}

/* Returns the verdict, which is more than a cookie. */
static RcAnswerVerdict
call_as (GSocket * caller, GSocketAddress * to, guint64 number)
{
  RcCall call = {.number = number,.wish = RC_CALL_JOIN };
  RtcpMessage message;

  do {
    send_buffer (caller, to, rtcp_new_call (&call));
    do
      receive (caller, NULL, &message);
    while (message.verdict != RTCP_VALID || !message.answered);
    call.cookie = message.answer.cookie;
  } while (message.answer.verdict == RC_ANSWER_COOKIE);
  return message.answer.verdict;
}

static guint
drain (GSocket * socket, gint64 time_us)
{
  guint8 data[2048];
  guint n = 0;

  while (n < 50 && g_socket_condition_timed_wait (socket, G_IO_IN, time_us, NULL, NULL)) {
    g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    n++;
  }
  return n;
}

CLAIM (test_nothing_leaves_to_a_caller_that_has_left)
{
  STOPPED GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", join_port (sender));
  g_autoptr (GSocket) caller = new_socket ();
  RcCall leave = {.number = 7,.wish = RC_CALL_LEAVE };

  call_as (caller, to, 7);
  fail_unless (drain (caller, 5 * G_USEC_PER_SEC) > 10);
  send_buffer (caller, to, rtcp_new_call (&leave));
  g_usleep (300000);
  drain (caller, 0);            /* what left before */
  fail_unless_equals_int (drain (caller, 500000), 0);
  g_object_unref (to);
}

/* It cannot be there any more. */
CLAIM (test_a_receiver_that_begins_anew_at_its_address_takes_the_place_of_the_one_before)
{
  GstElement *sender = join_play (join_launch (LISTENER, 0, ""), NULL);
  GSocketAddress *to = g_inet_socket_address_new_from_string ("127.0.0.1", join_port (sender));
  GSocket *caller = new_socket (), *other = new_socket ();

  fail_unless_equals_int (call_as (caller, to, 7), RC_ANSWER_ACCEPTED);
  fail_unless_equals_int (call_as (other, to, 8), RC_ANSWER_LATER);
  fail_unless_equals_int (call_as (caller, to, 9), RC_ANSWER_ACCEPTED);
  fail_unless (drain (caller, 5 * G_USEC_PER_SEC) > 10);
  claim_stop (sender);
  g_object_unref (caller);
  g_object_unref (other);
  g_object_unref (to);
}

static void
refuse_as (GSocket * from, GSocketAddress * to, guint64 number, const gchar * reason)
{
  RcAnswer answer = {.number = number,.verdict = RC_ANSWER_REFUSED };

  g_strlcpy (answer.reason, reason, sizeof answer.reason);
  send_buffer (from, to, rtcp_new_answer (&answer));
}

static void
send_media_as (GSocket * from, GSocketAddress * to, guint32 ssrc)
{
  for (guint16 seq = 0; seq < 10; seq++)
    send_buffer (from, to, rtp_new (ssrc, seq, 0, FALSE, 100));
}

static GstPadProbeReturn
note_first_ssrc (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  guint8 ssrc[4];

  gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 8, ssrc, 4);
  g_atomic_int_compare_and_exchange ((gint *) user_data, 0, (gint) GST_READ_UINT32_BE (ssrc));
  return GST_PAD_PROBE_OK;
}

/* The stranger is always first. */
CLAIM (test_a_caller_heeds_nobody_but_its_listener)
{
  g_autoptr (GSocket) listener = new_socket (), stranger = new_socket ();
  g_autoptr (GSocketAddress) listens = g_socket_get_local_address (listener, NULL), to = NULL;
  GstElement *receiver = join_launch ("arcsrc name=src mode=caller host=127.0.0.1 port=%u caps="
      "application/x-rtp,media=video,payload=0,clock-rate=90000,encoding-name=X-TEST ! fakesink",
      g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (listens)));
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (src, "src");
  RtcpMessage message;
  gint first_ssrc = 0;
  g_autofree gchar *text = NULL;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, note_first_ssrc, &first_ssrc, NULL);
  join_play (receiver, NULL);
  receive (listener, &to, &message);
  fail_unless (message.verdict == RTCP_VALID && message.called);
  send_media_as (stranger, to, 1);
  send_media_as (listener, to, 2);
  wait_until (g_atomic_int_get (&first_ssrc) != 0);
  fail_unless_equals_int (first_ssrc, 2);
  refuse_as (stranger, to, message.call.number, "a stranger says so");
  refuse_as (listener, to, message.call.number, "the door is shut");
  text = join_await_text (receiver, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "the door is shut"), "%s", text);
  claim_stop (receiver);
}
