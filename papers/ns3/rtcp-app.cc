/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtcp-app.h"

#include <cstring>

using namespace ns3;

namespace arc {

static constexpr size_t HEADER_BYTES = 12;
static constexpr uint8_t VERSION_BITS = 0x80;
static constexpr uint8_t APP = 204;

static void
write_u32 (uint8_t *at, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    at[i] = static_cast<uint8_t> (value >> (24 - 8 * i));
}

static uint32_t
read_u32 (const uint8_t *at)
{
  return uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3];
}

/* `bytes` has room for the header in front of data_bytes of data. */
static Ptr<Packet>
frame (uint8_t *bytes, uint32_t sender_ssrc, const char *name, size_t data_bytes)
{
  size_t size = HEADER_BYTES + data_bytes;

  write_u32 (bytes, static_cast<uint32_t> (size / 4 - 1));
  bytes[0] = VERSION_BITS | RC_WIRE_VERSION;
  bytes[1] = APP;
  write_u32 (bytes + 4, sender_ssrc);
  memcpy (bytes + 8, name, 4);
  return Create<Packet> (bytes, static_cast<uint32_t> (size));
}

Ptr<Packet>
rtcp_app_new_report (uint32_t sender_ssrc, const RcReport &report, const TfrcLosses &losses)
{
  uint8_t bytes[HEADER_BYTES + RC_WIRE_MAX_BYTES + TFRC_BLOCK_BYTES];
  size_t n = rc_wire_encode_report (&report, bytes + HEADER_BYTES, RC_WIRE_MAX_BYTES);

  n += tfrc_losses_put (&losses, report.highest_seq, bytes + HEADER_BYTES + n);
  return frame (bytes, sender_ssrc, RC_WIRE_REPORT_NAME, n);
}

Ptr<Packet>
rtcp_app_new_info (uint32_t sender_ssrc, const RcSenderInfo &info)
{
  uint8_t bytes[HEADER_BYTES + RC_WIRE_MAX_BYTES];

  return frame (bytes, sender_ssrc, RC_WIRE_INFO_NAME,
      rc_wire_encode_info (&info, bytes + HEADER_BYTES, RC_WIRE_MAX_BYTES));
}

bool
rtcp_app_parse (const uint8_t *bytes, size_t n, RtcpApp *out)
{
  if (n < HEADER_BYTES || bytes[0] != (VERSION_BITS | RC_WIRE_VERSION) || bytes[1] != APP)
    return false;
  if ((size_t{bytes[2]} << 8 | bytes[3]) != n / 4 - 1 || n % 4 != 0)
    return false;
  out->sender_ssrc = read_u32 (bytes + 4);
  out->name.assign (reinterpret_cast<const char *> (bytes + 8), 4);
  out->data = bytes + HEADER_BYTES;
  out->data_bytes = n - HEADER_BYTES;
  return true;
}

}
