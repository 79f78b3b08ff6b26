/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending laws that obey the rate which relays stamp into packets: rcp, qi-rcp, piqi-rcp. See explicit.c for the
 * model. */
#pragma once

#include <rc/law/arclive.h>
#include <rc/law/law.h>

/* Every tunable; names, units and ranges are in the table in explicit.c. */
typedef struct
{
  double tau1, tau2;            /* eq. 19, piqi-rcp only */
  double interval;              /* s: T of eq. 19 */
  double hold;                  /* s: an explicit rate holds so long */
  double guard;                 /* s: while one holds, ARC takes only such a queue for congestion; 0: ARC has no say */
  double growth;                /* 1/s: how much of its rate ARC then adds each second, at first */
  double report_max;            /* s: longest time between reports while one holds */
  double stop;                  /* s of silence after which media stops; 0: never */
} RcExplicitParams;

typedef struct
{
  RcExplicitParams params;      /* first: RcLaw.params point into it */
  bool approaches;              /* by eq. 19 (piqi-rcp), else at once */
  RcArcLive arc;
  RcLimits limits;
  double x_bps;                 /* x */
  double explicit_bps;          /* R as heard last, within the limits; 0: none holds */
  double rate_bps;              /* decided last */
  RcTime stepped_at, heard_at;  /* x; R */
  RcTime sent_at;               /* RC_TIME_NONE: never */
} RcExplicit;

extern const RcLaw rc_rcp_law, rc_qircp_law, rc_piqircp_law;
