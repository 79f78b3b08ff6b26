/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rmcsink for one of many receivers that call one port: what arcserversink does with it. */
#pragma once

#include "join/joinserver.h"
#include "pacing/mediafeed.h"

G_BEGIN_DECLS

typedef struct _GstRmcSink GstRmcSink;

/* For the user who set another one for one of them. */
extern const gchar gst_rmc_sink_one_passphrase[];

/* In NULL or READY. Its media leaves by the socket that the guest has until then, under an SSRC of
 * its own, and never waits. No warnings of silence: the guest is lost instead. known: a key file
 * that was read already. NULL, or why the guest cannot be served; g_free(). */
gchar *gst_rmc_sink_serve (GstRmcSink * self, JoinGuest * guest, const SecureSettings * known);
/* Before that, or later: the passphrase of all viewers, with what was derived of it. */
void gst_rmc_sink_take_passphrase (GstRmcSink * self, const SecureSettings * known);
/* Once its settings are complete: it has another passphrase, and cannot be served. */
gboolean gst_rmc_sink_has_own_passphrase (GstRmcSink * self);
/* Its media comes by a feed, and not by its pad: from behind this one. */
void gst_rmc_sink_set_feed (GstRmcSink * self, Feed * feed, GstPad * upstream);
gboolean gst_rmc_sink_is_fed (GstRmcSink * self);
/* What a pad would bring, while it is fed. */
void gst_rmc_sink_follow_caps (GstRmcSink * self, GstCaps * caps);
void gst_rmc_sink_flush (GstRmcSink * self);
void gst_rmc_sink_set_interrupted (GstRmcSink * self, gboolean interrupted);
/* The end of the stream: sends what waits. FALSE: interrupted. */
gboolean gst_rmc_sink_finish (GstRmcSink * self);
/* Now and then, and for each packet that may be too large. Returns the size of RTP packets that its
 * path carries in one piece; 0: unknown. */
guint gst_rmc_sink_note_size (GstRmcSink * self, gsize rtp_bytes);
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
