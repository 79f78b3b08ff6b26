/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The media format of RTP packets, as in caps and as a sender announces it to its receiver. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/wire.h>

G_BEGIN_DECLS

/* No encoding name: the caps do not say all of it (those of several streams do not). */
RcMediaFormat media_format_from_caps (const GstCaps * caps);
/* Of one with an encoding name; as in a launch line. */
gchar *media_format_to_string (const RcMediaFormat * self);
/* NULL: it is not believable, or its caps need more than a format has. */
GstCaps *media_format_to_caps (const RcMediaFormat * self);
/* FALSE: caps are about other media. What they leave open is no contradiction, nor is another
 * payload type. */
gboolean media_format_agrees (const RcMediaFormat * self, const GstCaps * caps);

G_END_DECLS
