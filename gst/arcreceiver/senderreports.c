/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "senderreports.h"

#include <gst/rtp/rtp.h>

guint
sender_reports_read (GstBuffer * buffer, SenderReport * reports)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint n = 0;
  gboolean more;

  if (!gst_rtcp_buffer_validate_reduced (buffer)
      || !gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return 0;
  for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more && n < SENDER_REPORTS_MAX;
      more = gst_rtcp_packet_move_to_next (&packet)) {
    if (gst_rtcp_packet_get_type (&packet) != GST_RTCP_TYPE_SR)
      continue;
    gst_rtcp_packet_sr_get_sender_info (&packet, &reports[n].ssrc, &reports[n].ntp, NULL, NULL,
        NULL);
    n++;
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return n;
}
