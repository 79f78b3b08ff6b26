/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "traffic.h"

#include <ns3/applications-module.h>

#include <stdexcept>

using namespace ns3;

namespace arc {

static constexpr uint16_t PORT = 5000;
static constexpr uint32_t FIRST_SSRC = 1000;
static constexpr uint32_t TCP_OVERHEAD_BYTES = 52;      /* timestamps (12), TCP (20) and IP (20) */
/* More than any bandwidth-delay product here. */
static constexpr uint32_t TCP_BUFFER_BYTES = 4 << 20;

uint32_t
tcp_segment_bytes (const Settings &settings)
{
  return static_cast<uint32_t> (settings.packet_bytes) - TCP_OVERHEAD_BYTES;
}

/* What a sender keeps until it is acknowledged bounds what is in flight, as the receiver's window
 * would; with one of that size ns-3.37 crashes now and then. */
static uint32_t
send_bytes (const Settings &settings)
{
  uint32_t packets = static_cast<uint32_t> (settings.tcp_window_pkts);

  return packets > 0 ? packets * tcp_segment_bytes (settings) : TCP_BUFFER_BYTES;
}

/* Reno of the paper's years, by ns-3's nearest: NewReno without SACK; an initial window of 2
 * (RFC 2581), acknowledgements delayed by no more than 100 ms as in ns-2, a least RTO of 1 s
 * (RFC 2988). With ns-2's later 0.2 s (tcp-min-rto-ms=200) the queues here make ns-3's timer go
 * off for nothing: RTTs up to 500 ms that hardly vary leave it no margin, and each such timeout
 * sends a window again (a lone flow on 2 Mbit/s: goodput 1.14 Mbit/s instead of 1.93). */
void
tcp_set_defaults (const Settings &settings)
{
  Config::SetDefault ("ns3::TcpL4Protocol::SocketType", TypeIdValue (TcpNewReno::GetTypeId ()));
  Config::SetDefault ("ns3::TcpL4Protocol::RecoveryType",
      TypeIdValue (TcpClassicRecovery::GetTypeId ()));
  Config::SetDefault ("ns3::TcpSocketBase::Sack", BooleanValue (settings.tcp_sack == "on"));
  Config::SetDefault ("ns3::TcpSocketBase::MinRto",
      TimeValue (MilliSeconds (static_cast<int64_t> (settings.tcp_min_rto_ms))));
  Config::SetDefault ("ns3::TcpSocket::SegmentSize", UintegerValue (tcp_segment_bytes (settings)));
  Config::SetDefault ("ns3::TcpSocket::SndBufSize", UintegerValue (send_bytes (settings)));
  Config::SetDefault ("ns3::TcpSocket::RcvBufSize", UintegerValue (TCP_BUFFER_BYTES));
  Config::SetDefault ("ns3::TcpSocket::InitialCwnd", UintegerValue (2));
  Config::SetDefault ("ns3::TcpSocket::DelAckCount", UintegerValue (2));
  Config::SetDefault ("ns3::TcpSocket::DelAckTimeout", TimeValue (MilliSeconds (100)));
}

Traffic::Traffic (Chain &chain, const Settings &settings)
  : m_chain (chain), m_settings (settings), m_jitter (CreateObject<UniformRandomVariable> ())
{
  tcp_set_defaults (settings);
}

static void
count_sent (uint64_t *bytes, Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t)
{
  *bytes += packet->GetSize ();
}

/* Both access links share equally what the links between the routers leave of the propagation
 * time. */
static Time
access_delay (const Chain &chain, const Route &route)
{
  uint32_t links = route.from < route.to ? route.to - route.from : route.from - route.to;
  Time left = route.rtt / 2 - chain.LinkDelay () * links;

  if (left.IsNegative ())
    throw std::invalid_argument ("the links alone are longer than a round-trip time of "
        + std::to_string (route.rtt.GetMilliSeconds ()) + " ms");
  return left / 2;
}

Flow &
Traffic::NewFlow (const std::string &id, const std::string &kind, const Route &route, Time start)
{
  Time delay = access_delay (m_chain, route);
  Host source = m_chain.AddHost (route.from, delay);
  Host sink = m_chain.AddHost (route.to, delay);
  Flow &flow = m_flows.emplace_back ();

  flow.id = id;
  flow.kind = kind;
  flow.rtt = route.rtt;
  flow.start = start;
  m_source = source.node;
  m_sink = sink.node;
  m_peer = InetSocketAddress (sink.address, PORT);
  m_exit = sink.link;
  source.node->GetObject<Ipv4L3Protocol> ()->TraceConnectWithoutContext ("Tx",
      MakeBoundCallback (count_sent, &flow.sent_bytes));
  return flow;
}

Flow &
Traffic::Add (const std::string &id, const std::string &law, const Route &route, Time start)
{
  bool reno = law == "reno";
  Time jitter = Seconds (m_jitter->GetValue (0, m_settings.jitter_s));
  Flow &flow = NewFlow (id, reno ? "tcp" : "rate", route, start + jitter);

  if (reno)
    AddReno (flow);
  else
    AddRate (flow, law);
  return flow;
}

/* "NAME" is of all laws, "LAW.NAME" of one. */
static std::map<std::string, double>
params_of_law (const std::map<std::string, double> &params, const std::string &law)
{
  std::map<std::string, double> own;

  for (const auto &[name, value] : params) {
    size_t dot = name.find ('.');

    if (dot == std::string::npos)
      own.emplace (name, value);
    else if (name.substr (0, dot) == law)
      own[name.substr (dot + 1)] = value;
    else if (!rate_law_find (name.substr (0, dot)))
      throw std::invalid_argument ("no law is named '" + name.substr (0, dot) + "'");
  }
  return own;
}

RateSenderConfig
rate_sender_config (const Settings &settings, const std::string &law)
{
  RateSenderConfig config;

  config.law = law;
  config.profile = settings.profile == "live" ? RC_PROFILE_LIVE : RC_PROFILE_PAPER;
  config.params = params_of_law (settings.params, law);
  config.limits.min_bps = settings.min_bps;
  config.limits.start_bps = settings.start_bps;
  config.limits.max_bps = settings.max_bps;
  config.source_bps = settings.source_bps;
  config.packet_bytes = static_cast<uint32_t> (settings.packet_bytes);
  config.trace = settings.trace;
  return config;
}

void
Traffic::AddRate (Flow &flow, const std::string &law)
{
  RateSenderConfig config = rate_sender_config (m_settings, law);
  Ptr<RateReceiver> receiver = CreateObject<RateReceiver> ();

  config.ssrc = FIRST_SSRC + static_cast<uint32_t> (m_flows.size ());
  config.name = flow.id;
  flow.sender = CreateObject<RateSender> ();
  flow.sender->Configure (config, m_peer);
  flow.sender->SetStartTime (flow.start);
  m_source->AddApplication (flow.sender);

  receiver->Configure (PORT, config.ssrc, config.profile == RC_PROFILE_LIVE,
      m_settings.tau_ms > 0 ? static_cast<RcTime> (m_settings.tau_ms * RC_MSEC) : RC_BWFILTER_TAU);
  m_sink->AddApplication (receiver);
  flow.receiver = receiver;
  flow.received_bytes = [receiver] { return receiver->ReceivedBytes (); };
}

/* Greedy; received_bytes is goodput: each byte of the stream once. */
void
Traffic::AddReno (Flow &flow)
{
  BulkSendHelper source ("ns3::TcpSocketFactory", m_peer);
  PacketSinkHelper sink ("ns3::TcpSocketFactory", InetSocketAddress (Ipv4Address::GetAny (), PORT));
  Ptr<PacketSink> app = DynamicCast<PacketSink> (sink.Install (m_sink).Get (0));

  source.SetAttribute ("MaxBytes", UintegerValue (0));
  source.SetAttribute ("SendSize", UintegerValue (tcp_segment_bytes (m_settings)));
  source.Install (m_source).Start (flow.start);
  flow.received_bytes = [app] { return app->GetTotalRx (); };
}

/* One application a period, since OnOffApplication cannot begin on. */
Flow & Traffic::AddUdpOnOff (const std::string &id, const Route &route, uint64_t rate_bps,
    Time period, bool on_first)
{
  Flow &flow = NewFlow (id, "udp", route, Seconds (0));
  uint32_t packet_bytes = static_cast<uint32_t> (m_settings.packet_bytes);
  uint32_t payload_bytes = packet_bytes - RC_OVERHEAD_IPV4_BYTES;
  OnOffHelper source ("ns3::UdpSocketFactory", m_peer);
  PacketSinkHelper sink ("ns3::UdpSocketFactory", InetSocketAddress (Ipv4Address::GetAny (), PORT));
  Ptr<PacketSink> app = DynamicCast<PacketSink> (sink.Install (m_sink).Get (0));

  source.SetConstantRate (DataRate (rate_bps * payload_bytes / packet_bytes), payload_bytes);
  for (Time on = on_first ? Seconds (0) : period; on < Seconds (m_settings.seconds);
      on += period + period) {
    ApplicationContainer burst = source.Install (m_source);

    burst.Start (on);
    burst.Stop (on + period);
  }
  flow.received_bytes = [app, packet_bytes, payload_bytes] {
    return app->GetTotalRx () / payload_bytes * packet_bytes;
  };
  return flow;
}

}
