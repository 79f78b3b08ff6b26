/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rcprelay
 * @title: rcprelay
 * @see_also: rmcsink, arcsrc
 *
 * Relays UDP from many senders into one link and signals the fair rate to them: for an office's
 * uplink, the egress of a media server, an access point, a mobile modem. Senders converge within a
 * second instead of probing for the rate, and the queue stays at some packets.
 *
 * ## Behaviour
 *
 * Packets received on #GstRcpRelay:port are forwarded to #GstRcpRelay:host, #GstRcpRelay:host-port;
 * with #GstRcpRelay:n-ports above 1, the following ports are forwarded to the ports after
 * host-port. Each sender address is a flow with its own local port towards the host; the host's
 * answers to that port return to the sender at once. All flows share one queue, which RMC drains at
 * #GstRcpRelay:capacity. At each #GstRcpRelay:interval the relay computes one rate for all flows
 * from the total load (PIQI-RCP: lib/rc/router/rcprouter.c) and writes it into the stamp of
 * outgoing packets. Packets without a stamp are counted and relayed as well.
 *
 * Senders are rmcsinks with `congestion-control=piqi-rcp` (or `rcp`, `qi-rcp`, as
 * #GstRcpRelay:algorithm); an rmcsink never exceeds the rate of its own end-to-end control. With
 * several relays on the path, the lowest rate applies.
 *
 * ## Unknown capacity
 *
 * With #GstRcpRelay:capacity 0 the relay estimates the capacity of the link, such as a mobile
 * uplink, whose capacity varies. It notes when each packet leaves and reads the reports of arcsrc
 * or arcreceiver that pass on their way back; ARC decides from both at which rate packets leave,
 * and the senders are offered what the queue in the relay leaves of it (lib/rc/uplink/uplink.c). A
 * rate that has fallen is also written into the reports that pass, and so reaches the senders a
 * round trip earlier.
 *
 * Until the first report, #GstRcpRelay:start-capacity applies. When reports stop, the estimate
 * falls to #GstRcpRelay:min-capacity within seconds, and starts again at start-capacity when they
 * return. Reports must not be encrypted: if those that pass are, the relay posts one warning,
 * counts them in `feedback-unreadable`, and the capacity stays at start-capacity. Set capacity
 * then. Reports of RFC 8888 or transport-wide feedback are not used.
 *
 * ## SRTP
 *
 * The relay needs no key. It writes only into a trailer of 16 bytes behind each SRTP packet, which
 * rmcsink with a key appends for arcsrc. In a packet without that trailer it writes only into the
 * RTP header extension urn:x-gst-arc:rate-stamp, which rmcsink without a key adds. It identifies
 * that extension by its ID and its length of 8 bytes alone. Set #GstRcpRelay:extension-id to 0 if
 * SRTP of other senders, such as browsers, passes: SRTP authenticates header extensions, and
 * receivers reject a packet that was modified there.
 *
 * ## Changed addresses
 *
 * A flow that cannot send, or that the host does not answer for half a second, queries the system
 * for the route to the host and sends from the current local address if it has changed. After a
 * second of silence the name in #GstRcpRelay:host is resolved again, at most each 5 s.
 *
 * ## Tuning
 *
 * Set #GstRcpRelay:capacity (bit/s, UDP and IP headers included) slightly below the capacity of
 * the link, so that the queue builds here and not in a device behind. Senders are offered 95 % of
 * it; the rest drains the queue. Nobody knows the capacity of a mobile uplink: set capacity to 0
 * there. #GstRcpRelay:pacing-priority reduces the queue on a busy machine, where it grows with the
 * delay of the thread.
 *
 * ## Statistics
 *
 * #GstRcpRelay:stats; gst-inspect-1.0 lists the fields.
 *
 * ## Access
 *
 * Any host that reaches the port is relayed, to the one configured host only; access control is
 * left to the network or a firewall. RTP, or a message of rmcsink to arcsrc, creates a flow; from
 * then on all packets of that sender are relayed. At most 200 flows are created per second. When
 * #GstRcpRelay:max-flows is reached, a new sender replaces one that the host did not answer within
 * its first 2 s, or that has been idle for 10 s. Each flow needs a file descriptor (`ulimit -n`);
 * an eighth of them and 16 more are left to the rest of the process.
 *
 * ## Clock and threads
 *
 * The monotonic clock. Everything runs on the pacing thread that all rmcsinks and relays of the
 * process share.
 *
 * ## Example
 *
 * |[
 * gst-launch-1.0 rcprelay port=5004 host=192.0.2.1 host-port=5004 capacity=20000000
 * ]| relays what arrives on port 5004 to 192.0.2.1, at 20 Mbit/s. A sender that follows the offered
 * rate:
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! x264enc tune=zerolatency ! rtph264pay pt=96 ! \
 *     rmcsink host=198.51.100.7 port=5004 congestion-control=piqi-rcp max-bitrate=10000000
 * ]|
 *
 * ## Limits
 *
 * Stamps are not authenticated: an attacker on the path can change the offered rate, within the
 * sender's min-bitrate and the limit of its own end-to-end control. Datagrams of more than 2048
 * bytes are dropped, in either direction.
 *
 * Since: 0.1
 */

#include "gstrcprelay.h"

#include "base/clockglue.h"
#include "base/fields.h"
#include "base/propertyrows.h"
#include "base/watchlist.h"
#include "net/sparefiles.h"
#include "rtp/ratestamp.h"
#include "relay.h"

#include <gst/arc/arc.h>
#include <math.h>
#include <rc/feedback/wire.h>

GST_DEBUG_CATEGORY_EXTERN (rcp_relay_debug);
#define GST_CAT_DEFAULT rcp_relay_debug

#define DEFAULT_PORT 5004
#define DEFAULT_MAX_FLOWS 1000

struct _GstRcpRelay
{
  GstElement parent;

  /* object lock */
  gchar *address, *host;
  guint port, n_ports, host_port;
  guint64 capacity_bps;         /* 0: it is learnt */
  guint64 min_bps, start_bps, max_bps;  /* then */
  gint algorithm;               /* RcRouterLaw */
  gdouble alpha, beta, kappa;
  GstClockTime interval, max_queue_time;
  guint max_flows, extension_id;
  gint pacing_priority;
  Relay *relay;                 /* from PAUSED to READY */
  RelayStats last_stats;        /* of the run before */
};

G_DEFINE_TYPE_WITH_CODE (GstRcpRelay, gst_rcp_relay, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (rcp_relay_debug, "rcprelay", 0, "relay with explicit rates"));
GST_ELEMENT_REGISTER_DEFINE (rcprelay, "rcprelay", GST_RANK_NONE, GST_TYPE_RCP_RELAY);

static PROPERTY_ENUM_TYPE (algorithm_get_type, "GstRcpRelayAlgorithm",
    {RC_ROUTER_RCP, "RCP: from load and queue, with the mean RTT", "rcp"},
    {RC_ROUTER_QI_RCP, "QI-RCP: from the load alone, with the longest RTT", "qi-rcp"},
    {RC_ROUTER_PIQI_RCP, "PIQI-RCP: as QI-RCP, for sources that approach the offered rate",
        "piqi-rcp"})

/* --- life --- */

/* GObject lets NaN pass. */
static gdouble
number_or (gdouble value, gdouble usual)
{
  return isnan (value) ? usual : value;
}

static RcRouterParams
router_params (GstRcpRelay * self)
{
  RcRouterParams params = RC_ROUTER_PARAMS_DEFAULT;

  params.law = (RcRouterLaw) self->algorithm;
  params.alpha_gain = number_or (self->alpha, params.alpha_gain);
  params.beta_gain = number_or (self->beta, params.beta_gain);
  params.kappa_ratio = number_or (self->kappa, params.kappa_ratio);
  params.interval = clock_glue_from_gst (self->interval);
  if (self->capacity_bps == 0)
    params.gamma_ratio = 1;     /* what is offered leaves room for the queue already */
  return params;
}

/* The start gives way to the bounds, and the most to the least. */
static RcLimits
capacity_limits (GstRcpRelay * self)
{
  RcLimits limits = { self->min_bps, self->start_bps, MAX (self->min_bps, self->max_bps) };

  limits.start_bps = CLAMP (limits.start_bps, limits.min_bps, limits.max_bps);
  return limits;
}

static void
warn_of_blindness (gpointer self)
{
  GST_ELEMENT_WARNING (self, STREAM, DECRYPT, ("capacity=0 needs receiver reports that the relay "
          "can read, and those that pass are encrypted (SRTCP) or malformed: the capacity stays at "
          "start-capacity; set capacity, or send without SRTP"), (NULL));
}

/* The default means: as many as there may be. */
static void
warn_of_files (GstRcpRelay * self, const RelayConfig * config)
{
  guint most = spare_files_most ();

  if (config->max_flows != DEFAULT_MAX_FLOWS && config->max_flows > most)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("max-flows %u needs more files than "
            "this process may open: about %u senders can be relayed; raise the limit (ulimit "
            "-n, LimitNOFILE=) or lower max-flows", config->max_flows, most), (NULL));
}

static gboolean
open_relay (GstRcpRelay * self)
{
  GError *error = NULL;
  RelayConfig config;
  gchar *address, *host;
  Relay *relay = NULL;
  gint priority;

  GST_OBJECT_LOCK (self);
  priority = self->pacing_priority;
  address = g_strdup (self->address);
  host = g_strdup (self->host);
  config = (RelayConfig) {
    address, self->port, self->n_ports, host, self->host_port, self->capacity_bps,
    capacity_limits (self), router_params (self), clock_glue_from_gst (self->max_queue_time),
    (guint8) self->extension_id, self->max_flows, warn_of_blindness, self
  };
  GST_OBJECT_UNLOCK (self);
  if (config.port + config.n_ports - 1 > G_MAXUINT16
      || config.host_port + config.n_ports - 1 > G_MAXUINT16)
    g_set_error (&error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "n-ports %u from port %u or host-port %u on goes beyond 65535; lower n-ports, or the ports",
        config.n_ports, config.port, config.host_port);
  else
    relay = relay_new (&config, &error);
  if (relay)
    warn_of_files (self, &config);
  if (relay && !relay_set_priority (relay, priority))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("the system does not permit pacing-priority "
            "%d: the relay runs at normal priority; raise the limit for real-time priority "
            "(ulimit -r, LimitRTPRIO=) or set pacing-priority=0", priority), (NULL));
  GST_OBJECT_LOCK (self);
  if (relay) {                  /* what was set while the host was looked up */
    relay_set_capacity (relay, self->capacity_bps);
    relay_set_max_queue_time (relay, clock_glue_from_gst (self->max_queue_time));
  }
  self->relay = relay;
  GST_OBJECT_UNLOCK (self);
  if (error) {
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, GST_RESOURCE_ERROR,
        error->code, g_strdup (error->message), NULL, __FILE__, GST_FUNCTION, __LINE__);
    g_error_free (error);
  }
  g_free (address);
  g_free (host);
  return relay != NULL;
}

static void
close_relay (GstRcpRelay * self)
{
  Relay *relay;

  GST_OBJECT_LOCK (self);
  relay = self->relay;
  self->relay = NULL;
  if (relay)
    relay_get_stats (relay, &self->last_stats);
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&relay, relay_free);
}

static GstStateChangeReturn
gst_rcp_relay_change_state (GstElement * element, GstStateChange transition)
{
  GstRcpRelay *self = GST_RCP_RELAY (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !open_relay (self))
    return GST_STATE_CHANGE_FAILURE;
  result = GST_ELEMENT_CLASS (gst_rcp_relay_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY || result == GST_STATE_CHANGE_FAILURE)
    close_relay (self);
  return result;
}

/* --- properties --- */

static GstStructure *
create_stats (GstRcpRelay * self)
{
  RelayStats s = self->last_stats;
  GstStructure *structure;

  if (self->relay)
    relay_get_stats (self->relay, &s);
  structure = gst_structure_new_empty (GST_RCP_RELAY_STATS);
  fields_add (structure, relay_fields, &s);
  return structure;
}

#define NUMBER(...) PROPERTY_ROW_NUMBER (GstRcpRelay, __VA_ARGS__)
#define READY PROPERTY_READY

static const PropertyRow properties[] = {
  PROPERTY_ROW_NEVER_NULL (GstRcpRelay, address, READY, "address", "Address",
      "Local address to receive on", "0.0.0.0"),
  NUMBER (port, READY, "port", "Port", "UDP port to receive on, the first of n-ports", 1,
      G_MAXUINT16, DEFAULT_PORT),
  NUMBER (n_ports, READY, "n-ports", "Number of ports",
      "Number of consecutive ports to receive on; they are forwarded to as many ports from "
      "host-port on", 1, 1000, 1),
  PROPERTY_ROW_STRING (GstRcpRelay, host, READY, "host", "Host",
      "Host name or IP address to forward to; mandatory", NULL),
  NUMBER (host_port, READY, "host-port", "Port of the host",
      "UDP port to forward to, the first of n-ports", 1, G_MAXUINT16, DEFAULT_PORT),
  NUMBER (max_flows, READY, "max-flows", "Maximum flows",
      "Maximum number of senders. A new one replaces a sender that the host did not answer "
      "within 2 s or that has been idle for 10 s, or is refused", 1,
      100000, DEFAULT_MAX_FLOWS),
  NUMBER (extension_id, READY, "extension-id", "Extension id",
      "ID of the RTP header extension with the rate stamp, as at the senders (0: only the "
      "trailer behind SRTP)", 0, 14, RATE_STAMP_ID),
  NUMBER (capacity_bps, PROPERTY_PLAYING, "capacity", "Capacity",
      "Capacity of the outgoing link in bit/s, headers included (0: estimated from the receiver "
      "reports that pass; from or to 0 at the next start)", 0,
      RC_WIRE_MAX_BPS, 10000000),
  NUMBER (min_bps, READY, "min-capacity", "Minimum capacity",
      "Lower limit of the estimated capacity in bit/s (capacity=0)", 1000, RC_WIRE_MAX_BPS,
      100000),
  NUMBER (start_bps, READY, "start-capacity", "Start capacity",
      "Capacity assumed until the first receiver report, in bit/s (capacity=0)", 1000,
      RC_WIRE_MAX_BPS, 1000000),
  NUMBER (max_bps, READY, "max-capacity", "Maximum capacity",
      "Upper limit of the estimated capacity in bit/s (capacity=0)", 1000, RC_WIRE_MAX_BPS,
      1000000000),
  PROPERTY_ROW_ENUM (GstRcpRelay, algorithm, READY, "algorithm", "Algorithm",
      "Algorithm that computes the rate offered to the senders", algorithm_get_type,
      RC_ROUTER_PIQI_RCP),
  NUMBER (alpha, READY, "alpha", "Alpha",
      "Gain of RCP for spare capacity (algorithm=rcp); the PIQI-RCP paper has 0.4 in "
      "simulations and 0.1 on Linux", RC_ROUTER_LEAST_GAIN, RC_ROUTER_MOST_GAIN, 0.4),
  NUMBER (beta, READY, "beta", "Beta",
      "Gain of RCP for the queue (algorithm=rcp)", RC_ROUTER_LEAST_GAIN,
      RC_ROUTER_MOST_GAIN, 1),
  NUMBER (kappa, READY, "kappa", "Kappa",
      "Gain of QI-RCP and PIQI-RCP, as a share of the largest one that is stable for all "
      "round-trip times; above 1 the rate may oscillate",
      RC_ROUTER_LEAST_KAPPA, RC_ROUTER_MOST_KAPPA, 0.95),
  NUMBER (interval, READY, "interval", "Interval", "Update interval of the offered rate in ns",
      GST_MSECOND, GST_SECOND, 10 * GST_MSECOND),
  NUMBER (max_queue_time, PROPERTY_PLAYING, "max-queue-time", "Maximum queue time",
      "Maximum queueing time at the capacity of the link, in ns; packets beyond it are dropped",
      GST_MSECOND, 10 * GST_SECOND, 250 * GST_MSECOND),
  NUMBER (pacing_priority, READY, "pacing-priority", "Pacing priority",
      "Real-time priority (SCHED_FIFO) of the pacing thread, which up to 64 elements of a "
      "process share; the highest applies (0: none)", 0, 99, 0),
  PROPERTY_ROW_STATS (PROPERTY_STATS_TEXT),
  {NULL}
};

static void
gst_rcp_relay_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstRcpRelay *self = GST_RCP_RELAY (object);

  GST_OBJECT_LOCK (self);
  property_rows_write (properties, self, id, value);
  if (self->relay && g_str_equal (pspec->name, "capacity"))
    relay_set_capacity (self->relay, self->capacity_bps);
  if (self->relay && g_str_equal (pspec->name, "max-queue-time"))
    relay_set_max_queue_time (self->relay, clock_glue_from_gst (self->max_queue_time));
  GST_OBJECT_UNLOCK (self);
}

static void
gst_rcp_relay_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRcpRelay *self = GST_RCP_RELAY (object);

  GST_OBJECT_LOCK (self);
  if (!property_rows_read (properties, self, id, value))
    g_value_take_boxed (value, create_stats (self));
  GST_OBJECT_UNLOCK (self);
}

static void
gst_rcp_relay_finalize (GObject * object)
{
  property_rows_clear (properties, object);
  G_OBJECT_CLASS (gst_rcp_relay_parent_class)->finalize (object);
}

static void
describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_RCP_RELAY_STATS, "property stats", {relay_fields}}, {NULL}
  };

  fields_describe (klass, structures);
}

static void
gst_rcp_relay_class_init (GstRcpRelayClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rcp_relay_set_property;
  object_class->get_property = gst_rcp_relay_get_property;
  object_class->finalize = gst_rcp_relay_finalize;
  element_class->change_state = gst_rcp_relay_change_state;
  property_rows_install (object_class, 1, properties);
  gst_element_class_set_static_metadata (element_class, "Explicit rate relay", "Network/RTP",
      "Relays UDP from many senders into one link and signals the fair rate in their RTP "
      "packets (RCP, PIQI-RCP)", "the gst-arc authors");
  describe_stats (element_class);
}

static void
gst_rcp_relay_init (GstRcpRelay * self)
{
  watch_list_add (GST_ELEMENT (self));
  property_rows_init (properties, self);
  self->last_stats.capacity_state = "stopped";
}
