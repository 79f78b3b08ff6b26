/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a context, shared by securecontext.c (life, keys and streams), secureout.c (what
 * leaves) and securein.c (what comes). With the lock, but for what securecontext.h has. */
#pragma once

#include "srtp/securecontext.h"
#include "srtp/securesession.h"

G_BEGIN_DECLS

#define SECURE_RTP_HEADER_BYTES 12
#define SECURE_RTCP_HEADER_BYTES 8

typedef struct
{
  guint64 unauthentic, replayed, malformed, surplus;    /* packets that came and were refused */
  guint64 unsent;
  guint64 rejected;             /* these two are filled in on a query */
  const gchar *cipher;
} SecureStats;

typedef struct
{
  SecureKey key;
  SecureSession *session;
} Keyed;

struct _SecureContext
{
  gint refs;
  gboolean leads;
  guint64 id;                   /* secureowners.h */
  GMutex lock;                  /* of all below */
  Keyed keys[SECURE_KEYS];      /* the newest first */
  guint n_keys;
  RcTime old_until;             /* of the second key; RC_TIME_NONE: nothing came by the first yet */
  GHashTable *used;             /* fingerprints of all keys so far */
  SecureStreams streams[2];     /* by direction */
  SecureStats stats;
  gint warnings;                /* atomic: bits of the pending ones */
  guint warned;                 /* bits of what was or will be */
};

void secure_context_expire_old_key (SecureContext * self, RcTime now);
/* secure_context_take_warning() returns it, once. */
void secure_context_warn (SecureContext * self, SecureWarning warning);
/* NULL: there are too many, of which it warns. */
SecureStream *secure_context_get_stream (SecureContext * self, SecureDirection direction,
    guint32 ssrc);
void secure_context_forget_stream (SecureContext * self, SecureDirection direction, guint32 ssrc);
/* libsrtp guesses an index from the last packet that this key protected. Where that is far behind,
 * or there is none, it needs to know where the stream is, until a packet was taken. */
void secure_context_introduce (SecureContext * self, SecureDirection direction,
    SecureStream * stream, guint key, guint64 index);

G_END_DECLS
