/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rtpsession that follows, which gets the receiver's RTCP. It hands receiver reports and
 * RFC 8888 out by signals; only TWCC comes as an event.
 *
 * RFC 8888 comes by `on-feedback-rtcp`; report blocks are read of what `on-receiving-rtcp` shows,
 * and count when no list came for 5 s at first, or for 2 s later. Then the slow law goes on with
 * at least half of the rate of the last list, since the law before took the silence for
 * congestion.
 *
 * Two rtparcbwe: in a row the earlier one lets all pass (query GstArcBweFollows). Side by side
 * before an rtpfunnel TWCC numbers both in one row, so neither uses it. Rejected: one session
 * for both, since a packet would leave by the other's pad; telling packets apart by the time
 * they entered rtpsession; giving TWCC up wherever it names more packets than passed, since FEC
 * behind us makes such packets too. */

#include "gstrtparcbweprivate.h"

#define RTCP_SIGNAL "on-receiving-rtcp"
#define FEEDBACK_SIGNAL "on-feedback-rtcp"
#define MAX_HOPS 32             /* elements between, and pads of bins */
#define COUNT "gst-arc-bwe-count"

/* Takes a pad in the wall of a bin; returns the one behind it, or NULL. */
static GstPad *
pass_wall (GstPad * pad)
{
  GstPad *next = NULL;

  if (GST_IS_GHOST_PAD (pad)) {
    next = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
  } else {
    GstProxyPad *outside = gst_proxy_pad_get_internal (GST_PROXY_PAD (pad));

    next = outside ? gst_pad_get_peer (GST_PAD (outside)) : NULL;
    gst_clear_object (&outside);
  }
  gst_object_unref (pad);
  return next;
}

static gboolean
is_rtp_session (GstElement * element)
{
  return g_signal_lookup ("on-ssrc-active", G_OBJECT_TYPE (element))
      && g_object_class_find_property (G_OBJECT_GET_CLASS (element), "internal-session");
}

/* Behind an element with one way out, as rtpfunnel or queue. */
static GstPad *
pass_element (GstElement * element)
{
  GstPad *src = gst_element_get_static_pad (element, "src"), *next;

  if (!src)
    return NULL;
  next = gst_pad_get_peer (src);
  gst_object_unref (src);
  return next;
}

/* NULL: what follows is none. */
static GstElement *
find_rtp_session (GstRtpArcBwe * self)
{
  GstPad *pad = gst_pad_get_peer (self->srcpad);
  GstElement *element = NULL;

  for (guint i = 0; pad && i < MAX_HOPS; i++) {
    if (GST_IS_PROXY_PAD (pad)) {
      pad = pass_wall (pad);
      continue;
    }
    element = gst_pad_get_parent_element (pad);
    gst_clear_object (&pad);
    if (!element || is_rtp_session (element))
      return element;
    pad = pass_element (element);
    gst_clear_object (&element);
  }
  gst_clear_object (&pad);
  return NULL;
}

/* --- how many of us enter it --- */

static guint
count_at (GstElement * rtp_session, gint change)
{
  static GMutex lock;
  guint n;

  g_mutex_lock (&lock);
  n = (guint) (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (rtp_session), COUNT)) + change);
  g_object_set_data (G_OBJECT (rtp_session), COUNT, GUINT_TO_POINTER (n));
  g_mutex_unlock (&lock);
  return n;
}

gboolean
gst_rtp_arc_bwe_shares_session (GstRtpArcBwe * self)
{
  GstElement *rtp_session;
  gboolean shares;

  GST_OBJECT_LOCK (self);
  rtp_session = self->rtp_session ? gst_object_ref (self->rtp_session) : NULL;
  GST_OBJECT_UNLOCK (self);
  shares = rtp_session && count_at (rtp_session, 0) > 1;
  gst_clear_object (&rtp_session);
  return shares;
}

/* Two in a row would both set the encoder, and one would take the queue of the other for
 * congestion. The one next to the session decides; this one lets all pass. */
static void
give_way (GstRtpArcBwe * self)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new_empty (BWE_FOLLOWS));
  gboolean passive = gst_pad_peer_query (self->srcpad, query);

  gst_query_unref (query);
  if (!session_host_set_passive (&self->host, passive))
    return;
  if (passive)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("another rtparcbwe follows in the same RTP session "
            "and decides; this one lets all pass. Remove one of them"), (NULL));
}

void
gst_rtp_arc_bwe_meet_session (GstRtpArcBwe * self)
{
  GstElement *rtp_session;
  GObject *inside = NULL;

  if (!g_atomic_int_compare_and_exchange (&self->meet_session, TRUE, FALSE))
    return;
  gst_rtp_arc_bwe_leave_session (self);
  give_way (self);
  rtp_session = g_atomic_int_get (&self->host.passive) ? NULL : find_rtp_session (self);
  if (!rtp_session)
    return;
  count_at (rtp_session, 1);
  g_object_get (rtp_session, "internal-session", &inside, NULL);
  if (inside && g_signal_lookup (RTCP_SIGNAL, G_OBJECT_TYPE (inside)))
    g_signal_connect_object (inside, RTCP_SIGNAL, G_CALLBACK (gst_rtp_arc_bwe_on_rtcp), self, 0);
  if (inside && g_signal_lookup (FEEDBACK_SIGNAL, G_OBJECT_TYPE (inside)))
    g_signal_connect_object (inside, FEEDBACK_SIGNAL, G_CALLBACK (gst_rtp_arc_bwe_on_feedback),
        self, 0);
  GST_OBJECT_LOCK (self);
  self->rtp_session = rtp_session;
  self->rtp_inside = inside;
  GST_OBJECT_UNLOCK (self);
}

void
gst_rtp_arc_bwe_leave_session (GstRtpArcBwe * self)
{
  GstElement *rtp_session;
  GObject *inside;

  GST_OBJECT_LOCK (self);
  rtp_session = g_steal_pointer (&self->rtp_session);
  inside = g_steal_pointer (&self->rtp_inside);
  GST_OBJECT_UNLOCK (self);
  if (rtp_session) {
    g_signal_handlers_disconnect_by_data (rtp_session, self);
    count_at (rtp_session, -1);
  }
  if (inside)
    g_signal_handlers_disconnect_by_data (inside, self);
  gst_clear_object (&rtp_session);
  g_clear_object (&inside);
}
