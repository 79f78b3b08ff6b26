/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ladderrung.h"

#include "base/propertyrows.h"

#include <gst/arc/arc.h>
#include <string.h>

/* A meter that has seen less cannot judge. */
#define LEAST_MEASURED (300 * RC_MSEC)
/* An encoder that is silent for so long has stopped. */
#define MOST_SILENCE (1 * RC_SECOND)
#define MOST_BEGIN_BYTES (4 << 20)
#define USUAL_FRAME (GST_SECOND / 30)
#define LONGEST_FRAME (GST_SECOND / 2)

G_DEFINE_TYPE (GstArcLadderRung, gst_arc_ladder_rung, GST_TYPE_PAD);

void
ladder_rung_set_caps (GstArcLadderRung * self, GstCaps * caps)
{
  GstStructure *s = gst_caps_get_structure (caps, 0);
  gint clock_rate = 90000, payload_type = -1;

  self->is_rtp = gst_structure_has_name (s, "application/x-rtp");
  self->codec = rtp_codec_from_caps (caps);
  gst_structure_get_int (s, "clock-rate", &clock_rate);
  self->clock_rate = (guint) MAX (clock_rate, 1);
  gst_structure_get_int (s, "payload", &payload_type);
  self->payload_type = payload_type;
  self->seqnum++;
}

gboolean
ladder_rung_is_fec (const GstArcLadderRung * self, GstRTPBuffer * rtp)
{
  return self->payload_type >= 0 && gst_rtp_buffer_get_payload_type (rtp) != self->payload_type;
}

typedef struct
{
  GstArcLadderRung *rung;
  gboolean is_key, ends, discardable;
} Packets;

static void
look_at_media (Packets * packets, GstBuffer * buffer, GstRTPBuffer * rtp)
{
  RtpCodec codec = packets->rung->codec;
  const guint8 *payload = gst_rtp_buffer_get_payload (rtp);
  guint size = gst_rtp_buffer_get_payload_len (rtp);

  packets->ends = gst_rtp_buffer_get_marker (rtp);
  if (codec == RTP_CODEC_OTHER)
    packets->is_key |= !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  else
    packets->is_key |= rtp_codec_is_keyframe_start (codec, payload, size);
  packets->discardable |= GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DROPPABLE)
      || rtp_codec_is_discardable (codec, payload, size);
  packets->rung->discardable = packets->discardable && !packets->is_key;
}

/* FEC goes with its frame, which ended before it. */
static gboolean
look_at_packet (GstBuffer ** buffer, guint i, gpointer user_data)
{
  Packets *packets = user_data;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (*buffer, GST_MAP_READ, &rtp))
    return TRUE;
  if (ladder_rung_is_fec (packets->rung, &rtp))
    packets->discardable |= packets->rung->discardable;
  else
    look_at_media (packets, *buffer, &rtp);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

LadderPiece
ladder_rung_piece_of (GstArcLadderRung * self, GstMiniObject * data)
{
  GstBuffer *first = GST_IS_BUFFER_LIST (data) ? gst_buffer_list_get (GST_BUFFER_LIST_CAST (data),
      0) : GST_BUFFER_CAST (data);
  Packets packets = { self, FALSE, TRUE, FALSE };
  LadderPiece piece = {.data = data,.rung = self };

  piece.running = self->segment.format != GST_FORMAT_TIME ? GST_CLOCK_TIME_NONE
      : gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS_IS_VALID (first) ? GST_BUFFER_PTS (first) : GST_BUFFER_DTS (first));
  if (!self->is_rtp) {
    packets.is_key = !GST_BUFFER_FLAG_IS_SET (first, GST_BUFFER_FLAG_DELTA_UNIT);
    packets.discardable = GST_BUFFER_FLAG_IS_SET (first, GST_BUFFER_FLAG_DROPPABLE);
  } else if (GST_IS_BUFFER_LIST (data))
    gst_buffer_list_foreach (GST_BUFFER_LIST_CAST (data), look_at_packet, &packets);
  else
    look_at_packet (&first, 0, &packets);
  piece.is_key = packets.is_key;
  piece.discardable = packets.discardable && !packets.is_key;
  piece.ends = packets.ends;
  return piece;
}

LadderPiece *
ladder_piece_copy (const LadderPiece * self)
{
  LadderPiece *copy = g_memdup2 (self, sizeof (*self));

  gst_mini_object_ref (copy->data);
  gst_object_ref (copy->rung);
  return copy;
}

void
ladder_piece_free (gpointer data)
{
  LadderPiece *piece = data;

  gst_mini_object_unref (piece->data);
  gst_object_unref (piece->rung);
  g_free (piece);
}

static gsize
size_of (const LadderPiece * piece)
{
  return GST_IS_BUFFER_LIST (piece->data)
      ? gst_buffer_list_calculate_size (GST_BUFFER_LIST_CAST (piece->data))
      : gst_buffer_get_size (GST_BUFFER_CAST (piece->data));
}

void
ladder_rung_forget_begin (GstArcLadderRung * self)
{
  g_queue_clear_full (&self->begin, ladder_piece_free);
  self->begin_bytes = 0;
}

GQueue
ladder_rung_keep_begin (GstArcLadderRung * self, const LadderPiece * piece, gboolean known)
{
  const LadderPiece *first = g_queue_peek_head (&self->begin);
  GQueue begin = G_QUEUE_INIT;

  if (self->begun)
    return begin;
  if (piece->is_key && first && first->running != piece->running)
    ladder_rung_forget_begin (self);
  if (piece->is_key || !g_queue_is_empty (&self->begin)) {
    g_queue_push_tail (&self->begin, ladder_piece_copy (piece));
    self->begin_bytes += size_of (piece);
  }
  self->begun = known || self->begin_bytes > MOST_BEGIN_BYTES;
  if (known) {
    begin = self->begin;
    g_queue_init (&self->begin);
  } else if (self->begun) {
    ladder_rung_forget_begin (self);
  }
  return begin;
}

void
ladder_rung_note (GstArcLadderRung * self, const LadderPiece * piece, RcTime now)
{
  gsize size = size_of (piece);

  rc_ratemeter_add (&self->meter, size, now);
  if (!piece->discardable)
    rc_ratemeter_add (&self->base, size, now);
  if (self->last_at == RC_TIME_NONE || now - self->last_at > MOST_SILENCE)
    self->first_at = now;
  self->last_at = now;
  if (!GST_CLOCK_TIME_IS_VALID (piece->running))
    return;
  if (GST_CLOCK_TIME_IS_VALID (self->last_running) && piece->running > self->last_running)
    self->frame = MIN (piece->running - self->last_running, LONGEST_FRAME);
  if (piece->is_key && piece->running != self->last_running) {
    self->keyframes++;
    if (!GST_CLOCK_TIME_IS_VALID (self->asked_for) || piece->running >= self->asked_for) {
      self->asked_for = GST_CLOCK_TIME_NONE;
      rc_keygroup_on_keyframe (&self->group);
    }
  }
  self->last_running = piece->running;
}

gdouble
ladder_rung_bps (GstArcLadderRung * self, RcTime now)
{
  guint set_bps;

  if (self->eos || self->last_at == RC_TIME_NONE || now - self->last_at > MOST_SILENCE)
    return 0;
  GST_OBJECT_LOCK (self);
  set_bps = self->set_bps;
  GST_OBJECT_UNLOCK (self);
  if (set_bps > 0)
    return set_bps;
  if (now - self->first_at < LEAST_MEASURED)
    return 0;
  /* The meter shares what it has seen out over a second. */
  return (gdouble) rc_ratemeter_get_bps (&self->meter, now)
      / MIN (1, rc_time_to_s (now - self->first_at));
}

gdouble
ladder_rung_base_share (GstArcLadderRung * self, RcTime now)
{
  gdouble bps = (gdouble) rc_ratemeter_get_bps (&self->meter, now);

  return bps > 0 ? MIN ((gdouble) rc_ratemeter_get_bps (&self->base, now) / bps, 1) : 1;
}

void
ladder_rung_reset (GstArcLadderRung * self)
{
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  memset (&self->meter, 0, sizeof (self->meter));
  memset (&self->base, 0, sizeof (self->base));
  rc_keygroup_init (&self->group);
  self->first_at = self->last_at = RC_TIME_NONE;
  self->last_running = self->asked_for = GST_CLOCK_TIME_NONE;
  self->frame = USUAL_FRAME;
  self->eos = FALSE;
  ladder_rung_forget_begin (self);
  self->begun = FALSE;
}

typedef struct
{
  const gchar *pad;
  guint64 bps;
  guint viewers;
  guint64 keyframes, keyframes_asked;
} RungStats;

const FieldRow ladder_rung_fields[] = {
  FIELD_TEXT (RungStats, pad, "pad", "name of the sink pad"),
  FIELD_BITRATE (RungStats, bps, "bitrate", "bitrate of the rendition, media only; 0: stands "
      "still"),
  FIELD_GAUGE (RungStats, viewers, "viewers", "", "viewers that it is sent to"),
  FIELD_COUNTER (RungStats, keyframes, "keyframes", "", "keyframes received"),
  FIELD_COUNTER (RungStats, keyframes_asked, "keyframe-requests", "",
      "keyframe requests sent to the encoder"),
  {NULL}
};

GstStructure *
ladder_rung_create_stats (GstArcLadderRung * self, RcTime now)
{
  RungStats stats = {.pad = GST_OBJECT_NAME (self),.bps = (guint64) ladder_rung_bps (self, now),
    .viewers = self->members,.keyframes = self->keyframes,.keyframes_asked = self->keyframes_asked
  };
  GstStructure *s = gst_structure_new_empty (GST_ARC_LADDER_RUNG_STATS);

  fields_add (s, ladder_rung_fields, &stats);
  return s;
}

static const PropertyRow properties[] = {
  PROPERTY_ROW_NUMBER (GstArcLadderRung, set_bps, PROPERTY_PLAYING, "bitrate", "Bitrate",
      "Bitrate of this encoding in bit/s, media only; 0: it is measured", 0, G_MAXUINT, 0),
  {NULL}
};

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GST_OBJECT_LOCK (object);
  property_rows_write (properties, object, id, value);
  GST_OBJECT_UNLOCK (object);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GST_OBJECT_LOCK (object);
  property_rows_read (properties, object, id, value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_arc_ladder_rung_init (GstArcLadderRung * self)
{
  self->payload_type = -1;
  ladder_rung_reset (self);
}

static void
gst_arc_ladder_rung_class_init (GstArcLadderRungClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  property_rows_install (object_class, 1, properties);
}
