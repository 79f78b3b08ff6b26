/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What follows an element of ours is swapped while it plays. */
#include "middlefixture.h"

/* From the pad of the first to that of the second. */
static void
swap (GstPad * src, Fixture * f)
{
  fail_unless (gst_pad_unlink (src, f->followers[0].pad));
  fail_unless_equals_int (gst_pad_link (src, f->followers[1].pad), GST_PAD_LINK_OK);
}

static GstPadProbeReturn
on_blocked (GstPad * pad, GstPadProbeInfo * info, gpointer blocked)
{
  g_atomic_int_set ((gint *) blocked, TRUE);
  return GST_PAD_PROBE_OK;
}

static gulong
block (GstPad * pad)
{
  static gint blocked;
  gulong probe;

  g_atomic_int_set (&blocked, FALSE);
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, on_blocked, &blocked, NULL);
  wait_until (g_atomic_int_get (&blocked));
  return probe;
}

CLAIM_TIMEOUT_S (90)

CLAIMS (test_data_flows_on_after_a_swap_under_a_block, G_N_ELEMENTS (subjects))
{
  gulong probe;
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, &subjects[__i__]);
  probe = block (f.src);
  swap (f.src, &f);
  gst_pad_remove_probe (f.src, probe);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
}

/* What waited in the element finds nothing to go to, and what comes next must not hear of that. */
CLAIMS (test_data_flows_on_after_a_swap_with_its_input_blocked, G_N_ELEMENTS (subjects))
{
  gulong probe;
  Fixture f;

  if (!subjects[__i__].queues || !subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  probe = block (f.src);
  g_mutex_lock (&f.lock);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  gst_pad_remove_probe (f.src, probe);
  g_usleep (50000);             /* more than enough for the element to find out */
  fail_unless_equals_int (gst_pad_link (f.src, f.followers[1].pad), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_push (f.in, new_buffer (&f)), GST_FLOW_OK);
  g_mutex_unlock (&f.lock);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
}

/* A source of GStreamer's base class ends with an error then; arcsrc is one. */
CLAIMS (test_data_flows_again_after_the_element_was_unlinked_for_a_while, G_N_ELEMENTS (subjects))
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  wait_until (g_atomic_int_get (&f.last_ret) == GST_FLOW_NOT_LINKED);
  fail_unless_equals_int (gst_pad_link (f.src, f.followers[1].pad), GST_PAD_LINK_OK);
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
  fixture_clear (&f);
}

CLAIMS (test_data_flows_again_after_a_relink_further_downstream, G_N_ELEMENTS (subjects))
{
  STOPPED GstElement *between = gst_object_ref_sink (gst_element_factory_make ("identity", NULL));
  g_autoptr (GstPad) sink = gst_element_get_static_pad (between, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (between, "src");
  gulong probe;
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, &subjects[__i__]);
  gst_element_set_state (between, GST_STATE_PLAYING);
  probe = block (f.src);
  fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
  fail_unless_equals_int (gst_pad_link (src, f.followers[0].pad), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_link (f.src, sink), GST_PAD_LINK_OK);
  g_atomic_int_set (&f.followers[0].n, 0);
  gst_pad_remove_probe (f.src, probe);
  wait_until (flows_to (&f, 0));
  if (f.in) {
    fail_unless (gst_pad_unlink (src, f.followers[0].pad));
    wait_until (g_atomic_int_get (&f.last_ret) == GST_FLOW_NOT_LINKED);
    fail_unless_equals_int (gst_pad_link (src, f.followers[1].pad), GST_PAD_LINK_OK);
  } else {
    probe = block (src);
    swap (src, &f);
    gst_pad_remove_probe (src, probe);
  }
  wait_until (flows_to (&f, 1));
  fail_unless_equals_int (g_atomic_int_get (&f.last_ret), GST_FLOW_OK);
}

/* What follows is linked while it says that it is not. */
static GstFlowReturn
link_while_failing (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  gst_pad_set_chain_function (pad, count);
  gst_pad_push_event (pad, gst_event_new_reconfigure ());
  gst_buffer_unref (buffer);
  return GST_FLOW_NOT_LINKED;
}

CLAIMS (test_data_flows_on_if_a_relink_meets_the_failure, G_N_ELEMENTS (subjects))
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  g_mutex_lock (&f.lock);
  g_atomic_int_set (&f.followers[0].n, 0);
  gst_pad_set_chain_function (f.followers[0].pad, link_while_failing);
  g_mutex_unlock (&f.lock);
  wait_until (flows_to (&f, 0));
  fixture_clear (&f);
}

CLAIMS (test_no_relink_is_missed_while_data_flows, G_N_ELEMENTS (subjects))
{
  Fixture f;

  if (!subjects[__i__].caps)
    return;
  fixture_init (&f, &subjects[__i__]);
  for (guint i = 0; i < 100; i++) {
    g_atomic_int_set (&f.followers[0].n, 0);
    fail_unless (gst_pad_unlink (f.src, f.followers[0].pad));
    g_usleep (i * 16 % (2 * PACKET_US));
    fail_unless_equals_int (gst_pad_link (f.src, f.followers[0].pad), GST_PAD_LINK_OK);
    wait_until (g_atomic_int_get (&f.followers[0].n) > 0);
  }
  fixture_clear (&f);
}
