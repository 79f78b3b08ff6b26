/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rampkeyframes.h"

gboolean
ramp_keyframes_are_due (GstRampPad * pad, RcTime now)
{
  RcTime at = pad->queue ? send_queue_keyframe_due_at (pad->queue, now) : RC_TIME_NONE;

  return at != RC_TIME_NONE && at <= now;
}

guint
ramp_keyframes_take (GstRampPad * pad, RcTime now, guint32 ssrcs[ENCODER_ORDERS_MAX_FLOWS])
{
  guint n = 0;

  while (pad->queue && n < ENCODER_ORDERS_MAX_FLOWS
      && send_queue_take_keyframe_order (pad->queue, now, &ssrcs[n]))
    n++;
  return n;
}

gboolean
ramp_keyframes_request (GPtrArray * pads, const GstStructure * event, RcTime now)
{
  guint ssrc;

  if (!gst_structure_get_uint (event, "ssrc", &ssrc))
    return FALSE;
  for (guint i = 0; i < pads->len; i++) {
    GstRampPad *pad = pads->pdata[i];

    if (!pad->audio && send_queue_has_media (pad->queue, ssrc))
      send_queue_request_keyframe (pad->queue, ssrc, RC_TIME_NONE, now);
  }
  return TRUE;
}
