/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rcp-queue.h"

#include "rate-stamp.h"

#include <ns3/simulator.h>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RcpQueue);

TypeId
RcpQueue::GetTypeId ()
{
  static TypeId tid =
      TypeId ("arc::RcpQueue").SetParent<DropTailQueue<Packet>> ().AddConstructor<RcpQueue> ();

  return tid;
}

void
RcpQueue::Start (const RcRouterParams &params, uint64_t capacity_bps)
{
  rc_router_init (&m_router, &params, capacity_bps, Simulator::Now ().GetNanoSeconds ());
  Step ();
}

void
RcpQueue::DoDispose ()
{
  Simulator::Cancel (m_step);
  DropTailQueue<Packet>::DoDispose ();
}

void
RcpQueue::Step ()
{
  RcTime now = Simulator::Now ().GetNanoSeconds (),
      next_at = rc_router_update (&m_router, GetNBytes (), now);

  m_step = Simulator::Schedule (NanoSeconds (next_at - now), &RcpQueue::Step, this);
}

bool
RcpQueue::Enqueue (Ptr<Packet> packet)
{
  RateStamp stamp;

  rc_router_on_arrival (&m_router, packet->GetSize (), packet->PeekPacketTag (stamp) ? stamp.Rtt ()
      : RC_TIME_NONE, Simulator::Now ().GetNanoSeconds ());
  return DropTailQueue<Packet>::Enqueue (packet);
}

Ptr<Packet>
RcpQueue::Dequeue ()
{
  Ptr<Packet> packet = DropTailQueue<Packet>::Dequeue ();
  RateStamp stamp;

  if (packet && packet->PeekPacketTag (stamp)) {
    stamp.Offer (rc_router_rate_bps (&m_router));
    packet->ReplacePacketTag (stamp);
  }
  return packet;
}

}
