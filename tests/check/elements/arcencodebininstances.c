/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The instances of an encoder in arcencodebin: their names, their start, their end. */
#include <glib/gstdio.h>

#include "arcencodebinfixture.h"

/* Two instances are there at a time, and each bears the name. */
GST_START_TEST (test_a_named_encoder_is_taken_over_as_any_other)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300 name=enc", NULL);
  for (guint i = 0; i < 4; i++) {
    run_frames (&run, 5);
    set_bitrate (&run, i % 2 ? 400000 : 100000);
  }
  run_frames (&run, 5);
  run_end (&run);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 4);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  fail_unless_equals_int (run.keyframes, 5);
  run_free (&run);
}

GST_END_TEST;

/* The file is opened anew by each instance. */
GST_START_TEST (test_a_fresh_instance_that_does_not_start_is_an_error)
{
  gchar *dir = g_dir_make_tmp ("arcencodebin-XXXXXX", NULL);
  gchar *file = g_build_filename (dir, "copy", NULL), *away = g_strconcat (dir, "-away", NULL);
  gchar *line = g_strdup_printf ("avenc_h263p ! tee name=t t. ! queue ! filesink async=false "
      "location=%s t. ! identity", file);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  Run run;

  run_init (&run, line, NULL);
  gst_element_set_bus (run.bin, bus);
  run_frames (&run, 5);
  fail_unless_equals_int (g_rename (dir, away), 0);
  set_bitrate (&run, 100000);
  fail_unless_equals_int (gst_harness_push (run.h, new_frame (&run)), GST_FLOW_ERROR);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))
      && GST_MESSAGE_SRC (message) != GST_OBJECT (run.bin))
    gst_message_unref (message);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_bus (run.bin, NULL);
  run_free (&run);
  g_free (file);
  file = g_build_filename (away, "copy", NULL);
  g_remove (file);
  g_rmdir (away);
  gst_object_unref (bus);
  g_free (line);
  g_free (away);
  g_free (file);
  g_free (dir);
}

GST_END_TEST;

/* Until the first frame comes, the former instance has nothing to say; in GStreamer what it says
 * then is a programming error. */
GST_START_TEST (test_a_change_before_the_first_frame_is_silent)
{
  Run run;

  if (!is_there (coders[__i__].line))
    return;
  run_init (&run, coders[__i__].line, NULL);
  set_bitrate (&run, 100000);
  run_frames (&run, 1);
  set_bitrate (&run, 400000);
  run_frames (&run, 30);
  run_end (&run);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

static GstPadProbeReturn
take_over_twice (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Run *run = user_data;

  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (info)) != GST_QUERY_LATENCY || run->in > 5)
    return GST_PAD_PROBE_OK;
  set_bitrate (run, 100000);
  run_frames (run, 5);
  set_bitrate (run, 400000);
  run_frames (run, 5);          /* waits until the first instance is gone */
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_a_query_may_outlast_the_instance_that_it_is_in)
{
  GstPad *src, *sink, *feed;
  GstQuery *query = gst_query_new_latency ();
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  run_frames (&run, 5);
  sink = gst_element_get_static_pad (GST_BIN_CHILDREN (run.bin)->data, "sink");
  feed = gst_pad_get_peer (sink);
  gst_pad_add_probe (feed, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, take_over_twice, &run, NULL);
  gst_object_unref (feed);
  gst_object_unref (sink);
  src = gst_element_get_static_pad (run.bin, "src");
  gst_pad_query (src, query);
  fail_unless_equals_int (run.in, 15);
  gst_object_unref (src);
  gst_query_unref (query);
  run_free (&run);
}

GST_END_TEST;

static Suite *
arcencodebininstances_suite (void)
{
  Suite *s = suite_create ("arcencodebininstances");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_a_change_before_the_first_frame_is_silent, 0,
      G_N_ELEMENTS (coders));
  if (is_there ("avenc_h263p")) {
    tcase_add_test (tc, test_a_named_encoder_is_taken_over_as_any_other);
    tcase_add_test (tc, test_a_fresh_instance_that_does_not_start_is_an_error);
    tcase_add_test (tc, test_a_query_may_outlast_the_instance_that_it_is_in);
  }
  return s;
}

GST_CHECK_MAIN (arcencodebininstances);
