/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rcp-transfer.h"

#include "traffic.h"
#include "xcp-transfer.h"

#include <ns3/socket.h>

using namespace ns3;

namespace arc {

static constexpr uint32_t FIRST_SSRC = 1000;

/* --- laws of lib/rc --- */

class RateTransfer : public Transfer
{
public:
  RateTransfer (const Settings &settings, const TransferConfig &config, std::function<void ()> done)
  {
    RateSenderConfig sender = rate_sender_config (settings, settings.law);

    sender.ssrc = FIRST_SSRC + config.id;
    sender.most_pkts = config.pkts;
    sender.trace.clear ();      /* thousands of flows of some packets */
    m_most_bytes = config.pkts * sender.packet_bytes;
    m_done = std::move (done);

    m_receiver->Configure (config.port, sender.ssrc, sender.profile == RC_PROFILE_LIVE,
        RC_BWFILTER_TAU);
    m_receiver->SetMediaCallback ([this] { OnMedia (); });
    m_receiver->SetNode (config.sink.node);
    m_receiver->Initialize ();
    m_sender->Configure (sender, InetSocketAddress (config.sink.address, config.port));
    m_sender->SetNode (config.source.node);
    m_sender->Initialize ();
  }

  ~RateTransfer () override
  {
    m_sender->Dispose ();
    m_receiver->Dispose ();
  }

private:
  void OnMedia ()
  {
    if (m_receiver->ReceivedBytes () == m_most_bytes)
      m_done ();
  }

  Ptr<RateSender> m_sender = CreateObject<RateSender> ();
  Ptr<RateReceiver> m_receiver = CreateObject<RateReceiver> ();
  uint64_t m_most_bytes;
  std::function<void ()> m_done;
};

/* --- TCP --- */

class TcpTransfer : public Transfer
{
public:
  TcpTransfer (const Settings &settings, const TransferConfig &config, std::function<void ()> done)
    : m_left_bytes (config.pkts * tcp_segment_bytes (settings)), m_awaited_bytes (m_left_bytes),
      m_done (std::move (done))
  {
    TypeId tcp = TcpSocketFactory::GetTypeId ();

    m_listener = Socket::CreateSocket (config.sink.node, tcp);
    m_listener->Bind (InetSocketAddress (Ipv4Address::GetAny (), config.port));
    m_listener->Listen ();
    m_listener->SetAcceptCallback (MakeNullCallback<bool, Ptr<Socket>, const Address &> (),
        MakeCallback (&TcpTransfer::OnAccepted, this));
    m_source = Socket::CreateSocket (config.source.node, tcp);
    m_source->SetConnectCallback (MakeCallback (&TcpTransfer::OnConnected, this),
        MakeNullCallback<void, Ptr<Socket>> ());
    m_source->SetSendCallback (MakeCallback (&TcpTransfer::OnWritable, this));
    m_source->Bind ();
    m_source->Connect (InetSocketAddress (config.sink.address, config.port));
  }

  ~TcpTransfer () override
  {
    for (Ptr<Socket> socket : { m_source, m_sink, m_listener })
      Close (socket);
  }

private:
  /* The socket lives on until its connection has ended. */
  static void Close (Ptr<Socket> socket)
  {
    if (!socket)
      return;
    socket->SetConnectCallback (MakeNullCallback<void, Ptr<Socket>> (), MakeNullCallback<void,
        Ptr<Socket>> ());
    socket->SetSendCallback (MakeNullCallback<void, Ptr<Socket>, uint32_t> ());
    socket->SetRecvCallback (MakeNullCallback<void, Ptr<Socket>> ());
    socket->SetAcceptCallback (MakeNullCallback<bool, Ptr<Socket>, const Address &> (),
        MakeNullCallback<void, Ptr<Socket>, const Address &> ());
    socket->Close ();
  }

  void OnConnected (Ptr<Socket> socket)
  {
    OnWritable (socket, socket->GetTxAvailable ());
  }

  void OnWritable (Ptr<Socket> socket, uint32_t available)
  {
    uint32_t bytes = static_cast<uint32_t> (std::min<uint64_t> (m_left_bytes, available));

    if (bytes > 0 && socket->Send (Create<Packet> (bytes)) == static_cast<int> (bytes))
      m_left_bytes -= bytes;
  }

  void OnAccepted (Ptr<Socket> socket, const Address &)
  {
    m_sink = socket;
    socket->SetRecvCallback (MakeCallback (&TcpTransfer::OnReadable, this));
  }

  void OnReadable (Ptr<Socket> socket)
  {
    while (Ptr<Packet> packet = socket->Recv ())
      m_awaited_bytes -= packet->GetSize ();
    if (m_awaited_bytes == 0)
      m_done ();
  }

  Ptr<Socket> m_listener, m_source, m_sink;
  uint64_t m_left_bytes;        /* not yet given to TCP */
  uint64_t m_awaited_bytes;     /* not yet got from it */
  std::function<void ()> m_done;
};

/* --- XCP --- */

class XcpFlow : public Transfer
{
public:
  XcpFlow (const Settings &settings, const TransferConfig &config, std::function<void ()> done)
    : m_transfer (settings, config, std::move (done))
  {
  }

private:
  XcpTransfer m_transfer;
};

std::unique_ptr<Transfer> Transfer::Start (const Settings &settings, const TransferConfig &config,
    std::function<void ()> done)
{
  if (settings.law == "reno")
    return std::make_unique<TcpTransfer> (settings, config, std::move (done));
  if (settings.law == "xcp")
    return std::make_unique<XcpFlow> (settings, config, std::move (done));
  return std::make_unique<RateTransfer> (settings, config, std::move (done));
}

}
