/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The header of a FEC packet, as rtpulpfecenc makes it [RFC 5109 7.3]: it names the packets that it
 * protects by their numbers, a base and a mask, and holds the sum of their timestamps. Whoever
 * gives those packets other numbers or another timestamp changes them here too. */
#pragma once

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

/* FALSE: it is too short to be any. */
gboolean ulpfec_get_base (GstRTPBuffer * rtp, guint16 * base);
void ulpfec_set_base (GstRTPBuffer * rtp, guint16 base);
/* All packets that it protects are of one frame, which has this timestamp now. */
void ulpfec_set_timestamp (GstRTPBuffer * rtp, guint32 timestamp);

G_END_DECLS
