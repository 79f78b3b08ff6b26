/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which SSRC is sent by which key in this process, and how far. Problem: two rmcsinks behind a tee
 * have the same SSRC; with the same key, the first packet that one of them drops and the other
 * sends makes two different packets leave under one key, SSRC and number, which gives away what
 * both contain. Rule: the second one sends nothing. Where one takes the place of another that has
 * ended, it goes on behind what that one has sent. Thread-safe. */
#pragma once

#include "srtp/securekey.h"

G_BEGIN_DECLS

/* Maximum number of inactive SSRCs that are remembered; beyond it the oldest is evicted. */
#define SECURE_OWNERS_PAST_MAX 65536

typedef struct
{
  gint64 index;                 /* the highest of RTP; -1: none */
  guint32 rtcp_pkts;
} SecureSent;

/* For one that owns. */
guint64 secure_owners_new_id (void);
/* TRUE: `owner` holds this SSRC and key, from now on or already before. *sent: the highest index
 * used so far by any owner. */
gboolean secure_owners_claim (const SecureKey * key, guint32 ssrc, guint64 owner,
    SecureSent * sent);
/* It sends this SSRC no more. */
void secure_owners_release (const SecureKey * key, guint32 ssrc, guint64 owner,
    const SecureSent * sent);

G_END_DECLS
