/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "branch.h"

#define PICTURE "video/x-raw,format=I420,width=160,height=120,framerate=15/1"
/* What an application switches: each way has the same packets. @: before the name of an element of
 * the branch. */
#define WAY(NAME) " @ways. ! queue " NAME " leaky=downstream max-size-buffers=5 ! @switch."
#define SWITCH " ! tee name=ways" WAY ("") "sink_0" WAY ("name=second") "sink_1" \
    " input-selector name=switch sync-streams=false"
#define H264_PAYLOADER "rtph264pay name=payloader mtu=1200 pt=96 config-interval=-1"

static const struct
{
  const gchar *name, *text;
  gboolean video, seekable, greedy;
} kinds[] = {
  {"camera", "videotestsrc name=source is-live=true pattern=smpte horizontal-speed=3 ! " PICTURE
        " ! x264enc tune=zerolatency speed-preset=ultrafast threads=1 key-int-max=60 "
        "vbv-buf-capacity=200 ! identity name=gate ! " H264_PAYLOADER, TRUE},
  {"switched", "videotestsrc name=source is-live=true pattern=smpte horizontal-speed=3 ! " PICTURE
        " ! x264enc tune=zerolatency speed-preset=ultrafast threads=1 key-int-max=30 "
        "vbv-buf-capacity=200 ! identity name=gate ! " H264_PAYLOADER SWITCH, TRUE},
  {"film", "videotestsrc name=source pattern=smpte horizontal-speed=3 ! " PICTURE
        " ! x264enc speed-preset=ultrafast threads=1 rc-lookahead=8 bframes=0 key-int-max=60 "
        "vbv-buf-capacity=200 ! identity name=gate ! " H264_PAYLOADER, TRUE, TRUE},
  {"microphone", "audiotestsrc name=source is-live=true samplesperbuffer=160 ! "
        "audio/x-raw,rate=8000,channels=1 ! alawenc ! identity name=gate ! "
        "rtppcmapay name=payloader pt=8", FALSE},
  {"song", "audiotestsrc name=source ! audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=32000 ! "
        "identity name=gate ! rtpopuspay name=payloader pt=97", FALSE, TRUE},
  {"data", "audiotestsrc name=source ! audio/x-raw,format=S16BE,rate=48000,channels=2 ! "
        "identity name=gate ! rtpL16pay name=payloader mtu=1200 pt=98", FALSE, TRUE, TRUE},
};

/* So that a message of GStreamer tells whose source it is. */
static gchar *
name_of (const Branch * self, const gchar * part)
{
  return g_strdup_printf ("%s-%u-%s", self->kind, self->ssrc, part);
}

/* Before the scheduler a file needs a clock, as its documentation says. */
static GstElement *
parse (const Branch * self, const gchar * text, gboolean clocked)
{
  GString *line = g_string_new (text);
  g_autofree gchar *prefix = name_of (self, "");
  g_autofree gchar *named = g_strconcat ("name=", prefix, NULL);
  GError *error = NULL;
  GstElement *bin;

  g_string_replace (line, "name=", named, 0);
  g_string_replace (line, "@", prefix, 0);
  if (clocked)
    g_string_append (line, " ! clocksync");
  bin = gst_parse_bin_from_description (line->str, TRUE, &error);
  if (!bin)
    watchdog_fail ("%s: %s", line->str, error->message);
  g_string_free (line, TRUE);
  return gst_object_ref_sink (bin);
}

static GstPadProbeReturn
stop_seeks (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_EVENT_TYPE (info->data) == GST_EVENT_SEEK ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* An input-selector sends a seek both ways. A GstBaseSrc that is flushed while it makes a picture
 * does not look again before it waits for the picture's time, which the first seek has put minutes
 * ahead, and the second seek waits for it (gst_base_src_get_range of GStreamer 1.22). */
static void
let_seeks_through_one_way (Branch * self)
{
  g_autoptr (GstElement) second = branch_dup_part (self, "second");
  g_autoptr (GstPad) pad = NULL;

  if (!second)
    return;
  pad = gst_element_get_static_pad (second, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, stop_seeks, NULL, NULL);
}

Branch *
branch_new (Actor * actor, gboolean video, guint32 ssrc)
{
  Branch *self = g_new0 (Branch, 1);
  g_autoptr (GstElement) payloader = NULL;
  guint kind;

  do {
    kind = actor_below (actor, G_N_ELEMENTS (kinds));
  } while (video && !kinds[kind].video);
  self->ssrc = ssrc;
  self->kind = kinds[kind].name;
  self->seekable = kinds[kind].seekable;
  self->greedy = kinds[kind].greedy;
  self->bin = parse (self, kinds[kind].text, !video && self->seekable && !self->greedy);
  payloader = branch_dup_part (self, "payloader");
  g_object_set (payloader, "ssrc", ssrc, NULL);
  let_seeks_through_one_way (self);
  return self;
}

GstElement *
branch_dup_part (const Branch * self, const gchar * name)
{
  g_autofree gchar *full = name_of (self, name);
  GstElement *part = gst_bin_get_by_name (GST_BIN (self->bin), full);

  return part;
}

GstPad *
branch_dup_pad (const Branch * self)
{
  return gst_element_get_static_pad (self->bin, "src");
}

/* A flush has the pipeline wait for its sink in PAUSED, where a live source gives nothing: one that
 * joins then must be started by the application. */
static void
follow_state (Branch * self, GstElement * pipeline)
{
  GstClock *clock = gst_element_get_clock (pipeline);

  if (clock && GST_STATE_TARGET (pipeline) == GST_STATE_PLAYING)
    gst_element_set_state (self->bin, GST_STATE_PLAYING);
  else
    gst_element_sync_state_with_parent (self->bin);
  gst_clear_object (&clock);
}

void
branch_attach (Branch * self, GstElement * pipeline, GstPad * to, gboolean requested)
{
  GstPad *pad = branch_dup_pad (self);
  GstPadLinkReturn ret;

  self->to = to;
  self->requested = requested;
  gst_bin_add (GST_BIN (pipeline), self->bin);
  ret = gst_pad_link (pad, to);
  if (ret != GST_PAD_LINK_OK)
    watchdog_fail ("%s:%s cannot be linked: %s", GST_DEBUG_PAD_NAME (to),
        gst_pad_link_get_name (ret));
  gst_object_unref (pad);
  follow_state (self, pipeline);
}

static void
unlink_branch (Branch * self)
{
  g_autoptr (GstPad) pad = branch_dup_pad (self);

  gst_pad_unlink (pad, self->to);
}

void
branch_detach (Branch * self, GstElement * pipeline, gboolean unlink_first)
{
  if (unlink_first)
    unlink_branch (self);
  if (self->requested) {
    g_autoptr (GstElement) element = gst_pad_get_parent_element (self->to);

    gst_element_release_request_pad (element, self->to);
  } else {
    gst_pad_send_event (self->to, gst_event_new_flush_start ());
  }
  /* Else a state change of the pipeline that is still on its way would start it again. */
  gst_element_set_locked_state (self->bin, TRUE);
  gst_element_set_state (self->bin, GST_STATE_NULL);
  if (!unlink_first && !self->requested)
    unlink_branch (self);
  gst_bin_remove (GST_BIN (pipeline), self->bin);
  if (!self->requested)
    gst_pad_send_event (self->to, gst_event_new_flush_stop (FALSE));
  branch_free (self);
}

void
branch_free (Branch * self)
{
  gst_clear_object (&self->to);
  gst_object_unref (self->bin);
  g_free (self);
}
