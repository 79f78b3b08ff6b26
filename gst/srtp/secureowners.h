/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which SSRC is sent by which key in this process. Problem: two rmcsinks behind a tee have the same
 * SSRC; with the same key, the first packet that one of them drops and the other sends makes two
 * different packets leave under one key, SSRC and number, which gives away what both contain. Rule:
 * the second one sends nothing. Thread-safe. */
#pragma once

#include "srtp/securekey.h"

G_BEGIN_DECLS

/* TRUE: it is `owner` who sends this SSRC by this key, from now on or since before. */
gboolean secure_owners_claim (const SecureKey * key, guint32 ssrc, gconstpointer owner);
/* It sends nothing any more. */
void secure_owners_release (gconstpointer owner);

G_END_DECLS
