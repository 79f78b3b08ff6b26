/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How far the RTP of each SSRC has come: SRTP protects a packet under its index, which is the
 * sequence number with the count of its overflows in front (ROC) [RFC 3711 3.3.1]. libsrtp keeps
 * the same for each key; here it outlives a key, and can be signalled to a late receiver.
 *
 * Of what was sent it also knows which bytes had which index: two different packets under one
 * index would give the key away (counter mode: both payloads; GCM: the authentication key). No
 * locks: the owner has one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* SSRCs in one direction, with 2 kB each. A session with 49 cameras that are sent again by RFC 4588
 * has 98; a sender that is started anew each day draws three for ten years. What was sent or came
 * under a present key is never forgotten: a stream that begins anew would use the numbers of that
 * key twice, and take replays. */
#define SECURE_STREAMS_MAX 4096
/* Of so many, those sent last, it is known what was sent (32 kB each): others send only ahead. */
#define SECURE_DIGESTS_MAX 256
#define SECURE_KEYS 2           /* the newest, and the one before */
/* The replay window, packets: a repair may come as late as rtx-time after the newest packet, and
 * at 500 Mbit/s 8192 packets of 1200 bytes take 0.16 s. RFC 3711 asks for 64 at least. */
#define SECURE_WINDOW 8192

/* A sequence number that is this far ahead of another is behind it. */
#define SECURE_HALF 0x8000

typedef struct
{
  guint32 ssrc;
  gboolean counted;             /* `index` is known */
  guint64 index;                /* the highest */
  gint64 rtcp_index;            /* the highest that came; -1: none */
  gint64 taken[SECURE_KEYS];    /* by each key: the highest index that it protected; -1: none */
  guint32 rtcp_pkts[SECURE_KEYS];       /* likewise: SRTCP packets */
  guint begun;                  /* a bit for each key: its index has been set */
  guint claimed;                /* likewise: this is its only sender (secureowners.h) */
  guint refused;                /* packets in a row, for their numbers */
  guint64 sent_turn;            /* to find the one that is silent for longest */
  guint32 *digests;             /* of what was sent, by index; NULL: not known */
  gint64 digests_from;          /* the first that they know */
} SecureStream;

typedef struct
{
  GHashTable *by_ssrc;          /* NULL: there is none */
  SecureStream *last;           /* that was found; or NULL */
  GPtrArray *all;
  guint n_digests;              /* streams that have them */
  guint64 sent_turn;
  guint told_turn;              /* for secureindexes.c */
} SecureStreams;

void secure_streams_clear (SecureStreams * self);
guint secure_streams_n (const SecureStreams * self);
SecureStream *secure_streams_get (const SecureStreams * self, guint i);
/* NULL: unknown. */
SecureStream *secure_streams_find (SecureStreams * self, guint32 ssrc);
/* A new one. NULL: there are SECURE_STREAMS_MAX. */
SecureStream *secure_streams_add (SecureStreams * self, guint32 ssrc);
/* Makes place by one that no key knows. FALSE: there is none. */
gboolean secure_streams_drop (SecureStreams * self, guint32 * gone);
/* There is another key in front of the present one. */
void secure_streams_shift_keys (SecureStreams * self);
void secure_streams_forget_old_key (SecureStreams * self);

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

/* Others have sent up to this index, which is ahead. */
void secure_stream_skip (SecureStream * self, guint64 index);
guint32 secure_digest (const guint8 * data, gsize size);
SecureIndexUse secure_stream_ask (const SecureStream * self, guint64 index, guint32 digest);
/* It has left: as secure_stream_note(), and it is remembered. */
void secure_streams_note_sent (SecureStreams * self, SecureStream * stream, guint64 index,
    guint32 digest);

G_END_DECLS
