/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keys, packets, and the two ends of a protected path without a network. */
#pragma once

#include <string.h>

#include "claim.h"
#include "srtp/securecontext.h"
#include "srtp/securestreams.h"

#define SECURE_TEST_KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define SECURE_OTHER_KEY "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d"
#define SECURE_THIRD_KEY "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d"
#define SECURE_LONGEST_KEY SECURE_TEST_KEY "303132333435363738393a3b3c3d3e3f"
#define PACKET_BYTES 212        /* of RTP, with its header */

typedef struct
{
  guint8 bytes[PACKET_BYTES + SECURE_MAX_TRAILER_BYTES];
  gsize size;
} Sealed;

static inline GstBuffer *
buffer_of_hex (const gchar * digits)
{
  AT_END (g_value_unset) GValue value = G_VALUE_INIT;
  GstBuffer *buffer;

  g_value_init (&value, GST_TYPE_BUFFER);
  fail_unless (gst_value_deserialize (&value, digits));
  buffer = g_value_dup_boxed (&value);
  return buffer;
}

/* The first digits of the longest key, as many as the cipher needs. */
static inline GstBuffer *
key_of_bytes (guint bytes)
{
  g_autofree gchar *digits = g_strndup (SECURE_LONGEST_KEY, 2 * bytes);
  GstBuffer *buffer = buffer_of_hex (digits);

  return buffer;
}

static inline SecureSettings
settings_of (const gchar * key, const gchar * mki)
{
  SecureSettings settings = {.cipher = SECURE_CIPHER_AES_128_ICM,.auth = SECURE_AUTH_HMAC_SHA1_80 };

  settings.key = buffer_of_hex (key);
  settings.mki = mki ? buffer_of_hex (mki) : NULL;
  return settings;
}

static inline void
settings_clear (SecureSettings * settings)
{
  gst_clear_buffer (&settings->key);
  gst_clear_buffer (&settings->mki);
}

static inline SecureContext *
context_of (const gchar * key, gboolean leads)
{
  SecureSettings settings = settings_of (key, NULL);
  GError *error = NULL;
  SecureContext *context = secure_context_new (&settings, leads, &error);

  fail_unless (context != NULL, "%s", error ? error->message : "");
  settings_clear (&settings);
  return context;
}

static inline void
rekey (SecureContext * context, const gchar * key, const gchar * mki)
{
  AT_END (settings_clear) SecureSettings settings = settings_of (key, mki);

  fail_unless (secure_context_rekey (context, &settings, NULL));
}

/* GST_WRITE_UINT32_BE() is for memory without a declared type: an array may keep what it had. */
static inline void
write_be (guint8 * at, guint bytes, guint64 value)
{
  while (bytes-- > 0) {
    at[bytes] = (guint8) value;
    value >>= 8;
  }
}

static inline Sealed
rtp_of (guint32 ssrc, guint64 index)
{
  Sealed packet = {.size = PACKET_BYTES };

  memset (packet.bytes, (gint) (index % 251), PACKET_BYTES);
  packet.bytes[0] = 0x80;
  packet.bytes[1] = 96;
  write_be (packet.bytes + 2, 2, index);
  write_be (packet.bytes + 4, 4, index);
  write_be (packet.bytes + 8, 4, ssrc);
  return packet;
}

/* A receiver report without blocks, and an empty APP packet. */
static inline Sealed
rtcp_of (guint32 ssrc)
{
  Sealed packet = {.bytes = {0x80, 201, 0, 1},.size = 20 };

  write_be (packet.bytes + 4, 4, ssrc);
  memcpy (packet.bytes + 8, "\x80\xcc\0\2", 4);
  memcpy (packet.bytes + 12, packet.bytes + 4, 4);
  memcpy (packet.bytes + 16, "TEST", 4);
  return packet;
}

/* Protected, and sent. */
static inline Sealed
closed_at (SecureContext * from, Sealed packet, RcTime now)
{
  SecureDeparture departure;

  packet.size = secure_context_protect (from, packet.bytes, packet.size, &departure, now);
  fail_unless (packet.size > 0, "it must not leave");
  secure_context_note_sent (from, &departure, 1);
  return packet;
}

static inline Sealed
closed (SecureContext * from, Sealed packet)
{
  return closed_at (from, packet, 0);
}

static inline gboolean
refuses (SecureContext * from, Sealed packet)
{
  SecureDeparture departure;

  return secure_context_protect (from, packet.bytes, packet.size, &departure, 0) == 0;
}

/* Leaves `packet` as it is on the network. */
static inline gboolean
opens_at (SecureContext * at, Sealed packet, SecureArrival * arrival, RcTime now)
{
  return secure_context_unprotect (at, packet.bytes, &packet.size, arrival, now);
}

static inline gboolean
opens (SecureContext * at, Sealed packet)
{
  SecureArrival arrival;
  gboolean ok = opens_at (at, packet, &arrival, 0);

  if (!ok)
    secure_context_count_copy (at, &arrival);
  return ok;
}

static inline guint64
secure_stat (SecureContext * context, const gchar * name)
{
  g_autoptr (GstStructure) stats = gst_structure_new_empty ("stats");
  guint64 value;

  secure_context_add_stats (context, stats);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "no field %s", name);
  return value;
}
