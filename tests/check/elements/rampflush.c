/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flushes at rampscheduler. A seek from downstream reaches one branch after the other; what
 * follows is flushed once, from the first branch's flush to the last's. A flush that is not for
 * all stays where it is. */
#include "rampfixture.h"

typedef struct
{
  gint starts, stops, packets;  /* atomic; packets: since the last FLUSH_STOP */
  guint32 seqnum;               /* of the last flush */
  gboolean reset_time;
} Seen;

static GstPadProbeReturn
note (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Seen *seen = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    g_atomic_int_inc (&seen->packets);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START) {
    g_atomic_int_inc (&seen->starts);
    seen->seqnum = gst_event_get_seqnum (event);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    fail_unless_equals_int (gst_event_get_seqnum (event), seen->seqnum);
    gst_event_parse_flush_stop (event, &seen->reset_time);
    g_atomic_int_set (&seen->packets, 0);
    g_atomic_int_inc (&seen->stops);
  }
  return GST_PAD_PROBE_OK;
}

static void
watch (GstPad * pad, Seen * seen)
{
  memset (seen, 0, sizeof *seen);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
      GST_PAD_PROBE_TYPE_EVENT_FLUSH, note, seen, NULL);
}

static gboolean
refuse_seek (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gboolean seek = GST_EVENT_TYPE (event) == GST_EVENT_SEEK;

  gst_event_unref (event);
  return !seek;
}

/* All pads take it; the test then flushes them as their sources would. */
static guint32
seek (Fixture * f)
{
  GstEvent *event = gst_event_new_seek (1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0);
  guint32 seqnum = gst_event_get_seqnum (event);

  fail_unless (gst_harness_push_upstream_event (f->out, event));
  return seqnum;
}

static void
flush_start (Fixture * f, guint i, guint32 seqnum)
{
  GstEvent *event = gst_event_new_flush_start ();

  if (seqnum != GST_SEQNUM_INVALID)
    gst_event_set_seqnum (event, seqnum);
  gst_harness_push_event (f->in[i], event);
}

static void
flush_stop (Fixture * f, guint i, guint32 seqnum)
{
  GstEvent *event = gst_event_new_flush_stop (TRUE);

  if (seqnum != GST_SEQNUM_INVALID)
    gst_event_set_seqnum (event, seqnum);
  gst_harness_push_event (f->in[i], event);
  send_segment (f, i, 0);
}

static void
flush (Fixture * f, guint i, guint32 seqnum)
{
  flush_start (f, i, seqnum);
  flush_stop (f, i, seqnum);
}

static void
saw (const Seen * seen, gint starts, gint stops)
{
  fail_unless_equals_int (g_atomic_int_get (&seen->starts), starts);
  fail_unless_equals_int (g_atomic_int_get (&seen->stops), stops);
}

/* --- one after the other --- */

CLAIM_TIMEOUT_S (90)

CLAIM_ON (test_a_seek_flushes_what_follows_once_though_branches_flush_in_turn,
    SCHEDULER (3, "budget=400000"))
{
  guint32 seqnum;
  Seen seen;

  watch (f->out->sinkpad, &seen);
  for (guint round = 1; round < 4; round++) {
    for (guint i = 0; i < 3; i++)
      push_packets (f, i, 5, 1200);
    seqnum = seek (f);
    for (guint i = 0; i < 3; i++) {
      flush_start (f, i, seqnum);
      saw (&seen, round, round - 1);
      flush_stop (f, i, seqnum);
      saw (&seen, round, i < 2 ? round - 1 : round);
    }
    fail_unless_equals_int (seen.seqnum, seqnum);
    fail_unless (seen.reset_time);
    push_packets (f, round % 3, 1, 1200);
    wait_until (g_atomic_int_get (&seen.packets) == 1);
  }
}

CLAIM_ON (test_what_follows_a_seek_has_its_number, SCHEDULER (2, ""))
{
  guint32 seqnum;
  GstEvent *event;
  gboolean end;

  seqnum = seek (f);
  for (guint i = 0; i < 2; i++)
    flush (f, i, seqnum);
  for (guint i = 0; i < 2; i++) {
    push_packets (f, i, 1, 1200);
    gst_harness_push_event (f->in[i], gst_event_new_eos ());
  }
  do {
    event = gst_harness_pull_event (f->out);
    fail_unless (event != NULL);
    end = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    if (end || GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
      fail_unless_equals_int (gst_event_get_seqnum (event), seqnum);
    gst_event_unref (event);
  } while (!end);
}

/* It may bring more than the queue takes, and then waits; it is never told that it flushes
 * still. */
CLAIM_ON (test_a_branch_goes_on_after_its_flush_though_others_have_yet_to_flush,
    SCHEDULER (2, "budget=8000000 max-queue-time=10000000"))
{
  guint32 seqnum;
  GThread *thread;
  Seen seen;

  watch (f->out->sinkpad, &seen);
  push_packets (f, 0, 5, 1200);
  push_packets (f, 1, 5, 1200);
  wait_until (g_atomic_int_get (&seen.packets) == 10);
  seqnum = seek (f);
  flush (f, 0, seqnum);
  thread = g_thread_new ("pusher", push_200, f->in[0]);
  wait_until (pad_stat (f, 0, "queue-bytes") > 14000);
  fail_unless_equals_int (g_atomic_int_get (&seen.packets), 10);
  flush (f, 1, seqnum);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_OK);
  wait_until (g_atomic_int_get (&seen.packets) == 200);
  saw (&seen, 1, 1);
}

/* What follows holds the sending thread until it is flushed. */
CLAIM_ON (test_the_first_flush_frees_a_thread_that_sends, SCHEDULER (2, ""))
{
  guint32 seqnum;
  g_autoptr (GstPad) src = NULL;
  gulong probe;

  src = gst_pad_get_peer (f->out->sinkpad);
  probe = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, NULL,
      NULL, NULL);
  push_packets (f, 0, 3, 1200);
  push_packets (f, 1, 3, 1200);
  wait_until (gst_pad_is_blocking (src));
  seqnum = seek (f);
  flush (f, 0, seqnum);
  push_packets (f, 0, 3, 1200);
  flush (f, 1, seqnum);
  gst_pad_remove_probe (src, probe);
  push_packets (f, 1, 3, 1200);
  wait_until (gst_harness_buffers_received (f->out) == 6);
}

/* The same seek sent to each source, not through the scheduler. */
CLAIM_ON (test_flushes_of_one_seqnum_go_on_once_also_without_a_seek, SCHEDULER (2, ""))
{
  guint32 seqnum = gst_util_seqnum_next ();
  Seen seen;

  watch (f->out->sinkpad, &seen);
  flush (f, 0, seqnum);
  push_packets (f, 0, 1, 1200);
  flush (f, 1, seqnum);
  saw (&seen, 1, 1);
  flush (f, 0, seqnum);
  flush (f, 1, seqnum);
  saw (&seen, 1, 1);
  push_packets (f, 1, 1, 1200);
  wait_until (g_atomic_int_get (&seen.packets) >= 1);
}

/* --- who is not awaited --- */

CLAIM_ON (test_a_branch_that_refuses_the_seek_is_not_awaited_and_loses_nothing,
    SCHEDULER (2, "budget=400000"))
{
  guint32 seqnum;
  Seen seen;

  gst_pad_set_event_function (f->in[1]->srcpad, refuse_seek);
  watch (f->out->sinkpad, &seen);
  push_packets (f, 0, 5, 1200);
  push_packets (f, 1, 5, 1200);
  seqnum = seek (f);
  flush (f, 0, seqnum);
  saw (&seen, 1, 1);
  push_packets (f, 0, 1, 1200);
  wait_until (pad_stat (f, 1, "bytes-sent") == 5 * 1228 && pad_stat (f, 0, "queue-bytes") == 0);
}

CLAIM_ON (test_a_seek_that_all_refuse_flushes_nothing, SCHEDULER (2, ""))
{
  Seen seen;

  for (guint i = 0; i < 2; i++)
    gst_pad_set_event_function (f->in[i]->srcpad, refuse_seek);
  watch (f->out->sinkpad, &seen);
  fail_if (gst_harness_push_upstream_event (f->out, gst_event_new_seek (1.0, GST_FORMAT_TIME,
              GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0)));
  flush (f, 0, GST_SEQNUM_INVALID);
  push_packets (f, 0, 1, 1200);
  wait_until (g_atomic_int_get (&seen.packets) == 1);
  saw (&seen, 0, 0);
}

static void
unlink_pad (Fixture * f, guint i)
{
  fail_unless (gst_pad_unlink (f->in[i]->srcpad, f->pads[i]));
}

static void (*const goes[]) (Fixture * f, guint i) = { release_pad, unlink_pad };

/* Released or unlinked. */
CLAIMS (test_a_pad_that_goes_between_the_flushes_is_not_awaited, G_N_ELEMENTS (goes))
{
  AT_END (fixture_clear) Fixture f;
  Seen seen;

  fixture_init (&f, 2, "");
  watch (f.out->sinkpad, &seen);
  flush (&f, 0, seek (&f));
  saw (&seen, 1, 0);
  goes[__i__] (&f, 1);
  saw (&seen, 1, 1);
  push_packets (&f, 0, 1, 1200);
  wait_until (g_atomic_int_get (&seen.packets) == 1);
}

CLAIM_ON (test_a_pad_that_comes_between_the_flushes_is_not_awaited, SCHEDULER (2, ""))
{
  guint32 seqnum;
  Seen seen;

  watch (f->out->sinkpad, &seen);
  seqnum = seek (f);
  flush (f, 0, seqnum);
  add_pad (f, VIDEO_CAPS);
  flush (f, 1, seqnum);
  saw (&seen, 1, 1);
  push_packets (f, 2, 1, 1200);
  wait_until (g_atomic_int_get (&seen.packets) == 1);
}

CLAIM_ON (test_a_stop_between_the_flushes_leaves_nothing_of_them, SCHEDULER (2, ""))
{
  Seen seen;

  watch (f->out->sinkpad, &seen);
  flush (f, 0, seek (f));
  gst_pad_set_active (f->out->sinkpad, FALSE);
  gst_element_set_state (f->scheduler, GST_STATE_READY);
  gst_pad_set_active (f->out->sinkpad, TRUE);
  gst_element_set_state (f->scheduler, GST_STATE_PLAYING);
  flush (f, 1, GST_SEQNUM_INVALID);
  saw (&seen, 1, 0);
  push_packets (f, 1, 1, 1200);
  wait_until (g_atomic_int_get (&seen.packets) == 1);
}

/* --- a flush of one --- */

CLAIM_ON (test_a_stream_goes_on_if_it_alone_is_flushed_after_the_end_of_all, SCHEDULER (2, ""))
{
  Seen seen;

  for (guint i = 0; i < 2; i++) {
    push_packets (f, i, 1, 1200);
    gst_harness_push_event (f->in[i], gst_event_new_eos ());
  }
  fail_unless (saw_eos (f));
  watch (f->out->sinkpad, &seen);
  flush (f, 0, GST_SEQNUM_INVALID);
  push_packets (f, 0, 3, 1200);
  wait_until (gst_harness_buffers_received (f->out) == 5);
  fail_unless (saw_event (f, GST_EVENT_STREAM_START));
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  saw (&seen, 0, 0);
}

/* --- sources that seek --- */

#define SOURCE \
    "audiotestsrc samplesperbuffer=441 ! audio/x-raw,rate=44100,channels=1 ! rtpL16pay ! s. "

TIMED_CLAIM (test_media_keeps_its_pace_after_a_seek_of_independent_sources)
{
  GstElement *pipeline = gst_parse_launch ("rampscheduler name=s ! fakesink name=sink sync=true "
      SOURCE SOURCE, NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gint64 begin, us;
  gint packets;
  Seen seen;

  watch (pad, &seen);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_until (g_atomic_int_get (&seen.packets) > 20);
  for (gint round = 1; round < 4; round++) {
    begin = g_get_monotonic_time ();
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
            round * GST_SECOND));
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL, 30 * GST_SECOND),
        GST_STATE_CHANGE_SUCCESS);
    saw (&seen, round, round);
    g_usleep (300 * 1000);
    packets = g_atomic_int_get (&seen.packets);
    us = g_get_monotonic_time () - begin;
    fail_unless (packets < 40 + us / 5000,
        "%d packets in %d ms, of one each 5 ms", packets, (gint) us / 1000);
    wait_until (g_atomic_int_get (&seen.packets) > 20);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}
