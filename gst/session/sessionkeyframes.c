/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keyframes of a session: for receivers that request them, and for receivers that are new. */

#include "sendsessionprivate.h"

void
send_session_take_keyframe_requests (SendSession * self, const RtcpMessage * message, RcTime now)
{
  RcTime rtt = rc_sender_srtt (&self->sender);

  for (guint i = 0; i < message->n_keyframes; i++) {
    const RtcpKeyframe *request = &message->keyframes[i];

    if (request->fir)
      send_queue_request_keyframe_by_fir (self->media.queue, request->ssrc, request->from,
          request->number, rtt, now);
    else
      send_queue_request_keyframe (self->media.queue, request->ssrc, rtt, now);
  }
}

void
send_session_watch_newcomer (SendSession * self, guint32 instance, RcTime now)
{
  guint64 accepted = rc_sender_n_feedback (&self->sender);

  if (accepted == self->reports_accepted)
    return;
  self->reports_accepted = accepted;
  if (self->has_receiver && self->receiver_instance == instance)
    return;
  self->has_receiver = TRUE;
  self->receiver_instance = instance;
  send_queue_on_newcomer (self->media.queue, rc_sender_srtt (&self->sender), now);
}
