/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securecontext.h"

#include <string.h>

#include "rtp/rtcpfeedback.h"
#include "srtp/secureindexes.h"
#include "srtp/secureowners.h"
#include "srtp/securesession.h"

#define RTP_HEADER_BYTES 12
#define RTCP_HEADER_BYTES 8
#define RTP_VERSION 2
#define INDEX_BYTES 4           /* of SRTCP, with the bit that says "encrypted" */

typedef struct
{
  SecureKey key;
  SecureSession *session;
} Keyed;

struct _SecureContext
{
  gint refs;
  gboolean leads;
  GMutex lock;                  /* of all below */
  Keyed keys[2];                /* the newest first */
  guint n_keys;
  RcTime old_until;             /* of the second key; RC_TIME_NONE: nothing came by the first yet */
  GHashTable *used;             /* fingerprints of all keys so far */
  SecureStreams streams[2];     /* by direction */
  guint64 unauthentic, replayed, malformed, refused;
};

/* --- keys; with the lock --- */

static void
keyed_clear (Keyed * self)
{
  g_clear_pointer (&self->session, secure_session_free);
  secure_key_wipe (&self->key);
}

static gboolean
keyed_init (Keyed * self, const SecureKey * key, GError ** error)
{
  self->key = *key;
  self->session = secure_session_new (key, error);
  if (!self->session)
    keyed_clear (self);
  return self->session != NULL;
}

static void
forget_old_key (SecureContext * self)
{
  if (self->n_keys == 2)
    keyed_clear (&self->keys[--self->n_keys]);
}

static void
note_key (SecureContext * self, const SecureKey * key)
{
  g_hash_table_add (self->used, secure_key_fingerprint (key));
}

static void
expire_old_key (SecureContext * self, RcTime now)
{
  if (self->n_keys == 2 && self->old_until != RC_TIME_NONE && now >= self->old_until)
    forget_old_key (self);
}

static void
on_heard_by (SecureContext * self, guint key, RcTime now)
{
  if (self->n_keys == 2 && key == 0 && self->old_until == RC_TIME_NONE)
    self->old_until = now + SECURE_OLD_KEY_TIME;
}

/* --- life --- */

SecureContext *
secure_context_new (const SecureSettings * settings, gboolean leads, GError ** error)
{
  SecureContext *self;
  SecureKey key;
  Keyed keyed;
  gboolean ok;

  if (!secure_key_read (&key, settings, error))
    return NULL;
  ok = keyed_init (&keyed, &key, error);
  secure_key_wipe (&key);
  if (!ok)
    return NULL;
  self = g_new0 (SecureContext, 1);
  self->refs = 1;
  self->leads = leads;
  g_mutex_init (&self->lock);
  self->keys[0] = keyed;
  self->n_keys = 1;
  self->used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  note_key (self, &keyed.key);
  secure_key_wipe (&keyed.key);
  return self;
}

SecureContext *
secure_context_ref (SecureContext * self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
secure_context_unref (SecureContext * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  secure_context_rest (self);
  while (self->n_keys > 0)
    keyed_clear (&self->keys[--self->n_keys]);
  g_hash_table_unref (self->used);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    secure_streams_clear (&self->streams[i]);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
secure_context_fits (SecureContext * self, const SecureSettings * settings)
{
  SecureKey key;
  gboolean fits;

  if (!settings->key || !secure_key_read (&key, settings, NULL))
    return FALSE;
  g_mutex_lock (&self->lock);
  fits = secure_key_equal (&key, &self->keys[0].key);
  g_mutex_unlock (&self->lock);
  secure_key_wipe (&key);
  return fits;
}

void
secure_context_rest (SecureContext * self)
{
  g_mutex_lock (&self->lock);
  secure_owners_release (self);
  for (guint i = 0; i < self->streams[SECURE_OUT].n; i++)
    self->streams[SECURE_OUT].streams[i].claimed = 0;
  g_mutex_unlock (&self->lock);
}

/* With the lock; takes what it is given. */
static void
put_key_in_front (SecureContext * self, const Keyed * keyed)
{
  forget_old_key (self);
  self->keys[1] = self->keys[0];
  self->keys[0] = *keyed;
  self->n_keys = 2;
  self->old_until = RC_TIME_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    secure_streams_shift_keys (&self->streams[i]);
}

static gboolean
is_new_key (SecureContext * self, const SecureKey * key, GError ** error)
{
  gchar *fingerprint = secure_key_fingerprint (key);
  gboolean is_new = !g_hash_table_contains (self->used, fingerprint);

  g_free (fingerprint);
  if (!is_new)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "srtp-key was used in this session before, and a key that is used twice gives away what it "
        "protects: set another");
  return is_new;
}

gboolean
secure_context_rekey (SecureContext * self, const SecureSettings * settings, GError ** error)
{
  SecureSettings same = *settings;
  SecureKey key;
  Keyed keyed;
  gboolean ok = TRUE;

  g_mutex_lock (&self->lock);
  same.cipher = self->keys[0].key.cipher;
  same.auth = self->keys[0].key.auth;
  g_mutex_unlock (&self->lock);
  if (!secure_key_read (&key, &same, error))
    return FALSE;
  g_mutex_lock (&self->lock);
  if (!secure_key_equal (&key, &self->keys[0].key)) {
    ok = is_new_key (self, &key, error) && keyed_init (&keyed, &key, error);
    if (ok) {
      note_key (self, &key);
      put_key_in_front (self, &keyed);
      secure_key_wipe (&keyed.key);
    }
  }
  g_mutex_unlock (&self->lock);
  secure_key_wipe (&key);
  return ok;
}

guint
secure_context_overhead_bytes (SecureContext * self)
{
  guint bytes;

  g_mutex_lock (&self->lock);
  bytes = secure_key_overhead_bytes (&self->keys[0].key);
  g_mutex_unlock (&self->lock);
  return bytes;
}

/* --- streams; with the lock --- */

static SecureStream *
get_stream (SecureContext * self, SecureDirection direction, guint32 ssrc)
{
  SecureStream *stream = secure_streams_find (&self->streams[direction], ssrc);
  guint32 gone;

  if (!stream && secure_streams_add (&self->streams[direction], ssrc, &stream, &gone))
    for (guint i = 0; i < self->n_keys; i++)
      secure_session_forget (self->keys[i].session, direction, gone);
  return stream;
}

/* A key that this stream has not met yet goes on where the stream is. */
static void
introduce (SecureContext * self, SecureDirection direction, SecureStream * stream, guint key,
    guint16 seq)
{
  if (stream->counted && !(stream->established & 1u << key))
    secure_session_begin (self->keys[key].session, direction, stream->ssrc,
        (guint32) (secure_stream_guess (stream, seq) >> 16));
}

/* --- out --- */

/* FALSE: somebody else in this process sends this SSRC by this key. */
static gboolean
claim (SecureContext * self, SecureStream * stream, guint key)
{
  if (!(stream->claimed & 1u << key) && secure_owners_claim (&self->keys[key].key, stream->ssrc,
          self))
    stream->claimed |= 1u << key;
  return stream->claimed & 1u << key;
}

/* 0: it has no header of RTP, and SRTP will refuse it. */
static gsize
payload_offset (const guint8 * data, gsize size)
{
  gsize at = RTP_HEADER_BYTES + 4 * (gsize) (data[0] & 0x0f);

  if (data[0] & 0x10)
    at += size < at + 4 ? size : 4 + 4 * (gsize) GST_READ_UINT16_BE (data + at + 2);
  return at <= size ? at : 0;
}

/* What must not change under one number. Counter mode only adds the same bytes to the payload, so
 * a packet that is sent again may have another header, as of TWCC. GCM also authenticates the
 * header by that number. */
static guint32
digest_of (const SecureKey * key, const guint8 * data, gsize size)
{
  gsize from = secure_key_is_gcm (key) ? 0 : payload_offset (data, size);

  return secure_digest (data + from, size - from);
}

static gboolean
protect_rtp (SecureContext * self, guint key, guint8 * data, gsize * size,
    SecureDeparture * departure)
{
  guint16 seq = GST_READ_UINT16_BE (data + 2);
  SecureStream *stream = get_stream (self, SECURE_OUT, GST_READ_UINT32_BE (data + 8));

  *departure = (SecureDeparture) {.ssrc = stream->ssrc,.rtp = TRUE,
    .index = secure_stream_guess (stream, seq),
    .digest = digest_of (&self->keys[key].key, data, *size)
  };
  if (!claim (self, stream, key)
      || secure_stream_ask (stream, departure->index, departure->digest) != SECURE_INDEX_FREE)
    return FALSE;
  introduce (self, SECURE_OUT, stream, key, seq);
  if (secure_session_work (self->keys[key].session, SECURE_OUT, FALSE, data, size)
      != SECURE_STATUS_OK)
    return FALSE;
  stream->established |= 1u << key;
  return TRUE;
}

static gboolean
protect_rtcp (SecureContext * self, guint key, guint8 * data, gsize * size)
{
  get_stream (self, SECURE_OUT, GST_READ_UINT32_BE (data + 4));
  if (self->leads)
    *size += secure_indexes_append (&self->streams[SECURE_OUT], data, *size);
  return secure_session_work (self->keys[key].session, SECURE_OUT, TRUE, data, size)
      == SECURE_STATUS_OK;
}

gsize
secure_context_protect (SecureContext * self, guint8 * data, gsize size,
    SecureDeparture * departure, RcTime now)
{
  gboolean rtcp = rtcp_feedback_is_rtcp (data, size), ok;
  guint key;

  *departure = (SecureDeparture) {.rtp = FALSE };
  g_mutex_lock (&self->lock);
  expire_old_key (self, now);
  key = !self->leads && self->n_keys == 2 && self->old_until == RC_TIME_NONE ? 1 : 0;
  if (size < (rtcp ? RTCP_HEADER_BYTES : RTP_HEADER_BYTES))
    ok = FALSE;
  else
    ok = rtcp ? protect_rtcp (self, key, data, &size)
        : protect_rtp (self, key, data, &size, departure);
  self->refused += !ok;
  g_mutex_unlock (&self->lock);
  return ok ? size : 0;
}

void
secure_context_note_sent (SecureContext * self, const SecureDeparture * departures, guint n)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < n; i++)
    if (departures[i].rtp)
      secure_stream_note_sent (get_stream (self, SECURE_OUT, departures[i].ssrc),
          departures[i].index, departures[i].digest);
  g_mutex_unlock (&self->lock);
}

/* --- in; with the lock --- */

typedef struct
{
  guint8 *data;
  gsize size;
  gboolean rtcp;
  guint32 ssrc;
  guint16 seq;                  /* of RTP */
} Packet;

/* FALSE: neither RTP nor RTCP. */
static gboolean
read_header (Packet * self)
{
  if (self->size < RTCP_HEADER_BYTES || self->data[0] >> 6 != RTP_VERSION)
    return FALSE;
  self->rtcp = rtcp_feedback_is_rtcp (self->data, self->size);
  if (!self->rtcp && self->size < RTP_HEADER_BYTES)
    return FALSE;
  self->seq = GST_READ_UINT16_BE (self->data + 2);
  self->ssrc = GST_READ_UINT32_BE (self->data + (self->rtcp ? 4 : 8));
  return TRUE;
}

/* It stands before MKI and tag [RFC 3711 3.4]; GCM has its tag before the index [RFC 7714 9.2]. */
static gint64
rtcp_index (const SecureKey * key, const Packet * packet)
{
  gsize behind = INDEX_BYTES + key->mki_bytes + (secure_key_is_gcm (key) ? 0 : 10);
  guint32 index;

  if (packet->size < behind)
    return -1;
  memcpy (&index, packet->data + packet->size - behind, sizeof index);  /* at any address */
  return GUINT32_FROM_BE (index) & 0x7fffffff;
}

static void
on_authentic (SecureContext * self, const Packet * packet, guint key, gint64 index,
    SecureArrival * arrival, RcTime now)
{
  SecureStream *stream = get_stream (self, SECURE_IN, packet->ssrc);

  *arrival = (SecureArrival) {.rtcp = packet->rtcp,.ssrc = packet->ssrc };
  if (packet->rtcp) {
    arrival->newest = index > stream->rtcp_index;
    stream->rtcp_index = MAX (stream->rtcp_index, index);
  } else {
    stream->established |= 1u << key;
    arrival->newest = secure_stream_note (stream, secure_stream_guess (stream, packet->seq));
  }
  on_heard_by (self, key, now);
}

/* By each key in turn. */
static SecureStatus
unprotect (SecureContext * self, Packet * packet, SecureArrival * arrival, RcTime now)
{
  SecureStream *stream = secure_streams_find (&self->streams[SECURE_IN], packet->ssrc);
  guint8 *copy = self->n_keys == 2 ? g_memdup2 (packet->data, packet->size) : NULL;
  SecureStatus status = SECURE_STATUS_UNAUTHENTIC, worst = SECURE_STATUS_UNAUTHENTIC;
  gsize size = packet->size;

  for (guint key = 0; key < self->n_keys && status != SECURE_STATUS_OK; key++) {
    gint64 index = rtcp_index (&self->keys[key].key, packet);

    if (key > 0)
      memcpy (packet->data, copy, packet->size);
    if (stream && !packet->rtcp)
      introduce (self, SECURE_IN, stream, key, packet->seq);
    status = secure_session_work (self->keys[key].session, SECURE_IN, packet->rtcp, packet->data,
        &size);
    if (status == SECURE_STATUS_OK)
      on_authentic (self, packet, key, index, arrival, now);
    else
      worst = MAX (worst, status);
  }
  g_free (copy);
  packet->size = size;
  return status == SECURE_STATUS_OK ? status : worst;
}

gboolean
secure_context_unprotect (SecureContext * self, guint8 * data, gsize * size,
    SecureArrival * arrival, RcTime now)
{
  Packet packet = {.data = data,.size = *size };
  SecureStatus status = SECURE_STATUS_MALFORMED;

  g_mutex_lock (&self->lock);
  expire_old_key (self, now);
  if (read_header (&packet))
    status = unprotect (self, &packet, arrival, now);
  if (status == SECURE_STATUS_OK && packet.rtcp)
    packet.size = secure_indexes_take (&self->streams[SECURE_IN], data, packet.size);
  self->unauthentic += status == SECURE_STATUS_UNAUTHENTIC;
  self->replayed += status == SECURE_STATUS_REPLAYED;
  self->malformed += status == SECURE_STATUS_MALFORMED;
  g_mutex_unlock (&self->lock);
  *size = packet.size;
  return status == SECURE_STATUS_OK;
}

/* --- what it tells --- */

void
secure_context_add_stats (SecureContext * self, GstStructure * stats)
{
  guint64 unauthentic = 0, replayed = 0, malformed = 0, refused = 0;
  const gchar *cipher = "off";

  if (self) {
    g_mutex_lock (&self->lock);
    unauthentic = self->unauthentic;
    replayed = self->replayed;
    malformed = self->malformed;
    refused = self->refused;
    cipher = secure_cipher_name (self->keys[0].key.cipher);
    g_mutex_unlock (&self->lock);
  }
  gst_structure_set (stats, "srtp", G_TYPE_STRING, cipher,
      "rejected", G_TYPE_UINT64, unauthentic + replayed + malformed,
      "rejected-unauthentic", G_TYPE_UINT64, unauthentic,
      "rejected-replayed", G_TYPE_UINT64, replayed,
      "rejected-malformed", G_TYPE_UINT64, malformed, "srtp-refused", G_TYPE_UINT64, refused, NULL);
}
