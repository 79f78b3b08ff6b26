/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What leaves: which key, number and owner a packet has, and whether it may. */

#include "srtp/securecontextprivate.h"

#include "rtp/rtcpmessage.h"
#include "srtp/secureindexes.h"
#include "srtp/secureowners.h"

/* Packets in a row whose numbers were used: then they are ahead by more than half of all numbers.
 * Fewer could be packets that a receiver asked for, which leave amid new ones. */
#define JUMP_PKTS 64
/* Of SRTCP: each takes 3 to 10 us, once, and rmcsink sends so many in a day. */
#define MAX_SKIP_PKTS (1u << 17)

/* FALSE: another context of this process sends this SSRC under this key, or has sent too much. */
static gboolean
claim (SecureContext * self, SecureStream * stream, guint key)
{
  SecureSent sent;
  guint32 behind;

  if (stream->claimed & 1u << key)
    return TRUE;
  if (!secure_owners_claim (&self->keys[key].key, stream->ssrc, self->id, &sent))
    return FALSE;
  behind = sent.rtcp_pkts - MIN (sent.rtcp_pkts, stream->rtcp_pkts[key]);
  if (behind > MAX_SKIP_PKTS) {
    secure_owners_release (&self->keys[key].key, stream->ssrc, self->id, &sent);
    return FALSE;
  }
  secure_session_skip_rtcp (self->keys[key].session, stream->ssrc, behind);
  stream->rtcp_pkts[key] += behind;
  if (sent.index > (stream->counted ? (gint64) stream->index : -1))
    secure_stream_skip (stream, (guint64) sent.index);
  stream->claimed |= 1u << key;
  return TRUE;
}

/* 0: it has no header of RTP, and SRTP will refuse it. */
static gsize
payload_offset (const guint8 * data, gsize size)
{
  gsize at = SECURE_RTP_HEADER_BYTES + 4 * (gsize) (data[0] & 0x0f);

  if (data[0] & 0x10)
    at += size < at + 4 ? size : 4 + 4 * (gsize) GST_READ_UINT16_BE (data + at + 2);
  return at <= size ? at : 0;
}

/* What must not change under one number. Counter mode only adds the same bytes to the payload, so
 * a packet that is sent again may have another header, as of TWCC. GCM also authenticates the
 * header by that number. */
static guint32
digest_of (const SecureKey * key, const guint8 * data, gsize size)
{
  gsize from = secure_key_is_gcm (key) ? 0 : payload_offset (data, size);

  return secure_digest (data + from, size - from);
}

/* Where upstream skips more than half of the numbers, as after an outage with renumber=false, what
 * follows looks old, until the numbers come round. Ahead of all that was sent no number is used
 * twice, so the numbers go on there; the receiver learns of it by RTCP (secureindexes.h). */
static gboolean
find_index (SecureStream * stream, guint16 seq, SecureDeparture * departure)
{
  departure->index = secure_stream_guess (stream, seq);
  if (secure_stream_ask (stream, departure->index, departure->digest) == SECURE_INDEX_FREE) {
    stream->refused = 0;
    return TRUE;
  }
  stream->refused++;
  departure->index += 2 * SECURE_HALF;
  return stream->refused > JUMP_PKTS && departure->index > stream->index;
}

static gboolean
protect_rtp (SecureContext * self, guint key, guint8 * data, gsize * size,
    SecureDeparture * departure)
{
  SecureStream *stream = secure_context_get_stream (self, SECURE_OUT,
      GST_READ_UINT32_BE (data + 8));

  if (!stream || !claim (self, stream, key))
    return FALSE;
  *departure = (SecureDeparture) {.ssrc = stream->ssrc,.rtp = TRUE,
    .digest = digest_of (&self->keys[key].key, data, *size)
  };
  if (!find_index (stream, GST_READ_UINT16_BE (data + 2), departure))
    return FALSE;
  secure_context_introduce (self, SECURE_OUT, stream, key, departure->index);
  if (secure_session_work (self->keys[key].session, SECURE_OUT, FALSE, data, size)
      != SECURE_STATUS_OK)
    return FALSE;
  stream->taken[key] = MAX (stream->taken[key], (gint64) departure->index);
  return TRUE;
}

/* SRTCP numbers its packets by itself, 2^31 under one key [RFC 3711 9.2]. */
static gboolean
protect_rtcp (SecureContext * self, guint key, guint8 * data, gsize * size)
{
  SecureStream *stream = secure_context_get_stream (self, SECURE_OUT,
      GST_READ_UINT32_BE (data + 4));

  if (!stream || !claim (self, stream, key))
    return FALSE;
  if (stream->rtcp_pkts[key] >= SECURE_RTCP_PKTS_MAX) {
    secure_context_warn (self, SECURE_WARNING_RTCP_ENDED);
    return FALSE;
  }
  if (stream->rtcp_pkts[key] >= SECURE_RTCP_PKTS_WARN)
    secure_context_warn (self, SECURE_WARNING_RTCP_ENDS);
  if (self->leads)
    *size += secure_indexes_append (&self->streams[SECURE_OUT], data, *size);
  if (secure_session_work (self->keys[key].session, SECURE_OUT, TRUE, data, size)
      != SECURE_STATUS_OK)
    return FALSE;
  stream->rtcp_pkts[key]++;
  return TRUE;
}

void
secure_context_skip_rtcp (SecureContext * self, guint32 ssrc, guint32 pkts)
{
  SecureStream *stream;

  g_mutex_lock (&self->lock);
  stream = secure_context_get_stream (self, SECURE_OUT, ssrc);
  if (stream)
    stream->rtcp_pkts[0] = MAX (stream->rtcp_pkts[0], pkts);
  g_mutex_unlock (&self->lock);
}

gsize
secure_context_protect (SecureContext * self, guint8 * data, gsize size,
    SecureDeparture * departure, RcTime now)
{
  gboolean rtcp = rtcp_is_rtcp (data, size), ok;
  guint key;

  *departure = (SecureDeparture) {.rtp = FALSE };
  g_mutex_lock (&self->lock);
  secure_context_expire_old_key (self, now);
  key = !self->leads && self->n_keys == 2 && self->old_until == RC_TIME_NONE ? 1 : 0;
  if (size < (rtcp ? SECURE_RTCP_HEADER_BYTES : SECURE_RTP_HEADER_BYTES))
    ok = FALSE;
  else
    ok = rtcp ? protect_rtcp (self, key, data, &size)
        : protect_rtp (self, key, data, &size, departure);
  self->stats.unsent += !ok;
  g_mutex_unlock (&self->lock);
  return ok ? size : 0;
}

void
secure_context_note_sent (SecureContext * self, const SecureDeparture * departures, guint n)
{
  SecureStreams *streams = &self->streams[SECURE_OUT];
  SecureStream *stream;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < n; i++) {
    stream = departures[i].rtp ? secure_streams_find (streams, departures[i].ssrc) : NULL;
    if (stream)
      secure_streams_note_sent (streams, stream, departures[i].index, departures[i].digest);
  }
  g_mutex_unlock (&self->lock);
}
