/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lanetransport.h"

#include "base/clockglue.h"
#include "knownpaths.h"
#include "lanesent.h"
#include "lanestreams.h"
#include "listreader.h"
#include "rtp/lanepacket.h"
#include "rtp/rtcpwriter.h"
#include "sendmedia.h"

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MAX_BATCH 16
#define AGAIN_DELAY RC_MSEC     /* the kernel's buffer was full */
#define FIRST_JOIN_INTERVAL (100 * RC_MSEC)
#define LAST_JOIN_INTERVAL RC_SECOND
/* No answer by the path that has the media as it is: another one gets it. */
#define TRY_TIME (2 * RC_SECOND)
/* What the loss of a packet costs a viewer: of a keyframe or of sound, and of another frame. */
#define PRECIOUS_PRICE RC_SECOND
#define PRICE (100 * RC_MSEC)
#define FAILED_AFTER RC_SECOND  /* a path that only gives errors for so long is gone */
#define WANTED_INTERVAL RC_SECOND       /* of looking for paths that are not there */

typedef struct
{
  gchar *name;                  /* NULL: the place is free */
  Transport *path;
  guint32 ssrc;
  GQueue bound;                 /* GstBuffer, as they came */
  LaneSent sent;
  guint64 cookie;               /* of its address; 0: none yet */
  gboolean confirmed;           /* the receiver counts it as a lane */
  RcTime join_at, join_interval;
  RcTime heard_at, failed_since;        /* RC_TIME_NONE: never; it did not */
  gint send_error;
  LaneStats stats;
} Lane;

typedef struct
{
  Transport transport;
  RcController controller;
  RcSenderConfig config;        /* of each lane's sender, with the user's limits */
  gboolean begun;
  RcLanes lanes;
  Lane lane[RC_LANES_MAX];
  gint plain;                   /* the path that has the media as it is; -1: none */
  RcTime plain_since;
  ListReader *lists;
  KnownPaths known;
  LaneStreams streams;
  RcTime wanted_at;
  guint next_receive;
} LaneTransport;

static LaneTransport *
lanes (Transport * transport)
{
  return (LaneTransport *) transport;
}

static RcSender *
sender_of (LaneTransport * self, guint i)
{
  return rc_lanes_sender (&self->lanes, i);
}

static guint
network_bytes_of (LaneTransport * self, GstBuffer * buffer)
{
  return (guint) gst_buffer_get_size (buffer) + self->transport.overhead_bytes;
}

/* --- which path has the media as it is, and which lanes have joined --- */

static gboolean
any_confirmed (const LaneTransport * self)
{
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name && self->lane[i].confirmed)
      return TRUE;
  return FALSE;
}

static void
set_plain (LaneTransport * self, gint lane, RcTime now)
{
  if (self->plain >= 0 && !self->lane[self->plain].confirmed)
    rc_lanes_set_joined (&self->lanes, (guint) self->plain, FALSE);
  self->plain = lane;
  self->plain_since = now;
  if (lane >= 0)
    rc_lanes_set_joined (&self->lanes, (guint) lane, TRUE);
}

static gint
next_lane (const LaneTransport * self, gint after)
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
watch_plain (LaneTransport * self, RcTime now)
{
  RcSender *sender;

  if (any_confirmed (self))
    return RC_TIME_NONE;
  if (self->plain < 0)
    set_plain (self, next_lane (self, -1), now);
  if (self->plain < 0)
    return RC_TIME_NONE;
  sender = sender_of (self, (guint) self->plain);
  if (rc_sender_is_heard (sender) && !rc_sender_is_stopped (sender))
    return RC_TIME_NONE;
  if (now - self->plain_since >= TRY_TIME)
    set_plain (self, next_lane (self, self->plain), now);
  return self->plain_since + TRY_TIME;
}

/* The cookie of the address by which the receiver was heard last: it takes media from there. */
static guint64
proof (const LaneTransport * self)
{
  const Lane *latest = NULL;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    const Lane *lane = &self->lane[i];

    if (lane->name && lane->cookie && (lane->confirmed || (gint) i == self->plain)
        && (!latest || lane->heard_at > latest->heard_at))
      latest = lane;
  }
  return latest ? latest->cookie : 0;
}

static void
send_control (LaneTransport * self, guint i, GstBuffer * buffer, RcTime now)
{
  Lane *lane = &self->lane[i];

  lane->path->funcs->send (lane->path, &buffer, 1, RC_ECN_BITS_NOT_ECT);
  rc_sender_on_control_sent (sender_of (self, i), network_bytes_of (self, buffer), now);
}

static void
send_infos (LaneTransport * self, guint i, RcSenderInfo * infos, guint n, RcTime now)
{
  Lane *lane = &self->lane[i];
  GstBuffer *buffer;

  for (guint k = 0; k < n; k++)
    if (infos[k].ssrc == lane->ssrc)
      infos[k].join = proof (self);
  buffer = rtcp_new_infos (infos[0].ssrc, infos, n);
  send_control (self, i, buffer, now);
  gst_buffer_unref (buffer);
}

/* Returns when to ask again. */
static RcTime
ask_to_join (LaneTransport * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];
  RcSenderInfo info = {.ssrc = lane->ssrc,.cookie = lane->cookie,
    .report_interval_us = (guint32) (50 * RC_MSEC / RC_USEC) };

  if (lane->confirmed || proof (self) == 0 || ((gint) i != self->plain && !any_confirmed (self)))
    return RC_TIME_NONE;
  if (now < lane->join_at)
    return lane->join_at;
  send_infos (self, i, &info, 1, now);
  lane->join_at = now + lane->join_interval;
  lane->join_interval = MIN (2 * lane->join_interval, LAST_JOIN_INTERVAL);
  return lane->join_at;
}

/* --- what leaves by a lane --- */

static void
on_sent (LaneTransport * self, guint i, GstBuffer * buffer, GstBuffer * packet, RcTime now)
{
  Lane *lane = &self->lane[i];
  RcSenderPacket sent = {.rtp_bytes = (guint32) gst_buffer_get_size (packet) };

  lane_packet_read (packet, &sent.ssrc, &sent.seq);
  send_media_give_entries (sender_of (self, i), &sent, now);
  rc_sender_on_sent (sender_of (self, i), &sent, lane->bound.length > 0, now);
  lane->stats.packets++;
  if (lane->confirmed)
    lane_sent_add (&lane->sent, buffer, now);
}

/* Takes what is due; the pacer is charged. */
static guint
collect (LaneTransport * self, guint i, RcTime now, GstBuffer ** buffers, RcTime * due_at)
{
  Lane *lane = &self->lane[i];
  RcSender *sender = sender_of (self, i);
  guint n;

  *due_at = RC_TIME_NONE;
  for (n = 0; n < MAX_BATCH && lane->bound.length > 0; n++) {
    GstBuffer *buffer = g_queue_peek_head (&lane->bound);
    guint bytes = network_bytes_of (self, buffer);

    *due_at = rc_sender_due_at (sender, bytes, now);
    if (*due_at == RC_TIME_NONE || *due_at > now)
      break;
    rc_sender_reserve (sender, bytes, now);
    buffers[n] = g_queue_pop_head (&lane->bound);
  }
  return n;
}

static void
note_result (Lane * lane, const TransportResult * result, RcTime now)
{
  lane->stats.send_errors += result->errors;
  if (result->errors > 0 && lane->failed_since == RC_TIME_NONE)
    lane->failed_since = now;
  else if (result->sent > result->errors)
    lane->failed_since = RC_TIME_NONE;
  lane->send_error = result->errors > 0 ? result->last_error : 0;
}

/* FALSE: the path takes no more now. */
static gboolean
send_batch (LaneTransport * self, guint i, GstBuffer ** buffers, guint n, RcTime now)
{
  Lane *lane = &self->lane[i];
  GstBuffer *packets[MAX_BATCH];
  TransportResult result;

  for (guint k = 0; k < n; k++) {
    packets[k] = lane->confirmed ? lane_packet_wrap (buffers[k], lane->ssrc,
        (guint16) (lane->sent.next + k)) : NULL;
    if (!packets[k])
      packets[k] = gst_buffer_ref (buffers[k]);
  }
  result = lane->path->funcs->send (lane->path, packets, n, rc_sender_ecn_bits (sender_of (self,
              i)));
  note_result (lane, &result, now);
  for (guint k = n; k-- > result.sent;) {
    rc_sender_release (sender_of (self, i), network_bytes_of (self, buffers[k]));
    g_queue_push_head (&lane->bound, buffers[k]);
    gst_buffer_unref (packets[k]);
  }
  for (guint k = 0; k < result.sent; k++) {
    rc_lanes_on_left (&self->lanes, i, network_bytes_of (self, buffers[k]));
    on_sent (self, i, buffers[k], packets[k], now);
    gst_buffer_unref (buffers[k]);
    gst_buffer_unref (packets[k]);
  }
  return result.sent == n;
}

/* Returns when to come again. */
static RcTime
send_due (LaneTransport * self, guint i, RcTime now)
{
  GstBuffer *buffers[MAX_BATCH];
  RcTime due_at;
  guint n;

  while ((n = collect (self, i, now, buffers, &due_at)) > 0)
    if (!send_batch (self, i, buffers, n, now))
      return now + AGAIN_DELAY;
  if (self->lane[i].bound.length == 0) {
    rc_sender_on_idle (sender_of (self, i), now);
    return RC_TIME_NONE;
  }
  return due_at;
}

static RcTime
follow_plan (LaneTransport * self, guint i, RcTime now)
{
  RcSenderPlan plan;

  rc_sender_plan (sender_of (self, i), 0, now, &plan);
  if (plan.n_infos > 0)
    send_infos (self, i, plan.infos, plan.n_infos, now);
  return plan.next_at;
}

/* --- binding --- */

/* Takes the buffer. */
static void
bind_to (LaneTransport * self, gint lane, GstBuffer * buffer, gboolean first)
{
  if (lane == RC_LANE_NONE)
    gst_buffer_unref (buffer);
  else if (first)
    g_queue_push_head (&self->lane[lane].bound, buffer);
  else
    g_queue_push_tail (&self->lane[lane].bound, buffer);
}

/* Until then a request was sent before this packet could come. */
static RcTime
answer_at (LaneTransport * self, gint lane, RcTime now)
{
  const RcSender *sender;
  RcTime srtt;

  if (lane == RC_LANE_NONE)
    return now;
  sender = sender_of (self, (guint) lane);
  srtt = rc_sender_srtt (sender);
  return now + (srtt == RC_TIME_NONE ? 0 : srtt)
      + rc_time_of_bytes (rc_lanes_get (&self->lanes, (guint) lane)->bound_bytes,
      rc_sender_rate_bps (sender));
}

/* Copies are of use only where the receiver drops the second. Takes the buffer. */
static gint
choose (LaneTransport * self, GstBuffer * buffer, const RcLaneWish * wish, gboolean first,
    RcTime now)
{
  RcLaneChoice choice = rc_lanes_bind (&self->lanes, wish, now);

  if (choice.second != RC_LANE_NONE && self->lane[choice.second].confirmed
      && self->lane[choice.first].confirmed)
    bind_to (self, choice.second, gst_buffer_ref (buffer), first);
  else if (choice.second != RC_LANE_NONE)
    rc_lanes_on_left (&self->lanes, (guint) choice.second, wish->network_bytes);
  bind_to (self, choice.first, buffer, first);
  return choice.first;
}

static void
note_lane (LaneTransport * self, LaneStream * stream, guint16 seq, gint lane, gboolean again,
    RcTime now)
{
  guint place = seq % LANE_STREAM_PACKETS;

  if (lane != RC_LANE_NONE)
    stream->lane[place] = (guint8) (lane + 1);
  if (again)
    stream->on_its_way_until[place] = answer_at (self, lane, now);
}

/* A packet that is asked for takes another lane than before, and the lane of before as well: it is
 * waited for. If it left once more already, the request and it have crossed. A number further back
 * is of a source that begins anew. */
static void
bind_media (LaneTransport * self, GstBuffer * buffer, guint32 ssrc, guint16 seq, RcTime now)
{
  LaneStream *stream = lane_streams_get (&self->streams, ssrc, seq);
  gboolean again = (guint16) (stream->highest - seq) < LANE_STREAM_PACKETS;
  gboolean precious = again || !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  guint8 before = stream->lane[seq % LANE_STREAM_PACKETS];
  RcLaneWish wish = {.network_bytes = network_bytes_of (self, buffer),.left = RC_TIME_NONE,
    .loss_price = precious ? PRECIOUS_PRICE : PRICE,
    .avoid = again && before > 0 ? 1U << (before - 1) : 0,
    .twice = again
  };

  if (again && now < stream->on_its_way_until[seq % LANE_STREAM_PACKETS])
    return;
  if (!again)
    stream->highest = seq;
  note_lane (self, stream, seq, choose (self, gst_buffer_ref (buffer), &wish, FALSE, now), again,
      now);
}

/* By another lane than this one, before what waits there. Takes the buffers. */
static void
send_again (LaneTransport * self, guint i, GQueue * buffers, gboolean twice, RcTime now)
{
  GstBuffer *buffer;

  while ((buffer = g_queue_pop_tail (buffers))) {
    RcLaneWish wish = {.network_bytes = network_bytes_of (self, buffer),.left = RC_TIME_NONE,
      .loss_price = PRECIOUS_PRICE,.avoid = 1U << i,.twice = twice };
    guint32 ssrc;
    guint16 seq;
    gboolean known = lane_packet_read (buffer, &ssrc, &seq);
    gint lane = choose (self, buffer, &wish, TRUE, now);

    if (known)
      note_lane (self, lane_streams_get (&self->streams, ssrc, seq), seq, lane, TRUE, now);
  }
}

/* What left by a lane in doubt, or waits for it. */
static void
rescue (LaneTransport * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];
  GQueue buffers = G_QUEUE_INIT;
  GstBuffer *buffer;

  lane_sent_take_unanswered (&lane->sent, now, &buffers);
  while ((buffer = g_queue_pop_head (&lane->bound))) {
    rc_lanes_on_left (&self->lanes, i, network_bytes_of (self, buffer));
    g_queue_push_tail (&buffers, buffer);
  }
  lane->stats.rescued += buffers.length;
  send_again (self, i, &buffers, FALSE, now);
}

/* By two lanes: for a third try there is no time. */
static void
repair (LaneTransport * self, guint i, const RcReport * report, RcTime now)
{
  GQueue buffers = G_QUEUE_INIT;

  lane_sent_take_lost (&self->lane[i].sent, report, now, &buffers);
  self->lane[i].stats.repaired += buffers.length;
  send_again (self, i, &buffers, TRUE, now);
}

/* --- the transport --- */

/* RTCP of the session and of others, which goes at once. */
static void
send_rtcp (LaneTransport * self, GstBuffer * buffer, RcTime now)
{
  RtcpMessage message;
  RcLaneWish wish = {.left = RC_TIME_NONE };
  RcLaneChoice choice = rc_lanes_bind (&self->lanes, &wish, now);

  if (choice.first == RC_LANE_NONE)
    return;
  send_control (self, (guint) choice.first, buffer, now);
  rtcp_message_read_buffer (&message, buffer);
  for (guint i = 0; i < message.n_sender_reports; i++)
    rc_sender_on_sr_sent (sender_of (self, (guint) choice.first), message.sender_reports[i].ssrc,
        rtcp_lsr_of_ntp (message.sender_reports[i].ntp), now);
}

static TransportResult
lanes_send (Transport * transport, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  LaneTransport *self = lanes (transport);
  RcTime now = clock_glue_monotonic ();
  TransportResult result = {.sent = n };

  for (guint i = 0; i < n; i++) {
    guint32 ssrc;
    guint16 seq;
    guint8 type = 0;

    gst_buffer_extract (buffers[i], 1, &type, 1);
    if (type >= 192 && type <= 223)
      send_rtcp (self, buffers[i], now);
    else if (lane_packet_read (buffers[i], &ssrc, &seq))
      bind_media (self, buffers[i], ssrc, seq, now);
  }
  return result;
}

static void remove_lane (LaneTransport * self, guint i);

/* It gives errors, or no answer while another path does. Its interface or address may have gone: it
 * is opened anew when it is looked for. */
static gboolean
has_failed (LaneTransport * self, guint i, RcTime now)
{
  const Lane *lane = &self->lane[i];

  if (lane->failed_since != RC_TIME_NONE && now - lane->failed_since >= FAILED_AFTER)
    return TRUE;
  for (guint k = 0; k < RC_LANES_MAX; k++)
    if (k != i && self->lane[k].name && self->lane[k].confirmed
        && !rc_sender_is_stopped (sender_of (self, k)))
      return rc_sender_is_stopped (sender_of (self, i));
  return FALSE;
}

/* Time has passed since the caller's. */
static RcTime
lanes_serve (Transport * transport, RcTime called_at, RcCarriage * sum, gboolean * wants_paths)
{
  LaneTransport *self = lanes (transport);
  RcTime now = MAX (called_at, clock_glue_monotonic ());
  RcTime next_at = watch_plain (self, now);
  guint lane;

  next_at = rc_sooner (next_at, rc_lanes_look (&self->lanes, now));
  while (rc_lanes_take_doubt (&self->lanes, &lane))
    if (any_confirmed (self))
      rescue (self, lane, now);
  for (guint i = 0; i < RC_LANES_MAX; i++) {
    if (!self->lane[i].name)
      continue;
    next_at = rc_sooner (next_at, send_due (self, i, now));
    next_at = rc_sooner (next_at, follow_plan (self, i, now));
    next_at = rc_sooner (next_at, ask_to_join (self, i, now));
    if (has_failed (self, i, now))
      remove_lane (self, i);
  }
  rc_lanes_sum (&self->lanes, now, sum);
  *wants_paths = now >= self->wanted_at;
  if (*wants_paths)
    self->wanted_at = now + WANTED_INTERVAL;
  return rc_sooner (next_at, self->wanted_at);
}

/* --- what comes --- */

static void
take_report (LaneTransport * self, guint i, const RcReport * report, guint32 instance, RcTime now)
{
  Lane *lane = &self->lane[i];
  RcSender *sender = sender_of (self, i);

  if (report->n_lanes == 0) {
    if (!lane->confirmed)
      rc_sender_on_reports (sender, report, 1, instance, now);
    return;
  }
  if (report->ssrc != lane->ssrc)
    return;
  if (!lane->confirmed) {
    lane->confirmed = TRUE;
    rc_lanes_set_joined (&self->lanes, i, TRUE);
  }
  if (rc_sender_on_reports (sender, report, 1, instance, now) && report->received_pkts > 0)
    repair (self, i, report, now);
}

/* Of a receiver that is not arcsrc. */
static void
take_standard (LaneTransport * self, RcSender * sender, const RtcpMessage * message,
    const guint8 * data, RcTime now)
{
  for (guint k = 0; k < message->n_lists; k++)
    list_reader_take (&self->lists, sender, &message->lists[k], data, now);
  if (message->n_blocks > 0)
    rc_sender_on_blocks (sender, message->blocks, message->n_blocks, now);
  for (guint k = 0; k < message->n_byes; k++)
    rc_sender_on_bye (sender, message->byes[k]);
}

static void
take (LaneTransport * self, guint i, const guint8 * data, gsize size, RcTime now)
{
  Lane *lane = &self->lane[i];
  RtcpMessage message;

  if (rtcp_message_read (&message, data, size) != RTCP_VALID)
    return;
  lane->heard_at = now;
  if (message.noticed) {
    rc_sender_on_notice (sender_of (self, i), &message.notice, now);
    if (message.notice.cookie != lane->cookie) {
      lane->cookie = message.notice.cookie;
      lane->join_at = now;
      lane->join_interval = FIRST_JOIN_INTERVAL;
    }
  }
  for (guint k = 0; k < message.n_reports; k++)
    take_report (self, i, &message.reports[k], message.sender_ssrc, now);
  if (!lane->confirmed)
    take_standard (self, sender_of (self, i), &message, data, now);
}

/* A port that is closed is said of the path that has the media alone. */
static gssize
lanes_receive (Transport * transport, guint8 * data, gsize size)
{
  LaneTransport *self = lanes (transport);

  for (guint k = 0; k < RC_LANES_MAX; k++) {
    guint i = (self->next_receive + k) % RC_LANES_MAX;
    gssize got;

    if (!self->lane[i].name)
      continue;
    got = self->lane[i].path->funcs->receive (self->lane[i].path, data, size);
    if (got == -1)
      continue;
    self->next_receive = i;
    if (got >= 0)
      take (self, i, data, (gsize) got, clock_glue_monotonic ());
    return got == -2 && (gint) i != self->plain ? -3 : got;
  }
  return -1;
}

/* --- life --- */

/* Those of the user are of the sum: none is less than its part of the least, and all together start
 * as one. A law with a rate of its own is not added up: each lane may carry all. */
static RcLimits
limits_of_lane (const LaneTransport * self)
{
  RcLimits limits = self->config.limits;
  guint n = 0;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    n += self->lane[i].name != NULL;
  limits.min_bps = MAX (limits.min_bps / RC_LANES_MAX, 1);
  if (!self->controller.law->open_loop)
    limits.start_bps = MAX (limits.start_bps / MAX (n, 1), 1);
  return limits;
}

static void
begin_lane (LaneTransport * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];
  RcSenderConfig config = self->config;

  config.controller = &self->controller;
  config.limits = limits_of_lane (self);
  rc_lanes_add (&self->lanes, &config, now);
  lane->join_at = now;
  lane->join_interval = FIRST_JOIN_INTERVAL;
}

static void
lanes_carry (Transport * transport, const RcSenderConfig * config, RcTime now)
{
  LaneTransport *self = lanes (transport);

  self->controller = *config->controller;
  self->config = *config;
  self->begun = TRUE;
  for (guint i = 0; i < RC_LANES_MAX && self->lane[i].name; i++)
    begin_lane (self, i, now);
  watch_plain (self, now);
}

static void
lanes_set_limits (Transport * transport, const RcLimits * limits, RcTime now)
{
  LaneTransport *self = lanes (transport);
  RcLimits of_lane;

  self->config.limits = *limits;
  of_lane = limits_of_lane (self);
  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name)
      rc_sender_set_limits (sender_of (self, i), &of_lane, now);
}

static void
lanes_set_format (Transport * transport, const RcAnnouncement * announced)
{
  rc_lanes_set_format (&lanes (transport)->lanes, announced, clock_glue_monotonic ());
}

static GSocketAddress *
lanes_get_peer (Transport * transport)
{
  gint i = next_lane (lanes (transport), -1);
  Transport *path = i >= 0 ? lanes (transport)->lane[i].path : NULL;

  return path ? path->funcs->get_peer (path) : NULL;
}

/* Paths to another address of the receiver stay. */
static gboolean
lanes_set_peer (Transport * transport, GSocketAddress * peer)
{
  LaneTransport *self = lanes (transport);
  gboolean any = FALSE;

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name && !strchr (self->lane[i].name, ':'))
      any |= self->lane[i].path->funcs->set_peer (self->lane[i].path, peer);
  return any;
}

static void
free_lane (LaneTransport * self, guint i)
{
  Lane *lane = &self->lane[i];
  RcSender *sender = sender_of (self, i);

  for (RcLedgerEntry * entries; self->begun && (entries = rc_sender_take_back_entries (sender));)
    g_free (entries);
  rc_lanes_remove (&self->lanes, i);
  known_paths_get (&self->known, lane->name)->seq = lane->sent.next;
  g_queue_clear_full (&lane->bound, (GDestroyNotify) gst_buffer_unref);
  lane_sent_clear (&lane->sent);
  lane->path->funcs->free (lane->path);
  g_free (lane->name);
  memset (lane, 0, sizeof *lane);
}

static void
remove_lane (LaneTransport * self, guint i)
{
  RcTime now = clock_glue_monotonic ();

  rc_lanes_set_joined (&self->lanes, i, FALSE);
  if (self->plain == (gint) i)
    self->plain = -1;
  rescue (self, i, now);
  epoll_ctl (self->transport.fd, EPOLL_CTL_DEL, self->lane[i].path->fd, NULL);
  self->lane[i].path->funcs->close (self->lane[i].path);
  free_lane (self, i);
  watch_plain (self, now);
}

static void
lanes_get_stats (Transport * transport, LaneStats * stats, guint * n)
{
  LaneTransport *self = lanes (transport);
  RcTime now = clock_glue_monotonic ();

  *n = 0;
  for (guint i = 0; i < RC_LANES_MAX; i++) {
    const RcLane *facts = rc_lanes_get (&self->lanes, i);
    LaneStats *out = &stats[*n];

    if (!self->lane[i].name || !facts->there)
      continue;
    *out = self->lane[i].stats;
    g_strlcpy (out->name, self->lane[i].name, sizeof out->name);
    rc_sender_get_stats (sender_of (self, i), now, &out->sender);
    out->rate_bps = rc_sender_rate_bps (&facts->sender);
    out->srtt = rc_sender_srtt (&facts->sender);
    out->queueing_delay = rc_sender_queueing_delay (&facts->sender);
    out->lag = rc_lanes_lag (&self->lanes, i, now);
    out->loss_ratio = rc_sender_loss_ratio (&facts->sender);
    out->waiting_bytes = facts->bound_bytes;
    out->state = !facts->joined ? "joining" : rc_sender_is_stopped (&facts->sender) ? "stopped"
        : facts->doubted ? "silent" : facts->muted ? "shared" : "carrying";
    (*n)++;
  }
}

/* What is bound still leaves, and a BYE. */
static void
end_lane (LaneTransport * self, guint i, RcTime now)
{
  Lane *lane = &self->lane[i];
  RcSenderInfo infos[RC_LEDGERS_MAX];
  GstBuffer *buffer;
  guint n;

  while ((buffer = g_queue_pop_head (&lane->bound)))
    if (!send_batch (self, i, &buffer, 1, now))
      break;
  n = rc_sender_take_farewell (sender_of (self, i), infos);
  if (n == 0)
    return;
  buffer = rtcp_new_farewell (infos[0].ssrc, infos, n);
  send_control (self, i, buffer, now);
  gst_buffer_unref (buffer);
}

static void
lanes_close (Transport * transport)
{
  LaneTransport *self = lanes (transport);
  RcTime now = clock_glue_monotonic ();

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    if (!self->lane[i].name)
      continue;
    if (self->begun)
      end_lane (self, i, now);
    self->lane[i].path->funcs->close (self->lane[i].path);
  }
}

static void
lanes_free (Transport * transport)
{
  LaneTransport *self = lanes (transport);

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name)
      free_lane (self, i);
  known_paths_clear (&self->known);
  list_reader_free (self->lists);
  close (transport->fd);
  g_free (self);
}

/* A packet may take any path. */
static guint
lanes_get_mtu (Transport * transport)
{
  LaneTransport *self = lanes (transport);
  guint least = 0, mtu;

  for (guint i = 0; i < RC_LANES_MAX; i++) {
    const Lane *lane = &self->lane[i];

    mtu = lane->name && lane->path->funcs->get_mtu ? lane->path->funcs->get_mtu (lane->path) : 0;
    if (mtu > 0)
      least = least > 0 ? MIN (least, mtu) : mtu;
  }
  return least;
}

static const TransportFuncs lanes_funcs = {.get_mtu = lanes_get_mtu,
  .send = lanes_send,.receive = lanes_receive,
  .serve = lanes_serve,.carry = lanes_carry,.set_limits = lanes_set_limits,
  .set_format = lanes_set_format,
  .get_lanes = lanes_get_stats,.get_peer = lanes_get_peer,.set_peer = lanes_set_peer,
  .close = lanes_close,.free = lanes_free
};

Transport *
lane_transport_new (RcLanesMode mode, RcTime latency, guint overhead_bytes)
{
  LaneTransport *self = g_new0 (LaneTransport, 1);

  self->transport = (Transport) { &lanes_funcs, overhead_bytes + LANE_PACKET_BYTES,
    epoll_create1 (EPOLL_CLOEXEC) };
  rc_lanes_init (&self->lanes, mode, latency);
  self->plain = -1;
  return &self->transport;
}

static gint
find (LaneTransport * self, const gchar * name)
{
  for (gint i = 0; i < RC_LANES_MAX; i++)
    if (g_strcmp0 (self->lane[i].name, name) == 0)
      return i;
  return -1;
}

gboolean
lane_transport_has (Transport * transport, const gchar * name)
{
  return find (lanes (transport), name) >= 0;
}

gboolean
lane_transport_add (Transport * transport, const gchar * name, Transport * path)
{
  LaneTransport *self = lanes (transport);
  struct epoll_event event = {.events = EPOLLIN };
  gint i = find (self, NULL);
  KnownPath *known;

  if (i < 0) {
    path->funcs->free (path);
    return FALSE;
  }
  known = known_paths_get (&self->known, name);
  self->lane[i] = (Lane) {.name = g_strdup (name),.path = path,.ssrc = known->ssrc,
    .heard_at = RC_TIME_NONE,.failed_since = RC_TIME_NONE };
  lane_sent_init (&self->lane[i].sent, known->seq);
  epoll_ctl (transport->fd, EPOLL_CTL_ADD, path->fd, &event);
  if (self->begun)
    begin_lane (self, (guint) i, clock_glue_monotonic ());
  return TRUE;
}

void
lane_transport_keep (Transport * transport, const gchar * const *names)
{
  LaneTransport *self = lanes (transport);

  for (guint i = 0; i < RC_LANES_MAX; i++)
    if (self->lane[i].name && !g_strv_contains (names, self->lane[i].name))
      remove_lane (self, i);
}
