/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A guest is in the tables once it is served: who takes it out of them ends it. What the worker
 * admits or lets leave is `handled`: when the server closes, the element lets go of that too before
 * the port is free. */

#include "join/joinserver.h"

#include "net/sameaddress.h"
#include "srtp/secureproof.h"

#define SIGNAL_CONNECTING "caller-connecting"

/* Of one host, how many guests. */
typedef struct
{
  guint64 host;
  guint n;
} HostCount;

struct _JoinServer
{
  GstElement *element;
  GstPad *pad;
  const JoinServerFuncs *funcs;
  WorkTurns turns;

  GMutex lock;                  /* of all below; never held across a call out */
  JoinListener *listener;       /* NULL: closed */
  GHashTable *numbers;          /* number -> JoinGuest, which it has a reference of */
  GHashTable *addresses;        /* JoinGuest.from -> the same */
  GHashTable *hosts;            /* HostCount */
  JoinGuest *handled;           /* or NULL */
  GQueue lost;                  /* JoinGuest, each with a reference */
  GHashTable *unheard;          /* GSocketAddress -> Unheard */
  GHashTable *told;             /* hosts of strangers that the user was told of */
  JoinCounts counts;
  gchar *refusal;               /* the last one; NULL: none */
};

/* --- who was served without a report --- */

/* Problem: a viewer that never reports is lost after 5 s, but an address that calls by a new number
 * then is sent the start bitrate for ever.
 *
 * Rule: the times for which the viewers of an address and port were served without any report add
 * up. From MOST_US on it is told to call later, until FORGET_US after the last of them. Reports
 * take the way of calls: a receiver that can call can report. */
#define MOST_US (5 * G_USEC_PER_SEC)
#define FORGET_US (30 * G_USEC_PER_SEC)
#define MAX_ADDRESSES 4096      /* then they are forgotten together */
#define MAX_TOLD 32             /* hosts, each start */

typedef struct
{
  gint64 served_us, last_at;
} Unheard;

static Unheard *
unheard_get (GHashTable * self, GSocketAddress * from, gint64 now)
{
  Unheard *found = g_hash_table_lookup (self, from);

  if (!found || now - found->last_at < FORGET_US)
    return found;
  g_hash_table_remove (self, from);
  return NULL;
}

static void
unheard_note (GHashTable * self, GSocketAddress * from, gint64 served_us)
{
  gint64 now = g_get_monotonic_time ();
  Unheard *unheard = unheard_get (self, from, now);

  if (!unheard) {
    if (g_hash_table_size (self) >= MAX_ADDRESSES)
      g_hash_table_remove_all (self);
    unheard = g_new0 (Unheard, 1);
    g_hash_table_insert (self, g_object_ref (from), unheard);
  }
  unheard->served_us += served_us;
  unheard->last_at = now;
}

/* --- a guest --- */

static JoinGuest *
guest_new (JoinServer * server, JoinListener * listener, const JoinCall * call)
{
  JoinGuest *self = g_atomic_rc_box_new0 (JoinGuest);

  gst_object_ref (server->element);
  self->server = server;
  self->listener = join_listener_ref (listener);
  self->number = call->call.number;
  self->stream_id = g_strdup (call->call.stream_id);
  self->max_kbps = call->call.max_kbps;
  self->called_at = g_get_monotonic_time ();
  self->from = g_object_ref (call->from);
  self->host = call->host;
  return self;
}

static void
guest_clear (gpointer guest)
{
  JoinGuest *self = guest;

  g_clear_object (&self->owner);
  g_clear_object (&self->socket);
  g_clear_object (&self->from);
  secure_settings_clear (&self->key);
  g_free (self->stream_id);
  join_listener_unref (self->listener);
  gst_object_unref (self->server->element);
}

JoinGuest *
join_guest_ref (JoinGuest * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
join_guest_unref (JoinGuest * self)
{
  g_atomic_rc_box_release_full (self, guest_clear);
}

void
join_guest_set_key (JoinGuest * self, const SecureSettings * key)
{
  SecureSettings before;

  g_mutex_lock (&self->server->lock);
  before = self->key;
  self->key = secure_settings_copy (key);
  g_mutex_unlock (&self->server->lock);
  secure_settings_clear (&before);
}

static SecureSettings
dup_key (JoinGuest * self)
{
  SecureSettings key;

  g_mutex_lock (&self->server->lock);
  key = secure_settings_copy (&self->key);
  g_mutex_unlock (&self->server->lock);
  return key;
}

const gchar *
join_guest_check (JoinGuest * self, const RcCall * call)
{
  SecureSettings key = dup_key (self);
  const gchar *fault = secure_proof_check (&key, call);

  secure_settings_clear (&key);
  return fault;
}

gboolean
join_guest_has_key (JoinGuest * self, const SecureSettings * key)
{
  SecureSettings own = dup_key (self);
  gboolean has = secure_settings_same_key (&own, key);

  secure_settings_clear (&own);
  return has;
}

gboolean
join_guest_encrypts (JoinGuest * self)
{
  gboolean encrypts;

  g_mutex_lock (&self->server->lock);
  encrypts = self->key.key || self->key.file_key;
  g_mutex_unlock (&self->server->lock);
  return encrypts;
}

GSocket *
join_guest_dup_socket (JoinGuest * self)
{
  GSocket *socket;

  g_mutex_lock (&self->server->lock);
  socket = self->socket ? g_object_ref (self->socket) : NULL;
  g_mutex_unlock (&self->server->lock);
  return socket;
}

gboolean
join_guest_drop_socket (JoinGuest * self)
{
  gboolean had;

  g_mutex_lock (&self->server->lock);
  had = self->socket != NULL;
  g_clear_object (&self->socket);
  g_mutex_unlock (&self->server->lock);
  return had;
}

gchar *
join_guest_address (JoinGuest * self)
{
  gchar *text;

  g_mutex_lock (&self->server->lock);
  text = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (self->from));
  g_mutex_unlock (&self->server->lock);
  return text;
}

/* Takes the address. */
static gchar *
name_of (gchar * from, const gchar * stream_id)
{
  gchar *text;

  if (*stream_id == '\0')
    return from;
  text = g_strdup_printf ("%s (stream id \"%s\")", from, stream_id);
  g_free (from);
  return text;
}

gchar *
join_guest_name (JoinGuest * self)
{
  return name_of (join_guest_address (self), self->stream_id);
}

void
join_guest_lose (JoinGuest * self)
{
  g_mutex_lock (&self->server->lock);
  g_queue_push_tail (&self->server->lost, join_guest_ref (self));
  g_mutex_unlock (&self->server->lock);
  work_turns_schedule (&self->server->turns);
}

/* --- the tables: with the lock --- */

static void
count_host (JoinServer * self, guint64 host, gint change)
{
  HostCount *count = g_hash_table_lookup (self->hosts, &host);

  if (!count) {
    count = g_new0 (HostCount, 1);
    count->host = host;
    g_hash_table_add (self->hosts, count);
  }
  count->n = (guint) ((gint) count->n + change);
  if (count->n == 0)
    g_hash_table_remove (self->hosts, &host);
}

static void
place (JoinServer * self, JoinGuest * guest)
{
  g_hash_table_insert (self->addresses, guest->from, guest);
  count_host (self, guest->host, 1);
}

static void
unplace (JoinServer * self, JoinGuest * guest)
{
  if (g_hash_table_lookup (self->addresses, guest->from) == guest)
    g_hash_table_remove (self->addresses, guest->from);
  count_host (self, guest->host, -1);
}

/* --- out --- */

/* FALSE: it has no place any more. */
static gboolean
take_out (JoinServer * self, JoinGuest * guest, gboolean lost)
{
  gboolean there;

  g_mutex_lock (&self->lock);
  there = g_hash_table_lookup (self->numbers, &guest->number) == guest;
  if (there) {
    unplace (self, guest);
    g_hash_table_steal (self->numbers, &guest->number);
    self->counts.now--;
    self->counts.left += !lost;
    self->counts.lost += lost;
    self->handled = guest;
  }
  g_mutex_unlock (&self->lock);
  return there;
}

static void
forget_handled (JoinServer * self)
{
  g_mutex_lock (&self->lock);
  self->handled = NULL;
  g_mutex_unlock (&self->lock);
}

static void
let_leave (JoinServer * self, JoinGuest * guest, gboolean lost)
{
  if (!take_out (self, guest, lost))
    return;
  if (self->funcs->is_unheard && self->funcs->is_unheard (self->element, guest)) {
    g_mutex_lock (&self->lock);
    unheard_note (self->unheard, guest->from, g_get_monotonic_time () - guest->called_at);
    g_mutex_unlock (&self->lock);
  }
  self->funcs->leave (self->element, guest, lost);
  forget_handled (self);
  join_guest_unref (guest);     /* the table's */
}

static JoinGuest *
pop_lost (JoinServer * self)
{
  JoinGuest *guest;

  g_mutex_lock (&self->lock);
  guest = g_queue_pop_head (&self->lost);
  g_mutex_unlock (&self->lock);
  return guest;
}

static void
let_lost_leave (JoinServer * self)
{
  JoinGuest *guest;

  while ((guest = pop_lost (self))) {
    let_leave (self, guest, TRUE);
    join_guest_unref (guest);
  }
}

/* --- in --- */

/* In one of the tables; NULL: none. */
static JoinGuest *
dup_guest (JoinServer * self, GHashTable * table, gconstpointer key)
{
  JoinGuest *guest;

  g_mutex_lock (&self->lock);
  guest = g_hash_table_lookup (table, key);
  if (guest)
    join_guest_ref (guest);
  g_mutex_unlock (&self->lock);
  return guest;
}

static void
clear_address (JoinServer * self, JoinListener * listener, GSocketAddress * from, guint64 number)
{
  JoinGuest *guest = dup_guest (self, self->addresses, from);

  if (!guest)
    return;
  if (guest->number != number) {
    join_listener_on_left (listener, guest->number);
    let_leave (self, guest, FALSE);
  }
  join_guest_unref (guest);
}

void
join_guest_replace_others (JoinGuest * self)
{
  clear_address (self->server, self->listener, self->from, self->number);
}

gchar *
join_guest_connect (JoinGuest * self, const JoinCall * call)
{
  JoinServer *server = self->server;
  GError *error = NULL;
  gchar *fault = NULL;

  join_guest_replace_others (self);
  g_mutex_lock (&server->lock);
  if (server->listener != self->listener)
    fault = g_strdup ("it stops");
  else if ((self->socket = join_listener_connect (self->listener, call, &error)))
    server->handled = self;
  else
    fault = g_strdup (error->message);
  g_mutex_unlock (&server->lock);
  g_clear_error (&error);
  return fault;
}

gboolean
join_guest_enter (JoinGuest * self)
{
  JoinServer *server = self->server;
  gboolean open;

  g_mutex_lock (&server->lock);
  open = server->listener == self->listener;
  if (open) {
    g_hash_table_insert (server->numbers, &self->number, join_guest_ref (self));
    place (server, self);
    server->counts.now++;
    server->counts.joined++;
  }
  g_mutex_unlock (&server->lock);
  return open;
}

/* --- who may --- */

/* A list of encoding names, with commas between them; an empty list and caps without a name fit. */
static gboolean
takes (const gchar * encodings, const gchar * name)
{
  gchar **names = g_strsplit (encodings, ",", -1);
  gboolean takes = !name || *encodings == '\0';

  for (guint i = 0; names[i] && !takes; i++)
    takes = g_ascii_strcasecmp (names[i], name) == 0;
  g_strfreev (names);
  return takes;
}

static gchar *
find_misfit (JoinServer * self, const gchar * encodings)
{
  GstCaps *caps = gst_pad_get_current_caps (self->pad);
  const gchar *name = caps && gst_caps_get_size (caps) > 0
      ? gst_structure_get_string (gst_caps_get_structure (caps, 0), "encoding-name") : NULL;
  gchar *fault = takes (encodings, name) ? NULL
      : g_strdup_printf ("the stream is %s, the caller takes %s", name, encodings);

  gst_clear_caps (&caps);
  return fault;
}

/* Has the place of a guest that is silent freed, if such a one takes it. */
static void
free_silent (JoinServer * self)
{
  GPtrArray *guests = join_server_list (self);

  for (guint i = 0; i < guests->len; i++)
    if (self->funcs->is_silent (self->element, g_ptr_array_index (guests, i)))
      let_leave (self, g_ptr_array_index (guests, i), TRUE);
  g_ptr_array_unref (guests);
}

/* One host gets half of the places at most. */
static gchar *
find_crowd (JoinServer * self, const JoinCall * call)
{
  guint max = self->funcs->count_places (self->element), n, n_host;
  const HostCount *host;
  gboolean replaces;

  if (self->funcs->is_silent)
    free_silent (self);
  g_mutex_lock (&self->lock);
  n = self->counts.now;
  host = g_hash_table_lookup (self->hosts, &call->host);
  n_host = host ? host->n : 0;
  replaces = g_hash_table_contains (self->addresses, call->from) && n <= max;
  self->counts.full += !replaces && (n >= max || n_host >= max - max / 2);
  g_mutex_unlock (&self->lock);
  if (replaces)
    return NULL;
  if (n >= max)
    return self->funcs->full ? g_strdup (self->funcs->full)
        : g_strdup_printf ("it serves %u viewers already, its limit", n);
  if (n_host >= max - max / 2)
    return g_strdup_printf ("it serves %u viewers at this IP address already, half of its limit",
        n_host);
  return NULL;
}

/* Who has a place at that address frees it. */
static gchar *
find_burden (JoinServer * self, const JoinCall * call)
{
  gchar *burden = self->funcs->find_burden ? self->funcs->find_burden (self->element) : NULL;

  if (!burden)
    return NULL;
  g_mutex_lock (&self->lock);
  if (g_hash_table_contains (self->addresses, call->from))
    g_clear_pointer (&burden, g_free);
  self->counts.put_off += burden != NULL;
  g_mutex_unlock (&self->lock);
  return burden;
}

static gchar *
find_unheard (JoinServer * self, GSocketAddress * from)
{
  const Unheard *unheard;
  gboolean has;

  g_mutex_lock (&self->lock);
  unheard = unheard_get (self->unheard, from, g_get_monotonic_time ());
  has = unheard && unheard->served_us >= MOST_US;
  g_mutex_unlock (&self->lock);
  return has ? g_strdup ("it was sent media at this address before and did not report") : NULL;
}

static gchar *
ask_application (JoinServer * self, const JoinCall * call)
{
  gchar *reason = NULL;

  g_signal_emit_by_name (self->element, SIGNAL_CONNECTING, call->from, call->call.stream_id,
      &reason);
  return reason;
}

/* NULL: it is served from now on; else why not; g_free(). */
static gchar *
take_new (JoinServer * self, JoinListener * listener, const JoinCall * call,
    RcAnswerVerdict * verdict)
{
  gchar *fault = self->funcs->find_fault (self->element, call, verdict);
  JoinGuest *guest;

  if (!fault && ((fault = find_crowd (self, call)) || (fault = find_burden (self, call))
          || (fault = find_unheard (self, call->from))))
    *verdict = RC_ANSWER_LATER; /* since that may change */
  if (!fault)
    fault = ask_application (self, call);
  if (!fault)
    fault = find_misfit (self, call->call.encodings);
  if (fault)
    return fault;
  guest = guest_new (self, listener, call);
  fault = self->funcs->admit (self->element, guest, call, verdict);
  forget_handled (self);
  join_guest_unref (guest);
  return fault;
}

/* --- calls, on the worker --- */

/* It called again: perhaps it has another address. */
static void
move (JoinServer * self, JoinListener * listener, JoinGuest * guest, const JoinCall * call)
{
  if (same_address (guest->from, call->from))
    return;
  clear_address (self, listener, call->from, guest->number);
  g_mutex_lock (&self->lock);
  unplace (self, guest);
  g_set_object (&guest->from, call->from);
  guest->host = call->host;
  place (self, guest);
  g_mutex_unlock (&self->lock);
  self->funcs->move (self->element, guest);
}

/* Once for a host: the user at this end may be who has the wrong passphrase. Not of more hosts: one
 * with a whole network could fill a log. */
static gboolean
is_to_tell (JoinServer * self, guint64 host)
{
  return g_hash_table_size (self->told) < MAX_TOLD
      && g_hash_table_add (self->told, g_memdup2 (&host, sizeof host));
}

static void
note_refusal (JoinServer * self, const JoinCall * call, const gchar * fault,
    RcAnswerVerdict verdict)
{
  gchar *name = name_of (g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (call->from)),
      call->call.stream_id);
  gchar *text = g_strdup_printf ("%s: %s%s", name, verdict == RC_ANSWER_LATER ? "later: " : "",
      fault), *before;
  gboolean tell;

  g_mutex_lock (&self->lock);
  before = self->refusal;
  self->refusal = text;
  tell = verdict == RC_ANSWER_STRANGER && is_to_tell (self, call->host);
  g_mutex_unlock (&self->lock);
  if (tell)
    GST_ELEMENT_WARNING (self->element, RESOURCE, NOT_AUTHORIZED, ("%s calls and is refused: %s",
            name, fault), (NULL));
  g_free (before);
  g_free (name);
}

static void
take_join (JoinServer * self, JoinListener * listener, const JoinCall * call)
{
  JoinGuest *guest = dup_guest (self, self->numbers, &call->call.number);
  RcAnswerVerdict verdict = RC_ANSWER_REFUSED;
  gchar *fault = guest ? g_strdup (join_guest_check (guest, &call->call))
      : take_new (self, listener, call, &verdict);
  gboolean outdated;

  if (guest && !fault)
    move (self, listener, guest, call);
  else if (guest)
    verdict = RC_ANSWER_STRANGER;
  outdated = verdict == RC_ANSWER_STRANGER && !join_listener_proves (listener, call);
  if (fault && !outdated)
    note_refusal (self, call, fault, verdict);
  if (!outdated)                /* else it calls again, and learns of the salt */
    join_listener_answer (listener, call, fault ? verdict : RC_ANSWER_ACCEPTED, fault);
  g_clear_pointer (&guest, join_guest_unref);
  g_free (fault);
}

static void
take_leave (JoinServer * self, JoinListener * listener, const JoinCall * call)
{
  JoinGuest *guest = dup_guest (self, self->numbers, &call->call.number);

  if (guest && !join_guest_check (guest, &call->call)) {
    join_listener_on_left (listener, guest->number);
    let_leave (self, guest, FALSE);
  }
  g_clear_pointer (&guest, join_guest_unref);
}

static JoinListener *
dup_listener (JoinServer * self)
{
  JoinListener *listener;

  g_mutex_lock (&self->lock);
  listener = self->listener ? join_listener_ref (self->listener) : NULL;
  g_mutex_unlock (&self->lock);
  return listener;
}

static void
take_calls (gpointer server)
{
  JoinServer *self = server;
  JoinListener *listener = dup_listener (self);
  JoinCall *call;

  let_lost_leave (self);
  while (listener && (call = join_listener_take (listener))) {
    if (call->call.wish == RC_CALL_LEAVE)
      take_leave (self, listener, call);
    else
      take_join (self, listener, call);
    join_call_free (call);
  }
  g_clear_pointer (&listener, join_listener_unref);
}

/* --- life --- */

JoinServer *
join_server_new (GstElement * element, GstPad * pad, const JoinServerFuncs * funcs)
{
  JoinServer *self = g_new0 (JoinServer, 1);

  self->element = element;
  self->pad = pad;
  self->funcs = funcs;
  work_turns_init (&self->turns, element, take_calls, self);
  g_mutex_init (&self->lock);
  g_queue_init (&self->lost);
  return self;
}

void
join_server_free (JoinServer * self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_clear_pointer (&self->addresses, g_hash_table_unref);
  g_clear_pointer (&self->hosts, g_hash_table_unref);
  g_clear_pointer (&self->unheard, g_hash_table_unref);
  g_clear_pointer (&self->told, g_hash_table_unref);
  g_free (self->refusal);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Each viewer of an arcserversink is an rmcsink, which has a server that is never open. */
static void
make_tables (JoinServer * self)
{
  if (self->numbers)
    return;
  self->numbers = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->addresses = g_hash_table_new (address_hash, address_equal);
  self->hosts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->unheard = g_hash_table_new_full (address_hash, address_equal, g_object_unref, g_free);
}

gboolean
join_server_open (JoinServer * self, const gchar * address, guint port, gint qos_dscp,
    const guint8 * salt, GError ** error)
{
  JoinListener *listener = join_listener_open (address, (guint16) port, qos_dscp, salt,
      work_turns_schedule, &self->turns, error);

  if (!listener)
    return FALSE;
  g_mutex_lock (&self->lock);
  make_tables (self);
  self->listener = listener;
  self->counts = (JoinCounts) { 0 };
  g_hash_table_remove_all (self->told);
  g_clear_pointer (&self->refusal, g_free);
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (self->element, "waits for calls on UDP port %u", join_listener_port (listener));
  return TRUE;
}

void
join_server_set_salt (JoinServer * self, const guint8 * salt)
{
  JoinListener *listener = dup_listener (self);

  if (listener)
    join_listener_set_salt (listener, salt);
  g_clear_pointer (&listener, join_listener_unref);
}

/* Takes the reference. */
static void
stop_guest (JoinServer * self, JoinGuest * guest, gboolean handled)
{
  GSocket *socket;

  g_mutex_lock (&self->lock);
  socket = g_steal_pointer (&guest->socket);
  g_mutex_unlock (&self->lock);
  if (socket)                   /* a thread that is about to open a session by it finds it closed */
    g_socket_close (socket, NULL);
  g_clear_object (&socket);
  if (self->funcs->stop)
    self->funcs->stop (self->element, guest, handled);
  join_guest_unref (guest);
}

void
join_server_close (JoinServer * self)
{
  JoinListener *listener;
  JoinGuest *handled;
  GList *guests;

  g_mutex_lock (&self->lock);
  listener = g_steal_pointer (&self->listener);
  handled = listener && self->handled ? join_guest_ref (self->handled) : NULL;
  guests = listener ? g_hash_table_get_values (self->numbers) : NULL;
  if (listener) {
    g_hash_table_remove_all (self->addresses);
    g_hash_table_remove_all (self->hosts);
    g_hash_table_steal_all (self->numbers);
  }
  self->counts.left += self->counts.now;
  self->counts.now = 0;
  g_mutex_unlock (&self->lock);
  if (!listener)
    return;
  if (handled)
    stop_guest (self, handled, TRUE);
  for (GList * l = guests; l; l = l->next)
    stop_guest (self, l->data, FALSE);
  g_list_free (guests);
  join_listener_close (listener);
  join_listener_unref (listener);
}

/* --- what is known --- */

guint
join_server_port (JoinServer * self)
{
  guint port;

  g_mutex_lock (&self->lock);
  port = self->listener ? join_listener_port (self->listener) : 0;
  g_mutex_unlock (&self->lock);
  return port;
}

JoinStats
join_server_get_stats (JoinServer * self, JoinCounts * counts)
{
  JoinStats stats = { 0 };

  g_mutex_lock (&self->lock);
  if (self->listener)
    stats = join_listener_stats (self->listener);
  *counts = self->counts;
  g_mutex_unlock (&self->lock);
  return stats;
}

gchar *
join_server_dup_refusal (JoinServer * self)
{
  gchar *text;

  g_mutex_lock (&self->lock);
  text = g_strdup (self->refusal);
  g_mutex_unlock (&self->lock);
  return text;
}

GPtrArray *
join_server_list (JoinServer * self)
{
  GPtrArray *guests = g_ptr_array_new_with_free_func ((GDestroyNotify) join_guest_unref);
  GHashTableIter iter;
  JoinGuest *guest;

  g_mutex_lock (&self->lock);
  if (self->numbers)
    g_hash_table_iter_init (&iter, self->numbers);
  while (self->numbers && g_hash_table_iter_next (&iter, NULL, (gpointer *) & guest))
    g_ptr_array_add (guests, join_guest_ref (guest));
  g_mutex_unlock (&self->lock);
  return guests;
}

/* --- the signal --- */

/* The first handler with a reason is the last. */
static gboolean
accumulate (GSignalInvocationHint * hint, GValue * sum, const GValue * value, gpointer data)
{
  g_value_copy (value, sum);
  return g_value_get_string (value) == NULL;
}

guint
join_signal_new (GType element)
{
  return g_signal_new (SIGNAL_CONNECTING, element, G_SIGNAL_RUN_LAST, 0, accumulate, NULL, NULL,
      G_TYPE_STRING, 2, G_TYPE_SOCKET_ADDRESS, G_TYPE_STRING);
}
