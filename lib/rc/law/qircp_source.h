/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending law `qi-rcp`: see qircp_source.c. The router's side is rc/router/qircp.h. */
#pragma once

#include <rc/law/law.h>

extern const RcLaw rc_qircp_law;
