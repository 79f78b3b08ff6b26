/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "recorder.h"

#include <sys/resource.h>

#include <cmath>
#include <iostream>
#include <stdexcept>

using namespace ns3;

namespace arc {

Recorder::Recorder (const Settings &settings, const Chain &chain,
    const Traffic &traffic) : m_settings (settings), m_chain (chain), m_traffic (traffic),
    m_out (settings.out.empty () ? std::cout : m_file),
    m_counted (traffic.Flows ().size ()), m_began (std::chrono::steady_clock::now ())
{
  if (!settings.out.empty ())
    m_file.open (settings.out, std::ios::trunc);
  if (!m_out)
    throw std::runtime_error ("cannot write " + settings.out);
}

void
Recorder::Run ()
{
  WriteHead ();
  Simulator::Schedule (Seconds (m_settings.sample_s), &Recorder::Sample, this);
  Simulator::Stop (Seconds (m_settings.seconds) + NanoSeconds (1));     /* the last sample counts */
  Simulator::Run ();
  WriteCosts ();
  if (!m_out.flush ())
    throw std::runtime_error ("cannot write " + (m_settings.out.empty () ? "standard output"
            : m_settings.out));
}

void
Recorder::WriteHead ()
{
  settings_write (m_settings, m_out);
  for (const Flow &flow : m_traffic.Flows ())
    m_out << "# " << flow.id << ".rtt_ms=" << flow.rtt.GetMicroSeconds () / 1000.0 << "\n"
          << "# " << flow.id << ".start_s=" << flow.start.GetSeconds () << "\n";
  m_out << "time_s,flow,kind,sent_bps,received_bps,queue_pkts,drops,rate_bps\n";
}

static long long
bps (uint64_t bytes, double seconds)
{
  return std::llround (static_cast<double> (bytes) * 8 / seconds);
}

void
Recorder::Sample ()
{
  uint64_t dropped = m_chain.DroppedPackets ();
  size_t i = 0;

  m_samples++;
  for (const Flow &flow : m_traffic.Flows ()) {
    Counted now = { flow.sent_bytes, flow.received_bytes () }, &before = m_counted[i++];

    m_out << static_cast<double> (m_samples) * m_settings.sample_s << ',' << flow.id << ','
        << flow.kind << ',' << bps (now.sent_bytes - before.sent_bytes, m_settings.sample_s) << ','
        << bps (now.received_bytes - before.received_bytes, m_settings.sample_s) << ','
        << m_chain.QueuedPackets () << ',' << dropped - m_dropped << ',';
    if (flow.sender)
      m_out << flow.sender->RateBps ();
    m_out << '\n';
    before = now;
  }
  m_dropped = dropped;
  Simulator::Schedule (Seconds (m_settings.sample_s), &Recorder::Sample, this);
}

/* After the rows: they differ from run to run, or are known only now. */
void
Recorder::WriteCosts ()
{
  std::chrono::duration<double> wall = std::chrono::steady_clock::now () - m_began;
  struct rusage usage;

  for (const Flow &flow : m_traffic.Flows ())
    if (flow.sender)
      m_out << "# " << flow.id << ".sent_pkts=" << flow.sender->SentPackets () << "\n"
            << "# " << flow.id << ".lost_pkts=" << flow.receiver->LostPackets () << "\n"
            << "# " << flow.id << ".reports=" << flow.sender->Reports () << "\n"
            << "# " << flow.id << ".refused_reports=" << flow.sender->RefusedReports () << "\n"
            << "# " << flow.id << ".most_outstanding_ratio="
            << flow.sender->MostOutstandingRatio () << "\n";
  getrusage (RUSAGE_SELF, &usage);
  m_out << "# peak_queue_pkts=" << m_chain.PeakQueuePackets () << "\n"
        << "# events=" << Simulator::GetEventCount () << "\n"
        << "# wall_s=" << wall.count () << "\n"
        << "# max_rss_kib=" << usage.ru_maxrss << "\n";
}

}
