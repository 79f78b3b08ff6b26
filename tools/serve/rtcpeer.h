/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The other end of a WebRTC call without trickle ICE: all candidates are in the descriptions, as
 * WHIP [RFC 9725] and WHEP allow. All functions and callbacks are the main thread's. */
#pragma once

#include "livestream.h"

G_BEGIN_DECLS

typedef struct _Peer Peer;

typedef struct
{
  const gchar *stun, *turn;     /* URIs as webrtcbin has them; NULL: none */
  gint max_bps;
} PeerSettings;

/* sdp: ours, complete. At most once; a peer that ends before has none. */
typedef void (*PeerDescribed) (const gchar * sdp, gpointer data);
/* Once; the peer is not to be touched behind it. why: what to print. */
typedef void (*PeerEnded) (const gchar * why, gpointer data);

/* Sends the stream, or receives it: its picture and sound are the stream's then.
 * offer: the other end's, which is answered; NULL: an offer is made, and peer_take_answer () has
 * what comes back. NULL with *why: it has no video that we know. */
Peer *peer_new (const PeerSettings * settings, LiveStream * stream, gboolean sends,
    const gchar * offer, PeerDescribed described, PeerEnded ended, gpointer data,
    const gchar ** why);
/* FALSE: it does not fit the offer. */
gboolean peer_take_answer (Peer * self, const gchar * answer);
/* What it is sent at, in bit/s; 0: it receives. */
guint peer_rate_bps (Peer * self);
/* Ends it without a callback. */
void peer_end (Peer * self);

G_END_DECLS
