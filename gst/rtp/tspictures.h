/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The pictures in an MPEG transport stream (ISO/IEC 13818-1, RFC 2250), so that they can be left
 * out while sound and tables pass. Any bytes are safe. All zero is a new one. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint16 pmt_pid, video_pid;   /* 0: not known yet */
} TsPictures;

/* Reads the payload of an RTP packet, and learns from its tables. TRUE: a picture begins in it;
 * key: one that a decoder may begin with. */
gboolean ts_pictures_read (TsPictures * self, const guint8 * payload, gsize size, gboolean * key);
/* Leaves out pictures, but for their clock: `end` of the one before the one that begins in it, and
 * `begun` that one. Returns the size that is left, a multiple of 188. */
gsize ts_pictures_strip (const TsPictures * self, guint8 * payload, gsize size, gboolean end,
    gboolean begun);

G_END_DECLS
