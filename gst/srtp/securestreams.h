/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How far the RTP of each SSRC has come: SRTP protects a packet under its index, which is the
 * sequence number with the count of its overflows in front (ROC) [RFC 3711 3.3.1]. libsrtp keeps
 * the same for each key; here it outlives a key, and can be told to a receiver that comes late.
 *
 * Of what was sent it also knows which bytes had which index: two different packets under one
 * index would give the key away (counter mode: both payloads; GCM: the authentication key). No
 * locks: the owner has one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SECURE_STREAMS_MAX 64   /* as the session has ledgers, and then some */
/* The replay window, packets: a repair may come as late as rtx-time after the newest packet, and
 * at 500 Mbit/s 8192 packets of 1200 bytes take 0.16 s. RFC 3711 asks for 64 at least. */
#define SECURE_WINDOW 8192

typedef struct
{
  guint32 ssrc;
  gboolean counted;             /* `index` is known */
  guint64 index;                /* the highest */
  gint64 rtcp_index;            /* the highest; -1: none */
  guint established;            /* a bit for each key: a packet was taken by it */
  guint claimed;                /* likewise: nobody else sends it (secureowners.h) */
  guint64 used;                 /* turn: to find the one that is silent for longest */
  guint32 *digests;             /* of what was sent, by index; NULL: nothing was */
} SecureStream;

typedef struct
{
  SecureStream streams[SECURE_STREAMS_MAX];
  guint n;
  guint64 turn;
} SecureStreams;

void secure_streams_clear (SecureStreams * self);
/* NULL: unknown. */
SecureStream *secure_streams_find (SecureStreams * self, guint32 ssrc);
/* A new one. TRUE: *gone, the longest silent of SECURE_STREAMS_MAX, lost its place. */
gboolean secure_streams_add (SecureStreams * self, guint32 ssrc, SecureStream ** stream,
    guint32 * gone);
/* There is another key: bit 0 is its, and what was bit 0 becomes bit 1. */
void secure_streams_shift_keys (SecureStreams * self);

/* The index that this sequence number means most likely. */
guint64 secure_stream_guess (const SecureStream * self, guint16 seq);
/* It was authentic, or has left. TRUE: it is the newest. */
gboolean secure_stream_note (SecureStream * self, guint64 index);

typedef enum
{
  SECURE_INDEX_FREE,            /* or used by the very same bytes */
  SECURE_INDEX_USED,            /* by others */
  SECURE_INDEX_TOO_OLD,
} SecureIndexUse;

guint32 secure_digest (const guint8 * data, gsize size);
SecureIndexUse secure_stream_ask (const SecureStream * self, guint64 index, guint32 digest);
/* It has left: as secure_stream_note(), and it is remembered. */
void secure_stream_note_sent (SecureStream * self, guint64 index, guint32 digest);

G_END_DECLS
