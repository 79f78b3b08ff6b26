/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: what an outage or the end of a sender cut off waits in the depayloader, the demuxer, the
 * parser or the decoder, and comes out behind the first packet after it, with its old timestamp.
 * The sink reports how late that picture was (QoS), and decoders and filters then skip as much
 * again, twice the outage in all, although they are not slow.
 *
 * Rule: a sink's QoS event about a picture of before the media came back is dropped at the sink. No
 * more than that: buffers and other events pass, and a picture stamped later counts as ever.
 *
 * Rejected: a flush empties the queues of a recording, and filesink truncates its file. A segment
 * resets decoders and sinks, but depayloaders and tsdemux keep it to themselves. With DISCONT,
 * depayloaders and tsdemux push the cut picture all the same. A gap event completes none. A
 * keyframe behind all this is skipped, too. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GstClockTime media_at;        /* the last packet, in running time; NONE: none yet */
} OutageQos;

void outage_qos_reset (OutageQos * self);
/* For each packet of media, before it leaves by srcpad: after a silence the sinks behind that are
 * found by a walk along the links. */
void outage_qos_on_media (OutageQos * self, GstPad * srcpad, GstClockTime running);

G_END_DECLS
