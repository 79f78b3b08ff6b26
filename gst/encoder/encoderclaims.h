/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One encoder and all claimants of its bitrate: behind a tee there are several sinks. The encoder
 * runs at the lowest bitrate claimed by any sink whose receiver responds; the others count only if
 * none responds. Of many viewers whom nobody chose, one that can take less than half of what the
 * median of them takes is not waited for; those of one host count together as one. An audio encoder
 * never exceeds the bitrate that the user set. All calls may come from any thread; no lock is held
 * while a property is set. */
#pragma once

#include "encoder/encoderorders.h"
#include "encoder/encodertable.h"

G_BEGIN_DECLS

typedef struct _EncoderClaims EncoderClaims;

/* A new reference to the claims of this encoder. */
EncoderClaims *encoder_claims_of (GstElement * encoder, const EncoderRow * row);
void encoder_claims_unref (EncoderClaims * self);

/* claimant: any pointer that stays the same. */
void encoder_claims_join (EncoderClaims * self, gconstpointer claimant);
/* The bitrate of the remaining claimants is set soon, on another thread. */
void encoder_claims_leave (EncoderClaims * self, GstElement * encoder, gconstpointer claimant);

/* Updates the claim, bit/s, of a receiver at this host (EncoderOrders.host), and sets the resulting
 * bitrate. TRUE: this call changed the property. May block on the encoder's lock. */
gboolean encoder_claims_set (EncoderClaims * self, GstElement * encoder, gconstpointer claimant,
    guint64 bps, EncoderVoice voice, guint64 host);
/* How much more than its claim, or less, the encoder makes because of the others. */
gint64 encoder_claims_margin_bps (EncoderClaims * self, gconstpointer claimant);
/* Largest bitrate that the user allows, bit/s. */
guint64 encoder_claims_cap_bps (EncoderClaims * self);
/* How coarse its pictures are: the mean quantiser of the last seconds, where they are H.264.
 * RC_H264_NO_QP: not known; it is read from the first call on. */
gdouble encoder_claims_quantiser (EncoderClaims * self);
/* With more than one claimant, of which one answers, once: a new sentence with the cure (g_free);
 * else NULL. */
gchar *encoder_claims_take_warning (EncoderClaims * self, GstElement * encoder);

G_END_DECLS
