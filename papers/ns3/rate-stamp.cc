/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rate-stamp.h"

#include <algorithm>

using namespace ns3;

namespace arc {

NS_OBJECT_ENSURE_REGISTERED (RateStamp);

static constexpr uint32_t NOBODY = UINT32_MAX;

TypeId
RateStamp::GetTypeId ()
{
  static TypeId tid = TypeId ("arc::RateStamp").SetParent<Tag> ().AddConstructor<RateStamp> ();

  return tid;
}

RateStamp::RateStamp (RcTime rtt) : m_kbps (NOBODY),
    m_rtt_us (rtt > 0 ? static_cast<uint32_t> (std::min<RcTime> (rtt / RC_USEC, UINT32_MAX)) : 0)
{
}

void
RateStamp::Offer (uint64_t bps)
{
  m_kbps = std::min (m_kbps,
      static_cast<uint32_t> (std::clamp<uint64_t> (bps / 1000, 1, NOBODY - 1)));
}

uint64_t
RateStamp::Bps () const
{
  return m_kbps == NOBODY ? 0 : uint64_t{m_kbps} * 1000;
}

RcTime
RateStamp::Rtt () const
{
  return m_rtt_us > 0 ? m_rtt_us * RC_USEC : RC_TIME_NONE;
}

uint32_t
RateStamp::GetSerializedSize () const
{
  return 2 * sizeof (uint32_t);
}

void
RateStamp::Serialize (TagBuffer at) const
{
  at.WriteU32 (m_kbps);
  at.WriteU32 (m_rtt_us);
}

void
RateStamp::Deserialize (TagBuffer at)
{
  m_kbps = at.ReadU32 ();
  m_rtt_us = at.ReadU32 ();
}

void
RateStamp::Print (std::ostream &out) const
{
  out << Bps () << " bit/s, RTT " << m_rtt_us << " us";
}

}
