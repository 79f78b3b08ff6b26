/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-figures [DIRECTORY [FIGURE]]: prints a row for each claim, tab separated: key, figure,
 * setting, the paper's figure, the criterion, ours, do they agree (yes, partly, no; a dash: the
 * paper says nothing); with a directory it writes the time series there; with a figure only of
 * those that begin so. */
#include "rcpfigures.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define MS RC_MSEC
#define RCP RC_ROUTER_RCP
#define QI RC_ROUTER_QI_RCP
#define PIQI RC_ROUTER_PIQI_RCP
/* As in the paper's Linux runs. */
#define LINUX_TAU .tau1 = FIGURES_LINUX_TAU1, .tau2 = FIGURES_LINUX_TAU2
#define LINUX_RCP { .law = RCP, LINUX_TAU, .alpha = 0.1 }
#define LINUX_PIQI { .law = PIQI, .eta = 1, LINUX_TAU, .alpha = 0.1 }

/* Of R at the end: packets alone make 0.1 %, limit cycles 2.5 % and more. */
#define STABLE_SWING 0.02
#define NEAR 1.5                /* a queue agrees within this factor */
#define FAIR 0.999              /* Jain's index */

typedef struct Claim Claim;
struct Claim
{
  void (*print) (const Claim *self, FILE *csv);
  const char *figure, *name, *setting, *paper;
  FigureLaw law;
  RcTime first_rtt, rtt;
  /* Its queue at most, input at most, time until the queue is empty; 0: it gives none. */
  double paper_pkts, paper_mbps, paper_s;
  guint joining;                /* crowds: flows that join one as in figure 13; 0: as in 18 */
  T1Kind t1;
  guint gbps;                   /* of the link of figures 11 and 12 */
  double queue_bdp;             /* finite queues */
};

static void G_GNUC_PRINTF (4, 5)
row (const Claim *self, const char *criterion, const char *verdict, const char *format, ...)
{
  va_list args;

  printf ("%s\t%s\t%s\t%s\t%s\t", self->name, self->figure, self->setting,
      *self->paper ? self->paper : "–", *self->paper ? criterion : "–");
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\t%s\n", *self->paper ? verdict : "–");
}

static const char *
agrees (bool ok, bool partly)
{
  return ok ? "yes" : partly ? "partly" : "no";
}

/* paper: "stable..." or "unstable..." */
static bool
is_as_stable (const Claim *self, double swing_ratio)
{
  return (strstr (self->paper, "unstable") != NULL) == (swing_ratio > STABLE_SWING);
}

#define STABILITY "R swings by at most 2 % at the end if stable, by more if not"

static bool
is_near (double paper_pkts, double pkts)
{
  return pkts < paper_pkts * NEAR && pkts > paper_pkts / NEAR;
}

#define QUEUE "the queue's peak is within 1.5 times"

/* --- the figures --- */

/* Of eta = 0.99 against 0.5, or the other way round. */
static void
print_t1 (const Claim *self, FILE *csv)
{
  FigureLaw other = self->law;
  TopologyT1 r = figure_t1 (&self->law, self->t1, csv), o;
  bool stable = is_as_stable (self, r.x1_swing_ratio), also = true;
  const char *criterion = STABILITY;

  other.eta = self->law.eta > 0.5 ? 0.5 : 0.99;
  if (strstr (self->paper, "faster")) {
    o = figure_t1 (&other, self->t1, NULL);
    also = r.x1_settling_s < o.x1_settling_s;
    criterion = STABILITY "; settles sooner than with eta = 0.5; partly: stable alone";
  } else if (strstr (self->paper, "smoother")) {
    o = figure_t1 (&other, self->t1, NULL);
    also = r.x1_early_swing_ratio < o.x1_early_swing_ratio;
    criterion = STABILITY "; x1 swings less from 1 to 20 s after the join than with eta = 0.99; "
        "partly: stable alone";
  }
  row (self, criterion, agrees (stable && also, stable),
      "x1 %.0f, then %.1f Mbit/s, x2 %.1f; swing of x1 at the end %.1f %%; settled %.1f s after "
      "the join, swing before that %.0f %%; d = %.0f ms", r.x1_before_bps / 1e6, r.x1_bps / 1e6,
      r.x2_bps / 1e6, r.x1_swing_ratio * 100, r.x1_settling_s, r.x1_early_swing_ratio * 100,
      r.mean_rtt_s * 1000);
}

static void
print_mean_rtt (const Claim *self, FILE *csv)
{
  double d_ms = figure_t1 (&self->law, T1_AS_PUBLISHED, NULL).mean_rtt_s * 1000;

  row (self, "within 1.5 times", agrees (is_near (89, d_ms), false),
      "%.0f ms, with what the queues add", d_ms);
}

static void
print_crowd (const Claim *self, FILE *csv)
{
  CrowdSetup setup = self->joining ? figure_13_setup (self->joining) : figure_18_setup ();
  Crowd r = figure_crowd (&self->law, &setup, csv);
  bool queue = is_near (self->paper_pkts, r.peak_pkts);
  bool input = self->paper_mbps == 0 || is_near (self->paper_mbps, r.peak_input_bps / 1e6);
  bool drain = self->paper_s == 0 || is_near (self->paper_s, r.drain_s);

  row (self, "peak of the queue and what else the paper gives (most input, time until it is "
      "empty) within 1.5 times; partly: one", agrees (queue && input && drain,
          (queue && self->paper_pkts > 1) || (self->paper_mbps > 0 && input)
          || (self->paper_s > 0 && drain)),
      "input up to %.0f, down to %.1f Mbit/s; queue up to %.0f packets, empty after %.1f s; "
      "settled after %.1f s", r.peak_input_bps / 1e6, r.least_input_bps / 1e6, r.peak_pkts,
      r.drain_s, r.settle_s);
}

static void
print_stability (const Claim *self, FILE *csv)
{
  RcTime rtts[] = { self->first_rtt, self->rtt };
  Stability r = figure_stability (&self->law, rtts, 2, csv);

  row (self, STABILITY, agrees (is_as_stable (self, r.swing_ratio), false),
      "swing of R at the end %.2f %%", r.swing_ratio * 100);
}

static void
print_joins (const Claim *self, FILE *csv)
{
  Joins r = figure_joins (&self->law, self->first_rtt, self->rtt, 0, csv);
  bool fair = r.jain_ratio > FAIR;

  if (self->paper_pkts > 0)
    row (self, "Jain above 0.999, and " QUEUE "; partly: one of them",
        agrees (fair && is_near (self->paper_pkts, r.peak_pkts),
            fair || is_near (self->paper_pkts, r.peak_pkts)),
        "Jain %.4f; queue up to %.0f packets, after the second flow %.0f", r.jain_ratio,
        r.peak_pkts, r.later_peak_pkts);
  else
    row (self, STABILITY, agrees (is_as_stable (self, r.stability.swing_ratio), false),
        "swing of R at the end %.2f %%; Jain %.4f; queue up to %.0f packets, after the second flow "
        "%.0f", r.stability.swing_ratio * 100, r.jain_ratio, r.peak_pkts, r.later_peak_pkts);
}

/* Figures 11 and 12 on a faster link. */
static void
print_fast (const Claim *self, FILE *csv)
{
  static const FigureLaw rcp = { .law = RCP }, piqi = { .law = PIQI };
  guint64 bps = (guint64) self->gbps * 1000000000;
  double packet_ratio = (double) bps / 1e8;
  Joins a = figure_joins (&rcp, 120 * MS, 300 * MS, bps, NULL),
      b = figure_joins (&piqi, 120 * MS, 300 * MS, bps, csv);
  bool fair = a.jain_ratio > FAIR && b.jain_ratio > FAIR;
  bool small = b.peak_pkts < a.peak_pkts / 4;

  row (self,
      "Jain above 0.999 with both, PIQI-RCP's queue at most a quarter of RCP's; partly: one",
      agrees (fair && small, fair || small), "Jain %.4f and %.4f; queue up to %.0f packets with "
      "RCP, %.0f with PIQI-RCP, after the second flow %.0f", a.jain_ratio, b.jain_ratio,
      a.peak_pkts * packet_ratio, b.peak_pkts * packet_ratio, b.later_peak_pkts * packet_ratio);
}

static void
print_queues (const Claim *self, FILE *csv)
{
  static const guint ns[] = { 1, 2, 5, 10, 25, 50, 100, 150, 200, 250 };
  static const FigureLaw rcp = { .law = RCP };
  double a[G_N_ELEMENTS (ns)], b[G_N_ELEMENTS (ns)];
  guint n = G_N_ELEMENTS (ns);
  bool grows;

  for (guint i = 0; i < n; i++) {
    CrowdSetup setup = figure_13_setup (ns[i]);

    a[i] = figure_crowd (&rcp, &setup, NULL).peak_pkts;
    b[i] = figure_crowd (&self->law, &setup, NULL).peak_pkts;
    if (csv)
      fprintf (csv, "%u,%.0f,%.0f\n", ns[i], a[i], b[i]);
  }
  grows = a[n - 1] / a[4] > (double) ns[n - 1] / ns[4];
  row (self, "RCP: more than in proportion from 25 to 250 flows, and " QUEUE " at 250; PIQI-RCP: "
      QUEUE " at 25 and 250; partly: one law", agrees (grows && is_near (501000, a[n - 1])
          && is_near (10000, b[4]) && is_near (10000, b[n - 1]),
          (grows && is_near (501000, a[n - 1])) || (is_near (10000, b[4])
              && is_near (10000, b[n - 1]))),
      "RCP %.0f packets with 25 flows, %.0f with 250; PIQI-RCP %.0f and %.0f", a[4], a[n - 1], b[4],
      b[n - 1]);
}

/* Footnote 4: RCP with finite buffers. */
static void
print_finite (const Claim *self, FILE *csv)
{
  static const FigureLaw rcp = { .law = RCP }, piqi = { .law = PIQI };
  CrowdSetup setup = figure_13_setup (50);
  Crowd a, b;

  setup.queue_bdp = self->queue_bdp;
  a = figure_crowd (&rcp, &setup, csv);
  b = figure_crowd (&piqi, &setup, NULL);
  row (self, "RCP loses at least 10 % in the 10 s after the join; PIQI-RCP less than half as much; "
      "partly: the first", agrees (a.lost_ratio >= 0.1 && b.lost_ratio < a.lost_ratio / 2,
          a.lost_ratio >= 0.1), "RCP loses %.1f %%, PIQI-RCP %.1f %%", a.lost_ratio * 100,
      b.lost_ratio * 100);
}

static bool
is_max_min (const ParkingLot * lot, double gamma)
{
  static const double shares[3][3] = { {800}, {485, 485}, {400, 570, 400} };

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k <= i; k++)
      if (fabs (lot->x_bps[i][k] / (shares[i][k] * 1e6 * gamma) - 1) > 0.02)
        return false;
  return true;
}

static void
print_parking_lot (const Claim *self, FILE *csv)
{
  static const FigureLaw rcp = { .law = RCP };
  ParkingLot lot = figure_parking_lot (&self->law, csv);
  bool shares = is_max_min (&lot, self->law.law == RCP ? 1 : FIGURES_GAMMA), calm = true;
  const char *criterion = "each share within 2 %";

  if (self->law.law != RCP) {
    calm = lot.most_input_ratio - 1 < (figure_parking_lot (&rcp, NULL).most_input_ratio - 1) / 2;
    criterion = "each share within 2 %, and less than half of RCP's overshoot; partly: one";
  }
  row (self, criterion, agrees (shares && calm, shares || (self->law.law != RCP && calm)),
      "%.0f; %.0f, %.0f; %.0f, %.0f, %.0f Mbit/s; input of link 1 up to %.2f of it",
      lot.x_bps[0][0] / 1e6, lot.x_bps[1][0] / 1e6, lot.x_bps[1][1] / 1e6, lot.x_bps[2][0] / 1e6,
      lot.x_bps[2][1] / 1e6, lot.x_bps[2][2] / 1e6, lot.most_input_ratio);
}

static void
print_three (const Claim *self, FILE *csv)
{
  ThreeFlows r = figure_three_flows (&self->law, 30 * RC_SECOND, csv);
  bool used = r.utilisation_ratio >= 0.94;

  row (self, "use of 0.94 or more, and " QUEUE "; partly: one",
      agrees (used && is_near (self->paper_pkts, r.peak_pkts),
          used || is_near (self->paper_pkts, r.peak_pkts)),
      "utilisation %.3f, Jain %.4f; queue up to %.0f packets", r.utilisation_ratio, r.jain_ratio,
      r.peak_pkts);
}

/* Bins of 20 ms. */
static void
print_mice (const Claim *self, FILE *csv)
{
  static const FigureLaw rcp = LINUX_RCP;
  Mice r = figure_mice (&self->law, 90 * RC_SECOND, csv), other;
  bool first, second;
  const char *criterion = "overshoot and undershoot within 10 points; partly: one";

  if (self->law.law == RCP) {
    first = fabs (r.most_ratio - 1.40) <= 0.1;
    second = fabs (r.least_ratio - 0.75) <= 0.1;
  } else {
    other = figure_mice (&rcp, 90 * RC_SECOND, NULL);
    criterion = "less than half of RCP's overshoot and undershoot of its own mean, use within 5 "
        "points of RCP's; partly: one";
    first = r.most_ratio - r.utilisation_ratio < (other.most_ratio - other.utilisation_ratio) / 2
        && r.utilisation_ratio - r.least_ratio < (other.utilisation_ratio - other.least_ratio) / 2;
    second = fabs (r.utilisation_ratio - other.utilisation_ratio) <= 0.05;
  }
  row (self, criterion, agrees (first && second, first || second),
      "input %.2f to %.2f of the capacity over 20 ms, mean %.3f; queue up to %.0f packets",
      r.least_ratio, r.most_ratio, r.utilisation_ratio, r.peak_pkts);
}

/* --- statements without a figure --- */

/* Section 3. */
static void
print_drain (const Claim *self, FILE *csv)
{
  static const guint rtts_ms[] = { 25, 50, 100, 200, 400 };
  guint n = G_N_ELEMENTS (rtts_ms);
  double drain_s[G_N_ELEMENTS (rtts_ms)];
  bool grows = true, faster = true;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    CrowdSetup setup = figure_13_setup (50);

    setup.rtt = rtts_ms[i] * MS;
    setup.end = 150 * RC_SECOND;
    drain_s[i] = figure_crowd (&self->law, &setup, csv && rtts_ms[i] == 400 ? csv : NULL).drain_s;
    g_string_append_printf (text, "%s%.1f", i ? ", " : "", drain_s[i]);
    grows &= i == 0 || drain_s[i] > drain_s[i - 1];
    faster &= i == 0 || drain_s[i] > 2 * drain_s[i - 1];
  }
  row (self, "longer with each doubling of the RTT from 25 to 400 ms, and 16 times as long in all; "
      "partly: the former", agrees (grows && drain_s[n - 1] >= 16 * drain_s[0], grows),
      "empty after %s s with RTT of 25, 50, 100, 200, 400 ms", text->str);
}

/* With a part of the law and without: 50 flows that join one. */
static void
print_proportional (const Claim *self, FILE *csv)
{
  CrowdSetup setup = figure_13_setup (50);
  FigureLaw same_sum = self->law, alone;
  Crowd both, a, b;

  same_sum.integral = true;
  alone = same_sum;
  alone.eta /= 2;               /* kappa2 = 0 */
  both = figure_crowd (&self->law, &setup, csv);
  a = figure_crowd (&same_sum, &setup, NULL);
  b = figure_crowd (&alone, &setup, NULL);
  row (self, "50 flows join one: the input settles sooner and the queue's peak is lower than with "
      "a router that only integrates, with the same sum of gains; partly: than with kappa1 alone",
      agrees (both.settle_s < a.settle_s && both.peak_pkts < a.peak_pkts,
          both.settle_s < b.settle_s && both.peak_pkts < b.peak_pkts),
      "settled after %.1f s, queue up to %.0f packets; the same sum %.1f s and %.0f; kappa1 alone "
      "%.1f s and %.0f", both.settle_s, both.peak_pkts, a.settle_s, a.peak_pkts, b.settle_s,
      b.peak_pkts);
}

static void
print_tau2 (const Claim *self, FILE *csv)
{
  CrowdSetup setup = figure_13_setup (50);
  FigureLaw without = self->law;
  Crowd a, b;
  bool sooner, lower;

  without.tau2 = 0;
  a = figure_crowd (&self->law, &setup, csv);
  b = figure_crowd (&without, &setup, NULL);
  sooner = a.settle_s < b.settle_s;
  lower = a.peak_pkts < b.peak_pkts;
  row (self, "50 flows join one: the input settles sooner and the queue's peak is lower than with "
      "tau2 = 0; partly: one", agrees (sooner && lower, sooner || lower),
      "settled after %.1f s with, %.1f without; queue up to %.0f packets with, %.0f without",
      a.settle_s, b.settle_s, a.peak_pkts, b.peak_pkts);
}

static guint
settled_alike (const ParkingLot * a, const ParkingLot * b)
{
  guint alike = 0;

  for (guint i = 0; i < G_N_ELEMENTS (a->settle_s); i++)
    alike += is_near (a->settle_s[i], b->settle_s[i]);
  return alike;
}

static void
print_parking_time (const Claim *self, FILE *csv)
{
  static const FigureLaw rcp = { .law = RCP }, piqi = { .law = PIQI };
  static const FigureLaw quick = { .law = PIQI, .tau1 = 0.02, .tau2 = 0.94 };
  ParkingLot a = figure_parking_lot (&rcp, NULL), b = figure_parking_lot (&piqi, csv),
      c = figure_parking_lot (&quick, NULL);

  row (self, "until all flows stay within 5 % of their shares, within 1.5 times of RCP at each of "
      "three joins; partly: at two, or with another tau1", agrees (settled_alike (&a, &b) == 3,
          settled_alike (&a, &b) == 2 || settled_alike (&a, &c) >= 2),
      "RCP %.1f, %.1f, %.1f s, PIQI-RCP %.1f, %.1f, %.1f; with tau1 = 0.02, which does not have "
      "the queue of figure 12, %.1f, %.1f, %.1f", a.settle_s[0], a.settle_s[1], a.settle_s[2],
      b.settle_s[0], b.settle_s[1], b.settle_s[2], c.settle_s[0], c.settle_s[1], c.settle_s[2]);
}

static void
print_xcp_shares (const Claim *self, FILE *csv)
{
  static const double shares_mbps[] = { 400, 570, 400 };
  ParkingLot lot = figure_parking_lot (&self->law, csv);
  double off = 0;

  for (guint k = 0; k < 3; k++)
    off = fmax (off, fabs (lot.late_bps[k] / (shares_mbps[k] * 1e6) - 1));
  row (self, "parking lot, 230 s after the last join: a share is off by more than 2 %, within "
      "which RCP's are", agrees (off > 0.02, false),
      "%.0f, %.0f, %.0f Mbit/s, off by up to %.0f %%", lot.late_bps[0] / 1e6,
      lot.late_bps[1] / 1e6, lot.late_bps[2] / 1e6, off * 100);
}

/* 16b, 18b: with one length of the device's queue all four figures of the IP layer's. */
static void
print_device (const Claim *self, FILE *csv)
{
  static const guint pkts[] = { 0, 256, 1000, 1500, 2000, 4096 };
  static const FigureLaw laws[] = { LINUX_RCP, LINUX_PIQI };
  g_autoptr (GString) text = g_string_new (NULL);
  bool all = false, piqi = false;

  for (guint i = 0; i < G_N_ELEMENTS (pkts); i++) {
    CrowdSetup setup = figure_18_setup ();
    double three[2], crowd[2];

    for (guint k = 0; k < 2; k++) {
      FigureLaw law = laws[k];

      law.device_pkts = pkts[i];
      three[k] = figure_three_flows (&law, 30 * RC_SECOND, NULL).peak_pkts;
      crowd[k] = figure_crowd (&law, &setup, NULL).peak_pkts;
    }
    piqi |= three[1] <= 1 && crowd[1] <= 1;
    all |= three[1] <= 1 && crowd[1] <= 1 && is_near (9415, three[0]) && is_near (11000, crowd[0]);
    g_string_append_printf (text, "%s%u: RCP %.0f and %.0f, PIQI-RCP %.0f and %.0f",
        i ? "; " : "", pkts[i], three[0], crowd[0], three[1], crowd[1]);
    if (csv)
      fprintf (csv, "%u,%.0f,%.0f,%.0f,%.0f\n", pkts[i], three[0], crowd[0], three[1], crowd[1]);
  }
  row (self, "with one length of the device's queue PIQI-RCP has at most one packet in both, and "
      QUEUE " with RCP in both; partly: the former", agrees (all, piqi),
      "packets of the IP layer in fig. 16 and 18 by those that the device takes: %s", text->str);
}

static const Claim claims[] = {
  { print_t1, "2a", "fig2a", "RCP in T1", "155 Mbit/s, then unstable",
    { .law = RCP, .flows_mean = true } },
  { print_mean_rtt, "2a", "fig2a-d", "the same", "the router's d is 89 ms",
    { .law = RCP, .flows_mean = true } },
  { print_t1, "2b", "fig2b", "the same, bottlenecks fixed", "unstable",
    { .law = RCP, .flows_mean = true }, .t1 = T1_FIXED },
  { print_t1, "–", "fig2c", "as 2a, d by bytes as in the ns-2 code", "", { .law = RCP } },
  { print_t1, "6a", "fig6a", "QI-RCP in T1, eta = 0.5", "stable", { .law = QI, .eta = 0.5 } },
  { print_t1, "6b", "fig6b", "QI-RCP in T1, eta = 0.99", "stable, faster",
    { .law = QI, .eta = 0.99 } },
  { print_t1, "10a", "fig10a", "PIQI-RCP in T1, eta = 0.5", "stable, smoother",
    { .law = PIQI, .eta = 0.5 } },
  { print_t1, "10b", "fig10b", "PIQI-RCP in T1, eta = 0.99", "stable, faster",
    { .law = PIQI, .eta = 0.99 } },

  { print_stability, "4", "fig4-0.99", "QI-RCP, RTT 120 and 120 ms, eta = 0.99", "stable",
    { .law = QI, .eta = 0.99 }, 120 * MS, 120 * MS },
  { print_stability, "4", "fig4-1.01", "QI-RCP, RTT 120 and 120 ms, eta = 1.01", "unstable",
    { .law = QI, .eta = 1.01 }, 120 * MS, 120 * MS },
  { print_stability, "5", "fig5-0.99", "QI-RCP, RTT 120 and 300 ms, eta = 0.99", "stable",
    { .law = QI, .eta = 0.99 }, 120 * MS, 300 * MS },
  { print_stability, "5", "fig5-1.70", "QI-RCP, RTT 120 and 300 ms, eta = 1.70", "stable",
    { .law = QI, .eta = 1.70 }, 120 * MS, 300 * MS },
  { print_stability, "5", "fig5-1.80", "QI-RCP, RTT 120 and 300 ms, eta = 1.80", "unstable",
    { .law = QI, .eta = 1.80 }, 120 * MS, 300 * MS },

  { print_joins, "8a", "fig8a", "PIQI-RCP, ten flows of 120 ms, eta = 0.99", "stable",
    { .law = PIQI, .eta = 0.99 }, 120 * MS, 120 * MS },
  { print_joins, "8b", "fig8b", "the same, eta = 1.01", "unstable",
    { .law = PIQI, .eta = 1.01 }, 120 * MS, 120 * MS },
  { print_joins, "9a", "fig9a", "PIQI-RCP, 120 ms and nine of 300 ms, eta = 0.99", "stable",
    { .law = PIQI, .eta = 0.99 }, 120 * MS, 300 * MS },
  { print_joins, "9b", "fig9b", "the same, eta = 1.01", "unstable",
    { .law = PIQI, .eta = 1.01 }, 120 * MS, 300 * MS },
  { print_joins, "–", "fig9c", "the same, eta = 1.1", "",
    { .law = PIQI, .eta = 1.1 }, 120 * MS, 300 * MS },
  { print_joins, "–", "fig8c", "as 8b with the tau of the Linux runs", "",
    { .law = PIQI, .eta = 1.01, LINUX_TAU }, 120 * MS, 120 * MS },
  { print_joins, "11a, 12a", "fig11a", "RCP, 120 ms and nine of 300 ms",
    "fair; queue 3500 packets", { .law = RCP }, 120 * MS, 300 * MS, 3500 },
  { print_joins, "11b, 12b", "fig11b", "PIQI-RCP, the same, 0.95 of eq. 35",
    "fair; queue 550 packets, then about 0", { .law = PIQI }, 120 * MS, 300 * MS, 550 },

  { print_crowd, "3", "fig3", "RCP, 50 flows join one",
    "input 5100 Mbit/s; queue 80868 packets, empty after 7.5 s", { .law = RCP },
    .paper_pkts = 80868, .paper_mbps = 5100, .paper_s = 7.5, .joining = 50 },
  { print_crowd, "4.2", "fig3-qi", "QI-RCP, the same", "\"similar queue build-up\"", { .law = QI },
    .paper_pkts = 80868, .joining = 50 },
  { print_crowd, "–", "fig3-piqi", "PIQI-RCP, the same", "", { .law = PIQI }, .joining = 50 },
  { print_crowd, "17b, 18a", "fig18a", "RCP, 10 flows join one",
    "input 300 Mbit/s, then 10; queue 11000 packets; 7 s", LINUX_RCP,
    .paper_pkts = 11000, .paper_mbps = 300, .paper_s = 7 },
  { print_crowd, "18b", "fig18b", "PIQI-RCP, the same",
    "very small overshoot; IP queue 1 packet", LINUX_PIQI, .paper_pkts = 1 },
  { print_queues, "13a", "fig13a", "N flows join one", "RCP 501000 packets at N = 250, more than "
    "in proportion; PIQI-RCP 10000 from N = 25 on", { .law = PIQI } },
  { print_finite, "footnote 4", "finite", "50 flows join one, queue of one RTT",
    "RCP with finite buffers loses a lot", .queue_bdp = 1 },
  { print_finite, "–", "finite-4", "the same, a quarter of it", "", .queue_bdp = 0.25 },
  { print_fast, "11, 12", "fast-1", "as 11a and 11b, 1 Gbit/s", "similar to 100 Mbit/s",
    .gbps = 1 },
  { print_fast, "11, 12", "fast-10", "the same, 10 Gbit/s", "similar to 100 Mbit/s",
    .gbps = 10 },

  { print_parking_lot, "15", "fig15a", "RCP, parking lot", "800; 485, 485; 400, 570, 400 Mbit/s",
    { .law = RCP } },
  { print_parking_lot, "15", "fig15b", "PIQI-RCP, parking lot",
    "the same (times gamma: 760; 461, 461; 380, 541, 380); smaller transients", { .law = PIQI } },
  { print_three, "16a, 17a", "fig16a", "RCP, three flows on 1 Gbit/s",
    "high throughput; queue 9415 packets", LINUX_RCP, .paper_pkts = 9415 },
  { print_three, "16b", "fig16b", "PIQI-RCP, the same", "high throughput; IP queue 1 packet",
    LINUX_PIQI, .paper_pkts = 1 },
  { print_three, "–", "fig16-slowb", "as 16b with tau1 for each RTT, not each T", "",
    { .law = PIQI, .eta = 1, .tau1 = FIGURES_LINUX_TAU1 / 5, .tau2 = FIGURES_LINUX_TAU2,
      .alpha = 0.1 } },
  { print_mice, "19", "fig19a", "RCP, one flow and mice on 1 Gbit/s",
    "overshoot by 40 %, undershoot by 25 %", LINUX_RCP },
  { print_mice, "19", "fig19b", "PIQI-RCP, the same",
    "much less of both, no queue, the same utilisation", LINUX_PIQI },

  { print_drain, "section 3", "drain-rtt", "RCP, 50 flows join one",
    "the time in which the queue drains grows dramatically with the RTT", { .law = RCP } },
  { print_proportional, "section 4", "proportional", "PIQI-RCP, eta = 0.5",
    "the proportional part of the router responds sooner and keeps the queue lower",
    { .law = PIQI, .eta = 0.5 } },
  { print_tau2, "section 4", "tau-2", "PIQI-RCP, eta = 0.5",
    "tau2 makes the source more responsive and the overshoot of the queue smaller",
    { .law = PIQI, .eta = 0.5, .tau1 = FIGURES_NS2_TAU1, .tau2 = FIGURES_NS2_TAU2 } },
  { print_parking_time, "15", "parking-time", "parking lot",
    "RCP and PIQI-RCP converge in almost the same time" },
  { print_t1, "section 2.1", "xcp-delay", "XCP in T1", "unstable by the mean of different delays",
    { .xcp = true, .flows_mean = true } },
  { print_t1, "–", "xcp-delay-bytes", "XCP in T1, d by bytes", "", { .xcp = true } },
  { print_t1, "–", "xcp-alike", "the same, all RTTs 200 ms (max-min: 105.0, 5.6)", "",
    { .xcp = true }, .t1 = T1_ALIKE },
  { print_xcp_shares, "section 2.1", "xcp-max-min", "XCP, parking lot", "shares are not max-min",
    { .xcp = true } },
  { print_device, "16, 18", "device", "a device queue below that of the IP layer",
    "takes up what PIQI-RCP has too much; RCP has 9415 and 11000 packets above it" },
};

int
main (int argc, char **argv)
{
  for (guint i = 0; i < G_N_ELEMENTS (claims); i++) {
    g_autofree char *path = NULL;
    FILE *csv = NULL;

    if (argc > 2 && !g_str_has_prefix (claims[i].figure, argv[2]))
      continue;
    if (argc > 1) {
      path = g_strdup_printf ("%s/%s.csv", argv[1], claims[i].name);
      if (!(csv = fopen (path, "w")))
        g_error ("cannot write %s", path);
    }
    claims[i].print (&claims[i], csv);
    g_clear_pointer (&csv, fclose);
  }
  return 0;
}
