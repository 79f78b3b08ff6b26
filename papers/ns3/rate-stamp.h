/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stamp for explicit rates on a simulated packet. The elements write it into an RTP header
 * extension; here a tag carries the same two values in the same units, since ns-3's queues hold
 * packets with their headers. */
#pragma once

#include "rc.h"

#include <ns3/tag.h>

namespace arc {

class RateStamp : public ns3::Tag
{
public:
  static ns3::TypeId GetTypeId ();
  ns3::TypeId GetInstanceTypeId () const override { return GetTypeId (); }

  /* rtt: as the sender claims; RC_TIME_NONE: it knows none. */
  explicit RateStamp (RcTime rtt = RC_TIME_NONE);
  /* A relay on the way offers this: the least holds. */
  void Offer (uint64_t bps);
  /* 0: nobody has stamped. */
  uint64_t Bps () const;
  RcTime Rtt () const;

private:
  uint32_t GetSerializedSize () const override;
  void Serialize (ns3::TagBuffer at) const override;
  void Deserialize (ns3::TagBuffer at) override;
  void Print (std::ostream &out) const override;

  uint32_t m_kbps, m_rtt_us;
};

}
