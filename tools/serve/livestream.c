/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "livestream.h"

#include "common/launch.h"

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

/* Of words, and of URIs by their beginnings. %s is the URI, or the name of the stream. */
static const struct
{
  gboolean is_uri;
  const gchar *begin, *line;
} kinds[] = {
  {FALSE, WHIP, "interaudiosrc name=sound channel=%s intervideosrc channel=%s "
      "timeout=2000000000 ! video/x-raw,format=I420,width=1280,height=720,framerate=30/1"},
  {FALSE, "test", "audiotestsrc name=sound is-live=true wave=ticks videotestsrc is-live=true "
      "pattern=smpte horizontal-speed=3 ! video/x-raw,width=1280,height=720,framerate=30/1"},
  {TRUE, "arc://", "arcsrc uri=\"%s\" ! rtpjitterbuffer latency=200 ! decodebin name=sound "
      "! video/x-raw"},
  {TRUE, "", "uridecodebin name=sound uri=\"%s\" ! video/x-raw ! clocksync"},
};

static GString *
source_line (const gchar * name, const gchar * source)
{
  gboolean is_uri = gst_uri_is_valid (source) && !strchr (source, ' ');
  GString *line = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && !line; i++)
    if (kinds[i].is_uri == is_uri && (is_uri ? g_str_has_prefix (source, kinds[i].begin)
            : g_str_equal (source, kinds[i].begin)))
      line = g_string_new (kinds[i].line);
  if (!line)
    return g_string_new (source);
  g_string_replace (line, "%s", is_uri ? source : name, 0);
  return line;
}

static gboolean begin_again (gpointer stream);

static void
stop (LiveStream * self)
{
  if (self->camera)
    launch_stop (self->camera);
  gst_clear_object (&self->camera);
}

static void
stop_for_a_while (LiveStream * self, const gchar * why)
{
  g_printerr ("%s: %s; it begins again in %d s\n", self->name, why, RETRY_S);
  self->stopped (self, self->data);
  stop (self);
  self->retrying = g_timeout_add_seconds (RETRY_S, begin_again, self);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer stream)
{
  LiveStream *self = stream;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, &debug);
    stop_for_a_while (self, launch_reason (error, debug));
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    /* A file is shown again and again. */
    stop_for_a_while (self, "the source has ended");
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, NULL);
    /* That is: there is no sound. */
    if (!g_error_matches (error, GST_PARSE_ERROR, GST_PARSE_ERROR_DELAYED_LINK))
      g_printerr ("%s: %s\n", self->name, error->message);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
begin (LiveStream * self, GError ** error)
{
  self->camera = launch (self->line->str, on_message, self, error);
  if (self->camera)
    gst_element_set_state (self->camera, GST_STATE_PLAYING);
  return self->camera != NULL;
}

/* A new pipeline, since the links of a launch line to pads that come late are made once. */
static gboolean
begin_again (gpointer stream)
{
  LiveStream *self = stream;
  g_autoptr (GError) error = NULL;

  self->retrying = 0;
  if (!begin (self, &error))
    stop_for_a_while (self, error->message);
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
  if (!begin (self, error))
    g_clear_pointer (&self, live_stream_free);
  return self;
}

void
live_stream_free (LiveStream * self)
{
  stop (self);
  g_clear_handle_id (&self->retrying, g_source_remove);
  g_string_free (self->line, TRUE);
  g_free (self->name);
  g_free (self);
}

static GstElement *
tap (LiveStream * self, GstElement * from)
{
  GstElement *branch = gst_parse_bin_from_description (TAP, TRUE, NULL);

  gst_bin_add (GST_BIN (self->camera), branch);
  gst_element_sync_state_with_parent (branch);
  gst_element_link (from, branch);
  return gst_bin_get_by_name (GST_BIN (branch), "out");
}

void
live_stream_tap (LiveStream * self, GstElement ** taps)
{
  g_autoptr (GstElement) ladder = gst_bin_get_by_name (GST_BIN (self->camera), "ladder");
  g_autoptr (GstElement) tee = gst_bin_get_by_name (GST_BIN (self->camera), "encoded");
  g_autoptr (GstPad) pad = tee ? gst_element_get_static_pad (tee, "sink") : NULL;

  taps[PICTURE] = tap (self, ladder);
  taps[SOUND] = pad && gst_pad_has_current_caps (pad) ? tap (self, tee) : NULL;
}

static void
untap (LiveStream * self, GstElement * out)
{
  g_autoptr (GstElement) branch = GST_ELEMENT (gst_object_get_parent (GST_OBJECT (out)));
  g_autoptr (GstPad) sink = gst_element_get_static_pad (branch, "sink");
  g_autoptr (GstPad) pad = gst_pad_get_peer (sink);
  g_autoptr (GstElement) from = pad ? gst_pad_get_parent_element (pad) : NULL;

  if (from)
    gst_element_release_request_pad (from, pad);
  gst_element_set_locked_state (branch, TRUE);
  gst_element_set_state (branch, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (self->camera), branch);
  gst_object_unref (out);
}

void
live_stream_untap (LiveStream * self, GstElement ** taps)
{
  for (guint i = 0; i < TRACKS; i++)
    if (taps[i])
      untap (self, g_steal_pointer (&taps[i]));
}
