/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What /metrics says about a server: series of each viewer and each rendition, as many as are
 * told, by labels that stay, whatever names strangers have. */
#include "openmetrics.h"

#include <string.h>

#include "claim.h"

#define NAME "a\\042b\\134 \\074script\\076"     /* in octal, as GStreamer writes a"b\ <script> */
#define LABELS "process=\"p\",pid=\"1\",pipeline=\"\",element=\"e\",id=\"1\""
#define VIEWER "[GstArcServerSinkViewerStats, address=\"192.0.2.1:5000\", streamid=\"%s\", " \
    "pad=src_0, served-for=(guint64)2000000000, target-bitrate=(uint)800000, " \
    "sink=[GstRmcSinkStats, rate=(guint64)1000000, target-bitrate=(uint)800000, " \
    "packets-lost=(guint64)3, state=stopped, rate-cause=queue, encoders=x264enc]]"
#define SERVER "arcserversink", \
    "GstArcServerSinkStats, viewers-now=(uint)1, last-refusal=\"9.9.9.9: no\", viewers=<%s>"
#define LADDER "arcladder", "GstArcLadderStats, rungs=<[GstArcLadderRungStats, pad=sink_0, " \
    "bitrate=(guint64)800000, viewers=(uint)1]>, viewer-list=<[GstArcLadderViewerStats, " \
    "pad=src_0, target-bitrate=(guint64)900000, served=(boolean)true, rung=sink_0]>"

/* Of one element. */
static gchar *
metrics_of (const gchar * factory, const gchar * stats)
{
  StreamTable *streams = stream_table_new ();
  g_autofree gchar *text = g_strdup_printf ("GstArcMonitorSnapshot, run=r, id=(guint64)1, "
      "pid=(int)1, process=p, element=e, factory=%s, element-state=PLAYING, "
      "fields=\"rate:gauge:bit/s+target-bitrate:gauge:bit/s+packets-lost:counter:"
      "+served-for:gauge:ns+bitrate:gauge:bit/s\", stats=[%s];", factory, stats);
  gchar *metrics;

  fail_unless (stream_table_take (streams, text, 0) != NULL, "%s", text);
  metrics = open_metrics_text (streams);
  stream_table_free (streams);
  return metrics;
}

static gchar *
metrics_of_server (const gchar * viewer_name)
{
  g_autofree gchar *viewer = g_strdup_printf (VIEWER, viewer_name), *stats = NULL;
  const gchar *server[] = { SERVER };

  stats = g_strdup_printf ("%.*s%s>", (int) strlen (server[1]) - 3, server[1], viewer);
  return metrics_of (server[0], stats);
}

static guint
count (const gchar * text, const gchar * what)
{
  guint n = 0;

  for (; (text = strstr (text, what)) != NULL; text++)
    n++;
  return n;
}

static const gchar *const told[] = {
  "_viewer_rate_bytes_per_second{" LABELS ",streamid=\"door\",pad=\"src_0\","
      "viewer=\"192.0.2.1:5000\"} 125000\n",
  "_viewer_packets_lost_total{" LABELS ",streamid=\"door\",pad=\"src_0\","
      "viewer=\"192.0.2.1:5000\"} 3\n",
  "_viewer_served_for_seconds{" LABELS ",streamid=\"door\",pad=\"src_0\","
      "viewer=\"192.0.2.1:5000\"} 2\n",
  "viewer_state=\"stopped\"} 1\n", "viewer_state=\"running\"} 0\n"
};

CLAIMS (test_a_viewer_has_its_series, G_N_ELEMENTS (told))
{
  g_autofree gchar *metrics = metrics_of_server ("door");

  fail_unless (strstr (metrics, told[__i__]) != NULL, "no %s in %s", told[__i__], metrics);
}

CLAIM (test_a_rendition_has_its_series_and_a_viewer_the_name_of_its_own)
{
  const gchar *ladder[] = { LADDER };
  g_autofree gchar *metrics = metrics_of (ladder[0], ladder[1]);

  fail_unless (strstr (metrics, "gst_arc_arcladder_pad_bitrate_bytes_per_second{" LABELS
          ",pad=\"sink_0\"} 100000\n"), "%s", metrics);
  fail_unless (strstr (metrics, "# TYPE gst_arc_arcladder_pad_rung info\n"), "%s", metrics);
  fail_unless (strstr (metrics, "gst_arc_arcladder_pad_rung_info{" LABELS
          ",pad=\"src_0\",rung=\"sink_0\"} 1\n"), "%s", metrics);
}

/* Of each sample, a name once: Prometheus refuses all of a text with two. */
CLAIM (test_a_viewer_has_each_series_once_and_no_others)
{
  g_autofree gchar *metrics = metrics_of_server ("door");

  fail_unless_equals_int (count (metrics, "viewer=\"192.0.2.1:5000\""), 6);
  fail_unless_equals_int (count (metrics, "_viewer_target_bitrate_bytes_per_second{"), 1);
  fail_unless (strstr (metrics, "x264enc") == NULL);
  fail_unless (strstr (metrics, "_viewer_rate_cause") == NULL);
}

/* A snapshot has a few fields of the sink only, its target not among them. */
CLAIM (test_a_viewer_has_a_target_also_where_its_sink_tells_none)
{
  g_autofree gchar *metrics = metrics_of ("arcserversink", "GstArcServerSinkStats, viewers="
      "<[GstArcServerSinkViewerStats, address=\"192.0.2.1:5000\", streamid=\"door\", "
      "target-bitrate=(uint)800000, sink=[GstRmcSinkStats, rate=(guint64)1000000]]>");

  fail_unless (strstr (metrics, "# HELP gst_arc_arcserversink_viewer_target_bitrate_bytes_per_"
          "second Field target-bitrate in stats of arcserversink; "), "%s", metrics);
  fail_unless (strstr (metrics, "_viewer_target_bitrate_bytes_per_second{" LABELS
          ",streamid=\"door\",viewer=\"192.0.2.1:5000\"} 100000\n"), "%s", metrics);
}

CLAIM (test_what_strangers_choose_is_escaped_and_no_label_of_the_server)
{
  g_autofree gchar *metrics = metrics_of_server (NAME);

  fail_unless (strstr (metrics, ",streamid=\"a\\\"b\\\\ <script>\",pad="), "%s", metrics);
  fail_unless (strstr (metrics, "9.9.9.9") == NULL, "%s", metrics);
}
