/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Capacities become opportunities of a link, and how long delays were above a bound is counted. */
#include <glib/gstdio.h>

#include "claim.h"
#include "measures.h"
#include "opportunitylist.h"
#include "sets.h"

#define PACKET_BYTES 1200
#define BOUND_MS 400

/* part: NULL is the whole. */
static OpportunityList
read_part (const gchar * name, const gchar * part, const gchar * text, gboolean * good)
{
  OpportunityList list = { 0 };
  gchar *folder = g_dir_make_tmp ("arc-XXXXXX", NULL);
  gchar *path = g_build_filename (folder, name, NULL);
  gchar *read = part ? g_strconcat (path, "#", part, NULL) : g_strdup (path);

  fail_unless (g_file_set_contents (path, text, -1, NULL));
  *good = opportunitylist_read (&list, read);
  g_unlink (path);
  g_free (read);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return list;
}

static OpportunityList
read_text (const gchar * name, const gchar * text, gboolean * good)
{
  return read_part (name, NULL, text, good);
}

CLAIM (test_a_capacity_becomes_opportunities_that_carry_it)
{
  gboolean good;
  OpportunityList list = read_text ("drive.kbps", "0.000 12032\n0.600 0\n1.0 6016\n", &good);

  fail_unless (good);
  fail_unless_equals_int (list.n, 600 + 250);
  fail_unless_equals_int64 (list.at[0], RC_MSEC);
  fail_unless_equals_int64 (list.at[599], 600 * RC_MSEC);
  fail_unless_equals_int64 (list.at[600], 1002 * RC_MSEC);
  fail_unless_equals_int64 (list.length, 1500 * RC_MSEC);
  free (list.at);
}

CLAIM (test_a_file_that_is_a_trace_only_in_part_is_refused)
{
  static const gchar *const files[][2] = {
    {"a.kbps", "0 1000\n1 many\n"}, {"a.kbps", "1 1000\n0.5 1000\n"}, {"a.kbps", "0 0\n"},
    {"a.kbps", ""}, {"a.mm", "1\n2\nthree\n"}, {"a.mm", "5\n4\n"}, {"a.mm", "0\n"},
  };
  gboolean good;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    free (read_text (files[i][0], files[i][1], &good).at);
    fail_if (good, "%s was taken: %s", files[i][0], files[i][1]);
  }
  free (read_text ("a.mm", "1\n2\n2\n7\n", &good).at);
  fail_unless (good);
}

CLAIM (test_a_part_of_a_file_is_read_alone)
{
  static const gchar text[] = "# a.kbps\n0 12032\n# b.kbps\n0 24064\n1 0\n# bad.kbps\n0 many\n";
  static const struct
  {
    const gchar *name;
    guint n;                    /* 0: refused */
  } parts[] = {
    {"a.kbps", 500}, {"b.kbps", 2000}, {"bad.kbps", 0}, {"c.kbps", 0}, {"a", 0}, {"", 0},
  };
  const LoopSet *drives = &loop_set_drives_quick;
  SetCase *drive = g_new0 (SetCase, 1);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    gboolean good;
    OpportunityList list = read_part ("all.txt", parts[i].name, text, &good);

    fail_unless_equals_int (good, parts[i].n > 0);
    fail_unless (!good || list.n == parts[i].n, "%s: %u", parts[i].name, list.n);
    free (list.at);
  }
  drives->fill (0, drive);
  fail_unless_equals_string (drive->name, "1_run_80.verizon.kbps, RTT 100 ms");
  free (drive->opportunities);
  g_free (drive);
}

/* A packet each 0.1 s for 10 s on a link that stands still from 6.0 to 6.5 s. Returns how long the
 * delay was above the bound. */
static double
above_s (const RcTime * waits, guint n_waits, double *longest_s)
{
  LoopConfig *config = g_new0 (LoopConfig, 1);
  double capacity_bits = 0, sum_s;
  Loop *loop;

  config->n_flows = 1;
  config->flows[0].path = 1;
  config->length = 10 * RC_SECOND;
  loop = measures_new (config);
  for (guint i = 0; i < 100; i++) {
    RcTime at = i * 100 * RC_MSEC;

    capacity_bits += i >= 60 && i < 65 ? 0 : 1e5;
    measures_note_link (loop, capacity_bits, 0, at);
    measures_note_sent (loop, 0, at);
    if (i < n_waits)
      measures_note_served (loop, 0, PACKET_BYTES, at, waits[i], at + waits[i]);
  }
  sum_s = loop_above_s (loop, BOUND_MS, 0, 10, longest_s);
  loop_free (loop);
  g_free (config);
  return sum_s;
}

CLAIM (test_the_time_above_a_bound_leaves_out_outages)
{
  RcTime waits[100] = { 0 };
  double longest_s;

  fail_unless_equals_float (above_s (waits, 100, &longest_s), 0);
  for (guint i = 20; i < 30; i++)
    waits[i] = 500 * RC_MSEC;
  waits[40] = 401 * RC_MSEC;
  waits[41] = 400 * RC_MSEC;
  waits[61] = 450 * RC_MSEC;
  fail_unless (ABS (above_s (waits, 100, &longest_s) - 1.1) < 1e-6);
  fail_unless (ABS (longest_s - 1) < 1e-6);
}

CLAIM (test_what_never_left_the_queue_was_above_the_bound)
{
  RcTime waits[100] = { 0 };
  double longest_s, sum_s = above_s (waits, 80, &longest_s);

  fail_unless (ABS (sum_s - 1.6) < 1e-6, "%.1f s", sum_s);
  fail_unless (ABS (longest_s - 1.6) < 1e-6);
}
