/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rmcsink for one of many receivers that call one port: what arcserversink does with it. */
#pragma once

#include "gstrmcsink.h"

#include "join/joinserver.h"

G_BEGIN_DECLS

/* In NULL or READY. Its media leaves by the socket that the guest has until then, under an SSRC of
 * its own, and never waits. No warnings of silence: the guest is lost instead. known: a key file
 * that was read already. NULL, or why the guest cannot be served; g_free(). */
gchar *gst_rmc_sink_serve (GstRmcSink * self, JoinGuest * guest, const SecureSettings * known);
/* It starts no more, and lets go of the guest. */
void gst_rmc_sink_dismiss (GstRmcSink * self);
/* The receiver is silent, or its port is closed, or the sink has failed. FALSE: receivers do not
 * call it. */
gboolean gst_rmc_sink_lose_guest (GstRmcSink * self);
/* The receiver has another address now. */
void gst_rmc_sink_move (GstRmcSink * self, GSocketAddress * to);
/* Media has left, and the receiver has never reported. */
gboolean gst_rmc_sink_is_unheard (GstRmcSink * self);

G_END_DECLS
