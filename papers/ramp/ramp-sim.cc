/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One real-rate TCP flow through a host's packet scheduler.
 *
 *   source -- scheduler == 10 Mbit/s == router -- link -- sink
 *
 *   bottleneck     [RAMP 6.2] the link is a leaky bucket of 6 kB whose rate falls and rises:
 *                  2, 1.5, 0.5, 1.5, 2 Mbit/s
 *   flow-control   [RAMP 6.1] the link is free, and the receiver reads at a rate that falls and
 *                  rises: 1.5, 1, 0.5, 1, 1.5 Mbit/s
 *   sharing        [RAMP 5.1] the link is free, and greedy UDP goes through the scheduler too
 *
 * Standard output: CSV, a row each 50 ms, then a row a phase behind an empty line. ramp-sim
 * --help lists the options. */
#include "ramp-queue-disc.h"

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <cstdio>
#include <iostream>
#include <map>

using namespace ns3;

namespace {

constexpr uint64_t INTERFACE_BPS = 10000000;    /* [RAMP 5] Ethernet */
constexpr uint32_t BUCKET_BYTES = 6000;
constexpr double FREE_BPS = 100e6;
constexpr char FREE_QUEUE[] = "1000p";
constexpr uint16_t GREEDY_PORT = 5001;
constexpr uint32_t GREEDY_BYTES = 1472; /* of payload: 1500 */
constexpr int READ_MS = 10;
/* Capacity of the link; what the receiver reads. */
const std::map<std::string, std::vector<double>> SCENARIOS = {
  { "bottleneck", { 2e6, 1.5e6, 0.5e6, 1.5e6, 2e6 } },
  { "flow-control", { 1.5e6, 1e6, 0.5e6, 1e6, 1.5e6 } },
  { "sharing", { FREE_BPS } },
};
constexpr uint32_t SEGMENT_BYTES = 1448; /* 1500 with timestamps (12), TCP (20) and IP (20) */
constexpr uint16_t PORT = 5000;
constexpr uint32_t FRAMES_PER_S = 30;
constexpr uint32_t KEY_EVERY = 15;
/* Else no SYN would ever leave: it does not fill the target. */
constexpr uint64_t LEAST_BPS = 100000;
constexpr int ROW_MS = 50;

/* UDP goes before TCP. */
class UdpFirst : public Ipv4PacketFilter
{
  bool CheckProtocol (Ptr<QueueDiscItem> item) const override
  {
    return DynamicCast<Ipv4QueueDiscItem> (item) != nullptr;
  }
  int32_t DoClassify (Ptr<QueueDiscItem> item) const override
  {
    auto packet = DynamicCast<Ipv4QueueDiscItem> (item);

    return packet->GetHeader ().GetProtocol () == UdpL4Protocol::PROT_NUMBER ? 0 : 1;
  }
};

struct Options
{
  std::string scenario = "bottleneck", scheduler = "ramp";
  double rate_bps = 1.7e6, key_gain = 4, rtt_ms = 20, phase_s = 30, buffer_bytes = 65536,
      min_rto_ms = 1000, target_ms = 50, greedy_bps = 0, gain_ratio = 1;
  uint32_t target_bytes = 0;
  uint32_t fifo_pkts = 10000;
  bool sack = false;
};

/* Video: what does not fit into the socket's buffer is skipped, by whole frames. */
class Camera : public Application
{
public:
  Ptr<Socket> socket;
  Address peer;
  double frame_bytes = 0, key_gain = 1;
  uint64_t skipped_frames = 0;

private:
  void StartApplication () override
  {
    socket->Bind ();
    socket->Connect (peer);
    Make ();
  }
  void Make ()
  {
    bool key = m_frames++ % KEY_EVERY == 0;
    uint32_t bytes = static_cast<uint32_t> (frame_bytes * (key ? key_gain : 1));

    if (socket->GetTxAvailable () < bytes || socket->Send (Create<Packet> (bytes)) < 0)
      skipped_frames++;
    Simulator::Schedule (Seconds (1.0 / FRAMES_PER_S), &Camera::Make, this);
  }

  uint64_t m_frames = 0;
};

/* A receiver that reads no faster than at a rate: TCP's window closes. */
class Reader : public Application
{
public:
  double rate_bps = 0;          /* 0: all that comes */
  uint64_t read_bytes = 0;

private:
  void StartApplication () override
  {
    m_listener = Socket::CreateSocket (GetNode (), TcpSocketFactory::GetTypeId ());
    m_listener->Bind (InetSocketAddress (Ipv4Address::GetAny (), PORT));
    m_listener->Listen ();
    m_listener->SetAcceptCallback (MakeNullCallback<bool, Ptr<Socket>, const Address &> (),
        MakeCallback (&Reader::Accept, this));
  }
  void Accept (Ptr<Socket> socket, const Address &)
  {
    m_socket = socket;
    Read ();
  }
  void Read ()
  {
    m_credit = rate_bps > 0 ? std::min (m_credit + rate_bps / 8 * READ_MS * 1e-3, rate_bps / 8)
        : 1e9;
    while (m_credit >= 1) {
      Ptr<Packet> packet = m_socket->Recv (static_cast<uint32_t> (m_credit), 0);

      if (!packet || packet->GetSize () == 0)
        break;
      read_bytes += packet->GetSize ();
      m_credit -= packet->GetSize ();
    }
    Simulator::Schedule (MilliSeconds (READ_MS), &Reader::Read, this);
  }

  Ptr<Socket> m_listener, m_socket;
  double m_credit = 0;
};

struct Counts
{
  uint64_t received_bytes, scheduled_pkts, cuts, timeouts, drops;
  double delay_sum_s, rtt_sum_s, cwnd_max_pkts, allocation_sum_bps;
  uint64_t rows;
  uint64_t rtts;
};

class Experiment
{
public:
  explicit Experiment (const Options &options);
  void Run ();

private:
  void SetDefaults ();
  void Build ();
  void AddScheduler (Ptr<NetDevice> device);
  void AddCamera (Ptr<Node> source, Ptr<Node> sink, Ipv4Address address);
  void AddGreedy (Ptr<Node> source, Ptr<Node> sink, Ipv4Address address);
  void BeginPhase ();
  void Row ();
  void EndPhase ();
  Counts Now () const;

  Options m_options;
  Ptr<Camera> m_camera;
  std::vector<double> m_phases_bps;
  Ptr<Reader> m_reader;
  Ptr<PacketSink> m_greedy;
  Ptr<arc::RampQueueDisc> m_ramp;
  Ptr<PointToPointNetDevice> m_bucket;
  Counts m_counts{}, m_before{};
  uint32_t m_phase = 0;
  double m_cwnd_pkts = 0, m_rtt_s = 0;
  std::string m_phase_rows;
};

void
Experiment::SetDefaults ()
{
  Config::SetDefault ("ns3::TcpL4Protocol::SocketType", TypeIdValue (TcpNewReno::GetTypeId ()));
  Config::SetDefault ("ns3::TcpL4Protocol::RecoveryType",
      TypeIdValue (TcpClassicRecovery::GetTypeId ()));
  Config::SetDefault ("ns3::TcpSocketBase::Sack", BooleanValue (m_options.sack));
  Config::SetDefault ("ns3::TcpSocketBase::MinRto",
      TimeValue (MilliSeconds (m_options.min_rto_ms)));
  Config::SetDefault ("ns3::TcpSocket::SegmentSize", UintegerValue (SEGMENT_BYTES));
  Config::SetDefault ("ns3::TcpSocket::SndBufSize", UintegerValue (m_options.buffer_bytes));
  Config::SetDefault ("ns3::TcpSocket::InitialCwnd", UintegerValue (2));
  Config::SetDefault ("ns3::TcpSocket::DelAckCount", UintegerValue (2));
  Config::SetDefault ("ns3::TcpSocket::DelAckTimeout", TimeValue (MilliSeconds (40)));
}

void
Experiment::AddScheduler (Ptr<NetDevice> device)
{
  TrafficControlHelper fifo;

  if (m_options.scheduler == "fifo") {
    fifo.SetRootQueueDisc ("ns3::FifoQueueDisc", "MaxSize",
        StringValue (std::to_string (m_options.fifo_pkts) + "p"));
    fifo.Install (device);
    return;
  }
  if (m_options.scheduler == "priority") {
    uint16_t handle = fifo.SetRootQueueDisc ("ns3::PrioQueueDisc");

    for (uint16_t id : fifo.AddQueueDiscClasses (handle, 2, "ns3::QueueDiscClass"))
      fifo.AddChildQueueDisc (handle, id, "ns3::FifoQueueDisc", "MaxSize",
          StringValue (std::to_string (m_options.fifo_pkts) + "p"));
    fifo.Install (device).Get (0)->AddPacketFilter (CreateObject<UdpFirst> ());
    return;
  }
  arc::RampQueueConfig config { RC_RAMP_PARAMS_PAPER, RC_RAMP_FLOW_PARAMS_PAPER, INTERFACE_BPS };

  config.flow.flow_class = RC_RAMP_REAL_RATE;
  config.flow.min_bps = LEAST_BPS;
  if (m_options.scheduler == "ramp-time" || m_options.scheduler == "ramp-borrow")
    config.flow.target = { 0, rc_time_from_s (m_options.target_ms * 1e-3) };
  if (m_options.scheduler == "ramp-borrow")
    config.ramp = RC_RAMP_PARAMS_DEFAULT;
  if (m_options.scheduler == "ramp" && m_options.target_bytes > 0)
    config.flow.target = { m_options.target_bytes, 0 };
  config.ramp.monitor.loop_gain *= m_options.gain_ratio;
  m_ramp = CreateObject<arc::RampQueueDisc> ();
  m_ramp->Configure (config);
  device->GetNode ()->GetObject<TrafficControlLayer> ()->SetRootQueueDiscOnDevice (device, m_ramp);
}

void
Experiment::AddCamera (Ptr<Node> source, Ptr<Node> sink, Ipv4Address address)
{
  m_reader = CreateObject<Reader> ();
  sink->AddApplication (m_reader);
  m_camera = CreateObject<Camera> ();
  m_camera->socket = Socket::CreateSocket (source, TcpSocketFactory::GetTypeId ());
  m_camera->peer = InetSocketAddress (address, PORT);
  m_camera->key_gain = m_options.key_gain;
  m_camera->frame_bytes = m_options.rate_bps / 8 / FRAMES_PER_S * KEY_EVERY
      / (KEY_EVERY - 1 + m_options.key_gain);
  source->AddApplication (m_camera);
  m_camera->socket->TraceConnectWithoutContext ("CongestionWindow",
      Callback<void, uint32_t, uint32_t> ([this] (uint32_t, uint32_t bytes) {
        m_cwnd_pkts = static_cast<double> (bytes) / SEGMENT_BYTES;
        m_counts.cwnd_max_pkts = std::max (m_counts.cwnd_max_pkts, m_cwnd_pkts);
      }));
  m_camera->socket->TraceConnectWithoutContext ("RTT", Callback<void, Time,
      Time> ([this] (Time, Time rtt) {m_rtt_s = rtt.GetSeconds (); m_counts.rtt_sum_s += m_rtt_s;
              m_counts.rtts++; }));
  m_camera->socket->TraceConnectWithoutContext ("CongState",
      Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t> (
        [this] (TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state) {
          m_counts.cuts += state == TcpSocketState::CA_RECOVERY;
          m_counts.timeouts += state == TcpSocketState::CA_LOSS;
        }));
}

void
Experiment::AddGreedy (Ptr<Node> source, Ptr<Node> sink, Ipv4Address address)
{
  PacketSinkHelper helper ("ns3::UdpSocketFactory",
      InetSocketAddress (Ipv4Address::GetAny (), GREEDY_PORT));
  OnOffHelper greedy ("ns3::UdpSocketFactory", InetSocketAddress (address, GREEDY_PORT));

  m_greedy = DynamicCast<PacketSink> (helper.Install (sink).Get (0));
  greedy.SetConstantRate (DataRate (static_cast<uint64_t> (m_options.greedy_bps)), GREEDY_BYTES);
  greedy.Install (source);
}

void
Experiment::Build ()
{
  bool bottleneck = m_options.scenario == "bottleneck";
  NodeContainer nodes (3);
  InternetStackHelper stack;
  PointToPointHelper near, far;
  Ipv4AddressHelper addresses ("10.0.1.0", "255.255.255.0");
  NetDeviceContainer first, second;

  stack.Install (nodes);
  near.SetDeviceAttribute ("DataRate", DataRateValue (INTERFACE_BPS));
  near.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("1p"));
  first = near.Install (nodes.Get (0), nodes.Get (1));
  AddScheduler (first.Get (0));
  far.DisableFlowControl ();
  far.SetDeviceAttribute ("DataRate", DataRateValue (static_cast<uint64_t> (FREE_BPS)));
  far.SetChannelAttribute ("Delay", TimeValue (MilliSeconds (m_options.rtt_ms / 2)));
  far.SetQueue ("ns3::DropTailQueue", "MaxSize", QueueSizeValue (bottleneck
          ? QueueSize (QueueSizeUnit::BYTES, BUCKET_BYTES) : QueueSize (FREE_QUEUE)));
  second = far.Install (nodes.Get (1), nodes.Get (2));
  m_bucket = DynamicCast<PointToPointNetDevice> (second.Get (0));
  m_bucket->GetQueue ()->TraceConnectWithoutContext ("Drop",
      Callback<void, Ptr<const Packet>> ([this] (Ptr<const Packet>) { m_counts.drops++; }));
  DynamicCast<PointToPointNetDevice> (second.Get (1))->SetDataRate (DataRate (INTERFACE_BPS));
  addresses.Assign (first);
  addresses.SetBase ("10.0.2.0", "255.255.255.0");
  Ipv4Address sink = addresses.Assign (second).GetAddress (1);
  AddCamera (nodes.Get (0), nodes.Get (2), sink);
  if (m_options.greedy_bps > 0)
    AddGreedy (nodes.Get (0), nodes.Get (2), sink);
  Ipv4GlobalRoutingHelper::PopulateRoutingTables ();
}

Experiment::Experiment (const Options &options)
  : m_options (options), m_phases_bps (SCENARIOS.at (options.scenario))
{
  SetDefaults ();
  Build ();
  BeginPhase ();
}

Counts
Experiment::Now () const
{
  Counts now = m_counts;

  now.received_bytes = m_reader->read_bytes;
  now.scheduled_pkts = m_ramp ? m_ramp->SentPackets () : 0;
  now.delay_sum_s = m_ramp ? m_ramp->DelaySum ().GetSeconds () : 0;
  return now;
}

void
Experiment::Row ()
{
  const RcRampFlow *flow = m_ramp ? &m_ramp->Flow () : nullptr;

  m_counts.rows++;
  m_counts.allocation_sum_bps += flow ? flow->allocation_bps : 0;
  std::printf ("%.2f,%.0f,%.2f,%.1f,%.0f,%.0f,%lu,%lu\n", Simulator::Now ().GetSeconds (),
      m_phases_bps[m_phase], m_cwnd_pkts, m_rtt_s * 1e3,
      flow ? static_cast<double> (flow->waiting_bytes) : 0, flow ? flow->allocation_bps : 0,
      static_cast<unsigned long> (m_reader->read_bytes),
      static_cast<unsigned long> (m_greedy ? m_greedy->GetTotalRx () : 0));
  Simulator::Schedule (MilliSeconds (ROW_MS), &Experiment::Row, this);
}

void
Experiment::BeginPhase ()
{
  if (m_options.scenario == "flow-control")
    m_reader->rate_bps = m_phases_bps[m_phase];
  else
    m_bucket->SetDataRate (DataRate (static_cast<uint64_t> (m_phases_bps[m_phase])));
}

void
Experiment::EndPhase ()
{
  Counts now = Now ();
  char row[200];

  std::snprintf (row, sizeof row, "%.0f,%.0f,%.1f,%.3f,%lu,%lu,%.1f,%.1f,%.0f\n",
      m_phases_bps[m_phase],
      static_cast<double> (now.received_bytes - m_before.received_bytes) * 8 / m_options.phase_s,
      now.cwnd_max_pkts, static_cast<double> (now.cuts - m_before.cuts) / m_options.phase_s,
      static_cast<unsigned long> (now.timeouts - m_before.timeouts),
      static_cast<unsigned long> (now.drops - m_before.drops), (now.rtt_sum_s - m_before.rtt_sum_s)
      / std::max<double> (1, static_cast<double> (now.rtts - m_before.rtts)) * 1e3,
      (now.delay_sum_s - m_before.delay_sum_s) * 1e3 / std::max<double> (1,
          static_cast<double> (now.scheduled_pkts - m_before.scheduled_pkts)),
      (now.allocation_sum_bps - m_before.allocation_sum_bps)
      / std::max<double> (1, static_cast<double> (now.rows - m_before.rows)));
  m_phase_rows += row;
  m_counts.cwnd_max_pkts = 0;
  m_before = now;
  if (++m_phase == m_phases_bps.size ()) {
    Simulator::Stop ();
    return;
  }
  BeginPhase ();
  Simulator::Schedule (Seconds (m_options.phase_s), &Experiment::EndPhase, this);
}

void
Experiment::Run ()
{
  std::printf ("time_s,bucket_bps,cwnd_pkts,rtt_ms,fill_bytes,allocation_bps,read_bytes,"
    "greedy_bytes\n");
  Simulator::Schedule (Seconds (m_options.phase_s), &Experiment::EndPhase, this);
  Row ();
  Simulator::Run ();
  std::printf ("\nbucket_bps,goodput_bps,cwnd_max_pkts,cuts_per_s,timeouts,drops,rtt_ms,"
    "scheduler_delay_ms,allocation_bps\n%s",
      m_phase_rows.c_str ());
}

}

int
main (int argc, char **argv)
{
  Options options;
  CommandLine command;

  command.AddValue ("scenario", "bottleneck, flow-control or sharing", options.scenario);
  command.AddValue ("greedy", "bit/s of UDP beside it; 0: none", options.greedy_bps);
  command.AddValue ("fifo-pkts", "that fifo holds", options.fifo_pkts);
  command.AddValue ("scheduler", "fifo; priority: UDP before TCP; ramp: as published, "
      "16 kB; ramp-time: a target in time; ramp-borrow: ours", options.scheduler);
  command.AddValue ("rate", "of the camera, bit/s of TCP payload", options.rate_bps);
  command.AddValue ("key-gain", "size of each 15th frame over the others'", options.key_gain);
  command.AddValue ("rtt-ms", "without queues", options.rtt_ms);
  command.AddValue ("phase-s", "of each of the five rates", options.phase_s);
  command.AddValue ("buffer-bytes", "of the sending socket", options.buffer_bytes);
  command.AddValue ("min-rto-ms", "of TCP; the queues here hardly vary, and a shorter one "
      "goes off for nothing", options.min_rto_ms);
  command.AddValue ("target-ms",
      "fill level to keep, of ramp-time and ramp-borrow", options.target_ms);
  command.AddValue ("target-bytes", "of ramp; 0: as published", options.target_bytes);
  command.AddValue ("gain-ratio", "of the controller's gain, over ours", options.gain_ratio);
  command.AddValue ("sack", "selective acknowledgements", options.sack);
  command.Parse (argc, argv);
  if (options.scheduler != "fifo" && options.scheduler != "priority"
      && options.scheduler.compare (0, 4, "ramp") != 0) {
    std::cerr << "ramp-sim: no scheduler is named '" << options.scheduler << "'\n";
    return 2;
  }
  if (SCENARIOS.count (options.scenario) == 0) {
    std::cerr << "ramp-sim: no scenario is named '" << options.scenario << "'\n";
    return 2;
  }
  Experiment (options).Run ();
  Simulator::Destroy ();
  return 0;
}
