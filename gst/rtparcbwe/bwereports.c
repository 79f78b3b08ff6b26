/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP that came to the rtpsession that follows and not to us: receiver reports of RTP, and the
 * feedback of RFC 8888, which it does not read. The property `stats` of rtpsession has the last
 * block of a receiver only, which is not that of the media once it has had a retransmission. */

#include "gstrtparcbweprivate.h"

#include "rtp/rtcpmessage.h"

GST_DEBUG_CATEGORY (gst_rtp_arc_bwe_debug);

#include <gst/rtp/rtp.h>
#include <rc/feedback/ccfb.h>

#define SSRC_BYTES 4
#define MAX_BYTES 2048          /* more than a datagram has */

/* --- receiver reports --- */

/* On the thread that receives RTCP, without a lock of rtpsession. Before better feedback has come,
 * or its time is over, a report would begin the slow law for nothing. */
void
gst_rtp_arc_bwe_on_rtcp (GObject * rtp_inside, GstBuffer * buffer, GstRtpArcBwe * self)
{
  SendSession *session;
  RtcpMessage *message;

  if (!g_atomic_int_get (&self->messages) && !g_atomic_int_get (&self->unheard))
    return;
  session = session_host_dup_session (&self->host);
  message = g_new (RtcpMessage, 1);
  if (session && rtcp_message_read_buffer (message, buffer) == RTCP_VALID && message->n_blocks > 0)
    send_session_take_blocks (session, message->blocks, message->n_blocks);
  g_free (message);
  g_clear_pointer (&session, send_session_unref);
}

/* --- RFC 8888 --- */

/* rtpsession takes the SSRC of the first stream for that of the media, so it is put back. Returns
 * the size; 0: too long. */
static gsize
restore (guint32 first_ssrc, GstBuffer * fci, guint8 * bytes)
{
  gsize size = gst_buffer_get_size (fci);

  if (size > MAX_BYTES - SSRC_BYTES)
    return 0;
  GST_WRITE_UINT32_BE (bytes, first_ssrc);
  return SSRC_BYTES + gst_buffer_extract (fci, 0, bytes + SSRC_BYTES, size);
}

/* As above; fci is NULL where there is none. */
void
gst_rtp_arc_bwe_on_feedback (GObject * rtp_inside, guint type, guint format, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, GstRtpArcBwe * self)
{
  SendSession *session;
  guint8 bytes[MAX_BYTES];
  gsize size;

  if (type != GST_RTCP_TYPE_RTPFB || format != RC_CCFB_FMT || !fci)
    return;
  session = session_host_dup_session (&self->host);
  if (!session)
    return;
  size = restore (media_ssrc, fci, bytes);
  if (size > 0 && send_session_take_ccfb (session, bytes, size, sender_ssrc))
    g_atomic_int_inc (&self->messages);
  else
    g_atomic_int_inc (&self->messages_refused);
  send_session_unref (session);
}
