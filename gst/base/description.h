/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Metadata of an element beside GStreamer's own: gst-inspect-1.0 prints every
 * key, and tools/reference makes the pages of docs/reference from them. A text is a list of
 * structures, each with its fields, one a line. That of the statistics is made of their rows
 * (fields.h). */
#pragma once

#define DESCRIPTION_STATISTICS "Statistics"
#define DESCRIPTION_MESSAGES "Messages"
#define DESCRIPTION_EVENTS "Events"
#define DESCRIPTION_SIGNALS "Signals"   /* of each signal a structure without fields */

/* gst-inspect-1.0 prints values from column 28 on. */
#define DESCRIPTION_LINE "\n                           "

/* name: of the structure. The first of a text. */
#define DESCRIPTION_STRUCTURE(name, text) name ": " text
#define DESCRIPTION_NEXT_STRUCTURE(name, text) DESCRIPTION_LINE name ": " text
/* type: GLib's without the g, then the unit where there is one: "uint64, ns". A count of what the
 * name says needs none. */
#define DESCRIPTION_FIELD(name, type, text) DESCRIPTION_LINE "  " name " (" type "): " text

/* Of the event GST_ARC_TARGET_BITRATE. */
#define DESCRIPTION_TARGET_BITRATE \
    DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "target of the stream, media only") \
    DESCRIPTION_FIELD ("ssrc", "uint", "SSRC of the stream") \
    DESCRIPTION_FIELD ("latency", "uint64, ns", "time within which a frame should leave") \
    DESCRIPTION_FIELD ("answers", "boolean", "the receiver reports") \
    DESCRIPTION_FIELD ("cause", "string", "why it is no more, as the statistic target-cause") \
    DESCRIPTION_FIELD ("host", "uint64", "of a viewer that called: those of one IP address have " \
        "the same number")
#define DESCRIPTION_NETWORK_BITRATE \
    DESCRIPTION_FIELD ("network-bitrate", "uint, bit/s", "rate of all streams, headers included")
