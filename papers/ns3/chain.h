/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The topology of all scenarios: routers in a row, each link between them a bottleneck both ways,
 * hosts at the routers.
 *
 *   host --+              +-- host
 *          R0 -- R1 -- R2
 *   host --+     |        +-- host          a host carries one end of one flow
 *              hosts
 *
 * The queue of a bottleneck is drop-tail and counts packets; the packet in service has left it.
 * ns-3's point-to-point link adds 2 bytes of PPP to each packet, so 1500 bytes of IP use 1502 of
 * the capacity. */
#pragma once

#include "rc.h"

#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <optional>

namespace arc {

struct ChainConfig
{
  uint32_t links;               /* between routers */
  uint64_t capacity_bps;
  ns3::Time link_delay;
  uint32_t queue_pkts;
  /* Of the hosts' links; the multihop scenario of the ARC paper has this. */
  uint64_t access_bps = 100000000;
  /* Each link stamps explicit rates, towards the last router. */
  std::optional<RcRouterParams> router = {};
  bool xcp = false;             /* each link divides its capacity by XCP, likewise */
};

struct Host
{
  ns3::Ptr<ns3::Node> node;
  ns3::Ipv4Address address;
  ns3::NetDeviceContainer link; /* the host's device, the router's */
};

class Chain
{
public:
  explicit Chain (const ChainConfig &config);

  /* A host at router 0 .. links, on a link of this delay. */
  Host AddHost (uint32_t router, ns3::Time delay);
  /* Random loss of single packets on both ends of a link. */
  static void SetLoss (const ns3::NetDeviceContainer &link, double ratio);

  uint32_t Links () const { return m_config.links; }
  ns3::Time LinkDelay () const { return m_config.link_delay; }
  const ns3::NetDeviceContainer &Link (uint32_t i) const { return m_links[i]; }
  /* Of all links, towards the last router: packets that wait now, packets dropped until now. */
  uint32_t QueuedPackets () const;
  uint64_t DroppedPackets () const;
  /* Most that ever waited, of any of the links. */
  uint32_t PeakQueuePackets () const { return m_peak_queue_pkts; }

private:
  void AddRoutes ();
  void WatchQueue (uint32_t before, uint32_t now);
  void StampRates (const ns3::NetDeviceContainer &link) const;
  void StampWindows (const ns3::NetDeviceContainer &link) const;
  ns3::Ptr<ns3::Queue<ns3::Packet>> ForwardQueue (uint32_t i) const;

  ChainConfig m_config;
  ns3::NodeContainer m_routers;
  ns3::InternetStackHelper m_stack;
  std::vector<ns3::NetDeviceContainer> m_links;
  std::vector<uint32_t> m_hosts;        /* how many at each router */
  uint32_t m_peak_queue_pkts = 0;
};

}
