/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* [ARC 4.2], Fig 6: N hops, C1 over all of them, two cross flows a hop.
 *
 *   C1 source -- R0 ==== R1 ==== R2 ... RN -- C1 sink     ==: 1 Mbit/s, 250 ms; --: 100 Mbit/s
 *                  cross   cross
 *
 * Readings. 2N cross flows on N hops are one forward and one backward per hop, since C1 is to
 * see drops on both its ways (cross-placement=forward: both forward, so the way back is empty).
 * Propagation times are without serialisation, which adds 12 ms a hop and full packet. "The last
 * hop connecting Sink1" that is wireless is C1's exit link, not a link that cross flows use too
 * (wireless-at=hop). C2..C(2N+1) of the paper are cross0..cross(2N-1): 2h forward and 2h+1
 * backward on hop h. */
#include "recorder.h"
#include "scenarios.h"

using namespace ns3;

namespace arc {

static constexpr uint64_t HOP_BPS = 1000000;
static constexpr int64_t HOP_DELAY_MS = 5;      /* leaves C1 access links up to 20 hops */
static constexpr int64_t C1_RTT_MS = 250;
static constexpr int64_t CROSS_RTT_MS = 50;

static void
add_cross (Traffic &traffic, const Settings &settings, uint32_t hop)
{
  bool backward = settings.cross_placement == "both";

  for (uint32_t i = 0; i < 2; i++) {
    Route route = { hop, hop + 1, MilliSeconds (CROSS_RTT_MS) };

    if (i == 1 && backward)
      std::swap (route.from, route.to);
    traffic.Add ("cross" + std::to_string (2 * hop + i), settings.cross, route, Seconds (0));
  }
}

void
run_multihop (const Settings &settings)
{
  uint32_t hops = static_cast<uint32_t> (settings.hops);
  Chain chain ({ hops, HOP_BPS, MilliSeconds (HOP_DELAY_MS),
          queue_pkts (HOP_BPS, settings.queue_ms) });
  Traffic traffic (chain, settings);

  traffic.Add ("c1", settings.c1, { 0, hops, MilliSeconds (C1_RTT_MS) },
      Seconds (settings.rate_start_s));
  if (settings.wireless_loss_ratio > 0)
    Chain::SetLoss (settings.wireless_at == "exit" ? traffic.LastExit () : chain.Link (hops - 1),
        settings.wireless_loss_ratio);
  for (uint32_t hop = 0; hop < hops; hop++)
    add_cross (traffic, settings, hop);
  Recorder (settings, chain, traffic).Run ();
}

}
