/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A password for a stream, and the key that comes of it (lib/rc/feedback/call.h has how). The end
 * that listens makes the salt, and sends it to those that call.
 *
 * Nobody from outside has a listener derive a key: it does that at the start and when the property
 * is set. A caller does it once for each salt (gst/arcsrc/callsecret.h). */
#pragma once

#include "srtp/securekey.h"

G_BEGIN_DECLS

#define SECURE_PASSPHRASE_LEAST 10      /* bytes of UTF-8, as of SRT */
#define SECURE_PASSPHRASE_MOST 79

/* NULL: none. */
GstBuffer *secure_passphrase_new (const gchar * text);
/* FALSE: *error (GST_RESOURCE_ERROR) says what is wrong with it. */
gboolean secure_passphrase_check (GstBuffer * self, GError ** error);
/* Of one that was checked: of the length that the cipher needs. Takes CPU time, 0.07 s on one with
 * instructions for SHA. */
GstBuffer *secure_passphrase_derive (GstBuffer * self, const guint8 * salt, SecureCipher cipher);
/* As long as that, and nobody knows it. */
GstBuffer *secure_passphrase_guard (SecureCipher cipher);
/* By the library, if there is one. */
extern const gboolean secure_has_kdf;
void secure_kdf (const guint8 * secret, gsize size, const guint8 * salt, guint8 * key,
    gsize key_bytes);

G_END_DECLS
