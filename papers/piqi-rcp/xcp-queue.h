/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The queue of a device with XCP, and the header of its packets, which here is a tag, since ns-3's
 * queues hold packets with their headers. Drop-tail; sizes are as the link carries them. */
#pragma once

#include <ns3/drop-tail-queue.h>
#include <ns3/event-id.h>
#include <ns3/packet.h>
#include <ns3/tag.h>

extern "C" {
#include "xcp.h"
}

namespace arc {

class XcpTag : public ns3::Tag
{
public:
  static ns3::TypeId GetTypeId ();
  ns3::TypeId GetInstanceTypeId () const override { return GetTypeId (); }

  XcpHeader header{};
  bool acknowledges = false;    /* then no router changes it */
  ns3::Time sent_at;            /* echoed */

private:
  uint32_t GetSerializedSize () const override;
  void Serialize (ns3::TagBuffer at) const override;
  void Deserialize (ns3::TagBuffer at) override;
  void Print (std::ostream &out) const override;
};

class XcpQueue : public ns3::DropTailQueue<ns3::Packet>
{
public:
  static ns3::TypeId GetTypeId ();

  /* Before the first packet. */
  void Start (uint64_t capacity_bps);

  bool Enqueue (ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue () override;

private:
  void DoDispose () override;
  void Step ();

  XcpRouter m_router{};
  ns3::EventId m_step;
};

}
