/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/secureproperties.h"

#include "base/propertyrows.h"
#include "base/randombytes.h"
#include "srtp/securekeyfile.h"
#include "srtp/securepassphrase.h"

#include <string.h>

/* Explicit notify: gst-launch-1.0 -v would print that it cannot print it. */
#define KEY_FLAGS (G_PARAM_WRITABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)

/* In the order of SecureProperty. */
static const PropertyRow properties[] = {
  PROPERTY_ROW_BOXED (SecureSettings, key, KEY_FLAGS, "srtp-key", "SRTP key",
      "SRTP master key and salt, in hexadecimal on a command line: 56 digits for aes-128-gcm, "
      "60 for aes-128-icm, 88 for aes-256-gcm, 92 for aes-256-icm. Enables SRTP and SRTCP. A "
      "new one while playing is set at the receiver first", gst_buffer_get_type),
  PROPERTY_ROW_BOXED (SecureSettings, mki, PROPERTY_PLAYING, "srtp-mki", "SRTP MKI",
      "Master key identifier (MKI) of the srtp-key that is set after it: set srtp-mki first "
      "(unset: none)", gst_buffer_get_type),
  PROPERTY_ROW_ENUM (SecureSettings, cipher, PROPERTY_READY, "srtp-cipher", "SRTP cipher",
      "Cipher of SRTP and SRTCP", secure_cipher_get_type, SECURE_CIPHER_AUTO),
  PROPERTY_ROW_ENUM (SecureSettings, auth, PROPERTY_READY, "srtp-auth", "SRTP authentication",
      "Authentication algorithm of SRTP; ignored with AES-GCM", secure_auth_get_type,
      SECURE_AUTH_HMAC_SHA1_80),
  PROPERTY_ROW_STRING (SecureSettings, key_file, PROPERTY_PLAYING, "srtp-key-file",
      "SRTP key file",
      "File with the srtp-key in hexadecimal, read at the start and when this is set", NULL),
  PROPERTY_ROW_OWN_STRING (KEY_FLAGS, "passphrase", "Passphrase",
      "Password of 10 to 79 bytes of UTF-8, the same at both ends, from which the key of SRTP "
      "is derived, for receivers that call", NULL),
  {NULL}
};

void
secure_properties_install (GObjectClass * klass, guint first_id)
{
  property_rows_install (klass, first_id, properties);
}

/* GstBuffers may change under us: a copy of the bytes. */
static void
take_buffer (GstBuffer ** place, const GValue * value)
{
  GstBuffer *buffer = g_value_get_boxed (value);
  GstMapInfo map;

  gst_clear_buffer (place);
  if (!buffer || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return;
  *place = secure_key_buffer_new (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

static void
take_passphrase (SecureSettings * self, const GValue * value)
{
  gst_clear_buffer (&self->passphrase);
  gst_clear_buffer (&self->file_key);
  self->passphrase = secure_passphrase_new (g_value_get_string (value));
}

void
secure_settings_set (SecureSettings * self, SecureProperty property, const GValue * value)
{
  if (property == SECURE_PROPERTY_KEY || property == SECURE_PROPERTY_MKI)
    take_buffer (property == SECURE_PROPERTY_KEY ? &self->key : &self->mki, value);
  else if (property == SECURE_PROPERTY_PASSPHRASE)
    take_passphrase (self, value);
  else
    property_rows_write (properties, self, property + 1, value);
  if (property == SECURE_PROPERTY_KEY_FILE)
    gst_clear_buffer (&self->file_key);
}

void
secure_settings_get (const SecureSettings * self, SecureProperty property, GValue * value)
{
  property_rows_read (properties, self, property + 1, value);
}

SecureSettings
secure_settings_copy (const SecureSettings * self)
{
  SecureSettings copy = *self;

  copy.key = self->key ? gst_buffer_ref (self->key) : NULL;
  copy.mki = self->mki ? gst_buffer_ref (self->mki) : NULL;
  copy.passphrase = self->passphrase ? gst_buffer_ref (self->passphrase) : NULL;
  copy.file_key = self->file_key ? gst_buffer_ref (self->file_key) : NULL;
  copy.key_file = g_strdup (self->key_file);
  return copy;
}

gboolean
secure_property_is_key (SecureProperty property)
{
  return property == SECURE_PROPERTY_KEY || property == SECURE_PROPERTY_KEY_FILE
      || property == SECURE_PROPERTY_PASSPHRASE;
}

static gboolean
same_bytes (GstBuffer * a, GstBuffer * b)
{
  gboolean same = a == b;
  GstMapInfo map;

  if (!same && a && b && gst_buffer_get_size (a) == gst_buffer_get_size (b)
      && gst_buffer_map (a, &map, GST_MAP_READ)) {
    same = gst_buffer_memcmp (b, 0, map.data, map.size) == 0;
    gst_buffer_unmap (a, &map);
  }
  return same;
}

static gboolean
is_single (const SecureSettings * self, GError ** error)
{
  const gchar *both = NULL;

  if (self->passphrase && (self->key || self->key_file))
    both = "passphrase is set beside srtp-key or srtp-key-file: set only one of them";
  else if (self->key && self->key_file)
    both = "srtp-key and srtp-key-file are both set: set only one of them";
  if (both)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, both);
  return both == NULL;
}

gboolean
secure_settings_find_key (SecureSettings * copy, gchar ** warning, GError ** error)
{
  *warning = NULL;
  if (!is_single (copy, error)
      || (copy->passphrase && !secure_passphrase_check (copy->passphrase, error)))
    return FALSE;
  if (!copy->key_file && !copy->passphrase)
    return TRUE;
  if (copy->passphrase && !copy->file_key) {
    random_bytes (copy->salt, sizeof copy->salt);
    copy->file_key = secure_passphrase_derive (copy->passphrase, copy->salt, copy->cipher);
  } else if (!copy->file_key) {
    copy->file_key = secure_key_file_read (copy->key_file, warning, error);
  }
  copy->key = copy->file_key ? gst_buffer_ref (copy->file_key) : NULL;
  return copy->key != NULL;
}

gboolean
secure_settings_same_passphrase (const SecureSettings * self, GstBuffer * passphrase)
{
  return same_bytes (self->passphrase, passphrase);
}

void
secure_settings_keep_file (SecureSettings * self, const SecureSettings * copy)
{
  if (self->passphrase ? same_bytes (self->passphrase, copy->passphrase)
      : self->key_file && g_strcmp0 (self->key_file, copy->key_file) == 0) {
    gst_buffer_replace (&self->file_key, copy->file_key);
    memcpy (self->salt, copy->salt, sizeof self->salt);
  }
}

void
secure_settings_take_key (SecureSettings * self, const SecureSettings * found)
{
  g_free (self->key_file);
  self->key_file = g_strdup (found->key_file);
  gst_buffer_replace (&self->key, found->file_key ? NULL : found->key);
  secure_settings_take_passphrase (self, found);
}

void
secure_settings_take_passphrase (SecureSettings * self, const SecureSettings * copy)
{
  gst_buffer_replace (&self->passphrase, copy->passphrase);
  gst_buffer_replace (&self->file_key, copy->file_key);
  memcpy (self->salt, copy->salt, sizeof self->salt);
}

gboolean
secure_settings_is_whole (const SecureSettings * self)
{
  return self->file_key || (!self->key_file && !self->passphrase);
}

const guint8 *
secure_settings_salt (const SecureSettings * self)
{
  return self->passphrase && self->file_key ? self->salt : NULL;
}

/* --- of an element --- */

gboolean
secure_settings_read (SecureSettings * self, gpointer element, gboolean anew,
    SecureSettings * copy, GError ** error)
{
  gchar *warning;
  gboolean ok;

  GST_OBJECT_LOCK (element);
  *copy = secure_settings_copy (self);
  GST_OBJECT_UNLOCK (element);
  if (anew)
    gst_clear_buffer (&copy->file_key);
  ok = secure_settings_find_key (copy, &warning, error);
  GST_OBJECT_LOCK (element);
  secure_settings_keep_file (self, copy);
  GST_OBJECT_UNLOCK (element);
  if (warning)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s", warning), (NULL));
  g_free (warning);
  return ok;
}

SecureSettings
secure_settings_with (const SecureSettings * self, gpointer element, SecureProperty property,
    const GValue * value)
{
  SecureSettings next;

  GST_OBJECT_LOCK (element);
  next = secure_settings_copy (self);
  GST_OBJECT_UNLOCK (element);
  secure_settings_set (&next, property, value);
  return next;
}

static void
find_next_key (SecureSettings * next, gpointer element, GError ** error)
{
  gchar *warning;

  secure_settings_find_key (next, &warning, error);
  if (warning)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s", warning), (NULL));
  g_free (warning);
}

/* A passphrase stays; without another key there is none from the next start on. */
static void
take_away (SecureSettings * self, gpointer element, const SecureSettings * next)
{
  gboolean phrase, had;

  GST_OBJECT_LOCK (element);
  phrase = self->passphrase != NULL;
  had = phrase || self->key || self->key_file;
  if (!phrase)
    secure_settings_take_key (self, next);
  GST_OBJECT_UNLOCK (element);
  if (had)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s", phrase ? "passphrase cannot be taken "
            "away while playing: the old one stays until the next start" : "srtp-key cannot be "
            "taken away while playing: the old one stays until the next start"), (NULL));
}

gboolean
secure_settings_rekey (SecureSettings * self, gpointer element, SecureSettings * next,
    SecureContext * context)
{
  GError *error = NULL;
  gboolean ok;

  find_next_key (next, element, &error);
  ok = next->key && !error && (!context || secure_context_rekey (context, next, &error));
  if (!ok && !error)
    take_away (self, element, next);
  else if (!ok)
    GST_ELEMENT_WARNING (element, RESOURCE, SETTINGS, ("%s. The old key stays", error->message),
        (NULL));
  g_clear_error (&error);
  return ok;
}

void
secure_settings_put (SecureSettings * self, gpointer element, const SecureSettings * next)
{
  GST_OBJECT_LOCK (element);
  secure_settings_take_key (self, next);
  GST_OBJECT_UNLOCK (element);
}

gboolean
secure_settings_same_key (const SecureSettings * self, const SecureSettings * other)
{
  return same_bytes (self->key, other->key) && g_strcmp0 (self->key_file, other->key_file) == 0
      && same_bytes (self->passphrase, other->passphrase)
      && (!self->passphrase || memcmp (self->salt, other->salt, sizeof self->salt) == 0);
}

void
secure_settings_clear (SecureSettings * self)
{
  gst_clear_buffer (&self->passphrase);
  gst_clear_buffer (&self->file_key);
  property_rows_clear (properties, self);
}
