/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of finite length by XCP: a window of packets, each of which is acknowledged and brings
 * what the routers allow. The window begins with two packets, after a handshake, as TCP's here. Of
 * loss it knows nothing: the queues of its scenario are as good as infinite. */
#pragma once

#include "settings.h"
#include "transfer-config.h"

#include <ns3/socket.h>

#include <functional>

namespace arc {

class XcpTransfer
{
public:
  XcpTransfer (const Settings &settings, const TransferConfig &config,
      std::function<void ()> done);
  ~XcpTransfer ();

private:
  void Send ();
  void SendOne (uint32_t payload_bytes);
  void OnData (ns3::Ptr<ns3::Socket> socket);
  void OnAcknowledged (ns3::Ptr<ns3::Socket> socket);

  ns3::Ptr<ns3::Socket> m_source, m_sink;
  uint32_t m_payload_bytes, m_packet_bytes;
  uint64_t m_pkts, m_sent_pkts = 0, m_acknowledged_pkts = 0, m_came_pkts = 0;
  double m_cwnd_bytes, m_rtt_s = 0;
  bool m_connected = false;
  std::function<void ()> m_done;
};

}
