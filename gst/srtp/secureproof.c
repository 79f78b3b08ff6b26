/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/secureproof.h"

#include "srtp/secureproperties.h"

#include <rc/base/bytes.h>
#include <string.h>

#define LABEL "arc call"
#define DIGEST_BYTES 32

/* NULL: none. */
static GstBuffer *
key_of (const SecureSettings * settings)
{
  return settings->key ? settings->key : settings->file_key;
}

static void
prove (const SecureSettings * settings, const RcCall * call, guint8 * proof)
{
  GstBuffer *buffer = key_of (settings);
  guint8 header[24], digest[DIGEST_BYTES];
  gint way[] = { secure_cipher_resolve (settings->cipher, gst_buffer_get_size (buffer)),
    settings->auth
  };
  gsize size = sizeof digest;
  GstMapInfo key;
  GHmac *hmac;

  memset (proof, 0, RC_CALL_PROOF_BYTES);
  if (!gst_buffer_map (buffer, &key, GST_MAP_READ))
    return;
  rc_put32 (rc_put32 (rc_put64 (rc_put64 (header, call->number), call->cookie), call->wish),
      call->max_kbps);
  hmac = g_hmac_new (G_CHECKSUM_SHA256, key.data, key.size);
  g_hmac_update (hmac, (const guchar *) LABEL, sizeof LABEL);
  for (guint i = 0; i < G_N_ELEMENTS (way); i++)
    g_hmac_update (hmac, &(guchar) { (guchar) way[i] }, 1);
  g_hmac_update (hmac, header, sizeof header);
  g_hmac_update (hmac, (const guchar *) call->stream_id, -1);
  g_hmac_get_digest (hmac, digest, &size);
  g_hmac_unref (hmac);
  gst_buffer_unmap (buffer, &key);
  memcpy (proof, digest, RC_CALL_PROOF_BYTES);
}

void
secure_proof_write (const SecureSettings * settings, RcCall * call)
{
  call->proves = true;
  prove (settings, call, call->proof);
}

/* In a time that does not depend on the bytes. */
static gboolean
is_equal (const guint8 * a, const guint8 * b)
{
  guint8 difference = 0;

  for (guint i = 0; i < RC_CALL_PROOF_BYTES; i++)
    difference |= a[i] ^ b[i];
  return difference == 0;
}

const gchar *
secure_proof_missing (const SecureSettings * settings)
{
  return settings->passphrase ? "it encrypts (SRTP): set its passphrase at the caller too"
      : "it encrypts (SRTP): set its srtp-key at the caller too";
}

const gchar *
secure_proof_check (const SecureSettings * settings, const RcCall * call)
{
  guint8 proof[RC_CALL_PROOF_BYTES];

  if (!secure_settings_is_whole (settings))
    return "its key is not derived yet: call again";
  if (!key_of (settings))
    return call->proves ? "it sends in the clear, but the caller has an srtp-key or passphrase: "
        "set the same at both ends, or none" : NULL;
  if (!call->proves)
    return secure_proof_missing (settings);
  prove (settings, call, proof);
  if (is_equal (proof, call->proof))
    return NULL;
  return settings->passphrase ? "the passphrase differs: set the same passphrase, srtp-cipher and "
      "srtp-auth at both ends" : "the srtp-key, srtp-cipher or srtp-auth of the caller is another "
      "one";
}
