/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rampscheduler
 * @title: rampscheduler
 * @see_also: rmcsink, rtpfunnel
 *
 * Several RTP streams share one budget, each by what it really needs: cameras, microphones, FEC,
 * retransmissions and data into one rmcsink, and so one congestion controller. Put it where
 * rtpfunnel would stand.
 *
 * ## Behaviour
 *
 * Each sink pad has a queue. What a stream needs is inferred from the fill level of its queue
 * (RAMP: lib/rc/sched/ramp.c); that much of the budget is reserved for it, and the packet with the
 * earliest deadline goes first: audio, which is due within 10 ms of its arrival, does not wait for
 * a keyframe of video, due within 50 ms. Nothing waits while bandwidth is left. Greedy streams
 * (#GstRampPad:flow-class) get what the others leave, and at least 100 kbit/s together.
 *
 * The budget is what rmcsink downstream says that the network carries, or #GstRampScheduler:budget.
 * When not all fits, the streams are levelled by #GstRampPad:weight, above what
 * #GstRampPad:min-bitrate keeps for each; small streams so get all that they need. Each encoder is
 * notified of its share, with 25 % headroom over its current use, so that it can grow.
 *
 * A live stream that has more than #GstRampScheduler:max-queue-time waiting has whole frames
 * dropped up to the next keyframe, and others must wait. Streams may come and go; one that stalls
 * does not hold up the others. To take one away while it plays, release its pad first and then stop
 * its source, which may wait for room. The stream ends when all have.
 *
 * A seek flushes what follows once, from the first stream's flush to the last's; a flush of one
 * stream alone is not the others'.
 *
 * Custom events and messages for the sink wait among the packets of their stream, at most 100 of
 * them, and leave in their order. Events that describe one stream (tags, for example) end here.
 * Upstream threads never wait for downstream, so allocation and drain queries are not answered.
 *
 * ## Feedback
 *
 * Takes the upstream event `GstArcTargetBitrate` (`network-bitrate`, or `bitrate`: uint, bit/s for
 * all streams; `latency`: uint64, ns), and sends it (`bitrate`: uint, bit/s of media, `ssrc`: uint,
 * `latency`) up each sink pad with that pad's share; sets the bitrate of each video encoder
 * (#GstRampScheduler:adapt-encoder; rmcsink then leaves them alone), notifies
 * #GstRampPad:target-bitrate. When the needs begin or cease to exceed the budget: element message
 * `GstRampSchedulerOverload` (`overloaded`: boolean, `requirement`, `budget`: uint64, bit/s).
 *
 * ## Tuning
 *
 * #GstRampPad:weight says how the streams share a budget that is too small for all. `latency` of
 * the sink holds here too: it limits the size of the frames, and #GstRampScheduler:max-queue-time
 * is six times as long. #GstRampScheduler:latency overrides it.
 *
 * `profile=paper` is RAMP as published, to compare with it: streams are greedy by default, a
 * real-rate stream has a target of 16 kB and a period of 0.1 ms, and it waits for its allocation
 * even when bandwidth is left. A stream of few packets then waits until 16 kB have come, unless
 * #GstRampPad:min-bitrate keeps a rate for it.
 *
 * ## Statistics
 *
 * #GstRampScheduler:stats; gst-inspect-1.0 lists the fields.
 *
 * ## Clock and threads
 *
 * The monotonic clock of the machine. One thread sends and, each 10 ms, samples; events, messages
 * and encoders are served by GStreamer's pool of threads.
 *
 * ## Example
 *
 * |[
 * gst-launch-1.0 rampscheduler name=s sink_0::weight=2 ! rmcsink host=192.0.2.1 port=5004 \
 *     v4l2src ! videoconvert ! x264enc tune=zerolatency ! \
 *     rtph264pay mtu=1200 pt=96 ! s.sink_0 \
 *     v4l2src device=/dev/video2 ! videoconvert ! x264enc tune=zerolatency ! \
 *     rtph264pay mtu=1200 pt=97 ! s.sink_1 \
 *     pulsesrc ! audioconvert ! opusenc ! rtpopuspay pt=98 ! s.sink_2
 * ]|
 * The first camera gets twice what the second gets; the sound is never late.
 *
 * ## Limits
 *
 * Packets are counted with the headers of IPv4 unless the sink answers the query below with others.
 * A source without a clock of its own, such as a file, is greedy or needs clocksync before the
 * scheduler.
 *
 * Since: 0.1
 */

/* How stock elements join many streams, and why this is none of them:
 *
 *   funnel, rtpfunnel   no queue: first come, first served, and all wait while one push blocks
 *   multiqueue          one queue per stream, but as many outputs, and no arbitration between them
 *   GstAggregator       one output, but it acts when every pad has data or a latency has passed:
 *                       right for mixing; a scheduler acts when any pad has data and the output has
 *                       room
 *
 * So: a queue for each pad (rampsource.c), and a task at the source pad that picks (rampoutput.c).
 *
 * When the task picks is decided in one place. Problem: what waits in the sink can no longer be
 * overtaken, and neither can the packet in the hand that pushes; at 1 Mbit/s each packet is 10
 * ms. Rule: rmcsink lends its pacer, in the query GstArcQueuesUpstream. The task asks it when
 * the next packet may leave, sleeps until then, picks at that moment, pays for the packet and
 * pushes it; the sink sends it at once (ramppacing.c). The sink says in the query too what a
 * packet costs beside RTP. A budget that the user sets is paced by a pacer of the scheduler's
 * own. Any other sink is pushed to as long as it takes packets: then its blocking drives the
 * scheduler. */

/* Rejected: the sink's thread takes packets from the scheduler's queues, past probes, blocked
 * pads, preroll and the elements between; it tells the scheduler to push one packet, two changes
 * of thread each; two pacers, the first a little ahead, which took five constants to tune. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"
#include "base/description.h"
#include "base/padname.h"
#include "base/profiletype.h"
#include "base/propertyrows.h"
#include "base/watchlist.h"

#include <gst/arc/arc.h>

#define GREEDY_MIN_BPS 100000   /* of all greedy streams together, on the network */

static void child_proxy_init (gpointer iface, gpointer data);

G_DEFINE_TYPE_WITH_CODE (GstRampScheduler, gst_ramp_scheduler, GST_TYPE_ELEMENT,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY, child_proxy_init);
    GST_DEBUG_CATEGORY_INIT (gst_ramp_scheduler_debug, "rampscheduler", 0,
        "RTP streams that share a budget"));
GST_ELEMENT_REGISTER_DEFINE (rampscheduler,
    "rampscheduler", GST_RANK_NONE, GST_TYPE_RAMP_SCHEDULER);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

/* --- pads --- */

static GstPad *
gst_ramp_scheduler_request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * wanted, const GstCaps * caps)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (element);
  gchar *name = pad_name_choose (element, "sink_%u", wanted, &self->next_pad);
  GstPad *pad = g_object_new (GST_TYPE_RAMP_PAD, "name", name, "direction", GST_PAD_SINK,
      "template", template, NULL);

  g_free (name);
  GST_RAMP_PAD (pad)->lock = &self->lock;
  gst_ramp_scheduler_init_sink_pad (GST_RAMP_PAD (pad));
  gst_object_ref_sink (pad);
  /* Signal handlers may push at once. */
  gst_ramp_scheduler_enter_pad (self, GST_RAMP_PAD (pad));
  if (!gst_element_add_pad (element, pad)) {
    gst_ramp_scheduler_leave_pad (self, GST_RAMP_PAD (pad));
    gst_object_unref (pad);
    return NULL;
  }
  gst_child_proxy_child_added (GST_CHILD_PROXY (self), G_OBJECT (pad), GST_OBJECT_NAME (pad));
  gst_object_unref (pad);
  return pad;
}

static void
gst_ramp_scheduler_release_pad (GstElement * element, GstPad * pad)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (element);

  gst_pad_set_active (pad, FALSE);
  gst_ramp_scheduler_leave_pad (self, GST_RAMP_PAD (pad));
  gst_child_proxy_child_removed (GST_CHILD_PROXY (self), G_OBJECT (pad), GST_OBJECT_NAME (pad));
  gst_element_remove_pad (element, pad);
}

static GObject *
get_child (GstChildProxy * proxy, guint index)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (proxy);
  GObject *child;

  g_mutex_lock (&self->lock);
  child = index < self->source.pads->len ? g_object_ref (self->source.pads->pdata[index]) : NULL;
  g_mutex_unlock (&self->lock);
  return child;
}

static guint
count_children (GstChildProxy * proxy)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (proxy);
  guint n;

  g_mutex_lock (&self->lock);
  n = self->source.pads->len;
  g_mutex_unlock (&self->lock);
  return n;
}

static void
child_proxy_init (gpointer iface, gpointer data)
{
  GstChildProxyInterface *proxy = iface;

  proxy->get_child_by_index = get_child;
  proxy->get_children_count = count_children;
}

/* --- properties --- */

#define COUNTER(...) FIELD_COUNTER (GstRampScheduler, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (GstRampScheduler, __VA_ARGS__)

static const FieldRow fields[] = {
  BITRATE (source.ramp.budget_bps, "budget", "rate of all streams, headers included"),
  BITRATE (source.ramp.need_bps, "requirement", "rate that all streams need"),
  FIELD_GAUGE (GstRampScheduler, source.ramp.overloaded, "overloaded", "",
      "requirement exceeds budget"),
  COUNTER (overloads, "overloads", "", "times that overload began"),
  COUNTER (source.packets, "packets-sent", "", "packets sent"),
  COUNTER (source.bytes, "bytes-sent", "bytes", "bytes sent, headers included"),
  FIELD_OWN (FIELD_STRUCTURE, "sink_N", GST_RAMP_PAD_STATS " of the pad of that name"),
  {NULL}
};

static void
describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RAMP_SCHEDULER_STATS, "property stats", {fields}},
    {GST_RAMP_PAD_STATS, "one stream, in the field of its pad's name", {gst_ramp_pad_fields,
            gst_ramp_pad_queue_fields}},
    {NULL}
  };

  fields_describe (klass, structures);
}

static GstStructure *
create_stats (GstRampScheduler * self)
{
  GstStructure *stats = gst_structure_new_empty (GST_RAMP_SCHEDULER_STATS);
  guint i;

  fields_add (stats, fields, self);
  for (i = 0; i < self->source.pads->len; i++) {
    GstStructure *pad = gst_ramp_pad_create_stats (self->source.pads->pdata[i]);

    gst_structure_set (stats, GST_OBJECT_NAME (self->source.pads->pdata[i]), GST_TYPE_STRUCTURE,
        pad, NULL);
    gst_structure_free (pad);
  }
  return stats;
}

#define NUMBER(...) PROPERTY_ROW_NUMBER (GstRampScheduler, __VA_ARGS__)
#define BOOLEAN(...) PROPERTY_ROW_BOOLEAN (GstRampScheduler, __VA_ARGS__)

static const PropertyRow properties[] = {
  NUMBER (pacing.budget_bps, PROPERTY_PLAYING, "budget", "Budget",
      "Total rate of all streams in bit/s, headers included (0: as reported by the sink)", 0,
      G_MAXUINT, 0),
  NUMBER (latency, PROPERTY_PLAYING, "latency", "Latency",
      "Time in ns within which a frame should leave, as of rmcsink (0: what the sink says, or "
      "else 66 ms)", 0, ENCODER_ORDERS_MOST_LATENCY, 0),
  NUMBER (source.max_queue_time, PROPERTY_PLAYING, "max-queue-time", "Maximum queue time",
      "Maximum queueing time of a stream at its allocated rate, in ns. Beyond it, frames of a "
      "live source are dropped, and another source waits. Six times the latency unless set", 0,
      ENCODER_ORDERS_QUEUE_LATENCIES * ENCODER_ORDERS_MOST_LATENCY,
      ENCODER_ORDERS_QUEUE_LATENCIES * ENCODER_ORDERS_LATENCY),
  BOOLEAN (adapt_encoder, PROPERTY_PLAYING, "adapt-encoder", "Adapt encoders",
      "Set the bitrate of the video encoders upstream", TRUE),
  BOOLEAN (source.renumber, PROPERTY_READY, "renumber", "Renumber",
      "Renumber RTP packets to close the gaps of dropped frames", TRUE),
  PROPERTY_ROW_ENUM (GstRampScheduler, source.profile, PROPERTY_READY, "profile", "Profile",
      "Set of default parameters of the scheduler. paper: streams are greedy unless "
      "sink_N::flow-class says otherwise; a real-rate stream keeps 16 kB waiting, is sent at "
      "its allocation, and starts with its min-bitrate", profile_get_type, RC_PROFILE_LIVE),
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

/* With the lock. */
static void
take_setting (GstRampScheduler * self, const gchar * name)
{
  RcTime now = clock_glue_monotonic ();

  if (g_str_equal (name, "budget")) {
    ramp_pacing_set_budget (&self->pacing, self->pacing.budget_bps, now);
    gst_ramp_scheduler_update_budget (self);
  } else if (g_str_equal (name, "latency")) {
    gst_ramp_scheduler_update_latency (self);
  } else if (g_str_equal (name, "max-queue-time")) {
    self->max_queue_time_set = TRUE;
    g_cond_broadcast (&self->room);
  } else if (g_str_equal (name, "renumber")) {
    ramp_source_set_renumber (&self->source, self->source.renumber);
  } else if (g_str_equal (name, "profile")) {
    ramp_source_set_profile (&self->source, self->source.profile, GREEDY_MIN_BPS, now);
  }
}

static void
gst_ramp_scheduler_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (object);

  g_mutex_lock (&self->lock);
  property_rows_write (properties, self, id, value);
  take_setting (self, pspec->name);
  g_mutex_unlock (&self->lock);
}

static void
gst_ramp_scheduler_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (object);

  g_mutex_lock (&self->lock);
  if (!property_rows_read (properties, self, id, value))
    g_value_take_boxed (value, create_stats (self));
  g_mutex_unlock (&self->lock);
}

/* --- life --- */

static GstStateChangeReturn
gst_ramp_scheduler_change_state (GstElement * element, GstStateChange transition)
{
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    property_rows_warn_small_numbers (element);
    gst_ramp_scheduler_prepare_encoders (GST_RAMP_SCHEDULER (element));
  }
  return GST_ELEMENT_CLASS (gst_ramp_scheduler_parent_class)->change_state (element, transition);
}

static void
gst_ramp_scheduler_finalize (GObject * object)
{
  GstRampScheduler *self = GST_RAMP_SCHEDULER (object);

  g_mutex_lock (&self->lock);
  ramp_pacing_set_lent (&self->pacing, NULL);
  g_mutex_unlock (&self->lock);
  ramp_source_clear (&self->source);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->work);
  g_cond_clear (&self->room);
  G_OBJECT_CLASS (gst_ramp_scheduler_parent_class)->finalize (object);
}

static void
gst_ramp_scheduler_init (GstRampScheduler * self)
{
  RcRampParams params = RC_RAMP_PARAMS_DEFAULT;
  RcTime now = clock_glue_monotonic ();

  watch_list_add (GST_ELEMENT (self));
  g_mutex_init (&self->lock);
  work_turns_init (&self->tellings, GST_ELEMENT (self), gst_ramp_scheduler_tell, self);
  g_cond_init (&self->work);
  g_cond_init (&self->room);
  self->active_at = now;
  params.greedy_min_bps = GREEDY_MIN_BPS;
  ramp_source_init (&self->source, &params, now);
  ramp_pacing_init (&self->pacing, &self->lock, now);
  property_rows_init (properties, self);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_ramp_scheduler_init_src_pad (self);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

static void
gst_ramp_scheduler_class_init (GstRampSchedulerClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_ramp_scheduler_set_property;
  object_class->get_property = gst_ramp_scheduler_get_property;
  object_class->finalize = gst_ramp_scheduler_finalize;
  property_rows_install (object_class, 1, properties);
  element_class->change_state = gst_ramp_scheduler_change_state;
  element_class->request_new_pad = gst_ramp_scheduler_request_new_pad;
  element_class->release_pad = gst_ramp_scheduler_release_pad;
  gst_element_class_add_static_pad_template_with_gtype (element_class, &sink_template,
      GST_TYPE_RAMP_PAD);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "RTP scheduler", "Filter/Network/RTP",
      "Schedules several RTP streams within one rate, each by its demand", "the gst-arc authors");
  describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_RAMP_SCHEDULER_OVERLOAD, "the demand begins, or ceases, to "
          "exceed the budget")
      DESCRIPTION_FIELD ("overloaded", "boolean", "it exceeds the budget")
      DESCRIPTION_FIELD ("requirement", "uint64, bit/s", "demand of all streams")
      DESCRIPTION_FIELD ("budget", "uint64, bit/s", "rate of all streams"));
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "received from downstream; sent upstream "
          "at each sink pad with that stream's share")
      DESCRIPTION_TARGET_BITRATE);
}
