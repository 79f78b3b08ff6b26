/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What comes: by which key it is authentic, and what that says of its stream. */

#include "srtp/securecontextprivate.h"

#include <string.h>

#include "rtp/rtcpmessage.h"
#include "srtp/secureindexes.h"

#define RTP_VERSION 2
#define INDEX_BYTES 4           /* of SRTCP, with the bit that says "encrypted" */

static void
on_heard_by (SecureContext * self, guint key, RcTime now)
{
  if (self->n_keys == 2 && key == 0 && self->old_until == RC_TIME_NONE)
    self->old_until = now + SECURE_OLD_KEY_TIME;
}

typedef struct
{
  guint8 *data;
  gsize size;
  gboolean rtcp;
  guint32 ssrc;
  guint16 seq;                  /* of RTP */
} Packet;

/* FALSE: neither RTP nor RTCP. */
static gboolean
read_header (Packet * self)
{
  if (self->size < SECURE_RTCP_HEADER_BYTES || self->data[0] >> 6 != RTP_VERSION)
    return FALSE;
  self->rtcp = rtcp_is_rtcp (self->data, self->size);
  if (!self->rtcp && self->size < SECURE_RTP_HEADER_BYTES)
    return FALSE;
  self->seq = GST_READ_UINT16_BE (self->data + 2);
  self->ssrc = GST_READ_UINT32_BE (self->data + (self->rtcp ? 4 : 8));
  return TRUE;
}

/* It stands before MKI and tag [RFC 3711 3.4]; GCM has its tag before the index [RFC 7714 9.2]. */
static gint64
rtcp_index (const SecureKey * key, const Packet * packet)
{
  gsize behind = INDEX_BYTES + key->mki_bytes + (secure_key_is_gcm (key) ? 0 : 10);
  guint32 index;

  if (packet->size < behind)
    return -1;
  memcpy (&index, packet->data + packet->size - behind, sizeof index);  /* at any address */
  return GUINT32_FROM_BE (index) & 0x7fffffff;
}

/* FALSE: there is no place for its stream. */
static gboolean
on_authentic (SecureContext * self, const Packet * packet, guint key, gint64 index,
    SecureArrival * arrival, RcTime now)
{
  SecureStream *stream = secure_context_get_stream (self, SECURE_IN, packet->ssrc);
  guint64 rtp_index;

  if (!stream) {
    secure_context_forget_stream (self, SECURE_IN, packet->ssrc);
    return FALSE;
  }
  *arrival = (SecureArrival) {.rtcp = packet->rtcp,.ssrc = packet->ssrc };
  if (packet->rtcp) {
    stream->rtcp_pkts[key]++;
    arrival->newest = index > stream->rtcp_index;
    stream->rtcp_index = MAX (stream->rtcp_index, index);
  } else {
    rtp_index = secure_stream_guess (stream, packet->seq);
    stream->taken[key] = MAX (stream->taken[key], (gint64) rtp_index);
    arrival->newest = secure_stream_note (stream, rtp_index);
  }
  on_heard_by (self, key, now);
  return TRUE;
}

/* By each key in turn. */
static SecureStatus
unprotect (SecureContext * self, Packet * packet, SecureArrival * arrival, RcTime now)
{
  SecureStream *stream = secure_streams_find (&self->streams[SECURE_IN], packet->ssrc);
  guint8 *copy = self->n_keys == 2 ? g_memdup2 (packet->data, packet->size) : NULL;
  SecureStatus status = SECURE_STATUS_UNAUTHENTIC, worst = SECURE_STATUS_UNAUTHENTIC;
  gsize size = packet->size;

  for (guint key = 0; key < self->n_keys && status != SECURE_STATUS_OK; key++) {
    gint64 index = rtcp_index (&self->keys[key].key, packet);

    if (key > 0)
      memcpy (packet->data, copy, packet->size);
    if (stream && !packet->rtcp)
      secure_context_introduce (self, SECURE_IN, stream, key,
          secure_stream_guess (stream, packet->seq));
    status = secure_session_work (self->keys[key].session, SECURE_IN, packet->rtcp, packet->data,
        &size);
    worst = MAX (worst, status);
    if (status == SECURE_STATUS_OK && !on_authentic (self, packet, key, index, arrival, now)) {
      worst = status = SECURE_STATUS_SURPLUS;
      break;
    }
  }
  g_free (copy);
  packet->size = size;
  return status == SECURE_STATUS_OK ? status : worst;
}

gboolean
secure_context_unprotect (SecureContext * self, guint8 * data, gsize * size,
    SecureArrival * arrival, RcTime now)
{
  Packet packet = {.data = data,.size = *size };
  SecureStatus status = SECURE_STATUS_MALFORMED;

  *arrival = (SecureArrival) { 0 };
  g_mutex_lock (&self->lock);
  secure_context_expire_old_key (self, now);
  if (read_header (&packet))
    status = unprotect (self, &packet, arrival, now);
  if (status == SECURE_STATUS_REPLAYED && !packet.rtcp)
    *arrival = (SecureArrival) {.ssrc = packet.ssrc,.copy = TRUE,.seq = packet.seq };
  if (status == SECURE_STATUS_OK && packet.rtcp)
    packet.size = secure_indexes_take (&self->streams[SECURE_IN], data, packet.size);
  self->stats.unauthentic += status == SECURE_STATUS_UNAUTHENTIC;
  self->stats.replayed += status == SECURE_STATUS_REPLAYED && packet.rtcp;
  self->stats.malformed += status == SECURE_STATUS_MALFORMED;
  self->stats.surplus += status == SECURE_STATUS_SURPLUS;
  g_mutex_unlock (&self->lock);
  *size = packet.size;
  return status == SECURE_STATUS_OK;
}

void
secure_context_count_copy (SecureContext * self, const SecureArrival * arrival)
{
  g_mutex_lock (&self->lock);
  self->stats.replayed += arrival->copy;
  g_mutex_unlock (&self->lock);
}
