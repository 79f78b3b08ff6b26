/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The header of FEC, as rtpulpfecenc makes it [RFC 5109 7.3]: it names the packets that it
 * protects by their numbers, a base and a mask, and holds the sum of their timestamps. Whoever
 * gives those packets other numbers or another timestamp changes them here too. */
#pragma once

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

/* FALSE: it is too short to be any. */
gboolean ulpfec_get_base (const guint8 * fec, gsize size, guint16 * base);
void ulpfec_set_base (guint8 * fec, guint16 base);
/* All packets that it protects are of one frame, which has this timestamp now. */
void ulpfec_set_timestamp (guint8 * fec, gsize size, guint32 timestamp);
/* FEC and media may be in RED [RFC 2198] of one payload type. Returns where in the payload what was
 * sent now begins, with its payload type; 0: it is no RED. */
gsize red_find_primary (const guint8 * payload, gsize size, guint8 * payload_type);

G_END_DECLS
