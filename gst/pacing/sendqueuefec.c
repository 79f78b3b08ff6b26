/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* FEC of a frame, as rtpulpfecenc puts it behind the frame's packets [RFC 5109]: with the same SSRC
 * and timestamp, a number that follows, and a payload type of its own.
 *
 * Problem: it is the XOR of packets that it names by their sequence numbers, a base and a mask.
 * Where the queue has dropped packets, it closes up the numbers of all that follow, so each base
 * names other packets, and a receiver would mend a loss with the sum of wrong ones. Rule: the base
 * moves with the number of the FEC packet itself. That holds for all that both have in common, a
 * frame, because frames are dropped as a whole. FEC that protects more than what leaves of its
 * frame in one piece is dropped, and so is FEC of packets to which an extension was added here:
 * but for RED, in which both are without header.
 * Rejected: to leave gaps in the numbers while FEC passes, since the receiver reports each gap as a
 * loss, which lowers the rate. */

#include "pacing/sendqueueprivate.h"

#include "rtp/ulpfec.h"

gboolean
send_fec_read (SendPacket * packet, const guint8 * payload, gsize size)
{
  packet->fec = ulpfec_get_base (payload, size, &packet->fec_base);
  return packet->fec;
}

void
send_fec_on_media (SendFrame * frame, guint16 seq, gboolean dropped)
{
  if (!dropped && !frame->keeps)
    frame->kept_from = seq;
  frame->keeps = !dropped;
}

gboolean
send_fec_holds (const SendQueue * self, const SendFlow * flow, const SendPacket * packet)
{
  const SendFrame *frame = flow->frame;

  if (self->enlarges && packet->inner_at == 0)
    return FALSE;
  if (!self->renumber || !flow->has_gaps)
    return TRUE;
  return frame->keeps && (gint16) (packet->fec_base - frame->kept_from) >= 0
      && (gint16) (packet->seq_in - packet->fec_base) > 0;
}

void
send_fec_move_base (const SendPacket * packet, GstRTPBuffer * rtp)
{
  guint8 *fec = (guint8 *) gst_rtp_buffer_get_payload (rtp) + packet->inner_at;

  ulpfec_set_base (fec, (guint16) (packet->fec_base - packet->seq_in + packet->seq));
}
