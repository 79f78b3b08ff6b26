/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The media format of RTP packets, as in caps and as a sender announces it to its receiver: four
 * fields, and in `fields` (formatfields.h; NULL: none) what the caps say beside them. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/wire.h>

G_BEGIN_DECLS

/* No encoding name: the caps do not say all of it (those of several streams do not). */
RcMediaFormat media_format_from_caps (const GstCaps * caps);
/* What a receiver cannot guess: texts, numbers, booleans and lists of texts, but not what is of one
 * session only, as its SSRC. FALSE: they exceed what infos carry. */
gboolean media_format_fields_of_caps (const GstCaps * caps, GBytes ** fields);
/* Of one with an encoding name; as in a launch line. */
gchar *media_format_to_string (const RcMediaFormat * self, GBytes * fields);
/* NULL: it is not believable, or comes without the fields that its caps need. */
GstCaps *media_format_to_caps (const RcMediaFormat * self, GBytes * fields);
/* The user's caps with what they leave open of the announced ones: parameters of the codec, but not
 * what is about header extensions and feedback. NULL: they are not of this format alone, or leave
 * nothing open. */
GstCaps *media_format_complete (const RcMediaFormat * self, const GstCaps * announced,
    const GstCaps * user);
/* FALSE: caps are about other media. What they leave open is no contradiction, nor is another
 * payload type. */
gboolean media_format_agrees (const RcMediaFormat * self, const GstCaps * caps);

G_END_DECLS
