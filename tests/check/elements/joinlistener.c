/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A port that is called, and what strangers can do to it. */

#define _GNU_SOURCE             /* syscall */
#include <join/joinlistener.h>
#include <rtp/rtcpwriter.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "claim.h"
#include "rtpmedia.h"
#include "boundsocket.h"

#define NUMBER 7
#define IP_UDP_BYTES 28

static JoinListener *listener;
static GSocketAddress *port;    /* of the listener */
static GSocket *caller, *other;
static gint due;
static guint sent_bytes, got_bytes;     /* of all callers, with headers */

static gint ahead_s;            /* of the monotonic clock, for all in this process; atomic */

/* In place of the C library's. */
int
clock_gettime (clockid_t id, struct timespec *t)
{
  int result = (int) syscall (SYS_clock_gettime, id, t);

  if (result == 0 && id == CLOCK_MONOTONIC)
    t->tv_sec += g_atomic_int_get (&ahead_s);
  return result;
}

static void
on_call_due (gpointer user_data)
{
  g_atomic_int_inc (&due);
}

static GSocket *
new_socket (void)
{
  return bound_socket ("127.0.0.1", 0);
}

BEFORE_EACH
{
  due = 0;
  sent_bytes = got_bytes = 0;
  listener = join_listener_open (NULL, 0, -1, NULL, on_call_due, NULL, NULL);
  fail_unless (listener != NULL);
  port = g_inet_socket_address_new_from_string ("127.0.0.1", join_listener_port (listener));
  caller = new_socket ();
  other = new_socket ();
}

AFTER_EACH
{
  join_listener_close (listener);
  join_listener_unref (listener);
  g_object_unref (port);
  g_object_unref (caller);
  g_object_unref (other);
}

static void
send_call (GSocket * socket, const RcCall * call)
{
  g_autoptr (GstBuffer) buffer = rtcp_new_call (call);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (socket, port, (const gchar *) map.data, map.size, NULL, NULL);
  sent_bytes += (guint) map.size + IP_UDP_BYTES;
  gst_buffer_unmap (buffer, &map);
}

/* FALSE: none within the time. */
static gboolean
receive_answer (GSocket * socket, RcAnswer * answer, gint64 time_us)
{
  RtcpMessage message;
  guint8 data[2048];
  gssize size;

  if (!g_socket_condition_timed_wait (socket, G_IO_IN, time_us, NULL, NULL))
    return FALSE;
  size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
  fail_unless (size > 0 && rtcp_message_read (&message, data, (gsize) size) == RTCP_VALID);
  fail_unless (message.answered);
  got_bytes += (guint) size + IP_UDP_BYTES;
  *answer = message.answer;
  return TRUE;
}

/* As a caller does: brings back the cookie that it gets. */
static RcCall
call_with_cookie (GSocket * socket, guint64 number)
{
  RcCall call = {.number = number,.stream_id = "door" };
  RcAnswer answer;

  send_call (socket, &call);
  fail_unless (receive_answer (socket, &answer, 5 * G_USEC_PER_SEC));
  fail_unless_equals_int (answer.verdict, RC_ANSWER_COOKIE);
  fail_unless_equals_uint64 (answer.number, number);
  call.cookie = answer.cookie;
  return call;
}

static void
fail_unless_nothing_is_kept (void)
{
  fail_unless_equals_int (g_atomic_int_get (&due), 0);
  fail_unless (join_listener_take (listener) == NULL);
}

CLAIM (test_a_stranger_gets_a_cookie_for_less_than_half_of_its_bytes)
{
  call_with_cookie (caller, NUMBER);
  fail_unless (got_bytes < sent_bytes, "%u for %u", got_bytes, sent_bytes);
  fail_unless (2 * (got_bytes - IP_UDP_BYTES) < sent_bytes);
  fail_unless_nothing_is_kept ();
}

static void
fail_unless_worth_nothing (GSocket * from, RcCall call)
{
  RcAnswer answer;

  send_call (from, &call);
  fail_unless (receive_answer (from, &answer, 5 * G_USEC_PER_SEC));
  fail_unless_equals_int (answer.verdict, RC_ANSWER_COOKIE);
  fail_unless_nothing_is_kept ();
}

CLAIM (test_a_forged_cookie_is_worth_nothing)
{
  fail_unless_worth_nothing (caller, (RcCall) {.number = NUMBER,.cookie = 0x1234567890 });
}

CLAIM (test_the_cookie_of_another_address_is_worth_nothing)
{
  fail_unless_worth_nothing (other, call_with_cookie (caller, NUMBER));
}

CLAIM (test_a_flood_of_strangers_is_kept_nowhere_and_not_amplified)
{
  RcAnswer answer;
  guint answers = 0;

  for (guint i = 0; i < 5000; i++) {
    RcCall call = {.number = i + 1,.cookie = i };

    send_call (i % 2 ? caller : other, &call);
    while (receive_answer (i % 2 ? caller : other, &answer, 0))
      answers++;
  }
  wait_until (join_listener_stats (listener).cookies > 100);
  fail_unless_nothing_is_kept ();
  fail_unless (2 * got_bytes < 2 * sent_bytes && answers <= 5000);
}

CLAIM (test_one_call_of_each_caller_waits)
{
  RcCall call = call_with_cookie (caller, NUMBER), next = call_with_cookie (other, NUMBER + 1);
  JoinCall *one, *two;

  for (guint i = 0; i < 10; i++)
    send_call (caller, &call);
  send_call (other, &next);
  wait_until (join_listener_stats (listener).calls == 11);
  one = join_listener_take (listener);
  two = join_listener_take (listener);
  fail_unless (one && two && join_listener_take (listener) == NULL);
  fail_unless_equals_uint64 (one->call.number, NUMBER);
  fail_unless_equals_string (one->call.stream_id, "door");
  fail_unless_equals_uint64 (two->call.number, NUMBER + 1);
  join_call_free (one);
  join_call_free (two);
}

/* Each from a host of its own. */
CLAIM (test_few_calls_wait_however_many_come)
{
  for (guint i = 0; i < JOIN_MAX_CALLS + 10; i++) {
    g_autofree gchar *host = g_strdup_printf ("127.0.%u.%u", 1 + i / 200, 1 + i % 200);
    g_autoptr (GSocket) one = bound_socket (host, 0);
    RcCall call = call_with_cookie (one, NUMBER + i);

    send_call (one, &call);
    wait_until (join_listener_stats (listener).calls == i + 1);
  }
  fail_unless_equals_uint64 (join_listener_stats (listener).dropped, 10);
}

CLAIM (test_a_cookie_holds_for_half_a_minute)
{
  RcCall call = call_with_cookie (caller, NUMBER);
  RcAnswer answer;

  g_atomic_int_set (&ahead_s, 15);
  send_call (caller, &call);
  wait_until (join_listener_stats (listener).calls == 1);
  g_atomic_int_set (&ahead_s, 33);
  send_call (caller, &call);
  fail_unless (receive_answer (caller, &answer, 5 * G_USEC_PER_SEC));
  fail_unless_equals_int (answer.verdict, RC_ANSWER_COOKIE);
  fail_unless_equals_uint64 (join_listener_stats (listener).calls, 1);
}

/* --- recorded calls --- */

static JoinCall *
take_call (const RcCall * call, GSocket * from)
{
  JoinCall *taken;

  send_call (from, call);
  wait_until ((taken = join_listener_take (listener)) != NULL);
  return taken;
}

static void
accept_call (JoinCall * call, GSocket * to)
{
  RcAnswer answer;

  join_listener_answer (listener, call, RC_ANSWER_ACCEPTED, NULL);
  join_call_free (call);
  fail_unless (receive_answer (to, &answer, 5 * G_USEC_PER_SEC));
  fail_unless_equals_int (answer.verdict, RC_ANSWER_ACCEPTED);
}

/* It gets another cookie, which only its caller can bring back. Returns the call with that. */
static RcCall
send_in_vain (const RcCall * recorded, GSocket * from)
{
  RcCall call = *recorded;
  RcAnswer answer;

  send_call (from, &call);
  fail_unless (receive_answer (from, &answer, 5 * G_USEC_PER_SEC));
  fail_unless_equals_int (answer.verdict, RC_ANSWER_COOKIE);
  fail_unless (answer.cookie != call.cookie);
  fail_unless (join_listener_take (listener) == NULL);
  call.cookie = answer.cookie;
  return call;
}

CLAIM (test_a_recorded_call_of_who_has_left_does_not_join_again)
{
  RcCall call = call_with_cookie (caller, NUMBER);

  join_listener_on_left (listener, NUMBER);
  send_in_vain (&call, caller);
}

CLAIM (test_a_call_that_was_accepted_has_no_effect_again)
{
  RcCall call = call_with_cookie (caller, NUMBER), next;

  accept_call (take_call (&call, caller), caller);
  next = send_in_vain (&call, caller);
  accept_call (take_call (&next, caller), caller);
  send_in_vain (&call, caller);
  send_in_vain (&next, caller);
}

/* Its caller has another address now. */
CLAIM (test_a_recorded_call_of_an_address_before_has_no_effect)
{
  RcCall before = call_with_cookie (caller, NUMBER), now;

  accept_call (take_call (&before, caller), caller);
  now = call_with_cookie (other, NUMBER);
  accept_call (take_call (&now, other), other);
  send_in_vain (&before, caller);
}

CLAIM (test_a_copy_that_waited_meanwhile_has_no_effect)
{
  RcCall call = call_with_cookie (caller, NUMBER);
  JoinCall *heeded = take_call (&call, caller);

  send_call (caller, &call);
  wait_until (join_listener_stats (listener).calls == 2);
  accept_call (heeded, caller);
  fail_unless (join_listener_take (listener) == NULL);
  fail_unless_equals_uint64 (join_listener_stats (listener).dropped, 1);
}

/* Those of one address may share a cookie until they are heeded. */
CLAIM (test_what_is_heeded_of_one_caller_does_not_concern_another)
{
  RcCall call = call_with_cookie (caller, NUMBER), next = call;

  next.number = NUMBER + 1;
  accept_call (take_call (&call, caller), caller);
  accept_call (take_call (&next, caller), caller);
}

static guint64
take_number (void)
{
  JoinCall *call = join_listener_take (listener);
  guint64 number = call ? call->call.number : 0;

  g_clear_pointer (&call, join_call_free);
  return number;
}

CLAIM (test_one_call_of_each_address_waits_whatever_numbers_it_says)
{
  RcCall call = call_with_cookie (caller, NUMBER);

  for (guint i = 0; i < 100; i++) {
    call.number = NUMBER + i;
    send_call (caller, &call);
    wait_until (join_listener_stats (listener).calls == i + 1);
  }
  fail_unless_equals_uint64 (take_number (), NUMBER + 99);
  fail_unless_equals_uint64 (take_number (), 0);
}

CLAIM (test_hosts_take_turns)
{
  GSocket *crowd[JOIN_MAX_HOST_CALLS + 1], *guest = bound_socket ("127.0.0.2", 0);
  RcCall call;

  for (guint i = 0; i < G_N_ELEMENTS (crowd); i++) {
    crowd[i] = new_socket ();
    call = call_with_cookie (crowd[i], NUMBER + i);
    send_call (crowd[i], &call);
    wait_until (join_listener_stats (listener).calls == i + 1);
  }
  fail_unless_equals_uint64 (join_listener_stats (listener).dropped, 1);
  fail_unless_equals_uint64 (take_number (), NUMBER);
  call = call_with_cookie (guest, 1);
  send_call (guest, &call);
  wait_until (join_listener_stats (listener).calls == G_N_ELEMENTS (crowd) + 1);
  fail_unless_equals_uint64 (take_number (), 1);
  for (guint i = 1; i < JOIN_MAX_HOST_CALLS; i++)
    fail_unless_equals_uint64 (take_number (), NUMBER + i);
  fail_unless_equals_uint64 (take_number (), 0);
  for (guint i = 0; i < G_N_ELEMENTS (crowd); i++)
    g_object_unref (crowd[i]);
  g_object_unref (guest);
}

CLAIM (test_a_stream_id_that_is_no_text_is_dropped)
{
  RcCall call = call_with_cookie (caller, NUMBER);

  call.stream_id[0] = '\xff';
  send_call (caller, &call);
  wait_until (join_listener_stats (listener).dropped == 1);
  fail_unless_nothing_is_kept ();
}

CLAIM (test_what_is_no_call_is_counted)
{
  g_socket_send_to (caller, port, "hello", 5, NULL, NULL);
  wait_until (join_listener_stats (listener).foreign == 1);
}

static GSocket *
connect_caller (GSocket * from, guint64 number)
{
  RcCall call = call_with_cookie (from, number);
  JoinCall *kept;
  GSocket *socket;

  send_call (from, &call);
  wait_until ((kept = join_listener_take (listener)) != NULL);
  socket = join_listener_connect (listener, kept, NULL);
  join_call_free (kept);
  return socket;
}

/* An eighth of them and 16. */
CLAIM (test_files_are_left_for_the_rest_of_the_process)
{
  const struct rlimit limit = { 64, 64 };
  g_autoptr (GError) error = NULL;
  RcCall call = call_with_cookie (caller, NUMBER);
  GSocket *sockets[64];
  JoinCall *kept;
  guint n = 0;
  int fd;

  send_call (caller, &call);
  wait_until ((kept = join_listener_take (listener)) != NULL);
  fail_unless (setrlimit (RLIMIT_NOFILE, &limit) == 0);
  while ((sockets[n] = join_listener_connect (listener, kept, &error)))
    n++;
  fail_unless (strstr (error->message, "for the rest of the process") != NULL, "%s",
      error->message);
  fd = g_socket_get_fd (sockets[n - 1]);
  fail_unless (fd < 64 - 16 - 8, "%d", fd);
  for (guint i = 0; i < 20; i++)
    fail_unless (dup (fd) >= 0);
  while (n > 0)
    g_object_unref (sockets[--n]);
  join_call_free (kept);
}

CLAIM (test_who_is_connected_has_a_socket_of_its_own_and_others_call_on)
{
  g_autoptr (GSocket) its = connect_caller (caller, NUMBER), others = connect_caller (other,
      NUMBER + 1);
  gchar data[16];

  fail_unless (its && others);
  g_socket_send_to (caller, port, "one", 4, NULL, NULL);
  g_socket_send_to (other, port, "two", 4, NULL, NULL);
  fail_unless (g_socket_condition_timed_wait (its, G_IO_IN, 5 * G_USEC_PER_SEC, NULL, NULL));
  fail_unless (g_socket_receive (its, data, sizeof data, NULL, NULL) == 4);
  fail_unless_equals_string (data, "one");
  fail_unless (g_socket_condition_timed_wait (others, G_IO_IN, 5 * G_USEC_PER_SEC, NULL, NULL));
  fail_unless (g_socket_receive (others, data, sizeof data, NULL, NULL) == 4);
  fail_unless_equals_string (data, "two");
}

CLAIM (test_a_second_listener_does_not_get_the_port)
{
  g_autoptr (GError) error = NULL;
  JoinListener *again = join_listener_open (NULL, join_listener_port (listener), -1, NULL,
      on_call_due, NULL, &error);

  fail_unless (again == NULL);
  fail_unless (strstr (error->message, "stop the program that holds it") != NULL);
}
