/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendlanes.h"

#include "base/clockglue.h"
#include "pacing/pacedegress.h"
#include "rtp/lanepacket.h"
#include "senderpacer.h"

#include <rc/law/controller.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define FIRST_JOIN_INTERVAL (100 * RC_MSEC)
#define LAST_JOIN_INTERVAL RC_SECOND
/* No answer by the path that has the media as it is: another one gets it. */
#define TRY_TIME (2 * RC_SECOND)
/* What the loss of a packet costs a viewer: of a keyframe or of sound, and of another frame. */
#define PRECIOUS_PRICE RC_SECOND
#define PRICE (100 * RC_MSEC)
#define FAILED_AFTER RC_SECOND  /* a path that only gives errors for so long is gone */
#define WANTED_INTERVAL RC_SECOND       /* of looking for paths that are not there */
#define KNOWN 16
#define SENT_PACKETS 512        /* whose names a lane remembers: 0.5 s at 10 Mbit/s */

/* A packet that waits for a lane. */
typedef struct
{
  GList link;                   /* in Lane.bound */
  GstBuffer *buffer;
  SendLanesPacket packet;
} Bound;

typedef struct
{
  SendLane lane;                /* must stay first */
  SendLanes *all;
  gchar *name;                  /* NULL: the place is free */
  gboolean stays;
  PacketSource source;          /* what is bound to it */
  SenderPacer pacer;
  PacedEgress egress;
  gboolean idle;                /* the egress was told that nothing waits */
  GQueue bound;                 /* of Bound */
  GstBuffer *ready[TRANSPORT_MAX_BATCH];        /* the first of them, as they leave */
  guint n_taken;                /* of these */
  SendLanesPacket sent[SENT_PACKETS];   /* what left, by number */
  guint16 next;                 /* number of the next packet */
  guint16 answered;             /* the first that no report has named */
  gboolean reported;
  guint32 report;               /* number of the last one */
  guint64 cookie;               /* of its address; 0: none yet */
  RcTime join_at, join_interval;
  RcTime heard_at, failed_since;        /* RC_TIME_NONE: never; it did not */
  LaneStats stats;
} Lane;

/* Problem: a path that goes and comes again must not have an index of SRTP twice, and the receiver
 * has places for few lanes. Rule: its lane goes on. */
typedef struct
{
  gchar *name;
  guint32 ssrc;                 /* of its lane */
  guint16 seq;                  /* the lane's next number */
} KnownPath;

struct _SendLanes
{
  int fd;
  guint overhead_bytes;         /* of each path and of the lane's number */
  gboolean has_name, has_trailers;
  RcController controller;
  RcSenderConfig config;        /* of each lane */
  RcSender *sender;
  Lane lane[RC_LANES_MAX];
  gint plain;                   /* the path that has the media as it is; -1: none */
  RcTime plain_since;
  KnownPath known[KNOWN];
  guint n_known;                /* that ever were */
  Resender *resender;           /* of the session */
  RcTime wanted_at;
  SendPathStats *gone;          /* counts what lanes that were removed have counted */
};

static guint
place_of (const Lane * lane)
{
  return (guint) (lane - lane->all->lane);
}

static RcLanes *
rc_lanes (const SendLanes * self)
{
  return rc_sender_lanes (self->sender);
}

static gboolean
is_confirmed (const Lane * lane)
{
  return lane->name && lane->lane.confirmed;
}

/* The wrapping is counted always: a packet may take any lane. */
static guint
network_bytes_of (const SendLanes * self, GstBuffer * buffer)
{
  return (guint) gst_buffer_get_size (buffer) + self->overhead_bytes;
}

guint
send_lanes_overhead_bytes (const SendLanesConfig * config)
{
  return config->paths[0].transport->overhead_bytes + LANE_PACKET_BYTES;
}

/* --- which path has the media as it is, and which lanes have joined --- */

static gboolean
any_confirmed (const SendLanes * self)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (is_confirmed (&self->lane[i]))
      return TRUE;
  return FALSE;
}

static void
set_plain (SendLanes * self, gint lane, RcTime now)
{
  if (self->plain >= 0 && !self->lane[self->plain].lane.confirmed)
    rc_lanes_set_joined (rc_lanes (self), (guint) self->plain, FALSE);
  self->plain = lane;
  self->plain_since = now;
  if (lane >= 0)
    rc_lanes_set_joined (rc_lanes (self), (guint) lane, TRUE);
}

static gint
next_lane (const SendLanes * self, gint after)
{
  for (gint k = 1; k <= RC_LANES_MAX; k++) {
    gint i = (after + k + RC_LANES_MAX) % RC_LANES_MAX;

    if (self->lane[i].name)
      return i;
  }
  return -1;
}

/* Until some receiver answers each path is tried in turn. */
static RcTime
watch_plain (SendLanes * self, RcTime now)
{
  const RcLane *rc;

  if (any_confirmed (self))
    return RC_TIME_NONE;
  if (self->plain < 0)
    set_plain (self, next_lane (self, -1), now);
  if (self->plain < 0)
    return RC_TIME_NONE;
  rc = self->lane[self->plain].lane.rc;
  if (rc_lane_is_heard (rc) && !rc_lane_is_stopped (rc))
    return RC_TIME_NONE;
  if (now - self->plain_since >= TRY_TIME)
    set_plain (self, next_lane (self, self->plain), now);
  return self->plain_since + TRY_TIME;
}

/* The cookie of the address by which the receiver was heard last: it takes media from there. */
static guint64
proof (const SendLanes * self)
{
  const Lane *latest = NULL;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    const Lane *lane = &self->lane[i];

    if (lane->name && lane->cookie && (lane->lane.confirmed || (gint) i == self->plain)
        && (!latest || lane->heard_at > latest->heard_at))
      latest = lane;
  }
  return latest ? latest->cookie : 0;
}

static void
send_infos (SendLanes * self, Lane * lane, RcSenderInfo * infos, guint n, RcTime now)
{
  for (guint k = 0; k < n; k++)
    if (infos[k].ssrc == lane->lane.ssrc)
      infos[k].join = proof (self);
  send_lane_send_infos (&lane->lane, infos, n, now);
}

static void
send_join (SendLanes * self, Lane * lane, RcTime now)
{
  RcSenderInfo info = {.ssrc = lane->lane.ssrc,.cookie = lane->cookie,
    .report_interval_us = (guint32) (50 * RC_MSEC / RC_USEC)
  };

  send_infos (self, lane, &info, 1, now);
  lane->join_at = now + lane->join_interval;
  lane->join_interval = MIN (2 * lane->join_interval, LAST_JOIN_INTERVAL);
}

/* Returns when to ask again. */
static RcTime
ask_to_join (SendLanes * self, Lane * lane, RcTime now)
{
  if (lane->lane.confirmed || proof (self) == 0
      || ((gint) place_of (lane) != self->plain && !any_confirmed (self)))
    return RC_TIME_NONE;
  if (now >= lane->join_at)
    send_join (self, lane, now);
  return lane->join_at;
}

/* --- what is bound to a lane, as a source --- */

static Bound *
first_bound (Lane * lane)
{
  return lane->bound.head->data;
}

static void
drop_first (Lane * lane)
{
  Bound *bound = first_bound (lane);

  g_queue_unlink (&lane->bound, &bound->link);
  rc_lanes_on_left (rc_lanes (lane->all), place_of (lane),
      network_bytes_of (lane->all, bound->buffer));
  gst_buffer_unref (bound->buffer);
  g_free (bound);
}

static Lane *
lane_of (PacketSource * source)
{
  return (Lane *) ((guint8 *) source - G_STRUCT_OFFSET (Lane, source));
}

static gboolean
bound_peek (PacketSource * source, guint nth, RcTime now, PacedPacket * packet)
{
  Lane *lane = lane_of (source);
  const Bound *bound = g_queue_peek_nth (&lane->bound, nth);

  if (!bound)
    return FALSE;
  *packet = (PacedPacket) { bound->buffer, network_bytes_of (lane->all, bound->buffer),
    bound->packet.again };
  return TRUE;
}

static void
bound_make_ready (PacketSource * source, guint n, GstBuffer ** buffers)
{
  Lane *lane = lane_of (source);

  lane->n_taken = 0;
  for (guint k = 0; k < n; k++) {
    const Bound *bound = g_queue_peek_nth (&lane->bound, k);

    gst_clear_buffer (&lane->ready[k]);
    if (lane->lane.confirmed)
      lane->ready[k] = lane_packet_wrap (bound->buffer, lane->lane.ssrc,
          (guint16) (lane->next + k));
    if (!lane->ready[k])
      lane->ready[k] = gst_buffer_ref (bound->buffer);
    buffers[k] = lane->ready[k];
  }
}

static void
bound_take (PacketSource * source, RcTime now)
{
  Lane *lane = lane_of (source);

  gst_clear_buffer (&lane->ready[lane->n_taken++]);
  drop_first (lane);
}

static const PacketSourceFuncs bound_funcs = { bound_peek, bound_make_ready, bound_take, NULL };

/* --- how it leaves --- */

static TransportResult
send_batch (gpointer owner, GstBuffer ** buffers, guint n)
{
  SendLane *lane = owner;
  Transport *transport = lane->path.transport;

  return transport->funcs->send (transport, buffers, n, rc_lane_ecn_bits (lane->rc));
}

static void
on_batch (gpointer owner, const TransportResult * result, RcTime now)
{
  Lane *lane = owner;

  send_path_on_batch (&lane->lane.path, result, now);
  if (result->errors > 0 && lane->failed_since == RC_TIME_NONE)
    lane->failed_since = now;
  else if (result->sent > result->errors)
    lane->failed_since = RC_TIME_NONE;
}

static void
on_sent (gpointer owner, gboolean more, RcTime now)
{
  Lane *lane = owner;
  GstBuffer *packet = lane->ready[lane->n_taken];
  RcSenderPacket sent = {.rtp_bytes = (guint32) gst_buffer_get_size (packet),.more = more };

  lane_packet_read (packet, &sent.ssrc, &sent.seq);
  send_lane_give_entries (&lane->lane, &sent, now);
  rc_lane_on_sent (lane->lane.rc, &sent, lane->bound.length > 1, now);
  lane->stats.packets++;
  if (lane->lane.confirmed)
    lane->sent[lane->next++ % SENT_PACKETS] = first_bound (lane)->packet;
}

static const PacedEgressFuncs egress_funcs = { send_batch, on_batch, on_sent };

/* --- binding --- */

/* What is sent again leaves before new media. Takes the buffer. */
static void
bind_to (SendLanes * self, gint lane, GstBuffer * buffer, const SendLanesPacket * packet)
{
  GQueue *waiting = &self->lane[lane].bound;
  Bound *bound = g_new (Bound, 1);
  GList *before = waiting->head;

  *bound = (Bound) {.link.data = bound,.buffer = gst_buffer_ref (buffer),.packet = *packet };
  while (packet->again && before && ((Bound *) before->data)->packet.again)
    before = before->next;
  if (packet->again && before)
    g_queue_insert_before_link (waiting, before, &bound->link);
  else
    g_queue_push_tail_link (waiting, &bound->link);
}

/* Copies are of use only where the receiver drops the second. */
gint
send_lanes_take (SendLanes * self, GstBuffer * buffer, const SendLanesPacket * packet, RcTime now)
{
  gboolean precious = packet->again
      || !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  RcLaneWish wish = {.network_bytes = network_bytes_of (self, buffer),.left = RC_TIME_NONE,
    .loss_price = precious ? PRECIOUS_PRICE : PRICE,
    .avoid = packet->again ? 1U << packet->lane : 0,.twice = packet->by_both
  };
  RcLaneChoice choice = rc_lanes_bind (rc_lanes (self), &wish, now);

  if (choice.second != RC_LANE_NONE && self->lane[choice.second].lane.confirmed
      && self->lane[choice.first].lane.confirmed)
    bind_to (self, choice.second, buffer, packet);
  else if (choice.second != RC_LANE_NONE)
    rc_lanes_on_left (rc_lanes (self), (guint) choice.second, wish.network_bytes);
  if (choice.first != RC_LANE_NONE)
    bind_to (self, choice.first, buffer, packet);
  return choice.first;
}

/* --- what a lane lost, or is silent with, leaves by another one --- */

static gboolean
repeat (Lane * lane, const SendLanesPacket * packet, gboolean by_both, RcTime now)
{
  return resender_repeat (lane->all->resender, packet->ssrc, packet->seq, (guint8) place_of (lane),
      by_both, now);
}

/* What left by a lane in doubt, or waits for it. */
static void
rescue (SendLanes * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];

  for (guint k = MIN ((guint16) (lane->next - lane->answered), SENT_PACKETS); k > 0; k--)
    lane->stats.rescued += repeat (lane, &lane->sent[(guint16) (lane->next - k) % SENT_PACKETS],
        FALSE, now);
  while (lane->bound.length > 0) {
    lane->stats.rescued += repeat (lane, &first_bound (lane)->packet, FALSE, now);
    drop_first (lane);
  }
}

/* A report that did not come has taken its list along: what that would have named is unknown. */
static guint16
first_known (const Lane * lane, const RcReport * report)
{
  if (lane->reported && report->number == lane->report + 1)
    return lane->answered;
  return report->arrivals.n > 0 ? report->arrivals.first : (guint16) report->highest_seq;
}

/* It is called for lists of all numbers only. */
static gboolean
has_come (const RcArrivalAges * list, guint16 seq)
{
  guint place = (guint16) (seq - list->first);

  return place < list->n && list->ages[place] != RC_ARRIVALAGE_NONE;
}

/* Within a lane packets keep their order, so a gap is a loss. One that is only late comes twice,
 * and the receiver drops the second. By two lanes: for a third try there is no time. */
static void
repair (Lane * lane, const RcReport * report, RcTime now)
{
  guint16 highest = (guint16) report->highest_seq, seq = first_known (lane, report);

  if (report->arrivals.stride_log2 == 0 && (guint16) (highest - seq) < SENT_PACKETS)
    for (; seq != highest; seq++)
      if (!has_come (&report->arrivals, seq))
        lane->stats.repaired += repeat (lane, &lane->sent[seq % SENT_PACKETS], TRUE, now);
  lane->answered = (guint16) (highest + 1);
  lane->report = report->number;
  lane->reported = TRUE;
}

/* --- what comes --- */

static void
take_report (SendLanes * self, Lane * lane, const RcReport * report, guint32 instance, RcTime now)
{
  RcLane *rc = lane->lane.rc;

  if (report->n_lanes == 0) {
    if (!lane->lane.confirmed)
      rc_lane_on_reports (rc, report, 1, instance, now);
    return;
  }
  if (report->ssrc != lane->lane.ssrc)
    return;
  if (!lane->lane.confirmed) {
    lane->lane.confirmed = TRUE;
    rc_lanes_set_joined (rc_lanes (self), place_of (lane), TRUE);
  }
  if (rc_lane_on_reports (rc, report, 1, instance, now) && report->received_pkts > 0)
    repair (lane, report, now);
}

void
send_lanes_on_message (SendLanes * self, SendLane * heard, const RtcpMessage * message, RcTime now)
{
  Lane *lane = (Lane *) heard;

  lane->heard_at = now;
  if (message->noticed && message->notice.cookie != lane->cookie) {
    lane->cookie = message->notice.cookie;
    lane->join_at = now;
    lane->join_interval = FIRST_JOIN_INTERVAL;
  }
  for (guint k = 0; k < message->n_reports; k++)
    take_report (self, lane, &message->reports[k], message->sender_ssrc, now);
}

/* --- paths that come and go --- */

static KnownPath *
get_known (SendLanes * self, const gchar * name)
{
  KnownPath *path;

  for (guint i = 0; i < MIN (self->n_known, KNOWN); i++)
    if (g_str_equal (self->known[i].name, name))
      return &self->known[i];
  path = &self->known[self->n_known++ % KNOWN];
  g_free (path->name);
  *path = (KnownPath) { g_strdup (name), g_random_int (), (guint16) g_random_int () };
  return path;
}

static gint
find (SendLanes * self, const gchar * name)
{
  for (gint i = 0; i < RC_LANES_MAX; i++)
    if (g_strcmp0 (self->lane[i].name, name) == 0)
      return i;
  return -1;
}

/* Returns its place; -1: there are as many lanes as can be. */
static gint
occupy (SendLanes * self, const SendLanesPath * path)
{
  struct epoll_event event = {.events = EPOLLIN };
  gint i = find (self, NULL);
  Lane *lane = &self->lane[i];
  KnownPath *known;

  if (i < 0)
    return -1;
  known = get_known (self, path->name);
  *lane = (Lane) {.all = self,.name = g_strdup (path->name),.stays = path->stays,
    .source = {&bound_funcs},
    .heard_at = RC_TIME_NONE,.failed_since = RC_TIME_NONE,
    .join_interval = FIRST_JOIN_INTERVAL,.next = known->seq,.answered = known->seq
  };
  send_lane_init (&lane->lane, path->transport, FALSE, self->has_name);
  lane->lane.has_own_peer = strchr (path->name, ':') != NULL;
  lane->lane.ssrc = known->ssrc;
  lane->egress = (PacedEgress) { &lane->source, &lane->pacer.pacer, &egress_funcs, lane };
  epoll_ctl (self->fd, EPOLL_CTL_ADD, path->transport->fd, &event);
  return i;
}

static void
begin (SendLanes * self, Lane * lane, RcTime now)
{
  RcSenderConfig config = self->config;

  config.overhead_bytes = lane->lane.path.transport->overhead_bytes;
  lane->lane.rc = rc_sender_add_lane (self->sender, place_of (lane), &lane->lane.memory, &config,
      now);
  sender_pacer_init (&lane->pacer, NULL, lane->lane.rc);
  lane->join_at = now;
}

gboolean
send_lanes_add (SendLanes * self, const SendLanesPath * path, RcTime now)
{
  gint i = occupy (self, path);

  if (i >= 0)
    begin (self, &self->lane[i], now);
  else
    path->transport->funcs->free (path->transport);
  return i >= 0;
}

gboolean
send_lanes_has (SendLanes * self, const gchar * name)
{
  return find (self, name) >= 0;
}

static void
clear (Lane * lane, RcTime now)
{
  SendLanes *self = lane->all;

  while (lane->bound.length > 0)
    drop_first (lane);
  send_lane_clear (&lane->lane);
  rc_sender_remove_lane (self->sender, place_of (lane), now);
  get_known (self, lane->name)->seq = lane->next;
  for (guint k = 0; k < TRANSPORT_MAX_BATCH; k++)
    gst_clear_buffer (&lane->ready[k]);
  g_free (lane->name);
  memset (lane, 0, sizeof *lane);
}

static void
leave (SendLanes * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];
  Transport *transport = lane->lane.path.transport;

  rc_lanes_set_joined (rc_lanes (self), i, FALSE);
  if (self->plain == (gint) i)
    self->plain = -1;
  rescue (self, i, now);
  epoll_ctl (self->fd, EPOLL_CTL_DEL, transport->fd, NULL);
  transport->funcs->close (transport);
  send_path_stats_add (self->gone, &lane->lane.path.stats);
  clear (lane, now);
  watch_plain (self, now);
}

void
send_lanes_keep (SendLanes * self, const gchar * const *names, RcTime now)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name && !self->lane[i].stays
        && !g_strv_contains (names, self->lane[i].name))
      leave (self, i, now);
}

/* --- serving --- */

static RcTime
follow_plan (SendLanes * self, Lane * lane, RcTime now)
{
  RcLanePlan plan;

  rc_lane_plan (lane->lane.rc, now, &plan);
  if (plan.n_infos > 0)
    send_infos (self, lane, plan.infos, plan.n_infos, now);
  return plan.next_at;
}

/* It gives errors, or no answer while another path does. Its interface or address may have gone: it
 * is opened anew when it is looked for. */
static gboolean
has_failed (SendLanes * self, guint i, RcTime now)
{
  const Lane *lane = &self->lane[i];

  if (lane->failed_since != RC_TIME_NONE && now - lane->failed_since >= FAILED_AFTER)
    return TRUE;
  if (!rc_lane_is_stopped (lane->lane.rc))
    return FALSE;
  for (guint k = 0; k < RC_LANES_MAX; k++)
    if (k != i && is_confirmed (&self->lane[k])
        && !rc_lane_is_stopped (self->lane[k].lane.rc))
      return TRUE;
  return FALSE;
}

RcTime
send_lanes_watch (SendLanes * self, RcTime now)
{
  RcTime next_at = watch_plain (self, now);
  guint doubted;

  next_at = rc_sooner (next_at, rc_sender_look (self->sender, now));
  while (rc_lanes_take_doubt (rc_lanes (self), &doubted))
    if (any_confirmed (self))
      rescue (self, doubted, now);
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name && !self->lane[i].stays && has_failed (self, i, now))
      leave (self, i, now);
  return next_at;
}

static RcTime
serve_bound (Lane * lane, RcTime now)
{
  RcTime next_at = RC_TIME_NONE;

  if (lane->bound.length > 0 || !lane->idle)
    next_at = paced_egress_serve (&lane->egress, now);
  lane->idle = lane->bound.length == 0;
  return next_at;
}

RcTime
send_lanes_serve (SendLanes * self, RcTime now, gboolean * wants_paths)
{
  RcTime next_at = RC_TIME_NONE;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    Lane *lane = &self->lane[i];

    if (!lane->name)
      continue;
    next_at = rc_sooner (next_at, serve_bound (lane, now));
    next_at = rc_sooner (next_at, follow_plan (self, lane, now));
    next_at = rc_sooner (next_at, ask_to_join (self, lane, now));
  }
  *wants_paths = now >= self->wanted_at;
  if (*wants_paths)
    self->wanted_at = now + WANTED_INTERVAL;
  return rc_sooner (next_at, self->wanted_at);
}

void
send_lanes_flush_out (SendLanes * self, RcTime now)
{
  for (guint i = 0; i < RC_LANES_MAX; i++) {
    Lane *lane = &self->lane[i];

    if (!lane->name)
      continue;
    sender_pacer_prepay (&lane->pacer, (guint) rc_lanes_get (rc_lanes (self), i)->bound_bytes, now);
    paced_egress_serve (&lane->egress, now);
  }
}

/* --- which there are --- */

SendLane *
send_lanes_get (SendLanes * self, guint place)
{
  return self->lane[place].name ? &self->lane[place].lane : NULL;
}

SendLane *
send_lanes_get_best (SendLanes * self, RcTime now)
{
  RcLaneWish wish = {.left = RC_TIME_NONE };
  RcLaneChoice choice = rc_lanes_bind (rc_lanes (self), &wish, now);

  return choice.first == RC_LANE_NONE ? NULL : &self->lane[choice.first].lane;
}

SendLane *
send_lanes_get_main (SendLanes * self)
{
  gint lane = self->plain >= 0 ? self->plain : next_lane (self, -1);

  return lane < 0 ? NULL : &self->lane[lane].lane;
}

void
send_lanes_set_resender (SendLanes * self, Resender * resender)
{
  self->resender = resender;
}

gboolean
send_lanes_have_trailers (const SendLanes * self)
{
  return self->has_trailers;
}

int
send_lanes_get_fd (const SendLanes * self)
{
  return self->fd;
}

/* --- statistics --- */

static const gchar *
state_of (const RcLanePlace * facts)
{
  return !facts->joined ? "joining" : rc_lane_is_stopped (facts->lane) ? "stopped"
      : facts->doubted ? "silent" : facts->muted ? "shared" : "carrying";
}

guint
send_lanes_get_stats (SendLanes * self, LaneStats * stats, RcTime now)
{
  guint n = 0;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    const RcLanePlace *facts = rc_lanes_get (rc_lanes (self), i);
    const Lane *lane = &self->lane[i];
    LaneStats *out = &stats[n];

    if (!lane->name)
      continue;
    *out = lane->stats;
    g_strlcpy (out->name, lane->name, sizeof out->name);
    rc_lane_get_stats (facts->lane, now, &out->sender);
    out->send_errors = lane->lane.path.stats.send_errors;
    out->rate_bps = rc_lane_rate_bps (facts->lane);
    out->rate_cause = rc_cause_name (rc_lane_cause (facts->lane));
    out->srtt = rc_lane_srtt (facts->lane);
    out->queueing_delay = out->sender.sent_bps > 0
        ? rc_lane_queueing_delay (facts->lane) : RC_TIME_NONE;
    out->lag = rc_lanes_lag (rc_lanes (self), i, now);
    out->loss_ratio = rc_lane_loss_ratio (facts->lane);
    out->waiting_bytes = facts->bound_bytes;
    out->state = state_of (facts);
    out->format = rc_format_name (out->sender.format);
    law_stats_read (&out->law, facts->lane);
    n++;
  }
  return n;
}

/* --- life --- */

SendLanes *
send_lanes_new (const SendLanesConfig * config, RcSender * sender,
    const RcSenderConfig * sender_config, gboolean has_name, SendPathStats * gone, RcTime now)
{
  SendLanes *self = g_new0 (SendLanes, 1);

  self->fd = epoll_create1 (EPOLL_CLOEXEC);
  self->overhead_bytes = send_lanes_overhead_bytes (config);
  self->has_name = has_name;
  self->has_trailers = config->paths[0].transport->funcs->set_stamped != NULL;
  self->gone = gone;
  self->sender = sender;
  self->controller = *sender_config->controller;
  self->config = *sender_config;
  self->config.controller = &self->controller;
  self->plain = -1;
  for (guint i = 0; i < config->n_paths; i++)
    occupy (self, &config->paths[i]);
  for (guint i = 0; i < config->n_paths; i++)
    begin (self, &self->lane[i], now);
  watch_plain (self, now);
  rc_sender_look (sender, now);
  return self;
}

void
send_lanes_free (SendLanes * self)
{
  RcTime now = clock_glue_monotonic ();

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name)
      clear (&self->lane[i], now);
  for (guint i = 0; i < MIN (self->n_known, KNOWN); i++)
    g_free (self->known[i].name);
  close (self->fd);
  g_free (self);
}
