/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One encoder, and all who want to set its bitrate: with a tee behind it, several sinks do. The
 * encoder makes the smallest bitrate that a living one wants; who hears no answer does not count
 * beside one who does. An audio encoder never gets more than its user set. Every call may come
 * from any thread; no lock is held while a property is set. */
#pragma once

#include "encoder/encodertable.h"

G_BEGIN_DECLS

typedef struct _EncoderClaims EncoderClaims;

/* The one of this encoder, a new reference. */
EncoderClaims *encoder_claims_of (GstElement * encoder, const EncoderRow * row);
void encoder_claims_unref (EncoderClaims * self);

/* claimant: any pointer that stays the same. */
void encoder_claims_join (EncoderClaims * self, gconstpointer claimant);
/* What the others want is set soon, on another thread. */
void encoder_claims_leave (EncoderClaims * self, GstElement * encoder, gconstpointer claimant);

/* Remembers what the claimant wants, bit/s, and sets what all want. TRUE: this call changed the
 * property. May block on the encoder's lock. */
gboolean encoder_claims_set (EncoderClaims * self, GstElement * encoder, gconstpointer claimant,
    guint64 bps, gboolean living);
/* Largest bitrate that the user allows, bit/s. */
guint64 encoder_claims_cap_bps (EncoderClaims * self);
/* More than one claimant? Then, once, a new sentence that says so and what to do (g_free); else
 * NULL. */
gchar *encoder_claims_take_warning (EncoderClaims * self, GstElement * encoder);

G_END_DECLS
