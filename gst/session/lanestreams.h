/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Of the streams of a session, by which lane each packet left last: one that leaves once more takes
 * another. And until when one that has left once more need not be asked for. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define LANE_STREAMS 8
#define LANE_STREAM_PACKETS 1024

typedef struct
{
  guint32 ssrc;
  guint16 highest;
  guint8 lane[LANE_STREAM_PACKETS];     /* by number; 1 and more, 0: it did not leave yet */
  RcTime on_its_way_until[LANE_STREAM_PACKETS]; /* by number; once more */
} LaneStream;

/* All zero at first. */
typedef struct
{
  LaneStream streams[LANE_STREAMS];
  guint n;
} LaneStreams;

/* seq: of the first packet, if the stream is new. */
LaneStream *lane_streams_get (LaneStreams * self, guint32 ssrc, guint16 seq);

G_END_DECLS
