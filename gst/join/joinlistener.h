/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A UDP port on which a sender waits for the calls of its receivers (lib/rc/feedback/call.h).
 * Each receiver then has a socket of its own, bound to the same port and connected to it: the
 * kernel gives that one what comes from there, and this one all calls of strangers.
 *
 * A stranger gets a cookie for its address, for less bytes than it sent, and nothing is kept of it.
 * A call that brings the cookie of its address waits for the owner: one of each caller and address,
 * at most JOIN_MAX_HOST_CALLS of a host, and hosts take turns. What exceeds that, or JOIN_MAX_CALLS
 * in all, is dropped, since callers call again. Cookies hold for 16
 * to 32 s, and of one number only until a call of it was heeded: accepted, or let it leave. So a
 * recorded call has no effect a second time, neither of who is there nor of who has gone.
 * One thread reads, and calls nothing of the element but call_due.
 *
 * Why a socket for each receiver: it keeps path MTU, ICMP and the cached route of each, and the
 * session needs no second way in. Rejected: one socket and a table by address. Price: an open
 * file each, and before Linux 6.13 a search that is linear in the receivers for each packet that
 * comes. The port is bound without SO_REUSEPORT first, so that a second listener gets an error.
 *
 * Rejected: a counter in the call, under the proof, against recorded calls. An older listener
 * would refuse that proof, and without it the counter can be cut off. */
#pragma once

#include "base/fields.h"
#include "net/localaddress.h"

#include <gio/gio.h>
#include <rc/feedback/call.h>

G_BEGIN_DECLS

#define JOIN_MAX_CALLS 1024
#define JOIN_MAX_HOST_CALLS 32

typedef struct
{
  GSocketAddress *from;
  LocalAddress local;           /* that it called */
  RcCall call;                  /* its texts are UTF-8 */
  guint64 host;                 /* address_host (from) */
  guint64 turn;                 /* of its host; the listener's own */
} JoinCall;

typedef struct
{
  guint64 calls;                /* with the cookie of their address, repeated ones too */
  guint64 cookies;              /* sent */
  guint64 dropped;              /* calls for want of room, or that waited for too long */
  guint64 foreign;              /* datagrams that are no calls */
  guint64 accepted, refused;    /* answers */
  guint64 strangers;            /* of the refused: they did not prove the key */
} JoinStats;

/* Its table, ended. */
extern const FieldRow join_fields[];

typedef struct _JoinListener JoinListener;

/* address NULL: any of IPv4. port 0: any free one. salt: RC_ANSWER_SALT_BYTES for all callers, or
 * NULL. call_due: join_listener_take() has one; in any
 * thread, must not block, user_data must live until join_listener_close(). NULL: *error says what
 * to do. */
JoinListener *join_listener_open (const gchar * address, guint16 port, gint qos_dscp,
    const guint8 * salt,
    void (*call_due) (gpointer user_data), gpointer user_data, GError ** error);
/* The port is free then, but for the receivers' sockets. References may outlive it. */
void join_listener_close (JoinListener * self);
JoinListener *join_listener_ref (JoinListener * self);
void join_listener_unref (JoinListener * self);
guint16 join_listener_port (JoinListener * self);
JoinStats join_listener_stats (JoinListener * self);

/* The next call, whose cookie still holds; NULL: there is none, or it was closed. */
JoinCall *join_listener_take (JoinListener * self);
void join_call_free (JoinCall * call);
/* Another salt: cookies that were given before hold no more, so each caller learns of it. */
void join_listener_set_salt (JoinListener * self, const guint8 * salt);
/* Its cookie holds: it knows the salt of now. */
gboolean join_listener_proves (JoinListener * self, const JoinCall * call);
/* reason: of a refusal, or NULL. */
void join_listener_answer (JoinListener * self, const JoinCall * call, RcAnswerVerdict verdict,
    const gchar * reason);
/* A socket for the caller alone. NULL: *error is for the user. */
GSocket *join_listener_connect (JoinListener * self, const JoinCall * call, GError ** error);
/* What came by such a socket. own: from its caller, which needs no cookie to leave: its cookie may
 * be older than those that hold, and who leaves does not wait for another one. */
void join_listener_read (JoinListener * self, GSocketAddress * from, const guint8 * data,
    gsize size, gboolean own);
/* The caller of this number has left by a call. */
void join_listener_on_left (JoinListener * self, guint64 number);

G_END_DECLS
