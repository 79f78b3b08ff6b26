/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "xcp-queue.h"

#include <ns3/simulator.h>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (XcpTag);
NS_OBJECT_ENSURE_REGISTERED (XcpQueue);

TypeId
XcpTag::GetTypeId ()
{
  static TypeId tid = TypeId ("arc::XcpTag").SetParent<Tag> ().AddConstructor<XcpTag> ();

  return tid;
}

uint32_t
XcpTag::GetSerializedSize () const
{
  return 3 * sizeof (double) + 1 + sizeof (int64_t);
}

void
XcpTag::Serialize (TagBuffer at) const
{
  for (double value : { header.cwnd_bytes, header.rtt_s, header.feedback_bytes })
    at.WriteDouble (value);
  at.WriteU8 (acknowledges);
  at.WriteU64 (static_cast<uint64_t> (sent_at.GetNanoSeconds ()));
}

void
XcpTag::Deserialize (TagBuffer at)
{
  for (double *value : { &header.cwnd_bytes, &header.rtt_s, &header.feedback_bytes })
    *value = at.ReadDouble ();
  acknowledges = at.ReadU8 () != 0;
  sent_at = NanoSeconds (at.ReadU64 ());
}

void
XcpTag::Print (std::ostream &out) const
{
  out << header.cwnd_bytes << " bytes, " << header.feedback_bytes;
}

TypeId
XcpQueue::GetTypeId ()
{
  static TypeId tid =
      TypeId ("arc::XcpQueue").SetParent<DropTailQueue<Packet>> ().AddConstructor<XcpQueue> ();

  return tid;
}

static RcTime
now_ns ()
{
  return Simulator::Now ().GetNanoSeconds ();
}

void
XcpQueue::Start (uint64_t capacity_bps)
{
  xcp_router_init (&m_router, capacity_bps, now_ns ());
  Step ();
}

void
XcpQueue::DoDispose ()
{
  Simulator::Cancel (m_step);
  DropTailQueue<Packet>::DoDispose ();
}

void
XcpQueue::Step ()
{
  RcTime next_at = xcp_router_update (&m_router, now_ns ());

  m_step = Simulator::Schedule (NanoSeconds (next_at - now_ns ()), &XcpQueue::Step, this);
}

bool
XcpQueue::Enqueue (Ptr<Packet> packet)
{
  XcpTag tag;
  bool counts = packet->PeekPacketTag (tag) && !tag.acknowledges;

  xcp_router_on_arrival (&m_router, packet->GetSize (), counts ? &tag.header : nullptr,
      GetNBytes ());
  return DropTailQueue<Packet>::Enqueue (packet);
}

Ptr<Packet>
XcpQueue::Dequeue ()
{
  Ptr<Packet> packet = DropTailQueue<Packet>::Dequeue ();
  XcpTag tag;

  if (packet && packet->PeekPacketTag (tag) && !tag.acknowledges) {
    xcp_router_stamp (&m_router, packet->GetSize (), &tag.header);
    packet->ReplacePacketTag (tag);
  }
  return packet;
}

}
