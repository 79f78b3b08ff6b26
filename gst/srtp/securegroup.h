/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* libsrtp under one key in one direction, for the sessions that have this key. Problem: the libsrtp
 * of Debian encrypts by NSS, which keeps the keys of all contexts in 32 lists and searches them for
 * each packet: with a context for each of 1000 viewers a packet costs 40 times (AES-GCM) or 25
 * times (AES-CM) the CPU time that it costs with one. All these contexts have the same session
 * keys, which depend on the master key only [RFC 3711 4.3], and libsrtp keeps what differs,
 * counters and replay window, by SSRC. Rule: SECURE_GROUP_MEMBERS_MAX sessions share a context. In
 * it an SSRC belongs to the session that used it first; another session that needs it takes a group
 * of its own.
 *   Why not all of them: libsrtp finds a stream by a walk through all of a context.
 *
 * securegroup.c is the only file that knows libsrtp. Thread-safe; a lock for each group is held
 * while libsrtp works. */
#pragma once

#include "srtp/securekey.h"

G_BEGIN_DECLS

/* Of 8, 16 and 64, the cheapest at 1000 viewers. With all of them in one context a packet costs a
 * third more (AES-CM) to twice as much (AES-GCM). */
#define SECURE_GROUP_MEMBERS_MAX 64
/* SSRCs of a shared group: a member may have many, which slow all others down. */
#define SECURE_GROUP_SSRCS_MAX 256

typedef enum
{
  SECURE_IN,
  SECURE_OUT,
} SecureDirection;

typedef enum
{
  SECURE_STATUS_OK,
  SECURE_STATUS_UNAUTHENTIC,    /* or by another key */
  SECURE_STATUS_REPLAYED,       /* was here, or is older than the window */
  SECURE_STATUS_MALFORMED,
  SECURE_STATUS_SURPLUS,        /* of more streams than can be kept; not of the session */
} SecureStatus;

typedef struct _SecureGroup SecureGroup;

/* One that has room, or a new one; not shared: a new one, for this member only. NULL and *error:
 * libsrtp refuses the key. */
SecureGroup *secure_group_join (const SecureKey * key, SecureDirection direction, gboolean shared,
    GError ** error);
/* Forgets the member's SSRCs. */
void secure_group_leave (SecureGroup * self, gconstpointer member);
/* It is an SSRC of this member. */
gboolean secure_group_knows (SecureGroup * self, gconstpointer member, guint32 ssrc);
void secure_group_forget (SecureGroup * self, gconstpointer member, guint32 ssrc);
/* These two are FALSE and do nothing where the SSRC is another member's, or there are too many. It
 * is this one's from now on; of packets that come, only if they are authentic. securesession.h says
 * what they do. */
gboolean secure_group_begin (SecureGroup * self, gconstpointer member, guint32 ssrc, guint32 roc);
gboolean secure_group_work (SecureGroup * self, gconstpointer member, gboolean rtcp, guint8 * data,
    gsize * size, SecureStatus * status);

G_END_DECLS
