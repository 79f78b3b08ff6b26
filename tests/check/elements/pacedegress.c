/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The paced egress between a source and an owner that are doubles, in virtual time. */

#include <pacing/pacedegress.h>
#include <pacing/packetpacer.h>

#include "claim.h"

#define RATE_BPS 8000000        /* 1 byte takes 1 us */
#define BYTES 1000
#define MAX_PACKETS 256

/* Two streams, of which the first is urgent; what leaves is the urgent one's as long as it has any.
 * */
typedef struct
{
  PacketSource source;
  PacedEgress egress;
  RmcPacer pacer;
  guint waiting[2];             /* packets */
  guint batch;                  /* so many are known ahead */
  GstBuffer *buffer;
  guint room;                   /* packets that its owner takes in all */

  RcTime now;
  guint n_sent, n_batches, n_told;
  struct
  {
    RcTime at;
    guint stream, batch;
  } sent[MAX_PACKETS];
} Fixture;

static Fixture f;

static gboolean
double_peek (PacketSource * source, guint nth, RcTime now, PacedPacket * packet)
{
  *packet = (PacedPacket) { f.buffer, BYTES };
  return nth < f.batch && nth < f.waiting[0] + f.waiting[1];
}

static void
double_make_ready (PacketSource * source, guint n, GstBuffer ** ready)
{
  for (guint i = 0; i < n; i++)
    ready[i] = f.buffer;
}

static void
double_take (PacketSource * source, RcTime now)
{
  guint stream = f.waiting[0] > 0 ? 0 : 1;

  f.waiting[stream]--;
  fail_unless (f.n_sent < MAX_PACKETS);
  f.sent[f.n_sent].at = now;
  f.sent[f.n_sent].batch = f.n_batches;
  f.sent[f.n_sent++].stream = stream;
}

static guint64
double_get_waiting_bytes (PacketSource * source)
{
  return (f.waiting[0] + f.waiting[1]) * (guint64) BYTES;
}

static const PacketSourceFuncs source_funcs = {
  double_peek, double_make_ready, double_take, double_get_waiting_bytes
};

static TransportResult
double_send (gpointer owner, GstBuffer ** ready, guint n)
{
  TransportResult result = {.sent = MIN (n, f.room),.again = n > f.room };

  fail_unless (n > 0 && owner == &f);
  f.room -= result.sent;
  f.n_batches++;
  return result;
}

static void
double_on_batch (gpointer owner, const TransportResult * result, RcTime now)
{
  fail_unless (owner == &f);
}

static void
double_on_sent (gpointer owner, gboolean more, RcTime now)
{
  f.n_told++;
  fail_unless_equals_int (f.n_told, f.n_sent + 1);      /* told before it is taken */
}

static const PacedEgressFuncs egress_funcs = { double_send, double_on_batch, double_on_sent };

BEFORE_EACH
{
  memset (&f, 0, sizeof f);
  f.now = RC_SECOND;
  f.batch = f.room = G_MAXUINT;
  f.buffer = gst_buffer_new ();
  f.source.funcs = &source_funcs;
  rmc_pacer_init (&f.pacer, RATE_BPS, f.now);
  f.egress = (PacedEgress) { &f.source, &f.pacer.pacer, &egress_funcs, &f };
}

AFTER_EACH
{
  gst_buffer_unref (f.buffer);
}

/* As the engine does: serves until nothing is due before `end`. */
static void
run_until (RcTime end)
{
  RcTime next_at;

  while (f.now < end) {
    next_at = paced_egress_serve (&f.egress, f.now);
    if (next_at == RC_TIME_NONE || next_at >= end)
      f.now = end;
    else
      f.now = MAX (next_at, f.now + 1);
  }
}

CLAIM (test_packets_leave_at_the_rate_of_the_pacer)
{
  f.waiting[1] = 100;
  run_until (RC_SECOND + 50 * RC_MSEC);
  fail_unless (f.n_sent >= 49 && f.n_sent <= 51, "%u", f.n_sent);
  fail_unless_equals_int (f.n_batches, f.n_sent);       /* at such a rate one by one */
  fail_unless (ABS (f.sent[40].at - f.sent[20].at - 20 * RC_MSEC) < 10);
}

/* The pacer is asked for the urgent packet although it knows of another one that is not due yet. */
CLAIM (test_what_becomes_urgent_before_the_next_is_due_leaves_first)
{
  f.waiting[1] = 10;
  f.batch = 1;
  run_until (RC_SECOND + 2 * RC_MSEC + 500 * RC_USEC);
  fail_unless_equals_int (f.n_sent, 2);
  f.waiting[0] = 1;
  run_until (RC_SECOND + 3 * RC_MSEC + 500 * RC_USEC);
  fail_unless_equals_int (f.n_sent, 3);
  fail_unless_equals_int (f.sent[2].stream, 0);
}

CLAIM (test_what_is_due_together_is_one_batch_if_the_source_knows_it)
{
  for (guint round = 0; round < 2; round++) {
    rc_rmc_set_rate (&f.pacer.rmc, 100 * (guint64) RATE_BPS, f.now);
    f.waiting[1] = 40;
    f.batch = round == 0 ? G_MAXUINT : 1;
    f.n_batches = f.n_sent = f.n_told = 0;
    f.now += RC_MSEC;
    run_until (f.now + 5 * RC_MSEC);
    fail_unless_equals_int (f.n_sent, 40);
    if (round == 0)
      fail_unless (f.n_batches < 20, "%u batches", f.n_batches);
    else
      fail_unless_equals_int (f.n_batches, 40);
  }
}

/* Paid for and not taken: the pacer gets it back, and the packet leaves later, once. */
CLAIM (test_a_full_transport_is_asked_again_and_pays_nothing)
{
  RcTime next_at;

  f.waiting[1] = 20;
  f.room = 5;
  run_until (RC_SECOND + 8 * RC_MSEC);
  fail_unless_equals_int (f.n_sent, 5);
  next_at = paced_egress_serve (&f.egress, f.now);
  fail_unless (next_at > f.now && next_at <= f.now + 2 * RC_MSEC);
  f.room = G_MAXUINT;
  run_until (RC_SECOND + 15 * RC_MSEC + 500 * RC_USEC);
  fail_unless_equals_int (f.n_sent, 15);        /* what the rate gives from the beginning */
}

CLAIM (test_a_pause_earns_no_burst)
{
  f.waiting[1] = 5;
  run_until (RC_SECOND + 100 * RC_MSEC);
  fail_unless_equals_int (f.n_sent, 5);
  f.waiting[1] = 5;
  run_until (RC_SECOND + 102 * RC_MSEC + 500 * RC_USEC);
  fail_unless_equals_int (f.n_sent, 8);
}

CLAIM (test_an_empty_source_needs_no_time_to_come_again)
{
  fail_unless (paced_egress_serve (&f.egress, f.now) == RC_TIME_NONE);
  fail_unless_equals_int (f.n_batches, 0);
}
