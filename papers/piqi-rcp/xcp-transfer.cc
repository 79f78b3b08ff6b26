/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "xcp-transfer.h"

#include "xcp-queue.h"

#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include <cmath>

using namespace ns3;

namespace arc {

static constexpr uint32_t HEADER_BYTES = 28;    /* UDP and IP */
static constexpr uint32_t SHORT_BYTES = 12;     /* of a handshake or an acknowledgement: 40 */
static constexpr double FIRST_WINDOW_PKTS = 2;
static constexpr double RTT_GAIN = 1.0 / 8;

XcpTransfer::XcpTransfer (const Settings &settings, const TransferConfig &config,
    std::function<void ()> done)
  : m_payload_bytes (static_cast<uint32_t> (settings.packet_bytes) - HEADER_BYTES),
    m_packet_bytes (static_cast<uint32_t> (settings.packet_bytes)), m_pkts (config.pkts),
    m_cwnd_bytes (FIRST_WINDOW_PKTS * static_cast<double> (settings.packet_bytes)),
    m_done (std::move (done))
{
  TypeId udp = UdpSocketFactory::GetTypeId ();

  m_sink = Socket::CreateSocket (config.sink.node, udp);
  m_sink->Bind (InetSocketAddress (Ipv4Address::GetAny (), config.port));
  m_sink->SetRecvCallback (MakeCallback (&XcpTransfer::OnData, this));
  m_source = Socket::CreateSocket (config.source.node, udp);
  m_source->Bind ();
  m_source->Connect (InetSocketAddress (config.sink.address, config.port));
  m_source->SetRecvCallback (MakeCallback (&XcpTransfer::OnAcknowledged, this));
  SendOne (SHORT_BYTES);
}

XcpTransfer::~XcpTransfer ()
{
  for (Ptr<Socket> socket : { m_source, m_sink }) {
    socket->SetRecvCallback (MakeNullCallback<void, Ptr<Socket>> ());
    socket->Close ();
  }
}

/* It asks for as much as there is. */
void
XcpTransfer::SendOne (uint32_t payload_bytes)
{
  Ptr<Packet> packet = Create<Packet> (payload_bytes);
  XcpTag tag;

  tag.header = { m_cwnd_bytes, m_rtt_s, HUGE_VAL };
  tag.sent_at = Simulator::Now ();
  packet->AddPacketTag (tag);
  m_source->Send (packet);
}

void
XcpTransfer::Send ()
{
  auto in_flight = static_cast<double> ((m_sent_pkts - m_acknowledged_pkts) * m_packet_bytes);

  for (; m_sent_pkts < m_pkts && in_flight + m_packet_bytes <= m_cwnd_bytes;
      in_flight += m_packet_bytes) {
    SendOne (m_payload_bytes);
    m_sent_pkts++;
  }
}

void
XcpTransfer::OnData (Ptr<Socket> socket)
{
  Address from;

  while (Ptr<Packet> packet = socket->RecvFrom (from)) {
    Ptr<Packet> answer = Create<Packet> (SHORT_BYTES);
    XcpTag tag;

    packet->PeekPacketTag (tag);
    tag.acknowledges = true;
    answer->AddPacketTag (tag);
    socket->SendTo (answer, 0, from);
    m_came_pkts += packet->GetSize () == m_payload_bytes;
    if (m_came_pkts == m_pkts && packet->GetSize () == m_payload_bytes)
      m_done ();
  }
}

void
XcpTransfer::OnAcknowledged (Ptr<Socket> socket)
{
  while (Ptr<Packet> packet = socket->Recv ()) {
    XcpTag tag;

    packet->PeekPacketTag (tag);
    double rtt_s = (Simulator::Now () - tag.sent_at).GetSeconds ();
    m_rtt_s = m_rtt_s > 0 ? m_rtt_s + RTT_GAIN * (rtt_s - m_rtt_s) : rtt_s;
    m_acknowledged_pkts += m_connected;
    m_connected = true;
    if (std::isfinite (tag.header.feedback_bytes))
      m_cwnd_bytes = xcp_source_window (m_cwnd_bytes, tag.header.feedback_bytes, m_packet_bytes);
  }
  Send ();
}

}
