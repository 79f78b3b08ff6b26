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

TypeId
RateSender::GetTypeId ()
{
  static TypeId tid =
      TypeId ("arc::RateSender").SetParent<Application> ().AddConstructor<RateSender> ();

  return tid;
}

const RcLaw *
rate_law_find (const std::string &name)
{
  for (const RcLaw *law : { &tfrc_law, &aimd_law })
    if (name == law->name)
      return law;
  return rc_law_find (name.c_str ());
}

void
RateSender::Configure (const RateSenderConfig &config, const Address &peer)
{
  const RcLaw *law = rate_law_find (config.law);

  if (!law)
    throw std::invalid_argument ("no law is named '" + config.law + "'");
  rc_controller_init (&m_law, law, config.profile);
  for (const auto &[name, value] : config.params)
    if (!rc_controller_set_param (&m_law, name.c_str (), value))
      throw std::invalid_argument ("law '" + config.law + "' takes no " + name
          + " = " + std::to_string (value));
  if (law == &tfrc_law)
    tfrc_listen (&m_law, &m_loss_event_ratio);
  if (config.limits.min_bps == 0 || config.limits.min_bps > config.limits.start_bps
      || config.limits.start_bps > config.limits.max_bps)
    throw std::invalid_argument ("rates must be 0 < min <= start <= max");
  if (config.packet_bytes < RC_OVERHEAD_IPV4_BYTES + RTP_HEADER_BYTES || config.packet_bytes > 1500)
    throw std::invalid_argument ("packets have 40 to 1500 bytes");
  if (!config.trace.empty ())
    m_trace = std::make_unique<RateTrace> (config.trace + "/" + config.name + ".sqlog",
        config.name);
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
  RcTime now = Simulator::Now ().GetNanoSeconds ();
  RcSenderConfig sender = {};

  m_socket = Socket::CreateSocket (GetNode (), UdpSocketFactory::GetTypeId ());
  m_socket->Bind ();
  m_socket->Connect (m_peer);
  m_socket->SetRecvCallback (MakeCallback (&RateSender::OnReadable, this));

  sender.controller = &m_law;
  sender.limits = m_config.limits;
  sender.pacing = RC_RMC_PARAMS_DEFAULT;
  sender.overhead_bytes = RC_OVERHEAD_IPV4_BYTES;
  rc_sender_init (&m_sender, &sender, now);
  m_lane = rc_sender_add_lane (&m_sender, 0, &m_laneMemory, &sender, now);
  m_entries.resize (ledger_entries (m_config.most_pkts));
  rc_lane_give_entries (m_lane, rc_numbers_of_ssrc (m_config.ssrc), m_entries.data (),
      static_cast<uint32_t> (m_entries.size ()), now);
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

/* Does what is due, then sleeps until something will be. */
void
RateSender::Wake ()
{
  RcTime now = Simulator::Now ().GetNanoSeconds (), next_at;
  RcLanePlan lane;
  RcSenderPlan plan;

  Simulator::Cancel (m_wake);
  next_at = SendDue (now);
  rc_lane_plan (m_lane, now, &lane);
  rc_sender_plan (&m_sender, 0, now, &plan);
  if (m_trace)
    m_trace->Look (m_sender, *m_lane, now);
  for (unsigned i = 0; i < lane.n_infos; i++)
    SendInfo (lane.infos[i], now);
  next_at = rc_sooner (next_at, rc_sooner (lane.next_at, plan.next_at));
  if (next_at != RC_TIME_NONE)
    m_wake = Simulator::Schedule (NanoSeconds (std::max<RcTime> (next_at - now, 1)),
        &RateSender::Wake, this);
}

/* --- media --- */

/* A source that ends has none after that. One of constant rate has a packet each packet_bytes /
 * source_bps, and none older than SOURCE_MEMORY. */
bool
RateSender::HasPacket (RcTime now)
{
  if (m_config.most_pkts > 0 && SentPackets () >= m_config.most_pkts)
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
  while (HasPacket (now)) {
    RcTime due_at = rc_sender_due_at (&m_sender, m_config.packet_bytes, now);

    if (due_at == RC_TIME_NONE || due_at > now)
      return due_at;
    SendMedia (now);
  }
  rc_gate_on_idle (rc_sender_gate (&m_sender), now);
  return m_source_at <= now ? RC_TIME_NONE : m_source_at;
}

void
RateSender::Stamp (Ptr<Packet> packet) const
{
  if (m_law.law->wants_stamps)
    packet->AddPacketTag (RateStamp (rc_sender_loop_time (&m_sender)));
}

void
RateSender::SendMedia (RcTime now)
{
  uint32_t rtp_bytes = m_config.packet_bytes - RC_OVERHEAD_IPV4_BYTES;
  std::vector<uint8_t> rtp (rtp_bytes);
  RcSenderPacket sent = {};
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
  sent.ssrc = m_config.ssrc;
  sent.seq = m_seq++;
  sent.rtp_bytes = rtp_bytes;
  sent.media_bytes = rtp_bytes - RTP_HEADER_BYTES;
  rc_gate_reserve (rc_sender_gate (&m_sender), m_config.packet_bytes, now);
  m_sent++;
  rc_sender_on_sent (&m_sender, &sent, HasPacket (now), now);
  WatchWindow ();
}

/* [ARC 3.1] What is outstanding never exceeds w. */
void
RateSender::WatchWindow ()
{
  const RcController *law = rc_lane_law (m_lane);

  if (law->law == &rc_arc_law) {
    auto arc = reinterpret_cast<const RcArc *> (law->state.bytes);

    m_most_outstanding_ratio =
        std::max (m_most_outstanding_ratio, arc->outstanding_bits / arc->w_bits);
  }
}

/* --- control --- */

void
RateSender::SendInfo (const RcSenderInfo &info, RcTime now)
{
  Ptr<Packet> packet = rtcp_app_new_info (m_config.ssrc, info);

  rc_sender_on_control_sent (&m_sender, packet->GetSize () + RC_OVERHEAD_IPV4_BYTES, now);
  m_socket->Send (packet);
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

  m_reports++;
  if (!rtcp_app_parse (bytes, n, &app) || app.name != RC_WIRE_REPORT_NAME
      || !rc_wire_decode_report (app.data, app.data_bytes, &report)) {
    m_refused++;
    return;
  }
  m_loss_event_ratio = tfrc_losses_read (app.data, app.data_bytes);
  if (!rc_lane_on_reports (m_lane, &report, 1, app.sender_ssrc, now))
    m_refused++;
}

}
