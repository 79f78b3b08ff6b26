/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which feedback a receiver sends, and what the caps of its packets offer. With `auto`:
 *
 *   1. its own report, while the sender is a native one: it announces itself (ARCS) each second
 *   2. RFC 8888 (CCFB), if the caps offer it (rtcp-fb-ack-ccfb)
 *   3. transport-wide feedback (TWCC), if the caps have its header extension
 *   4. receiver reports
 *
 * Our own comes first because its counters survive lost reports. CCFB comes before TWCC because it
 * reports ECN marks and needs no header extension. As in GStreamer's rtpsession the extension alone
 * asks for TWCC: a payloader makes such caps without rtcp-fb-transport-cc.
 *
 * A native sender says nothing until it has heard a report, so a new sender gets our own report for
 * ASKING: a sender that does not know it ignores it [RFC 3550 6.7]. A sender is new if its SSRC is
 * and if nothing else came for a while. Otherwise the first packet of a retransmission would
 * silence the feedback for other streams. No clock and no lock: both are the caller's.
 *
 * Rejected: two formats at once for the first second, since the sender would have to reconcile
 * two receivers that count differently. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* An answer takes one round trip and 50 ms (RC_INFO_MIN_INTERVAL). */
#define FEEDBACK_CHOICE_ASKING RC_SECOND
/* Five infos in a row are missing. */
#define FEEDBACK_CHOICE_GONE (5 * RC_SECOND)
#define FEEDBACK_CHOICE_PAUSE RC_SECOND

#define GST_TYPE_ARC_FEEDBACK (gst_arc_feedback_get_type ())
typedef enum
{
  GST_ARC_FEEDBACK_AUTO,
  GST_ARC_FEEDBACK_ARC,
  GST_ARC_FEEDBACK_CCFB,
  GST_ARC_FEEDBACK_TWCC,
  GST_ARC_FEEDBACK_RR,
} GstArcFeedback;

GType gst_arc_feedback_get_type (void);
const gchar *gst_arc_feedback_nick (GstArcFeedback feedback);

/* As GStreamer makes caps from SDP. */
typedef struct
{
  gboolean avpf;                /* any rtcp-fb-* [RFC 4585 4.2: only with AVPF] */
  gboolean ccfb;                /* a=rtcp-fb: ack ccfb [RFC 8888 6] */
  guint8 twcc_id;               /* of the header extension; 0: none */
  gboolean reduced_size;        /* a=rtcp-rsize [RFC 5506] */
} FeedbackOffer;

FeedbackOffer feedback_offer_from_caps (const GstCaps * caps);

typedef struct
{
  GstArcFeedback wanted;
  FeedbackOffer offer;
  /* RC_TIME_NONE: never */
  RcTime asked_at;              /* a new sender began */
  RcTime info_at;               /* the last ARCS */
  RcTime media_at, resumed_at;  /* the last packet, and the first after a pause */
} FeedbackChoice;

/* `wanted` and `offer` stay. */
void feedback_choice_begin (FeedbackChoice * self);
void feedback_choice_on_media (FeedbackChoice * self, gboolean new_source, RcTime now);
void feedback_choice_on_info (FeedbackChoice * self, RcTime now);
/* Never AUTO. TWCC without the header extension is RR. */
GstArcFeedback feedback_choice_now (const FeedbackChoice * self, RcTime now);

G_END_DECLS
