/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcserversink
 * @title: arcserversink
 * @see_also: rmcsink, arcsrc, arcladder
 *
 * Listens on one UDP port and serves all viewers that call (arcsrc mode=caller), each at the rate
 * of its own network.
 *
 * ## Behaviour
 * An rmcsink for each viewer, which comes and goes with it. Each has a congestion control of its
 * own, its own SSRC and sequence numbers, retransmission and statistics; payloads are shared. The
 * threads that pace, one for up to 64 viewers and above that up to one a processor, take each
 * packet from one list. With a splitter the rmcsinks are in this bin, behind its pads.
 *
 * By default all viewers get the same stream, and an encoder upstream runs at the bitrate of the
 * slowest viewer, but for those that can take less than half of what the median one takes
 * (#GstArcServerSink:adapt-encoder). What a viewer cannot carry is dropped by whole
 * frames, and never holds up the others. With #GstArcServerSink:splitter another element gives each
 * viewer its own stream: arcladder, with `rungs=0` for encodings that come by request pads
 * `sink_%u`.
 *
 * A viewer begins at the rate of what the others are sent, or of what no encoder makes less. The
 * first one behind an encoder begins at the `start-bitrate` of rmcsink, which
 * #GstArcServerSink:viewer-properties can set for all.
 *
 * A keyframe that viewers ask for is asked for upstream at most twice a second, however many join.
 *
 * A viewer that leaves says so; one that is silent for some seconds, or whose machine says that its
 * port is closed, is dropped, and may call again.
 *
 * ## Signals
 * * #GstArcServerSink::caller-connecting asks who may join. A text that it returns refuses the
 *   caller, whose arcsrc posts an error with it
 * * #GstArcServerSink::caller-added has the rmcsink of a caller that was accepted, before it
 *   starts, and its stream id: the place for its own `srtp-key` or `max-bitrate`
 * * #GstArcServerSink::caller-removed has the same when it is gone
 *
 * Handlers run on a worker, one after the other; they must not change the state of this element.
 *
 * ## Statistics
 * See #GstArcServerSink:stats. Messages: `GstArcServerSinkViewer`.
 *
 * ## Clock and threads
 * A live source is never held up. Any other source runs at the pace of its timestamps.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc is-live=true ! video/x-raw,format=I420 \
 *     ! x264enc tune=zerolatency ! rtph264pay config-interval=-1 mtu=1200 ! arcserversink port=5004
 * ]| Viewers: `gst-play-1.0 "arc://SERVER:5004?mode=caller"`.
 *
 * ## Limits
 * Each viewer needs an open file (`ulimit -n`). Messages of the viewers' sinks stay inside, but for
 * their states.
 *
 * Since: 0.1
 */

#include "gstarcserversinkprivate.h"

#include "base/binparts.h"
#include "base/clockglue.h"
#include "base/description.h"
#include "base/propertyrows.h"
#include "base/watchlist.h"
#include "serverfan.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

#define KEY_INTERVAL_US 500000

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate rung_template = GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

#define gst_arc_server_sink_parent_class parent_class
G_DEFINE_FINAL_TYPE_WITH_CODE (GstArcServerSink, gst_arc_server_sink, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_server_sink_debug, "arcserversink", 0,
        "one port for many viewers"));
GST_ELEMENT_REGISTER_DEFINE (arcserversink, "arcserversink", GST_RANK_NONE,
    GST_TYPE_ARC_SERVER_SINK);

/* --- keyframes --- */

/* The event that may go upstream now; NULL: it waits. Takes the event, or NULL. */
static GstEvent *
admit_key (GstArcServerSink * self, GstEvent * event)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  if (event)
    gst_event_replace (&self->key_event, event);
  g_clear_pointer (&event, gst_event_unref);
  if (self->key_event && now - self->key_at >= KEY_INTERVAL_US) {
    event = g_steal_pointer (&self->key_event);
    self->key_at = now;
  }
  g_mutex_unlock (&self->lock);
  return event;
}

/* What viewers ask for, and what is behind a splitter. */
static GstPadProbeReturn
on_upstream (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  if (!gst_video_event_is_force_key_unit (event))
    return GST_PAD_PROBE_OK;
  info->data = admit_key (user_data, event);
  return info->data ? GST_PAD_PROBE_OK : GST_PAD_PROBE_HANDLED;
}

/* --- stream --- */

static void
note_input (GstArcServerSink * self, gpointer data)
{
  gsize bytes = GST_IS_BUFFER_LIST (data) ? gst_buffer_list_calculate_size (data)
      : gst_buffer_get_size (data);

  g_mutex_lock (&self->lock);
  rc_ratemeter_add (&self->input, bytes, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
}

/* Past the probe, which has let it go. */
static void
send_upstream (GstArcServerSink * self, GstEvent * event)
{
  GstPad *peer = gst_pad_get_peer (self->sinkpad);

  if (peer)
    gst_pad_send_event (peer, event);
  else
    gst_event_unref (event);
  gst_clear_object (&peer);
}

static GstPadProbeReturn
on_downstream (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcServerSink *self = user_data;
  GstEvent *event;

  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
    if (GST_EVENT_TYPE (info->data) == GST_EVENT_SEGMENT)
      gst_arc_server_sink_follow_liveness (self->sinkpad, self->idle);
    return GST_PAD_PROBE_OK;
  }
  note_input (self, GST_PAD_PROBE_INFO_DATA (info));
  gst_arc_server_sink_watch_load (self);
  event = self->splitter == self->head ? admit_key (self, NULL) : NULL;
  if (event)
    send_upstream (self, event);
  return GST_PAD_PROBE_OK;
}

/* --- messages --- */

/* Of one of thousands: what concerns it alone stays inside. */
static gboolean
is_private (GstMessage * message)
{
  GstObject *source = GST_MESSAGE_SRC (message);

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_rmc_sink_lose_guest (GST_RMC_SINK (source));
      return TRUE;
    case GST_MESSAGE_WARNING:
    case GST_MESSAGE_INFO:
      return TRUE;
    case GST_MESSAGE_ELEMENT:
      return !gst_message_has_name (message, GST_RMC_SINK_STATS);
    default:
      return FALSE;
  }
}

static void
handle_message (GstBin * bin, GstMessage * message)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK (bin);

  if (GST_IS_RMC_SINK (GST_MESSAGE_SRC (message)) && is_private (message)) {
    GST_INFO_OBJECT (self, "%" GST_PTR_FORMAT, message);
    gst_message_unref (message);
    return;
  }
  GST_BIN_CLASS (parent_class)->handle_message (bin, message);
}

/* --- life --- */

static gboolean
check_viewer_properties (GstArcServerSink * self)
{
  gchar *fault = gst_arc_server_sink_find_misfit (self);
  gboolean ok = fault == NULL;

  if (!ok)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", fault), (NULL));
  g_free (fault);
  return ok;
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED
      && (!check_viewer_properties (self) || !gst_arc_server_sink_listen (self)))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_arc_server_sink_stop_listening (self);
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    property_rows_warn_small_numbers (element);
  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE)
    gst_arc_server_sink_stop_listening (self);
  return ret;
}

static void
finalize (GObject * object)
{
  GstArcServerSink *self = GST_ARC_SERVER_SINK (object);

  gst_arc_server_sink_clear_settings (self);
  gst_arc_server_sink_clear_splitter (self);
  join_server_free (self->join);
  g_clear_pointer (&self->last_stats, gst_structure_free);
  g_clear_pointer (&self->key_event, gst_event_unref);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
add_pads (GstArcServerSink * self)
{
  self->sinkpad = bin_part_show (self, self->head, "sink", &sink_template);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_upstream, self, NULL);
  gst_pad_add_probe (self->sinkpad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_downstream, self, NULL);
}

static void
gst_arc_server_sink_init (GstArcServerSink * self)
{
  watch_list_add (GST_ELEMENT (self));
  g_mutex_init (&self->lock);
  gst_arc_server_sink_init_settings (self);
  self->head = gst_element_factory_make ("tee", "head");
  self->idle = g_object_new (SERVER_TYPE_FAN, "name", "idle", NULL);
  g_object_set (self->head, "allow-not-linked", TRUE, NULL);
  gst_bin_add_many (GST_BIN (self), self->head, self->idle, NULL);
  gst_element_link (self->head, self->idle);
  self->splitter = self->head;
  add_pads (self);
  self->join = join_server_new (GST_ELEMENT (self), self->sinkpad,
      &gst_arc_server_sink_join_funcs);
  server_fan_set_server (SERVER_FAN (self->idle), self->join);
}

static void
install_signals (GstArcServerSinkClass * klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  join_signal_new (type);
  gst_arc_server_sink_added_signal = g_signal_new ("caller-added", type, G_SIGNAL_RUN_LAST, 0, NULL,
      NULL, NULL, G_TYPE_NONE, 2, GST_TYPE_ELEMENT, G_TYPE_STRING);
  gst_arc_server_sink_removed_signal = g_signal_new ("caller-removed", type, G_SIGNAL_RUN_LAST, 0,
      NULL, NULL, NULL, G_TYPE_NONE, 2, GST_TYPE_ELEMENT, G_TYPE_STRING);
}

static void
gst_arc_server_sink_class_init (GstArcServerSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = finalize;
  gst_arc_server_sink_install_properties (object_class);
  install_signals (klass);
  GST_BIN_CLASS (klass)->handle_message = handle_message;
  element_class->change_state = change_state;
  element_class->request_new_pad = gst_arc_server_sink_request_pad;
  element_class->release_pad = gst_arc_server_sink_release_pad;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &rung_template);
  gst_element_class_set_static_metadata (element_class, "Adaptive RTP server",
      "Sink/Network/RTP",
      "Listens on one UDP port and sends to each viewer that calls, at the rate of its network",
      "the gst-arc authors");
  gst_arc_server_sink_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_SIGNALS, JOIN_SIGNAL_DESCRIPTION
      DESCRIPTION_NEXT_STRUCTURE ("caller-added", "a caller was accepted: the rmcsink that will "
          "serve it, before that starts, for its own srtp-key or max-bitrate, and the stream id. "
          "On the same worker")
      DESCRIPTION_NEXT_STRUCTURE ("caller-removed", "a viewer has left or is lost: its rmcsink and "
          "the stream id"));
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_SERVER_SINK_VIEWER, "a viewer comes or goes")
      DESCRIPTION_FIELD ("address", "string", "address and port")
      DESCRIPTION_FIELD ("streamid", "string", "as it called; empty: none")
      DESCRIPTION_FIELD ("state", "string", "joined, left, or lost: silent, unreachable, failed")
      DESCRIPTION_FIELD ("viewers", "uint", "how many are served now"));
}
