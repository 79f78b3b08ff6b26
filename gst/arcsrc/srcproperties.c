/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcsrcprivate.h"

#include "net/arcuri.h"
#include "arcreceiver/feedbackchoice.h"
#include "base/propertyplaces.h"
#include "net/listensocket.h"

#define MIN_STATS_INTERVAL (10 * GST_MSECOND)   /* as of rmcsink */
#define MAX_STATS_INTERVAL (24 * 3600 * GST_SECOND)
#define MAX_LATENCY (60 * GST_SECOND)   /* as in a URI */
#define MIN_TICK (10 * GST_MSECOND)

/* The socket opens on the way to READY. */
#define NULL_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define READY_FLAGS (NULL_FLAGS | GST_PARAM_MUTABLE_READY)
#define PLAYING_FLAGS (NULL_FLAGS | GST_PARAM_MUTABLE_PLAYING)

enum
{
  PROP_0,
  PROP_MODE,
  PROP_HOST,
  PROP_STREAMID,
  PROP_MAX_BITRATE,
  PROP_ADDRESS,
  PROP_PORT,
  PROP_URI,
  PROP_CAPS,
  PROP_TIMEOUT,
  PROP_SENDER_TIMEOUT,
  PROP_FOLLOW_SENDER,
  PROP_LATENCY,
  PROP_BUFFER_SIZE,
  PROP_FEEDBACK,
  PROP_REQUEST_KEYFRAMES,
  PROP_ADAPT_LATENCY,
  PROP_MIN_LATENCY,
  PROP_MAX_LATENCY,
  PROP_STATS,
  PROP_STATS_INTERVAL,
  PROP_SRTP,                    /* and those after it: SecureProperty */
};

/* A fraction of the timeout, so that foreign packets, which restart udpsrc's timer, delay our
 * message little. */
void
gst_arc_src_set_timeout (GstArcSrc * self, GstClockTime timeout)
{
  peer_set_timeout (&self->peer, timeout);
  if (self->udpsrc)
    g_object_set (self->udpsrc, "timeout", timeout > 0 ? MAX (timeout / 4, MIN_TICK) : 0, NULL);
}

static void
apply_caps (GstArcSrc * self, const GstCaps * caps)
{
  peer_set_caps (&self->peer, caps);
  if (self->udpsrc)
    g_object_set (self->udpsrc, "caps", caps, NULL);
}

static void
set_uri (GstArcSrc * self, const gchar * uri)
{
  GError *error = NULL;

  if (!gst_arc_src_set_uri (self, uri ? uri : "", &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  g_clear_error (&error);
}

/* Where in the object a property lies. */
static const PropertyPlace places[] = {
  {PROP_MODE, offsetof (GstArcSrc, mode)},
  {PROP_HOST, offsetof (GstArcSrc, host)},
  {PROP_STREAMID, offsetof (GstArcSrc, stream_id)},
  {PROP_MAX_BITRATE, offsetof (GstArcSrc, max_bps)},
  {PROP_ADDRESS, offsetof (GstArcSrc, address)},
  {PROP_PORT, offsetof (GstArcSrc, port)},
  {PROP_CAPS, offsetof (GstArcSrc, caps)},
  {PROP_LATENCY, offsetof (GstArcSrc, latency)},
  {PROP_BUFFER_SIZE, offsetof (GstArcSrc, buffer_bytes)},
  {PROP_ADAPT_LATENCY, offsetof (GstArcSrc, playout.adapt)},
  {PROP_MIN_LATENCY, offsetof (GstArcSrc, playout.least)},
  {PROP_MAX_LATENCY, offsetof (GstArcSrc, playout.most)},
  {PROP_STATS_INTERVAL, offsetof (GstArcSrc, stats_interval)},
  {0, 0}
};

static void
set_setting (GstArcSrc * self, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  gboolean found;

  GST_OBJECT_LOCK (self);
  found = property_places_write (places, self, prop_id, value);
  if (!self->address)
    self->address = g_strdup (ARC_URI_DEFAULT_ADDRESS);
  if (self->stats_interval > 0)
    self->stats_interval = MAX (self->stats_interval, MIN_STATS_INTERVAL);
  GST_OBJECT_UNLOCK (self);
  if (!found)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (self, prop_id, pspec);
  else if (prop_id == PROP_MAX_BITRATE)
    g_object_set_property (G_OBJECT (self->receiver), pspec->name, value);
  else if (prop_id == PROP_CAPS)
    apply_caps (self, gst_value_get_caps (value));
  else if (prop_id == PROP_STATS_INTERVAL)
    gst_arc_src_restart_stats (self);
  else if (prop_id >= PROP_ADAPT_LATENCY && prop_id <= PROP_MAX_LATENCY)
    playout_steering_renew (&self->playout);
}

static void
set_property (GObject * object, guint prop_id, const GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (object);

  if (prop_id >= PROP_SRTP) {
    gst_arc_src_set_srtp (self, prop_id - PROP_SRTP, value);
    return;
  }
  switch (prop_id) {
    case PROP_URI:
      set_uri (self, g_value_get_string (value));
      break;
    case PROP_TIMEOUT:
      gst_arc_src_set_timeout (self, g_value_get_uint64 (value));
      break;
    case PROP_SENDER_TIMEOUT:
      peer_set_release (&self->peer, g_value_get_uint64 (value));
      break;
    case PROP_FOLLOW_SENDER:
      peer_set_follow (&self->peer, g_value_get_boolean (value));
      break;
    case PROP_LATENCY:
      gst_arc_src_set_latency (self, g_value_get_uint64 (value));
      break;
    case PROP_FEEDBACK:
    case PROP_REQUEST_KEYFRAMES:
      g_object_set_property (G_OBJECT (self->receiver), pspec->name, value);
      break;
    default:
      set_setting (self, prop_id, value, pspec);
      break;
  }
}

static void
get_setting (GstArcSrc * self, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GST_OBJECT_LOCK (self);
  if (prop_id == PROP_PORT && self->socket && self->mode != JOIN_MODE_CALLER)
    g_value_set_uint (value, listen_socket_port (self->socket));
  else if (prop_id >= PROP_SRTP)
    secure_settings_get (&self->srtp, prop_id - PROP_SRTP, value);
  else if (!property_places_read (places, self, prop_id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (self, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject * object, guint prop_id, GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (object);

  switch (prop_id) {
    case PROP_URI:
      g_value_take_string (value, gst_uri_handler_get_uri (GST_URI_HANDLER (self)));
      break;
    case PROP_TIMEOUT:
      g_value_set_uint64 (value, peer_timeout (&self->peer));
      break;
    case PROP_SENDER_TIMEOUT:
      g_value_set_uint64 (value, peer_release (&self->peer));
      break;
    case PROP_FOLLOW_SENDER:
      g_value_set_boolean (value, peer_follows (&self->peer));
      break;
    case PROP_FEEDBACK:
    case PROP_REQUEST_KEYFRAMES:
      g_object_get_property (G_OBJECT (self->receiver), pspec->name, value);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, gst_arc_src_create_stats (self));
      break;
    default:
      get_setting (self, prop_id, value, pspec);
      break;
  }
}

static void
install_call_properties (GObjectClass * object_class)
{
  /**
   * GstArcSrc:mode:
   *
   * Whether the element waits for a sender at #GstArcSrc:port, or calls one that listens (rmcsink
   * mode=listener, arcserversink) at #GstArcSrc:host and #GstArcSrc:port, from a free port of this
   * machine. A caller calls until it is accepted, and again after a second without media. A refusal
   * is an error, with the reason.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MODE,
      g_param_spec_enum ("mode", "Mode",
          "Whether the element waits for a sender, or calls one that listens at host and port",
          join_mode_get_type (), JOIN_MODE_LISTENER, NULL_FLAGS));

  /**
   * GstArcSrc:host:
   *
   * With mode=caller, the name or address of the sender that listens. A name is looked up when the
   * element leaves the NULL state, and each 2 s (IPv4 only) until it is found.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_HOST,
      g_param_spec_string ("host", "Host", "With mode=caller: name or address of the sender that "
          "listens", NULL, NULL_FLAGS));

  /**
   * GstArcSrc:streamid:
   *
   * With mode=caller, the text that the sender's application gets with the call, UTF-8 of at most
   * 512 bytes: which stream, or who calls. It travels in the clear.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STREAMID,
      g_param_spec_string ("streamid", "Stream ID", "With mode=caller: text for the application of "
          "the sender, at most 512 bytes", NULL, NULL_FLAGS));

  /**
   * GstArcSrc:max-bitrate:
   *
   * The most that the sender may send in bit/s, headers included; 0: no limit. It is never
   * less than the min-bitrate of the sender. With mode=caller it is part of the call; in any mode
   * it goes with the reports and may change while packets flow, as #GstArcReceiver:max-bitrate.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate", "Most that the sender may send in "
          "bit/s, headers included (0: no limit)", 0, G_MAXUINT, 0, PLAYING_FLAGS));
}

static void
install_socket_properties (GObjectClass * object_class)
{
  /**
   * GstArcSrc:address:
   *
   * Local numeric address or host name to receive on, or a multicast group; `0.0.0.0`: all IPv4
   * addresses, `::`: all IPv6 and IPv4 addresses. A link-local address includes its interface
   * (`fe80::1%eth0`). Takes effect when the element leaves the NULL state, which fails if the
   * address does not exist.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ADDRESS,
      g_param_spec_string ("address", "Address",
          "Local address or multicast group to receive on (0.0.0.0: any IPv4 address, :: for any "
          "address)", ARC_URI_DEFAULT_ADDRESS, NULL_FLAGS));

  /**
   * GstArcSrc:port:
   *
   * UDP port to receive on; 0: any free one, which this property returns (and notifies) from READY
   * on. With mode=caller the port of the sender that listens. Takes effect when the element leaves
   * the NULL state, which fails if the port is in use.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_PORT,
      g_param_spec_uint ("port", "Port", "UDP port to receive on (0: any free port); with "
          "mode=caller that of the sender", 0, G_MAXUINT16, ARC_URI_DEFAULT_PORT, NULL_FLAGS));

  /**
   * GstArcSrc:uri:
   *
   * #GstArcSrc:address, #GstArcSrc:port and, if its query has them, #GstArcSrc:caps and
   * #GstArcSrc:latency. An invalid URI keeps the element in NULL: the state change fails with an
   * error that states the reason.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_URI,
      g_param_spec_string ("uri", "URI",
          "Address, port and optionally caps, as "
          "arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video",
          "arc://" ARC_URI_DEFAULT_ADDRESS ":" G_STRINGIFY (ARC_URI_DEFAULT_PORT), NULL_FLAGS));

  /**
   * GstArcSrc:buffer-size:
   *
   * Size of the kernel's receive buffer in bytes; 0: the system's default. Takes effect when the
   * element leaves the NULL state. The system may grant less (`net.core.rmem_max`): `buffer-size`
   * in #GstArcSrc:stats is the granted size.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BUFFER_SIZE,
      g_param_spec_int ("buffer-size", "Buffer size",
          "Size of the kernel's receive buffer in bytes (0: system default)", 0, G_MAXINT,
          GST_ARC_SRC_DEFAULT_BUFFER_BYTES, NULL_FLAGS));
}

static void
install_sender_properties (GObjectClass * object_class)
{
  /**
   * GstArcSrc:caps:
   *
   * RTP caps of the packets, from the sender's SDP or payloader; NULL: those that the sender
   * announces, as rmcsink does, with parameter sets and header extensions. If they name a payload
   * type, packets of other payload types are refused with a warning. If they name the encoding and
   * the payload type that the sender announces, it adds the parameters that they leave open.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps", "RTP caps of the packets (NULL: as the sender announces)",
          GST_TYPE_CAPS, READY_FLAGS));

  /**
   * GstArcSrc:sender-timeout:
   *
   * Silence of the current sender in nanoseconds after which another address may become the sender.
   * An unverified sender of fewer than ten packets is released earlier, and an rmcsink that has
   * stopped immediately, by its BYE.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SENDER_TIMEOUT,
      g_param_spec_uint64 ("sender-timeout", "Sender timeout",
          "Silence of the current sender in ns after which another sender is accepted", 0,
          G_MAXINT64, PEER_DEFAULT_RELEASE, PLAYING_FLAGS));

  /**
   * GstArcSrc:follow-sender:
   *
   * Whether RTP with the sender's SSRC from another address or port is accepted at once. rmcsink
   * does not need it: it is followed by its cookie, which arrives within a second.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FOLLOW_SENDER,
      g_param_spec_boolean ("follow-sender", "Follow sender",
          "Accept RTP with the sender's SSRC from a new address at once, without verification",
          FALSE, PLAYING_FLAGS));
}

static void
install_feedback_properties (GObjectClass * object_class)
{
  /**
   * GstArcSrc:feedback:
   *
   * Format of the feedback to the sender: #GstArcReceiver:feedback describes the formats.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_FEEDBACK,
      g_param_spec_enum ("feedback", "Feedback", "Format of the feedback to the sender",
          GST_TYPE_ARC_FEEDBACK, GST_ARC_FEEDBACK_AUTO, PLAYING_FLAGS));

  /**
   * GstArcSrc:request-keyframes:
   *
   * As #GstArcReceiver:request-keyframes.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_REQUEST_KEYFRAMES,
      g_param_spec_boolean ("request-keyframes", "Request keyframes",
          "Request keyframes (PLI, FIR) at the start, on behalf of decoders, and after unrepaired "
          "losses", TRUE, PLAYING_FLAGS));
}

static void
install_playout_properties (GObjectClass * object_class)
{
  const RcPlayoutParams params = RC_PLAYOUT_PARAMS_DEFAULT;

  /**
   * GstArcSrc:adapt-latency:
   *
   * Whether the `latency` of each rtpjitterbuffer downstream follows the path: it grows before
   * frames come late, and shrinks by 10 ms at a time to what the latest frame of the last seconds,
   * and repair by retransmission, needed. The latency that the jitter buffer has is where it
   * begins. In an rtpbin, the property of the rtpbin is set, for all of its jitter buffers. One
   * whose latency is set by anybody else meanwhile is left alone from then on. At the end the
   * jitter buffer gets its own latency back.
   *
   * The application has to call gst_bin_recalculate_latency() on the pipeline when it gets
   * #GST_MESSAGE_LATENCY, as gst-launch-1.0 and GstPlay do. Otherwise the element warns and sets
   * nothing. All sinks of the pipeline move together, so sound stays with the picture; but a sink
   * for sound makes up for a change in jumps, which can be heard.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ADAPT_LATENCY,
      g_param_spec_boolean ("adapt-latency", "Adapt latency",
          "Set the latency of the jitter buffers downstream by what the path needs", FALSE,
          PLAYING_FLAGS));

  /**
   * GstArcSrc:min-latency:
   *
   * With #GstArcSrc:adapt-latency, the least latency of the jitter buffers in nanoseconds.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MIN_LATENCY,
      g_param_spec_uint64 ("min-latency", "Minimum latency",
          "Least latency in ns that adapt-latency sets", 0, MAX_LATENCY, params.least,
          PLAYING_FLAGS));

  /**
   * GstArcSrc:max-latency:
   *
   * With #GstArcSrc:adapt-latency, the largest latency of the jitter buffers in nanoseconds. If
   * #GstArcSrc:min-latency is larger, that holds.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MAX_LATENCY,
      g_param_spec_uint64 ("max-latency", "Maximum latency",
          "Largest latency in ns that adapt-latency sets", 0, MAX_LATENCY, params.most,
          PLAYING_FLAGS));
}

static void
install_report_properties (GObjectClass * object_class)
{
  /**
   * GstArcSrc:timeout:
   *
   * Time in nanoseconds without media and without a sign of the sender, which rmcsink gives each
   * second while its source pauses, after which the element posts `GstArcSrcTimeout`; 0: no
   * message. The message is late by at most a quarter of this time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_TIMEOUT,
      g_param_spec_uint64 ("timeout", "Timeout",
          "Time without media or a sign of the sender in ns after which GstArcSrcTimeout is posted "
          "(0: never)", 0, G_MAXINT64, GST_ARC_SRC_DEFAULT_TIMEOUT, PLAYING_FLAGS));

  /**
   * GstArcSrc:latency:
   *
   * Latency in nanoseconds of an rtpjitterbuffer inside the element, which requests lost packets
   * again (`do-retransmission`); 0: none, so that the pipeline has its own behind arcsrc. An arcsrc
   * that is made from a URI by gst_element_make_from_uri(), as uridecodebin and playbin do, has
   * 200 ms, unless the query of the URI has a `latency` in milliseconds. The jitter buffer is for
   * one stream. Its latency can change at any time; to add or remove it, set this in the NULL
   * state.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_LATENCY,
      g_param_spec_uint64 ("latency", "Latency",
          "Latency in ns of a jitter buffer inside, with retransmission (0: none inside)", 0,
          MAX_LATENCY, 0, PLAYING_FLAGS));

  /**
   * GstArcSrc:stats:
   *
   * The fields of #GstArcReceiver:stats and those of the sender, since PAUSED; gst-inspect-1.0
   * lists the fields.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Statistics; gst-inspect-1.0 lists the fields",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  /**
   * GstArcSrc:stats-interval:
   *
   * Interval of element messages with #GstArcSrc:stats in nanoseconds, at least 10 ms; 0: none.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_STATS_INTERVAL,
      g_param_spec_uint64 ("stats-interval", "Statistics interval",
          "Interval of statistics messages in ns, at least 10 ms (0: no messages)", 0,
          MAX_STATS_INTERVAL, 0, PLAYING_FLAGS));
}

void
gst_arc_src_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  install_call_properties (object_class);
  install_socket_properties (object_class);
  install_sender_properties (object_class);
  install_feedback_properties (object_class);
  install_playout_properties (object_class);
  install_report_properties (object_class);
  secure_properties_install (object_class, PROP_SRTP);
}
