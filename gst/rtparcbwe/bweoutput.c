/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The source pad: its task pushes what the session hands over, and feedback comes in by it.
 *
 * Problem: webrtcbin blocks the pad until ICE and DTLS are ready, and what waited left as one
 * burst. Rule: behind a push of more than 50 ms nothing more is taken and the pacer earns no
 * credit. Until the first feedback the queue does not lower the target. */

#include "gstrtparcbweprivate.h"

#include "base/clockglue.h"

#include <gst/video/video.h>
#include "twccevent.h"

#include <gst/rtp/gstrtpbuffer.h>

/* Feedback of libwebrtc and of rtpsession comes many times a second once the path is open. */
#define UNHEARD_TIME (5 * RC_SECOND)
#define RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"    /* as rtpsession makes it */

/* --- out --- */

static guint64
next_number (gpointer owner)
{
  return send_session_get_next (((GstRtpArcBwe *) owner)->host.session);
}

/* FALSE: it is no RTP packet. */
static gboolean
note_header (GstRtpArcBwe * self, GstBuffer * buffer, guint32 * ssrc, guint16 * seq)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  *ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  *seq = gst_rtp_buffer_get_seq (&rtp);
  g_atomic_int_set (&self->header_bytes, (gint) gst_rtp_buffer_get_header_len (&rtp));
  if (gst_rtp_buffer_get_extension (&rtp))
    g_atomic_int_set (&self->extended, TRUE);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

/* Media leaves, and no feedback comes. */
static void
watch_silence (GstRtpArcBwe * self)
{
  RcTime now = clock_glue_monotonic ();

  if (now - self->pushed_since < UNHEARD_TIME || g_atomic_int_get (&self->messages) > 0
      || g_atomic_int_get (&self->host.passive)
      || !g_atomic_int_compare_and_exchange (&self->unheard, FALSE, TRUE))
    return;
  work_turns_schedule (&self->host.turns);
}

/* Another element follows now, or the same again: as GstQueue does. */
static void
begin_anew_if_unlinked (GstRtpArcBwe * self)
{
  g_atomic_int_compare_and_exchange (&self->flow, GST_FLOW_NOT_LINKED, GST_FLOW_OK);
}

static void
on_relinked (GstRtpArcBwe * self)
{
  g_atomic_int_inc (&self->relinks);
  begin_anew_if_unlinked (self);
}

/* Takes the buffer. A link may come while the push fails for the lack of it. */
static void
push_downstream (GstRtpArcBwe * self, GstBuffer * buffer)
{
  gint relinks = g_atomic_int_get (&self->relinks);

  g_atomic_int_set (&self->flow, gst_pad_push (self->srcpad, buffer));
  if (g_atomic_int_get (&self->relinks) != relinks)
    begin_anew_if_unlinked (self);
}

/* Takes the buffer. After a failure the task goes on: the next push upstream returns the failure,
 * and what follows may be linked anew. */
static void
push (GstRtpArcBwe * self, GstBuffer * buffer)
{
  RcTime begun_at = clock_glue_monotonic ();
  guint32 ssrc;
  guint16 seq;
  gboolean is_rtp = note_header (self, buffer, &ssrc, &seq);

  gst_rtp_arc_bwe_meet_session (self);
  GST_OBJECT_LOCK (self);
  if (self->pushed_since == RC_TIME_NONE)
    self->pushed_since = begun_at;
  GST_OBJECT_UNLOCK (self);
  g_atomic_int_inc (&self->packets_pushed);
  push_downstream (self, buffer);
  if (g_atomic_int_get (&self->messages) == 0)
    push_times_add (&self->push_times, begun_at, clock_glue_monotonic ());
  if (is_rtp)
    send_session_on_left (self->host.session, ssrc, seq,
        push_times_departure (&self->push_times, begun_at));
  watch_silence (self);
}

static void
src_loop (gpointer user_data)
{
  GstRtpArcBwe *self = user_data;
  GstMiniObject *object = pad_transport_wait (&self->transport, next_number, self);

  if (!object)
    gst_pad_pause_task (self->srcpad);
  else if (GST_IS_EVENT (object))
    gst_pad_push_event (self->srcpad, GST_EVENT (object));
  else
    push (self, GST_BUFFER (object));
}

void
gst_rtp_arc_bwe_start_task (GstRtpArcBwe * self, SendSession * session)
{
  pad_transport_set_halted (&self->transport, FALSE, self->srcpad);
  send_session_set_interrupted (session, FALSE);
  g_atomic_int_set (&self->flow, GST_FLOW_OK);
  gst_pad_start_task (self->srcpad, src_loop, self, NULL);
  /* The end of a flush may come just after the pad was deactivated. */
  if (!gst_pad_is_active (self->srcpad)) {
    gst_rtp_arc_bwe_halt (self, session);
    gst_pad_stop_task (self->srcpad);
  }
}

void
gst_rtp_arc_bwe_halt (GstRtpArcBwe * self, SendSession * session)
{
  g_atomic_int_set (&self->flow, GST_FLOW_FLUSHING);
  if (session)                  /* NULL: stopped while it opens, by who hears of an error */
    send_session_set_interrupted (session, TRUE);
  pad_transport_set_halted (&self->transport, TRUE, self->srcpad);
}

static gboolean
gst_rtp_arc_bwe_activate_src (GstPad * pad, GstObject * parent, GstPadMode mode, gboolean active)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (parent);

  if (mode != GST_PAD_MODE_PUSH || !self->host.session)
    return FALSE;
  if (active) {
    gst_rtp_arc_bwe_start_task (self, self->host.session);
    return TRUE;
  }
  gst_rtp_arc_bwe_halt (self, self->host.session);
  return gst_pad_stop_task (pad);
}

/* --- feedback --- */

/* Another element of the session sends packets too, and the session numbers them all. */
static void
watch_strangers (GstRtpArcBwe * self, guint n_new)
{
  gint told = g_atomic_int_add (&self->packets_told, (gint) n_new) + (gint) n_new;

  if (told - g_atomic_int_get (&self->packets_pushed) > 0
      && g_atomic_int_compare_and_exchange (&self->warned_strangers, FALSE, TRUE))
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("feedback names packets that did not pass here: "
            "another stream enters the same RTP session. Join the streams by rtpfunnel and put "
            "one rtparcbwe behind it, or the bandwidth is overestimated"), (NULL));
}

/* With two side by side, transport-wide numbers do not identify the packets of each: each would
 * take the bandwidth of both for its own. */
static gboolean
must_not_use_numbers (GstRtpArcBwe * self)
{
  if (g_atomic_int_get (&self->host.passive))
    return TRUE;
  if (!gst_rtp_arc_bwe_shares_session (self))
    return FALSE;
  if (g_atomic_int_compare_and_exchange (&self->warned_strangers, FALSE, TRUE))
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("another rtparcbwe enters the same RTP session. "
            "Transport-wide feedback cannot be used so, and the rate goes by receiver reports, "
            "which are slow, or by RFC 8888. Put one rtparcbwe behind rtpfunnel"), (NULL));
  return TRUE;
}

/* Put into a session that runs, it hears first of packets that left before it was there. */
static void
remove_earlier (GstRtpArcBwe * self, GArray * told)
{
  RcTime since;
  guint kept = 0;

  GST_OBJECT_LOCK (self);
  since = self->pushed_since;
  GST_OBJECT_UNLOCK (self);
  for (guint i = 0; i < told->len; i++) {
    RcTold packet = g_array_index (told, RcTold, i);

    if (packet.sent_at == RC_TIME_NONE || (since != RC_TIME_NONE && packet.sent_at >= since))
      g_array_index (told, RcTold, kept++) = packet;
  }
  g_array_set_size (told, kept);
}

static void
correct_departures (GstRtpArcBwe * self, GArray * told)
{
  for (guint i = 0; i < told->len; i++) {
    RcTold *packet = &g_array_index (told, RcTold, i);

    if (packet->sent_at != RC_TIME_NONE)
      packet->sent_at = push_times_departure (&self->push_times, packet->sent_at);
  }
}

static void
take_feedback (GstRtpArcBwe * self, const GstStructure * event)
{
  SendSession *session = session_host_dup_session (&self->host);
  guint refused = 0, n_new;
  GArray *told;

  if (!session)
    return;
  if (must_not_use_numbers (self)) {
    g_atomic_int_inc (&self->messages);
    send_session_unref (session);
    return;
  }
  told = twcc_event_read (event, (guint) g_atomic_int_get (&self->header_bytes),
      self->clock_offset, clock_glue_monotonic (), &refused);
  g_atomic_int_add (&self->messages_refused, (gint) (told ? refused : 1));
  if (told) {
    g_atomic_int_inc (&self->messages);
    remove_earlier (self, told);
    correct_departures (self, told);
    n_new = send_session_take_told (session, (RcTold *) told->data, told->len, 0);
    watch_strangers (self, n_new);
    g_array_unref (told);
  }
  send_session_unref (session);
}

/* The RTP session was asked for a keyframe of a stream: by us the encoder is asked no more often
 * than it can answer. FALSE: the stream is none of ours. */
static gboolean
take_keyframe_request (GstRtpArcBwe * self, GstEvent * event)
{
  SendSession *session;
  gboolean taken;
  guint ssrc;

  if (!gst_video_event_is_force_key_unit (event)
      || !gst_structure_get_uint (gst_event_get_structure (event), "ssrc", &ssrc))
    return FALSE;
  session = session_host_dup_session (&self->host);
  taken = session && send_session_request_keyframe (session, ssrc);
  g_clear_pointer (&session, send_session_unref);
  return taken;
}

/* An rtprtxsend upstream keeps packets by the numbers with which they came. Takes the event; NULL:
 * nothing has left with the number that is asked for. */
static GstEvent *
translate_request (GstRtpArcBwe * self, GstEvent * event)
{
  const GstStructure *s = gst_event_get_structure (event);
  SendSession *session;
  gboolean known;
  guint ssrc, out;
  guint16 in;

  if (!gst_structure_get_uint (s, "ssrc", &ssrc) || !gst_structure_get_uint (s, "seqnum", &out)
      || !(session = session_host_dup_session (&self->host)))
    return event;
  known = send_session_number_in (session, ssrc, (guint16) out, &in);
  send_session_unref (session);
  if (!known) {
    gst_event_unref (event);
    return NULL;
  }
  event = gst_event_make_writable (event);
  gst_structure_set (gst_event_writable_structure (event), "seqnum", G_TYPE_UINT, (guint) in, NULL);
  return event;
}

static gboolean
gst_rtp_arc_bwe_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, TWCC_EVENT_NAME))
    take_feedback (self, gst_event_get_structure (event));
  if (take_keyframe_request (self, event)) {
    gst_event_unref (event);
    return TRUE;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, RETRANSMISSION_REQUEST))
    event = translate_request (self, event);
  if (!event)
    return TRUE;
  /* Latency is distributed anew: perhaps a stream has joined, or another session follows. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY) {
    g_atomic_int_set (&self->host.live_known, FALSE);
    g_atomic_int_set (&self->meet_session, TRUE);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    on_relinked (self);
  return gst_pad_event_default (pad, parent, event);
}

/* --- queries --- */

/* A packet waits here for at most the queue's time. */
static gboolean
query_latency (GstRtpArcBwe * self, GstQuery * query)
{
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_peer_query (self->sinkpad, query))
    return FALSE;
  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (self);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += self->host.settings.max_queue_time;
  GST_OBJECT_UNLOCK (self);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

static gboolean
gst_rtp_arc_bwe_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_LATENCY ? query_latency (GST_RTP_ARC_BWE_CAST (parent),
      query) : gst_pad_query_default (pad, parent, query);
}

static void
on_linked (GstPad * pad, GstPad * peer, GstRtpArcBwe * self)
{
  g_atomic_int_set (&self->meet_session, TRUE);
  on_relinked (self);
}

void
gst_rtp_arc_bwe_init_src_pad (GstRtpArcBwe * self)
{
  gst_pad_set_activatemode_function (self->srcpad, gst_rtp_arc_bwe_activate_src);
  gst_pad_set_event_function (self->srcpad, gst_rtp_arc_bwe_src_event);
  gst_pad_set_query_function (self->srcpad, gst_rtp_arc_bwe_src_query);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  g_signal_connect_object (self->srcpad, "linked", G_CALLBACK (on_linked), self, 0);
}
