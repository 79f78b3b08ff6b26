/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The PIQI-RCP paper's experiments that need no TCP, in virtual time: the same code makes the
 * plots and is tested against the figures. csv: where the time series goes, or NULL. */
#pragma once

#include "rcpnetwork.h"

#include <stdio.h>

/* Of the ns-2 runs the paper gives neither gamma nor tau. These tau reproduce its figures 8, 12
 * and 13a; gamma is that of its Linux runs. */
#define FIGURES_GAMMA 0.95
#define FIGURES_NS2_TAU1 0.005
#define FIGURES_NS2_TAU2 0.96
#define FIGURES_LINUX_TAU1 0.01
#define FIGURES_LINUX_TAU2 0.1

typedef struct
{
  RcRouterLaw law;
  double eta;                   /* of the bound on kappa; 0: 0.95 of eq. 35 */
  double tau1, tau2;            /* 0: those of the ns-2 runs */
  double alpha;                 /* of RCP; 0: 0.4 */
  bool flows_mean; /* d is the mean of the flows, not of their bytes as in the ns-2 code */
  bool xcp;                     /* instead of `law` */
  /* PIQI-RCP's sources, but a router that only integrates, with the same gain in the sum. */
  bool integral;
  /* First in the bottleneck's queue are as many packets that the router does not see. */
  guint device_pkts;
} FigureLaw;

/* --- stability --- */

typedef struct
{
  double swing_ratio;           /* of R: (most - least) / mean, at the end */
  double growth_gain;           /* of the deviation of R, end over begin */
} Stability;

/* Flows of these RTTs on 100 Mbit/s from the beginning (fig. 4, 5). */
Stability figure_stability (const FigureLaw * law, const RcTime * rtts, guint n, FILE * csv);
/* Ten flows that join each 10 s, the first of first_rtt, the others of rtt (fig. 8, 9, 11, 12). */
typedef struct
{
  Stability stability;
  double jain_ratio;
  /* Of 1000 bytes; after the second flow has joined and settled. */
  double peak_pkts, later_peak_pkts;
} Joins;
/* capacity: 0: 100 Mbit/s */
Joins figure_joins (const FigureLaw * law, RcTime first_rtt, RcTime rtt, guint64 capacity_bps,
    FILE * csv);

/* --- T1 (fig. 2, 6, 10) --- */

typedef struct
{
  double mean_rtt_s;            /* d of link 1 */
  double x1_before_bps, x1_bps, x2_bps; /* means: before the nine join; at the end */
  double x1_swing_ratio;        /* (most - least) / mean, at the end */
  double x1_settling_s;         /* from the join until it stays within 5 % of its share */
  double x1_early_swing_ratio;  /* from 1 to 20 s after the join */
} TopologyT1;

#define T1_L3_BPS 50000000      /* the paper does not say */
typedef enum
{
  T1_AS_PUBLISHED,
  T1_FIXED,                     /* each flow obeys its bottleneck only (fig. 2b) */
  T1_ALIKE,                     /* all round-trip times are 200 ms */
} T1Kind;
TopologyT1 figure_t1 (const FigureLaw * law, T1Kind kind, FILE * csv);

/* --- joins at once --- */

typedef struct
{
  double peak_input_bps;        /* over 10 ms */
  double least_input_bps;       /* after the join, over 100 ms */
  double peak_pkts;             /* of 1000 bytes */
  double drain_s;               /* from the join until less than 10 packets wait, after the peak */
  double settle_s;              /* until the input stays within 10 % of its last value */
  double lost_ratio;            /* of what came in the 10 s after the join */
} Crowd;

typedef struct
{
  guint64 capacity_bps;
  RcTime rtt, join, leave, end; /* leave: of those that joined */
  guint n;                      /* that join one long flow */
  double queue_bdp;             /* the most that may wait, in capacity x rtt; 0: no limit */
} CrowdSetup;
Crowd figure_crowd (const FigureLaw * law, const CrowdSetup * setup, FILE * csv);
/* fig. 3, 13a; 17b and 18 */
CrowdSetup figure_13_setup (guint n);
CrowdSetup figure_18_setup (void);

/* --- the others --- */

typedef struct
{
  double x_bps[3][3];           /* [after each start][flow]; means of the last seconds */
  double most_input_ratio;      /* of link 1 after 15 s, over 100 ms, of its capacity */
  double settle_s[3];           /* after each start, until all flows stay within 5 % */
  /* Means of the last 10 s; with XCP 200 s later. */
  double late_bps[3];
} ParkingLot;
ParkingLot figure_parking_lot (const FigureLaw * law, FILE * csv);      /* fig. 14, 15 */

typedef struct
{
  double utilisation_ratio;     /* of the capacity, while three flows are there */
  double jain_ratio;            /* of them */
  double peak_pkts;             /* of 1500 bytes */
} ThreeFlows;
/* Fig. 16, 17a. */
ThreeFlows figure_three_flows (const FigureLaw * law, RcTime spacing, FILE * csv);

typedef struct
{
  /* Of the input over 20 ms, of the capacity, with mice. */
  double utilisation_ratio, most_ratio, least_ratio;
  double peak_pkts;             /* of 1500 bytes */
  guint mice;
} Mice;
Mice figure_mice (const FigureLaw * law, RcTime end, FILE * csv);       /* fig. 19 */
