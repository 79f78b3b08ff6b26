/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rate-receiver.h"

#include "rate-stamp.h"
#include "rtcp-app.h"

#include <ns3/inet-socket-address.h>
#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RateReceiver);

/* Makes the SSRC of the reports another than the media's. */
static constexpr uint32_t INSTANCE_BIT = 0x80000000;

TypeId
RateReceiver::GetTypeId ()
{
  static TypeId tid =
      TypeId ("arc::RateReceiver").SetParent<Application> ().AddConstructor<RateReceiver> ();

  return tid;
}

void
RateReceiver::Configure (uint16_t port, uint32_t media_ssrc, bool lists, RcTime tau)
{
  m_lists = lists;
  m_port = port;
  m_media_ssrc = media_ssrc;
  m_tau = tau;
}

void
RateReceiver::StartApplication ()
{
  rc_receiver_init (&m_receiver, m_media_ssrc, m_tau);
  tfrc_losses_init (&m_losses);
  m_socket = Socket::CreateSocket (GetNode (), UdpSocketFactory::GetTypeId ());
  m_socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), m_port));
  m_socket->SetRecvCallback (MakeCallback (&RateReceiver::OnReadable, this));
}

void
RateReceiver::StopApplication ()
{
  Simulator::Cancel (m_wake);
  if (m_socket)
    m_socket->Close ();
}

/* Also in the middle of a run. */
void
RateReceiver::DoDispose ()
{
  StopApplication ();
  m_socket = nullptr;
  Application::DoDispose ();
}

void
RateReceiver::OnReadable (Ptr<Socket> socket)
{
  while (Ptr<Packet> packet = socket->RecvFrom (m_peer))
    OnPacket (packet, Simulator::Now ().GetNanoSeconds ());
  Wake ();
}

/* false: it is media. */
bool
RateReceiver::OnControl (const uint8_t *bytes, size_t n, RcTime now)
{
  RtcpApp app;
  RcSenderInfo info;

  if (!rtcp_app_parse (bytes, n, &app))
    return false;
  if (app.name == RC_WIRE_INFO_NAME && rc_wire_decode_info (app.data, app.data_bytes, &info)
      && info.ssrc == m_media_ssrc) {
    rc_receiver_on_info (&m_receiver, &info, now);
    tfrc_losses_set_srtt (&m_losses, m_receiver.stats.srtt, now);
  }
  return true;
}

void
RateReceiver::OnPacket (Ptr<Packet> packet, RcTime now)
{
  uint8_t bytes[RC_WIRE_MAX_BYTES];
  uint32_t size_bytes = packet->GetSize ();
  RcLossHist before = m_receiver.stats.loss;
  RcLossVerdict verdict;
  RateStamp stamp;

  if (OnControl (bytes, packet->CopyData (bytes, sizeof bytes), now))
    return;
  m_received_bytes += size_bytes + RC_OVERHEAD_IPV4_BYTES;
  verdict = rc_receiver_on_packet (&m_receiver, static_cast<uint16_t> (bytes[2] << 8 | bytes[3]),
      size_bytes, false, now);
  tfrc_losses_on_packet (&m_losses, &before, &m_receiver.stats.loss, verdict, now);
  rc_receiver_on_stamp (&m_receiver, packet->PeekPacketTag (stamp) ? stamp.Bps () : 0);
  if (m_on_media)
    m_on_media ();
}

/* Sends the reports that are due, then sleeps until the next is. */
void
RateReceiver::Wake ()
{
  RcTime now = Simulator::Now ().GetNanoSeconds (), due_at;

  Simulator::Cancel (m_wake);
  while ((due_at = rc_receiver_due_at (&m_receiver, now)) != RC_TIME_NONE && due_at <= now) {
    RcReport report;

    rc_receiver_report (&m_receiver, now, &report);
    if (!m_lists)
      report.arrivals.n = 0;
    m_socket->SendTo (rtcp_app_new_report (m_media_ssrc | INSTANCE_BIT, report, m_losses), 0,
        m_peer);
  }
  if (due_at != RC_TIME_NONE)
    m_wake = Simulator::Schedule (NanoSeconds (due_at - now), &RateReceiver::Wake, this);
}

}
