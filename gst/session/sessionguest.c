/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback delivered by the enclosing rtpsession, which receives RTCP and assigns transport-wide
 * sequence numbers after our transport. */

#include "sendsessionprivate.h"

/* An RTP session notes nothing but times; TWCC of libwebrtc comes each 50 to 250 ms. */
#define POLICY RC_REPORT_POLICY_PATIENT

static RcNumberSpace
transport_space (void)
{
  return (RcNumberSpace) { RC_NUMBERS_TRANSPORT, 0 };
}

static void
give_memory (SendSession * self, RcTime now)
{
  RcSender *sender = &self->sender;
  RcNumberSpace space;
  guint32 wanted;

  while ((wanted = rc_sender_wants_told_entries (sender, &space, now)) > 0)
    g_free (rc_sender_give_entries (sender, space, g_new0 (RcLedgerEntry, wanted), wanted, now));
}

/* Enters what is new into the ledger, and collects what arrived. */
static guint
collect (SendSession * self, const RcTold * told, guint n, RcArrival * arrivals, guint * n_arrivals,
    RcTime now)
{
  guint n_new = 0;
  guint16 number;

  for (guint i = 0; i < n; i++) {
    RcToldVerdict verdict = rc_toldnumbers_take (&self->told, &told[i], &number);

    if (verdict == RC_TOLD_NEW) {
      give_memory (self, now);
      rc_sender_on_told (&self->sender, number, told[i].rtp_bytes, told[i].sent_at);
      n_new++;
    }
    if (told[i].arrived_at_remote == RC_TIME_NONE)
      continue;
    if (verdict == RC_TOLD_UNKNOWN)
      rc_sender_on_false_arrival (&self->sender);
    else
      arrivals[(*n_arrivals)++] = (RcArrival) {.number = number,
        .arrived_at_remote = told[i].arrived_at_remote };
  }
  return n_new;
}

static void
follow (SendSession * self, RcTime now)
{
  send_path_on_answer (&self->path);
  send_session_follow_sender (self, now);
  if (self->client)
    pacing_engine_wake (self->engine, self->client);
}

guint
send_session_take_told (SendSession * self, const RcTold * told, guint n, guint32 instance)
{
  RcArrival *arrivals = g_new (RcArrival, n);
  RcArrivals message = {.space = transport_space (),.arrivals = arrivals,
    .told_at_remote = RC_TIME_NONE,.instance = instance,.policy = POLICY };
  guint n_new;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  n_new = collect (self, told, n, arrivals, &message.n_arrivals, now);
  for (guint left = message.n_arrivals; left > 0; left -= message.n_arrivals) {
    message.n_arrivals = MIN (left, RC_ACKS_MAX);
    rc_sender_on_arrivals (&self->sender, &message, 1, now);
    follow (self, now);
    message.arrivals += message.n_arrivals;
  }
  send_session_unlock_and_tell (self);
  g_free (arrivals);
  return n_new;
}

void
send_session_take_blocks (SendSession * self, const RcReportBlock * blocks, guint n)
{
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  if (rc_sender_on_blocks (&self->sender, blocks, n, now))
    follow (self, now);
  send_session_unlock_and_tell (self);
}

gboolean
send_session_take_ccfb (SendSession * self, const guint8 * data, gsize size, guint32 sender_ssrc)
{
  const RtcpList list = { RC_CCFB_FORMAT, sender_ssrc, 0, (guint) size };
  gboolean ok;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  ok = list_reader_take (&self->lists, &self->sender, &list, data, now);
  if (ok)
    follow (self, now);
  send_session_unlock_and_tell (self);
  return ok;
}

void
send_session_on_left (SendSession * self, guint32 ssrc, guint16 seq, RcTime left_at)
{
  g_mutex_lock (&self->lock);
  rc_sender_on_left (&self->sender, ssrc, seq, left_at);
  g_mutex_unlock (&self->lock);
}

gboolean
send_session_request_keyframe (SendSession * self, guint32 ssrc)
{
  gboolean known;
  RcTime now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  known = send_queue_has_media (self->media.queue, ssrc);
  send_queue_request_keyframe (self->media.queue, ssrc, rc_sender_srtt (&self->sender), now);
  follow (self, now);
  send_session_unlock_and_tell (self);
  return known;
}
