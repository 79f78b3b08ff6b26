/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/stamptrailer.h"

#include "rtp/ratestamp.h"
#include "rtp/rtcpmessage.h"

#include <string.h>

#define RTP_VERSION 2
#define RTP_HEADER_BYTES 12

static const guint8 mark[] = { 0x70, 0x95, 0xad, 0x86, 0x56, 0x4a, 0x55, 0x90 };

G_STATIC_ASSERT (RATE_STAMP_BYTES + sizeof mark == STAMP_TRAILER_BYTES);

void
stamp_trailer_write (guint8 * trailer, RcTime rtt)
{
  rate_stamp_write (trailer, rtt);
  memcpy (trailer + RATE_STAMP_BYTES, mark, sizeof mark);
}

guint8 *
stamp_trailer_find (guint8 * packet, gsize size)
{
  guint8 *trailer = packet + size - MIN (size, STAMP_TRAILER_BYTES);

  if (size < RTP_HEADER_BYTES + STAMP_TRAILER_BYTES || packet[0] >> 6 != RTP_VERSION
      || rtcp_is_rtcp (packet, size))
    return NULL;
  return memcmp (trailer + RATE_STAMP_BYTES, mark, sizeof mark) == 0 ? trailer : NULL;
}
