/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* From one instance of the encoder to the next. Frames go into the new one at once, while a thread
 * drains the former: so an encoder that looks ahead does not hold up the camera. The first frame of
 * the new one waits in its pad until the last of the former has left; so the order is kept, and
 * nothing piles up: there are never more than two instances. */
#include "gstarcencodebinprivate.h"

GST_DEBUG_CATEGORY (gst_arc_encode_bin_debug);
#define GST_CAT_DEFAULT gst_arc_encode_bin_debug

/* A former instance that gives nothing back for so long has hung. While one of its frames waits for
 * what follows, such as a sink that pauses, it could not give any. */
#define LONGEST_SILENCE_S 5

/* While a law finds out what the network carries, the target doubles within seconds, and each step
 * would cost a keyframe. A fall is taken at once, since what is too much waits or is lost. */
#define LEAST_LIFE (2 * GST_SECOND)
#define LARGE_RISE_RATIO 2

/* Waits until all that came before has left. FALSE: flushing, or cut off. */
static gboolean
begin_passing (GstArcEncodeBin * self, EncoderInstance * instance)
{
  gboolean may_pass;

  g_mutex_lock (&self->lock);
  while (!self->flushing && instance == self->current && self->former)
    g_cond_wait (&self->changed, &self->lock);
  may_pass = instance->passing = !self->flushing && !instance->drained;
  g_mutex_unlock (&self->lock);
  return may_pass;
}

static void
end_passing (GstArcEncodeBin * self, EncoderInstance * instance)
{
  g_mutex_lock (&self->lock);
  instance->passing = FALSE;
  instance->silent_since_us = g_get_monotonic_time ();
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static GstFlowReturn
on_encoded (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  EncoderInstance *instance = gst_pad_get_element_private (pad);
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN_CAST (instance->bin);
  GstFlowReturn result;

  if (!begin_passing (self, instance)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_FLUSHING;
  }
  g_mutex_lock (&self->lock);
  self->frames_out++;
  g_mutex_unlock (&self->lock);
  result = gst_pad_push (self->srcpad, buffer);
  end_passing (self, instance);
  return result;
}

static gboolean
say_the_same (GstEvent * one, GstEvent * other)
{
  const GstSegment *segments[2];
  const gchar *streams[2];
  GstTagList *tags[2];
  GstCaps *caps[2];

  switch (GST_EVENT_TYPE (one)) {
    case GST_EVENT_STREAM_START:
      gst_event_parse_stream_start (one, &streams[0]);
      gst_event_parse_stream_start (other, &streams[1]);
      return g_str_equal (streams[0], streams[1]);
    case GST_EVENT_CAPS:
      gst_event_parse_caps (one, &caps[0]);
      gst_event_parse_caps (other, &caps[1]);
      return gst_caps_is_equal (caps[0], caps[1]);
    case GST_EVENT_SEGMENT:
      gst_event_parse_segment (one, &segments[0]);
      gst_event_parse_segment (other, &segments[1]);
      return gst_segment_is_equal (segments[0], segments[1]);
    case GST_EVENT_TAG:
      gst_event_parse_tag (one, &tags[0]);
      gst_event_parse_tag (other, &tags[1]);
      return gst_tag_list_is_equal (tags[0], tags[1]);
    default:
      return one == other;
  }
}

/* What follows has it already: a fresh instance says all again. */
static gboolean
is_known (GstArcEncodeBin * self, GstEvent * event)
{
  GstEvent *sticky = NULL;
  gboolean known;

  if (GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_EOS)
    sticky = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_TYPE (event), 0);
  known = sticky && say_the_same (sticky, event);
  g_clear_pointer (&sticky, gst_event_unref);
  return known;
}

/* TRUE: it is of a former instance and not meant for what follows. The end is for us alone. A
 * segment before the caps is of an encoder that was drained before its first frame, and the caps of
 * the present one would come too late behind it. */
static gboolean
is_between_us (GstArcEncodeBin * self, EncoderInstance * instance, GstEventType type)
{
  gboolean is_former, ends = type == GST_EVENT_EOS;

  g_mutex_lock (&self->lock);
  is_former = instance != self->current;
  if (is_former && ends) {
    instance->drained = TRUE;
    g_cond_broadcast (&self->changed);
  }
  instance->has_caps |= type == GST_EVENT_CAPS;
  ends |= type == GST_EVENT_SEGMENT && !instance->has_caps;
  g_mutex_unlock (&self->lock);
  return is_former && ends;
}

static gboolean
on_encoder_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  EncoderInstance *instance = gst_pad_get_element_private (pad);
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN_CAST (instance->bin);
  gboolean result;

  if (is_between_us (self, instance, GST_EVENT_TYPE (event))
      || is_known (self, event)) {
    gst_event_unref (event);
    return TRUE;
  }
  if (!GST_EVENT_IS_SERIALIZED (event) || GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    return gst_pad_push_event (self->srcpad, event);
  if (!begin_passing (self, instance)) {
    gst_event_unref (event);
    return FALSE;
  }
  result = gst_pad_push_event (self->srcpad, event);
  end_passing (self, instance);
  return result;
}

static gboolean
on_encoder_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  EncoderInstance *instance = gst_pad_get_element_private (pad);

  return gst_pad_peer_query (GST_ARC_ENCODE_BIN_CAST (instance->bin)->srcpad, query);
}

static gboolean
on_feed_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  EncoderInstance *instance = gst_pad_get_element_private (pad);

  return gst_pad_push_event (GST_ARC_ENCODE_BIN_CAST (instance->bin)->sinkpad, event);
}

static gboolean
on_feed_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  EncoderInstance *instance = gst_pad_get_element_private (pad);

  return gst_pad_peer_query (GST_ARC_ENCODE_BIN_CAST (instance->bin)->sinkpad, query);
}

static guint64
get_wanted (GstArcEncodeBin * self)
{
  guint64 bps;

  GST_OBJECT_LOCK (self);
  bps = self->wanted_bps;
  GST_OBJECT_UNLOCK (self);
  return bps;
}

/* NULL: an error was posted. */
static EncoderInstance *
new_instance (GstArcEncodeBin * self)
{
  EncoderInstance *instance = NULL;
  GError *error = NULL;
  gchar *description;

  GST_OBJECT_LOCK (self);
  description = g_strdup (self->description);
  GST_OBJECT_UNLOCK (self);
  if (description)
    instance = encoder_instance_new (GST_BIN (self), description, get_wanted (self), &error);
  if (!instance) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", error ? error->message : "No encoder."),
        ("Write, for example, arcencodebin encoder=\"svtav1enc preset=10\"."));
    g_clear_error (&error);
    g_free (description);
    return NULL;
  }
  gst_pad_set_chain_function (instance->caught, on_encoded);
  gst_pad_set_event_function (instance->caught, on_encoder_event);
  gst_pad_set_query_function (instance->caught, on_encoder_query);
  gst_pad_set_event_function (instance->feed, on_feed_event);
  gst_pad_set_query_function (instance->feed, on_feed_query);
  g_free (description);
  return instance;
}

/* FALSE: it does not start, an error was posted, and it is free. */
static gboolean
start (GstArcEncodeBin * self, EncoderInstance * instance)
{
  if (encoder_instance_start (instance))
    return TRUE;
  GST_ELEMENT_ERROR (self, LIBRARY, INIT, ("An instance of the encoder does not start."),
      ("arcencodebin has two at a time when the bitrate changes. Is there a limit of sessions?"));
  encoder_instance_free (instance);
  return FALSE;
}

/* With the lock, which it leaves. FALSE: it has hung. */
static gboolean
wait_for_sign (GstArcEncodeBin * self, EncoderInstance * former)
{
  gint64 until = former->silent_since_us + LONGEST_SILENCE_S * G_TIME_SPAN_SECOND;

  if (former->passing)
    g_cond_wait (&self->changed, &self->lock);
  else if (g_get_monotonic_time () >= until)
    return FALSE;
  else
    g_cond_wait_until (&self->changed, &self->lock, until);
  return TRUE;
}

static void
wait_for_end (GstArcEncodeBin * self, EncoderInstance * former)
{
  g_mutex_lock (&self->lock);
  former->silent_since_us = g_get_monotonic_time ();
  while (!self->flushing && !former->drained && wait_for_sign (self, former));
  if (!former->drained && !self->flushing) {
    self->cut_off++;
    GST_WARNING_OBJECT (self, "%" GST_PTR_FORMAT " gave nothing for %d s and is cut off",
        former->child, LONGEST_SILENCE_S);
  }
  former->drained = TRUE;
  self->former = NULL;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gpointer
drain (gpointer data)
{
  EncoderInstance *former = data;
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN_CAST (former->bin);

  gst_pad_push_event (former->feed, gst_event_new_eos ());
  wait_for_end (self, former);
  encoder_instance_free (former);
  return NULL;
}

static void
join_drain (GstArcEncodeBin * self)
{
  if (self->drain)
    g_thread_join (self->drain);
  self->drain = NULL;
}

static gboolean
tell_sticky (GstPad * pad, GstEvent ** event, gpointer user_data)
{
  GstArcEncodeBin *self = GST_ARC_ENCODE_BIN_CAST (GST_PAD_PARENT (pad));

  if (GST_EVENT_TYPE (*event) == GST_EVENT_CAPS && self->caps)
    gst_pad_push_event (user_data, gst_event_ref (self->caps));
  else if (GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_push_event (user_data, gst_event_ref (*event));
  return TRUE;
}

static gboolean
replace (GstArcEncodeBin * self)
{
  EncoderInstance *fresh;

  join_drain (self);
  fresh = new_instance (self);
  if (!fresh || !start (self, fresh))
    return FALSE;
  g_mutex_lock (&self->lock);
  self->former = self->current;
  self->current = fresh;
  self->takeovers++;
  self->began_pts = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT " takes over with %" G_GUINT64_FORMAT " bit/s",
      fresh->child, fresh->bps);
  self->drain = g_thread_new ("arcencodebin", drain, self->former);
  gst_pad_sticky_events_foreach (self->sinkpad, tell_sticky, fresh->feed);
  return TRUE;
}

/* The present instance is young: only a large rise is worth a keyframe. */
static gboolean
is_too_early (GstArcEncodeBin * self, guint64 wanted_bps, GstClockTime pts)
{
  guint64 bps = self->current->bps;

  if (!GST_CLOCK_TIME_IS_VALID (self->began_pts))
    self->began_pts = pts;
  return wanted_bps > bps && wanted_bps < LARGE_RISE_RATIO * bps && GST_CLOCK_TIME_IS_VALID (pts)
      && pts >= self->began_pts && pts - self->began_pts < LEAST_LIFE;
}

gboolean
gst_arc_encode_bin_take_over (GstArcEncodeBin * self, GstClockTime pts)
{
  guint64 wanted_bps = get_wanted (self);
  gboolean draining;

  if (is_too_early (self, wanted_bps, pts) || wanted_bps == 0
      || !encoder_row_is_worth_a_keyframe (self->current->bps, wanted_bps))
    return TRUE;
  g_mutex_lock (&self->lock);
  draining = self->former != NULL;
  g_mutex_unlock (&self->lock);
  return draining || replace (self);
}

gboolean
gst_arc_encode_bin_take_caps (GstArcEncodeBin * self, GstEvent * caps)
{
  GstCaps *before = NULL, *now;
  gboolean differ;

  gst_event_parse_caps (caps, &now);
  if (self->caps)
    gst_event_parse_caps (self->caps, &before);
  differ = before && !gst_caps_is_equal (before, now);
  gst_event_replace (&self->caps, caps);
  if (!differ)
    return gst_pad_push_event (self->current->feed, caps);
  gst_event_unref (caps);
  return replace (self);
}

gboolean
gst_arc_encode_bin_begin (GstArcEncodeBin * self)
{
  EncoderInstance *first = new_instance (self);

  if (!first || !start (self, first))
    return FALSE;
  g_mutex_lock (&self->lock);
  self->current = first;
  self->flushing = self->stopping = FALSE;
  self->began_pts = GST_CLOCK_TIME_NONE;
  self->frames_in = self->frames_out = self->takeovers = self->cut_off = 0;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

void
gst_arc_encode_bin_stop (GstArcEncodeBin * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = self->flushing = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

void
gst_arc_encode_bin_end (GstArcEncodeBin * self)
{
  EncoderInstance *last;

  join_drain (self);
  g_mutex_lock (&self->lock);
  last = self->current;
  self->current = NULL;
  g_mutex_unlock (&self->lock);
  if (last)
    encoder_instance_free (last);
  gst_event_replace (&self->caps, NULL);
}

void
gst_arc_encode_bin_set_flushing (GstArcEncodeBin * self, gboolean flushing)
{
  g_mutex_lock (&self->lock);
  self->flushing = flushing || self->stopping;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static GstPad *
pad_of_current (GstArcEncodeBin * self, gboolean feed)
{
  GstPad *pad = NULL;

  g_mutex_lock (&self->lock);
  if (self->current)
    pad = gst_object_ref (feed ? self->current->feed : self->current->caught);
  g_mutex_unlock (&self->lock);
  return pad;
}

GstPad *
gst_arc_encode_bin_feed (GstArcEncodeBin * self)
{
  return pad_of_current (self, TRUE);
}

GstPad *
gst_arc_encode_bin_caught (GstArcEncodeBin * self)
{
  return pad_of_current (self, FALSE);
}
