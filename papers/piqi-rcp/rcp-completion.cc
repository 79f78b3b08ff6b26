/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* [PIQI 5.2], Fig 13b: flows arrive at one bottleneck, each with so many packets, and go when all
 * have come.
 *
 *   sources -- R0 ======== R1 -- sinks
 *
 * Poisson arrivals, lengths of a Pareto distribution with mean 30 packets and shape 1.4. A flow's
 * completion time is from its arrival until the sink has its last byte, TCP's handshake included.
 *
 * Readings. 50 ms is the one-way delay, so that the round-trip time is 100 ms. The same seed
 * gives all laws the same flows. A few hosts carry them all: their links are fast enough to be
 * no bottleneck. */
#include "rcp-router.h"
#include "rcp-transfer.h"
#include "scenarios.h"
#include "traffic.h"

#include <cmath>
#include <fstream>
#include <iostream>
#include <stdexcept>

using namespace ns3;

namespace arc {

static constexpr double MEAN_PKTS = 30, SHAPE = 1.4;
static constexpr uint64_t ACCESS_BPS = 100000000000;
static constexpr uint32_t N_HOSTS = 16;         /* ns-3 searches the flows of a host one by one */
/* Below those that ns-3 gives to whom asks for none. */
static constexpr uint16_t FIRST_PORT = 1024, N_PORTS = 40000;
static constexpr int64_t BOTTLENECK_DELAY_MS = 50;
static constexpr double PATIENCE_S = 60;        /* after the last arrival */
/* Of segments: not to remember thousands of connections that ended. */
static constexpr double TCP_LIFETIME_S = 1;

class Completion
{
public:
  explicit Completion (const Settings &settings);
  /* Throws std::runtime_error if the file cannot be written. */
  void Run ();

private:
  struct Arrival
  {
    Time at;
    uint64_t pkts;
    std::unique_ptr<Transfer> transfer;
    Time took;                  /* 0: it goes on */
  };

  void Arrive ();
  void OnDone (size_t i);
  void Write (std::ostream &out) const;

  const Settings &m_settings;
  Chain m_chain;
  std::vector<Host> m_sources, m_sinks;
  std::vector<Arrival> m_arrivals;
  size_t m_done = 0;
  Ptr<ExponentialRandomVariable> m_gap = CreateObject<ExponentialRandomVariable> ();
  Ptr<ParetoRandomVariable> m_pkts = CreateObject<ParetoRandomVariable> ();
};

Completion::Completion (const Settings &settings)
  : m_settings (settings), m_chain ({ 1, settings.capacity_bps, MilliSeconds (BOTTLENECK_DELAY_MS),
      queue_pkts (settings.capacity_bps, settings.queue_ms, settings.packet_bytes), ACCESS_BPS,
      rcp_router_params (settings.law), settings.law == "xcp" })
{
  Time access_delay = (Seconds (settings.rtt_ms / 1000) / 2 - MilliSeconds (BOTTLENECK_DELAY_MS))
      / 2;
  double flow_bits = MEAN_PKTS * static_cast<double> (settings.packet_bytes) * 8;

  tcp_set_defaults (settings);
  Config::SetDefault ("ns3::TcpSocketBase::MaxSegLifetime", DoubleValue (TCP_LIFETIME_S));
  for (uint32_t i = 0; i < N_HOSTS; i++) {
    m_sources.push_back (m_chain.AddHost (0, access_delay));
    m_sinks.push_back (m_chain.AddHost (1, access_delay));
  }
  m_gap->SetAttribute ("Mean", DoubleValue (flow_bits
          / (settings.load_ratio * static_cast<double> (settings.capacity_bps))));
  m_pkts->SetAttribute ("Shape", DoubleValue (SHAPE));
  m_pkts->SetAttribute ("Scale", DoubleValue (MEAN_PKTS * (SHAPE - 1) / SHAPE));
}

void
Completion::Arrive ()
{
  size_t i = m_arrivals.size ();
  Arrival &arrival = m_arrivals.emplace_back ();

  arrival.at = Simulator::Now ();
  arrival.pkts = static_cast<uint64_t> (std::ceil (m_pkts->GetValue ()));
  arrival.transfer = Transfer::Start (m_settings,
      { m_sources[i % N_HOSTS], m_sinks[i % N_HOSTS], static_cast<uint32_t> (i),
          static_cast<uint16_t> (FIRST_PORT + i / N_HOSTS % N_PORTS), arrival.pkts },
      [this, i] { OnDone (i); });
  Time next = Seconds (m_gap->GetValue ());
  if (arrival.at + next < Seconds (m_settings.seconds))
    Simulator::Schedule (next, &Completion::Arrive, this);
}

void
Completion::OnDone (size_t i)
{
  m_arrivals[i].took = Simulator::Now () - m_arrivals[i].at;
  m_done++;
  Simulator::ScheduleNow ([this, i] { m_arrivals[i].transfer.reset (); });
  if (m_done == m_arrivals.size () && Simulator::Now () > Seconds (m_settings.seconds))
    Simulator::Stop ();
}

void
Completion::Write (std::ostream &out) const
{
  settings_write (m_settings, out);
  out << "time_s,pkts,completion_s\n";
  for (const Arrival &arrival : m_arrivals)
    if (!arrival.took.IsZero ())
      out << arrival.at.GetSeconds () << ',' << arrival.pkts << ',' << arrival.took.GetSeconds ()
          << '\n';
  out << "# unfinished=" << m_arrivals.size () - m_done << "\n"
      << "# drops=" << m_chain.DroppedPackets () << "\n"
      << "# peak_queue_pkts=" << m_chain.PeakQueuePackets () << "\n"
      << "# events=" << Simulator::GetEventCount () << "\n";
}

void
Completion::Run ()
{
  std::ofstream file;

  if (!m_settings.out.empty ())
    file.open (m_settings.out, std::ios::trunc);
  Simulator::Schedule (Seconds (m_gap->GetValue ()), &Completion::Arrive, this);
  Simulator::Stop (Seconds (m_settings.seconds + PATIENCE_S));
  Simulator::Run ();
  std::ostream &out = m_settings.out.empty () ? std::cout : file;
  Write (out);
  if (!out.flush ())
    throw std::runtime_error ("cannot write " + m_settings.out);
}

void
run_completion (const Settings &settings)
{
  Completion (settings).Run ();
}

}
