/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A ledger, and a receiver that is a row of counters told by hand; its clock is 1000 s ahead of
 * ours. */
#pragma once

#include <rc/feedback/feedback.h>
#include <rc/ledger/ledger.h>
#include <rc/loss/losshist.h>

#include "claim.h"

#define SSRC 0x1234
#define INSTANCE 77
#define RTP 1000
#define NET (RTP + RC_OVERHEAD_IPV4_BYTES)
#define CAPACITY 1024
#define DELAY (30 * RC_MSEC)
#define REMOTE_US UINT64_C (1000000000)

static RcLedgerEntry entries[CAPACITY];
static RcLedger ledger;
static RcTime now;
static RcReport report;
static RcFeedback fb;

static inline void
setup (void)
{
  rc_ledger_init (&ledger, SSRC, RC_OVERHEAD_IPV4_BYTES, entries, CAPACITY);
  now = 5 * RC_SECOND;
  report = (RcReport) {.ssrc = SSRC };
}

/* One packet each millisecond. */
static inline void
send_run (guint16 from, guint n)
{
  while (n-- > 0) {
    now += RC_MSEC;
    fail_unless_equals_int (rc_ledger_on_sent (&ledger, from++, RTP, now), NET);
  }
}

/* n more packets came, the highest one left at sent_at. */
static inline void
receive (guint32 highest_seq, guint n, RcTime sent_at)
{
  report.number++;
  report.highest_seq = highest_seq;
  report.arrival_us_remote = (sent_at + DELAY) / RC_USEC + REMOTE_US;
  report.received_pkts += n;
  report.received_bytes += (guint64) n * RTP;
}

static inline RcDigest
digest_from (guint32 instance)
{
  RcLedger before = ledger;
  RcDigest result = rc_ledger_digest (&ledger, &report, instance, now, &fb);

  if (result != RC_DIGEST_OK)
    fail_unless (memcmp (&before, &ledger, sizeof ledger) == 0,
        "a refused report changed the ledger");
  return result;
}

static inline RcDigest
digest (void)
{
  return digest_from (INSTANCE);
}

/* The report comes now, and is accepted. */
static inline void
believe (void)
{
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

/* All n packets came and were reported. */
static inline void
send_and_believe (guint16 from, guint n)
{
  send_run (from, n);
  receive (from + n - 1, n, now);
  believe ();
}

/* What is not accepted must not spoil the next true report. */
static inline void
assert_refused (RcReport forged, RcDigest expected)
{
  RcReport true_report = report;

  report = forged;
  fail_unless_equals_int (digest (), expected);
  report = true_report;
}

/* 20 packets sent, 10 of them reported. The 10th left at now - 10 ms. */
static inline void
setup_half_acked (guint16 base)
{
  send_and_believe (base, 10);
  send_run (base + 10, 10);
}

/* The true report about the packets of setup_half_acked that are still out. */
static inline void
setup_next_report (guint16 base)
{
  setup_half_acked (base);
  receive (base + 19, 10, now);
  now += 2 * DELAY;
}
