/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securekey.h"

#include "base/propertyrows.h"
#include "base/wipe.h"

#include <string.h>

#define GCM_TAG_BYTES 16        /* [RFC 7714 13.1] */

/* Salts of 14 [RFC 3711 8.2] and of 12 bytes [RFC 7714 12]: no two sums are the same. */
static const struct
{
  guint key_bytes, salt_bytes;
} forms[] = {
  [SECURE_CIPHER_AES_128_ICM] = {16, 14},
  [SECURE_CIPHER_AES_256_ICM] = {32, 14},
  [SECURE_CIPHER_AES_128_GCM] = {16, 12},
  [SECURE_CIPHER_AES_256_GCM] = {32, 12},
};

PROPERTY_ENUM_TYPE (secure_cipher_get_type, "GstArcSrtpCipher",
    {SECURE_CIPHER_AUTO, "By the length of srtp-key", "auto"},
    {SECURE_CIPHER_AES_128_ICM, "AES-128 in counter mode", "aes-128-icm"},
    {SECURE_CIPHER_AES_256_ICM, "AES-256 in counter mode", "aes-256-icm"},
    {SECURE_CIPHER_AES_128_GCM, "AES-128-GCM", "aes-128-gcm"},
    {SECURE_CIPHER_AES_256_GCM, "AES-256-GCM", "aes-256-gcm"})

PROPERTY_ENUM_TYPE (secure_auth_get_type, "GstArcSrtpAuth",
    {SECURE_AUTH_HMAC_SHA1_80, "HMAC-SHA1, tag of 80 bits", "hmac-sha1-80"},
    {SECURE_AUTH_HMAC_SHA1_32, "HMAC-SHA1, tag of 32 bits in RTP and of 80 in RTCP",
        "hmac-sha1-32"})

const gchar *
secure_cipher_name (SecureCipher cipher)
{
  return property_enum_nick (secure_cipher_get_type (), (gint) cipher);
}

SecureCipher
secure_cipher_resolve (SecureCipher cipher, gsize key_bytes)
{
  for (guint i = 0; cipher == SECURE_CIPHER_AUTO && i < G_N_ELEMENTS (forms); i++)
    if (forms[i].key_bytes + forms[i].salt_bytes == key_bytes)
      cipher = i;
  return cipher;
}

guint
secure_cipher_key_bytes (SecureCipher cipher)
{
  cipher = cipher == SECURE_CIPHER_AUTO ? SECURE_CIPHER_AES_128_GCM : cipher;
  return forms[cipher].key_bytes + forms[cipher].salt_bytes;
}

gboolean
secure_key_is_gcm (const SecureKey * self)
{
  return self->cipher == SECURE_CIPHER_AES_128_GCM || self->cipher == SECURE_CIPHER_AES_256_GCM;
}

guint
secure_key_overhead_bytes (const SecureKey * self)
{
  guint tag_bytes = self->auth == SECURE_AUTH_HMAC_SHA1_32 ? 4 : 10;

  return (secure_key_is_gcm (self) ? GCM_TAG_BYTES : tag_bytes) + self->mki_bytes;
}

/* The key is given literally, in hexadecimal or base64. */
static gboolean
is_text (GstBuffer * buffer)
{
  GstMapInfo map;
  gsize i;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;
  for (i = 0; i < map.size; i++)
    if (!g_ascii_isalnum (map.data[i]) && !strchr ("+/=:|", map.data[i]))
      break;
  gst_buffer_unmap (buffer, &map);
  return map.size > 0 && i == map.size;
}

static void
set_length_error (SecureCipher cipher, GstBuffer * buffer, GError ** error)
{
  gsize have = gst_buffer_get_size (buffer);
  const gchar *unit = is_text (buffer) ? "characters of text" : "bytes";

  if (cipher == SECURE_CIPHER_AUTO)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "srtp-key has %" G_GSIZE_FORMAT " %s, and it needs 28 bytes for aes-128-gcm, 30 for "
        "aes-128-icm, 44 for aes-256-gcm or 46 for aes-256-icm: the master key and then the salt. "
        "On a command line give them as twice as many hexadecimal digits", have, unit);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "srtp-key has %" G_GSIZE_FORMAT " %s, but srtp-cipher=%s needs %u bytes: %u of the master "
        "key and then %u of the salt. On a command line give them as %u hexadecimal digits",
        have, unit, secure_cipher_name (cipher), secure_cipher_key_bytes (cipher),
        forms[cipher].key_bytes, forms[cipher].salt_bytes, 2 * secure_cipher_key_bytes (cipher));
}

/* libsrtp 2.5 looks for the MKI of RTCP where the tag of RTP would begin, and RTCP has the longer
 * tag. */
static gboolean
read_mki (SecureKey * self, GstBuffer * mki, GError ** error)
{
  gsize bytes = gst_buffer_get_size (mki);

  if (bytes == 0 || bytes > SECURE_MKI_MAX_BYTES)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "srtp-mki has %"
        G_GSIZE_FORMAT " bytes; it may have 1 to %d, on a command line as hexadecimal digits",
        bytes, SECURE_MKI_MAX_BYTES);
  else if (!secure_key_is_gcm (self) && self->auth == SECURE_AUTH_HMAC_SHA1_32)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "srtp-mki does not work with srtp-auth=hmac-sha1-32: take hmac-sha1-80, AES-GCM or no MKI");
  else
    self->mki_bytes = (guint) gst_buffer_extract (mki, 0, self->mki, bytes);
  return self->mki_bytes > 0;
}

gboolean
secure_key_read (SecureKey * self, const SecureSettings * settings, GError ** error)
{
  gsize bytes = gst_buffer_get_size (settings->key);
  SecureCipher cipher = secure_cipher_resolve (settings->cipher, bytes);

  if (cipher == SECURE_CIPHER_AUTO
      || bytes != forms[cipher].key_bytes + forms[cipher].salt_bytes) {
    set_length_error (cipher, settings->key, error);
    secure_key_wipe (self);
    return FALSE;
  }
  *self = (SecureKey) {.cipher = cipher,.auth = settings->auth,.key_bytes = (guint) bytes };
  gst_buffer_extract (settings->key, 0, self->bytes, self->key_bytes);
  if (!settings->mki || read_mki (self, settings->mki, error))
    return TRUE;
  secure_key_wipe (self);
  return FALSE;
}

gboolean
secure_key_equal (const SecureKey * self, const SecureKey * other)
{
  return self->cipher == other->cipher && self->auth == other->auth
      && self->key_bytes == other->key_bytes && self->mki_bytes == other->mki_bytes
      && memcmp (self->bytes, other->bytes, self->key_bytes) == 0
      && memcmp (self->mki, other->mki, self->mki_bytes) == 0;
}

/* GChecksum keeps what it was given of an incomplete block, also when it is freed; other bytes take
 * the place of the key there. */
gchar *
secure_key_fingerprint (const SecureKey * self)
{
  static const guint8 zeros[SECURE_KEY_MAX_BYTES] = { 0 };
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gchar *fingerprint;

  g_checksum_update (checksum, self->bytes, self->key_bytes);
  fingerprint = g_strdup (g_checksum_get_string (checksum));
  g_checksum_reset (checksum);
  g_checksum_update (checksum, zeros, sizeof zeros);
  g_checksum_free (checksum);
  return fingerprint;
}

void
secure_key_wipe (SecureKey * self)
{
  wipe (self, sizeof *self);
}

typedef struct
{
  gsize size;
  guint8 bytes[];
} Secret;

static void
secret_free (gpointer data)
{
  Secret *self = data;

  wipe (self->bytes, self->size);
  g_free (self);
}

GstBuffer *
secure_key_buffer_new (const guint8 * bytes, gsize size)
{
  Secret *secret = g_malloc (sizeof *secret + size);

  secret->size = size;
  if (size > 0)                 /* bytes may be NULL then */
    memcpy (secret->bytes, bytes, size);
  return gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, secret->bytes, size, 0, size,
      secret, secret_free);
}
