/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Receiver reports of RTP, which come to the rtpsession that follows and not to us. It emits
 * `on-ssrc-active` for each, and tells the last report block of each receiver in its property
 * `stats`. */

#include "gstrtparcbweprivate.h"

#define SIGNAL "on-ssrc-active"
#define MAX_HOPS 16             /* pads of bins around us and around rtpsession */
#define MAX_BLOCKS 31           /* of one report [RFC 3550 6.4.2] */

/* --- the session --- */

/* Through the walls of bins. Takes the pad; returns the one behind the wall, the same where there
 * is no wall, or NULL. */
static GstPad *
pass_wall (GstPad * pad)
{
  GstPad *next = NULL;

  if (GST_IS_GHOST_PAD (pad)) {
    next = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
  } else if (GST_IS_PROXY_PAD (pad)) {
    GstProxyPad *outside = gst_proxy_pad_get_internal (GST_PROXY_PAD (pad));

    next = outside ? gst_pad_get_peer (GST_PAD (outside)) : NULL;
    gst_clear_object (&outside);
  } else {
    return pad;
  }
  gst_object_unref (pad);
  return next;
}

/* NULL: what follows is none. */
static GstElement *
find_rtp_session (GstRtpArcBwe * self)
{
  GstPad *pad = gst_pad_get_peer (self->srcpad);
  GstElement *element;

  for (guint i = 0; pad && i < MAX_HOPS; i++)
    pad = pass_wall (pad);
  element = pad ? gst_pad_get_parent_element (pad) : NULL;
  if (element && !g_signal_lookup (SIGNAL, G_OBJECT_TYPE (element)))
    gst_clear_object (&element);
  gst_clear_object (&pad);
  return element;
}

/* --- its reports --- */

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
/* On the thread that receives RTCP, without a lock of rtpsession. */
static void
on_report (GstElement * rtp_session, guint ssrc, gpointer user_data)
{
  GstRtpArcBwe *self = user_data;
  RmcSession *session = gst_rtp_arc_bwe_dup_session (self);
  RcReportBlock blocks[MAX_BLOCKS];
  GstStructure *stats = NULL;
  guint n;

  if (!session)
    return;
  g_object_get (rtp_session, "stats", &stats, NULL);
  n = stats ? read_blocks (stats, ssrc, blocks) : 0;
  if (n > 0)
    rmc_session_take_blocks (session, blocks, n);
  g_clear_pointer (&stats, gst_structure_free);
  rmc_session_unref (session);
}

/* --- life --- */

void
gst_rtp_arc_bwe_hear_reports (GstRtpArcBwe * self)
{
  GstElement *rtp_session = find_rtp_session (self);

  if (!rtp_session)
    return;
  gst_rtp_arc_bwe_ignore_reports (self);
  g_signal_connect_object (rtp_session, SIGNAL, G_CALLBACK (on_report), self, 0);
  GST_OBJECT_LOCK (self);
  self->rtp_session = rtp_session;
  GST_OBJECT_UNLOCK (self);
}

void
gst_rtp_arc_bwe_ignore_reports (GstRtpArcBwe * self)
{
  GstElement *rtp_session;

  GST_OBJECT_LOCK (self);
  rtp_session = g_steal_pointer (&self->rtp_session);
  GST_OBJECT_UNLOCK (self);
  if (rtp_session)
    g_signal_handlers_disconnect_by_func (rtp_session, on_report, self);
  gst_clear_object (&rtp_session);
}
