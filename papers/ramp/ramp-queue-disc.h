/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RAMP as the packet scheduler of a host: what the paper put into a kernel, with
 * lib/rc/sched/ramp.c inside. TCP is one real-rate flow, UDP one greedy flow. With `borrow` off a
 * packet waits for its allocation though the device is free, as published. */
#pragma once

#include <ns3/event-id.h>
#include <ns3/queue-disc.h>

extern "C" {
#include <rc/sched/ramp.h>
}

namespace arc {

struct RampQueueConfig
{
  RcRampParams ramp;
  RcRampFlowParams flow;
  uint64_t interface_bps;
};

class RampQueueDisc : public ns3::QueueDisc
{
public:
  static ns3::TypeId GetTypeId ();
  RampQueueDisc ();

  /* Before the first packet. */
  void Configure (const RampQueueConfig &config);
  const RcRampFlow &Flow () const { return m_flows[REAL_RATE]; }
  /* Of the real-rate flow's packets that left, until now. */
  ns3::Time DelaySum () const { return m_delay_sum; }
  uint64_t SentPackets () const { return m_sent_pkts; }

private:
  void DoDispose () override;
  bool DoEnqueue (ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue () override;
  bool CheckConfig () override { return true; }
  void InitializeParams () override;
  void Sample ();

  enum { REAL_RATE, GREEDY, N_FLOWS };

  RcRamp m_ramp{};
  RcRampFlow m_flows[N_FLOWS]{};
  ns3::EventId m_wake, m_sample;
  ns3::Time m_delay_sum;
  uint64_t m_sent_pkts = 0;
};

}
