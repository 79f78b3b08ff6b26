/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP that came to the rtpsession that follows and not to us: receiver reports of RTP, whose last
 * block of each receiver is in its property `stats`, and the feedback of RFC 8888, which it does
 * not read. */

#include "gstrtparcbweprivate.h"

GST_DEBUG_CATEGORY (gst_rtp_arc_bwe_debug);

#include <gst/rtp/rtp.h>
#include <rc/feedback/ccfb.h>

#define MAX_BLOCKS 31           /* of one report [RFC 3550 6.4.2] */
#define SSRC_BYTES 4
#define MAX_BYTES 2048          /* more than a datagram has */

/* --- receiver reports --- */

/* FALSE: no report block of this receiver. */
static gboolean
read_block (const GstStructure * source, guint ssrc, RcReportBlock * block)
{
  gboolean internal = TRUE, has_block = FALSE;
  guint from = 0, about, highest;
  gint lost;

  gst_structure_get (source, "internal", G_TYPE_BOOLEAN, &internal, "have-rb", G_TYPE_BOOLEAN,
      &has_block, "ssrc", G_TYPE_UINT, &from, NULL);
  if (internal || !has_block || from != ssrc
      || !gst_structure_get (source, "rb-ssrc", G_TYPE_UINT, &about, "rb-exthighestseq",
          G_TYPE_UINT, &highest, "rb-packetslost", G_TYPE_INT, &lost, NULL))
    return FALSE;
  *block = (RcReportBlock) {.ssrc = about,.instance = from,.highest_seq = highest,
    .lost_pkts = lost };
  return TRUE;
}

/* GValueArray is deprecated in GLib, but it is what rtpsession gives. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS static guint
read_blocks (const GstStructure * stats, guint ssrc, RcReportBlock * blocks)
{
  const GValue *list = gst_structure_get_value (stats, "source-stats");
  GValueArray *sources = NULL;
  guint n = 0;

  if (list && G_VALUE_HOLDS (list, g_value_array_get_type ()))
    sources = g_value_get_boxed (list);
  for (guint i = 0; sources && i < sources->n_values && n < MAX_BLOCKS; i++)
    if (GST_VALUE_HOLDS_STRUCTURE (&sources->values[i]))
      n += read_block (gst_value_get_structure (&sources->values[i]), ssrc, &blocks[n]);
  return n;
}

G_GNUC_END_IGNORE_DEPRECATIONS
/* On the thread that receives RTCP, without a lock of rtpsession. Before better feedback has come,
 * or its time is over, a report would begin the slow law for nothing. */
void
gst_rtp_arc_bwe_on_report (GstElement * rtp_session, guint ssrc, GstRtpArcBwe * self)
{
  SendSession *session = session_host_dup_session (&self->host);
  RcReportBlock blocks[MAX_BLOCKS];
  GstStructure *stats = NULL;
  guint n = 0;

  if (session && (g_atomic_int_get (&self->messages) > 0 || g_atomic_int_get (&self->unheard)))
    g_object_get (rtp_session, "stats", &stats, NULL);
  if (stats)
    n = read_blocks (stats, ssrc, blocks);
  if (n > 0)
    send_session_take_blocks (session, blocks, n);
  g_clear_pointer (&stats, gst_structure_free);
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
