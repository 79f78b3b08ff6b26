/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The receiving end of one flow: RcReceiver on a UDP port, reports back to where the media came
 * from. */
#pragma once

#include "rc.h"

#include <ns3/application.h>
#include <ns3/event-id.h>
#include <ns3/socket.h>

#include <functional>

namespace arc {

class RateReceiver : public ns3::Application
{
public:
  static ns3::TypeId GetTypeId ();

  /* Before the start. lists: reports list the arrivals, which the papers' reports do not.
   * tau: time constant of the bandwidth filter. */
  void Configure (uint16_t port, uint32_t media_ssrc, bool lists, RcTime tau);
  /* Called after each packet of media. */
  void SetMediaCallback (std::function<void ()> callback) { m_on_media = std::move (callback); }

  /* Media at the network layer: RTP, UDP and IP. */
  uint64_t ReceivedBytes () const { return m_received_bytes; }
  uint64_t LostPackets () const { return m_receiver.stats.loss.lost_pkts; }

private:
  void StartApplication () override;
  void StopApplication () override;
  void DoDispose () override;

  void OnReadable (ns3::Ptr<ns3::Socket> socket);
  void OnPacket (ns3::Ptr<ns3::Packet> packet, RcTime now);
  bool OnControl (const uint8_t *bytes, size_t n, RcTime now);
  void Wake ();

  uint16_t m_port = 0;
  uint32_t m_media_ssrc = 0;
  bool m_lists = false;
  RcTime m_tau = RC_BWFILTER_TAU;
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::Address m_peer;
  ns3::EventId m_wake;
  RcReceiver m_receiver{};
  TfrcLosses m_losses{};        /* what TFRC wants to know beside the report */
  std::function<void ()> m_on_media;
  uint64_t m_received_bytes = 0;
};

}
