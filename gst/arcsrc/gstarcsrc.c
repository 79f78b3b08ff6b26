/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcsrc
 * @title: arcsrc
 * @see_also: rmcsink, arcreceiver, rtpjitterbuffer
 *
 * Receives the RTP that rmcsink sends over UDP, and sends the reports that rmcsink adapts to back to where the media
 * comes from: use it as the source of any live RTP pipeline.
 *
 * ## Behaviour
 * A bin of udpsrc and arcreceiver. The first address that sends RTP is the sender: packets from elsewhere are dropped and
 * counted until the sender has been silent for #GstArcSrc:timeout (2 seconds if that is 0). A sender that comes from
 * another address or port with the same SSRC is followed at once if #GstArcSrc:follow-sender is set; anybody who learns
 * the SSRC can then take its place. Works where GStreamer takes a URI:
 * `arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video`. The query becomes the caps;
 * `clock-rate` and `media` have the defaults shown, without address or port those of the properties hold.
 *
 * ## Feedback
 * Reports go from the receiving socket to the sender's address. With rtpbin, link the request pads `rtcp_src` (RTCP of
 * the sender that is not for us) to `rtpbin.recv_rtcp_sink_%u`, and `rtpbin.send_rtcp_src_%u` to `rtcp_sink`, which sends
 * by the same socket. Element messages, both with the fields `timeout` and `silence` (guint64, nanoseconds) and, if there
 * is one, `sender` (string):
 *
 * * `GstArcSrcTimeout`: no media for #GstArcSrc:timeout, also when none has ever come; once until media returns
 * * `GstArcSrcResumed`: it returned
 *
 * ## Tuning
 * #GstArcSrc:caps or the URI's query say what the packets hold. #GstArcSrc:buffer-size, bytes, must take what arrives
 * while the machine is busy elsewhere.
 *
 * ## Statistics
 * See #GstArcSrc:stats.
 *
 * ## Clock and threads
 * udpsrc's thread receives and judges senders by the monotonic clock; the kernel's time of receipt becomes the buffers'
 * DTS, which arcreceiver measures by. Reports are sent by arcreceiver's thread and never block.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcsrc uri="arc://:5000?encoding-name=H264&payload=96" ! rtpjitterbuffer ! rtph264depay ! avdec_h264 !
 *     videoconvert ! autovideosink
 * ]| Shows what `rmcsink host=THIS-MACHINE port=5000` sends, at a bitrate that follows the network.
 *
 * ## Limits
 * One sender at a time. Multicast is received, but a sender with many receivers must not be rmcsink. ECN is not read from
 * the socket: udpsrc cannot.
 *
 * Since: 0.1
 */

#include "gstarcsrc.h"

#include "arcreceiver/gstarcreceiver.h"
#include "arcuri.h"
#include "listensocket.h"
#include "peer.h"

#define DEFAULT_TIMEOUT (2 * GST_SECOND)
#define DEFAULT_BUFFER_BYTES (2 * 1024 * 1024)  /* half a second at 32 Mbit/s: the kernel's default holds 92 packets */
#define MIN_TICK (10 * GST_MSECOND)

GST_DEBUG_CATEGORY_STATIC (arcsrc_debug);
#define GST_CAT_DEFAULT arcsrc_debug

enum
{
  PROP_0,
  PROP_ADDRESS,
  PROP_PORT,
  PROP_URI,
  PROP_CAPS,
  PROP_TIMEOUT,
  PROP_FOLLOW_SENDER,
  PROP_BUFFER_SIZE,
  PROP_STATS,
};

struct _GstArcSrc
{
  GstBin parent;

  GstElement *udpsrc;           /* NULL: not installed */
  GstElement *receiver;
  Peer peer;
  GSocket *socket;              /* from READY on; changed by state changes only, under the object lock */

  /* settings, under the object lock */
  gchar *address;
  guint16 port;
  GstCaps *caps;
  GstClockTime timeout;
  gboolean follow_sender;
  gint buffer_bytes;
  gchar *uri_error;             /* what is wrong with the last URI set; NULL: nothing */
};

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtcp"));

static void gst_arc_src_uri_handler_init (gpointer iface, gpointer iface_data);

#define gst_arc_src_parent_class parent_class
G_DEFINE_FINAL_TYPE_WITH_CODE (GstArcSrc, gst_arc_src, GST_TYPE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_arc_src_uri_handler_init));
GST_ELEMENT_REGISTER_DEFINE (arcsrc, "arcsrc", GST_RANK_PRIMARY, GST_TYPE_ARC_SRC);

/* What passes */

/* udpsrc's own timeout is our tick: it comes in the thread that receives, hence in order with what that posts. */
static void
gst_arc_src_handle_message (GstBin * bin, GstMessage * message)
{
  GstArcSrc *self = GST_ARC_SRC (bin);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT && GST_MESSAGE_SRC (message) == GST_OBJECT (self->udpsrc)
      && gst_message_has_name (message, "GstUDPSrcTimeout")) {
    gst_message_unref (message);
    peer_check_silence (&self->peer);
    return;
  }
  GST_BIN_CLASS (parent_class)->handle_message (bin, message);
}

static gboolean
gst_arc_src_filter (GstBuffer ** buffer, guint index, gpointer user_data)
{
  if (!peer_admit (user_data, *buffer))
    gst_clear_buffer (buffer);
  return TRUE;
}

static GstPadProbeReturn
gst_arc_src_on_received (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBufferList *list;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return peer_admit (user_data, GST_PAD_PROBE_INFO_BUFFER (info)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;

  list = gst_buffer_list_make_writable (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  info->data = list;
  gst_buffer_list_foreach (list, gst_arc_src_filter, user_data);
  return gst_buffer_list_length (list) > 0 ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

/* On arcreceiver's pad of reports, which leads nowhere else. */
static GstPadProbeReturn
gst_arc_src_on_report (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  peer_send (user_data, GST_PAD_PROBE_INFO_BUFFER (info));
  gst_clear_buffer ((GstBuffer **) & info->data);
  return GST_PAD_PROBE_HANDLED;
}

static GstFlowReturn
gst_arc_src_chain_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  peer_send (&GST_ARC_SRC (parent)->peer, buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
gst_arc_src_rtcp_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

/* Request pads */

static GstPad *
gst_arc_src_new_rtcp_src (GstArcSrc * self, GstPadTemplate * templ)
{
  GstPad *target = gst_element_request_pad_simple (self->receiver, "sender_rtcp_src");
  GstPad *pad;

  if (!target)
    return NULL;
  pad = gst_ghost_pad_new_from_template ("rtcp_src", target, templ);
  gst_object_unref (target);
  return pad;
}

static GstPad *
gst_arc_src_new_rtcp_sink (GstArcSrc * self, GstPadTemplate * templ)
{
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (self), "rtcp_sink");

  if (pad) {
    gst_object_unref (pad);
    return NULL;
  }
  pad = gst_pad_new_from_template (templ, "rtcp_sink");
  gst_pad_set_chain_function (pad, gst_arc_src_chain_rtcp);
  gst_pad_set_event_function (pad, gst_arc_src_rtcp_sink_event);
  return pad;
}

static GstPad *
gst_arc_src_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name, const GstCaps * caps)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstPad *pad = GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK ? gst_arc_src_new_rtcp_sink (self, templ)
      : gst_arc_src_new_rtcp_src (self, templ);

  if (!pad) {
    GST_WARNING_OBJECT (self, "pad %s is in use already", GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
    return NULL;
  }
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

static void
gst_arc_src_release_pad (GstElement * element, GstPad * pad)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstPad *target = GST_IS_GHOST_PAD (pad) ? gst_ghost_pad_get_target (GST_GHOST_PAD (pad)) : NULL;

  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
  if (target) {
    gst_element_release_request_pad (self->receiver, target);
    gst_object_unref (target);
  }
}

/* States */

/* With the settings of now; FALSE: an error is on the bus. */
static gboolean
gst_arc_src_open (GstArcSrc * self)
{
  gchar *address, *uri_error, *resolved = NULL;
  guint16 port;
  gint buffer_bytes;
  GError *error = NULL;
  GSocket *socket = NULL;

  GST_OBJECT_LOCK (self);
  address = g_strdup (self->address);
  uri_error = g_strdup (self->uri_error);
  port = self->port;
  buffer_bytes = self->buffer_bytes;
  GST_OBJECT_UNLOCK (self);

  if (!self->udpsrc)
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, ("arcsrc needs udpsrc of gst-plugins-good: install it."), (NULL));
  else if (uri_error)
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", uri_error), (NULL));
  else if (!(socket = listen_socket_open (address, port, buffer_bytes, &resolved, &error)))
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));

  if (socket) {
    GST_INFO_OBJECT (self, "receive buffer: %d bytes of %d", listen_socket_buffer_bytes (socket), buffer_bytes);
    g_object_set (self->udpsrc, "socket", socket, "address", resolved, NULL);
    peer_set_socket (&self->peer, socket);
    GST_OBJECT_LOCK (self);
    self->socket = socket;
    GST_OBJECT_UNLOCK (self);
    if (listen_socket_port (socket) != port)
      g_object_notify (G_OBJECT (self), "port");
  }
  g_clear_error (&error);
  g_free (address);
  g_free (uri_error);
  g_free (resolved);
  return socket != NULL;
}

static void
gst_arc_src_close (GstArcSrc * self)
{
  GSocket *socket;

  GST_OBJECT_LOCK (self);
  socket = g_steal_pointer (&self->socket);
  GST_OBJECT_UNLOCK (self);
  if (!socket)
    return;
  peer_set_socket (&self->peer, NULL);
  /* Only now: udpsrc closed it, but goes on to hold it. */
  g_object_set (self->udpsrc, "socket", NULL, NULL);
  g_socket_close (socket, NULL);
  g_object_unref (socket);
}

static GstStateChangeReturn
gst_arc_src_change_state (GstElement * element, GstStateChange transition)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!gst_arc_src_open (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      peer_reset (&self->peer);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
      peer_expect_media (&self->peer);
      break;
    default:
      break;
  }

  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE))
    gst_arc_src_close (self);
  return ret;
}

/* URI */

static gboolean
gst_arc_src_set_uri (GstURIHandler * handler, const gchar * text, GError ** error)
{
  GstArcSrc *self = GST_ARC_SRC (handler);
  GError *wrong = NULL;
  ArcUri uri;

  if (arc_uri_parse (text, &uri, &wrong))
    g_object_set (self, "address", uri.address, "port", (gint) uri.port, NULL);
  if (uri.caps)
    g_object_set (self, "caps", uri.caps, NULL);
  arc_uri_clear (&uri);

  GST_OBJECT_LOCK (self);
  g_free (self->uri_error);
  self->uri_error = wrong ? g_strdup (wrong->message) : NULL;
  GST_OBJECT_UNLOCK (self);

  if (!wrong)
    return TRUE;
  g_propagate_error (error, wrong);
  return FALSE;
}

static gchar *
gst_arc_src_get_uri (GstURIHandler * handler)
{
  GstArcSrc *self = GST_ARC_SRC (handler);
  gchar *text;

  GST_OBJECT_LOCK (self);
  text = arc_uri_to_string (self->address, self->port, self->caps);
  GST_OBJECT_UNLOCK (self);
  return text;
}

static GstURIType
gst_arc_src_uri_get_type (GType type)
{
  return GST_URI_SRC;
}

static const gchar *const *
gst_arc_src_uri_get_protocols (GType type)
{
  static const gchar *protocols[] = { "arc", NULL };

  return protocols;
}

static void
gst_arc_src_uri_handler_init (gpointer iface, gpointer iface_data)
{
  GstURIHandlerInterface *handler = iface;

  handler->get_type = gst_arc_src_uri_get_type;
  handler->get_protocols = gst_arc_src_uri_get_protocols;
  handler->get_uri = gst_arc_src_get_uri;
  handler->set_uri = gst_arc_src_set_uri;
}

/* Properties */

static GstStructure *
gst_arc_src_create_stats (GstArcSrc * self)
{
  GstStructure *stats;

  g_object_get (self->receiver, "stats", &stats, NULL);
  gst_structure_set_name (stats, "application/x-arcsrc-stats");
  peer_add_stats (&self->peer, stats);
  return stats;
}

/* A fraction of the timeout, so that foreign packets, which restart udpsrc's timer, delay our message little. */
static void
gst_arc_src_set_timeout (GstArcSrc * self, GstClockTime timeout)
{
  peer_set_timeout (&self->peer, timeout);
  if (self->udpsrc)
    g_object_set (self->udpsrc, "timeout", timeout > 0 ? MAX (timeout / 4, MIN_TICK) : 0, NULL);
}

static void
gst_arc_src_set_caps (GstArcSrc * self, const GstCaps * caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, (GstCaps *) caps);
  GST_OBJECT_UNLOCK (self);
  if (self->udpsrc)
    g_object_set (self->udpsrc, "caps", caps, NULL);
}

static void
gst_arc_src_set_simple_property (GstArcSrc * self, guint prop_id, const GValue * value)
{
  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_ADDRESS:
      g_free (self->address);
      self->address = g_strdup (g_value_get_string (value) ? g_value_get_string (value) : ARC_URI_DEFAULT_ADDRESS);
      break;
    case PROP_PORT:
      self->port = g_value_get_int (value);
      break;
    case PROP_TIMEOUT:
      self->timeout = g_value_get_uint64 (value);
      break;
    case PROP_FOLLOW_SENDER:
      self->follow_sender = g_value_get_boolean (value);
      break;
    case PROP_BUFFER_SIZE:
      self->buffer_bytes = g_value_get_int (value);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_arc_src_set_property (GObject * object, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC (object);
  GError *error = NULL;

  switch (prop_id) {
    case PROP_ADDRESS:
    case PROP_PORT:
    case PROP_BUFFER_SIZE:
      gst_arc_src_set_simple_property (self, prop_id, value);
      break;
    case PROP_FOLLOW_SENDER:
      gst_arc_src_set_simple_property (self, prop_id, value);
      peer_set_follow (&self->peer, g_value_get_boolean (value));
      break;
    case PROP_TIMEOUT:
      gst_arc_src_set_simple_property (self, prop_id, value);
      gst_arc_src_set_timeout (self, g_value_get_uint64 (value));
      break;
    case PROP_CAPS:
      gst_arc_src_set_caps (self, gst_value_get_caps (value));
      break;
    case PROP_URI:
      if (!gst_arc_src_set_uri (GST_URI_HANDLER (self), g_value_get_string (value), &error))
        GST_WARNING_OBJECT (self, "%s", error->message);
      g_clear_error (&error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
}

static void
gst_arc_src_get_property (GObject * object, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC (object);

  if (prop_id == PROP_URI) {
    g_value_take_string (value, gst_arc_src_get_uri (GST_URI_HANDLER (self)));
    return;
  }
  if (prop_id == PROP_STATS) {
    g_value_take_boxed (value, gst_arc_src_create_stats (self));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (prop_id) {
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_PORT:
      g_value_set_int (value, self->socket ? listen_socket_port (self->socket) : self->port);
      break;
    case PROP_CAPS:
      gst_value_set_caps (value, self->caps);
      break;
    case PROP_TIMEOUT:
      g_value_set_uint64 (value, self->timeout);
      break;
    case PROP_FOLLOW_SENDER:
      g_value_set_boolean (value, self->follow_sender);
      break;
    case PROP_BUFFER_SIZE:
      g_value_set_int (value, self->buffer_bytes);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_arc_src_finalize (GObject * object)
{
  GstArcSrc *self = GST_ARC_SRC (object);

  peer_clear (&self->peer);
  gst_clear_caps (&self->caps);
  g_free (self->address);
  g_free (self->uri_error);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_arc_src_install_properties (GObjectClass * object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY;
  const GParamFlags live_flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  /**
   * GstArcSrc:address:
   *
   * Numeric address or name of this machine to receive on; `0.0.0.0`: all of IPv4, `::`: all of IPv6 and IPv4; or a
   * multicast group. Takes effect when the element leaves the NULL state, which fails if there is no such address.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ADDRESS,
      g_param_spec_string ("address", "Address", "Address to receive on (0.0.0.0 = all of IPv4, :: = all)",
          ARC_URI_DEFAULT_ADDRESS, flags));

  /**
   * GstArcSrc:port:
   *
   * UDP port to receive on; 0: any free one, which this property tells (and notifies) from READY on. Takes effect when the
   * element leaves the NULL state, which fails if the port is in use.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_PORT,
      g_param_spec_int ("port", "Port", "UDP port to receive on (0 = any free one)", 0, G_MAXUINT16,
          ARC_URI_DEFAULT_PORT, flags));

  /**
   * GstArcSrc:uri:
   *
   * #GstArcSrc:address, #GstArcSrc:port and, if it has a query, #GstArcSrc:caps in one. A URI that cannot be understood
   * keeps the element in NULL: the error that says why comes with the state change.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_URI,
      g_param_spec_string ("uri", "URI", "arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video",
          "arc://" ARC_URI_DEFAULT_ADDRESS ":" G_STRINGIFY (ARC_URI_DEFAULT_PORT), flags));

  /**
   * GstArcSrc:caps:
   *
   * RTP caps of the packets, as the sender's SDP or payloader tells; NULL: unknown, downstream must know.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps", "RTP caps of the packets", GST_TYPE_CAPS, live_flags));

  /**
   * GstArcSrc:timeout:
   *
   * Time without media, nanoseconds, after which the element posts `GstArcSrcTimeout` and another address may become the
   * sender; 0: no message, and another sender after 2 seconds. The message comes at most a quarter of it late.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_TIMEOUT,
      g_param_spec_uint64 ("timeout", "Timeout", "Post a message after this time without media (ns; 0 = never)",
          0, G_MAXINT64, DEFAULT_TIMEOUT, live_flags));

  /**
   * GstArcSrc:follow-sender:
   *
   * Whether RTP with the sender's SSRC from another address or port makes that the sender at once.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FOLLOW_SENDER,
      g_param_spec_boolean ("follow-sender", "Follow sender",
          "Follow a sender that comes from another address with the same SSRC", FALSE, live_flags));

  /**
   * GstArcSrc:buffer-size:
   *
   * The kernel's receive buffer, bytes; 0: the system's default. Takes effect when the element leaves the NULL state. The
   * system may grant less (`net.core.rmem_max`): the `buffer-size` in #GstArcSrc:stats tells.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BUFFER_SIZE,
      g_param_spec_int ("buffer-size", "Buffer size", "Receive buffer of the kernel (bytes; 0 = system default)",
          0, G_MAXINT, DEFAULT_BUFFER_BYTES, flags));

  /**
   * GstArcSrc:stats:
   *
   * The fields of #GstArcReceiver:stats and, since PAUSED:
   *
   * * `sender` (string): address and port that media comes from; absent while there is none
   * * `packets-foreign` (guint64): dropped because they came from elsewhere
   * * `sender-changes` (guint64): how often another address became the sender
   * * `send-errors` (guint64): RTCP that could not be sent
   * * `buffer-size` (gint): receive buffer that the system granted, bytes
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Those of arcreceiver, and about the sender", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_arc_src_class_init (GstArcSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (arcsrc_debug, "arcsrc", 0, "ARC source");

  object_class->set_property = gst_arc_src_set_property;
  object_class->get_property = gst_arc_src_get_property;
  object_class->finalize = gst_arc_src_finalize;
  gst_arc_src_install_properties (object_class);

  GST_BIN_CLASS (klass)->handle_message = gst_arc_src_handle_message;
  element_class->change_state = gst_arc_src_change_state;
  element_class->request_new_pad = gst_arc_src_request_new_pad;
  element_class->release_pad = gst_arc_src_release_pad;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_sink_template);
  gst_element_class_set_static_metadata (element_class, "ARC source", "Source/Network/RTP",
      "Receives RTP from rmcsink over UDP and reports back to it", "the gst-arc authors");
}

/* Reports go straight to the socket. */
static void
gst_arc_src_catch_reports (GstArcSrc * self)
{
  GstPad *pad = gst_element_request_pad_simple (self->receiver, "rtcp_src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, gst_arc_src_on_report, &self->peer, NULL);
  gst_object_unref (pad);
}

static void
gst_arc_src_add_udpsrc (GstArcSrc * self)
{
  GstPad *pad;

  self->udpsrc = gst_element_factory_make ("udpsrc", "udpsrc");
  if (!self->udpsrc)
    return;
  gst_util_set_object_arg (G_OBJECT (self->udpsrc), "socket-timestamp", "realtime");
  gst_bin_add (GST_BIN (self), self->udpsrc);
  gst_element_link_pads (self->udpsrc, "src", self->receiver, "sink");

  pad = gst_element_get_static_pad (self->udpsrc, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, gst_arc_src_on_received,
      &self->peer, NULL);
  gst_object_unref (pad);
}

static void
gst_arc_src_init (GstArcSrc * self)
{
  GstPadTemplate *templ = gst_static_pad_template_get (&src_template);
  GstPad *target;

  self->address = g_strdup (ARC_URI_DEFAULT_ADDRESS);
  self->port = ARC_URI_DEFAULT_PORT;
  self->timeout = DEFAULT_TIMEOUT;
  self->buffer_bytes = DEFAULT_BUFFER_BYTES;
  peer_init (&self->peer, GST_ELEMENT (self), DEFAULT_TIMEOUT);

  self->receiver = g_object_new (GST_TYPE_ARC_RECEIVER, "name", "arcreceiver", NULL);
  gst_bin_add (GST_BIN (self), self->receiver);
  gst_arc_src_catch_reports (self);
  gst_arc_src_add_udpsrc (self);
  gst_arc_src_set_timeout (self, DEFAULT_TIMEOUT);

  target = gst_element_get_static_pad (self->receiver, "src");
  gst_element_add_pad (GST_ELEMENT (self), gst_ghost_pad_new_from_template ("src", target, templ));
  gst_object_unref (target);
  gst_object_unref (templ);
}
