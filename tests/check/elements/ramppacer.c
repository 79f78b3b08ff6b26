/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler before a sink that lends its pacer, which is a double here. The harness that stands
 * for the sink takes all at once: what comes when tells who waited. */
#include "rampfixture.h"

#include <pacing/packetpacer.h>
#include <rampscheduler/gstrampscheduler.h>

#define PACKET_BYTES 1222
#define NETWORK_BYTES (PACKET_BYTES + 28)       /* 10 ms at 1 Mbit/s */
#define MBIT 1000000

typedef struct
{
  Pacer pacer;
  GMutex lock;
  RmcPacer rmc;
  gint refs;                    /* atomic */
  gboolean unknown;             /* it cannot say when */
  guint64 paid_bytes, came_bytes;
  gint idles;                   /* how often nothing waited; atomic */
  GstElement *asks;             /* it looks at this element while it is asked; or NULL */
} Lent;

static Lent *
lent_of (Pacer * pacer)
{
  return (Lent *) pacer;
}

static RcTime
lent_due_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  Lent *self = lent_of (pacer);
  RcTime due_at;

  if (self->asks) {
    g_autoptr (GstStructure) stats = NULL;

    g_object_get (self->asks, "stats", &stats, NULL);
  }
  g_mutex_lock (&self->lock);
  due_at = self->rmc.pacer.funcs->due_at (&self->rmc.pacer, size_bytes, now);
  if (self->unknown)
    due_at = RC_TIME_NONE;
  g_mutex_unlock (&self->lock);
  return due_at;
}

static void
lent_pay (Pacer * pacer, guint size_bytes, RcTime now)
{
  Lent *self = lent_of (pacer);

  g_mutex_lock (&self->lock);
  self->paid_bytes += size_bytes;
  self->rmc.pacer.funcs->pay (&self->rmc.pacer, size_bytes, now);
  g_mutex_unlock (&self->lock);
}

static void
lent_on_idle (Pacer * pacer, RcTime now)
{
  Lent *self = lent_of (pacer);

  g_mutex_lock (&self->lock);
  self->rmc.pacer.funcs->on_idle (&self->rmc.pacer, now);
  g_mutex_unlock (&self->lock);
  g_atomic_int_inc (&self->idles);
}

static void
lent_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now)
{
  Lent *self = lent_of (pacer);

  g_mutex_lock (&self->lock);
  self->rmc.pacer.funcs->on_blocked (&self->rmc.pacer, size_bytes, since, now);
  g_mutex_unlock (&self->lock);
}

static void
lent_ref (Pacer * pacer)
{
  g_atomic_int_inc (&lent_of (pacer)->refs);
}

static void
lent_unref (Pacer * pacer)
{
  fail_unless (g_atomic_int_add (&lent_of (pacer)->refs, -1) > 0);
}

static const PacerFuncs lent_funcs = {.due_at = lent_due_at,.pay = lent_pay,
  .on_idle = lent_on_idle,.on_blocked = lent_on_blocked,.ref = lent_ref,.unref = lent_unref
};

static void
lent_init (Lent * self, guint64 rate_bps)
{
  memset (self, 0, sizeof *self);
  self->pacer.funcs = &lent_funcs;
  g_mutex_init (&self->lock);
  rmc_pacer_init (&self->rmc, rate_bps, monotonic_ns ());
}

/* As rmcsink asks. */
static void
lend (Fixture * f, Lent * lent)
{
  GstStructure *s = gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, 28, NULL);
  g_autoptr (GstQuery) query = NULL;

  if (lent)
    gst_structure_set (s, "pacer", PACER_TYPE, &lent->pacer, NULL);
  query = gst_query_new_custom (GST_QUERY_CUSTOM, s);
  fail_unless (gst_pad_peer_query (f->out->sinkpad, query));
}

static gint
ms_since (gint64 begin)
{
  return (gint) ((g_get_monotonic_time () - begin) / 1000);
}

/* What the thread that pushed them wrote can be read then: it had the pad's lock of streaming. */
static void
pull (Fixture * f, guint n)
{
  for (; n > 0; n--)
    gst_buffer_unref (gst_harness_pull (f->out));
  GST_PAD_STREAM_LOCK (f->out->sinkpad);
  GST_PAD_STREAM_UNLOCK (f->out->sinkpad);
}

static Lent lent;

/* The scheduler, and the pacer that is not lent yet. */
#define LENT(rate_bps, n_pads) Fixture, f, (lent_init (&lent, rate_bps), \
    fixture_init (f, n_pads, "")), fixture_clear (f)

/* --- when --- */

CLAIM_TIMEOUT_S (90)

BEFORE_EACH
{
  fail_unless (GST_ELEMENT_REGISTER (rampscheduler, NULL));
}

TIMED_CLAIM_ON (test_only_a_sink_that_lends_its_pacer_is_paced, LENT (MBIT, 2))
{
  gint64 begin;

  tell_budget (f, MBIT);
  lend (f, NULL);
  begin = g_get_monotonic_time ();
  push_packets (f, 0, 20, PACKET_BYTES);
  pull (f, 20);
  fail_unless (ms_since (begin) < 100, "%d ms", ms_since (begin));
  lend (f, &lent);
  begin = g_get_monotonic_time ();
  push_packets (f, 1, 40, PACKET_BYTES);
  pull (f, 40);
  fail_unless (ms_since (begin) > 380, "%d ms", ms_since (begin));
  fail_unless (ms_since (begin) < 700, "%d ms", ms_since (begin));
}

static GstPadProbeReturn
expect_paid (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  lent.came_bytes += gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)) + 28;
  g_mutex_lock (&lent.lock);
  fail_unless (lent.paid_bytes >= lent.came_bytes);
  g_mutex_unlock (&lent.lock);
  return GST_PAD_PROBE_OK;
}

CLAIM_ON (test_each_packet_is_paid_for_before_it_comes_and_once, LENT (20 * MBIT, 2))
{
  lend (f, &lent);
  gst_pad_add_probe (f->out->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, expect_paid, NULL, NULL);
  push_packets (f, 0, 50, PACKET_BYTES);
  push_packets (f, 1, 50, 300);
  pull (f, 100);
  fail_unless_equals_uint64 (lent.paid_bytes, lent.came_bytes);
}

/* It forgets what was earned meanwhile, each time anew. */
CLAIM_ON (test_the_pacer_hears_each_time_that_nothing_waits, LENT (20 * MBIT, 1))
{
  lend (f, &lent);
  for (guint i = 0; i < 3; i++) {
    gint before = g_atomic_int_get (&lent.idles);

    push_packets (f, 0, 1, PACKET_BYTES);
    pull (f, 1);
    wait_until (g_atomic_int_get (&lent.idles) > before);
    g_usleep (20000);
  }
}

typedef struct
{
  guint lists, packets, packets_before_event;
} Batches;

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Batches *batches = user_data;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    batches->lists++;
    batches->packets += gst_buffer_list_length (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  } else if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    batches->packets++;
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CUSTOM_DOWNSTREAM) {
    batches->packets_before_event = batches->packets;
  }
  return GST_PAD_PROBE_OK;
}

/* All of them are due when the pacer knows again; so few always fit the queue. An event keeps its
 * place. */
CLAIM_ON (test_what_is_due_together_leaves_as_a_list_and_events_keep_their_place,
    LENT (1000 * MBIT, 1))
{
  Batches batches = { 0 };
  GstStructure *s = gst_structure_new_empty ("mark");
  g_autoptr (GstPad) src = NULL;

  lent.unknown = TRUE;
  src = gst_pad_get_peer (f->out->sinkpad);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, count, &batches, NULL);
  lend (f, &lent);
  push_packets (f, 0, 6, PACKET_BYTES);
  gst_harness_push_event (f->in[0], gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, s));
  push_packets (f, 0, 6, PACKET_BYTES);
  g_mutex_lock (&lent.lock);
  lent.unknown = FALSE;
  g_mutex_unlock (&lent.lock);
  for (guint i = 0; i < 12; i++)
    fail_unless_equals_int (seq_of_next (f), i);
  fail_unless_equals_int (batches.packets_before_event, 6);
  fail_unless (batches.lists > 0);
}

/* At 1 Mbit/s a packet of video takes 10 ms: it can be overtaken until it is due. */
TIMED_CLAIM_ON (test_audio_overtakes_the_packet_that_is_next_but_not_yet_due, LENT (MBIT, 1))
{
  guint place = 0;

  add_pad (f, AUDIO_CAPS);
  tell_budget (f, MBIT);
  lend (f, &lent);
  push_packets (f, 0, 20, PACKET_BYTES);
  wait_until (gst_harness_buffers_received (f->out) >= 5);
  push_packets (f, 1, 1, 100);
  while (ssrc_of_next (f) != 1)
    place++;
  fail_unless (place <= 6, "behind %u", place);
}

static GstPadProbeReturn
block_once (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (++*(guint *) user_data == 3)
    g_usleep (150 * 1000);
  return GST_PAD_PROBE_OK;
}

/* Twelve packets take 120 ms; 150 ms to make up for would be over in a third of that. */
TIMED_CLAIM_ON (test_the_time_that_a_sink_blocked_is_not_made_up_for, LENT (MBIT, 1))
{
  guint count = 0;
  gint64 begin;

  tell_budget (f, MBIT);
  lend (f, &lent);
  gst_pad_add_probe (GST_PAD_PEER (f->out->sinkpad), GST_PAD_PROBE_TYPE_BUFFER, block_once, &count,
      NULL);
  push_packets (f, 0, 20, PACKET_BYTES);
  pull (f, 3);
  begin = g_get_monotonic_time ();
  pull (f, 12);
  fail_unless (ms_since (begin) > 100, "%d ms", ms_since (begin));
}

/* Nobody wakes the scheduler when the pacer knows again. */
CLAIM_ON (test_a_pacer_that_does_not_know_when_is_asked_again, LENT (20 * MBIT, 1))
{
  lent.unknown = TRUE;
  lend (f, &lent);
  push_packets (f, 0, 10, PACKET_BYTES);
  g_usleep (100 * 1000);
  fail_unless_equals_int (gst_harness_buffers_received (f->out), 0);
  g_mutex_lock (&lent.lock);
  lent.unknown = FALSE;
  g_mutex_unlock (&lent.lock);
  pull (f, 10);
}

/* 20 packets take 200 ms at the smaller of the two rates. */
TIMED_CLAIM (test_the_smaller_of_budget_and_sink_holds)
{
  for (guint round = 0; round < 2; round++) {
    gint64 begin;
    AT_END (fixture_clear) Fixture f;

    lent_init (&lent, round == 0 ? MBIT : 20 * MBIT);
    fixture_init (&f, 1, round == 0 ? "budget=20000000" : "budget=1000000");
    lend (&f, &lent);
    begin = g_get_monotonic_time ();
    push_packets (&f, 0, 20, PACKET_BYTES);
    pull (&f, 20);
    fail_unless (ms_since (begin) > 170, "%d ms", ms_since (begin));
    fail_unless (ms_since (begin) < 500, "%d ms", ms_since (begin));
  }
}

/* --- whose it is --- */

CLAIM_ON (test_the_pacer_is_asked_without_a_lock, LENT (20 * MBIT, 1))
{
  lent.asks = f->scheduler;
  lend (f, &lent);
  push_packets (f, 0, 20, PACKET_BYTES);
  pull (f, 20);
}

CLAIM (test_the_pacer_goes_back_when_another_is_lent_or_the_sink_goes_or_all_stops)
{
  g_autoptr (GstPad) src = NULL;
  Lent lents[2];
  AT_END (fixture_clear) Fixture f;

  for (guint i = 0; i < 2; i++)
    lent_init (&lents[i], 20 * MBIT);
  fixture_init (&f, 1, "");
  src = gst_pad_get_peer (f.out->sinkpad);
  lend (&f, &lents[0]);
  fail_unless_equals_int (g_atomic_int_get (&lents[0].refs), 1);
  lend (&f, &lents[1]);
  fail_unless_equals_int (g_atomic_int_get (&lents[0].refs), 0);
  gst_pad_unlink (src, f.out->sinkpad);
  fail_unless_equals_int (g_atomic_int_get (&lents[1].refs), 0);
  gst_pad_link (src, f.out->sinkpad);
  lend (&f, &lents[1]);
  push_packets (&f, 0, 5, PACKET_BYTES);
  pull (&f, 5);
  gst_element_set_state (f.scheduler, GST_STATE_NULL);
  fail_unless_equals_int (g_atomic_int_get (&lents[1].refs), 0);
}
