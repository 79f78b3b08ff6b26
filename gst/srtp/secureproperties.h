/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The properties srtp-key, srtp-key-file, passphrase, srtp-mki, srtp-cipher and srtp-auth of an
 * element. Key and passphrase can be set and never read, so that no dump of properties has them.
 * No locks: the caller's is held. */
#pragma once

#include "srtp/securecontext.h"

G_BEGIN_DECLS

typedef enum
{
  SECURE_PROPERTY_KEY,
  SECURE_PROPERTY_MKI,
  SECURE_PROPERTY_CIPHER,
  SECURE_PROPERTY_AUTH,
  SECURE_PROPERTY_KEY_FILE,
  SECURE_PROPERTY_PASSPHRASE,
  SECURE_N_PROPERTIES
} SecureProperty;

#define SECURE_SETTINGS_DEFAULT \
    {.cipher = SECURE_CIPHER_AUTO,.auth = SECURE_AUTH_HMAC_SHA1_80 }

/* Their ids are first_id and those after it. */
void secure_properties_install (GObjectClass * klass, guint first_id);
void secure_settings_set (SecureSettings * self, SecureProperty property, const GValue * value);
void secure_settings_get (const SecureSettings * self, SecureProperty property, GValue * value);
/* With copies of its own, so that no lock is held while it is used. */
SecureSettings secure_settings_copy (const SecureSettings * self);
/* Of such a copy: the key that its file holds or that comes of its passphrase, unless file_key is
 * known. FALSE and *error: there is none. *warning: text for the user (g_free), or NULL. */
gboolean secure_settings_find_key (SecureSettings * copy, gchar ** warning, GError ** error);
/* TRUE: the key may be another one by it. */
gboolean secure_property_is_key (SecureProperty property);
/* The key of an element, which has its settings under its object lock: in *copy, from its file
 * unless that was read already, or of its passphrase and a new salt unless it is known; anew: in
 * any case. What is odd about the file is a warning of the element. FALSE and *error: there is none
 * to be had. */
gboolean secure_settings_read (SecureSettings * self, gpointer element, gboolean anew,
    SecureSettings * copy, GError ** error);
/* A copy of them with another value, for secure_settings_rekey(). */
SecureSettings secure_settings_with (const SecureSettings * self, gpointer element,
    SecureProperty property, const GValue * value);
/* Finds the key of `next`, which the context (NULL: none) takes; then comes secure_settings_put(),
 * so that nobody sees settings without their key. FALSE: all is as before, which is a warning of
 * the element; but that srtp-key is taken away holds from the next start. */
gboolean secure_settings_rekey (SecureSettings * self, gpointer element, SecureSettings * next,
    SecureContext * context);
void secure_settings_put (SecureSettings * self, gpointer element, const SecureSettings * next);
/* What a copy has read or derived, if it is of the same file or passphrase. */
void secure_settings_keep_file (SecureSettings * self, const SecureSettings * copy);
/* The same passphrase, with what was derived of it. */
void secure_settings_take_passphrase (SecureSettings * self, const SecureSettings * copy);
/* Key, file and passphrase of those whose key was found. */
void secure_settings_take_key (SecureSettings * self, const SecureSettings * found);
/* FALSE: a key that is still to be found. */
gboolean secure_settings_is_whole (const SecureSettings * self);
gboolean secure_settings_same_passphrase (const SecureSettings * self, GstBuffer * passphrase);
/* The salt that callers need; NULL: none. */
const guint8 *secure_settings_salt (const SecureSettings * self);
/* The same key, or the same file of one, or passphrase and salt. */
gboolean secure_settings_same_key (const SecureSettings * self, const SecureSettings * other);
void secure_settings_clear (SecureSettings * self);

G_END_DECLS
