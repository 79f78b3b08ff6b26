/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "peer.h"

#include <gst/arc/arc.h>
#include <gst/net/net.h>

#include "base/clockglue.h"
#include "rtp/lanepacket.h"
#include "rtp/packethead.h"
#include "rtp/rtcpwriter.h"
#include "net/listensocket.h"
#include "net/sameaddress.h"
#include "srtp/securetransport.h"

#define GST_CAT_DEFAULT gst_arc_src_debug
GST_DEBUG_CATEGORY_EXTERN (gst_arc_src_debug);

#define RTP_HEADER_BYTES 12
#define RTP_VERSION 2
/* As long as rmcsink takes at most to answer; doubles. */
#define FIRST_NOTICE_INTERVAL (50 * RC_MSEC)
#define LAST_NOTICE_INTERVAL RC_SECOND  /* a sender that never answers is no rmcsink */
/* To all of them together: what we send must not grow with what they send. */
#define STRANGER_NOTICE_INTERVAL (100 * RC_MSEC)
/* Fewer are no stream. */
#define STREAM_PKTS 10
/* On a network that fails often it is told once a minute by default. */
#define TELL_END_TIMEOUTS 30

void
peer_init (Peer * self, GstElement * element)
{
  *self = (Peer) {.element = element,.release = PEER_DEFAULT_RELEASE };
  g_mutex_init (&self->lock);
  peer_set_caps (self, NULL);
}

void
peer_clear (Peer * self)
{
  sender_latch_clear (&self->latch);
  peer_lanes_clear (&self->lanes);
  g_clear_object (&self->socket);
  g_clear_object (&self->only);
  g_clear_pointer (&self->secure, secure_context_unref);
  g_mutex_clear (&self->lock);
}

void
peer_set_secure (Peer * self, SecureContext * secure)
{
  SecureContext *before;

  g_mutex_lock (&self->lock);
  before = self->secure;
  self->secure = secure ? secure_context_ref (secure) : NULL;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&before, secure_context_unref);
}

SecureContext *
peer_dup_secure (Peer * self)
{
  SecureContext *secure;

  g_mutex_lock (&self->lock);
  secure = self->secure ? secure_context_ref (self->secure) : NULL;
  g_mutex_unlock (&self->lock);
  return secure;
}

GSocket *
peer_change_socket (Peer * self, GSocket * socket)
{
  GSocket *before;

  g_mutex_lock (&self->lock);
  before = self->socket;
  self->socket = socket;
  g_mutex_unlock (&self->lock);
  return before;
}

guint16
peer_port (Peer * self)
{
  guint16 port;

  g_mutex_lock (&self->lock);
  port = self->socket ? listen_socket_port (self->socket) : 0;
  g_mutex_unlock (&self->lock);
  return port;
}

/* A structure without one payload type leaves it open. */
void
peer_set_caps (Peer * self, const GstCaps * caps)
{
  guint64 announced[2] = { 0, 0 };
  gboolean open = !caps || gst_caps_is_any (caps);
  guint i, n = open ? 0 : gst_caps_get_size (caps);
  gint payload;

  for (i = 0; i < n; i++) {
    if (gst_structure_get_int (gst_caps_get_structure (caps, i), "payload", &payload)
        && payload >= 0 && payload < 128)
      announced[payload / 64] |= G_GUINT64_CONSTANT (1) << payload % 64;
    else
      open = TRUE;
  }
  g_mutex_lock (&self->lock);
  for (i = 0; i < G_N_ELEMENTS (announced); i++)
    self->announced[i] = open ? G_MAXUINT64 : announced[i];
  g_mutex_unlock (&self->lock);
}

void
peer_set_only (Peer * self, GSocketAddress * only)
{
  g_mutex_lock (&self->lock);
  g_set_object (&self->only, only);
  g_mutex_unlock (&self->lock);
}

void
peer_reset (Peer * self)
{
  g_mutex_lock (&self->lock);
  sender_latch_clear (&self->latch);
  peer_lanes_clear (&self->lanes);
  self->lanes.joins = self->lanes.malformed = self->lanes.doubles = 0;
  address_cookie_renew (&self->cookies);
  self->ssrc = g_random_int ();
  self->stranger_notice_at = 0;
  self->info_at = 0;
  self->silent = self->told_misfit = self->told_end = FALSE;
  self->tell_end_at = 0;
  self->foreign_pkts = self->changes = self->send_errors = self->withheld_pkts = self->notices = 0;
  g_mutex_unlock (&self->lock);
}

void
peer_expect_media (Peer * self)
{
  g_mutex_lock (&self->lock);
  self->media_at = clock_glue_monotonic ();
  g_mutex_unlock (&self->lock);
}

/* With the lock held. */
static void
add_sender (Peer * self, GstStructure * fields)
{
  gchar *name;

  if (!self->latch.sender)
    return;
  name = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (self->latch.sender));
  gst_structure_set (fields, "sender", G_TYPE_STRING, name, NULL);
  g_free (name);
}

static void
post (Peer * self, const gchar * name, RcTime silence)
{
  GstStructure *fields;

  GST_INFO_OBJECT (self->element, "%s: %" G_GINT64_FORMAT " ms without media", name,
      silence / RC_MSEC);
  g_mutex_lock (&self->lock);
  fields = gst_structure_new (name, "timeout", G_TYPE_UINT64, self->timeout,
      "silence", G_TYPE_UINT64, clock_glue_to_gst (silence), NULL);
  add_sender (self, fields);
  g_mutex_unlock (&self->lock);
  gst_element_post_message (self->element,
      gst_message_new_element (GST_OBJECT (self->element), fields));
}

/* NULL: there is none. */
static gchar *
dup_sender (Peer * self)
{
  gchar *name;

  g_mutex_lock (&self->lock);
  name = self->latch.sender
      ? g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (self->latch.sender)) : NULL;
  g_mutex_unlock (&self->lock);
  return name;
}

static void
tell_end (Peer * self, RcTime silence)
{
  gchar *sender = dup_sender (self);

  if (sender)
    GST_ELEMENT_WARNING (self->element, RESOURCE, READ, ("no media has come from %s for %.1f s: "
            "see whether the sender runs, and whether the network between is up. Media goes on "
            "when it sends again", sender, rc_time_to_s (silence)), (NULL));
  g_free (sender);
}

/* gst-launch-1.0 prints the second text of an info only. */
static void
tell_return (Peer * self, RcTime silence)
{
  gchar *sender = dup_sender (self), *text;

  text = g_strdup_printf ("%s sends again, after %.1f s without media",
      sender ? sender : "the sender", rc_time_to_s (silence));
  GST_ELEMENT_INFO (self->element, RESOURCE, READ, ("%s", text), ("%s", text));
  g_free (sender);
  g_free (text);
}

/* With the lock held. One that says BYE ends as it should. */
static gboolean
must_tell_end (Peer * self, RcTime now)
{
  if (!self->silent || self->told_end || self->latch.left || self->latch.media_pkts < STREAM_PKTS
      || now < self->tell_end_at)
    return FALSE;
  self->told_end = TRUE;
  self->tell_end_at = now + TELL_END_TIMEOUTS * clock_glue_from_gst (self->timeout);
  return TRUE;
}

void
peer_check_silence (Peer * self)
{
  gboolean begins, tell;
  RcTime silence, now;

  g_mutex_lock (&self->lock);
  now = clock_glue_monotonic ();
  silence = now - MAX (self->media_at, self->info_at);
  begins = !self->silent && self->timeout > 0 && clock_glue_to_gst (silence) >= self->timeout;
  self->silent |= begins;
  tell = clock_glue_to_gst (silence) >= self->timeout && must_tell_end (self, now);
  g_mutex_unlock (&self->lock);

  if (begins)
    post (self, GST_ARC_SRC_TIMEOUT, silence);
  if (tell)
    tell_end (self, silence);
}

PeerWait
peer_wait (Peer * self)
{
  PeerWait wait;

  g_mutex_lock (&self->lock);
  wait.for_first = !self->latch.sender && self->foreign_pkts == 0 && self->changes == 0;
  wait.silence = clock_glue_to_gst (clock_glue_monotonic () - self->media_at);
  wait.timeout = self->timeout;
  g_mutex_unlock (&self->lock);
  return wait;
}

/* What came, and what follows from it once the lock is released. */
typedef struct
{
  SenderPacket packet;
  guint8 payload_type;
  guint64 cookie;               /* 0: none */
  guint64 join;                 /* of an info of a lane: the cookie of another address; 0: none */
  guint32 join_ssrc;
  guint bytes;                  /* with headers */
  LocalAddress local;
  SenderLatchVerdict verdict;
  RcTime resumed;               /* how long media was absent, if a timeout message was posted */
  gboolean tell_return;         /* ... and the user was told */
  gboolean tell_misfit;
  gboolean notify;
  RcNotice notice;
} Arrival;

static guint
overhead_bytes (GSocketAddress * address)
{
  return g_socket_address_get_family (address)
      == G_SOCKET_FAMILY_IPV6 ? RC_OVERHEAD_IPV6_BYTES : RC_OVERHEAD_IPV4_BYTES;
}

static void
take_infos (const RtcpMessage * message, Arrival * arrival)
{
  arrival->packet.kind = SENDER_PACKET_INFO;
  arrival->packet.bye = message->n_byes > 0;
  for (guint i = 0; i < message->n_infos; i++) {
    if (message->infos[i].cookie)
      arrival->cookie = message->infos[i].cookie;
    if (message->infos[i].join) {
      arrival->join = message->infos[i].join;
      arrival->join_ssrc = message->infos[i].ssrc;
    }
  }
}

static void
classify (GstBuffer * buffer, const RtcpMessage * message, Arrival * arrival)
{
  guint8 header[RTP_HEADER_BYTES];

  if (message->n_infos > 0) {
    take_infos (message, arrival);
  } else if (message->verdict == RTCP_NOT_RTCP
      && packet_head (buffer, header, sizeof header) == sizeof header
      && header[0] >> 6 == RTP_VERSION) {
    arrival->packet.kind = SENDER_PACKET_MEDIA;
    arrival->packet.ssrc = GST_READ_UINT32_BE (header + 8);
    arrival->payload_type = header[1] & 0x7f;
  }
}

/* From here on with the lock held, as far as static. */

static gboolean
pay (Peer * self, guint bytes)
{
  if (self->latch.proven)
    return TRUE;
  if (self->credit_bytes < bytes)
    return FALSE;
  self->credit_bytes -= bytes;
  return TRUE;
}

/* The first that an unproven sender gets is its cookie: a keyframe request would use up what a
 * probe of one small packet pays for, and start no media. */
static gboolean
had_notice (const Peer * self)
{
  return self->latch.proven || self->notice_interval > FIRST_NOTICE_INTERVAL;
}

static void
welcome (Peer * self, gboolean had_sender, RcTime now)
{
  self->changes += had_sender;
  peer_lanes_clear (&self->lanes);
  self->sender_cookie = address_cookie_of (&self->cookies, self->latch.sender);
  self->credit_bytes = 0;
  self->welcomes++;
  self->notice_at = now;
  self->notice_interval = FIRST_NOTICE_INTERVAL;
  self->info_at = 0;
}

static void
admit (Peer * self, Arrival * arrival, gboolean had_sender, RcTime now)
{
  if (arrival->verdict == SENDER_LATCH_CHANGED)
    welcome (self, had_sender, now);
  self->local = arrival->local;
  self->credit_bytes += arrival->bytes;
  /* Its source may pause. */
  if (arrival->packet.kind == SENDER_PACKET_INFO && self->latch.media_pkts > 0
      && !arrival->packet.bye)
    self->info_at = now;
  if (arrival->packet.kind != SENDER_PACKET_MEDIA)
    return;
  if (self->silent)
    arrival->resumed = now - self->media_at;
  arrival->tell_return = self->told_end;
  self->silent = self->told_end = FALSE;
  self->media_at = now;
}

static void
notify_sender (Peer * self, Arrival * arrival, guint notice_bytes, RcTime now)
{
  if (self->latch.proven || now < self->notice_at || !pay (self, notice_bytes))
    return;
  self->notice_at = now + self->notice_interval;
  self->notice_interval = MIN (2 * self->notice_interval, LAST_NOTICE_INTERVAL);
  arrival->notify = TRUE;
  arrival->notice = (RcNotice) { RC_REFUSAL_NONE, self->sender_cookie };
}

/* One that is dropped, but gets to know why, and how to prove itself. */
static void
notify_stranger (Peer * self, Arrival * arrival, GSocketAddress * from, guint notice_bytes,
    RcTime now)
{
  RcRefusal refusal = arrival->verdict == SENDER_LATCH_TAKEN ? RC_REFUSAL_TAKEN
      : arrival->verdict == SENDER_LATCH_MISFIT ? RC_REFUSAL_PAYLOAD_TYPE : RC_REFUSAL_NONE;

  if (arrival->verdict == SENDER_LATCH_OTHER || now < self->stranger_notice_at
      || arrival->bytes < notice_bytes)
    return;
  self->stranger_notice_at = now + STRANGER_NOTICE_INTERVAL;
  arrival->notify = TRUE;
  arrival->notice = (RcNotice) { refusal, address_cookie_of (&self->cookies, from) };
}

static gboolean
may_join (const Peer * self, const Arrival * arrival)
{
  return arrival->join && arrival->packet.proven && self->latch.sender
      && (arrival->join == self->sender_cookie
      || peer_lanes_has_cookie (&self->lanes, arrival->join));
}

/* Not from whom we called, and so not the sender; but it may be another address of the sender,
 * which joins by a cookie. */
static SenderLatchVerdict
judge_beside (const Peer * self, const Arrival * arrival)
{
  return self->latch.sender && arrival->packet.kind == SENDER_PACKET_INFO && !arrival->packet.bye
      ? SENDER_LATCH_UNPROVEN : SENDER_LATCH_OTHER;
}

/* The lane that it came by, which may join by it. NULL: none. */
static PeerLane *
hear_lane (Peer * self, GSocketAddress * from, const Arrival * arrival, RcTime now)
{
  PeerLane *lane = may_join (self, arrival) ? peer_lanes_join (&self->lanes, from, arrival->cookie,
      arrival->join_ssrc, (RcTime) self->release, now) : peer_lanes_find (&self->lanes, from);

  if (lane) {
    lane->heard_at = now;
    lane->local = arrival->local;
  }
  return lane;
}

/* The sender's own address, and those that it sends from beside it: as long as something comes by a
 * lane the sender has its place. */
static gboolean
is_sender (Peer * self, GSocketAddress * from, Arrival * arrival, guint notice_bytes, RcTime now)
{
  gboolean had_sender = self->latch.sender != NULL;

  if (had_sender && !same_address (self->latch.sender, from)
      && hear_lane (self, from, arrival, now)) {
    self->latch.heard_at = now;
    self->latch.left = arrival->packet.bye && arrival->packet.proven;
    arrival->verdict = SENDER_LATCH_KNOWN;
    admit (self, arrival, TRUE, now);
    return TRUE;
  }
  arrival->verdict = self->only && !same_address (self->only, from)
      ? judge_beside (self, arrival)
      : sender_latch_judge (&self->latch, from, &arrival->packet, self->follow,
      (RcTime) self->release, now);
  if (arrival->verdict != SENDER_LATCH_KNOWN && arrival->verdict != SENDER_LATCH_CHANGED)
    return FALSE;
  admit (self, arrival, had_sender, now);
  hear_lane (self, from, arrival, now);
  notify_sender (self, arrival, notice_bytes, now);
  return TRUE;
}

static void
judge (Peer * self, GSocketAddress * from, Arrival * arrival)
{
  RcTime now = clock_glue_monotonic ();
  guint notice_bytes = RTCP_NOTICE_BYTES + overhead_bytes (from);

  arrival->packet.announced = self->announced[arrival->payload_type
      / 64] >> arrival->payload_type % 64 & 1;
  arrival->packet.proven = arrival->cookie
      && arrival->cookie == address_cookie_of (&self->cookies, from);
  arrival->packet.moved = arrival->cookie && self->latch.sender
      && arrival->cookie == self->sender_cookie;
  if (!is_sender (self, from, arrival, notice_bytes, now)) {
    /* From a holder of the key: RTCP comes ahead of its media. */
    self->foreign_pkts += arrival->verdict != SENDER_LATCH_OTHER || !arrival->packet.fresh;
    arrival->tell_misfit = arrival->verdict == SENDER_LATCH_MISFIT && !self->told_misfit
        && arrival->packet.kind == SENDER_PACKET_MEDIA;
    self->told_misfit |= arrival->tell_misfit;
    notify_stranger (self, arrival, from, notice_bytes, now);
  }
  self->notices += arrival->notify;
}

static gchar *
announced_to_string (Peer * self)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < 128; i++)
    if (self->announced[i / 64] >> i % 64 & 1)
      g_string_append_printf (text, "%s%u", text->len ? ", " : "", i);
  return g_string_free (text, FALSE);
}

/* Without the lock, as what follows. */

static void
warn_of_misfit (Peer * self, guint8 payload_type)
{
  gchar *announced;

  g_mutex_lock (&self->lock);
  announced = announced_to_string (self);
  g_mutex_unlock (&self->lock);
  GST_ELEMENT_WARNING (self->element, STREAM, WRONG_TYPE, ("media comes with payload type "
          "%u, but the caps say %s: it is dropped; set payload=%u in the caps of arcsrc, or pt=%s "
          "in the sender's payloader", payload_type, announced, payload_type, announced), (NULL));
  g_free (announced);
}

gboolean
peer_send_to (Peer * self, GSocketAddress * to, const LocalAddress * local, GstBuffer * buffer,
    gboolean clear)
{
  struct sockaddr_storage native;
  SecureContext *secure = NULL;
  GSocket *socket = NULL;
  gboolean sent = FALSE;
  GstBuffer *closed;
  GstMapInfo map;

  g_mutex_lock (&self->lock);
  g_set_object (&socket, self->socket);
  if (self->secure && !clear)
    secure = secure_context_ref (self->secure);
  g_mutex_unlock (&self->lock);

  closed = secure ? secure_transport_close (secure, buffer) : gst_buffer_ref (buffer);
  if (socket && closed && g_socket_address_to_native (to, &native, sizeof native, NULL)
      && gst_buffer_map (closed, &map, GST_MAP_READ)) {
    sent = local_address_send (local, g_socket_get_fd (socket), (struct sockaddr *) &native,
        (socklen_t) g_socket_address_get_native_size (to), map.data, map.size) >= 0;
    gst_buffer_unmap (closed, &map);
  }
  gst_clear_buffer (&closed);
  g_clear_pointer (&secure, secure_context_unref);
  g_clear_object (&socket);
  return sent;
}

static void
send_notice (Peer * self, GSocketAddress * to, const Arrival * arrival)
{
  GstBuffer *buffer = rtcp_new_notice (self->ssrc, &arrival->notice);

  peer_send_to (self, to, &arrival->local, buffer, FALSE);
  gst_buffer_unref (buffer);
}

static const gchar *
verdict_text (SenderLatchVerdict verdict)
{
  switch (verdict) {
    case SENDER_LATCH_CHANGED:
      return "accepted as sender";
    case SENDER_LATCH_TAKEN:
      return "dropped: place taken";
    case SENDER_LATCH_UNPROVEN:
      return "dropped: lacks cookie";
    case SENDER_LATCH_MISFIT:
      return "dropped: payload type";
    default:
      return "dropped: no media";
  }
}

static void
log_verdict (Peer * self, GSocketAddress * from, SenderLatchVerdict verdict)
{
  GstDebugLevel level = verdict == SENDER_LATCH_CHANGED ? GST_LEVEL_INFO : GST_LEVEL_LOG;
  gchar *name;

  if (level > gst_debug_category_get_threshold (GST_CAT_DEFAULT))
    return;
  name = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (from));
  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, level, self->element, "packet of %s: %s", name,
      verdict_text (verdict));
  g_free (name);
}

gboolean
peer_admit (Peer * self, GstBuffer * buffer, const LocalAddress * local,
    const RtcpMessage * message, const SecureArrival * secure)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  Arrival arrival = {.local = *local,.verdict = SENDER_LATCH_OTHER,
      .resumed = RC_TIME_NONE };
  gboolean admitted;

  if (!meta || !G_IS_INET_SOCKET_ADDRESS (meta->addr))
    return FALSE;
  arrival.bytes = (guint) gst_buffer_get_size (buffer) + overhead_bytes (meta->addr);
  classify (buffer, message, &arrival);
  arrival.packet.fresh = secure && secure->newest;
  g_mutex_lock (&self->lock);
  judge (self, meta->addr, &arrival);
  g_mutex_unlock (&self->lock);

  admitted = arrival.verdict == SENDER_LATCH_KNOWN || arrival.verdict == SENDER_LATCH_CHANGED;
  if (arrival.verdict != SENDER_LATCH_KNOWN && GST_LEVEL_INFO <= _gst_debug_min)
    log_verdict (self, meta->addr, arrival.verdict);
  if (arrival.notify)
    send_notice (self, meta->addr, &arrival);
  if (arrival.tell_misfit)
    warn_of_misfit (self, arrival.payload_type);
  if (arrival.resumed != RC_TIME_NONE)
    post (self, GST_ARC_SRC_RESUMED, arrival.resumed);
  if (arrival.tell_return)
    tell_return (self, arrival.resumed);
  else if (arrival.packet.kind != SENDER_PACKET_MEDIA || !admitted)
    peer_check_silence (self);
  return admitted;
}

/* --- lanes --- */

GstBuffer *
peer_take_lane (Peer * self, GstBuffer * buffer, RtpPacket * packet)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  PeerLane *lane;
  guint32 ssrc;
  guint16 seq;

  packet->bytes = 0;
  g_mutex_lock (&self->lock);
  lane = meta ? peer_lanes_find (&self->lanes, meta->addr) : NULL;
  if (lane && lane_packet_read (buffer, &ssrc, &seq) && ssrc == lane->ssrc)
    buffer = peer_lanes_take (&self->lanes, buffer, packet, clock_glue_monotonic ());
  g_mutex_unlock (&self->lock);
  return buffer;
}

void
peer_take_lane_infos (Peer * self, GstBuffer * buffer, RtcpMessage * message)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  PeerLane *lane;
  guint n = 0;

  g_mutex_lock (&self->lock);
  lane = meta ? peer_lanes_find (&self->lanes, meta->addr) : NULL;
  for (guint i = 0; i < message->n_infos; i++)
    if (!message->infos[i].join || (lane && message->infos[i].ssrc == lane->ssrc))
      message->infos[n++] = message->infos[i];
  message->n_infos = n;
  g_mutex_unlock (&self->lock);
}

guint
peer_get_lanes (Peer * self, guint32 ssrcs[RC_LANES_MAX])
{
  guint n;

  g_mutex_lock (&self->lock);
  n = peer_lanes_ssrcs (&self->lanes, ssrcs);
  g_mutex_unlock (&self->lock);
  return n;
}

/* A lane's report goes to its address; all else to the lane that was heard last. NULL: there are
 * none. */
static PeerLane *
lane_for (Peer * self, GstBuffer * buffer)
{
  PeerLane *latest = peer_lanes_latest (&self->lanes), *lane = NULL;
  RtcpMessage message;

  if (latest && rtcp_message_read_buffer (&message, buffer) == RTCP_VALID && message.n_reports == 1)
    lane = peer_lanes_find_ssrc (&self->lanes, message.reports[0].ssrc);
  return lane ? lane : latest;
}

void
peer_send (Peer * self, GstBuffer * buffer)
{
  GSocketAddress *sender;
  gboolean paid = TRUE;
  LocalAddress local;
  PeerLane *lane;

  g_mutex_lock (&self->lock);
  lane = lane_for (self, buffer);
  sender = lane ? lane->address : self->latch.sender;
  if (sender)
    g_object_ref (sender);
  local = lane ? lane->local : self->local;
  if (sender && !lane)
    paid = had_notice (self)
        && pay (self, (guint) gst_buffer_get_size (buffer) + overhead_bytes (sender));
  self->withheld_pkts += !paid;
  self->send_errors += paid && !sender;
  g_mutex_unlock (&self->lock);

  if (paid && sender && !peer_send_to (self, sender, &local, buffer, FALSE)) {
    g_mutex_lock (&self->lock);
    self->send_errors++;
    g_mutex_unlock (&self->lock);
  }
  g_clear_object (&sender);
}

typedef struct
{
  gboolean proven;
  guint buffer_bytes;
  guint n_lanes;
} PeerNow;

const FieldRow peer_fields_now[] = {
  FIELD_OWN (FIELD_STRING, "sender",
      "address and port of the accepted sender; absent while there is none"),
  FIELD_GAUGE (PeerNow, proven, "sender-proven", "", "address verified by a cookie"),
  FIELD_GAUGE (PeerNow, buffer_bytes, "buffer-size", "bytes",
      "receive buffer granted by the system"),
  FIELD_GAUGE (PeerNow, n_lanes, "sender-paths", "", "paths by which the sender sends; 0: one"),
  {NULL}
};

#define COUNTER(...) FIELD_COUNTER (Peer, __VA_ARGS__)

const FieldRow peer_fields[] = {
  COUNTER (changes, "sender-changes", "", "times that another sender was accepted"),
  COUNTER (foreign_pkts, "packets-foreign", "", "packets dropped from other addresses"),
  COUNTER (withheld_pkts, "packets-withheld", "",
      "RTCP packets withheld from an unverified sender"),
  COUNTER (notices, "notices-sent", "", "cookies and refusals sent"),
  COUNTER (lanes.joins, "paths-joined", "", "times that a path of the sender joined"),
  COUNTER (lanes.doubles, "packets-copied", "", "packets dropped that had come by another path"),
  COUNTER (lanes.malformed, "packets-malformed", "", "packets of a path that could not be read"),
  COUNTER (send_errors, "send-errors", "", "RTCP packets not sent because of a system error"),
  {NULL}
};

void
peer_add_stats (Peer * self, GstStructure * stats)
{
  PeerNow now = { 0 };

  g_mutex_lock (&self->lock);
  now.proven = self->latch.sender && self->latch.proven;
  now.n_lanes = peer_lanes_count (&self->lanes);
  if (self->socket)
    now.buffer_bytes = (guint) listen_socket_buffer_bytes (self->socket);
  add_sender (self, stats);
  fields_add (stats, peer_fields_now, &now);
  fields_add (stats, peer_fields, self);
  secure_context_add_stats (self->secure, stats);
  g_mutex_unlock (&self->lock);
}
