/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lanestreams.h"

#include <string.h>

LaneStream *
lane_streams_get (LaneStreams * self, guint32 ssrc, guint16 seq)
{
  LaneStream *stream;

  for (guint i = 0; i < self->n; i++)
    if (self->streams[i].ssrc == ssrc)
      return &self->streams[i];
  if (self->n == LANE_STREAMS)
    self->n = 0;
  stream = &self->streams[self->n++];
  memset (stream, 0, sizeof *stream);
  stream->ssrc = ssrc;
  stream->highest = (guint16) (seq - 1);
  return stream;
}
