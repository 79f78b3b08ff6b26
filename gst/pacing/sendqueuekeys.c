/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose encoder is asked for a keyframe: a flow whose frames were dropped needs one, and receivers
 * request one.
 *
 * The queue decides because all that matters meets here: who requested, what was dropped, which
 * keyframes came. So rmcsink, rtparcbwe and each pad of rampscheduler have one rule. Requests do
 * not leave by the pad rtcp_src: an rtpbin there would ask the same encoder, from behind
 * rmcsink. */

#include "pacing/sendqueueprivate.h"

static SendFlow *
find_media (SendQueue * self, guint32 ssrc)
{
  for (guint i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    if (flow->ssrc == ssrc && !flow->repeats && !send_flow_has_ended (self, flow))
      return flow;
  }
  return NULL;
}

gboolean
send_queue_has_media (SendQueue * self, guint32 ssrc)
{
  return find_media (self, ssrc) != NULL;
}

static void
count (SendQueue * self, gboolean heard)
{
  self->key_stats.suppressed += !heard;
}

/* NULL: there is no such stream. */
static SendFlow *
begin_request (SendQueue * self, guint32 ssrc)
{
  SendFlow *flow = find_media (self, ssrc);

  self->key_stats.received++;
  self->key_stats.unknown += flow == NULL;
  return flow;
}

void
send_queue_request_keyframe (SendQueue * self, guint32 ssrc, RcTime rtt, RcTime now)
{
  SendFlow *flow = begin_request (self, ssrc);

  if (flow)
    count (self, rc_keyrequest_on_pli (&flow->keys, rtt, now));
}

void
send_queue_request_keyframe_by_fir (SendQueue * self, guint32 ssrc, guint32 from, guint8 number,
    RcTime rtt, RcTime now)
{
  SendFlow *flow = begin_request (self, ssrc);

  if (flow)
    count (self, rc_keyrequest_on_fir (&flow->keys, from, number, rtt, now));
}

/* What has no deltas needs no keyframe: audio, JPEG. */
void
send_queue_on_newcomer (SendQueue * self, RcTime rtt, RcTime now)
{
  for (guint i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    if (flow->has_deltas && !flow->repeats)
      rc_keyrequest_on_newcomer (&flow->keys, rtt, now);
  }
}

/* How long the newest keyframe took to leave, or takes so far. */
static RcTime
key_time (const SendFlow * flow, RcTime now)
{
  const SendFrame *key = flow->newest_key;

  if (!key || key->dropped)
    return 0;
  return (key->queued_bytes > 0 ? now : key->left_at) - key->came_at;
}

static RcTime
due_at (const SendQueue * self, const SendFlow * flow, RcTime now)
{
  if (self->closed || send_flow_has_ended (self, flow))
    return RC_TIME_NONE;
  return rc_keyrequest_due_at (&flow->keys, flow->awaits_key, key_time (flow, now), now);
}

RcTime
send_queue_keyframe_due_at (SendQueue * self, RcTime now)
{
  RcTime at = RC_TIME_NONE;

  for (guint i = 0; i < self->flows->len; i++)
    at = rc_sooner (at, due_at (self, self->flows->pdata[i], now));
  return at;
}

gboolean
send_queue_take_keyframe_order (SendQueue * self, RcTime now, guint32 * ssrc)
{
  for (guint i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];
    RcTime at = due_at (self, flow, now);

    if (at == RC_TIME_NONE || at > now)
      continue;
    rc_keyrequest_on_ordered (&flow->keys, now);
    self->key_stats.ordered++;
    *ssrc = flow->ssrc;
    return TRUE;
  }
  return FALSE;
}

void
send_queue_get_key_stats (SendQueue * self, SendQueueKeyStats * stats)
{
  *stats = self->key_stats;
}
