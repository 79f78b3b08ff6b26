/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "keyframewishes.h"

#include "rtp/rtcpwriter.h"

#include <gst/rtp/rtp.h>

#define FORCE_KEY_UNIT "GstForceKeyUnit"
#define RETRANSMISSION "GstRTPRetransmissionRequest"
/* From a source that sent nothing for so long no keyframe is to be had. */
#define MAX_SILENCE RC_SECOND
/* The rest of its frame, and the FEC behind it, come within a frame's time; a keyframe may take
 * longer, but answers a request. */
#define FEC_TIME (50 * RC_MSEC)
/* Whatever a jitter buffer claims; a user waits no longer for a picture. */
#define MAX_REPAIR_TIME (2 * RC_SECOND)

void
keyframe_wishes_init (KeyframeWishes * self)
{
  *self = (KeyframeWishes) {.enabled = TRUE };
  keyframe_wishes_begin (self);
}

void
keyframe_wishes_begin (KeyframeWishes * self)
{
  self->repair_time = 0;
  self->repair_at = RC_TIME_NONE;
}

static void
set_structure (KeyframeWishes * self, const GstStructure * s)
{
  GstCaps *caps;
  gint payload_type;

  self->fir |= gst_structure_has_field (s, "rtcp-fb-ccm-fir")
      && !gst_structure_has_field (s, "rtcp-fb-nack-pli");
  if (!gst_structure_get_int (s, "payload", &payload_type) || payload_type < 0
      || payload_type >= (gint) G_N_ELEMENTS (self->codec))
    return;
  self->is_named[payload_type] = self->names_any = TRUE;
  caps = gst_caps_new_full (gst_structure_copy (s), NULL);
  self->codec[payload_type] = rtp_codec_from_caps (caps);
  self->is_audio[payload_type] = g_strcmp0 (gst_structure_get_string (s, "media"), "audio") == 0;
  gst_caps_unref (caps);
}

void
keyframe_wishes_set_caps (KeyframeWishes * self, const GstCaps * caps)
{
  self->fir = self->names_any = FALSE;
  memset (self->is_named, 0, sizeof self->is_named);
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    set_structure (self, gst_caps_get_structure (caps, i));
}

static gboolean
begins_keyframe (RtpCodec codec, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean begins;

  if (codec == RTP_CODEC_OTHER || !gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  begins = rtp_codec_is_keyframe_start (codec, gst_rtp_buffer_get_payload (&rtp),
      gst_rtp_buffer_get_payload_len (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  return begins;
}

/* What the caps do not name, in a stream of something that they name. */
static gboolean
is_fec (const KeyframeWishes * self, Source * source, guint payload_type)
{
  if (!self->names_any)
    return FALSE;
  source->is_named |= self->is_named[payload_type];
  return !self->is_named[payload_type] && source->is_named;
}

static void
take_fec (Source * source, guint32 seq, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  RcFecGroup group;
  guint16 base;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return;
  if (rc_fecwatch_read (gst_rtp_buffer_get_payload (&rtp), gst_rtp_buffer_get_payload_len (&rtp),
          &base, &group.mask)) {
    group.base = seq - (guint16) (seq - base);
    rc_fecwatch_on_fec (&source->fec, seq, &group);
    source->has_fec = TRUE;
  }
  gst_rtp_buffer_unmap (&rtp);
}

/* What FEC mends is no loss. */
static void
forget_mended (Source * source)
{
  RcKeyWish *wish = &source->wish;

  for (guint i = wish->n_lost; i-- > 0;)
    if (rc_fecwatch_is_mended (&source->fec, wish->lost[i].seq))
      rc_keywish_on_came (wish, wish->lost[i].seq);
}

static void
watch_fec (Source * source, const RtpPacket * packet, GstBuffer * buffer, gboolean is_fec)
{
  guint32 highest = source->receiver.stats.loss.highest_seq;
  guint32 seq = highest - (guint16) (highest - packet->seq);

  if (is_fec)
    take_fec (source, seq, buffer);
  else
    rc_fecwatch_on_media (&source->fec, seq, packet->marker);
  if (source->has_fec)
    forget_mended (source);
}

void
keyframe_wishes_on_packet (KeyframeWishes * self, Source * source, const RtpPacket * packet,
    GstBuffer * buffer, gboolean first)
{
  guint payload_type = packet->payload_type % G_N_ELEMENTS (self->codec);
  RtpCodec codec = self->codec[payload_type];
  gboolean fec = is_fec (self, source, payload_type);

  if (!self->enabled || self->is_audio[payload_type])
    return;
  if (first) {
    rc_fecwatch_init (&source->fec);
    rc_keywish_want (&source->wish);
  }
  watch_fec (source, packet, buffer, fec);
  if (fec)
    return;
  source->wish.blind = codec == RTP_CODEC_OTHER;
  if (rc_keywish_watches (&source->wish) && begins_keyframe (codec, buffer))
    rc_keywish_on_keyframe (&source->wish);
}

static gboolean
is_repairing (const KeyframeWishes * self, RcTime now)
{
  return self->repair_at != RC_TIME_NONE && now - self->repair_at < KEYFRAME_WISHES_REPAIR_SPAN;
}

void
keyframe_wishes_on_gap (Source * source, gboolean gap, RcTime now)
{
  if (gap)
    source->gap_since = source->came_at;
  source->came_at = now;
}

void
keyframe_wishes_on_lost (KeyframeWishes * self, Source * source, guint32 seq, RcTime now)
{
  gboolean too_late = is_repairing (self, now) && now - source->gap_since > self->repair_time;

  if (self->enabled && !self->is_audio[source->payload_type])
    rc_keywish_on_lost (&source->wish, seq, too_late ? source->gap_since : now);
}

void
keyframe_wishes_on_hopeless (KeyframeWishes * self, Source * source, guint32 seq, RcTime now)
{
  if (self->enabled && !self->is_audio[source->payload_type])
    rc_keywish_on_hopeless (&source->wish, seq, self->repair_time, now);
}

void
keyframe_wishes_on_came (KeyframeWishes * self, Source * source, guint32 seq)
{
  if (source->has_fec && !rc_losshist_seen (&source->receiver.stats.loss, seq))
    rc_fecwatch_on_repair (&source->fec, seq);
  rc_keywish_on_came (&source->wish, seq);
}

/* [RFC 4588 4] -1: it has none. */
static gint
leading_number (GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gint number = -1;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return -1;
  if (gst_rtp_buffer_get_payload_len (&rtp) >= 2)
    number = GST_READ_UINT16_BE (gst_rtp_buffer_get_payload (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  return number;
}

void
keyframe_wishes_on_repeat (const KeyframeWishes * self, SourceTable * sources,
    const RtpPacket * packet, GstBuffer * buffer, RcTime now)
{
  for (guint i = 0; i < sources->n_sources && is_repairing (self, now); i++) {
    Source *source = &sources->sources[i];
    guint32 highest = source->receiver.stats.loss.highest_seq;
    gint number = -1;

    if (source->wish.n_lost > 0 && source->payload_type != packet->payload_type)
      number = leading_number (buffer);
    if (number >= 0)
      rc_keywish_on_came (&source->wish, highest - (guint16) (highest - (guint) number));
  }
}

static gboolean
is_speaking (const Source * source, RcTime now)
{
  return source->receiver.stats.loss.primed && now - source->active_at < MAX_SILENCE;
}

/* Without an SSRC it is for all that may be video: only one stream, as a rule. */
static void
want (KeyframeWishes * self, SourceTable * sources, const GstStructure * event)
{
  guint ssrc = 0;
  gboolean any = !gst_structure_get_uint (event, "ssrc", &ssrc);

  for (guint i = 0; i < sources->n_sources; i++) {
    Source *source = &sources->sources[i];

    if ((any || source->receiver.ssrc == ssrc) && !source->is_lane
        && !self->is_audio[source->payload_type])
      rc_keywish_want (&source->wish);
  }
}

void
keyframe_wishes_on_event (KeyframeWishes * self, SourceTable * sources, const GstStructure * event,
    RcTime now)
{
  guint latency_ms = 0;

  if (gst_structure_has_name (event, FORCE_KEY_UNIT)) {
    if (self->enabled)
      want (self, sources, event);
  } else if (gst_structure_has_name (event, RETRANSMISSION)) {
    gst_structure_get_uint (event, "deadline", &latency_ms);
    self->repair_time = MIN ((RcTime) latency_ms * RC_MSEC, MAX_REPAIR_TIME);
    self->repair_at = now;
  }
}

static RcTime
due_at (const KeyframeWishes * self, const Source * source, RcTime now)
{
  if (!self->enabled || !is_speaking (source, now))
    return RC_TIME_NONE;
  return rc_keywish_due_at (&source->wish, source->srtt > 0 ? source->srtt : RC_TIME_NONE,
      MAX (self->spread, is_repairing (self, now) ? self->repair_time
          : source->has_fec ? FEC_TIME : 0), now);
}

RcTime
keyframe_wishes_due_at (const KeyframeWishes * self, const SourceTable * sources, RcTime now)
{
  RcTime at = RC_TIME_NONE;

  for (guint i = 0; i < sources->n_sources; i++)
    at = rc_sooner (at, due_at (self, &sources->sources[i], now));
  return at;
}

GstBuffer *
keyframe_wishes_take (KeyframeWishes * self, SourceTable * sources, guint32 ssrc, RcTime now)
{
  RtcpKeyframe requests[SOURCE_TABLE_SIZE];
  guint n = 0;

  for (guint i = 0; i < sources->n_sources; i++) {
    Source *source = &sources->sources[i];
    RcTime at = due_at (self, source, now);

    if (at == RC_TIME_NONE || at > now)
      continue;
    rc_keywish_on_asked (&source->wish, now);
    requests[n++] = (RtcpKeyframe) {.from = ssrc,.ssrc = source->receiver.ssrc,.fir = self->fir,
      .number = source->wish.number
    };
  }
  self->requests += n;
  return n > 0 ? rtcp_new_keyframes (requests, n) : NULL;
}
