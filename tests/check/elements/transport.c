/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A session over a transport that is no socket: what leaves is kept, what comes is handed over. */

#include <gst/rtp/gstrtpbuffer.h>
#include <session/sendsession.h>
#include <rtp/ratestamp.h>
#include <rtp/rtcpwriter.h>

#include "claim.h"

#define SSRC 7
#define PAYLOAD 1000

/* The double. */
typedef struct
{
  Transport transport;
  GMutex lock;
  GQueue sent;                  /* GstBuffer */
  guint taken_at_once;          /* of a batch */
  gboolean closed, freed;
  gint stamped;                 /* atomic: what it was told last */
} Kept;

static Kept kept;

static TransportResult
kept_send (Transport * transport, GstBuffer ** packets, guint n, RcEcnBits ecn)
{
  TransportResult result = {.sent = MIN (n, kept.taken_at_once),.again = n > kept.taken_at_once };

  g_mutex_lock (&kept.lock);
  for (guint i = 0; i < result.sent; i++)
    g_queue_push_tail (&kept.sent, gst_buffer_ref (packets[i]));
  g_mutex_unlock (&kept.lock);
  return result;
}

static void
kept_close (Transport * transport)
{
  kept.closed = TRUE;
}

static void
kept_free (Transport * transport)
{
  fail_unless (kept.closed);
  kept.freed = TRUE;
  kept.transport.funcs = NULL;  /* who uses it from now on is seen */
}

static void
kept_set_stamped (Transport * transport, gboolean stamped, RcTime loop_time)
{
  g_atomic_int_set (&kept.stamped, stamped);
}

static const TransportFuncs kept_funcs = {.send = kept_send,.close = kept_close,.free = kept_free };
static const TransportFuncs stamping_funcs = {.send = kept_send,.set_stamped = kept_set_stamped,
  .close = kept_close,.free = kept_free
};

static void
nothing_due (gpointer user_data)
{
}

static SendSession *
open_session_with (const TransportFuncs * funcs, const gchar * law, guint taken_at_once)
{
  SendSessionConfig config = {.limits = {1000000, 20000000, 20000000},
      .pacing = RC_RMC_PARAMS_DEFAULT, .max_queue_time = RC_SECOND,.renumber = TRUE,
      .transport = &kept.transport,.work_due = nothing_due };
  SendSession *session;

  kept = (Kept) {.transport = {funcs, RC_OVERHEAD_IPV4_BYTES, -1},
      .taken_at_once = taken_at_once };
  rc_controller_init (&config.controller, rc_law_find (law), RC_PROFILE_LIVE);
  session = send_session_new (&config, NULL);
  fail_unless (session != NULL);
  return session;
}

static SendSession *
open_session (guint taken_at_once)
{
  return open_session_with (&kept_funcs, "arc", taken_at_once);
}

static void
close_session (SendSession * session)
{
  send_session_stop (session);
  fail_unless (kept.closed && kept.freed, "a scheduler may keep the session for longer");
  send_session_unref (session);
  g_queue_clear_full (&kept.sent, (GDestroyNotify) gst_buffer_unref);
}

static void
push (SendSession * session, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) buffer = gst_rtp_buffer_new_allocate (PAYLOAD, 0, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    guint taken = 0;

    gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_ssrc (&rtp, SSRC);
    gst_rtp_buffer_set_seq (&rtp, (guint16) i);
    gst_rtp_buffer_set_timestamp (&rtp, i * 90);
    gst_rtp_buffer_unmap (&rtp);
    fail_unless_equals_int (send_session_push (session, &buffer, 1, &taken),
        SEND_PUSH_OK);
  }
}

static void
take (SendSession * session, GstBuffer * feedback)
{
  GstMapInfo map;

  gst_buffer_map (feedback, &map, GST_MAP_READ);
  send_session_take_datagram (session, map.data, map.size);
  gst_buffer_unmap (feedback, &map);
  gst_buffer_unref (feedback);
}

/* Waits for so many that left; half a minute at most. */
static guint
sent (guint n)
{
  guint have = 0;

  for (guint i = 0; i < 3000 && have < n; i++) {
    g_usleep (10000);
    g_mutex_lock (&kept.lock);
    have = kept.sent.length;
    g_mutex_unlock (&kept.lock);
  }
  return have;
}

CLAIM (test_media_leaves_through_any_transport)
{
  SendSession *session = open_session (G_MAXUINT);

  push (session, 50);
  fail_unless_equals_int (sent (50), 50);
  close_session (session);
}

/* Packet by packet, and each time it says that it is full. */
CLAIM (test_full_transport_is_asked_again_and_loses_nothing)
{
  SendSession *session = open_session (1);

  push (session, 50);
  fail_unless_equals_int (sent (50), 50);
  for (guint i = 0; i < 50; i++) {
    AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    fail_unless (gst_rtp_buffer_map (g_queue_peek_nth (&kept.sent, i), GST_MAP_READ, &rtp));
    fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), i);
  }
  close_session (session);
}

/* The receiver's first report makes the session tell it what it knows: one RTCP packet through
 * the same transport. */
CLAIM (test_feedback_that_is_handed_over_is_answered)
{
  RcReport report = {.ssrc = SSRC,
      .number = 1,.highest_seq = 4,.arrival_us_remote = 1000,.received_pkts = 5,
      .received_bytes = 5 * (PAYLOAD + 12),.bandwidth_bps = 1000000 };
  SendSession *session = open_session (G_MAXUINT);
  SessionStats stats;

  push (session, 5);
  fail_unless_equals_int (sent (5), 5);
  take (session, rtcp_new_reports (99, &report, 1));
  fail_unless_equals_int (sent (6), 6);
  send_session_get_stats (session, &stats);
  fail_unless_equals_int (stats.sender.reports.accepted, 1);
  close_session (session);
}

/* Only arcsrc, which sends notices, knows what stands behind a packet. */
CLAIM (test_transport_with_a_place_for_stamps_is_told_once_the_receiver_knows_of_it)
{
  SendSession *session = open_session_with (&stamping_funcs, "piqi-rcp", G_MAXUINT);
  RcReport report = {.ssrc = SSRC,
      .number = 1,.highest_seq = 4,.arrival_us_remote = 1000,.received_pkts = 5,
      .received_bytes = 5 * (PAYLOAD + 12),.bandwidth_bps = 1000000 };
  RcNotice notice = { RC_REFUSAL_NONE, 1 };

  push (session, 5);
  fail_unless_equals_int (sent (5), 5);
  fail_unless_equals_int (gst_buffer_get_size (g_queue_peek_head (&kept.sent)), PAYLOAD + 12);
  take (session, rtcp_new_reports (99, &report, 1));
  fail_unless_equals_int (sent (6), 6);
  fail_unless (!g_atomic_int_get (&kept.stamped));
  take (session, rtcp_new_notice (99, &notice));
  for (guint i = 0; i < 3000 && !g_atomic_int_get (&kept.stamped); i++)
    g_usleep (10000);
  fail_unless (g_atomic_int_get (&kept.stamped));
  close_session (session);
  /* A law that obeys no relay wants no stamps. */
  session = open_session_with (&stamping_funcs, "arc", G_MAXUINT);
  take (session, rtcp_new_notice (99, &notice));
  push (session, 5);
  fail_unless (sent (6) >= 6);
  fail_unless (!g_atomic_int_get (&kept.stamped));
  close_session (session);
}

/* A worker that follows the path may ask while the element stops. */
CLAIM (test_a_session_that_has_stopped_uses_its_transport_no_more)
{
  SendSession *session = open_session_with (&kept_funcs, "piqi-rcp", G_MAXUINT);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("application/x-rtp,media=video,clock-rate=90000,"
      "encoding-name=H264,extmap-" G_STRINGIFY (RATE_STAMP_ID) "=" RATE_STAMP_URI);
  SessionStats stats;

  send_session_set_caps (session, caps, -1);
  push (session, 5);
  fail_unless (sent (5) >= 5);
  send_session_stop (session);
  fail_unless (kept.freed);
  fail_unless_equals_int (send_session_get_max_rtp_bytes (session), 0);
  send_session_get_stats (session, &stats);
  fail_unless (send_session_get_peer (session) == NULL);
  send_session_unref (session);
  g_queue_clear_full (&kept.sent, (GDestroyNotify) gst_buffer_unref);
}
