/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "livestream.h"

#include <string.h>

#define RETRY_S 2
#define WHIP "whip"
#define TEST "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,width=1280,height=720,framerate=30/1"
#define PUBLISHED "intervideosrc channel=%s timeout=2000000000 " \
    "! video/x-raw,format=I420,width=1280,height=720,framerate=30/1"
#define CALLED "arcsrc uri=\"%s\" ! rtpjitterbuffer latency=200 ! decodebin"
#define PULLED "uridecodebin uri=\"%s\" ! clocksync"
/* Parameter sets have to be in the stream, since viewers change from one encoder to another;
 * browsers take constrained baseline. A source that stands holds nobody up. */
#define CAMERA "%s ! queue leaky=downstream max-size-buffers=2 ! videoconvert " \
    "! video/x-raw,format=I420 ! tee name=raw " \
    "raw. ! queue leaky=downstream max-size-buffers=2 ! arcladder name=ladder rungs=%u " \
    "max-bitrate=%u payloader=\"\" encoder=\"x264enc tune=zerolatency speed-preset=superfast " \
    "key-int-max=300 ! capsfilter caps=video/x-h264,stream-format=byte-stream," \
    "profile=constrained-baseline\""
#define CALLERS " raw. ! queue leaky=downstream max-size-buffers=2 " \
    "! arcserversink port=%u splitter=\"arcladder rungs=%u max-bitrate=%u\""
/* Frames of a viewer that stands are dropped, and the others go on. */
#define TAP "queue leaky=downstream max-size-buffers=0 max-size-bytes=0 max-size-time=300000000 " \
    "! proxysink name=out"
#define BRANCH "branch"         /* data of a tap */

struct _LiveStream
{
  gchar *name, *channel;
  GstElement *camera;
  LiveStreamStopped stopped;
  gpointer data;
  guint retrying;
};

static gchar *
source_line (const gchar * source, const gchar * channel)
{
  if (channel)
    return g_strdup_printf (PUBLISHED, channel);
  if (g_str_equal (source, "test"))
    return g_strdup (TEST);
  if (g_str_has_prefix (source, "arc://"))
    return g_strdup_printf (CALLED, source);
  if (gst_uri_is_valid (source) && !strchr (source, '!') && !strchr (source, ' '))
    return g_strdup_printf (PULLED, source);
  return g_strdup (source);
}

static gboolean
begin_again (gpointer data)
{
  LiveStream *self = data;

  self->retrying = 0;
  gst_element_set_state (self->camera, GST_STATE_PLAYING);
  return G_SOURCE_REMOVE;
}

static void
stop_for_a_while (LiveStream * self, const gchar * why)
{
  if (self->retrying)
    return;
  g_printerr ("%s: %s; it begins again in %d s\n", self->name, why, RETRY_S);
  self->stopped (self, self->data);
  gst_element_set_state (self->camera, GST_STATE_NULL);
  self->retrying = g_timeout_add_seconds (RETRY_S, begin_again, self);
}

static void
on_error (GstBus * bus, GstMessage * message, gpointer data)
{
  GError *error;

  gst_message_parse_error (message, &error, NULL);
  stop_for_a_while (data, error->message);
  g_error_free (error);
}

static void
on_warning (GstBus * bus, GstMessage * message, gpointer data)
{
  LiveStream *self = data;
  GError *error;

  gst_message_parse_warning (message, &error, NULL);
  g_printerr ("%s: %s\n", self->name, error->message);
  g_error_free (error);
}

/* A file is shown again and again. */
static void
on_eos (GstBus * bus, GstMessage * message, gpointer data)
{
  LiveStream *self = data;

  if (!gst_element_seek_simple (self->camera, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0))
    stop_for_a_while (self, "the source has ended");
}

static void
watch_bus (LiveStream * self)
{
  GstBus *bus = gst_element_get_bus (self->camera);

  gst_bus_add_signal_watch (bus);
  g_signal_connect (bus, "message::error", G_CALLBACK (on_error), self);
  g_signal_connect (bus, "message::warning", G_CALLBACK (on_warning), self);
  g_signal_connect (bus, "message::eos", G_CALLBACK (on_eos), self);
  gst_object_unref (bus);
}

LiveStream *
live_stream_new (const gchar * name, const gchar * source, guint renditions, guint max_bps,
    guint arc_port, LiveStreamStopped stopped, gpointer data, GError ** error)
{
  LiveStream *self = g_new0 (LiveStream, 1);
  g_autofree gchar *from = NULL;
  g_autoptr (GString) line = g_string_new (NULL);

  self->name = g_strdup (name);
  self->channel = g_str_equal (source, WHIP) ? g_strdup (name) : NULL;
  self->stopped = stopped;
  self->data = data;
  from = source_line (source, self->channel);
  g_string_printf (line, CAMERA, from, renditions, max_bps);
  if (arc_port)
    g_string_append_printf (line, CALLERS, arc_port, renditions, max_bps);
  self->camera = gst_parse_launch_full (line->str, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!self->camera) {
    live_stream_free (self);
    return NULL;
  }
  gst_object_ref_sink (self->camera);
  watch_bus (self);
  gst_element_set_state (self->camera, GST_STATE_PLAYING);
  return self;
}

void
live_stream_free (LiveStream * self)
{
  GstBus *bus = self->camera ? gst_element_get_bus (self->camera) : NULL;

  if (bus) {
    g_signal_handlers_disconnect_by_data (bus, self);
    gst_bus_remove_signal_watch (bus);
    gst_element_set_state (self->camera, GST_STATE_NULL);
  }
  gst_clear_object (&bus);
  gst_clear_object (&self->camera);
  g_clear_handle_id (&self->retrying, g_source_remove);
  g_free (self->channel);
  g_free (self->name);
  g_free (self);
}

const gchar *
live_stream_name (const LiveStream * self)
{
  return self->name;
}

const gchar *
live_stream_channel (const LiveStream * self)
{
  return self->channel;
}

GstElement *
live_stream_tap (LiveStream * self)
{
  GstElement *ladder = gst_bin_get_by_name (GST_BIN (self->camera), "ladder");
  GstElement *branch = gst_parse_bin_from_description (TAP, TRUE, NULL);
  GstElement *tap = gst_bin_get_by_name (GST_BIN (branch), "out");

  g_object_set_data_full (G_OBJECT (tap), BRANCH, gst_object_ref_sink (branch), gst_object_unref);
  gst_bin_add (GST_BIN (self->camera), branch);
  gst_element_sync_state_with_parent (branch);
  gst_element_link (ladder, branch);
  gst_object_unref (ladder);
  return tap;
}

void
live_stream_untap (LiveStream * self, GstElement * tap)
{
  GstElement *branch = gst_object_ref (g_object_get_data (G_OBJECT (tap), BRANCH));
  GstPad *sink = gst_element_get_static_pad (branch, "sink"), *pad = gst_pad_get_peer (sink);

  if (pad) {
    GstElement *ladder = gst_pad_get_parent_element (pad);

    gst_element_release_request_pad (ladder, pad);
    gst_object_unref (ladder);
    gst_object_unref (pad);
  }
  gst_object_unref (sink);
  gst_element_set_locked_state (branch, TRUE);
  gst_element_set_state (branch, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (self->camera), branch);
  g_object_set_data (G_OBJECT (tap), BRANCH, NULL);
  gst_object_unref (branch);
  gst_object_unref (tap);
}
