/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What makes SSRCs of the viewers of one stream. Problem: under one key two viewers with one SSRC
 * would have two packets of one number, which SRTP must never have; drawn at random, 65536 viewers
 * in the life of a process collide with a probability of 0.4. Rule: the upper 24 bits of a viewer's
 * SSRC are those of the stream, changed by a number that no other viewer of this process has had.
 * The lower 8 bits stay, by which the streams of one viewer differ. The numbers are a counter
 * through a permutation under a random secret, since without a key a stranger must not guess the
 * SSRC of another viewer. They begin anew after 2^24 viewers. Thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SSRC_MASK_BITS 24

/* For exclusive-or with the SSRC. */
guint32 ssrc_mask_new (void);

G_END_DECLS
