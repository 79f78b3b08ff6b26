/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ramp-queue-disc.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/simulator.h>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RampQueueDisc);

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
  : QueueDisc (QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE)
{
}

void
RampQueueDisc::Configure (const RampQueueConfig &config)
{
  rc_ramp_init (&m_ramp, &config.ramp, config.interface_bps, now_ns ());
  rc_ramp_add (&m_ramp, &m_flow, &config.flow, now_ns ());
  Sample ();
}

void
RampQueueDisc::InitializeParams ()
{
  if (GetNInternalQueues () == 0)
    AddInternalQueue (CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>> ("MaxSize",
            QueueSizeValue (QueueSize ("10000p"))));
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
  if (!GetInternalQueue (0)->Enqueue (item))
    return false;
  rc_ramp_on_arrived (&m_ramp, &m_flow, item->GetSize (), now_ns ());
  return true;
}

Ptr<QueueDiscItem>
RampQueueDisc::DoDequeue ()
{
  Ptr<QueueDiscItem> item;
  RcTime next_at;

  if (rc_ramp_next (&m_ramp, now_ns ())) {
    item = GetInternalQueue (0)->Dequeue ();
    rc_ramp_on_sent (&m_ramp, &m_flow, item->GetSize (), now_ns ());
    m_delay_sum += Simulator::Now () - item->GetTimeStamp ();
    m_sent_pkts++;
    return item;
  }
  next_at = rc_ramp_next_at (&m_ramp);
  m_wake.Cancel ();
  if (next_at != RC_TIME_NONE)
    m_wake = Simulator::Schedule (NanoSeconds (next_at - now_ns ()), &RampQueueDisc::Run, this);
  return nullptr;
}

}
