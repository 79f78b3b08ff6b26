/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rate-sender.h"

#include "rate-stamp.h"
#include "rtcp-app.h"

#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include <cmath>
#include <stdexcept>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RateSender);

static constexpr uint64_t LEDGER_ENTRIES = 16384;       /* 1.9 s at 100 Mbit/s */
static constexpr uint32_t RTP_HEADER_BYTES = 12;
static constexpr uint8_t RTP_VERSION_BITS = 0x80;
static constexpr uint8_t RTP_PAYLOAD_TYPE = 96;
static constexpr RcTime SOURCE_MEMORY = 250 * RC_MSEC;  /* a live source drops what is older */

/* As rmcsink (gst/rmcsink/rmcpacing.c). */
static constexpr RcTime INFO_INTERVAL = RC_SECOND;
static constexpr RcTime INFO_MIN_INTERVAL = 50 * RC_MSEC;
static constexpr double INFO_CHANGE_RATIO = 0.2;
static constexpr unsigned FIRST_PROBES = 10;
static constexpr RcTime LATER_PROBE_INTERVAL = 3 * RC_SECOND;

static RcTime
sooner (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a == RC_TIME_NONE ? b : a;
  return std::min (a, b);
}

static bool
differs (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a != b;
  return std::abs (static_cast<double> (a - b)) > INFO_CHANGE_RATIO * static_cast<double> (b);
}

TypeId
RateSender::GetTypeId ()
{
  static TypeId tid = TypeId ("arc::RateSender").SetParent<Application> ().AddConstructor<RateSender> ();

  return tid;
}

void
RateSender::Configure (const RateSenderConfig &config, const Address &peer)
{
  const RcLaw *law = rc_law_find (config.law.c_str ());

  if (!law)
    throw std::invalid_argument ("no law is named '" + config.law + "'");
  rc_controller_init (&m_law, law, config.profile);
  for (const auto &[name, value] : config.params)
    if (!rc_controller_set_param (&m_law, name.c_str (), value))
      throw std::invalid_argument ("law '" + config.law + "' takes no " + name + " = " + std::to_string (value));
  if (config.limits.min_bps == 0 || config.limits.min_bps > config.limits.start_bps
      || config.limits.start_bps > config.limits.max_bps)
    throw std::invalid_argument ("rates must be 0 < min <= start <= max");
  if (config.packet_bytes < RC_OVERHEAD_IPV4_BYTES + RTP_HEADER_BYTES || config.packet_bytes > 1500)
    throw std::invalid_argument ("packets have 40 to 1500 bytes");
  m_config = config;
  m_peer = peer;
}

/* A short flow needs few of them, and there are many short flows. */
static size_t
ledger_entries (uint64_t most_pkts)
{
  size_t n = 64;

  while (n < LEDGER_ENTRIES && (most_pkts == 0 || n < most_pkts))
    n *= 2;
  return n;
}

void
RateSender::StartApplication ()
{
  RcRmcParams pacing = RC_RMC_PARAMS_DEFAULT;
  RcTime now = Simulator::Now ().GetNanoSeconds ();

  m_socket = Socket::CreateSocket (GetNode (), UdpSocketFactory::GetTypeId ());
  m_socket->Bind ();
  m_socket->Connect (m_peer);
  m_socket->SetRecvCallback (MakeCallback (&RateSender::OnReadable, this));

  m_entries.resize (ledger_entries (m_config.most_pkts));
  rc_ledger_init (&m_ledger, m_config.ssrc, RC_OVERHEAD_IPV4_BYTES, m_entries.data (),
      static_cast<uint32_t> (m_entries.size ()));
  m_decision = rc_controller_start (&m_law, &m_config.limits, now);
  rc_rmc_init (&m_rmc, &pacing, m_decision.rate_bps, now);
  m_source_at = now;
  Wake ();
}

void
RateSender::StopApplication ()
{
  Simulator::Cancel (m_wake);
  if (m_socket)
    m_socket->Close ();
}

/* Also in the middle of a run. */
void
RateSender::DoDispose ()
{
  StopApplication ();
  m_socket = nullptr;
  Application::DoDispose ();
}

void
RateSender::Decide (RcDecision decision, RcTime now)
{
  bool was_stopped = m_decision.stopped;

  m_decision = decision;
  rc_rmc_set_rate (&m_rmc, decision.rate_bps, now);
  if (decision.stopped != was_stopped) {
    m_probes = 0;
    if (was_stopped)
      rc_rmc_reset (&m_rmc, now);
    WantInfo (now);
  }
  if (differs (decision.srtt, m_told_srtt) || differs (decision.report_interval, m_told_interval))
    WantInfo (now);
}

/* Does what is due, then sleeps until something will be. */
void
RateSender::Wake ()
{
  RcTime now = Simulator::Now ().GetNanoSeconds (), next_at;

  Simulator::Cancel (m_wake);
  if (m_decision.next_at != RC_TIME_NONE && now >= m_decision.next_at)
    Decide (rc_controller_on_timer (&m_law, now), now);
  next_at = SendDue (now);
  next_at = sooner (next_at, SendDueInfo (now));
  next_at = sooner (next_at, m_decision.next_at);
  if (next_at != RC_TIME_NONE)
    m_wake = Simulator::Schedule (NanoSeconds (std::max<RcTime> (next_at - now, 1)), &RateSender::Wake, this);
}

/* --- media --- */

/* A source that ends has none after that. One of constant rate has a packet each packet_bytes / source_bps, and none
 * older than SOURCE_MEMORY. */
bool
RateSender::HasPacket (RcTime now)
{
  if (m_config.most_pkts > 0 && m_ledger.sent_pkts >= m_config.most_pkts)
    return false;
  if (m_config.source_bps == 0)
    return true;
  m_source_at = std::max (m_source_at, now - SOURCE_MEMORY);
  return m_source_at <= now;
}

/* Returns when to come again. */
RcTime
RateSender::SendDue (RcTime now)
{
  while (!m_decision.stopped && HasPacket (now)) {
    RcTime due_at = rc_rmc_due_at (&m_rmc, m_config.packet_bytes, now);

    if (due_at == RC_TIME_NONE || due_at > now)
      return due_at;
    SendMedia (now);
  }
  rc_rmc_set_idle (&m_rmc, now);
  return m_decision.stopped || m_source_at <= now ? RC_TIME_NONE : m_source_at;
}

/* Claims the loop as relays see it: a rate is heard of with the next report. */
void
RateSender::Stamp (Ptr<Packet> packet) const
{
  if (m_law.law->wants_stamps)
    packet->AddPacketTag (RateStamp (m_decision.srtt == RC_TIME_NONE ? RC_TIME_NONE
            : m_decision.srtt + m_decision.report_interval));
}

void
RateSender::SendMedia (RcTime now)
{
  uint32_t rtp_bytes = m_config.packet_bytes - RC_OVERHEAD_IPV4_BYTES;
  std::vector<uint8_t> rtp (rtp_bytes);
  RcSent sent = { m_config.packet_bytes, false };
  Ptr<Packet> packet;

  rtp[0] = RTP_VERSION_BITS;
  rtp[1] = RTP_PAYLOAD_TYPE;
  rtp[2] = static_cast<uint8_t> (m_seq >> 8);
  rtp[3] = static_cast<uint8_t> (m_seq);
  for (int i = 0; i < 4; i++)
    rtp[8 + i] = static_cast<uint8_t> (m_config.ssrc >> (24 - 8 * i));
  packet = Create<Packet> (rtp.data (), rtp_bytes);
  Stamp (packet);
  m_socket->Send (packet);

  if (m_config.source_bps > 0)
    m_source_at += rc_time_of_bytes (m_config.packet_bytes, m_config.source_bps);
  sent.backlogged = HasPacket (now);
  rc_ledger_on_sent (&m_ledger, m_seq++, rtp_bytes, now);
  rc_rmc_on_sent (&m_rmc, m_config.packet_bytes, now);
  if (m_info_sent_at == RC_TIME_NONE)
    WantInfo (now);
  Decide (rc_controller_on_sent (&m_law, &sent, now), now);
}

/* --- control --- */

void
RateSender::WantInfo (RcTime now)
{
  RcTime soonest = m_info_sent_at == RC_TIME_NONE ? now : std::max (now, m_info_sent_at + INFO_MIN_INTERVAL);

  m_info_at = sooner (m_info_at, soonest);
}

/* At the start, when what it says changes, and each second; while media is stopped they are the probes.
 * Returns when to come again. */
RcTime
RateSender::SendDueInfo (RcTime now)
{
  RcSenderInfo info = { m_config.ssrc, 0, static_cast<uint32_t> (m_decision.report_interval / RC_USEC), 0, {} };
  Ptr<Packet> packet;

  if (m_info_at > now || m_ledger.sent_pkts == 0)
    return m_info_at;
  if (m_decision.srtt != RC_TIME_NONE)
    info.srtt_us = static_cast<uint32_t> (std::max<RcTime> (m_decision.srtt / RC_USEC, 1));
  packet = rtcp_app_new_info (m_config.ssrc, info);
  rc_rmc_on_sent (&m_rmc, packet->GetSize () + RC_OVERHEAD_IPV4_BYTES, now);
  m_socket->Send (packet);
  m_told_srtt = m_decision.srtt;
  m_told_interval = m_decision.report_interval;
  m_info_sent_at = now;
  m_probes += m_decision.stopped;
  m_info_at = now + (m_probes >= FIRST_PROBES ? LATER_PROBE_INTERVAL : INFO_INTERVAL);
  return m_info_at;
}

void
RateSender::OnReadable (Ptr<Socket> socket)
{
  uint8_t bytes[RC_WIRE_MAX_BYTES * 2];
  RcTime now = Simulator::Now ().GetNanoSeconds ();

  while (Ptr<Packet> packet = socket->Recv ())
    OnDatagram (bytes, packet->CopyData (bytes, sizeof bytes), now);
  Wake ();
}

void
RateSender::OnDatagram (const uint8_t *bytes, size_t n, RcTime now)
{
  RtcpApp app;
  RcReport report;
  RcFeedback feedback;
  RcDigest digest;

  m_reports++;
  if (!rtcp_app_parse (bytes, n, &app) || app.name != RC_WIRE_REPORT_NAME
      || !rc_wire_decode_report (app.data, app.data_bytes, &report)) {
    m_refused++;
    return;
  }
  digest = rc_ledger_digest (&m_ledger, &report, app.sender_ssrc, now, &feedback);
  if (digest == RC_DIGEST_OK || digest == RC_DIGEST_HELLO)
    Decide (rc_controller_on_feedback (&m_law, &feedback, now), now);
  else
    m_refused++;
}

}
