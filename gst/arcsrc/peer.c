/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "peer.h"

#include <gst/arc/arc.h>
#include <gst/net/net.h>

#include "common/clockglue.h"
#include "common/rtcpfeedback.h"
#include "common/listensocket.h"

#define RTP_HEADER_BYTES 12
#define RTP_VERSION 2

void
peer_init (Peer * self, GstElement * element)
{
  *self = (Peer) {.element = element };
  g_mutex_init (&self->lock);
}

void
peer_clear (Peer * self)
{
  sender_latch_clear (&self->latch);
  g_clear_object (&self->socket);
  g_mutex_clear (&self->lock);
}

void
peer_set_socket (Peer * self, GSocket * socket)
{
  g_mutex_lock (&self->lock);
  g_set_object (&self->socket, socket);
  g_mutex_unlock (&self->lock);
}

void
peer_set_timeout (Peer * self, GstClockTime timeout)
{
  g_mutex_lock (&self->lock);
  self->timeout = timeout;
  g_mutex_unlock (&self->lock);
}

GstClockTime
peer_timeout (Peer * self)
{
  GstClockTime timeout;

  g_mutex_lock (&self->lock);
  timeout = self->timeout;
  g_mutex_unlock (&self->lock);
  return timeout;
}

gboolean
peer_follows (Peer * self)
{
  gboolean follow;

  g_mutex_lock (&self->lock);
  follow = self->follow;
  g_mutex_unlock (&self->lock);
  return follow;
}

void
peer_set_follow (Peer * self, gboolean follow)
{
  g_mutex_lock (&self->lock);
  self->follow = follow;
  g_mutex_unlock (&self->lock);
}

void
peer_reset (Peer * self)
{
  g_mutex_lock (&self->lock);
  sender_latch_clear (&self->latch);
  self->silent = FALSE;
  self->foreign_pkts = self->changes = self->send_errors = 0;
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

  g_mutex_lock (&self->lock);
  fields = gst_structure_new (name, "timeout", G_TYPE_UINT64, self->timeout,
      "silence", G_TYPE_UINT64, clock_glue_to_gst (silence), NULL);
  add_sender (self, fields);
  g_mutex_unlock (&self->lock);
  gst_element_post_message (self->element, gst_message_new_element (GST_OBJECT (self->element), fields));
}

void
peer_check_silence (Peer * self)
{
  RcTime silence;
  gboolean begins;

  g_mutex_lock (&self->lock);
  silence = clock_glue_monotonic () - self->media_at;
  begins = !self->silent && self->timeout > 0 && clock_glue_to_gst (silence) >= self->timeout;
  self->silent |= begins;
  g_mutex_unlock (&self->lock);

  if (begins)
    post (self, GST_ARC_SRC_TIMEOUT, silence);
}

static SenderPacket
classify (GstBuffer * buffer, guint32 * ssrc)
{
  guint8 header[RTP_HEADER_BYTES];
  gsize size = gst_buffer_extract (buffer, 0, header, sizeof (header));
  RtcpFeedback feedback;

  *ssrc = 0;
  if (rtcp_feedback_is_rtcp (header, size)) {
    if (rtcp_feedback_parse (buffer, &feedback) == RTCP_FEEDBACK_OURS && feedback.n_infos > 0)
      return SENDER_PACKET_INFO;
    return SENDER_PACKET_OTHER;
  }
  if (size < sizeof (header) || header[0] >> 6 != RTP_VERSION)
    return SENDER_PACKET_OTHER;
  *ssrc = (guint32) header[8] << 24 | header[9] << 16 | header[10] << 8 | header[11];
  return SENDER_PACKET_MEDIA;
}

/* With the lock held. *resumed: how long media was away, where the timeout message told so. */
static gboolean
judge (Peer * self, GSocketAddress * from, const LocalAddress * to, SenderPacket packet, guint32 ssrc, RcTime * resumed)
{
  RcTime release = self->timeout > 0 ? clock_glue_from_gst (self->timeout) : SENDER_LATCH_RELEASE;
  RcTime now = clock_glue_monotonic ();
  gboolean had_sender = self->latch.sender != NULL;
  SenderLatchVerdict verdict = sender_latch_judge (&self->latch, from, packet, ssrc, self->follow, release, now);

  if (verdict == SENDER_LATCH_FOREIGN) {
    self->foreign_pkts++;
    return FALSE;
  }
  if (verdict == SENDER_LATCH_CHANGED && had_sender)
    self->changes++;
  self->local = *to;
  if (packet == SENDER_PACKET_MEDIA) {
    if (self->silent)
      *resumed = now - self->media_at;
    self->silent = FALSE;
    self->media_at = now;
  }
  return TRUE;
}

gboolean
peer_admit (Peer * self, GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);
  guint32 ssrc;
  SenderPacket packet = classify (buffer, &ssrc);
  LocalAddress to = local_address_take ();
  RcTime resumed = RC_TIME_NONE;
  gboolean admitted;

  g_mutex_lock (&self->lock);
  admitted = meta && judge (self, meta->addr, &to, packet, ssrc, &resumed);
  g_mutex_unlock (&self->lock);

  if (resumed != RC_TIME_NONE)
    post (self, GST_ARC_SRC_RESUMED, resumed);
  else if (packet != SENDER_PACKET_MEDIA || !admitted)
    peer_check_silence (self);
  return admitted;
}

static gboolean
send_to (GSocket * socket, GSocketAddress * sender, const LocalAddress * local, const GstMapInfo * map)
{
  struct sockaddr_storage native;

  return g_socket_address_to_native (sender, &native, sizeof (native), NULL)
      && local_address_send (local, g_socket_get_fd (socket), (struct sockaddr *) &native,
      (socklen_t) g_socket_address_get_native_size (sender), map->data, map->size) >= 0;
}

void
peer_send (Peer * self, GstBuffer * buffer)
{
  GSocketAddress *sender = NULL;
  GSocket *socket = NULL;
  LocalAddress local;
  GstMapInfo map;
  gboolean sent = FALSE;

  g_mutex_lock (&self->lock);
  g_set_object (&sender, self->latch.sender);
  g_set_object (&socket, self->socket);
  local = self->local;
  g_mutex_unlock (&self->lock);

  if (sender && socket && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    sent = send_to (socket, sender, &local, &map);
    gst_buffer_unmap (buffer, &map);
  }
  if (!sent) {
    g_mutex_lock (&self->lock);
    self->send_errors++;
    g_mutex_unlock (&self->lock);
  }
  g_clear_object (&sender);
  g_clear_object (&socket);
}

void
peer_add_stats (Peer * self, GstStructure * stats)
{
  g_mutex_lock (&self->lock);
  gst_structure_set (stats,
      "packets-foreign", G_TYPE_UINT64, self->foreign_pkts,
      "sender-changes", G_TYPE_UINT64, self->changes,
      "send-errors", G_TYPE_UINT64, self->send_errors,
      "buffer-size", G_TYPE_INT, self->socket ? listen_socket_buffer_bytes (self->socket) : 0, NULL);
  add_sender (self, stats);
  g_mutex_unlock (&self->lock);
}
