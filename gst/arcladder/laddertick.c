/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Lets the laws of lib/rc/ladder decide: which rung each viewer gets, when a keyframe is asked for,
 * and, where they are made here, where the rungs are. */

#include "gstarcladderprivate.h"

#include "base/clockglue.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

GST_DEBUG_CATEGORY (gst_arc_ladder_debug);

#define INTERVAL (20 * RC_MSEC)
/* As arcserversink without a splitter. */
#define NEED_INTERVAL (500 * RC_MSEC)
/* Frames from the last one that a rung has put out to the one that is to be a keyframe: the next
 * may be in the encoder already. */
#define FRAMES_AHEAD 2
/* An encoder that has put out frames of so much later was not told, or does not obey. */
#define MOST_DELAY (250 * GST_MSECOND)
/* Nobody waits for an encoder that has just begun, or stands still. */
#define MOST_SILENCE (200 * RC_MSEC)
/* Of a new viewer: it does not count yet beside others, and below the lowest rung it is sent that
 * one, out of which its sink grows or drops. Longer than one report keeps media flowing (5 s). */
#define PROBATION (6 * RC_SECOND)
/* How often it is counted who has which host. */
#define SHARE_INTERVAL (250 * RC_MSEC)

/* The bitrates that viewers choose from. In placing they are the law's own: an encoder that has
 * just been started has no frames yet. */
static void
measure_rungs (GstArcLadder * self, RcTime now)
{
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++) {
    GstArcLadderRung *rung = self->rungs[k];

    if (!self->placing)
      self->law->bps[k] = rung ? ladder_rung_bps (rung, now) : 0;
    self->law->base_bps[k] = rung ? ladder_rung_base_share (rung, now) * self->law->bps[k] : 0;
    if (rung == NULL)
      continue;
    rung->members = 0;
    if (GST_CLOCK_TIME_IS_VALID (rung->asked_for)
        && GST_CLOCK_TIME_IS_VALID (rung->last_running)
        && rung->last_running > rung->asked_for + MOST_DELAY)
      rung->asked_for = GST_CLOCK_TIME_NONE;
  }
}

/* Its receiver has not answered for long. */
static gboolean
is_new (const GstArcLadderViewer * viewer, RcTime now)
{
  return viewer->on_trial && (viewer->answers_since == RC_TIME_NONE
      || now - viewer->answers_since < PROBATION);
}

static gboolean
all_are_new (GstArcLadder * self, RcTime now)
{
  for (guint i = 0; i < self->viewers->len; i++)
    if (!is_new (self->viewers->pdata[i], now))
      return FALSE;
  return TRUE;
}

/* Viewers of one host count together as one, also those who begin to count before the next time. */
static void
share_hosts (GstArcLadder * self, gboolean all_count, RcTime now)
{
  GHashTable *counts;

  if (self->shared_at != RC_TIME_NONE && now - self->shared_at < SHARE_INTERVAL)
    return;
  self->shared_at = now;
  counts = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcLadderViewer *viewer = self->viewers->pdata[i];
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, &viewer->host));

    viewer->share = 1;
    if (viewer->host != 0 && (all_count || !is_new (viewer, now + SHARE_INTERVAL)))
      g_hash_table_insert (counts, &viewer->host, GUINT_TO_POINTER (n + 1));
  }
  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcLadderViewer *viewer = self->viewers->pdata[i];

    viewer->share /= MAX (GPOINTER_TO_UINT (g_hash_table_lookup (counts, &viewer->host)), 1);
  }
  g_hash_table_unref (counts);
}

/* By those whose receivers have answered for a while, if there are any: to call and to be silent
 * costs a stranger nothing. */
static void
place_rungs (GstArcLadder * self, RcTime now, LadderActions * actions)
{
  gboolean all_count = all_are_new (self, now);

  share_hosts (self, all_count, now);
  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcLadderViewer *viewer = self->viewers->pdata[i];
    gdouble bps = viewer->choice.safe_bps > 0 ? viewer->choice.safe_bps : self->placed_bps;

    if (bps > 0 && (all_count || !is_new (viewer, now)))
      rc_rungs_count (self->law, bps, viewer->weight * viewer->share, viewer->choice.rung);
  }
  actions->moved = rc_rungs_move (self->law, now);
}

static void
note_news (GstArcLadder * self, GstArcLadderViewer * viewer, gboolean stopped)
{
  if (viewer->stopped == stopped)
    return;
  viewer->stopped = stopped;
  g_queue_push_tail (&self->news, gst_structure_new (GST_ARC_LADDER_VIEWER_STATE, "pad",
          G_TYPE_STRING, GST_OBJECT_NAME (viewer), "served", G_TYPE_BOOLEAN, !stopped, "bitrate",
          G_TYPE_UINT, (guint) viewer->choice.told_bps, "cause", G_TYPE_STRING,
          rc_cause_name (viewer->cause), NULL));
}

/* What the viewer loses by waiting for its wish. */
static void
count_wait (GstArcLadder * self, GstArcLadderViewer * viewer)
{
  gint present = viewer->choice.rung;
  gdouble pixels = self->law->params.pixels_per_s, has = 0;
  gdouble gets = rc_placement_quality (self->law->bps[viewer->wish], pixels);
  gboolean urgent = viewer->needs_key || present == RC_RUNGS_NONE || self->law->bps[present] <= 0
      || (viewer->choice.told_bps > 0 && self->law->bps[present] > viewer->choice.told_bps);

  if (!urgent)
    has = rc_placement_quality (self->law->bps[present], pixels);
  rc_keygroup_count (&self->rungs[viewer->wish]->group, viewer->weight * MAX (gets - has, 0),
      urgent);
}

/* One viewer, which may ask on and on, brings about two keyframes a second at most. */
static gboolean
needs_key_now (GstArcLadderViewer * viewer, RcTime now)
{
  if (viewer->needs_key && !viewer->need_counts && now - viewer->need_at >= NEED_INTERVAL) {
    viewer->need_counts = TRUE;
    viewer->need_at = now;
  }
  return viewer->need_counts;
}

static void
choose_for_viewer (GstArcLadder * self, GstArcLadderViewer * viewer, RcTime now)
{
  gint present = viewer->choice.rung;
  gboolean needs_key = needs_key_now (viewer, now);

  viewer->wish = rc_viewerchoice_wish (&viewer->choice, self->law, now);
  if (viewer->wish == RC_RUNGS_NONE && is_new (viewer, now))
    viewer->wish = rc_rungs_lowest (self->law);
  if (viewer->choice.told_bps > 0)
    note_news (self, viewer, viewer->wish == RC_RUNGS_NONE);
  if (present != RC_RUNGS_NONE && self->rungs[present])
    self->rungs[present]->members++;
  if (viewer->wish != RC_RUNGS_NONE && self->rungs[viewer->wish]
      && (viewer->wish != present || needs_key)
      && !(present == RC_RUNGS_NONE && !g_queue_is_empty (&self->rungs[viewer->wish]->begin)))
    count_wait (self, viewer);  /* else it is sent the rung from its first keyframe on */
}

/* A rung that is placed no more goes on until the last of its viewers has another one. */
static void
note_unwatched (GstArcLadder * self, LadderActions * actions)
{
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++) {
    GstArcLadderRung *rung = self->rungs[k];

    if (rung == NULL)
      continue;
    if (rung->watched && rung->members == 0 && self->law->bps[k] <= 0)
      actions->moved = TRUE;
    rung->watched = rung->members > 0;
  }
}

/* The frame that is to be a keyframe: no rung has put it out. */
static GstClockTime
frame_ahead (GstArcLadder * self, GstArcLadderRung * asked)
{
  GstClockTime latest = 0;

  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++)
    if (self->rungs[k] && GST_CLOCK_TIME_IS_VALID (self->rungs[k]->last_running))
      latest = MAX (latest, self->rungs[k]->last_running);
  /* Half a frame less: times of frames are rounded. */
  return latest + asked->frame * FRAMES_AHEAD - asked->frame / 2;
}

/* The first frame is a keyframe in any case. GStreamer 1.22's encoders that are asked for it answer
 * no later request, if they shift their timestamps as x264enc does (GstVideoEncoder takes the
 * running time of that frame for 1000 hours). And one that was asked for is on its way. */
static gboolean
may_be_asked (GstArcLadderRung * rung)
{
  return rung->last_at != RC_TIME_NONE && !GST_CLOCK_TIME_IS_VALID (rung->asked_for);
}

static void
ask_for_keyframes (GstArcLadder * self, RcTime now, LadderActions * actions)
{
  for (guint k = 0; k < RC_PLACEMENT_MOST_RUNGS; k++) {
    GstArcLadderRung *rung = self->rungs[k];

    if (rung == NULL || !rc_keygroup_due (&rung->group, rung->members, now)
        || !may_be_asked (rung))
      continue;
    rung->keyframes_asked++;
    self->keyframes_asked++;
    rung->asked_for = frame_ahead (self, rung);
    GST_DEBUG_OBJECT (rung, "keyframe at %" GST_TIME_FORMAT " asked for, %u members, last frame %"
        GST_TIME_FORMAT, GST_TIME_ARGS (rung->asked_for), rung->members,
        GST_TIME_ARGS (rung->last_running));
    actions->at[actions->n_asks] = rung->asked_for;
    actions->ask[actions->n_asks++] = gst_object_ref (rung);
  }
}

/* Who waits for a keyframe that was asked for is not sent what comes after it. */
static void
hold_viewers (GstArcLadder * self, RcTime now)
{
  for (guint i = 0; i < self->viewers->len; i++) {
    GstArcLadderViewer *viewer = self->viewers->pdata[i];
    GstArcLadderRung *rung = viewer->wish == RC_RUNGS_NONE || viewer->wish == viewer->choice.rung
        ? NULL : self->rungs[viewer->wish];

    viewer->hold_at = rung && rung->last_at != RC_TIME_NONE && now - rung->last_at < MOST_SILENCE
        ? rung->asked_for : GST_CLOCK_TIME_NONE;
  }
}

void
gst_arc_ladder_tick (GstArcLadder * self, RcTime now, LadderActions * actions)
{
  actions->n_asks = 0;
  actions->moved = FALSE;
  if (self->ticked_at != RC_TIME_NONE && now - self->ticked_at < INTERVAL)
    return;
  self->ticked_at = now;
  measure_rungs (self, now);
  if (self->placing)
    place_rungs (self, now, actions);
  for (guint i = 0; i < self->viewers->len; i++)
    choose_for_viewer (self, self->viewers->pdata[i], now);
  if (self->placing)
    note_unwatched (self, actions);
  ask_for_keyframes (self, now, actions);
  hold_viewers (self, now);
}

static void
post_news (GstArcLadder * self)
{
  GstStructure *s;

  do {
    g_mutex_lock (&self->lock);
    s = g_queue_pop_head (&self->news);
    g_mutex_unlock (&self->lock);
    if (s)
      gst_element_post_message (GST_ELEMENT (self),
          gst_message_new_element (GST_OBJECT (self), s));
  } while (s);
}

void
gst_arc_ladder_act (GstArcLadder * self, LadderActions * actions)
{
  for (guint i = 0; i < actions->n_asks; i++) {
    gst_pad_push_event (GST_PAD (actions->ask[i]),
        gst_video_event_new_upstream_force_key_unit (actions->at[i], TRUE,
            (guint) actions->ask[i]->keyframes_asked));
    gst_object_unref (actions->ask[i]);
  }
  if (actions->moved)
    work_turns_schedule (&self->turns);
  post_news (self);
}

void
gst_arc_ladder_let_time_pass (GstArcLadder * self)
{
  LadderActions actions;

  g_mutex_lock (&self->lock);
  gst_arc_ladder_tick (self, clock_glue_monotonic (), &actions);
  g_mutex_unlock (&self->lock);
  gst_arc_ladder_act (self, &actions);
}
