/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* In builds without nettle. */

#include "srtp/securepassphrase.h"

const gboolean secure_has_kdf = FALSE;

void
secure_kdf (const guint8 * secret, gsize size, const guint8 * salt, guint8 * key, gsize key_bytes)
{
}
