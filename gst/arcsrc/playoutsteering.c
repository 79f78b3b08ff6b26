/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "playoutsteering.h"

#include "base/clockglue.h"
#include "base/padwalk.h"
#include "sharedlatency.h"

GST_DEBUG_CATEGORY_EXTERN (gst_arc_src_debug);
#define GST_CAT_DEFAULT gst_arc_src_debug

#define JITTER_BUFFER "rtpjitterbuffer"
#define RTPBIN "rtpbin"
/* rtpbin makes a jitter buffer with the first packet; later ones are for new sources. */
#define LOOK_INTERVAL RC_SECOND
#define FIRST_LOOK_INTERVAL (50 * RC_MSEC)      /* while there is none */
/* An application answers within its main loop's turn. */
#define PATIENCE (2 * RC_SECOND)

/* A box of which its probe holds a reference too: when the probe is removed, the jitter buffer's
 * thread may still be in it. */
typedef struct
{
  PlayoutSteering *steering;
  GstElement *owner;            /* a reference, as the next ones: the steering is a part of it */
  GstElement *element;          /* the jitter buffer */
  GstElement *target;           /* that, or the rtpbin around it */
  GstPad *srcpad;
  gulong probe;
  guint32 timestamp;            /* of the last packet that left it */
  gboolean any;
} SteeredBuffer;

/* --- one jitter buffer --- */

/* The time of its frame, by the clock. */
static GstClockTime
due_at (SteeredBuffer * self, GstBuffer * buffer)
{
  GstEvent *event = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_SEGMENT, 0);
  GstClockTime running = GST_CLOCK_TIME_NONE;
  const GstSegment *segment;

  if (!event)
    return GST_CLOCK_TIME_NONE;
  gst_event_parse_segment (event, &segment);
  if (segment->format == GST_FORMAT_TIME)
    running = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gst_event_unref (event);
  return GST_CLOCK_TIME_IS_VALID (running)
      ? running + gst_element_get_base_time (self->steering->owner) : GST_CLOCK_TIME_NONE;
}

/* In the jitter buffer's thread. */
static GstPadProbeReturn
on_shown (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  SteeredBuffer *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  guint8 header[12];
  guint32 timestamp;
  GstClockTime due;

  if (gst_buffer_extract (buffer, 0, header, sizeof header) < sizeof header)
    return GST_PAD_PROBE_OK;
  timestamp = GST_READ_UINT32_BE (header + 4);
  if (self->any && timestamp == self->timestamp)
    return GST_PAD_PROBE_OK;
  self->any = TRUE;
  self->timestamp = timestamp;
  due = due_at (self, buffer);
  if (GST_CLOCK_TIME_IS_VALID (due))
    meter_on_shown (self->steering->meter, GST_READ_UINT32_BE (header + 8), timestamp, due);
  return GST_PAD_PROBE_OK;
}

static gboolean
is_made_by (GstElement * element, const gchar * name)
{
  GstElementFactory *factory = element ? gst_element_get_factory (element) : NULL;

  return factory && g_str_equal (GST_OBJECT_NAME (factory), name);
}

static void
steered_buffer_clear (gpointer data)
{
  SteeredBuffer *self = data;

  gst_object_unref (self->srcpad);
  gst_object_unref (self->target);
  gst_object_unref (self->element);
  gst_object_unref (self->owner);
}

static void
steered_buffer_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, steered_buffer_clear);
}

static SteeredBuffer *
steered_buffer_new (PlayoutSteering * steering, GstElement * element)
{
  SteeredBuffer *self = g_atomic_rc_box_new0 (SteeredBuffer);
  GstObject *parent = gst_object_get_parent (GST_OBJECT (element));
  gboolean inside = GST_IS_ELEMENT (parent) && is_made_by (GST_ELEMENT (parent), RTPBIN);

  self->steering = steering;
  self->owner = gst_object_ref (steering->owner);
  self->element = gst_object_ref (element);
  self->target = gst_object_ref (inside ? GST_ELEMENT (parent) : element);
  self->srcpad = gst_element_get_static_pad (element, "src");
  self->probe = gst_pad_add_probe (self->srcpad, GST_PAD_PROBE_TYPE_BUFFER, on_shown,
      g_atomic_rc_box_acquire (self), steered_buffer_unref);
  g_clear_object (&parent);
  return self;
}

static void
steered_buffer_free (gpointer data)
{
  SteeredBuffer *self = data;

  shared_latency_leave (self->target, self->steering);
  gst_pad_remove_probe (self->srcpad, self->probe);
  steered_buffer_unref (self);
}

/* --- all of them --- */

static gboolean
collect (GstPad * pad, GstElement * element, gpointer user_data)
{
  if (!is_made_by (element, JITTER_BUFFER))
    return TRUE;
  g_ptr_array_add (user_data, gst_object_ref (element));
  return FALSE;
}

static gboolean
is_element_of (gconstpointer buffer, gconstpointer element)
{
  return ((const SteeredBuffer *) buffer)->element == element;
}

/* Keeps those that are still there, since their probes are. */
static void
look (PlayoutSteering * self)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);
  guint i;

  pad_walk (self->srcpad, collect, found);
  for (i = self->buffers->len; i > 0; i--)
    if (!g_ptr_array_find (found, ((SteeredBuffer *) self->buffers->pdata[i - 1])->element, NULL))
      g_ptr_array_remove_index (self->buffers, i - 1);
  for (i = 0; i < found->len; i++)
    if (!g_ptr_array_find_with_equal_func (self->buffers, found->pdata[i], is_element_of, NULL))
      g_ptr_array_add (self->buffers, steered_buffer_new (self, found->pdata[i]));
  g_ptr_array_unref (found);
}

static RcTime
present_latency (PlayoutSteering * self)
{
  guint i, ms, most_ms = 0;

  for (i = 0; i < self->buffers->len; i++) {
    g_object_get (((SteeredBuffer *) self->buffers->pdata[i])->target, "latency", &ms, NULL);
    most_ms = MAX (most_ms, ms);
  }
  return most_ms * RC_MSEC;
}

static void
begin (PlayoutSteering * self)
{
  RcPlayoutParams params = RC_PLAYOUT_PARAMS_DEFAULT;

  GST_OBJECT_LOCK (self->owner);
  params.least = clock_glue_from_gst (self->least);
  params.most = clock_glue_from_gst (MAX (self->most, self->least));
  GST_OBJECT_UNLOCK (self->owner);
  meter_set_playout (self->meter, &params, present_latency (self));
  self->runs = TRUE;
}

static void
give_back (PlayoutSteering * self)
{
  g_ptr_array_set_size (self->buffers, 0);
  meter_set_playout (self->meter, NULL, 0);
  if (self->runs)
    meter_set_jitter_latency (self->meter, RC_TIME_NONE);
  self->runs = FALSE;
  self->look_at = self->asked_at = RC_TIME_NONE;
  self->confirmed = FALSE;
  self->ms = 0;
}

static void
warn_of_no_answer (GstElement * owner, gpointer user_data)
{
  GST_ELEMENT_WARNING (owner, CORE, FAILED,
      ("adapt-latency has no effect: the application does not call gst_bin_recalculate_latency "
          "when GST_MESSAGE_LATENCY comes"), (NULL));
}

/* TRUE: another change may follow. */
static gboolean
is_answered (PlayoutSteering * self, const MeterPlayout * playout)
{
  if (self->confirmed || self->asked_at == RC_TIME_NONE)
    return TRUE;
  if (playout->events != self->events) {
    self->confirmed = TRUE;
  } else if (playout->now - self->asked_at > PATIENCE) {
    give_back (self);
    self->refused = TRUE;
    gst_element_call_async (self->owner, warn_of_no_answer, NULL, NULL);
  }
  return self->confirmed;
}

static void
wish (PlayoutSteering * self, guint ms, const MeterPlayout * playout)
{
  gboolean changed, any_changed = FALSE;
  guint i;

  meter_set_jitter_latency (self->meter, ms * RC_MSEC);
  for (i = 0; i < self->buffers->len; i++) {
    SteeredBuffer *buffer = self->buffers->pdata[i];

    shared_latency_wish (buffer->target, self, ms, &changed);
    any_changed |= changed;
  }
  meter_set_jitter_latency (self->meter, present_latency (self));
  self->ms = ms;
  if (!any_changed)
    return;
  GST_OBJECT_LOCK (self->owner);
  self->changes++;
  GST_OBJECT_UNLOCK (self->owner);
  GST_DEBUG_OBJECT (self->owner, "jitter buffer latency: %u ms", ms);
  if (self->asked_at == RC_TIME_NONE) {
    self->asked_at = playout->now;
    self->events = playout->events;
  }
}

static gboolean
is_wanted (PlayoutSteering * self)
{
  gboolean adapt;

  GST_OBJECT_LOCK (self->owner);
  adapt = self->adapt;
  GST_OBJECT_UNLOCK (self->owner);
  return adapt && !self->refused;
}

static void
look_now_and_then (PlayoutSteering * self, RcTime now)
{
  if (self->look_at != RC_TIME_NONE && now < self->look_at)
    return;
  look (self);
  self->look_at = now + (self->buffers->len > 0 ? LOOK_INTERVAL : FIRST_LOOK_INTERVAL);
  self->ms = 0;
}

static void
steer (PlayoutSteering * self)
{
  MeterPlayout playout;
  guint ms;

  if (!is_wanted (self)) {
    if (self->runs)
      give_back (self);
    return;
  }
  playout = meter_playout (self->meter);
  look_now_and_then (self, playout.now);
  if (self->buffers->len == 0 || !is_answered (self, &playout))
    return;
  if (g_atomic_int_compare_and_exchange (&self->stale, TRUE, FALSE) || !self->runs) {
    begin (self);
    playout = meter_playout (self->meter);
  }
  ms = (guint) ((playout.latency + RC_MSEC - 1) / RC_MSEC);
  if (playout.latency != RC_TIME_NONE && ms != self->ms)
    wish (self, ms, &playout);
}

static GstPadProbeReturn
on_measured (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  steer (user_data);
  return GST_PAD_PROBE_OK;
}

void
playout_steering_stop (PlayoutSteering * self)
{
  give_back (self);
  self->refused = FALSE;
}

void
playout_steering_renew (PlayoutSteering * self)
{
  gboolean adapt;

  GST_OBJECT_LOCK (self->owner);
  adapt = self->adapt;
  GST_OBJECT_UNLOCK (self->owner);
  if (adapt && !self->probe)
    self->probe = gst_pad_add_probe (self->srcpad, GST_PAD_PROBE_TYPE_BUFFER
        | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_measured, self, NULL);
  g_atomic_int_set (&self->stale, TRUE);
}

void
playout_steering_init (PlayoutSteering * self, GstElement * owner, Meter * meter,
    GstPad * srcpad)
{
  *self = (PlayoutSteering) {
  .owner = owner,.meter = meter,.srcpad = gst_object_ref (srcpad),
        .least = RC_PLAYOUT_LEAST,.most = RC_PLAYOUT_MOST,
        .look_at = RC_TIME_NONE,.asked_at = RC_TIME_NONE};
  self->buffers = g_ptr_array_new_with_free_func (steered_buffer_free);
}

void
playout_steering_clear (PlayoutSteering * self)
{
  if (self->probe)
    gst_pad_remove_probe (self->srcpad, self->probe);
  gst_object_unref (self->srcpad);
  g_ptr_array_unref (self->buffers);
}
