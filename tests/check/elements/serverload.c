/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A server on a full CPU: its pacing thread is kept busy. */

#include <arcreceiver/gstarcreceiver.h>
#include <arcserversink/gstarcserversink.h>
#include <arcsrc/gstarcsrc.h>
#include <pacing/pacingengine.h>

#include "joinfixture.h"
#include "readstat.h"

#define SERVER MEDIA "! arcserversink name=sink bind-address=127.0.0.1 port=0"
#define CALLER "arcsrc mode=caller host=127.0.0.1 port=%u ! " VIEW

static guint64
stat_of (GstElement * server, const gchar * name)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");

  return read_stat (sink, name);
}

BEFORE_EACH
{
  GST_ELEMENT_REGISTER (arcserversink, NULL);
  GST_ELEMENT_REGISTER (arcreceiver, NULL);
  GST_ELEMENT_REGISTER (arcsrc, NULL);
}

static gint got[2], work_us;    /* atomic */

static RcTime
be_idle (gpointer client, RcTime now)
{
  return RC_TIME_NONE;
}

static RcTime
work (gpointer client, RcTime now)
{
  g_usleep ((gulong) g_atomic_int_get (&work_us));
  return RC_TIME_NONE;
}

static gboolean
is_cpu_bound (GstElement * server)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  gboolean bound;

  g_object_get (sink, "stats", &stats, NULL);
  fail_unless (gst_structure_get_boolean (stats, "cpu-bound", &bound));
  return bound;
}

static gboolean
last_was_put_off (GstElement * server)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (server), "sink");
  const gchar *refusal;

  g_object_get (sink, "stats", &stats, NULL);
  refusal = gst_structure_get_string (stats, "last-refusal");
  return refusal && strstr (refusal, ": later: ");
}

/* Each packet costs the pacing thread longer than they are apart. */
CLAIM (test_who_comes_when_the_cpu_is_full_is_told_so_and_served_later)
{
  const PacingClientFuncs funcs = { be_idle, NULL, work };
  PacingEngine *engine = pacing_engine_ref (NULL);
  PacingClient *hog = pacing_engine_add (engine, -1, &funcs, NULL, NULL);
  STOPPED GstElement *server = join_play (join_launch (SERVER), NULL), *one = NULL, *two = NULL;
  g_autofree gchar *text = NULL;

  g_atomic_int_set (&work_us, 0);
  one = join_play (join_launch (CALLER, join_port (server)), &got[0]);
  await_media (got[0], 5);
  g_atomic_int_set (&work_us, 100000);
  wait_until (is_cpu_bound (server));
  two = join_play (join_launch (CALLER, join_port (server)), &got[1]);
  wait_until (stat_of (server, "calls-put-off") >= 1);
  text = join_await_text (server, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "the CPU is full") != NULL, "%s", text);
  fail_unless_equals_uint64 (stat_of (server, "viewers-now"), 1);
  fail_unless (last_was_put_off (server));
  fail_unless_equals_int (g_atomic_int_get (&got[1]), 0);
  g_atomic_int_set (&work_us, 0);
  await_media (got[0], 5);
  await_media (got[1], 5);
  fail_if (is_cpu_bound (server));
  pacing_engine_remove (engine, hog);
  pacing_engine_unref (engine);
}
