/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler whose neighbours come, go and change while it plays. */
#include "rampfixture.h"

static gboolean
is_live (Fixture * f, guint i)
{
  g_autoptr (GstStructure) stats = NULL;
  gboolean live;

  g_object_get (f->scheduler, "stats", &stats, NULL);
  fail_unless (gst_structure_get_boolean (gst_value_get_structure (gst_structure_get_value (stats,
                  GST_OBJECT_NAME (f->pads[i]))), "live", &live));
  return live;
}

static void
unlink_output (Fixture * f, GstPad * src)
{
  fail_unless (gst_pad_unlink (src, f->out->sinkpad));
}

static void
link_output (Fixture * f, GstPad * src)
{
  fail_unless_equals_int (gst_pad_link (src, f->out->sinkpad), GST_PAD_LINK_OK);
}

/* --- before it --- */

CLAIM_TIMEOUT_S (90)

CLAIM_ON (test_a_camera_in_the_place_of_a_file_is_live, SCHEDULER (1, ""))
{
  push_packets (f, 0, 1, 1200);
  fail_if (is_live (f, 0));
  gst_pad_set_query_function (f->in[0]->srcpad, answer_live);
  gst_harness_push_event (f->in[0], gst_event_new_stream_start ("camera"));
  send_segment (f, 0, 0);
  push_packets (f, 0, 1, 1200);
  fail_unless (is_live (f, 0));
}

static gboolean
answer_nothing (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) != GST_QUERY_LATENCY && gst_pad_query_default (pad, parent, query);
}

CLAIM_ON (test_what_does_not_know_yet_whether_it_is_live_is_asked_again, SCHEDULER (1, ""))
{
  gst_pad_set_query_function (f->in[0]->srcpad, answer_nothing);
  push_packets (f, 0, 1, 1200);
  fail_if (is_live (f, 0));
  gst_pad_set_query_function (f->in[0]->srcpad, answer_live);
  g_usleep (150 * 1000);
  push_packets (f, 0, 1, 1200);
  fail_unless (is_live (f, 0));
}

static void
push_at_once (GstElement * element, GstPad * pad, gpointer user_data)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("at-once"));
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  *(GstFlowReturn *) user_data = gst_pad_chain (pad, rtp_new (9, 0, 0, FALSE, 1200));
}

CLAIM_ON (test_a_pad_takes_packets_as_soon_as_it_is_seen, SCHEDULER (1, ""))
{
  GstFlowReturn ret = GST_FLOW_ERROR;
  g_autoptr (GstPad) pad = NULL;

  g_signal_connect (f->scheduler, "pad-added", G_CALLBACK (push_at_once), &ret);
  pad = gst_element_request_pad_simple (f->scheduler, "sink_%u");
  fail_unless_equals_int (ret, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (f->out));
  gst_element_release_request_pad (f->scheduler, pad);
}

CLAIM_ON (test_counts_go_on_when_the_class_of_a_pad_changes, SCHEDULER (1, ""))
{
  push_packets (f, 0, 5, 1200);
  wait_until (pad_stat (f, 0, "bytes-sent") == 5 * 1228);
  g_object_set (f->pads[0], "flow-class", 1, NULL);
  fail_unless_equals_int (pad_stat (f, 0, "bytes-sent"), 5 * 1228);
  fail_unless_equals_int (pad_stat (f, 0, "bytes-in"), 5 * 1228);
}

/* --- behind it --- */

CLAIM_ON (test_an_output_that_is_linked_again_goes_on, SCHEDULER (1, ""))
{
  g_autoptr (GstPad) src = gst_pad_get_peer (f->out->sinkpad);

  push_packets (f, 0, 1, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
  unlink_output (f, src);
  wait_until (gst_harness_push (f->in[0], rtp_new (0, 1, 1, FALSE, 1200)) == GST_FLOW_NOT_LINKED);
  link_output (f, src);
  push_packets (f, 0, 1, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
}

CLAIM_ON (test_what_a_sink_told_does_not_hold_for_the_next, SCHEDULER (1, ""))
{
  g_autoptr (GstPad) src = gst_pad_get_peer (f->out->sinkpad);

  tell_budget (f, 1000000);
  unlink_output (f, src);
  fail_unless_equals_uint64 (element_stat (f, "budget"), 0);
  link_output (f, src);
  tell_budget (f, 2000000);
  fail_unless_equals_uint64 (element_stat (f, "budget"), 2000000);
}

/* Nobody pushes any more who could be told. */
CLAIM_ON (test_a_failure_after_the_end_of_all_streams_is_an_error, SCHEDULER (2, "budget=200000"))
{
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstPad) src = gst_pad_get_peer (f->out->sinkpad);

  for (guint i = 0; i < 2; i++) {
    push_packets (f, i, 4, 1200);
    gst_harness_push_event (f->in[i], gst_event_new_eos ());
  }
  unlink_output (f, src);
  message = gst_bus_timed_pop_filtered (f->bus, 30 * GST_SECOND, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
}
