/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcavsink
 * @title: arcavsink
 * @see_also: arcavsrc, rmcsink, rampscheduler
 *
 * Sends audio and video to an arcavsrc as one flow that adapts to the network.
 *
 * ## Behaviour
 * The element is a bin: for each pad a payloader, and an encoder where the stream is raw; an
 * rtpbin, by whose sender reports the receiver plays sound and picture together; a rampscheduler,
 * with which sound never waits for a keyframe; an rmcsink. The video encoder follows the network,
 * the audio encoder keeps its bitrate.
 *
 * A pad takes what its first caps say, whatever its name: raw audio or video, one of the formats
 * H.264, H.265, VP8, VP9, AV1, JPEG, Opus, PCMU, PCMA, G.722, AAC-LC of one or two channels, KLV,
 * telemetry of any `application/...` caps, or RTP with the payload type that both ends use for it
 * (96, 98, 99, 100, 101, 26, 97, 0, 8, 9, 102 to 125, 126, 127). Pads come and go while it plays.
 *
 * ## Tuning
 * Properties of the elements inside: `sink::max-bitrate=2000000` of the rmcsink,
 * `scheduler::` of the rampscheduler, whose sink_N is the pad that came as the Nth.
 *
 * ## Statistics
 * `sink::stats`, `scheduler::stats`.
 *
 * ## Clock and threads
 * As the elements inside.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcavsink name=s host=192.0.2.1 port=5004 \
 *     v4l2src ! videoconvert ! s.video_0 \
 *     autoaudiosrc ! s.audio_0
 * ]| A camera and a microphone, to be received by `arcavsrc port=5004`.
 *
 * ## Limits
 * Formats whose parameters are not in the stream cannot be sent, but for AAC-LC: take MPEG-TS for
 * them. AAC as ADTS needs aacparse. The format of a pad cannot change.
 *
 * Since: 0.1
 */

#include "gstarcavsink.h"

#include "arcav/avformats.h"
#include "base/binparts.h"
#include "base/propertyrows.h"
#include "net/arcuri.h"
#include "rampscheduler/gstrampscheduler.h"
#include "rmcsink/gstrmcsink.h"
#include "rtp/payloaders.h"

GST_DEBUG_CATEGORY_STATIC (gst_arc_av_sink_debug);
#undef GST_CAT_DEFAULT
#define GST_CAT_DEFAULT gst_arc_av_sink_debug

#define DEFAULT_VIDEO_ENCODER "x264enc tune=zerolatency speed-preset=superfast key-int-max=300"
#define DEFAULT_AUDIO_ENCODER "opusenc bitrate=32000"
#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT ARC_URI_DEFAULT_PORT
#define MTU 1200
#define STREAM "stream"         /* data of a pad */

struct _GstArcAvSink
{
  GstBin parent;
  /* With a reference: pads are released when the bin has lost its children already. */
  GstElement *rtpbin, *funnel, *scheduler, *sink;
  guint n_streams;              /* object lock; so far */
  gchar *video_encoder, *audio_encoder; /* object lock */
};

/* A pad and what is behind it. */
typedef struct
{
  guint number;                 /* of the session of rtpbin, and of the scheduler's pad */
  GstElement *chain;            /* encoder and payloader; NULL: RTP comes, or nothing yet */
  const AvFormat *format;       /* NULL: not known yet */
  gboolean refused;             /* what came cannot be sent, which was told */
} Stream;

G_DEFINE_TYPE_WITH_CODE (GstArcAvSink, gst_arc_av_sink, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_av_sink_debug, "arcavsink", 0, "audio and video, sent"));
GST_ELEMENT_REGISTER_DEFINE (arcavsink, "arcavsink", GST_RANK_NONE, GST_TYPE_ARC_AV_SINK);

static GstStaticPadTemplate video_template = GST_STATIC_PAD_TEMPLATE ("video_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate audio_template = GST_STATIC_PAD_TEMPLATE ("audio_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate data_template = GST_STATIC_PAD_TEMPLATE ("data_%u", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS_ANY);

/* --- a stream --- */

static gboolean
is_raw (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  return gst_structure_has_name (s, "video/x-raw") || gst_structure_has_name (s, "audio/x-raw");
}

/* A line such as "x264enc ! fakesink" has one of them only. */
static gboolean
has_both_pads (GstElement * bin)
{
  return bin->numsinkpads > 0 && bin->numsrcpads > 0;
}

/* From raw to elementary stream. */
static GstElement *
make_encoder (GstArcAvSink * self, const GstCaps * caps, GError ** error)
{
  gboolean video = gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw");
  GstElement *encoder;
  gchar *line;

  GST_OBJECT_LOCK (self);
  line = g_strconcat (video ? "videoconvert ! " : "audioconvert ! audioresample ! ",
      video ? self->video_encoder : self->audio_encoder, NULL);
  GST_OBJECT_UNLOCK (self);
  encoder = gst_parse_bin_from_description_full (line, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS,
      error);
  if (encoder && !has_both_pads (encoder)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_ENCODE, "%s-encoder must begin and end "
        "with an unlinked pad, such as \"%s\", but is \"%s\"", video ? "video" : "audio",
        video ? DEFAULT_VIDEO_ENCODER : DEFAULT_AUDIO_ENCODER, line);
    gst_object_unref (gst_object_ref_sink (encoder));
    encoder = NULL;
  }
  g_free (line);
  return encoder;
}

static void
set_unknown (GError ** error, const gchar * known)
{
  g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "this format cannot be sent, or "
      "its payloader is not installed; there are %s, AAC-LC with one or two channels, and raw "
      "audio and video", known);
}

static gboolean
is_adts (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  return gst_structure_has_name (s, "audio/mpeg")
      && g_strcmp0 (gst_structure_get_string (s, "stream-format"), "adts") == 0;
}

#define ADTS_TO_RAW "aacparse ! capsfilter caps=audio/mpeg,mpegversion=4,stream-format=raw"

/* What comes before the payloader; NULL: nothing, or with an error. */
static GstElement *
make_converter (GstArcAvSink * self, const GstCaps * caps, GError ** error)
{
  if (is_raw (caps))
    return make_encoder (self, caps, error);
  return is_adts (caps) ? gst_parse_bin_from_description_full (ADTS_TO_RAW, TRUE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, error) : NULL;
}

/* What the encoder will make: its source pad has no caps yet. */
static GstCaps *
made_by (GstElement * encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "src");
  GstCaps *caps = gst_pad_query_caps (pad, NULL);

  gst_object_unref (pad);
  return caps;
}

/* NULL: there is none. */
static GstElement *
make_payloader (const AvFormat * format, const GstCaps * caps)
{
  GstCaps *rtp = av_format_new_caps (format);
  GstElement *payloader = payloader_new (caps, rtp);

  if (payloader)
    g_object_set (payloader, "pt", format->payload_type, "mtu", MTU, NULL);
  gst_caps_unref (rtp);
  return payloader;
}

/* converter: NULL: nothing comes before the payloader. Takes both. */
static GstElement *
new_chain (GstElement * converter, GstElement * payloader)
{
  GstElement *bin = gst_bin_new (NULL);

  gst_bin_add (GST_BIN (bin), payloader);
  if (converter) {
    gst_bin_add (GST_BIN (bin), converter);
    gst_element_link (converter, payloader);
  }
  bin_part_show (bin, converter ? converter : payloader, "sink", NULL);
  bin_part_show (bin, payloader, "src", NULL);
  return bin;
}

/* The elements in a bin, with pads. */
static GstElement *
make_chain (GstArcAvSink * self, Stream * stream, const GstCaps * caps, GError ** error)
{
  GError *problem = NULL;
  GstElement *converter = make_converter (self, caps, &problem), *payloader;
  GstCaps *made;

  if (problem) {
    g_propagate_error (error, problem);
    return NULL;
  }
  made = converter ? made_by (converter) : gst_caps_copy (caps);
  if (!gst_caps_is_any (made) && !gst_caps_is_empty (made))
    stream->format = av_format_of_caps (is_adts (caps) ? caps : made);
  payloader = stream->format ? make_payloader (stream->format, made) : NULL;
  gst_caps_unref (made);
  if (!payloader) {
    gchar *known = av_format_list ();

    set_unknown (error, known);
    g_free (known);
    stream->format = NULL;
    gst_clear_object (&converter);
    return NULL;
  }
  return new_chain (converter, payloader);
}

/* RTP that comes payloaded: both ends must mean the same by its payload type. */
static gboolean
take_rtp (Stream * stream, const GstCaps * caps, GError ** error)
{
  const AvFormat *format = av_format_of_caps (caps);
  gint payload_type = -1;
  gchar *known = NULL;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "payload", &payload_type);
  if (format && payload_type == (gint) format->payload_type)
    stream->format = format;
  else if (format)
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "arcavsrc takes %s for payload "
        "type %u: set pt=%u at the payloader", format->encoding_name, format->payload_type,
        format->payload_type);
  else
    set_unknown (error, known = av_format_list ());
  g_free (known);
  return stream->format != NULL;
}

static gboolean
link_named (GstElement * from, const gchar * from_pad, guint number, GstElement * to,
    const gchar * to_pad)
{
  gchar *src = g_strdup_printf (from_pad, number), *sink = g_strdup_printf (to_pad, number);
  gboolean ok = gst_element_link_pads (from, src, to, sink);

  g_free (src);
  g_free (sink);
  return ok;
}

/* Through rtpbin, where nothing is linked yet. */
static GstPad *
connect_stream (GstArcAvSink * self, const Stream * stream)
{
  gchar *name = g_strdup_printf ("send_rtp_sink_%u", stream->number);
  GstPad *pad = gst_element_request_pad_simple (self->rtpbin, name);

  g_free (name);
  if (pad && link_named (self->rtpbin, "send_rtp_src_%u", stream->number, self->scheduler,
          "sink_%u")
      && link_named (self->rtpbin, "send_rtcp_src_%u", stream->number, self->funnel, "sink_%u"))
    return pad;
  gst_clear_object (&pad);
  return NULL;
}

static GstPad *
begin_stream (GstArcAvSink * self, Stream * stream, const GstCaps * caps, GError ** error)
{
  gboolean rtp = gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtp");
  GstElement *chain = NULL;
  GstPad *target, *src;

  if (rtp ? !take_rtp (stream, caps, error)
      : !(chain = make_chain (self, stream, caps, error)))
    return NULL;
  target = connect_stream (self, stream);
  if (!target) {
    gst_clear_object (&chain);
    return NULL;
  }
  if (!chain)
    return target;
  stream->chain = gst_object_ref (chain);
  gst_bin_add (GST_BIN (self), chain);
  src = gst_element_get_static_pad (chain, "src");
  gst_pad_link (src, target);
  gst_object_unref (src);
  gst_object_unref (target);
  gst_element_sync_state_with_parent (chain);
  return gst_element_get_static_pad (chain, "sink");
}

/* FALSE: an error was posted, once. */
static gboolean
take_caps (GstArcAvSink * self, GstPad * pad, const GstCaps * caps)
{
  Stream *stream = g_object_get_data (G_OBJECT (pad), STREAM);
  GError *error = NULL;
  GstPad *target;
  gboolean ok;

  if (stream->format || stream->refused)
    return !stream->refused;
  target = begin_stream (self, stream, caps, &error);
  if (target)
    gst_ghost_pad_set_target (GST_GHOST_PAD (pad), target);
  else if (error)
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s: %s", GST_PAD_NAME (pad), error->message),
        ("%" GST_PTR_FORMAT, caps));
  else
    GST_ELEMENT_ERROR (self, CORE, PAD, (NULL), (NULL));
  ok = target != NULL;
  stream->refused = !ok;
  g_clear_error (&error);
  gst_clear_object (&target);
  return ok;
}

static gboolean
on_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    if (!take_caps (GST_ARC_AV_SINK (parent), pad, caps)) {
      gst_event_unref (event);
      return FALSE;
    }
  }
  return gst_pad_event_default (pad, parent, event);
}

/* --- pads --- */

static void
stream_free (gpointer data)
{
  Stream *stream = data;

  gst_clear_object (&stream->chain);
  g_free (stream);
}

static GstPad *
gst_arc_av_sink_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (element);
  Stream *stream = g_new0 (Stream, 1);
  gchar *own = NULL;
  GstPad *pad;

  GST_OBJECT_LOCK (self);
  stream->number = self->n_streams++;
  GST_OBJECT_UNLOCK (self);
  if (!name)
    name = own = g_strdup_printf (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ), stream->number);
  pad = gst_ghost_pad_new_no_target_from_template (name, templ);
  g_free (own);
  g_object_set_data_full (G_OBJECT (pad), STREAM, stream, stream_free);
  gst_pad_set_event_function (pad, on_event);
  gst_pad_set_active (pad, TRUE);
  if (!gst_element_add_pad (element, pad))
    return NULL;
  return pad;
}

static void
release_named (GstElement * element, const gchar * format, guint number)
{
  gchar *name = g_strdup_printf (format, number);
  GstPad *pad = gst_element_get_static_pad (element, name);

  if (pad)
    gst_element_release_request_pad (element, pad);
  gst_clear_object (&pad);
  g_free (name);
}

static void
gst_arc_av_sink_release_pad (GstElement * element, GstPad * pad)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (element);
  Stream *stream = g_object_get_data (G_OBJECT (pad), STREAM);

  gst_pad_set_active (pad, FALSE);
  gst_ghost_pad_set_target (GST_GHOST_PAD (pad), NULL);
  if (stream->chain)
    bin_part_take_out (stream->chain);
  if (stream->format) {
    release_named (self->rtpbin, "send_rtp_sink_%u", stream->number);
    release_named (self->rtpbin, "send_rtcp_src_%u", stream->number);
    release_named (self->scheduler, "sink_%u", stream->number);
    release_named (self->funnel, "sink_%u", stream->number);
  }
  gst_element_remove_pad (element, pad);
}

/* --- the element --- */

/* Problem: rtpbin keeps its SSRC from one run to the next, payloaders take it and count from
 * another number and another time: the receiver took what came for very late, for seconds. Rule:
 * each run is a source of its own. */
static void
renew_ssrc (GstArcAvSink * self, guint number)
{
  GObject *session = NULL;

  g_signal_emit_by_name (self->rtpbin, "get-internal-session", number, &session);
  if (session)
    g_object_set (session, "internal-ssrc", g_random_int (), NULL);
  g_clear_object (&session);
}

/* What was refused may fit now: the encoders are properties. */
static void
renew_streams (GstArcAvSink * self)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  GST_OBJECT_LOCK (self);
  for (GList * l = GST_ELEMENT (self)->sinkpads; l; l = l->next) {
    Stream *stream = g_object_get_data (l->data, STREAM);

    stream->refused = FALSE;
    if (stream->format)
      g_array_append_val (numbers, stream->number);
  }
  GST_OBJECT_UNLOCK (self);
  for (guint i = 0; i < numbers->len; i++)
    renew_ssrc (self, g_array_index (numbers, guint, i));
  g_array_unref (numbers);
}

static GstStateChangeReturn
gst_arc_av_sink_change_state (GstElement * element, GstStateChange transition)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (element);

  if (!bin_parts_are_there (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    renew_streams (self);
  return GST_ELEMENT_CLASS (gst_arc_av_sink_parent_class)->change_state (element, transition);
}

/* Where none is kept here, it is the sink's. */
static const PropertyRow properties[] = {
  PROPERTY_ROW_OWN_STRING (PROPERTY_PLAYING, "host", "Host", "Address or name of the receiver",
      DEFAULT_HOST),
  PROPERTY_ROW_OWN (PROPERTY_UINT, PROPERTY_PLAYING, "port", "Port", "UDP port of the receiver", 0,
      65535, DEFAULT_PORT),
  PROPERTY_ROW_STRING (GstArcAvSink, video_encoder, PROPERTY_READY, "video-encoder",
      "Video encoder", "Encoder of raw video, as in a launch line, for pads whose stream begins "
      "later", DEFAULT_VIDEO_ENCODER),
  PROPERTY_ROW_STRING (GstArcAvSink, audio_encoder, PROPERTY_READY, "audio-encoder",
      "Audio encoder", "Encoder of raw audio, as in a launch line, for pads whose stream begins "
      "later", DEFAULT_AUDIO_ENCODER),
  {NULL}
};

static void
gst_arc_av_sink_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (object);
  gboolean found;

  GST_OBJECT_LOCK (self);
  found = property_rows_write (properties, self, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!found)
    g_object_set_property (G_OBJECT (self->sink), pspec->name, value);
}

static void
gst_arc_av_sink_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (object);
  gboolean found;

  GST_OBJECT_LOCK (self);
  found = property_rows_read (properties, self, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!found)
    g_object_get_property (G_OBJECT (self->sink), pspec->name, value);
}

static void
gst_arc_av_sink_finalize (GObject * object)
{
  GstArcAvSink *self = GST_ARC_AV_SINK (object);

  property_rows_clear (properties, self);
  gst_clear_object (&self->rtpbin);
  gst_clear_object (&self->funnel);
  gst_clear_object (&self->scheduler);
  gst_clear_object (&self->sink);
  G_OBJECT_CLASS (gst_arc_av_sink_parent_class)->finalize (object);
}

static void
gst_arc_av_sink_init (GstArcAvSink * self)
{
  self->scheduler = g_object_new (GST_TYPE_RAMP_SCHEDULER, "name", "scheduler", NULL);
  self->sink = g_object_new (GST_TYPE_RMC_SINK, "name", "sink", "host", DEFAULT_HOST, "port",
      DEFAULT_PORT, NULL);
  property_rows_init (properties, self);
  gst_bin_add_many (GST_BIN (self), gst_object_ref (self->scheduler), gst_object_ref (self->sink),
      NULL);
  gst_element_link (self->scheduler, self->sink);
  self->rtpbin = bin_part_make (self, "rtpbin", "rtpbin");
  self->funnel = bin_part_make (self, "funnel", "rtcp");
  if (self->rtpbin)
    gst_object_ref (self->rtpbin);
  if (self->funnel)
    gst_element_link_pads (gst_object_ref (self->funnel), "src", self->sink, "rtcp_sink");
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SINK);
}

static void
gst_arc_av_sink_class_init (GstArcAvSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_arc_av_sink_finalize;
  object_class->set_property = gst_arc_av_sink_set_property;
  object_class->get_property = gst_arc_av_sink_get_property;
  element_class->request_new_pad = gst_arc_av_sink_request_new_pad;
  element_class->release_pad = gst_arc_av_sink_release_pad;
  element_class->change_state = gst_arc_av_sink_change_state;
  property_rows_install (object_class, 1, properties);
  gst_element_class_add_static_pad_template (element_class, &video_template);
  gst_element_class_add_static_pad_template (element_class, &audio_template);
  gst_element_class_add_static_pad_template (element_class, &data_template);
  gst_element_class_set_static_metadata (element_class, "Adaptive audio and video sender",
      "Sink/Network/RTP", "Sends audio and video as one RTP flow that adapts to the network",
      "the gst-arc authors");
}
