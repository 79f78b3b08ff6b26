/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: two encoders are rarely at the same frame. If a viewer changes over as soon as the new
 * rung has a keyframe, frames are missing where the new rung is ahead, and repeated where it is
 * behind.
 *
 * Rule. Let p be the time of the keyframe. The viewer is sent frames before p of the old rung, and
 * frames from p on of the new one.
 * - New rung ahead: its frames wait in `next` until the old one has sent its last frame before p.
 * - New rung behind: if the keyframe was asked for, it is asked for at a time (hold_at) that the
 *   old rung has not reached yet. From then on the old one's frames wait in `held`, and those
 *   before p are sent when the keyframe comes. A keyframe that comes by itself and too late is not
 *   used.
 * Neither waits longer than MOST_WAIT.
 *
 * The RTP header is each viewer's own: SSRC, sequence number, and the timestamp that the old rung
 * would have. Payloads are shared, but for those of FEC, which name numbers and a timestamp. */

#include "ladderviewer.h"

#include "base/propertyrows.h"
#include "rtp/ulpfec.h"

#include <gst/arc/arc.h>

#define MOST_WAIT (300 * GST_MSECOND)

G_DEFINE_TYPE (GstArcLadderViewer, gst_arc_ladder_viewer, GST_TYPE_PAD);

/* --- pieces that wait --- */

static void
keep (GQueue * queue, const LadderPiece * piece)
{
  g_queue_push_tail (queue, ladder_piece_copy (piece));
}

static GstClockTime
span_of (const GQueue * queue)
{
  const LadderPiece *first = g_queue_peek_head ((GQueue *) queue);
  const LadderPiece *last = g_queue_peek_tail ((GQueue *) queue);

  return first && last->running > first->running ? last->running - first->running : 0;
}

/* --- the stream --- */

/* What changes from rung to rung is sent in the stream: parameter sets before keyframes. Caps that
 * differ in nothing else would only make what follows negotiate again. */
static gboolean
is_same_rtp (const GstCaps * a, const GstCaps * b)
{
  static const gchar *const fields[] = { "media", "encoding-name", "clock-rate", "payload" };
  const GstStructure *s = gst_caps_get_structure (a, 0), *t = gst_caps_get_structure (b, 0);

  if (!gst_structure_has_name (s, "application/x-rtp")
      || !gst_structure_has_name (t, "application/x-rtp"))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *u = gst_structure_get_value (s, fields[i]);
    const GValue *v = gst_structure_get_value (t, fields[i]);

    if ((u == NULL) != (v == NULL) || (u && gst_value_compare (u, v) != GST_VALUE_EQUAL))
      return FALSE;
  }
  return TRUE;
}

static void
push_caps (GstArcLadderViewer * self, GstArcLadderRung * rung)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_PAD (rung));
  GstCaps *before = gst_pad_get_current_caps (GST_PAD (self));

  if (caps && rung->is_rtp) {
    caps = gst_caps_make_writable (caps);
    gst_caps_set_simple (caps, "ssrc", G_TYPE_UINT, self->ssrc, NULL);
    gst_structure_remove_fields (gst_caps_get_structure (caps, 0), "seqnum-offset",
        "timestamp-offset", NULL);
  }
  if (caps && (!before || !(gst_caps_is_equal (caps, before) || is_same_rtp (caps, before))))
    gst_pad_push_event (GST_PAD (self), gst_event_new_caps (caps));
  gst_clear_caps (&caps);
  gst_clear_caps (&before);
}

/* A stream of its own: the number makes its ID differ from those of other elements. */
static void
push_stream_start (GstArcLadderViewer * self)
{
  gchar *id = g_strdup_printf ("%08x/%s", self->ssrc, GST_OBJECT_NAME (self));

  gst_pad_push_event (GST_PAD (self), gst_event_new_stream_start (id));
  g_free (id);
  self->begun = TRUE;
}

/* Before data or events of the rung. */
static void
prepare (GstArcLadderViewer * self, GstArcLadderRung * rung)
{
  if (!self->begun)
    push_stream_start (self);
  if (self->sent_of == rung && self->seqnum == rung->seqnum)
    return;
  push_caps (self, rung);
  if (self->sent_of == NULL || !gst_segment_is_equal (&self->segment, &rung->segment))
    gst_pad_push_event (GST_PAD (self), gst_event_new_segment (&rung->segment));
  self->segment = rung->segment;
  self->sent_of = rung;
  self->seqnum = rung->seqnum;
}

/* The first packet of another rung: its timestamp continues the old one's. */
static void
fit_timestamp (GstArcLadderViewer * self, guint32 ts, const LadderPiece * piece)
{
  guint32 begin = self->has_ts ? self->ts : g_random_int ();

  if (self->has_ts && GST_CLOCK_TIME_IS_VALID (self->last_running)
      && GST_CLOCK_TIME_IS_VALID (piece->running) && piece->running > self->last_running)
    begin += (guint32) gst_util_uint64_scale_round (piece->running - self->last_running,
        piece->rung->clock_rate, GST_SECOND);
  else if (self->has_ts)
    begin += piece->rung->clock_rate / 30;
  self->ts_offset = begin - ts;
  self->has_ts = TRUE;
}

/* The packets of its frame have moved as far as the FEC itself, since frames go as a whole. */
static void
fit_fec (GstArcLadderViewer * self, GstRTPBuffer * rtp)
{
  guint8 *fec = gst_rtp_buffer_get_payload (rtp);
  guint size = gst_rtp_buffer_get_payload_len (rtp);
  guint16 base;

  if (!ulpfec_get_base (fec, size, &base))
    return;
  ulpfec_set_base (fec, (guint16) (base + self->seq - gst_rtp_buffer_get_seq (rtp)));
  ulpfec_set_timestamp (fec, size, self->ts);
}

typedef struct
{
  GstArcLadderViewer *viewer;
  const LadderPiece *piece;
  gboolean is_first;            /* of this rung */
} Rewrite;

static GstBuffer *
rewritten (Rewrite * rewrite, GstBuffer * buffer)
{
  GstArcLadderViewer *self = rewrite->viewer;
  GstBuffer *copy = gst_buffer_copy (buffer);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint32 ts;

  if (!gst_rtp_buffer_map (copy, GST_MAP_READWRITE, &rtp))
    return copy;
  ts = gst_rtp_buffer_get_timestamp (&rtp);
  if (rewrite->is_first)
    fit_timestamp (self, ts, rewrite->piece);
  rewrite->is_first = FALSE;
  self->ts = ts + self->ts_offset;
  gst_rtp_buffer_set_timestamp (&rtp, self->ts);
  if (ladder_rung_is_fec (rewrite->piece->rung, &rtp))
    fit_fec (self, &rtp);
  gst_rtp_buffer_set_seq (&rtp, self->seq++);
  gst_rtp_buffer_set_ssrc (&rtp, self->ssrc);
  gst_rtp_buffer_unmap (&rtp);
  return copy;
}

static GstBufferList *
rewritten_list (Rewrite * rewrite, GstBufferList * list)
{
  guint n = gst_buffer_list_length (list);
  GstBufferList *copy = gst_buffer_list_new_sized (n);

  for (guint i = 0; i < n; i++)
    gst_buffer_list_add (copy, rewritten (rewrite, gst_buffer_list_get (list, i)));
  return copy;
}

static GstFlowReturn
push (GstArcLadderViewer * self, const LadderPiece * piece)
{
  Rewrite rewrite = { self, piece, self->sent_of != piece->rung || !self->has_ts };
  GstFlowReturn flow;

  prepare (self, piece->rung);
  if (GST_IS_BUFFER_LIST (piece->data))
    flow = gst_pad_push_list (GST_PAD (self), piece->rung->is_rtp
        ? rewritten_list (&rewrite, GST_BUFFER_LIST_CAST (piece->data))
        : gst_buffer_list_ref (GST_BUFFER_LIST_CAST (piece->data)));
  else
    flow = gst_pad_push (GST_PAD (self), piece->rung->is_rtp
        ? rewritten (&rewrite, GST_BUFFER_CAST (piece->data))
        : gst_buffer_ref (GST_BUFFER_CAST (piece->data)));
  if (GST_CLOCK_TIME_IS_VALID (piece->running))
    self->last_running = piece->running;
  self->open = !piece->ends;
  return flow;
}

/* --- changing over --- */

static void
push_held (GstArcLadderViewer * self, GstClockTime until)
{
  LadderPiece *piece;

  while ((piece = g_queue_pop_head (&self->held))) {
    if (piece->running < until)
      push (self, piece);
    ladder_piece_free (piece);
  }
}

static void
forget_next (GstArcLadderViewer * self, gint rung)
{
  g_queue_clear_full (&self->next, ladder_piece_free);
  self->next_rung = rung;
}

static gint
present_of (GstArcLadderViewer * self, gint * wish, GstClockTime * hold_at, gboolean * thin)
{
  gint present;

  g_mutex_lock (self->lock);
  present = self->choice.rung;
  *wish = self->wish;
  *hold_at = self->hold_at;
  *thin = self->choice.thin;
  g_mutex_unlock (self->lock);
  return present;
}

static void
set_present (GstArcLadderViewer * self, gint rung)
{
  g_mutex_lock (self->lock);
  self->switches += self->choice.rung != RC_RUNGS_NONE && rung != RC_RUNGS_NONE;
  rc_viewerchoice_take (&self->choice, rung);
  self->hold_at = GST_CLOCK_TIME_NONE;
  self->needs_key = self->need_counts = FALSE;
  g_mutex_unlock (self->lock);
}

static GstFlowReturn
change_over (GstArcLadderViewer * self)
{
  GstFlowReturn flow = GST_FLOW_OK;
  LadderPiece *piece;

  set_present (self, self->next_rung);
  while ((piece = g_queue_pop_head (&self->next))) {
    flow = push (self, piece);
    ladder_piece_free (piece);
  }
  return flow;
}

/* Does the keyframe in `next` follow what was sent? */
static gboolean
is_next_due (GstArcLadderViewer * self, gint present)
{
  const LadderPiece *first = g_queue_peek_head (&self->next);

  if (first == NULL)
    return FALSE;
  return present == RC_RUNGS_NONE || !GST_CLOCK_TIME_IS_VALID (self->last_running)
      || (!self->open
      && self->last_running + first->rung->frame * 3 / 2 >= first->running)
      || span_of (&self->next) > MOST_WAIT;
}

/* The viewer does without it. */
static void
leave_out (GstArcLadderViewer * self, const LadderPiece * piece)
{
  self->last_running = piece->running;
  self->open = !piece->ends;
}

static GstFlowReturn
take_present (GstArcLadderViewer * self, const LadderPiece * piece, gint wish,
    GstClockTime hold_at, gboolean thin)
{
  const LadderPiece *first = g_queue_peek_head (&self->next);
  gint present = (gint) piece->rung->number;
  GstFlowReturn flow = GST_FLOW_OK;

  if (first && piece->running >= first->running)
    return change_over (self);
  if (wish != present && GST_CLOCK_TIME_IS_VALID (hold_at) && piece->running >= hold_at
      && span_of (&self->held) <= MOST_WAIT) {
    keep (&self->held, piece);
    return GST_FLOW_OK;
  }
  push_held (self, GST_CLOCK_TIME_NONE);
  if (thin && piece->discardable)
    leave_out (self, piece);
  else
    flow = push (self, piece);
  if (piece->is_key) {
    g_mutex_lock (self->lock);
    self->needs_key = self->need_counts = FALSE;
    g_mutex_unlock (self->lock);
  }
  return is_next_due (self, present) ? change_over (self) : flow;
}

static GstFlowReturn
take_next (GstArcLadderViewer * self, const LadderPiece * piece, gint present)
{
  if (g_queue_is_empty (&self->next)) {
    if (!piece->is_key)
      return GST_FLOW_OK;
    if (GST_CLOCK_TIME_IS_VALID (self->last_running) && piece->running <= self->last_running) {
      self->late++;
      return GST_FLOW_OK;
    }
    push_held (self, piece->running);
  }
  keep (&self->next, piece);
  return is_next_due (self, present) ? change_over (self) : GST_FLOW_OK;
}

GstFlowReturn
ladder_viewer_offer (GstArcLadderViewer * self, const LadderPiece * piece)
{
  gint number = (gint) piece->rung->number, wish, present;
  GstFlowReturn flow = GST_FLOW_OK;
  GstClockTime hold_at;
  gboolean thin;

  GST_PAD_STREAM_LOCK (self);
  present = present_of (self, &wish, &hold_at, &thin);
  if (self->next_rung != wish)
    forget_next (self, wish);
  if (number == present && wish == RC_RUNGS_NONE) {
    g_queue_clear_full (&self->held, ladder_piece_free);
    set_present (self, RC_RUNGS_NONE);
  } else if (number == present) {
    flow = take_present (self, piece, wish, hold_at, thin);
  } else if (number == wish) {
    flow = take_next (self, piece, present);
  }
  GST_PAD_STREAM_UNLOCK (self);
  return flow;
}

void
ladder_viewer_push_event (GstArcLadderViewer * self, GstEvent * event)
{
  GST_PAD_STREAM_LOCK (self);
  if (!self->begun)
    push_stream_start (self);
  push_held (self, GST_CLOCK_TIME_NONE);
  gst_pad_push_event (GST_PAD (self), event);
  GST_PAD_STREAM_UNLOCK (self);
}

void
ladder_viewer_reset (GstArcLadderViewer * self)
{
  GST_PAD_STREAM_LOCK (self);
  forget_next (self, RC_RUNGS_NONE);
  g_queue_clear_full (&self->held, ladder_piece_free);
  self->last_running = GST_CLOCK_TIME_NONE;
  self->open = FALSE;
  self->sent_of = NULL;
  GST_PAD_STREAM_UNLOCK (self);
}

void
ladder_viewer_begin_anew (GstArcLadderViewer * self)
{
  GST_PAD_STREAM_LOCK (self);
  self->begun = FALSE;
  GST_PAD_STREAM_UNLOCK (self);
}

/* --- the pad --- */

typedef struct
{
  const gchar *pad, *target_cause;
  gint rung;
  guint64 target_bps, switches, late;
  gboolean served, thinned;
} ViewerStats;

const FieldRow ladder_viewer_fields[] = {
  FIELD_TEXT (ViewerStats, pad, "pad", "name of the source pad"),
  FIELD_BITRATE (ViewerStats, target_bps, "target-bitrate",
      "requested bitrate, media only; 0: none yet"),
  FIELD_TEXT (ViewerStats, target_cause, "target-cause", "why it is no more, as its sink says"),
  FIELD_GAUGE (ViewerStats, served, "served", "", "the viewer is sent a rendition"),
  FIELD_GAUGE (ViewerStats, thinned, "thinned", "",
      "of the rendition it is sent only the frames that others need"),
  FIELD_COUNTER (ViewerStats, switches, "switches", "", "changes from one rendition to another"),
  FIELD_COUNTER (ViewerStats, late, "keyframes-late", "",
      "keyframes that could not be used, as their time had passed"),
  FIELD_OWN (FIELD_STRING, "rung", "sink pad of the rung; absent while not served"),
  {NULL}
};

GstStructure *
ladder_viewer_create_stats (GstArcLadderViewer * self)
{
  ViewerStats stats = {.pad = GST_OBJECT_NAME (self),
    .target_bps = (guint64) self->choice.told_bps,.served = self->choice.rung != RC_RUNGS_NONE,
    .thinned = self->choice.thin,.target_cause = rc_cause_name (self->cause),
    .switches = self->switches,.late = self->late
  };
  GstStructure *s = gst_structure_new_empty (GST_ARC_LADDER_VIEWER_STATS);

  fields_add (s, ladder_viewer_fields, &stats);
  return s;
}

static const PropertyRow properties[] = {
  PROPERTY_ROW_NUMBER (GstArcLadderViewer, weight, PROPERTY_PLAYING, "weight", "Weight",
      "What this viewer's quality counts beside the others' in the choice of bitrates", 0.001,
      1000000, 1),
  PROPERTY_ROW_OWN (PROPERTY_UINT, PROPERTY_READ, "target-bitrate", "Target bitrate",
      "Bitrate that its network carries, as its sink says, in bit/s, media only; 0: none yet", 0,
      G_MAXUINT, 0),
  PROPERTY_ROW_OWN (PROPERTY_INT, PROPERTY_READ, "rung", "Rung",
      "Number of the rendition that it is sent; -1: none", RC_RUNGS_NONE,
      RC_PLACEMENT_MOST_RUNGS - 1, RC_RUNGS_NONE),
  {NULL}
};

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GST_OBJECT_LOCK (object);
  property_rows_write (properties, object, id, value);
  GST_OBJECT_UNLOCK (object);
}

/* Only within the element there is something to read. */
static void
get_reading (GstArcLadderViewer * self, GValue * value)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (self));

  if (!parent)
    return;
  g_mutex_lock (self->lock);
  if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, self->choice.rung);
  else
    g_value_set_uint (value, (guint) self->choice.told_bps);
  g_mutex_unlock (self->lock);
  gst_object_unref (parent);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  gboolean found;

  GST_OBJECT_LOCK (object);
  found = property_rows_read (properties, object, id, value);
  GST_OBJECT_UNLOCK (object);
  if (!found)
    get_reading (GST_ARC_LADDER_VIEWER (object), value);
}

static void
gst_arc_ladder_viewer_finalize (GObject * object)
{
  GstArcLadderViewer *self = GST_ARC_LADDER_VIEWER (object);

  g_queue_clear_full (&self->next, ladder_piece_free);
  g_queue_clear_full (&self->held, ladder_piece_free);
  G_OBJECT_CLASS (gst_arc_ladder_viewer_parent_class)->finalize (object);
}

static void
gst_arc_ladder_viewer_init (GstArcLadderViewer * self)
{
  g_queue_init (&self->next);
  g_queue_init (&self->held);
  property_rows_init (properties, self);
  self->next_rung = self->wish = RC_RUNGS_NONE;
  self->hold_at = self->last_running = GST_CLOCK_TIME_NONE;
  self->answers_since = RC_TIME_NONE;
  self->share = 1;
  self->ssrc = g_random_int ();
  self->seq = (guint16) g_random_int ();
  rc_viewerchoice_init (&self->choice);
}

static void
gst_arc_ladder_viewer_class_init (GstArcLadderViewerClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gst_arc_ladder_viewer_finalize;
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  property_rows_install (object_class, 1, properties);
}
