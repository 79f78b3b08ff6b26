/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A session's pacer in the hands of a scheduler upstream: what is paid for leaves at once, and
 * whoever pays keeps the rate. The transport is a double that counts. */

#include <gst/rtp/gstrtpbuffer.h>

#include <base/clockglue.h>
#include <rtp/rtcpwriter.h>
#include <session/sendsession.h>

#include "claim.h"

#define RATE_BPS 100000
#define RTP_BYTES 1222
#define NETWORK_BYTES (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES)
#define PACKET_TIME (100 * RC_MSEC)     /* of so many bytes, at the rate */

typedef struct
{
  Transport transport;
  gint sent;                    /* atomic */
  gboolean freed;
} Counting;

static Counting counting;
static SendSession *session;
static Pacer *pacer;
static guint16 seq;
static RcTime started_at;

static TransportResult
counting_send (Transport * transport, GstBuffer ** packets, guint n, RcEcnBits ecn)
{
  g_atomic_int_add (&counting.sent, (gint) n);
  return (TransportResult) {.sent = n };
}

static void
counting_close (Transport * transport)
{
}

static void
counting_free (Transport * transport)
{
  counting.freed = TRUE;
}

static const TransportFuncs counting_funcs = {.send = counting_send,.close = counting_close,
  .free = counting_free
};

static void
work_due (gpointer user_data)
{
}

static void
set_up (void)
{
  SendSessionConfig config = {.limits = {RATE_BPS, RATE_BPS, RATE_BPS},.max_queue_time = RC_SECOND,
    .pacing = RC_RMC_PARAMS_DEFAULT,.renumber = TRUE,.transport = &counting.transport,
    .work_due = work_due
  };

  counting = (Counting) {.transport = {&counting_funcs, RC_OVERHEAD_IPV4_BYTES, -1} };
  started_at = clock_glue_monotonic ();
  rc_controller_init (&config.controller, rc_law_find ("fixed"), RC_PROFILE_LIVE);
  session = send_session_new (&config, NULL);
  fail_unless (session != NULL);
  pacer = send_session_get_pacer (session);
  seq = 0;
}

BEFORE_EACH
{
  set_up ();
}

static void
tear_down (void)
{
  send_session_stop (session);
  send_session_unref (session);
}

AFTER_EACH
{
  tear_down ();
}

static void
push (guint n)
{
  for (; n > 0; n--, seq++) {
    g_autoptr (GstBuffer) buffer = gst_rtp_buffer_new_allocate (RTP_BYTES - 12, 0, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    guint taken = 0;

    gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_seq (&rtp, seq);
    gst_rtp_buffer_set_timestamp (&rtp, seq);
    gst_rtp_buffer_unmap (&rtp);
    fail_unless_equals_int (send_session_push (session, &buffer, 1, &taken),
        SEND_PUSH_OK);
  }
}

static RcTime
due_at (RcTime now)
{
  RcTime at = pacer->funcs->due_at (pacer, NETWORK_BYTES, now);

  fail_unless (at != RC_TIME_NONE);
  return at;
}

/* Of n packets, as early as the rate permits, however long the machine took. */
static void
expect_next_behind (guint n)
{
  RcTime at = due_at (clock_glue_monotonic ()) - started_at;

  fail_unless (at >= (n + 1) * PACKET_TIME - RC_MSEC, "%d ms", (gint) (at / RC_MSEC));
}

static void
pay (guint n)
{
  for (; n > 0; n--)
    pacer->funcs->pay (pacer, NETWORK_BYTES, clock_glue_monotonic ());
}

static gboolean
sent_within (gint n, guint ms)
{
  for (; ms > 0 && g_atomic_int_get (&counting.sent) < n; ms--)
    g_usleep (1000);
  return g_atomic_int_get (&counting.sent) >= n;
}

/* At the rate they would take ten seconds. */
CLAIM (test_what_is_paid_for_leaves_at_once_and_the_next_waits_for_all_of_it)
{
  pay (100);
  push (100);
  fail_unless (sent_within (100, 8000), "%d", g_atomic_int_get (&counting.sent));
  expect_next_behind (100);
}

CLAIM (test_what_is_not_paid_for_waits_its_turn_and_costs_the_borrower)
{
  push (4);
  fail_unless (sent_within (4, 8000));
  fail_unless (clock_glue_monotonic () - started_at >= 4 * PACKET_TIME - RC_MSEC);
  expect_next_behind (4);
}

/* An element between the scheduler and the sink has made packets of its own. */
CLAIM (test_what_is_larger_than_was_paid_for_is_charged_when_it_leaves)
{
  pacer->funcs->pay (pacer, NETWORK_BYTES / 2, clock_glue_monotonic ());
  push (1);
  fail_unless (sent_within (1, 8000));
  expect_next_behind (1);
}

/* As the scheduler does: ask, pay, push. */
CLAIM (test_whoever_asks_and_pays_keeps_the_rate)
{
  RcTime now, at;

  for (guint i = 0; i < 11; i++) {
    for (now = clock_glue_monotonic (); (at = due_at (now)) > now; now = clock_glue_monotonic ())
      g_usleep ((gulong) ((at - now) / RC_USEC) + 1);
    pay (1);
    push (1);
  }
  fail_unless (clock_glue_monotonic () - started_at >= 11 * PACKET_TIME - RC_MSEC);
  fail_unless (sent_within (11, 8000));
}

/* Although a packet's worth and more was earned while somebody else held the packet. */
CLAIM (test_after_a_packet_was_held_the_next_follows_at_the_rate)
{
  RcTime since = clock_glue_monotonic (), until, at;

  pay (1);
  g_usleep (400 * 1000);
  push (1);
  until = clock_glue_monotonic ();
  pacer->funcs->on_blocked (pacer, NETWORK_BYTES, since, until);
  at = due_at (clock_glue_monotonic ()) - until;
  fail_unless (at > 20 * RC_MSEC, "%d ms", (gint) (at / RC_MSEC));
}

static void
ask_again (guint16 asked_seq)
{
  const NackedPacket packet = { 0, asked_seq };
  guint n_told;
  g_autoptr (GstBuffer) buffer = rtcp_new_nacks (7, &packet, 1, 100, FALSE, &n_told);
  GstMapInfo map;

  fail_unless_equals_int (n_told, 1);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  send_session_take_datagram (session, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

/* Whoever asks for the next packet finds the rate spent on what was asked for before. The thread
 * that sends would come to it, too, but later. */
CLAIM (test_what_leaves_again_goes_before_what_the_scheduler_has)
{
  send_session_set_rtx_time (session, RC_SECOND);
  for (gint round = 0; round < 8; round++) {
    gint sent = 2 * round + 1;

    push (1);
    fail_unless (sent_within (sent, 8000));
    g_usleep (2 * PACKET_TIME / RC_USEC);
    ask_again (seq - 1);
    due_at (clock_glue_monotonic ());
    fail_unless_equals_int (g_atomic_int_get (&counting.sent), sent + 1);
  }
}

CLAIM (test_a_flush_and_an_idle_scheduler_forget_what_was_paid_for)
{
  for (guint round = 0; round < 2; round++) {
    RcTime begun = clock_glue_monotonic ();
    gint sent;

    pay (20);
    if (round == 0)
      send_session_flush (session);
    else
      pacer->funcs->on_idle (pacer, clock_glue_monotonic ());
    push (3);
    g_usleep (20 * 1000);
    sent = g_atomic_int_get (&counting.sent);
    fail_unless (sent < 3 || clock_glue_monotonic () - begun >= 2 * PACKET_TIME - RC_MSEC);
    send_session_flush (session);
    g_atomic_int_set (&counting.sent, 0);
  }
}

/* It lives as long as somebody has it, and holds nobody up. The transport may be a part of an
 * element that has gone by then. */
CLAIM (test_the_pacer_of_a_session_that_has_stopped_holds_nobody_up)
{
  Pacer *lent = g_boxed_copy (PACER_TYPE, pacer);

  pay (20);
  tear_down ();
  fail_unless (counting.freed);
  started_at = clock_glue_monotonic ();
  fail_unless (due_at (started_at) <= started_at);
  pay (1);
  pacer->funcs->on_idle (pacer, clock_glue_monotonic ());
  g_boxed_free (PACER_TYPE, lent);
  set_up ();
}
