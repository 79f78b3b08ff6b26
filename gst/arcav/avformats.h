/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The payload types that arcavsink and arcavsrc agree on, without a word between them. A format
 * whose parameters are not in the stream has one for each value of them that is in use.
 *
 * Problem: several streams in one flow announce no format, and caps for each are what the bins
 * spare. So only formats whose parameters are in the stream can be sent. Rejected: SDP beside
 * the media, which needs a second channel. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint payload_type;
  const gchar *media, *encoding_name;
  gint clock_rate;
  const gchar *caps_name;       /* of what is not payloaded yet; NULL: application/... */
  const gchar *config;          /* of AAC: AudioSpecificConfig [ISO 14496-3], in hexadecimal */
} AvFormat;

/* NULL: none. */
const AvFormat *av_format_of_payload_type (guint payload_type);
/* Of an elementary stream or of RTP. */
const AvFormat *av_format_of_caps (const GstCaps * caps);
GstCaps *av_format_new_caps (const AvFormat * self);
/* All names, for messages. */
gchar *av_format_list (void);

G_END_DECLS
