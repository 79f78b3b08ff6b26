/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink behind a stock rtpulpfecenc whose percentage is left open. */
#include "rmcsinkfixture.h"

#define REPORT_PKTS 20

/* What feeds the sink: the element's pad, or the fixture's. */
static void
feed_through (Fixture * f, GstElement * fec, gboolean through)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (f->sink, "sink");
  g_autoptr (GstPad) in = gst_element_get_static_pad (fec, "sink");
  g_autoptr (GstPad) out = gst_element_get_static_pad (fec, "src");

  gst_pad_unlink (f->src, through ? sink : in);
  gst_pad_unlink (out, sink);
  fail_unless_equals_int (gst_pad_link (f->src, through ? in : sink), GST_PAD_LINK_OK);
  if (through)
    fail_unless_equals_int (gst_pad_link (out, sink), GST_PAD_LINK_OK);
}

static GstElement *
fec_new (void)
{
  GstElement *fec = gst_element_factory_make ("rtpulpfecenc", NULL);

  fail_unless (fec != NULL);
  gst_object_ref_sink (fec);
  g_object_set (fec, "pt", 122, NULL);
  gst_element_set_state (fec, GST_STATE_PLAYING);
  return fec;
}

/* Packets leave, and every tenth is reported lost. */
static void
lose_some (Fixture * f, RcReport * report)
{
  Datagram d;

  push_frame (f, 3000 * report->number, FALSE, REPORT_PKTS, 500);
  for (guint i = 0; i < REPORT_PKTS; i++)
    fail_unless (receive_rtp (f, &d, PATIENCE));
  report->number++;
  report->received_pkts += REPORT_PKTS - REPORT_PKTS / 10;
  report->received_bytes += 500 * (REPORT_PKTS - REPORT_PKTS / 10);
  report->lost_pkts += REPORT_PKTS / 10;
  report->highest_seq = d.seq;
  report->arrival_us_remote += 100000;
  send_report (f, *report);
}

CLAIM (test_losses_that_nobody_repairs_raise_the_percentage_of_rtpulpfecenc)
{
  RcReport report = {.ssrc = SSRC,.bandwidth_bps = 2000000 };
  RcTime until = monotonic_ns () + PATIENCE;
  guint percentage = 0;
  STOPPED GstElement *fec = NULL;
  AT_END (fixture_clear) Fixture f;

  fixture_init (&f, TRUE, "congestion-control=fixed start-bitrate=4000000");
  fec = fec_new ();
  feed_through (&f, fec, TRUE);
  fixture_play (&f);
  while (percentage == 0 && monotonic_ns () < until) {
    lose_some (&f, &report);
    g_usleep (20000);
    g_object_get (fec, "percentage", &percentage, NULL);
  }
  fail_unless (percentage > 0);
  fail_unless (stat_of (&f, "reports-received") > 0);
  fixture_stop (&f);
  g_object_get (fec, "percentage", &percentage, NULL);
  fail_unless_equals_int (percentage, 0);
  feed_through (&f, fec, FALSE);
}
