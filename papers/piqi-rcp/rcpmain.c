/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-figures [DIRECTORY [FIGURE]]: prints a row for each claim, tab separated: figure, setting,
 * the paper's figure, ours, do they agree; with a directory it writes the time series there;
 * with a figure only of those that begin so. */
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

typedef struct Claim Claim;
struct Claim
{
  void (*print) (const Claim *self, FILE *csv);
  const char *figure, *name, *setting, *paper;
  FigureLaw law;
  RcTime first_rtt, rtt;
  double paper_pkts;            /* the queue at most; 0: the paper gives none */
  guint joining;                /* crowds: flows that join one as in figure 13; 0: as in 18 */
  bool fixed;                   /* T1: each flow obeys its bottleneck only */
};

static void G_GNUC_PRINTF (3, 4)
row (const Claim *self, const char *verdict, const char *format, ...)
{
  va_list args;

  printf ("%s\t%s\t%s\t", self->figure, self->setting, self->paper);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\t%s\n", verdict);
}

static const char *
agrees (bool ok)
{
  return ok ? "yes" : "no";
}

/* paper: "stable..." or "unstable...", or nothing about it */
static const char *
agrees_on_stability (const Claim *self, double swing_ratio)
{
  bool unstable = strstr (self->paper, "unstable");

  return *self->paper ? agrees (unstable == (swing_ratio > STABLE_SWING)) : "–";
}

static const char *
agrees_on_queue (double paper_pkts, double pkts)
{
  return paper_pkts > 0 ? agrees (pkts < paper_pkts * NEAR && pkts > paper_pkts / NEAR) : "–";
}

/* --- the figures --- */

static void
print_t1 (const Claim *self, FILE *csv)
{
  TopologyT1 r = figure_t1 (&self->law, self->fixed, csv);

  row (self, agrees_on_stability (self, r.x1_swing_ratio),
      "x1 %.0f, then %.1f Mbit/s, x2 %.1f; swing of x1 at the end %.1f %%; settled %.0f s after "
      "the join; d = %.0f ms", r.x1_before_bps / 1e6, r.x1_bps / 1e6, r.x2_bps / 1e6,
      r.x1_swing_ratio * 100, r.x1_settling_s, r.mean_rtt_s * 1000);
}

static void
print_crowd (const Claim *self, FILE *csv)
{
  CrowdSetup setup = self->joining ? figure_13_setup (self->joining) : figure_18_setup ();
  Crowd r = figure_crowd (&self->law, &setup, csv);

  row (self, agrees_on_queue (self->paper_pkts, r.peak_pkts),
      "input up to %.0f, down to %.1f Mbit/s; queue up to %.0f packets, empty after %.1f s; "
      "settled after %.1f s", r.peak_input_bps / 1e6, r.least_input_bps / 1e6, r.peak_pkts,
      r.drain_s, r.settle_s);
}

static void
print_stability (const Claim *self, FILE *csv)
{
  RcTime rtts[] = { self->first_rtt, self->rtt };
  Stability r = figure_stability (&self->law, rtts, 2, csv);

  row (self, agrees_on_stability (self, r.swing_ratio), "swing of R at the end %.2f %%",
      r.swing_ratio * 100);
}

static void
print_joins (const Claim *self, FILE *csv)
{
  Joins r = figure_joins (&self->law, self->first_rtt, self->rtt, csv);

  row (self, self->paper_pkts > 0 ? agrees_on_queue (self->paper_pkts, r.peak_pkts)
      : agrees_on_stability (self, r.stability.swing_ratio), "swing of R at the end %.2f %%; "
      "Jain %.4f; queue up to %.0f packets, after the second flow %.0f",
      r.stability.swing_ratio * 100, r.jain_ratio, r.peak_pkts, r.later_peak_pkts);
}

static void
print_queues (const Claim *self, FILE *csv)
{
  static const guint ns[] = { 1, 2, 5, 10, 25, 50, 100, 150, 200, 250 };
  static const FigureLaw rcp = { .law = RCP };

  for (guint i = 0; i < G_N_ELEMENTS (ns); i++) {
    CrowdSetup setup = figure_13_setup (ns[i]);
    double a = figure_crowd (&rcp, &setup, NULL).peak_pkts,
        b = figure_crowd (&self->law, &setup, NULL).peak_pkts;

    if (csv)
      fprintf (csv, "%u,%.0f,%.0f\n", ns[i], a, b);
    if (ns[i] == 25 || ns[i] == 250)
      printf ("%s\t%u flows join one\t%s\tqueue up to %.0f packets with RCP, "
          "%.0f with PIQI-RCP\t%s\n", self->figure, ns[i], ns[i] == 25
          ? "PIQI-RCP 10000 packets from here on" : "RCP 501000, PIQI-RCP 10000 packets", a, b,
          agrees_on_queue (self->paper_pkts, b));
  }
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
  ParkingLot lot = figure_parking_lot (&self->law, csv);

  row (self, agrees (is_max_min (&lot, self->law.law == RCP ? 1 : FIGURES_GAMMA)),
      "%.0f; %.0f, %.0f; %.0f, %.0f, %.0f Mbit/s; input of link 1 up to %.2f of it",
      lot.x_bps[0][0] / 1e6, lot.x_bps[1][0] / 1e6, lot.x_bps[1][1] / 1e6, lot.x_bps[2][0] / 1e6,
      lot.x_bps[2][1] / 1e6, lot.x_bps[2][2] / 1e6, lot.most_input_ratio);
}

static void
print_three (const Claim *self, FILE *csv)
{
  ThreeFlows r = figure_three_flows (&self->law, 30 * RC_SECOND, csv);

  row (self, agrees_on_queue (self->paper_pkts, r.peak_pkts),
      "utilisation %.3f, Jain %.4f; queue up to %.0f packets", r.utilisation_ratio, r.jain_ratio,
      r.peak_pkts);
}

static void
print_mice (const Claim *self, FILE *csv)
{
  Mice r = figure_mice (&self->law, 90 * RC_SECOND, csv);
  bool wild = r.least_ratio < 0.8 && r.most_ratio > 1.05;
  bool calm = r.least_ratio > 0.85 && r.most_ratio < 1.05;

  row (self, agrees (self->law.law == RCP ? wild : calm),
      "input %.2f to %.2f of the capacity, mean %.3f; queue up to %.0f packets", r.least_ratio,
      r.most_ratio, r.utilisation_ratio, r.peak_pkts);
}

static const Claim claims[] = {
  { print_t1, "2a", "fig2a", "RCP in T1", "155 Mbit/s, then unstable; d = 89 ms",
    { .law = RCP, .flows_mean = true } },
  { print_t1, "2b", "fig2b", "the same, bottlenecks fixed", "unstable",
    { .law = RCP, .flows_mean = true }, .fixed = true },
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
    .paper_pkts = 80868, .joining = 50 },
  { print_crowd, "–", "fig3-qi", "QI-RCP, the same", "\"similar queue build-up\"", { .law = QI },
    .paper_pkts = 80868, .joining = 50 },
  { print_crowd, "–", "fig3-piqi", "PIQI-RCP, the same", "", { .law = PIQI }, .joining = 50 },
  { print_crowd, "17b, 18a", "fig18a", "RCP, 10 flows join one",
    "input 300 Mbit/s, then 10; queue 11000 packets; 7 s", LINUX_RCP, .paper_pkts = 11000 },
  { print_crowd, "18b", "fig18b", "PIQI-RCP, the same",
    "very small overshoot; IP queue 1 packet", LINUX_PIQI, .paper_pkts = 1 },
  { print_queues, "13a", "fig13a", .law = { .law = PIQI }, .paper_pkts = 10000 },

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
