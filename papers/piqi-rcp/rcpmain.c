/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-figures [DIRECTORY [FIGURE]]: prints a row for each claim, tab separated: figure, setting,
 * the paper's figure, ours, do they agree; with a directory it writes the time series there;
 * with a figure only of those that begin so. */
#include "rcpfigures.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define RCP { .law = RC_ROUTER_RCP }
#define MS RC_MSEC

/* Of R at the end: packets alone make 0.1 %, limit cycles 2.5 % and more. */
#define STABLE_SWING 0.02
#define NEAR 1.5                /* a queue agrees within this factor */

static const char *directory, *wanted = "";
static FILE *csv;               /* of the figure in hand; NULL: nowhere */

/* FALSE: nobody wants this figure. */
static bool
begin (const char *figure, const char *name)
{
  char *path;

  if (!g_str_has_prefix (figure, wanted))
    return false;
  if (directory) {
    path = g_strdup_printf ("%s/%s.csv", directory, name);
    if (!(csv = fopen (path, "w")))
      g_error ("cannot write %s", path);
    g_free (path);
  }
  return true;
}

static void G_GNUC_PRINTF (5, 6)
row (const char *figure, const char *setting, const char *paper, const char *verdict,
    const char *format, ...)
{
  va_list args;

  g_clear_pointer (&csv, fclose);
  printf ("%s\t%s\t%s\t", figure, setting, paper);
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
agrees_on_stability (const char *paper, double swing_ratio)
{
  return *paper ? agrees ((strstr (paper, "unstable") != NULL) == (swing_ratio > STABLE_SWING))
      : "–";
}

/* 0: the paper gives none */
static const char *
agrees_on_queue (double paper_pkts, double pkts)
{
  return paper_pkts > 0 ? agrees (pkts < paper_pkts * NEAR && pkts > paper_pkts / NEAR) : "–";
}

static FigureLaw
linux_law (RcRouterLaw law)
{
  return (FigureLaw) {.law = law,.eta = law == RC_ROUTER_RCP ? 0 : 1,.tau1 = FIGURES_LINUX_TAU1,
    .tau2 = FIGURES_LINUX_TAU2,.alpha = 0.1
  };
}

static FigureLaw
queue_independent (RcRouterLaw law, double eta)
{
  return (FigureLaw) {.law = law,.eta = eta };
}

/* --- the figures --- */

static void
print_t1 (const char *figure, const char *setting, const char *paper, const FigureLaw * law,
    bool fixed, const char *name)
{
  TopologyT1 r;

  if (!begin (figure, name))
    return;
  r = figure_t1 (law, fixed, csv);
  row (figure, setting, paper, agrees_on_stability (paper, r.x1_swing_ratio),
      "x1 %.0f, then %.1f Mbit/s, x2 %.1f; swing of x1 at the end %.1f %%; settled %.0f s after "
      "the join; d = %.0f ms", r.x1_before_bps / 1e6, r.x1_bps / 1e6, r.x2_bps / 1e6,
      r.x1_swing_ratio * 100, r.x1_settling_s, r.mean_rtt_s * 1000);
}

static void
all_t1 (void)
{
  FigureLaw rcp = RCP, rcp_flows = {.law = RC_ROUTER_RCP,.flows_mean = true };
  FigureLaw qi_slow = queue_independent (RC_ROUTER_QI_RCP, 0.5);
  FigureLaw qi = queue_independent (RC_ROUTER_QI_RCP, 0.99);
  FigureLaw piqi_slow = queue_independent (RC_ROUTER_PIQI_RCP, 0.5);
  FigureLaw piqi = queue_independent (RC_ROUTER_PIQI_RCP, 0.99);

  print_t1 ("2a", "RCP in T1", "155 Mbit/s, then unstable; d = 89 ms", &rcp_flows, false, "fig2a");
  print_t1 ("2b", "the same, bottlenecks fixed", "unstable", &rcp_flows, true, "fig2b");
  print_t1 ("–", "as 2a, d by bytes as in the ns-2 code", "", &rcp, false, "fig2c");
  print_t1 ("6a", "QI-RCP in T1, eta = 0.5", "stable", &qi_slow, false, "fig6a");
  print_t1 ("6b", "QI-RCP in T1, eta = 0.99", "stable, faster", &qi, false, "fig6b");
  print_t1 ("10a", "PIQI-RCP in T1, eta = 0.5", "stable, smoother", &piqi_slow, false, "fig10a");
  print_t1 ("10b", "PIQI-RCP in T1, eta = 0.99", "stable, faster", &piqi, false, "fig10b");
}

static void
print_crowd (const char *figure, const char *setting, const char *paper, const FigureLaw * law,
    const CrowdSetup * setup, double paper_pkts, const char *name)
{
  Crowd r;

  if (!begin (figure, name))
    return;
  r = figure_crowd (law, setup, csv);
  row (figure, setting, paper, agrees_on_queue (paper_pkts, r.peak_pkts),
      "input up to %.0f, down to %.1f Mbit/s; queue up to %.0f packets, empty after %.1f s; "
      "settled after %.1f s", r.peak_input_bps / 1e6, r.least_input_bps / 1e6, r.peak_pkts,
      r.drain_s, r.settle_s);
}

static void
all_crowds (void)
{
  FigureLaw rcp = RCP, qi = {.law = RC_ROUTER_QI_RCP }, piqi = {.law = RC_ROUTER_PIQI_RCP };
  FigureLaw rcp_linux = linux_law (RC_ROUTER_RCP), piqi_linux = linux_law (RC_ROUTER_PIQI_RCP);
  CrowdSetup fifty = figure_13_setup (50), ten = figure_18_setup ();

  print_crowd ("3", "RCP, 50 flows join one",
      "input 5100 Mbit/s; queue 80868 packets, empty after 7.5 s", &rcp, &fifty, 80868, "fig3");
  print_crowd ("–", "QI-RCP, the same", "\"similar queue build-up\"", &qi, &fifty, 80868,
      "fig3-qi");
  print_crowd ("–", "PIQI-RCP, the same", "", &piqi, &fifty, 0, "fig3-piqi");
  print_crowd ("17b, 18a", "RCP, 10 flows join one",
      "input 300 Mbit/s, then 10; queue 11000 packets; 7 s", &rcp_linux, &ten, 11000, "fig18a");
  print_crowd ("18b", "PIQI-RCP, the same",
      "very small overshoot; IP queue 1 packet", &piqi_linux, &ten, 1, "fig18b");
}

static void
print_stability (const char *figure, const char *paper, double eta, RcTime rtt, RcTime rtt_2)
{
  FigureLaw law = queue_independent (RC_ROUTER_QI_RCP, eta);
  RcTime rtts[] = { rtt, rtt_2 };
  char *name = g_strdup_printf ("fig%s-%.2f", figure, eta), *setting;
  Stability r;

  if (begin (figure, name)) {
    r = figure_stability (&law, rtts, 2, csv);
    setting = g_strdup_printf ("QI-RCP, RTT %d and %d ms, eta = %.2f", (int) (rtt / MS),
        (int) (rtt_2 / MS), eta);
    row (figure, setting, paper, agrees_on_stability (paper, r.swing_ratio),
        "swing of R at the end %.2f %%", r.swing_ratio * 100);
    g_free (setting);
  }
  g_free (name);
}

static void
print_joins (const char *figure, const char *paper, const FigureLaw * law, const char *setting,
    RcTime first_rtt, RcTime rtt, double paper_pkts, const char *name)
{
  Joins r;

  if (!begin (figure, name))
    return;
  r = figure_joins (law, first_rtt, rtt, csv);
  row (figure, setting, paper, paper_pkts > 0 ? agrees_on_queue (paper_pkts, r.peak_pkts)
      : agrees_on_stability (paper, r.stability.swing_ratio), "swing of R at the end %.2f %%; "
      "Jain %.4f; queue up to %.0f packets, after the second flow %.0f",
      r.stability.swing_ratio * 100, r.jain_ratio, r.peak_pkts, r.later_peak_pkts);
}

static void
all_joins (void)
{
  static const struct { const char *figure, *setting, *paper; double eta; RcTime rtt; } rows[] = {
    {"8a", "PIQI-RCP, ten flows of 120 ms, eta = 0.99", "stable", 0.99, 120 * MS},
    {"8b", "the same, eta = 1.01", "unstable", 1.01, 120 * MS},
    {"9a", "PIQI-RCP, 120 ms and nine of 300 ms, eta = 0.99", "stable", 0.99, 300 * MS},
    {"9b", "the same, eta = 1.01", "unstable", 1.01, 300 * MS},
    {"–", "the same, eta = 1.1", "", 1.1, 300 * MS},
  };
  FigureLaw law, rcp = RCP, piqi = {.law = RC_ROUTER_PIQI_RCP };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    char *name = g_strdup_printf ("fig%s", i < 4 ? rows[i].figure : "9c");

    law = queue_independent (RC_ROUTER_PIQI_RCP, rows[i].eta);
    print_joins (rows[i].figure, rows[i].paper, &law, rows[i].setting, 120 * MS, rows[i].rtt,
        0, name);
    g_free (name);
  }
  law = queue_independent (RC_ROUTER_PIQI_RCP, 1.01);
  law.tau1 = FIGURES_LINUX_TAU1;
  law.tau2 = FIGURES_LINUX_TAU2;
  print_joins ("–", "", &law, "as 8b with the tau of the Linux runs", 120 * MS, 120 * MS, 0,
      "fig8c");
  print_joins ("11a, 12a", "fair; queue 3500 packets", &rcp,
      "RCP, 120 ms and nine of 300 ms", 120 * MS, 300 * MS, 3500, "fig11a");
  print_joins ("11b, 12b", "fair; queue 550 packets, then about 0", &piqi,
      "PIQI-RCP, the same, 0.95 of eq. 35", 120 * MS, 300 * MS, 550, "fig11b");
}

static void
all_queues (void)
{
  static const guint ns[] = { 1, 2, 5, 10, 25, 50, 100, 150, 200, 250 };
  FigureLaw rcp = RCP, piqi = {.law = RC_ROUTER_PIQI_RCP };

  if (!begin ("13a", "fig13a"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (ns); i++) {
    CrowdSetup setup = figure_13_setup (ns[i]);
    double a = figure_crowd (&rcp, &setup, NULL).peak_pkts,
        b = figure_crowd (&piqi, &setup, NULL).peak_pkts;

    if (csv)
      fprintf (csv, "%u,%.0f,%.0f\n", ns[i], a, b);
    if (ns[i] == 25 || ns[i] == 250)
      printf ("13a\t%u flows join one\t%s\tqueue up to %.0f packets with RCP, "
          "%.0f with PIQI-RCP\t%s\n", ns[i], ns[i] == 25 ? "PIQI-RCP 10000 packets from here on"
          : "RCP 501000, PIQI-RCP 10000 packets", a, b, agrees_on_queue (10000, b));
  }
  g_clear_pointer (&csv, fclose);
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
print_parking_lot (RcRouterLaw law, const char *setting, const char *paper, const char *name)
{
  FigureLaw ns2 = {.law = law };
  ParkingLot lot;

  if (!begin ("15", name))
    return;
  lot = figure_parking_lot (&ns2, csv);
  row ("15", setting, paper,
      agrees (is_max_min (&lot, law == RC_ROUTER_RCP ? 1 : FIGURES_GAMMA)),
      "%.0f; %.0f, %.0f; %.0f, %.0f, %.0f Mbit/s; input of link 1 up to %.2f of it",
      lot.x_bps[0][0] / 1e6, lot.x_bps[1][0] / 1e6, lot.x_bps[1][1] / 1e6, lot.x_bps[2][0] / 1e6,
      lot.x_bps[2][1] / 1e6, lot.x_bps[2][2] / 1e6, lot.most_input_ratio);
}

static void
print_three (const char *figure, const char *setting, const char *paper, const FigureLaw * law,
    double paper_pkts, const char *name)
{
  ThreeFlows r;

  if (!begin (figure, name))
    return;
  r = figure_three_flows (law, 30 * RC_SECOND, csv);
  row (figure, setting, paper, agrees_on_queue (paper_pkts, r.peak_pkts),
      "utilisation %.3f, Jain %.4f; queue up to %.0f packets", r.utilisation_ratio, r.jain_ratio,
      r.peak_pkts);
}

static void
print_mice (RcRouterLaw law, const char *setting, const char *paper, const char *name)
{
  FigureLaw as_linux = linux_law (law);
  bool wild, calm;
  Mice r;

  if (!begin ("19", name))
    return;
  r = figure_mice (&as_linux, 90 * RC_SECOND, csv);
  wild = r.least_ratio < 0.8 && r.most_ratio > 1.05;
  calm = r.least_ratio > 0.85 && r.most_ratio < 1.05;
  row ("19", setting, paper, agrees (law == RC_ROUTER_RCP ? wild : calm),
      "input %.2f to %.2f of the capacity, mean %.3f; queue up to %.0f packets", r.least_ratio,
      r.most_ratio, r.utilisation_ratio, r.peak_pkts);
}

static void
all_others (void)
{
  FigureLaw rcp = linux_law (RC_ROUTER_RCP), piqi = linux_law (RC_ROUTER_PIQI_RCP), slow = piqi;

  print_parking_lot (RC_ROUTER_RCP, "RCP, parking lot", "800; 485, 485; 400, 570, 400 Mbit/s",
      "fig15a");
  print_parking_lot (RC_ROUTER_PIQI_RCP, "PIQI-RCP, parking lot",
      "the same (times gamma: 760; 461, 461; 380, 541, 380); smaller transients", "fig15b");
  print_three ("16a, 17a", "RCP, three flows on 1 Gbit/s",
      "high throughput; queue 9415 packets", &rcp, 9415, "fig16a");
  print_three ("16b", "PIQI-RCP, the same", "high throughput; IP queue 1 packet", &piqi, 1,
      "fig16b");
  slow.tau1 /= 5;
  print_three ("–", "as 16b with tau1 for each RTT, not each T", "", &slow, 0, "fig16-slowb");
  print_mice (RC_ROUTER_RCP, "RCP, one flow and mice on 1 Gbit/s",
      "overshoot by 40 %, undershoot by 25 %", "fig19a");
  print_mice (RC_ROUTER_PIQI_RCP, "PIQI-RCP, the same",
      "much less of both, no queue, the same utilisation", "fig19b");
}

int
main (int argc, char **argv)
{
  directory = argc > 1 ? argv[1] : NULL;
  wanted = argc > 2 ? argv[2] : "";
  all_t1 ();
  print_stability ("4", "stable", 0.99, 120 * MS, 120 * MS);
  print_stability ("4", "unstable", 1.01, 120 * MS, 120 * MS);
  print_stability ("5", "stable", 0.99, 120 * MS, 300 * MS);
  print_stability ("5", "stable", 1.70, 120 * MS, 300 * MS);
  print_stability ("5", "unstable", 1.80, 120 * MS, 300 * MS);
  all_joins ();
  all_crowds ();
  all_queues ();
  all_others ();
  return 0;
}
