/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a user sets for SRTP, and the key that comes of it: checked, with errors that say what is
 * right and never what the key is. Ciphers and authentication have the names that srtpenc and
 * srtpdec of GStreamer give them, and the key has their form: master key, then master salt. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define SECURE_KEY_MAX_BYTES 46 /* AES-256 in counter mode: 32 and a salt of 14 [RFC 6188] */
#define SECURE_SALT_BYTES 16    /* of a passphrase */
#define SECURE_MKI_MAX_BYTES 16 /* of each packet; RFC 3711 has up to 128 */

typedef enum
{
  SECURE_CIPHER_AES_128_ICM,
  SECURE_CIPHER_AES_256_ICM,
  SECURE_CIPHER_AES_128_GCM,
  SECURE_CIPHER_AES_256_GCM,
  SECURE_CIPHER_AUTO,           /* by the length of the key: each of the others has its own */
} SecureCipher;

typedef enum
{
  SECURE_AUTH_HMAC_SHA1_80,
  SECURE_AUTH_HMAC_SHA1_32,
} SecureAuth;

/* As the properties have it. */
typedef struct
{
  GstBuffer *key;               /* NULL: no SRTP */
  gchar *key_file;              /* that has the key instead; NULL: none */
  GstBuffer *passphrase;        /* that it comes of instead; NULL: none */
  GstBuffer *file_key;          /* what the file held when it was read, or what came of the
                                 * passphrase and this salt; NULL: nothing yet */
  guint8 salt[SECURE_SALT_BYTES];
  GstBuffer *mki;               /* of the key set next; NULL: none */
  gint cipher, auth;            /* SecureCipher, SecureAuth: AES-GCM has its own authentication */
} SecureSettings;

typedef struct
{
  SecureCipher cipher;
  SecureAuth auth;
  guint8 bytes[SECURE_KEY_MAX_BYTES];
  guint8 mki[SECURE_MKI_MAX_BYTES];
  guint key_bytes, mki_bytes;   /* mki_bytes 0: none */
} SecureKey;

GType secure_cipher_get_type (void);
GType secure_auth_get_type (void);
const gchar *secure_cipher_name (SecureCipher cipher);
/* Never SECURE_CIPHER_AUTO, unless no cipher has a key of this size. */
SecureCipher secure_cipher_resolve (SecureCipher cipher, gsize key_bytes);

/* Of master key and salt together; of SECURE_CIPHER_AUTO those that a passphrase gets. */
guint secure_cipher_key_bytes (SecureCipher cipher);

/* FALSE: *error (GST_RESOURCE_ERROR) says what would be right. */
gboolean secure_key_read (SecureKey * self, const SecureSettings * settings, GError ** error);
gboolean secure_key_is_gcm (const SecureKey * self);
gboolean secure_key_equal (const SecureKey * self, const SecureKey * other);
/* Of master key and salt, whatever the MKI: one that is used twice is found by it. To be freed. */
gchar *secure_key_fingerprint (const SecureKey * self);
/* Bytes that an RTP packet has more: the authentication tag and the MKI. */
guint secure_key_overhead_bytes (const SecureKey * self);
void secure_key_wipe (SecureKey * self);
/* With a copy of these bytes, which is wiped when the buffer goes. */
GstBuffer *secure_key_buffer_new (const guint8 * bytes, gsize size);

G_END_DECLS
