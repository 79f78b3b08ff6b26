/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-live FLOWS CAPACITY LAW [RELAY-PROPERTIES [SENDER-PROPERTIES [CSV [SEND-PORT]]]]: joins
 * and leaves each 2 s; prints figures. With SEND-PORT flow i sends to the port SEND-PORT + i,
 * which somebody must relay to 25000 + i. */
#include "live.h"

#include <stdlib.h>

static void
print (const gchar * name, const LiveFigures * f)
{
  g_print ("%s: Jain %.4f, %.2f .. %.2f Mbit/s; utilisation %.4f; queue p50 %u, p99 %u, mean "
      "%.2f, up to %u packets; dropped %" G_GUINT64_FORMAT ", lost %" G_GUINT64_FORMAT "\n", name,
      f->jain_ratio, f->least_bps / 1e6, f->most_bps / 1e6, f->utilisation_ratio, f->queue_p50_pkts,
      f->queue_p99_pkts, f->mean_queue_pkts, f->queue_pkts, f->dropped_pkts, f->lost_pkts);
}

int
main (int argc, char **argv)
{
  LiveSetup setup = {.spacing = 2 * GST_SECOND,.settle = 10 * GST_SECOND,
      .steady = 20 * GST_SECOND };
  LiveResult result;
  gboolean ok;

  gst_init (&argc, &argv);
  if (argc < 4 || atoi (argv[1]) < 1 || atoi (argv[1]) > LIVE_MAX_FLOWS) {
    g_printerr ("usage: rcp-live FLOWS CAPACITY LAW [RELAY-PROPERTIES [SENDER-PROPERTIES "
        "[CSV [SEND-PORT]]]]\n");
    return 2;
  }
  setup.n = (guint) atoi (argv[1]);
  setup.capacity_bps = g_ascii_strtoull (argv[2], NULL, 10);
  setup.law = argv[3];
  setup.relay = argc > 4 ? argv[4] : "";
  setup.sender = argc > 5 ? argv[5] : "";
  setup.send_port = argc > 7 ? (guint) atoi (argv[7]) : 0;
  if (argc > 6 && !(setup.csv = fopen (argv[6], "w"))) {
    g_printerr ("cannot write %s\n", argv[6]);
    return 2;
  }
  if (g_getenv ("RCP_LIVE_SHORT"))
    setup.spacing = 500 * GST_MSECOND, setup.settle = setup.steady = 4 * GST_SECOND;
  ok = live_run (&setup, &result);
  if (setup.csv)
    fclose (setup.csv);
  if (!ok)
    return 1;
  print ("all", &result.all);
  print ("one", &result.one);
  g_print ("whole run: queue up to %u packets, dropped %" G_GUINT64_FORMAT ", lost %"
      G_GUINT64_FORMAT ", stamped %" G_GUINT64_FORMAT ", reports back %" G_GUINT64_FORMAT
      ", CPU %.2f\n", result.most_queue_pkts, result.dropped_pkts,
      result.lost_pkts, result.stamped_pkts, result.feedback_pkts, result.cpu_ratio);
  return 0;
}
