/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The event trace that GST_ARC_TRACE asks for: which files there are, and what is in them. */

#include "rmcsinkfixture.h"

#include <glib/gstdio.h>

static gchar *folder;

BEFORE_EACH
{
  folder = g_dir_make_tmp ("arc-trace-XXXXXX", NULL);
  g_setenv ("GST_ARC_TRACE", folder, TRUE);
}

static GPtrArray *
list_files (void)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  return files;
}

AFTER_EACH
{
  g_autoptr (GPtrArray) files = list_files ();

  for (guint i = 0; i < files->len; i++)
    g_unlink (files->pdata[i]);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
  g_unsetenv ("GST_ARC_TRACE");
}

/* A report of one packet has come. */
static void
run_session (Fixture * f)
{
  RcReport report = {.ssrc = SSRC,.number = 1,.highest_seq = 0,.arrival_us_remote = 5000000,
    .hold_us = 1,.bandwidth_bps = 700000,.received_pkts = 1,.received_bytes = 500
  };
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 3, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  report.highest_seq = d.seq;
  send_report (f, report);
  wait_until (stat_of (f, "reports-received") == 1);
}

static guint
count (const gchar * text, const gchar * part)
{
  guint n = 0;

  for (const gchar * at = text; (at = strstr (at, part)); at++)
    n++;
  return n;
}

CLAIM_ON (test_a_session_writes_its_events, SINK (TRUE, "start-bitrate=2000000"))
{
  g_autoptr (GPtrArray) files = NULL;
  g_autofree gchar *text = NULL;
  gsize n;

  run_session (f);
  wait_until (g_atomic_int_get (&f->target_events) > 0);
  fixture_stop (f);
  files = list_files ();
  fail_unless_equals_int (files->len, 1);
  fail_unless (g_str_has_suffix (files->pdata[0], ".sqlog"));
  fail_unless (g_file_get_contents (files->pdata[0], &text, &n, NULL));
  fail_unless (g_str_has_prefix (text, "\x1e{\"file_schema\""));
  fail_unless (g_str_has_suffix (text, "}\n"));
  fail_unless_equals_int (count (text, "\x1e"), count (text, "\n"));
  fail_unless (strstr (text, "\"title\":\"sink\""));
  fail_unless (strstr (text, "\"cause\":\"start\",\"rate_bps\":2000000"));
  fail_unless (strstr (text, "\"name\":\"recovery:metrics_updated\""));
  fail_unless (strstr (text, "\"name\":\"arc:encoders\""));
}

CLAIM_ON (test_a_session_that_begins_again_has_a_file_of_its_own, SINK (TRUE, ""))
{
  g_autoptr (GPtrArray) files = NULL;

  fixture_play (f);
  fixture_stop (f);
  fixture_play (f);
  fixture_stop (f);
  files = list_files ();
  fail_unless_equals_int (files->len, 2);
}

CLAIM_ON (test_media_flows_where_the_trace_cannot_be_written, SINK (TRUE, ""))
{
  g_setenv ("GST_ARC_TRACE", "/nonexistent", TRUE);
  run_session (f);
}

CLAIM_ON (test_there_is_no_trace_unless_asked_for, SINK (TRUE, ""))
{
  g_autoptr (GPtrArray) files = NULL;

  g_unsetenv ("GST_ARC_TRACE");
  run_session (f);
  files = list_files ();
  fail_unless_equals_int (files->len, 0);
}
