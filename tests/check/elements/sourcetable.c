/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arcreceiver/sourcetable.h"
#include "claim.h"
#include "rtp/rtcpwriter.h"

#define PACKETS 200

static SourceTable table;
static RcReport reports[SOURCE_TABLE_SIZE];

/* Of so many sources, each of which sent PACKETS in 20 ms. Returns the bytes of the compound. */
static gsize
report_about (guint n_sources)
{
  RcTime now = 10 * RC_SECOND;
  g_autoptr (GstBuffer) buffer = NULL;
  gsize size;

  source_table_init (&table);
  for (guint i = 0; i < PACKETS; i++) {
    now += RC_MSEC / 10;
    for (guint ssrc = 1; ssrc <= n_sources; ssrc++) {
      Source *source = source_table_get (&table, ssrc, now);

      rc_receiver_on_packet (&source->receiver, (guint16) i, 1000, FALSE, now);
      rc_receiver_on_ecn (&source->receiver, RC_ECN_BITS_NOT_ECT);
    }
  }
  fail_unless_equals_int (source_table_report (&table, now, reports), n_sources);
  buffer = rtcp_new_reports (7, reports, n_sources);
  size = gst_buffer_get_size (buffer);
  return size;
}

CLAIM (test_one_source_has_all_its_arrivals_listed)
{
  report_about (1);
  fail_unless_equals_int (reports[0].arrivals.n, PACKETS);
  fail_unless_equals_int (reports[0].arrivals.stride_log2, 0);
}

CLAIM (test_lists_of_several_sources_share_a_datagram)
{
  for (guint n = 2; n <= 11; n++) {
    gsize size = report_about (n);

    fail_unless (size <= 1280 - 48, "%u sources: %zu bytes", n, size);
    for (guint i = 0; i < n; i++)
      fail_unless (reports[i].arrivals.n > 0, "%u sources", n);
  }
  report_about (4);
  fail_unless_equals_int (reports[3].arrivals.stride_log2, 1);
  fail_unless_equals_int (reports[3].arrivals.n, PACKETS / 2);
}

CLAIM (test_so_many_sources_that_no_list_fits_are_still_reported)
{
  report_about (SOURCE_TABLE_SIZE);
  fail_unless_equals_int (reports[SOURCE_TABLE_SIZE - 1].received_pkts, PACKETS);
  fail_unless_equals_int (reports[SOURCE_TABLE_SIZE - 1].arrivals.n, 0);
}
