/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "chain.h"

#include "../piqi-rcp/xcp-queue.h"
#include "rcp-queue.h"

using namespace ns3;

namespace arc {

static const char *const ACCESS_QUEUE = "10000p";       /* never the bottleneck */

/* 10.r.0.0/16: the hosts at router r, a /30 each: host .1, router .2. 172.16.l.0/24: link l, .1
 * its left router. */
static Ipv4Address
host_network (uint32_t router, uint32_t host)
{
  return Ipv4Address (10u << 24 | router << 16 | host << 2);
}

static Ipv4Address
link_end (uint32_t link, uint32_t end)
{
  return Ipv4Address (172u << 24 | 16u << 16 | link << 8 | end);
}

Chain::Chain (const ChainConfig &config)
  : m_config (config), m_hosts (config.links + 1, 0)
{
  PointToPointHelper link;
  Ipv4StaticRoutingHelper routing;
  Ipv4AddressHelper addresses;

  m_stack.SetRoutingHelper (routing);
  m_stack.SetIpv6StackInstall (false);
  m_routers.Create (config.links + 1);
  m_stack.Install (m_routers);
  link.SetDeviceAttribute ("DataRate", DataRateValue (DataRate (config.capacity_bps)));
  link.SetChannelAttribute ("Delay", TimeValue (config.link_delay));
  link.SetQueue ("ns3::DropTailQueue",
      "MaxSize", StringValue (std::to_string (config.queue_pkts) + "p"));
  /* Else Assign puts FqCoDel in front of the queue. */
  link.DisableFlowControl ();
  for (uint32_t i = 0; i < config.links; i++) {
    m_links.push_back (link.Install (m_routers.Get (i), m_routers.Get (i + 1)));
    if (config.router)
      StampRates (m_links.back ());
    else if (config.xcp)
      StampWindows (m_links.back ());
    ForwardQueue (i)->TraceConnectWithoutContext ("PacketsInQueue",
        MakeCallback (&Chain::WatchQueue, this));
    addresses.SetBase (link_end (i, 0), "255.255.255.0");
    addresses.Assign (m_links.back ());
  }
  AddRoutes ();
}

void
Chain::WatchQueue (uint32_t, uint32_t now)
{
  m_peak_queue_pkts = std::max (m_peak_queue_pkts, now);
}

void
Chain::StampRates (const NetDeviceContainer &link) const
{
  Ptr<RcpQueue> queue = CreateObject<RcpQueue> ();

  queue->SetMaxSize (QueueSize (QueueSizeUnit::PACKETS, m_config.queue_pkts));
  queue->Start (*m_config.router, m_config.capacity_bps);
  DynamicCast<PointToPointNetDevice> (link.Get (0))->SetQueue (queue);
}

void
Chain::StampWindows (const NetDeviceContainer &link) const
{
  Ptr<XcpQueue> queue = CreateObject<XcpQueue> ();

  queue->SetMaxSize (QueueSize (QueueSizeUnit::PACKETS, m_config.queue_pkts));
  queue->Start (m_config.capacity_bps);
  DynamicCast<PointToPointNetDevice> (link.Get (0))->SetQueue (queue);
}

void
Chain::AddRoutes ()
{
  Ipv4StaticRoutingHelper routing;

  for (uint32_t r = 0; r <= m_config.links; r++) {
    Ptr<Ipv4> ipv4 = m_routers.Get (r)->GetObject<Ipv4> ();
    Ptr<Ipv4StaticRouting> table = routing.GetStaticRouting (ipv4);

    for (uint32_t to = 0; to <= m_config.links; to++) {
      Ipv4Address next = to < r ? link_end (r - 1, 1) : link_end (r, 2);
      uint32_t interface = to < r ? 1 : r == 0 ? 1 : 2;

      if (to != r)
        table->AddNetworkRouteTo (host_network (to, 0), "255.255.0.0", next, interface);
    }
  }
}

Host
Chain::AddHost (uint32_t router, Time delay)
{
  PointToPointHelper access;
  Ipv4AddressHelper addresses;
  Ipv4StaticRoutingHelper routing;
  Ptr<Node> node = CreateObject<Node> ();
  Host host;

  m_stack.Install (node);
  access.SetDeviceAttribute ("DataRate", DataRateValue (DataRate (m_config.access_bps)));
  access.SetChannelAttribute ("Delay", TimeValue (delay));
  access.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue (ACCESS_QUEUE));
  access.DisableFlowControl ();
  host.node = node;
  host.link = access.Install (node, m_routers.Get (router));
  addresses.SetBase (host_network (router, m_hosts[router]++), "255.255.255.252");
  Ipv4InterfaceContainer ends = addresses.Assign (host.link);
  host.address = ends.GetAddress (0);
  routing.GetStaticRouting (node->GetObject<Ipv4> ())->SetDefaultRoute (ends.GetAddress (1), 1);
  return host;
}

void
Chain::SetLoss (const NetDeviceContainer &link, double ratio)
{
  for (uint32_t i = 0; i < link.GetN (); i++) {
    Ptr<RateErrorModel> errors = CreateObject<RateErrorModel> ();

    errors->SetUnit (RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate (ratio);
    link.Get (i)->SetAttribute ("ReceiveErrorModel", PointerValue (errors));
  }
}

Ptr<Queue<Packet>>
Chain::ForwardQueue (uint32_t i) const
{
  return DynamicCast<PointToPointNetDevice> (m_links[i].Get (0))->GetQueue ();
}

uint32_t
Chain::QueuedPackets () const
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < m_config.links; i++)
    n += ForwardQueue (i)->GetNPackets ();
  return n;
}

uint64_t
Chain::DroppedPackets () const
{
  uint64_t n = 0;

  for (uint32_t i = 0; i < m_config.links; i++)
    n += ForwardQueue (i)->GetTotalDroppedPackets ();
  return n;
}

}
