/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending end of one flow: the sender of lib/rc (rc/sender/sender.h), as rmcsink has it,
 * over ns-3's UDP. Packets carry a stamp for relays if the law obeys them. */
#pragma once

#include "rate-trace.h"
#include "rc.h"

#include <ns3/application.h>
#include <ns3/event-id.h>
#include <ns3/socket.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace arc {

struct RateSenderConfig
{
  std::string law = "arc";      /* as rate_law_find() knows it */
  RcProfile profile = RC_PROFILE_PAPER;
  std::map<std::string, double> params; /* of that law; others than it has are an error */
  RcLimits limits;
  uint64_t source_bps = 0; /* application-limited: a live source of this constant rate; 0: greedy */
  uint64_t most_pkts = 0;       /* then it has nothing more to send; 0: no end */
  uint32_t packet_bytes = 1500; /* with RTP, UDP and IP headers */
  uint32_t ssrc = 1;
  std::string trace;            /* folder of an event trace; empty: none */
  std::string name;             /* of the flow: its trace is TRACE/NAME.sqlog */
};

/* A law of rc_laws, or of a paper. NULL: there is none of this name. */
const RcLaw *rate_law_find (const std::string &name);

class RateSender : public ns3::Application
{
public:
  static ns3::TypeId GetTypeId ();

  /* Before the start. Throws std::invalid_argument with what is wrong. */
  void Configure (const RateSenderConfig &config, const ns3::Address &peer);

  uint64_t RateBps () const { return m_lane ? rc_sender_rate_bps (&m_sender) : 0; }
  uint64_t Reports () const { return m_reports; }
  uint64_t RefusedReports () const { return m_refused; }
  uint64_t SentPackets () const { return m_sent; }
  /* Of w, the most that was on its way when a packet had left; 0 unless the law is the paper's. */
  double MostOutstandingRatio () const { return m_most_outstanding_ratio; }

private:
  void StartApplication () override;
  void StopApplication () override;
  void DoDispose () override;

  void Wake ();
  void OnReadable (ns3::Ptr<ns3::Socket> socket);
  void OnDatagram (const uint8_t *bytes, size_t n, RcTime now);

  bool HasPacket (RcTime now);
  RcTime SendDue (RcTime now);
  void Stamp (ns3::Ptr<ns3::Packet> packet) const;
  void SendMedia (RcTime now);
  void WatchWindow ();

  void SendInfo (const RcSenderInfo &info, RcTime now);

  RateSenderConfig m_config;
  ns3::Address m_peer;
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::EventId m_wake;

  RcController m_law;           /* configured, not started */
  double m_loss_event_ratio = 0;        /* that the receiver told last */
  RcSender m_sender{};
  RcLaneMemory m_laneMemory;
  RcLane *m_lane = nullptr;     /* before the start there is none */
  std::vector<RcLedgerEntry> m_entries;
  std::unique_ptr<RateTrace> m_trace;   /* none unless the configuration asks for one */
  uint16_t m_seq = 0;
  RcTime m_source_at = 0;       /* when the source made the packet at the head */

  uint64_t m_sent = 0, m_reports = 0, m_refused = 0;
  double m_most_outstanding_ratio = 0;
};

}
