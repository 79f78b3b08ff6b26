/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rmcsink for one of many receivers that call one port: what arcserversink does with it. */
#pragma once

#include "gstrmcsink.h"

#include "join/joinlistener.h"
#include "srtp/securekey.h"

G_BEGIN_DECLS

/* In NULL or READY. Its media leaves by this socket, under an SSRC of its own, and never waits. No
 * warnings of silence: `lost` is called instead, on a worker. */
void gst_rmc_sink_serve (GstRmcSink * self, JoinListener * listener, GSocket * socket,
    const JoinCall * call, void (*lost) (gpointer server, GstRmcSink * sink), gpointer server);
/* It starts no more, and lets go of the socket, unless a session has that: until NULL is set. */
void gst_rmc_sink_dismiss (GstRmcSink * self);
/* The receiver has another address now. */
void gst_rmc_sink_move (GstRmcSink * self, GSocketAddress * to);
/* Media has left, and the receiver has never reported. */
gboolean gst_rmc_sink_is_unheard (GstRmcSink * self);
/* It has an srtp-key, or a file of one. */
gboolean gst_rmc_sink_encrypts (GstRmcSink * self);
/* The key, or the file of one, of these settings. */
gboolean gst_rmc_sink_has_key (GstRmcSink * self, const SecureSettings * settings);
/* Whether the caller has the srtp-key of the settings: NULL, or why not; g_free(). */
gchar *gst_rmc_sink_check_key (GstRmcSink * self, const RcCall * call);

G_END_DECLS
