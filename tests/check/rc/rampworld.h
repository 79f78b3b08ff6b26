/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A world of flows that the tests share: cameras, a microphone, a download. */
#pragma once

#include "claim.h"
#include "ramplink.h"

#include <math.h>

#define MBIT 1e6
#define LINK_BPS UINT64_C (10000000)

static World world;
static WorldPacket memory[WORLD_FLOWS * WORLD_PACKETS];

static inline WorldSource
camera (gdouble rate_bps)
{
  return (WorldSource) {
  .params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = rate_bps,.frame_interval = RC_SECOND / 30,
  .vbr_ratio = 0.2,
        .packet_bytes = 1228};
}

static inline WorldSource
microphone (void)
{
  WorldSource source = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = 80000,
      .packet_bytes = 200 };

  source.params.target.delay = 10 * RC_MSEC;
  source.params.period = rc_ramp_period (source.params.target.delay);
  return source;
}

/* More than the link takes. */
static inline WorldSource
download (void)
{
  WorldSource source = {.params = RC_RAMP_FLOW_PARAMS_DEFAULT,.rate_bps = 12 * MBIT,
      .packet_bytes = 1500 };

  source.params.flow_class = RC_RAMP_GREEDY;
  return source;
}

static inline void
start (gboolean paper, guint64 link_bps)
{
  RcRampParams params = paper ? RC_RAMP_PARAMS_PAPER : RC_RAMP_PARAMS_DEFAULT;

  world_init (&world, memory, &params, link_bps);
}

static inline gdouble
sent_bps (const WorldFlow * flow, guint64 before_bytes, RcTime span)
{
  return (gdouble) (flow->sent_bytes - before_bytes) * 8 / rc_time_to_s (span);
}
