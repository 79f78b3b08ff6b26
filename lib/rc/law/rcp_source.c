/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RCP, the source
 * ===============
 *
 * In a nutshell: the source sends at the smallest rate that the relays of its path offer, at once.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   x(t) = min over the path of R(t - D<-)                               [PIQI eq. 2]   heard ()
 *
 *   [explicit_bps] the smallest R, which the stamp brings
 *
 * Source: N. Dukkipati's RCP as given in S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md. The
 * router's side is rc/router/rcp.c; what all laws of explicit rates share, with ARC beside, is in
 * explicit.c. */
#include <rc/law/rcp_source.h>

/* [PIQI eq. 2] */
static double
heard (double x_bps, double explicit_bps, double before_bps, const RcExplicitParams *params)
{
  return explicit_bps;
}

const RcExplicitSource rc_rcp_source = {.heard = heard };

const RcParam rc_rcp_source_params[] = { RC_EXPLICIT_SHARED_PARAMS, {NULL} };

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  rc_explicit_start (state, &rc_rcp_source, path, limits, now);
}

const RcLaw rc_rcp_law = {
  RC_EXPLICIT_LAW,
  .name = "rcp", .doc = "RCP: takes the rate stamped by relays, or ARC's if lower",
  .params = rc_rcp_source_params, .start = start
};
