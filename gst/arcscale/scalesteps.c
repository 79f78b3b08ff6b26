/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* From the law's choice to caps: all on the streaming thread, before a frame, so that a size never
 * changes within one. */
#include "gstarcscaleprivate.h"

#include <gst/arc/arc.h>

/* A pause is no time in which a network or an encoder showed anything. */
#define LONGEST_FRAME (1 * RC_SECOND)

GST_DEBUG_CATEGORY (gst_arc_scale_debug);
#define GST_CAT_DEFAULT gst_arc_scale_debug

static gboolean
is_interlaced (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_IS_INTERLACED (info);
}

static void
reset_ladder (GstArcScale * self)
{
  RcLadderInput limits = self->limits;
  RcLadder ladder;

  limits.width = GST_VIDEO_INFO_WIDTH (&self->input);
  limits.height = GST_VIDEO_INFO_HEIGHT (&self->input);
  if (GST_VIDEO_INFO_FPS_D (&self->input) > 0)
    limits.fps = (gdouble) GST_VIDEO_INFO_FPS_N (&self->input)
        / GST_VIDEO_INFO_FPS_D (&self->input);
  rc_ladder_init (&ladder, &limits);
  if (is_interlaced (&self->input))
    ladder.n_rungs = 1;
  rc_scale_set_ladder (&self->law, &ladder);
}

const gchar *
gst_arc_scale_reason (GstArcScale * self)
{
  static const gchar *const texts[] = {
    [RC_SCALE_NO_TARGET] = "no-target",
    [RC_SCALE_FITS] = "fits",
    [RC_SCALE_LESS_RATE] = "less-rate",
    [RC_SCALE_MORE_RATE] = "more-rate",
    [RC_SCALE_HARDER] = "harder-content",
    [RC_SCALE_EASIER] = "easier-content",
  };

  if (is_interlaced (&self->input))
    return "interlaced";
  return self->refused ? "refused-downstream" : texts[self->law.reason];
}

/* What the filter must have for the rung. The first one is what comes in, untouched. */
static GstCaps *
caps_of_rung (const GstVideoInfo * input, const RcRung * rung, gboolean first)
{
  GstCaps *caps;

  if (first)
    return gst_caps_new_any ();
  caps = gst_caps_new_simple ("video/x-raw", "width", G_TYPE_INT, (gint) rung->width, "height",
      G_TYPE_INT, (gint) rung->height, "pixel-aspect-ratio", GST_TYPE_FRACTION,
      GST_VIDEO_INFO_PAR_N (input), GST_VIDEO_INFO_PAR_D (input), NULL);
  if (GST_VIDEO_INFO_FPS_N (input) > 0)
    gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, GST_VIDEO_INFO_FPS_N (input),
        GST_VIDEO_INFO_FPS_D (input) * (gint) rung->divisor, NULL);
  return caps;
}

/* Would what follows take them? Not all that answer look at the filter of the query. */
static gboolean
is_taken (GstArcScale * self, GstCaps * caps)
{
  GstCaps *taken;
  gboolean possible;

  if (gst_caps_is_any (caps))
    return TRUE;
  taken = gst_pad_peer_query_caps (self->srcpad, caps);
  possible = gst_caps_can_intersect (taken, caps);
  gst_caps_unref (taken);
  return possible;
}

/* The filter asks upstream to negotiate again, which only our own scaler must hear (see
 * on_sink_event_upstream). */
static void
set_filter (GstArcScale * self, GstCaps * caps)
{
  g_atomic_pointer_set (&self->setting, g_thread_self ());
  g_object_set (self->filter, "caps", caps, NULL);
  g_atomic_pointer_set (&self->setting, NULL);
}

static void
notify_current (GstArcScale * self)
{
  static const gchar *const names[] = { "current-width", "current-height", "current-framerate",
      "reason" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_object_notify (G_OBJECT (self), names[i]);
}

static void
post_step (GstArcScale * self)
{
  const RcRung *rung;
  GstStructure *s;

  GST_OBJECT_LOCK (self);
  rung = &self->law.ladder.rungs[self->rung];
  s = gst_structure_new (GST_ARC_SCALE_STEP, "width", G_TYPE_UINT, rung->width, "height",
      G_TYPE_UINT, rung->height, "framerate", G_TYPE_DOUBLE,
      self->law.ladder.fps / rung->divisor, "reason", G_TYPE_STRING, gst_arc_scale_reason (self),
      "bitrate", G_TYPE_UINT, (guint) MIN (self->law.told_bps, G_MAXUINT), "cause", G_TYPE_STRING,
      rc_cause_name (self->target_cause), NULL);
  GST_OBJECT_UNLOCK (self);
  GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT, s);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), s));
}

static void
warn_once (GstArcScale * self, const gchar * what, const gchar * remedy)
{
  gboolean warned;

  GST_OBJECT_LOCK (self);
  warned = self->warned;
  self->warned = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (!warned)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s", what), ("%s", remedy));
}

/* The rung that is wanted, or the nearest to it, towards the present one, that what follows takes.
 * Returns its caps. */
static GstCaps *
find_taken (GstArcScale * self, guint wanted, guint before, guint * rung)
{
  for (*rung = wanted;; *rung += *rung > before ? -1 : 1) {
    GstCaps *caps = caps_of_rung (&self->input, &self->law.ladder.rungs[*rung], *rung == 0);

    if (*rung == before || is_taken (self, caps))
      return caps;
    gst_caps_unref (caps);
  }
}

static void
move_to (GstArcScale * self, guint wanted)
{
  guint rung, before = self->rung;
  GstCaps *caps = find_taken (self, wanted, before, &rung);

  GST_OBJECT_LOCK (self);
  rc_scale_refuse (&self->law, rung);
  self->rung = rung;
  self->refused = rung != wanted;
  self->refusals += self->refused;
  self->steps += rung != before;
  GST_OBJECT_UNLOCK (self);
  set_filter (self, caps);
  gst_caps_unref (caps);
  if (rung != wanted)
    warn_once (self, "What follows fixes the frame size or rate, so it is kept.",
        "Take width, height and framerate out of the caps between arcscale and the encoder, and "
        "behind the encoder.");
  if (rung != before)
    post_step (self);
  notify_current (self);
}

/* With a new input or new limits, from the full rung. */
static void
begin_again (GstArcScale * self)
{
  guint wanted;

  GST_OBJECT_LOCK (self);
  self->rung = 0;
  self->limits_changed = self->refused = FALSE;
  reset_ladder (self);
  rc_scale_choose (&self->law, self->now);
  wanted = self->law.rung;
  GST_OBJECT_UNLOCK (self);
  self->skipped = G_MAXINT;     /* the first frame passes */
  move_to (self, wanted);
}

static void
let_time_pass (GstArcScale * self, GstClockTime running)
{
  if (GST_CLOCK_TIME_IS_VALID (running) && GST_CLOCK_TIME_IS_VALID (self->running)
      && running > self->running)
    self->now += (RcTime) MIN (running - self->running, (GstClockTime) LONGEST_FRAME);
  if (GST_CLOCK_TIME_IS_VALID (running))
    self->running = running;
}

void
gst_arc_scale_step (GstArcScale * self, GstClockTime running)
{
  gboolean changed, has_target, limits_changed;
  guint wanted;

  let_time_pass (self, running);
  if (GST_VIDEO_INFO_FORMAT (&self->input) == GST_VIDEO_FORMAT_UNKNOWN)
    return;
  GST_OBJECT_LOCK (self);
  has_target = self->law.told_bps > 0;
  limits_changed = self->limits_changed;
  changed = !limits_changed && rc_scale_choose (&self->law, self->now);
  wanted = self->law.rung;
  GST_OBJECT_UNLOCK (self);
  if (has_target)
    encoder_tap_look (self->tap, GST_ELEMENT (self), self->srcpad);
  if (limits_changed)
    begin_again (self);
  else if (changed)
    move_to (self, wanted);
}

void
gst_arc_scale_set_input (GstArcScale * self, GstCaps * caps)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return;
  GST_OBJECT_LOCK (self);
  self->input = info;
  GST_OBJECT_UNLOCK (self);
  begin_again (self);
  if (is_interlaced (&info))
    warn_once (self, "Interlaced video keeps its size and rate.",
        "Put a deinterlace before arcscale.");
}
