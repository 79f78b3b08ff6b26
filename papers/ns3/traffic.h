/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flows over a Chain: a sending and a receiving host with an application each, and what is
 * counted of them. */
#pragma once

#include "rate-receiver.h"
#include "rate-sender.h"
#include "chain.h"
#include "settings.h"

#include <functional>
#include <list>

namespace arc {

struct Flow
{
  std::string id, kind;         /* kind: rate, tcp or udp */
  ns3::Time rtt, start;
  uint64_t sent_bytes = 0;      /* IP, everything that left the sending host */
  /* Rate, udp: IP packets; tcp: what the application got. */
  std::function<uint64_t ()> received_bytes;
  ns3::Ptr<RateSender> sender;  /* kind rate only */
  ns3::Ptr<RateReceiver> receiver;
};

/* Where a flow goes: between routers, with this round-trip propagation time. */
struct Route
{
  uint32_t from, to;
  ns3::Time rtt;
};

/* ns-3's defaults for TCP, before any socket is made. */
void tcp_set_defaults (const Settings &settings);
/* Payload of a full segment. */
uint32_t tcp_segment_bytes (const Settings &settings);
/* What the settings say about the sender of a law. Throws std::invalid_argument. */
RateSenderConfig rate_sender_config (const Settings &settings, const std::string &law);

class Traffic
{
public:
  /* Calls tcp_set_defaults (): make it before any host. */
  Traffic (Chain &chain, const Settings &settings);

  /* `law`: as rate_law_find() knows it, or "reno". The start is `start` plus jitter. */
  Flow &Add (const std::string &id, const std::string &law, const Route &route, ns3::Time start);
  Flow &AddUdpOnOff (const std::string &id, const Route &route, uint64_t rate_bps, ns3::Time period,
      bool on_first);
  /* The receiving host's link of the flow that was added last. */
  const ns3::NetDeviceContainer &LastExit () const { return m_exit;
      } const std::list<Flow> &Flows () const { return m_flows;
      } private: Flow &NewFlow (const std::string &id, const std::string &kind, const Route &route,
      ns3::Time start);
  void AddRate (Flow &flow, const std::string &law);
  void AddReno (Flow &flow);

  Chain &m_chain;
  const Settings &m_settings;
  ns3::Ptr<ns3::UniformRandomVariable> m_jitter;
  std::list<Flow> m_flows;      /* a list: the traces hold addresses */
  ns3::Ptr<ns3::Node> m_source, m_sink;         /* of the flow that is being added */
  ns3::Address m_peer;
  ns3::NetDeviceContainer m_exit;
};

}
