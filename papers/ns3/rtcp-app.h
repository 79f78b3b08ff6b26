/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP APP packets (RFC 3550 6.7) around the bytes of <rc/feedback/wire.h>, as long on the wire
 * as those of the elements. */
#pragma once

#include "rc.h"

#include <ns3/packet.h>

namespace arc {

/* An incoming datagram as far as the two ends look into it. */
struct RtcpApp
{
  uint32_t sender_ssrc;
  std::string name;             /* RC_WIRE_REPORT_NAME or RC_WIRE_INFO_NAME */
  const uint8_t *data;          /* into the bytes that were parsed */
  size_t data_bytes;
};

ns3::Ptr<ns3::Packet> rtcp_app_new_report (uint32_t sender_ssrc, const RcReport &report,
    const TfrcLosses &losses);
ns3::Ptr<ns3::Packet> rtcp_app_new_info (uint32_t sender_ssrc, const RcSenderInfo &info);
/* false: not such a packet, or of another version. */
bool rtcp_app_parse (const uint8_t *bytes, size_t n, RtcpApp *out);

}
