/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who may join, and who is served. rmcsink mode=listener is a server of one place, arcserversink
 * one of many: which places there are, and what it means that somebody takes or leaves one, is the
 * element's (JoinServerFuncs). Calls are answered on a worker, one after the other. */
#pragma once

#include "base/description.h"
#include "base/workturns.h"
#include "join/joinlistener.h"
#include "srtp/secureproperties.h"

G_BEGIN_DECLS

typedef struct _JoinServer JoinServer;

/* A receiver that is served, or may be soon; counted references. */
typedef struct
{
  JoinServer *server;           /* whose element it has a reference of */
  JoinListener *listener;       /* that it called */
  guint64 number;               /* of its calls */
  gchar *stream_id;
  guint max_kbps;               /* that it takes; 0: no limit */
  gint64 called_at;             /* us */
  GObject *owner;               /* the element's own, or NULL; with a reference */
  /* Under the server's lock, and changed by the worker. */
  GSocketAddress *from;
  guint64 host;                 /* address_host (from) */
  GSocket *socket;              /* to it alone; NULL: none yet, or a session has it */
  SecureSettings key;           /* that it has to prove; any thread */
} JoinGuest;

/* All on the worker, but stop. Those that may be NULL say so. Texts are for callers, g_free(). */
typedef struct
{
  guint (*count_places) (GstElement * element);
  /* What further ones are told; NULL: how many there are. */
  const gchar *full;
  /* Why nobody more is let in at present, or NULL; NULL: there is always room. */
  gchar *(*find_burden) (GstElement * element);
  /* Before the application is asked: why it is refused, or NULL. As the next. */
  gchar *(*find_fault) (GstElement * element, const JoinCall * call, RcAnswerVerdict * verdict);
  /* It may join: serves it, by join_guest_connect() and join_guest_enter(). Else why not, and
   * *verdict, which is RC_ANSWER_REFUSED. */
  gchar *(*admit) (GstElement * element, JoinGuest * guest, const JoinCall * call,
      RcAnswerVerdict * verdict);
  /* It has another address now. */
  void (*move) (GstElement * element, JoinGuest * guest);
  /* lost: it did not say that it leaves. */
  void (*leave) (GstElement * element, JoinGuest * guest, gboolean lost);
  /* The server closes. handled: the worker is about to admit it or lets it leave. May be NULL. */
  void (*stop) (GstElement * element, JoinGuest * guest, gboolean handled);
  /* Whether it has lost its place to whoever comes next; NULL: nobody does. */
  gboolean (*is_silent) (GstElement * element, JoinGuest * guest);
  /* Whether it never reported; NULL: that is of no interest. */
  gboolean (*is_unheard) (GstElement * element, JoinGuest * guest);
} JoinServerFuncs;

/* What happened since it was opened. */
typedef struct
{
  guint64 joined, left, lost;   /* lost: silent, unreachable, or failed */
  guint64 put_off;              /* calls that found the element burdened */
  guint64 full;                 /* ... without a place, or their host without one */
  guint now;
} JoinCounts;

/* The signal of elements that listen: gchararray (GSocketAddress, gchararray streamid). A text
 * that it returns refuses the caller, and is the reason. */
guint join_signal_new (GType element);
#define JOIN_SIGNAL_DESCRIPTION DESCRIPTION_STRUCTURE ("caller-connecting", "a caller has proved " \
    "its address and, if there is one, the key: its address and its stream id (empty: none). " \
    "Return NULL to accept it, or the reason of a refusal. Handlers run on a worker, may take " \
    "their time, and must not change the state of this element")

/* The element has the pad, and frees the server when it is finalized. */
JoinServer *join_server_new (GstElement * element, GstPad * pad, const JoinServerFuncs * funcs);
void join_server_free (JoinServer * self);
/* As join_listener_open(). */
gboolean join_server_open (JoinServer * self, const gchar * address, guint port, gint qos_dscp,
    const guint8 * salt, GError ** error);
/* As join_listener_set_salt(), if it is open. Before the guests have the new key. */
void join_server_set_salt (JoinServer * self, const guint8 * salt);
/* Nobody is served any more, and the port is free, but for the sockets that sessions have. Also if
 * it is not open. */
void join_server_close (JoinServer * self);
/* 0: it is not open. */
guint join_server_port (JoinServer * self);
JoinStats join_server_get_stats (JoinServer * self, JoinCounts * counts);
/* Who was refused last, and why; NULL: nobody since it was opened. g_free() */
gchar *join_server_dup_refusal (JoinServer * self);
/* Those that have a place, each with a reference. */
GPtrArray *join_server_list (JoinServer * self);

/* For admit: who has the same address leaves; then it gets a socket. Else why not. */
void join_guest_replace_others (JoinGuest * self);
gchar *join_guest_connect (JoinGuest * self, const JoinCall * call);
/* FALSE: the server was closed meanwhile. */
gboolean join_guest_enter (JoinGuest * self);
/* From any thread, as the next: the worker takes its place away if it has one. */
void join_guest_lose (JoinGuest * self);
void join_guest_set_key (JoinGuest * self, const SecureSettings * key);
/* Why the call is not its own: NULL, or a text of the program. */
const gchar *join_guest_check (JoinGuest * self, const RcCall * call);
gboolean join_guest_has_key (JoinGuest * self, const SecureSettings * key);
/* Its address, and that with its stream id, g_free(). */
gchar *join_guest_address (JoinGuest * self);
gchar *join_guest_name (JoinGuest * self);
gboolean join_guest_encrypts (JoinGuest * self);
/* To it alone, until a session has that; NULL: none, or the server was closed. */
GSocket *join_guest_dup_socket (JoinGuest * self);
/* A session has it now. FALSE: the server was closed meanwhile. */
gboolean join_guest_drop_socket (JoinGuest * self);
JoinGuest *join_guest_ref (JoinGuest * self);
void join_guest_unref (JoinGuest * self);

G_END_DECLS
