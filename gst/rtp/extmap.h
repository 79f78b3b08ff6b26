/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTP header extensions (RFC 8285). Their ids are in the caps of the packets: GStreamer makes the
 * field extmap-ID of SDP's a=extmap. */
#pragma once

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

/* Of the one-byte header. */
#define EXTMAP_MAX_ID 14
/* The extension that carries the number of transport-wide feedback. */
#define EXTMAP_NUMBER_BYTES 2

/* The URI of an id; NULL: the structure names none. */
const gchar *extmap_uri (const GstStructure * structure, guint id);
/* By the first structure of the caps; 0: they do not name this URI. caps may be NULL. */
guint8 extmap_id_of_caps (const GstCaps * caps, const gchar * uri);

/* An extension of this size in a mapped packet; NULL: there is none, or id is 0. */
gpointer extmap_find (GstRTPBuffer * rtp, guint8 id, guint size);
/* Puts an extension into an RTP packet, or anew into the one that is there. Takes the buffer and
 * returns it or a copy; as it was if it cannot carry one (header extension of another kind, not
 * RTP). */
GstBuffer *extmap_put (GstBuffer * buffer, guint8 id, const guint8 * bytes, guint size);
/* The number of transport-wide feedback in the extension that is there. Takes the buffer and
 * returns it or a copy; unchanged if it has no such extension. */
GstBuffer *extmap_write_number (GstBuffer * buffer, guint8 id, guint16 number);

G_END_DECLS
