/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securepassphrase.h"

#include "base/randombytes.h"
#include "base/wipe.h"

#include <string.h>

GstBuffer *
secure_passphrase_new (const gchar * text)
{
  return text ? secure_key_buffer_new ((const guint8 *) text, strlen (text)) : NULL;
}

gboolean
secure_passphrase_check (GstBuffer * self, GError ** error)
{
  gboolean ok = FALSE;
  GstMapInfo map;

  if (!gst_buffer_map (self, &map, GST_MAP_READ))
    map = (GstMapInfo) { 0 };
  if (!secure_has_kdf)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "this build of gst-arc knows no passphrase: install nettle-dev and build again, or set "
        "srtp-key-file at both ends");
  else if (map.size < SECURE_PASSPHRASE_LEAST || map.size > SECURE_PASSPHRASE_MOST)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "passphrase has %"
        G_GSIZE_FORMAT " bytes; it may have %d to %d", map.size, SECURE_PASSPHRASE_LEAST,
        SECURE_PASSPHRASE_MOST);
  else if (!(ok = g_utf8_validate ((const gchar *) map.data, (gssize) map.size, NULL)))
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "passphrase is not UTF-8: set the locale of the program, or take letters of ASCII");
  if (map.memory)
    gst_buffer_unmap (self, &map);
  return ok;
}

/* Keyboards and systems write one letter by other characters: NFC is the same for all. GLib leaves
 * copies in memory that it frees, and ASCII is its own NFC. */
static gchar *
normalise (GstBuffer * self)
{
  gchar text[SECURE_PASSPHRASE_MOST + 1];
  gsize size = gst_buffer_extract (self, 0, text, SECURE_PASSPHRASE_MOST);
  gchar *normal;

  text[size] = '\0';
  normal = g_str_is_ascii (text) ? g_strdup (text) : g_utf8_normalize (text, (gssize) size,
      G_NORMALIZE_NFC);
  wipe (text, sizeof text);
  return normal;
}

GstBuffer *
secure_passphrase_derive (GstBuffer * self, const guint8 * salt, SecureCipher cipher)
{
  gsize size = secure_cipher_key_bytes (cipher);
  guint8 key[SECURE_KEY_MAX_BYTES];
  gchar *text = normalise (self);
  GstBuffer *buffer;

  secure_kdf ((const guint8 *) text, strlen (text), salt, key, size);
  buffer = secure_key_buffer_new (key, size);
  wipe (key, sizeof key);
  wipe_and_free (text);
  return buffer;
}

GstBuffer *
secure_passphrase_guard (SecureCipher cipher)
{
  gsize size = secure_cipher_key_bytes (cipher);
  guint8 key[SECURE_KEY_MAX_BYTES];
  GstBuffer *buffer;

  random_bytes (key, size);
  buffer = secure_key_buffer_new (key, size);
  wipe (key, sizeof key);
  return buffer;
}
