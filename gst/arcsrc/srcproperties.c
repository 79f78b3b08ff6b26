/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "gstarcsrcprivate.h"

#include "net/arcuri.h"
#include "arcreceiver/feedbackchoice.h"
#include "base/propertyrows.h"

#define MIN_STATS_INTERVAL (10 * GST_MSECOND)   /* as of rmcsink */
#define MAX_STATS_INTERVAL (24 * 3600 * GST_SECOND)
#define MAX_LATENCY (60 * GST_SECOND)   /* as in a URI */
#define MAX_TIME ((gdouble) G_MAXINT64)
#define MIN_TICK (10 * GST_MSECOND)

/* In the order of the rows. */
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
  PROP_BUFFER_SIZE,
  PROP_CAPS,
  PROP_SENDER_TIMEOUT,
  PROP_FOLLOW_SENDER,
  PROP_FEEDBACK,
  PROP_REQUEST_KEYFRAMES,
  PROP_ADAPT_LATENCY,
  PROP_MIN_LATENCY,
  PROP_MAX_LATENCY,
  PROP_TIMEOUT,
  PROP_LATENCY,
  PROP_STATS,
  PROP_STATS_INTERVAL,
  PROP_SRTP,                    /* and those after it: SecureProperty */
};

/* The socket opens on the way to READY. */
#define NUMBER(member, ...) PROPERTY_ROW_NUMBER (GstArcSrc, member, __VA_ARGS__)
#define BOOLEAN(member, ...) PROPERTY_ROW_BOOLEAN (GstArcSrc, member, __VA_ARGS__)

static const PropertyRow properties[] = {
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
  PROPERTY_ROW_ENUM (GstArcSrc, mode, PROPERTY_ANY, "mode", "Mode",
      "Whether the element waits for a sender, or calls one that listens at host and port",
      join_mode_get_type, JOIN_MODE_LISTENER),
  /**
   * GstArcSrc:host:
   *
   * With mode=caller, the name or address of the sender that listens. A name is looked up when the
   * element leaves the NULL state, and each 2 s (IPv4 only) until it is found.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_STRING (GstArcSrc, host, PROPERTY_ANY, "host", "Host",
      "With mode=caller: name or address of the sender that listens", NULL),
  /**
   * GstArcSrc:streamid:
   *
   * With mode=caller, the text that the sender's application gets with the call, UTF-8 of at most
   * 512 bytes: which stream, or who calls. It travels in the clear.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_STRING (GstArcSrc, stream_id, PROPERTY_ANY, "streamid", "Stream ID",
      "With mode=caller: text for the application of the sender, at most 512 bytes", NULL),
  /**
   * GstArcSrc:max-bitrate:
   *
   * The most that the sender may send in bit/s, headers included; 0: no limit. It is never
   * less than the min-bitrate of the sender. With mode=caller it is part of the call; in any mode
   * it goes with the reports and may change while packets flow, as #GstArcReceiver:max-bitrate.
   *
   * Since: 0.1
   */
  NUMBER (max_bps, PROPERTY_PLAYING, "max-bitrate", "Maximum bitrate",
      "Most that the sender may send in bit/s, headers included (0: no limit)", 0, G_MAXUINT, 0),
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
  PROPERTY_ROW_NEVER_NULL (GstArcSrc, address, PROPERTY_ANY, "address", "Address",
      "Local address or multicast group to receive on (0.0.0.0: any IPv4 address, :: for any "
      "address)", ARC_URI_DEFAULT_ADDRESS),
  /**
   * GstArcSrc:port:
   *
   * UDP port to receive on; 0: any free one, which this property returns (and notifies) from READY
   * on. With mode=caller the port of the sender that listens. Takes effect when the element leaves
   * the NULL state, which fails if the port is in use.
   *
   * Since: 0.1
   */
  NUMBER (port, PROPERTY_ANY, "port", "Port", "UDP port to receive on (0: any free port); with "
      "mode=caller that of the sender", 0, G_MAXUINT16, ARC_URI_DEFAULT_PORT),
  /**
   * GstArcSrc:uri:
   *
   * #GstArcSrc:address, #GstArcSrc:port and, if its query has them, #GstArcSrc:caps and
   * #GstArcSrc:latency. An invalid URI keeps the element in NULL: the state change fails with an
   * error that states the reason.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_OWN_STRING (PROPERTY_ANY, "uri", "URI", "Address, port and optionally caps, as "
      "arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video",
      "arc://" ARC_URI_DEFAULT_ADDRESS ":" G_STRINGIFY (ARC_URI_DEFAULT_PORT)),
  /**
   * GstArcSrc:buffer-size:
   *
   * Size of the kernel's receive buffer in bytes; 0: the system's default. Takes effect when the
   * element leaves the NULL state. The system may grant less (`net.core.rmem_max`): `buffer-size`
   * in #GstArcSrc:stats is the granted size.
   *
   * Since: 0.1
   */
  NUMBER (buffer_bytes, PROPERTY_ANY, "buffer-size", "Buffer size",
      "Size of the kernel's receive buffer in bytes (0: system default)", 0, G_MAXINT,
      2 * 1024 * 1024),         /* 0.5 s at 32 Mbit/s; the system's default holds 92 packets */
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
  PROPERTY_ROW_BOXED (GstArcSrc, caps, PROPERTY_READY, "caps", "Caps",
      "RTP caps of the packets (unset: as the sender announces)", gst_caps_get_type),
  /**
   * GstArcSrc:sender-timeout:
   *
   * Silence of the current sender in nanoseconds after which another address may become the sender.
   * An unverified sender of fewer than ten packets is released earlier, and an rmcsink that has
   * stopped immediately, by its BYE.
   *
   * Since: 0.1
   */
  NUMBER (peer.release, PROPERTY_PLAYING, "sender-timeout", "Sender timeout",
      "Silence of the current sender in ns after which another sender is accepted", 0, MAX_TIME,
      PEER_DEFAULT_RELEASE),
  /**
   * GstArcSrc:follow-sender:
   *
   * Whether RTP with the sender's SSRC from another address or port is accepted at once. rmcsink
   * does not need it: it is followed by its cookie, which arrives within a second.
   *
   * Since: 0.1
   */
  BOOLEAN (peer.follow, PROPERTY_PLAYING, "follow-sender", "Follow sender",
      "Accept RTP with the sender's SSRC from a new address at once, without verification", FALSE),
  /**
   * GstArcSrc:feedback:
   *
   * Format of the feedback to the sender: #GstArcReceiver:feedback describes the formats.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_ENUM (GstArcSrc, feedback, PROPERTY_PLAYING, "feedback", "Feedback",
      "Format of the feedback to the sender", gst_arc_feedback_get_type, GST_ARC_FEEDBACK_AUTO),
  /**
   * GstArcSrc:request-keyframes:
   *
   * As #GstArcReceiver:request-keyframes.
   *
   * Since: 0.1
   */
  BOOLEAN (request_keyframes, PROPERTY_PLAYING, "request-keyframes", "Request keyframes",
      "Request keyframes (PLI, FIR) at the start, on behalf of decoders, and after unrepaired "
      "losses", TRUE),
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
  BOOLEAN (playout.adapt, PROPERTY_PLAYING, "adapt-latency", "Adapt latency",
      "Set the latency of the jitter buffers downstream by what the path needs", FALSE),
  /**
   * GstArcSrc:min-latency:
   *
   * With #GstArcSrc:adapt-latency, the least latency of the jitter buffers in nanoseconds.
   *
   * Since: 0.1
   */
  NUMBER (playout.least, PROPERTY_PLAYING, "min-latency", "Minimum latency",
      "Least latency in ns that adapt-latency sets", 0, MAX_LATENCY, RC_PLAYOUT_LEAST),
  /**
   * GstArcSrc:max-latency:
   *
   * With #GstArcSrc:adapt-latency, the largest latency of the jitter buffers in nanoseconds. If
   * #GstArcSrc:min-latency is larger, that holds.
   *
   * Since: 0.1
   */
  NUMBER (playout.most, PROPERTY_PLAYING, "max-latency", "Maximum latency",
      "Largest latency in ns that adapt-latency sets", 0, MAX_LATENCY, RC_PLAYOUT_MOST),
  /**
   * GstArcSrc:timeout:
   *
   * Time in nanoseconds without media and without a sign of the sender, which rmcsink gives each
   * second while its source pauses, after which the element posts `GstArcSrcTimeout`; 0: no
   * message. The message is late by at most a quarter of this time.
   *
   * Since: 0.1
   */
  NUMBER (peer.timeout, PROPERTY_PLAYING, "timeout", "Timeout",
      "Time in ns without media or a sign of the sender, after which GstArcSrcTimeout is posted "
      "(0: never)", 0, MAX_TIME, 2 * GST_SECOND),
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
  NUMBER (latency, PROPERTY_PLAYING, "latency", "Latency",
      "Latency in ns of a jitter buffer inside, with retransmission (0: none inside)", 0,
      MAX_LATENCY, 0),
  /**
   * GstArcSrc:stats:
   *
   * The fields of #GstArcReceiver:stats and those of the sender, since PAUSED; gst-inspect-1.0
   * lists the fields.
   *
   * Since: 0.1
   */
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  /**
   * GstArcSrc:stats-interval:
   *
   * Interval of element messages with #GstArcSrc:stats in nanoseconds, at least 10 ms; 0: none.
   *
   * Since: 0.1
   */
  NUMBER (stats_interval, PROPERTY_PLAYING, "stats-interval", "Statistics interval",
      "Interval of statistics messages in ns, at least 10 ms (0: no messages)", 0,
      MAX_STATS_INTERVAL, 0),
  {NULL}
};

/* The tick is a fraction of the timeout, so that foreign packets, which begin it anew, delay our
 * message little. */
static void
apply_timeout (GstArcSrc * self, GstClockTime timeout)
{
  GstClockTime tick_ms = MAX (timeout / 4, MIN_TICK) / GST_MSECOND;

  datagram_source_set_tick (self->source, timeout > 0 ? (gint) MIN (tick_ms, G_MAXINT) : 0);
}

/* While it runs, NULL leaves what there is: it may be the sender's, with packets that wait for it
 * to leave. */
static void
apply_caps (GstArcSrc * self, const GstCaps * caps)
{
  peer_set_caps (&self->peer, caps);
  if (caps || GST_STATE (self) < GST_STATE_PAUSED)
    datagram_source_set_caps (self->source, caps);
}

static void
set_uri (GstArcSrc * self, const gchar * uri)
{
  GError *error = NULL;

  if (!gst_arc_src_set_uri (self, uri ? uri : "", &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  g_clear_error (&error);
}

static void
apply (GstArcSrc * self, guint id, const GValue * value, GParamSpec * pspec)
{
  switch (id) {
    case PROP_URI:
      set_uri (self, g_value_get_string (value));
      break;
    case PROP_TIMEOUT:
      apply_timeout (self, g_value_get_uint64 (value));
      break;
    case PROP_CAPS:
      apply_caps (self, gst_value_get_caps (value));
      break;
    case PROP_LATENCY:
      gst_arc_src_set_latency (self, g_value_get_uint64 (value));
      break;
    case PROP_FEEDBACK:
    case PROP_REQUEST_KEYFRAMES:
    case PROP_MAX_BITRATE:
      g_object_set_property (G_OBJECT (self->receiver), pspec->name, value);
      break;
    case PROP_ADAPT_LATENCY:
    case PROP_MIN_LATENCY:
    case PROP_MAX_LATENCY:
      playout_steering_renew (&self->playout);
      break;
    case PROP_STATS_INTERVAL:
      gst_arc_src_restart_stats (self);
      break;
    default:
      break;
  }
}

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (object);

  if (id >= PROP_SRTP) {
    gst_arc_src_set_srtp (self, id - PROP_SRTP, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_mutex_lock (&self->peer.lock);
  property_rows_write (properties, self, id, value);
  g_mutex_unlock (&self->peer.lock);
  if (self->stats_interval > 0)
    self->stats_interval = MAX (self->stats_interval, MIN_STATS_INTERVAL);
  GST_OBJECT_UNLOCK (self);
  apply (self, id, value, pspec);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstArcSrc *self = GST_ARC_SRC_CAST (object);

  if (id == PROP_URI) {
    g_value_take_string (value, gst_uri_handler_get_uri (GST_URI_HANDLER (self)));
    return;
  }
  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_arc_src_create_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_PORT && self->mode != JOIN_MODE_CALLER && peer_port (&self->peer) != 0)
    g_value_set_uint (value, peer_port (&self->peer));
  else if (id >= PROP_SRTP)
    secure_settings_get (&self->srtp, id - PROP_SRTP, value);
  else
    property_rows_read (properties, self, id, value);
  GST_OBJECT_UNLOCK (self);
}

void
gst_arc_src_install_properties (GObjectClass * object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  property_rows_install (object_class, PROP_MODE, properties);
  secure_properties_install (object_class, PROP_SRTP);
}

void
gst_arc_src_init_properties (GstArcSrc * self)
{
  property_rows_init (properties, self);
  self->srtp = (SecureSettings) SECURE_SETTINGS_DEFAULT;
  apply_timeout (self, self->peer.timeout);
}

void
gst_arc_src_clear_properties (GstArcSrc * self)
{
  property_rows_clear (properties, self);
  secure_settings_clear (&self->srtp);
  call_secret_clear (&self->secret);
}
