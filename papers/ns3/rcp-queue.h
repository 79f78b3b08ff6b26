/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The queue of a device whose link has explicit rates: what arrives is counted by the RcRouter
 * that rcprelay has too, and what leaves is stamped with its rate. Drop-tail; sizes are as the
 * link carries them. */
#pragma once

#include "rc.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/event-id.h>
#include <ns3/packet.h>

namespace arc {

class RcpQueue : public ns3::DropTailQueue<ns3::Packet>
{
public:
  static ns3::TypeId GetTypeId ();

  /* Before the first packet: from now on it computes a rate each T. */
  void Start (const RcRouterParams &params, uint64_t capacity_bps);

  bool Enqueue (ns3::Ptr<ns3::Packet> packet) override;
  ns3::Ptr<ns3::Packet> Dequeue () override;

private:
  void DoDispose () override;
  void Step ();

  RcRouter m_router{};
  ns3::EventId m_step;
};

}
