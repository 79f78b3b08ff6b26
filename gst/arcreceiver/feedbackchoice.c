/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "feedbackchoice.h"

#include "base/propertyrows.h"

#include "rtp/extmap.h"

#include <rc/feedback/twcc.h>

PROPERTY_ENUM_TYPE (gst_arc_feedback_get_type, "GstArcFeedback",
    {GST_ARC_FEEDBACK_AUTO, "Native reports to rmcsink, otherwise the best format in the caps",
        "auto"},
    {GST_ARC_FEEDBACK_ARC, "Native reports, the most detailed; only rmcsink reads them", "arc"},
    {GST_ARC_FEEDBACK_CCFB, "RFC 8888: arrival time and ECN bits of each packet", "ccfb"},
    {GST_ARC_FEEDBACK_TWCC, "Transport-wide congestion control: arrival time of each packet; "
        "requires its header extension", "twcc"},
    {GST_ARC_FEEDBACK_RR, "RTCP receiver reports: loss, jitter and RTT, for any sender", "rr"})

const gchar *
gst_arc_feedback_nick (GstArcFeedback feedback)
{
  return property_enum_nick (GST_TYPE_ARC_FEEDBACK, (gint) feedback);
}

static gboolean
is_feedback_field (GQuark field, const GValue * value, gpointer avpf)
{
  if (g_str_has_prefix (g_quark_to_string (field), "rtcp-fb-"))
    *(gboolean *) avpf = TRUE;
  return TRUE;
}

FeedbackOffer
feedback_offer_from_caps (const GstCaps * caps)
{
  FeedbackOffer offer = {.twcc_id = extmap_id_of_caps (caps, RC_TWCC_URI) };
  const GstStructure *structure;

  if (gst_caps_get_size (caps) == 0)
    return offer;
  structure = gst_caps_get_structure (caps, 0);
  gst_structure_foreach (structure, is_feedback_field, &offer.avpf);
  gst_structure_get_boolean (structure, "rtcp-fb-ack-ccfb", &offer.ccfb);
  offer.reduced_size = gst_structure_has_field (structure, "a-rtcp-rsize");
  return offer;
}

void
feedback_choice_begin (FeedbackChoice * self)
{
  self->asked_at = self->info_at = self->media_at = self->resumed_at = RC_TIME_NONE;
}

void
feedback_choice_on_media (FeedbackChoice * self, gboolean new_source, RcTime now)
{
  if (self->media_at == RC_TIME_NONE || now - self->media_at > FEEDBACK_CHOICE_PAUSE) {
    self->resumed_at = now;
    if (new_source)
      self->asked_at = now;
  }
  self->media_at = now;
}

void
feedback_choice_on_info (FeedbackChoice * self, RcTime now)
{
  self->info_at = now;
}

/* Or it may be one. A native sender is silent while it has nothing to send. */
static gboolean
is_native (const FeedbackChoice * self, RcTime now)
{
  gboolean asking = self->asked_at == RC_TIME_NONE
      || now - self->asked_at < FEEDBACK_CHOICE_ASKING;

  return asking || (self->info_at != RC_TIME_NONE
      && now - MAX (self->info_at, self->resumed_at) < FEEDBACK_CHOICE_GONE);
}

static GstArcFeedback
automatic (const FeedbackChoice * self, RcTime now)
{
  if (is_native (self, now))
    return GST_ARC_FEEDBACK_ARC;
  return self->offer.ccfb ? GST_ARC_FEEDBACK_CCFB : GST_ARC_FEEDBACK_TWCC;
}

GstArcFeedback
feedback_choice_now (const FeedbackChoice * self, RcTime now)
{
  GstArcFeedback feedback = self->wanted == GST_ARC_FEEDBACK_AUTO
      ? automatic (self, now) : self->wanted;

  return feedback == GST_ARC_FEEDBACK_TWCC && self->offer.twcc_id == 0
      ? GST_ARC_FEEDBACK_RR : feedback;
}
