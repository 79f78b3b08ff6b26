/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/joinlistener.h"

#include "base/clockglue.h"
#include "net/addresscookie.h"
#include "net/listensocket.h"
#include "net/sameaddress.h"
#include "net/sparefiles.h"
#include "rtp/rtcpwriter.h"

#include <errno.h>
#include <gst/net/net.h>
#include <string.h>

#define MAX_DATAGRAM 2048
#define COOKIE_PERIOD (16 * RC_SECOND)
#define MAX_HEEDED 8192         /* numbers in each table */
#define MAX_PASSED 256          /* strangers call a new socket for microseconds */
#define ANY_ADDRESS "0.0.0.0"

struct _JoinListener
{
  gint refs;
  GSocket *socket;
  GCancellable *closing;
  GThread *thread;
  gint qos_dscp;
  void (*call_due) (gpointer user_data);
  gpointer user_data;

  GMutex lock;                  /* of all below */
  gboolean closed;
  AddressCookie cookies;
  RcAnswer first;               /* its salt: for a call without a cookie */
  GQueue calls;                 /* JoinCall, ascending in turn */
  guint64 turn;                 /* of the call that was taken last */
  GHashTable *heeded, *heeded_before;   /* number -> how many of its calls were */
  RcTime heeded_at;             /* the first one of `heeded` */
  JoinStats stats;
};

const FieldRow join_fields[] = {
  FIELD_COUNTER (JoinStats, calls, "calls", "", "calls of proven addresses, repeated ones too"),
  FIELD_COUNTER (JoinStats, cookies, "cookies-sent", "",
      "calls answered with a cookie, of which nothing is kept"),
  FIELD_COUNTER (JoinStats, accepted, "calls-accepted", "", "answers that accept"),
  FIELD_COUNTER (JoinStats, refused, "calls-refused", "", "answers that refuse"),
  FIELD_COUNTER (JoinStats, strangers, "calls-strangers", "",
      "of these, callers with another passphrase or srtp-key, or none"),
  FIELD_COUNTER (JoinStats, dropped, "calls-dropped", "",
      "calls dropped: too many at a time, or no longer valid"),
  FIELD_COUNTER (JoinStats, foreign, "datagrams-foreign", "",
      "datagrams of strangers that are no calls"),
  {NULL}
};

void
join_call_free (JoinCall * call)
{
  g_object_unref (call->from);
  g_free (call);
}

/* --- answers --- */

static void
send_to (JoinListener * self, GSocketAddress * to, const LocalAddress * local, GstBuffer * buffer)
{
  struct sockaddr_storage native;
  GstMapInfo map;

  if (g_socket_address_to_native (to, &native, sizeof native, NULL)
      && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    /* One that is lost is asked for again. */
    local_address_send (local, g_socket_get_fd (self->socket), (struct sockaddr *) &native,
        (socklen_t) g_socket_address_get_native_size (to), map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
  gst_buffer_unref (buffer);
}

/* --- cookies: with the lock --- */

static guint64
count_heeded (JoinListener * self, guint64 number)
{
  const guint64 *count = g_hash_table_lookup (self->heeded, &number);

  if (!count)
    count = g_hash_table_lookup (self->heeded_before, &number);
  return count ? *count : 0;
}

/* A call that is heeded ends the cookies of its number that were given before it: a recorded call
 * has no effect again. The tables keep numbers for as long as those cookies would hold. */
static void
heed (JoinListener * self, guint64 number)
{
  guint64 *key = g_new (guint64, 2);
  RcTime now = clock_glue_monotonic ();

  key[0] = number;
  key[1] = count_heeded (self, number) + 1;
  if (now - self->heeded_at >= 2 * COOKIE_PERIOD
      || g_hash_table_size (self->heeded) >= MAX_HEEDED) {
    GHashTable *oldest = self->heeded_before;

    self->heeded_before = self->heeded;
    self->heeded = oldest;
    g_hash_table_remove_all (oldest);
    self->heeded_at = now;
  }
  g_hash_table_replace (self->heeded, key, &key[1]);
}

/* periods_ago: 0 or 1. */
static guint64
cookie_for (JoinListener * self, GSocketAddress * from, guint64 number, RcTime now,
    guint64 periods_ago)
{
  guint64 what[] = { (guint64) (now / COOKIE_PERIOD) + 1 - periods_ago, number,
    count_heeded (self, number)
  };

  /* Until a call is heeded the cookie is that of the address. */
  return address_cookie_for (&self->cookies, from, what, what[2] > 0 ? G_N_ELEMENTS (what) : 1);
}

static gboolean
is_proven (JoinListener * self, GSocketAddress * from, const RcCall * call, RcTime now)
{
  return call->cookie != 0 && (call->cookie == cookie_for (self, from, call->number, now, 0)
      || call->cookie == cookie_for (self, from, call->number, now, 1));
}

gboolean
join_listener_proves (JoinListener * self, const JoinCall * call)
{
  gboolean proves;

  g_mutex_lock (&self->lock);
  proves = is_proven (self, call->from, &call->call, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  return proves;
}

void
join_listener_answer (JoinListener * self, const JoinCall * call, RcAnswerVerdict verdict,
    const gchar * reason)
{
  RcAnswer answer = {.number = call->call.number,.verdict = verdict };
  gboolean refused = verdict == RC_ANSWER_REFUSED || verdict == RC_ANSWER_STRANGER;

  if (reason)
    g_strlcpy (answer.reason, reason, sizeof answer.reason);
  g_mutex_lock (&self->lock);
  self->stats.accepted += verdict == RC_ANSWER_ACCEPTED;
  self->stats.refused += refused;
  self->stats.strangers += verdict == RC_ANSWER_STRANGER;
  if (verdict == RC_ANSWER_ACCEPTED)
    heed (self, call->call.number);
  if (!self->closed)
    send_to (self, call->from, &call->local, rtcp_new_answer (&answer));
  g_mutex_unlock (&self->lock);
}

/* --- calls: with the lock --- */

/* Of one caller, and of one address, the last call counts, in the place of the first. FALSE: there
 * is none. */
static gboolean
renew (JoinListener * self, JoinCall * call)
{
  for (GList * l = self->calls.head; l; l = l->next) {
    JoinCall *other = l->data;

    if (other->call.number != call->call.number && !same_address (other->from, call->from))
      continue;
    call->turn = other->turn;
    l->data = call;
    join_call_free (other);
    return TRUE;
  }
  return FALSE;
}

/* The n-th call of a host that waits has the n-th turn from now, so each host has one in each. */
static gboolean
keep (JoinListener * self, JoinCall * call)
{
  GList *before = self->calls.tail;
  guint n = 0;

  if (renew (self, call))
    return TRUE;
  call->turn = self->turn;
  for (GList * l = self->calls.head; l; l = l->next) {
    const JoinCall *other = l->data;

    if (other->host == call->host && ++n > 0)
      call->turn = MAX (call->turn, other->turn + 1);
  }
  if (n >= JOIN_MAX_HOST_CALLS || self->calls.length >= JOIN_MAX_CALLS)
    return FALSE;
  while (before && ((JoinCall *) before->data)->turn > call->turn)
    before = before->prev;
  g_queue_insert_after (&self->calls, before, call);
  return TRUE;
}

/* TRUE: the owner has something to do. */
static gboolean
take_call (JoinListener * self, GSocketAddress * from, const LocalAddress * local,
    const RcCall * call, gboolean own, RcTime now)
{
  JoinCall *kept;

  if (!(own && call->wish == RC_CALL_LEAVE) && !is_proven (self, from, call, now)) {
    RcAnswer answer = self->first;

    answer.number = call->number;
    answer.cookie = cookie_for (self, from, call->number, now, 0);
    self->stats.cookies++;
    send_to (self, from, local, rtcp_new_answer (&answer));
    return FALSE;
  }
  self->stats.calls++;
  kept = g_new (JoinCall, 1);
  *kept = (JoinCall) { g_object_ref (from), *local, *call, address_host (from), 0 };
  if (g_utf8_validate (call->stream_id, -1, NULL)
      && keep (self, kept))
    return TRUE;
  self->stats.dropped++;
  join_call_free (kept);
  return FALSE;
}

static void
read_datagram (JoinListener * self, GSocketAddress * from, const LocalAddress * local,
    const guint8 * data, gsize size, gboolean own)
{
  gboolean due = FALSE;
  RtcpMessage message;

  rtcp_message_read (&message, data, size);
  g_mutex_lock (&self->lock);
  if (self->closed || message.verdict != RTCP_VALID || !message.called)
    self->stats.foreign++;
  else
    due = take_call (self, from, local, &message.call, own, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  if (due)
    self->call_due (self->user_data);
}

void
join_listener_read (JoinListener * self, GSocketAddress * from, const guint8 * data, gsize size,
    gboolean own)
{
  const LocalAddress any = { 0 };

  read_datagram (self, from, &any, data, size, own);
}

JoinCall *
join_listener_take (JoinListener * self)
{
  RcTime now = clock_glue_monotonic ();
  JoinCall *call = NULL;

  g_mutex_lock (&self->lock);
  /* One may have waited for long, or behind another of its number. */
  while (!self->closed && (call = g_queue_pop_head (&self->calls))
      && call->call.wish == RC_CALL_JOIN && !is_proven (self, call->from, &call->call, now)) {
    self->stats.dropped++;
    join_call_free (call);
  }
  if (call)
    self->turn = call->turn;
  g_mutex_unlock (&self->lock);
  return call;
}

void
join_listener_on_left (JoinListener * self, guint64 number)
{
  g_mutex_lock (&self->lock);
  heed (self, number);
  g_mutex_unlock (&self->lock);
}

/* --- sockets --- */

/* FALSE: nothing is there. */
static gboolean
receive (JoinListener * self)
{
  guint8 data[MAX_DATAGRAM], control[LOCAL_ADDRESS_CONTROL_BYTES];
  struct sockaddr_storage from;
  struct iovec vector = { data, sizeof data };
  struct msghdr message = {.msg_name = &from,.msg_namelen = sizeof from,.msg_iov = &vector,
    .msg_iovlen = 1,.msg_control = control,.msg_controllen = sizeof control };
  gssize size = recvmsg (g_socket_get_fd (self->socket), &message, MSG_DONTWAIT);
  GSocketAddress *address;
  LocalAddress local;

  if (size < 0)
    return errno != EAGAIN && errno != EWOULDBLOCK && errno != EBADF;
  address = g_socket_address_new_from_native (&from, message.msg_namelen);
  local = local_address_of_message (&message);
  if (address)
    read_datagram (self, address, &local, data, (gsize) size, FALSE);
  g_clear_object (&address);
  return TRUE;
}

static gpointer
listen_loop (gpointer user_data)
{
  JoinListener *self = user_data;

  while (g_socket_condition_wait (self->socket, G_IO_IN, self->closing, NULL))
    while (!g_cancellable_is_cancelled (self->closing) && receive (self));
  return NULL;
}

/* Set after the port was bound, so that no second listener gets it, and only sockets of this user
 * share it. */
static void
share_port (GSocket * socket)
{
  g_socket_set_option (socket, SOL_SOCKET, SO_REUSEPORT, TRUE, NULL);
}

/* With the lock, or before there is anybody else. */
static void
set_salt (JoinListener * self, const guint8 * salt)
{
  address_cookie_renew (&self->cookies);
  self->first = (RcAnswer) {.verdict = RC_ANSWER_COOKIE,.salted = salt != NULL };
  if (salt)
    memcpy (self->first.salt, salt, sizeof self->first.salt);
}

void
join_listener_set_salt (JoinListener * self, const guint8 * salt)
{
  g_mutex_lock (&self->lock);
  set_salt (self, salt);
  g_mutex_unlock (&self->lock);
}

JoinListener *
join_listener_open (const gchar * address, guint16 port, gint qos_dscp, const guint8 * salt,
    void (*call_due) (gpointer user_data), gpointer user_data, GError ** error)
{
  gchar *resolved;
  GSocket *socket = listen_socket_open (address && *address ? address : ANY_ADDRESS, port, 0,
      &resolved, error);
  JoinListener *self;

  g_free (resolved);
  if (!socket)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  local_address_watch (socket);
  share_port (socket);
  self = g_new0 (JoinListener, 1);
  self->refs = 1;
  self->socket = socket;
  self->qos_dscp = qos_dscp;
  self->call_due = call_due;
  self->user_data = user_data;
  self->closing = g_cancellable_new ();
  set_salt (self, salt);
  g_mutex_init (&self->lock);
  g_queue_init (&self->calls);
  self->heeded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->heeded_before = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->thread = g_thread_try_new ("arc-listener", listen_loop, self, error);
  if (!self->thread)
    g_clear_pointer (&self, join_listener_unref);
  return self;
}

void
join_listener_close (JoinListener * self)
{
  g_cancellable_cancel (self->closing);
  g_thread_join (self->thread);
  g_mutex_lock (&self->lock);
  self->closed = TRUE;
  g_socket_close (self->socket, NULL);
  g_mutex_unlock (&self->lock);
}

JoinListener *
join_listener_ref (JoinListener * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
join_listener_unref (JoinListener * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  g_queue_clear_full (&self->calls, (GDestroyNotify) join_call_free);
  g_hash_table_unref (self->heeded);
  g_hash_table_unref (self->heeded_before);
  g_object_unref (self->socket);
  g_object_unref (self->closing);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint16
join_listener_port (JoinListener * self)
{
  return listen_socket_port (self->socket);
}

JoinStats
join_listener_stats (JoinListener * self)
{
  JoinStats stats;

  g_mutex_lock (&self->lock);
  stats = self->stats;
  g_mutex_unlock (&self->lock);
  return stats;
}

/* Of the listener's port, and of the address that was called, if that is known. */
static GSocketAddress *
local_of (JoinListener * self, const JoinCall * call)
{
  GSocketFamily family = g_socket_address_get_family (call->from);
  GInetAddress *inet = NULL;
  GSocketAddress *address;

  if (call->local.family == AF_INET && family == G_SOCKET_FAMILY_IPV4)
    inet = g_inet_address_new_from_bytes ((const guint8 *) &call->local.v4, G_SOCKET_FAMILY_IPV4);
  else if (call->local.family == AF_INET6 && family == G_SOCKET_FAMILY_IPV6)
    inet = g_inet_address_new_from_bytes ((const guint8 *) &call->local.v6, G_SOCKET_FAMILY_IPV6);
  if (!inet)
    inet = g_inet_address_new_any (family);
  address = g_object_new (G_TYPE_INET_SOCKET_ADDRESS, "address", inet, "port",
      (guint) join_listener_port (self), "scope-id",
      family == G_SOCKET_FAMILY_IPV6 ? call->local.scope_id : 0, NULL);
  g_object_unref (inet);
  return address;
}

/* Before it was connected it took what came from any host. */
static void
pass_on (JoinListener * self, GSocket * socket)
{
  gchar data[MAX_DATAGRAM];
  GSocketAddress *from = NULL;
  gssize size;

  /* Its caller can send faster than this reads, and its owner may hold a lock. */
  for (guint n = 0; n < MAX_PASSED && (size = g_socket_receive_from (socket, &from, data,
              sizeof data, NULL, NULL)) >= 0; n++) {
    if (from)
      join_listener_read (self, from, (const guint8 *) data, (gsize) size, FALSE);
    g_clear_object (&from);
  }
}

static GSocket *
connect_now (JoinListener * self, const JoinCall * call, GError ** error)
{
  GSocketAddress *local = local_of (self, call);
  GSocket *socket = g_socket_new (g_socket_address_get_family (call->from), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, error);
  gboolean ok = FALSE;

  if (socket) {
    g_socket_set_blocking (socket, FALSE);
    if (!spare_files_left (g_socket_get_fd (socket)))
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_OPEN_FILES, "the files that are left are "
          "for the rest of the process");
    else
      ok = g_socket_bind (socket, local, TRUE, error)
          && g_socket_connect (socket, call->from, NULL, error);
  }
  g_object_unref (local);
  if (!ok)
    g_clear_object (&socket);
  return socket;
}

GSocket *
join_listener_connect (JoinListener * self, const JoinCall * call, GError ** error)
{
  GError *cause = NULL;
  GSocket *socket = connect_now (self, call, &cause);

  if (!socket) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE, "cannot open a socket "
        "for a receiver that calls (%s); where many files are open, raise the limit (ulimit -n)",
        cause->message);
    g_error_free (cause);
    return NULL;
  }
  pass_on (self, socket);
  if (self->qos_dscp >= 0)
    gst_net_utils_set_socket_tos (socket, self->qos_dscp);
  return socket;
}
