/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securepassphrase.h"

#include <nettle/pbkdf2.h>
#include <rc/feedback/call.h>

const gboolean secure_has_kdf = TRUE;

void
secure_kdf (const guint8 * secret, gsize size, const guint8 * salt, guint8 * key, gsize key_bytes)
{
  pbkdf2_hmac_sha256 (size, secret, RC_ANSWER_SALT_ROUNDS, RC_ANSWER_SALT_BYTES, salt, key_bytes,
      key);
}
