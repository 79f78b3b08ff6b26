/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* QI-RCP, the source
 * ==================
 *
 * In a nutshell: QI-RCP changes only what routers compute (rc/router/qircp.c). Its source is RCP's
 * [PIQI eq. 2], in rcp_source.c. The law has a name of its own so that a sender names the routers
 * that it expects.
 *
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md. */
#include <rc/law/qircp_source.h>
#include <rc/law/rcp_source.h>

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  rc_explicit_start (state, &rc_rcp_source, path, limits, now);
}

const RcLaw rc_qircp_law = {
  RC_EXPLICIT_LAW,
  .name = "qi-rcp", .doc = "QI-RCP: the same source as rcp",
  .params = rc_rcp_source_params, .start = start
};
