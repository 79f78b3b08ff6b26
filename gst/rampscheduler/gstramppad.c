/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstramppad.h"

#include "base/propertyrows.h"

#include <gst/arc/arc.h>

#define AUDIO_DELAY (10 * RC_MSEC)      /* half a usual packet interval: audio goes first */
#define MAX_BITRATE 2000000000

GST_DEBUG_CATEGORY (gst_ramp_scheduler_debug);

G_DEFINE_TYPE (GstRampPad, gst_ramp_pad, GST_TYPE_PAD);

static PROPERTY_ENUM_TYPE (flow_class_get_type, "GstRampPadFlowClass",
    {RC_RAMP_REAL_RATE, "Requires a rate of its own, as a camera or a microphone", "real-rate"},
    {RC_RAMP_GREEDY, "Takes the remaining bandwidth, as a file transfer", "greedy"})

void
gst_ramp_pad_set_profile (GstRampPad * self, RcProfile profile)
{
  GST_OBJECT_LOCK (self);
  self->settings.profile = profile;
  if (!self->settings.class_set)
    self->settings.flow_class = profile == RC_PROFILE_PAPER ? RC_RAMP_GREEDY : RC_RAMP_REAL_RATE;
  GST_OBJECT_UNLOCK (self);
}

RcRampFlowParams
gst_ramp_pad_get_params (GstRampPad * self)
{
  RcRampFlowParams params = RC_RAMP_FLOW_PARAMS_DEFAULT;
  RampPadSettings s;

  GST_OBJECT_LOCK (self);
  s = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (s.profile == RC_PROFILE_PAPER) {
    params = RC_RAMP_FLOW_PARAMS_PAPER;
  } else {
    if (self->audio)
      params.target.delay = AUDIO_DELAY;
    params.period = rc_ramp_period (params.target.delay);
  }
  params.flow_class = s.flow_class;
  params.weight = s.weight;
  params.max_bps = MAX (s.max_bps, s.min_bps);
  params.min_bps = s.min_bps;
  return params;
}

gboolean
gst_ramp_pad_is_keyframe_due (GstRampPad * pad, RcTime now)
{
  RcTime at = pad->queue ? send_queue_keyframe_due_at (pad->queue, now) : RC_TIME_NONE;

  return at != RC_TIME_NONE && at <= now;
}

guint
gst_ramp_pad_take_keyframes (GstRampPad * pad, RcTime now, guint32 ssrcs[ENCODER_ORDERS_MAX_FLOWS])
{
  guint n = 0;

  while (pad->queue && n < ENCODER_ORDERS_MAX_FLOWS
      && send_queue_take_keyframe_order (pad->queue, now, &ssrcs[n]))
    n++;
  return n;
}

#define COUNTER(...) FIELD_COUNTER (GstRampPad, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (GstRampPad, __VA_ARGS__)

const FieldRow gst_ramp_pad_fields[] = {
  BITRATE (flow.need_bps, "requirement", "rate that the stream needs, headers included"),
  BITRATE (flow.allocation_bps, "allocation", "rate reserved for the stream"),
  BITRATE (flow.sent_bps, "sent-bitrate", "sending rate, smoothed"),
  BITRATE (target_bps, "target-bitrate", "bitrate requested from the encoder, media only"),
  FIELD_TEXT (GstRampPad, target_cause, "target-cause", "why the encoder gets no more"),
  FIELD_GAUGE (GstRampPad, flow.waiting_bytes, "queue-bytes", "bytes", "media queued here"),
  COUNTER (flow.arrived_bytes, "bytes-in", "bytes", "bytes received from upstream"),
  COUNTER (flow.sent_bytes, "bytes-sent", "bytes", "bytes sent"),
  COUNTER (flow.dropped_bytes, "bytes-dropped", "bytes",
      "bytes dropped because the queue was full"),
  COUNTER (non_rtp_buffers, "non-rtp-buffers", "",
      "buffers not sent because they are not RTP packets"),
  COUNTER (events.dropped, "events-dropped", "", "events dropped because the queue was full"),
  FIELD_GAUGE (GstRampPad, live, "live", "", "the source is live"),
  {NULL}
};

typedef struct
{
  SendQueueStats queue;
  SendQueueKeyStats keys;
} PadQueueStats;

#define QUEUE_COUNTER(...) FIELD_COUNTER (PadQueueStats, __VA_ARGS__)

const FieldRow gst_ramp_pad_queue_fields[] = {
  QUEUE_COUNTER (queue.frames_dropped, "frames-dropped", "",
      "frames dropped because the queue was full"),
  QUEUE_COUNTER (queue.packets_dropped, "packets-dropped", "", "packets of dropped frames"),
  QUEUE_COUNTER (keys.ordered, "keyframe-requests", "", "keyframe requests sent to the encoder"),
  {NULL}
};

GstStructure *
gst_ramp_pad_create_stats (GstRampPad * self)
{
  GstStructure *s = gst_structure_new_empty (GST_RAMP_PAD_STATS);
  PadQueueStats stats = { {0}, {0} };

  if (self->queue) {
    send_queue_get_stats (self->queue, &stats.queue);
    send_queue_get_key_stats (self->queue, &stats.keys);
  }
  fields_add (s, gst_ramp_pad_fields, self);
  fields_add (s, gst_ramp_pad_queue_fields, &stats);
  return s;
}

#define NUMBER(...) PROPERTY_ROW_NUMBER (RampPadSettings, __VA_ARGS__)
#define READING(kind, ...) PROPERTY_ROW_OWN (kind, PROPERTY_READ, __VA_ARGS__)

/* The settings, then the readings. */
static const PropertyRow properties[] = {
  PROPERTY_ROW_ENUM (RampPadSettings, flow_class, PROPERTY_PLAYING, "flow-class", "Flow class",
      "Whether the stream requires a rate of its own or takes the remaining bandwidth (unset, "
      "with profile=paper: greedy)", flow_class_get_type, RC_RAMP_REAL_RATE),
  NUMBER (weight, PROPERTY_PLAYING, "weight", "Weight",
      "Relative share of the stream when the demand exceeds the budget", 0.01, 100, 1),
  NUMBER (min_bps, PROPERTY_PLAYING, "min-bitrate", "Minimum bitrate",
      "Rate reserved for the stream while it sends, in bit/s, headers included", 0, MAX_BITRATE,
      0),
  NUMBER (max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Upper limit of the stream's allocation and of its encoder in bit/s, headers included", 1,
      MAX_BITRATE, MAX_BITRATE),
  PROPERTY_ROW_BOOLEAN (RampPadSettings, adapt_encoder, PROPERTY_PLAYING, "adapt-encoder",
      "Adapt encoder", "Set the bitrate of the stream's video encoder upstream", TRUE),
  READING (PROPERTY_UINT64, "requirement", "Requirement",
      "Estimated demand of the stream in bit/s, headers included", 0, G_MAXUINT64, 0),
  READING (PROPERTY_UINT64, "allocation", "Allocation",
      "Rate allocated to the stream in bit/s, headers included", 0, G_MAXUINT64, 0),
  READING (PROPERTY_UINT64, "queue-bytes", "Queue bytes",
      "Backlog of the stream's queue in bytes, headers included", 0, G_MAXUINT64, 0),
  READING (PROPERTY_UINT, "target-bitrate", "Target bitrate",
      "Current target of the stream's encoder in bit/s of media, headers excluded (0: none "
      "yet)", 0, G_MAXUINT, 0),
  {NULL}
};

static void
gst_ramp_pad_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRampPad *self = GST_RAMP_PAD (object);

  GST_OBJECT_LOCK (self);
  property_rows_write (properties, &self->settings, id, value);
  self->settings.class_set |= g_str_equal (pspec->name, "flow-class");
  GST_OBJECT_UNLOCK (self);
}

/* Only within the scheduler there is something to read. */
static void
get_reading (GstRampPad * self, const gchar * name, GValue * value)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (self));
  GMutex *lock = parent ? self->lock : NULL;
  const RcRampFlow *flow = &self->flow;

  if (lock)
    g_mutex_lock (lock);
  if (g_str_equal (name, "requirement"))
    g_value_set_uint64 (value, (guint64) flow->need_bps);
  else if (g_str_equal (name, "allocation"))
    g_value_set_uint64 (value, (guint64) flow->allocation_bps);
  else if (g_str_equal (name, "queue-bytes"))
    g_value_set_uint64 (value, flow->waiting_bytes);
  else
    g_value_set_uint (value, self->target_bps);
  if (lock)
    g_mutex_unlock (lock);
  gst_clear_object (&parent);
}

static void
gst_ramp_pad_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRampPad *self = GST_RAMP_PAD (object);
  gboolean found;

  GST_OBJECT_LOCK (self);
  found = property_rows_read (properties, &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!found)
    get_reading (self, pspec->name, value);
}

static void
gst_ramp_pad_finalize (GObject * object)
{
  GstRampPad *self = GST_RAMP_PAD (object);

  g_clear_pointer (&self->queue, send_queue_free);
  ramp_events_free (&self->events);
  encoder_steering_free (self->steering);
  G_OBJECT_CLASS (gst_ramp_pad_parent_class)->finalize (object);
}

static void
warn_of_encoders (GObject * pad, const gchar * sentence)
{
  GstElement *element = gst_pad_get_parent_element (GST_PAD (pad));

  if (element)                  /* else the pad was released meanwhile */
    GST_ELEMENT_WARNING (element, STREAM, ENCODE, ("%s: %s", GST_OBJECT_NAME (pad), sentence),
        (NULL));
  gst_clear_object (&element);
}

static void
gst_ramp_pad_init (GstRampPad * self)
{
  property_rows_init (properties, &self->settings);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  ramp_events_init (&self->events);
  self->steering = encoder_steering_new (GST_PAD (self), G_OBJECT (self), "target-bitrate",
      FALSE, warn_of_encoders);
}

static void
gst_ramp_pad_class_init (GstRampPadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_ramp_pad_set_property;
  object_class->get_property = gst_ramp_pad_get_property;
  object_class->finalize = gst_ramp_pad_finalize;
  property_rows_install (object_class, 1, properties);
}
