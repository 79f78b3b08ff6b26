/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* [PIQI 5.1], Fig 11 and 12: flows join one bottleneck one by one.
 *
 *   N of one law, or Reno -- R0 ======== R1 -- their sinks
 *
 * Readings. 50 ms is the one-way delay of the bottleneck; the rest of each round-trip time is in
 * its access links, of 1 Gbit/s. With a law of explicit rates the bottleneck stamps that law's
 * rate, without one it is drop-tail. */
#include "rcp-router.h"
#include "recorder.h"
#include "scenarios.h"

using namespace ns3;

namespace arc {

static constexpr uint64_t ACCESS_BPS = 1000000000;
static constexpr int64_t BOTTLENECK_DELAY_MS = 50;

void
run_joins (const Settings &settings)
{
  Chain chain ({ 1, settings.capacity_bps, MilliSeconds (BOTTLENECK_DELAY_MS),
      queue_pkts (settings.capacity_bps, settings.queue_ms, settings.packet_bytes), ACCESS_BPS,
      rcp_router_params (settings.law) });
  Traffic traffic (chain, settings);

  for (uint64_t i = 0; i < settings.flows; i++) {
    Time rtt = Seconds ((i == 0 ? settings.first_rtt_ms : settings.rtt_ms) / 1000);

    traffic.Add ("flow" + std::to_string (i), settings.law, { 0, 1, rtt },
        Seconds (settings.spacing_s * static_cast<double> (i)));
  }
  Recorder (settings, chain, traffic).Run ();
}

}
