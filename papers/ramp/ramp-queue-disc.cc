/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ramp-queue-disc.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/ipv4-queue-disc-item.h>
#include <ns3/simulator.h>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RampQueueDisc);

static constexpr uint8_t UDP = 17;
static constexpr char REAL_RATE_PKTS[] = "10000p";
static constexpr char GREEDY_PKTS[] = "100p";   /* an interface's queue in Linux 2.0 */

static RcTime
now_ns ()
{
  return Simulator::Now ().GetNanoSeconds ();
}

TypeId
RampQueueDisc::GetTypeId ()
{
  static TypeId tid = TypeId ("arc::RampQueueDisc").SetParent<QueueDisc> ().SetGroupName (
      "TrafficControl") .AddConstructor<RampQueueDisc> ();
  return tid;
}

RampQueueDisc::RampQueueDisc ()
  : QueueDisc (QueueDiscSizePolicy::MULTIPLE_QUEUES)
{
}

void
RampQueueDisc::Configure (const RampQueueConfig &config)
{
  rc_ramp_init (&m_ramp, &config.ramp, config.interface_bps, now_ns ());
  rc_ramp_add (&m_ramp, &m_flows[REAL_RATE], &config.flow, now_ns ());
  RcRampFlowParams greedy = RC_RAMP_FLOW_PARAMS_PAPER;
  rc_ramp_add (&m_ramp, &m_flows[GREEDY], &greedy, now_ns ());
  Sample ();
}

void
RampQueueDisc::InitializeParams ()
{
  if (GetNInternalQueues () > 0)
    return;
  for (const char *limit : { REAL_RATE_PKTS, GREEDY_PKTS })
    AddInternalQueue (CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>> ("MaxSize",
            QueueSizeValue (QueueSize (limit))));
}

void
RampQueueDisc::DoDispose ()
{
  m_wake.Cancel ();
  m_sample.Cancel ();
  QueueDisc::DoDispose ();
}

void
RampQueueDisc::Sample ()
{
  rc_ramp_sample (&m_ramp, now_ns ());
  m_sample = Simulator::Schedule (NanoSeconds (m_ramp.params.monitor.interval),
      &RampQueueDisc::Sample, this);
  Run ();
}

bool
RampQueueDisc::DoEnqueue (Ptr<QueueDiscItem> item)
{
  auto ip = DynamicCast<Ipv4QueueDiscItem> (item);
  int flow = ip && ip->GetHeader ().GetProtocol () == UDP ? GREEDY : REAL_RATE;

  if (!GetInternalQueue (flow)->Enqueue (item))
    return false;
  rc_ramp_on_arrived (&m_ramp, &m_flows[flow], item->GetSize (), now_ns ());
  return true;
}

Ptr<QueueDiscItem>
RampQueueDisc::DoDequeue ()
{
  Ptr<QueueDiscItem> item;
  RcTime next_at;

  if (RcRampFlow *flow = rc_ramp_next (&m_ramp, now_ns ())) {
    item = GetInternalQueue (flow - m_flows)->Dequeue ();
    rc_ramp_on_sent (&m_ramp, flow, item->GetSize (), now_ns ());
    if (flow == &m_flows[REAL_RATE]) {
      m_delay_sum += Simulator::Now () - item->GetTimeStamp ();
      m_sent_pkts++;
    }
    return item;
  }
  next_at = rc_ramp_next_at (&m_ramp);
  m_wake.Cancel ();
  if (next_at != RC_TIME_NONE)
    m_wake = Simulator::Schedule (NanoSeconds (next_at - now_ns ()), &RampQueueDisc::Run, this);
  return nullptr;
}

}
