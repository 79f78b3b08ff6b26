/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arrivaltime.h"

void
arrival_time_reset (ArrivalTime * self)
{
  self->last = 0;
}

GstBuffer *
arrival_time_mend (ArrivalTime * self, GstBuffer * buffer, GstClockTime now)
{
  GstClockTime dts = GST_BUFFER_DTS (buffer);

  if (!GST_CLOCK_TIME_IS_VALID (dts) || !GST_CLOCK_TIME_IS_VALID (now))
    return buffer;
  if (dts > now || dts < self->last)
    dts = self->last;
  self->last = dts = MIN (dts, now);
  if (dts == GST_BUFFER_DTS (buffer))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  if (GST_BUFFER_PTS (buffer) == GST_BUFFER_DTS (buffer))
    GST_BUFFER_PTS (buffer) = dts;
  GST_BUFFER_DTS (buffer) = dts;
  return buffer;
}
