/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* [ARC 4.1], Fig 2: one bottleneck.
 *
 *   M rate-based, N Reno, UDP -- R0 ======== R1 -- their sinks
 *        sinks of 10 Reno ----/               \--- 10 Reno
 *
 * Round-trip propagation times of n flows of a kind: max-rtt-ms / n, 2 max-rtt-ms / n, ...
 * max-rtt-ms.
 *
 * Readings. The round-trip times are propagation alone, without serialisation and queue. The
 * paper does not say how fast the access links are; 100 Mbit/s as in its other scenario. UDP:
 * the paper gives neither its first phase nor its delay; it begins on (udp-first) and its
 * packets take 10 ms. */
#include "recorder.h"
#include "scenarios.h"

#include <cmath>
#include <stdexcept>

using namespace ns3;

namespace arc {

/* One way: no flow has a shorter round trip than 2 ms. */
static constexpr int64_t BOTTLENECK_DELAY_MS = 1;
static constexpr int64_t UDP_RTT_MS = 20;

uint32_t
queue_pkts (uint64_t capacity_bps, double queue_ms, uint64_t packet_bytes)
{
  double pkts = static_cast<double> (capacity_bps) * queue_ms / 1000
      / 8 / static_cast<double> (packet_bytes);

  return static_cast<uint32_t> (std::max (1.0, std::round (pkts)));
}

static void add_flows (Traffic &traffic, const Settings &settings, const std::string &prefix,
    const std::string &law, uint64_t n, bool backward, Time start)
{
  for (uint64_t i = 0; i < n; i++) {
    Time rtt = Seconds (settings.max_rtt_ms / 1000 * static_cast<double> (i + 1)
        / static_cast<double> (n));

    traffic.Add (prefix + std::to_string (i), law, { backward ? 1u : 0u, backward ? 0u : 1u, rtt },
        start);
  }
}

static void
add_udp (Traffic &traffic, const Settings &settings)
{
  unsigned long long rate_bps;
  double period_s;
  char rest;

  if (sscanf (settings.udp_onoff.c_str (), "%llu,%lf%c", &rate_bps, &period_s, &rest) != 2
      || rate_bps < 1000 || !(period_s >= 0.1))
    throw std::invalid_argument ("udp-onoff is BPS,PERIOD_S, from 1000 bit/s and 0.1 s");
  traffic.AddUdpOnOff ("udp0", { 0, 1, MilliSeconds (UDP_RTT_MS) }, rate_bps, Seconds (period_s),
      settings.udp_first == "on");
}

void
run_single (const Settings &settings)
{
  Chain chain ({ 1, settings.capacity_bps, MilliSeconds (BOTTLENECK_DELAY_MS),
      queue_pkts (settings.capacity_bps, settings.queue_ms) });
  Traffic traffic (chain, settings);

  if (settings.rate_law != "none")
    add_flows (traffic, settings, "rate", settings.rate_law, settings.rate_flows, false,
        Seconds (settings.rate_start_s));
  add_flows (traffic, settings, "tcp", "reno", settings.tcp_flows, false, Seconds (0));
  add_flows (traffic, settings, "back", "reno", settings.backward_tcp, true, Seconds (0));
  if (!settings.udp_onoff.empty ())
    add_udp (traffic, settings);
  Recorder (settings, chain, traffic).Run ();
}

}
