/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "livestream.h"

#include <string.h>

#define RETRY_S 2
#define WHIP "whip"
/* Parameter sets have to be in the stream, since viewers change from one encoder to another;
 * browsers take constrained baseline. A source that stands holds nobody up. The fakesink hears of
 * its end when nobody watches. */
#define CAMERA " ! queue leaky=downstream max-size-buffers=2 ! videoconvert " \
    "! video/x-raw,format=I420 ! tee name=raw raw. ! fakesink async=false sync=false " \
    "raw. ! queue leaky=downstream max-size-buffers=2 ! arcladder name=ladder rungs=%u " \
    "max-bitrate=%u payloader=\"\" encoder=\"x264enc tune=zerolatency speed-preset=superfast " \
    "key-int-max=300 ! capsfilter caps=video/x-h264,stream-format=byte-stream," \
    "profile=constrained-baseline\""
#define CALLERS " raw. ! queue leaky=downstream max-size-buffers=2 " \
    "! arcserversink port=%u splitter=\"arcladder rungs=%u max-bitrate=%u\""
/* Of the element of that name, if it has any. */
#define HEARD " sound. ! audio/x-raw ! clocksync " \
    "! queue leaky=downstream max-size-time=300000000 ! audioconvert ! audioresample " \
    "! audio/x-raw,rate=48000,channels=2 ! opusenc ! tee name=encoded allow-not-linked=true"
/* What a viewer that stands does not take is dropped, and the others go on. */
#define TAP "queue leaky=downstream max-size-buffers=0 max-size-bytes=0 max-size-time=300000000 " \
    "! proxysink name=out"
#define BRANCH "branch"         /* data of a tap */

/* Of words, and of URIs by their beginnings. NAME and SOURCE are replaced. */
static const struct
{
  gboolean is_uri;
  const gchar *begin, *line;
} kinds[] = {
  {FALSE, WHIP, "interaudiosrc name=sound channel=NAME intervideosrc channel=NAME "
      "timeout=2000000000 ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1"},
  {FALSE, "test", "audiotestsrc name=sound is-live=true wave=ticks videotestsrc is-live=true "
      "pattern=smpte horizontal-speed=3 ! video/x-raw,width=1280,height=720,framerate=30/1"},
  {TRUE, "arc://", "arcsrc uri=\"SOURCE\" ! rtpjitterbuffer latency=200 ! decodebin name=sound "
      "! video/x-raw"},
  {TRUE, "", "uridecodebin name=sound uri=\"SOURCE\" ! video/x-raw ! clocksync"},
};

struct _LiveStream
{
  gchar *name;
  GString *line;
  gboolean is_published;
  GstElement *camera;
  LiveStreamStopped stopped;
  gpointer data;
  guint retrying;
};

static GString *
source_line (const gchar * name, const gchar * source)
{
  gboolean is_uri = gst_uri_is_valid (source) && !strpbrk (source, "! ");
  GString *line = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && !line; i++)
    if (kinds[i].is_uri == is_uri && (is_uri ? g_str_has_prefix (source, kinds[i].begin)
            : g_str_equal (source, kinds[i].begin)))
      line = g_string_new (kinds[i].line);
  if (!line)
    return g_string_new (source);
  g_string_replace (line, "NAME", name, 0);
  g_string_replace (line, "SOURCE", source, 0);
  return line;
}

static gboolean begin_again (gpointer data);

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
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  LiveStream *self = data;
  g_autoptr (GError) error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      stop_for_a_while (self, error->message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      /* That is: there is no sound. */
      if (!g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_DELAYED_LINK))
        g_printerr ("%s: %s\n", self->name, error->message);
      break;
    case GST_MESSAGE_EOS:      /* a file is shown again and again */
      stop_for_a_while (self, "the source has ended");
      break;
    default:
      break;
  }
}

static void
close_camera (LiveStream * self)
{
  GstBus *bus = gst_element_get_bus (self->camera);

  g_signal_handlers_disconnect_by_data (bus, self);
  gst_bus_remove_signal_watch (bus);
  gst_object_unref (bus);
  gst_element_set_state (self->camera, GST_STATE_NULL);
  gst_clear_object (&self->camera);
}

static gboolean
open_camera (LiveStream * self, GError ** error)
{
  GstBus *bus;

  self->camera = gst_parse_launch_full (self->line->str, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
  if (!self->camera)
    return FALSE;
  gst_object_ref_sink (self->camera);
  bus = gst_element_get_bus (self->camera);
  gst_bus_add_signal_watch (bus);
  g_signal_connect (bus, "message", G_CALLBACK (on_message), self);
  gst_object_unref (bus);
  gst_element_set_state (self->camera, GST_STATE_PLAYING);
  return TRUE;
}

/* A new pipeline, since the links of a launch line to pads that come late are made once. */
static gboolean
begin_again (gpointer data)
{
  LiveStream *self = data;

  self->retrying = 0;
  self->stopped (self, self->data);     /* who came since */
  close_camera (self);
  open_camera (self, NULL);
  return G_SOURCE_REMOVE;
}

LiveStream *
live_stream_new (const gchar * name, const gchar * source, guint renditions, guint max_bps,
    guint arc_port, LiveStreamStopped stopped, gpointer data, GError ** error)
{
  LiveStream *self = g_new0 (LiveStream, 1);
  gboolean heard;

  self->name = g_strdup (name);
  self->is_published = g_str_equal (source, WHIP);
  self->stopped = stopped;
  self->data = data;
  self->line = source_line (name, source);
  heard = strstr (self->line->str, "name=sound") != NULL;
  g_string_append_printf (self->line, CAMERA, renditions, max_bps);
  if (arc_port)
    g_string_append_printf (self->line, CALLERS, arc_port, renditions, max_bps);
  g_string_append (self->line, heard ? HEARD : "");
  if (!open_camera (self, error))
    g_clear_pointer (&self, live_stream_free);
  return self;
}

void
live_stream_free (LiveStream * self)
{
  if (self->camera)
    close_camera (self);
  g_clear_handle_id (&self->retrying, g_source_remove);
  g_string_free (self->line, TRUE);
  g_free (self->name);
  g_free (self);
}

const gchar *
live_stream_name (const LiveStream * self)
{
  return self->name;
}

gboolean
live_stream_is_published (const LiveStream * self)
{
  return self->is_published;
}

static GstElement *
tap (LiveStream * self, GstElement * from)
{
  GstElement *branch = gst_parse_bin_from_description (TAP, TRUE, NULL);
  GstElement *out = gst_bin_get_by_name (GST_BIN (branch), "out");

  g_object_set_data_full (G_OBJECT (out), BRANCH, gst_object_ref_sink (branch), gst_object_unref);
  gst_bin_add (GST_BIN (self->camera), branch);
  gst_element_sync_state_with_parent (branch);
  gst_element_link (from, branch);
  return out;
}

void
live_stream_tap (LiveStream * self, GstElement ** taps)
{
  GstElement *ladder = gst_bin_get_by_name (GST_BIN (self->camera), "ladder");
  GstElement *tee = gst_bin_get_by_name (GST_BIN (self->camera), "encoded");
  GstPad *pad = tee ? gst_element_get_static_pad (tee, "sink") : NULL;

  taps[PICTURE] = tap (self, ladder);
  taps[SOUND] = pad && gst_pad_has_current_caps (pad) ? tap (self, tee) : NULL;
  gst_object_unref (ladder);
  gst_clear_object (&tee);
  gst_clear_object (&pad);
}

static void
untap (LiveStream * self, GstElement * out)
{
  GstElement *branch = gst_object_ref (g_object_get_data (G_OBJECT (out), BRANCH));
  GstPad *sink = gst_element_get_static_pad (branch, "sink"), *pad = gst_pad_get_peer (sink);

  if (pad) {
    GstElement *from = gst_pad_get_parent_element (pad);

    gst_element_release_request_pad (from, pad);
    gst_object_unref (from);
    gst_object_unref (pad);
  }
  gst_object_unref (sink);
  gst_element_set_locked_state (branch, TRUE);
  gst_element_set_state (branch, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (self->camera), branch);
  g_object_set_data (G_OBJECT (out), BRANCH, NULL);
  gst_object_unref (branch);
  gst_object_unref (out);
}

void
live_stream_untap (LiveStream * self, GstElement ** taps)
{
  for (guint i = 0; i < TRACKS; i++)
    if (taps[i])
      untap (self, g_steal_pointer (&taps[i]));
}
