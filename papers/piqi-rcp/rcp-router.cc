/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rcp-router.h"

namespace arc {

static constexpr double GAMMA = 0.95;

static std::optional<RcRouterLaw>
router_law (const std::string &law)
{
  if (law == "rcp")
    return RC_ROUTER_RCP;
  if (law == "qi-rcp")
    return RC_ROUTER_QI_RCP;
  return law == "piqi-rcp" ? std::optional (RC_ROUTER_PIQI_RCP) : std::nullopt;
}

std::optional<RcRouterParams>
rcp_router_params (const std::string &law)
{
  std::optional<RcRouterLaw> router = router_law (law);
  RcRouterParams params = RC_ROUTER_PARAMS_DEFAULT;

  if (!router)
    return std::nullopt;
  params.law = *router;
  params.gamma_ratio = params.law == RC_ROUTER_RCP ? 1 : GAMMA;
  params.min_bps = 50000;
  params.max_rtt = 100 * RC_SECOND;     /* nobody lies here, and a queue may be long */
  params.rtt_memory = 100 * RC_MSEC;
  return params;
}

}
