/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/law/arc.h>
#include <rc/law/arclive.h>
#include <rc/law/controller.h>

#include "claim.h"

#define PACKET_BITS (1500 * 8.0)
#define REPORT (50 * RC_MSEC)

/* A law with hand-made reports: the path has RTT 100 ms + queue, the receiver gets
 * bandwidth_bps. */
typedef struct
{
  RcController law;
  RcDecision decision;
  RcArc *arc;                   /* its state, if the profile is the paper's */
  RcTime now;
  double bandwidth_bps;
  RcTime queue, queue_before;   /* now, at the report before; between them it grew steadily ... */
  gboolean jumps;               /* ... or at once */
  RcTime base;                  /* 0: 100 ms */
  guint64 received_bytes;
  double sent_bps[64];          /* at each report; for what arrives later */
  guint n_sent;
  double mark_share;            /* of the packets */
  gboolean ect1;                /* they left as ECT(1) */
  guint64 relay_bps;            /* stamp of the relays; 0: none */
} Path;

static Path p;

static inline void
path_init_law (const char *law, RcProfile profile, guint64 start_bps, guint64 max_bps)
{
  RcLimits limits = { 10000, start_bps, max_bps };

  memset (&p, 0, sizeof p);
  rc_controller_init (&p.law, rc_law_find (law), profile);
  p.arc = profile == RC_PROFILE_PAPER ? (RcArc *) & p.law.state : NULL;
  p.bandwidth_bps = (double) start_bps;
  p.decision = rc_controller_start (&p.law, &limits, p.now);
}

static inline void
path_init (RcProfile profile, guint64 start_bps)
{
  path_init_law ("arc", profile, start_bps, 100000000);
}

static inline void
path_send (guint32 bytes)
{
  RcSent sent = { bytes, TRUE };

  p.decision = rc_controller_on_sent (&p.law, &sent, p.now);
}

static inline void
path_report (guint32 lost, guint64 outstanding_bytes)
{
  RcFeedback f = { 0 };
  /* Within the report. The paper's law knows its end alone. */
  RcTime grows = p.jumps || p.arc ? 0 : MAX (0, p.queue - p.queue_before) / 3;

  p.queue_before = p.queue;
  f.rtt = (p.base > 0 ? p.base : 100 * RC_MSEC) + p.queue;
  f.sent_at = p.now - f.rtt;
  f.owd_remote = 7777 * RC_SECOND + 50 * RC_MSEC + p.queue;
  f.bandwidth_bps = (guint64) p.bandwidth_bps;
  f.received_bytes = (guint64) (p.bandwidth_bps * rc_time_to_s (REPORT) / 8);
  f.received_pkts = (guint32) (f.received_bytes / 1200) + 1;
  f.lost_pkts = lost;
  f.ce_pkts = (guint32) (p.mark_share * f.received_pkts + 0.5);
  f.left_as_ect1 = p.ect1;
  f.explicit_rate_bps = p.relay_bps;
  p.received_bytes += f.received_bytes;
  f.delays = (RcDelays) { f.received_pkts, f.owd_remote, f.owd_remote, f.owd_remote,
      f.owd_remote + grows, f.sent_at, p.received_bytes };
  f.rtt += grows;
  f.outstanding_bytes = outstanding_bytes;
  f.policy = RC_REPORT_POLICY_PATIENT;
  p.decision = rc_controller_on_feedback (&p.law, &f, p.now);
}

/* Reports for a while; the source uses all that it may. */
static inline void
path_run (double seconds)
{
  RcTime end = p.now + rc_time_from_s (seconds);

  while (p.now < end) {
    p.now += REPORT;
    path_send ((guint32) (p.decision.rate_bps * rc_time_to_s (REPORT) / 8));
    path_report (0, 0);
  }
}

/* What the law tells of itself. */
static inline double
path_fact (const char *name)
{
  double values[RC_LAW_MAX_FACTS];
  const RcFact *fact;

  rc_controller_measure (&p.law, values);
  for (unsigned i = 0; (fact = rc_law_fact (p.law.law, i)); i++)
    if (strcmp (fact->name, name) == 0)
      return values[i];
  fail ("no fact %s", name);
  return NAN;
}

static inline RcArcLiveState
path_state (void)
{
  return (RcArcLiveState) path_fact ("state");
}

/* x of live ARC. */
static inline double
path_x_bps (void)
{
  return path_fact ("drain-free-rate");
}

/* A mark ends the start-up; then until the rate is back at what the path delivers. */
static inline void
path_leave_start (void)
{
  double share = p.mark_share;

  path_run (0.2);
  p.mark_share = 1;
  path_run (rc_time_to_s (REPORT));
  p.mark_share = share;
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
  for (int i = 0; i < 100 && path_fact ("known-capacity") > 0; i++)
    path_run (rc_time_to_s (REPORT));
}
