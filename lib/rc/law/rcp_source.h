/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending law `rcp`: see rcp_source.c for the model. The router's side is rc/router/rcp.h. */
#pragma once

#include <rc/law/explicit.h>

/* RCP's x, which QI-RCP has too. */
extern const RcExplicitSource rc_rcp_source;

/* RcLaw.params of a law that has no parameter but the shared ones. */
extern const RcParam rc_rcp_source_params[];

extern const RcLaw rc_rcp_law;
