/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securecontextprivate.h"

#include "srtp/secureowners.h"

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

/* Others may send by this key. */
static void
release (SecureContext * self, guint key)
{
  SecureStreams *streams = &self->streams[SECURE_OUT];

  for (guint i = 0; i < secure_streams_n (streams); i++) {
    SecureStream *stream = secure_streams_get (streams, i);
    SecureSent sent = { stream->counted ? (gint64) stream->index : -1, stream->rtcp_pkts[key] };

    if (stream->claimed & 1u << key)
      secure_owners_release (&self->keys[key].key, stream->ssrc, self->id, &sent);
    stream->claimed &= ~(1u << key);
  }
}

static void
forget_old_key (SecureContext * self)
{
  if (self->n_keys < SECURE_KEYS)
    return;
  release (self, 1);
  keyed_clear (&self->keys[--self->n_keys]);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    secure_streams_forget_old_key (&self->streams[i]);
}

static void
note_key (SecureContext * self, const SecureKey * key)
{
  g_hash_table_add (self->used, secure_key_fingerprint (key));
}

void
secure_context_expire_old_key (SecureContext * self, RcTime now)
{
  if (self->n_keys == 2 && self->old_until != RC_TIME_NONE && now >= self->old_until)
    forget_old_key (self);
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
  self->id = secure_owners_new_id ();
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
  for (guint i = 0; i < self->n_keys; i++)
    release (self, i);
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
  self->warned = 0;
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

void
secure_context_warn (SecureContext * self, SecureWarning warning)
{
  if (self->warned & 1u << warning)
    return;
  self->warned |= 1u << warning;
  g_atomic_int_or (&self->warnings, 1 << warning);
}

void
secure_context_forget_stream (SecureContext * self, SecureDirection direction, guint32 ssrc)
{
  for (guint i = 0; i < self->n_keys; i++)
    secure_session_forget (self->keys[i].session, direction, ssrc);
}

SecureStream *
secure_context_get_stream (SecureContext * self, SecureDirection direction, guint32 ssrc)
{
  SecureStreams *streams = &self->streams[direction];
  SecureStream *stream = secure_streams_find (streams, ssrc);
  guint32 gone;

  if (!stream)
    stream = secure_streams_add (streams, ssrc);
  if (!stream && secure_streams_drop (streams, &gone)) {
    secure_context_forget_stream (self, direction, gone);
    stream = secure_streams_add (streams, ssrc);
  }
  if (!stream)
    secure_context_warn (self, direction == SECURE_OUT ? SECURE_WARNING_FULL_OUT
        : SECURE_WARNING_FULL_IN);
  return stream;
}

void
secure_context_introduce (SecureContext * self, SecureDirection direction, SecureStream * stream,
    guint key, guint64 index)
{
  gboolean far = stream->counted && (stream->taken[key] < 0
      || index > (guint64) stream->taken[key] + SECURE_HALF);

  if (far || stream->begun & 1u << key)
    secure_session_begin (self->keys[key].session, direction, stream->ssrc,
        far ? (guint32) (index >> 16) : 0);
  stream->begun = far ? stream->begun | 1u << key : stream->begun & ~(1u << key);
}

/* --- statistics and warnings --- */

static const gchar *const warnings[] = {
  [SECURE_WARNING_FULL_OUT] = "srtp-key protects 4096 SSRCs, and no more can be remembered: the "
      "packets of others do not leave (srtp-unsent). Set another srtp-key, first at the receiver",
  [SECURE_WARNING_FULL_IN] = "4096 SSRCs have come under this srtp-key, and no more can be "
      "remembered: the packets of others are dropped (rejected-surplus). Set another srtp-key here "
      "and then at the sender",
  [SECURE_WARNING_RTCP_ENDS] = "the numbers of SRTCP under this srtp-key come to their end within "
      "weeks: set another srtp-key, first at the receiver",
  [SECURE_WARNING_RTCP_ENDED] = "the numbers of SRTCP under this srtp-key are used up: reports no "
      "longer leave (srtp-unsent), and the sender stops. Set another srtp-key, first at the "
      "receiver",
};

const gchar *
secure_context_take_warning (SecureContext * self)
{
  guint bits = (guint) g_atomic_int_get (&self->warnings);
  gint bit = g_bit_nth_lsf (bits, -1);

  if (bits == 0)
    return NULL;
  g_atomic_int_and (&self->warnings, ~(1u << bit));
  return warnings[bit];
}

#define COUNTER(...) FIELD_COUNTER (SecureStats, __VA_ARGS__)

const FieldRow secure_fields[] = {
  FIELD_TEXT (SecureStats, cipher, "srtp", "cipher, or off"),
  COUNTER (rejected, "rejected", "", "incoming packets rejected: sum of the next four"),
  COUNTER (unauthentic, "rejected-unauthentic", "",
      "forged, not encrypted, or encrypted with another key"),
  COUNTER (replayed, "rejected-replayed", "", "replayed, or older than the replay window"),
  COUNTER (malformed, "rejected-malformed", "", "neither SRTP nor SRTCP"),
  COUNTER (surplus, "rejected-surplus", "", "authentic, but of more than 4096 SSRCs under one key"),
  COUNTER (unsent, "srtp-unsent", "",
      "outgoing packets discarded: number already used, 4096 SSRCs, or key exhausted"),
  {NULL}
};

void
secure_context_add_stats (SecureContext * self, GstStructure * stats)
{
  SecureStats now = {.cipher = "off" };

  if (self) {
    g_mutex_lock (&self->lock);
    now = self->stats;
    now.cipher = secure_cipher_name (self->keys[0].key.cipher);
    g_mutex_unlock (&self->lock);
  }
  now.rejected = now.unauthentic + now.replayed + now.malformed + now.surplus;
  fields_add (stats, secure_fields, &now);
}
