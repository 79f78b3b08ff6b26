/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: by the slowest of many viewers, any stranger with a bad network, or reports that say so,
 * has the encoder make as little as it may for all of them. By a fixed share of them, some are
 * sent what they cannot take though it costs the others little to wait.
 *
 * Rule. Let m be the median of what they claim, the upper one of an even number, where the viewers
 * of one host count together as one. The encoder makes the lowest claim that is at least m / 2. So
 * one host takes half at most from the others, whatever it claims and by however many viewers, and
 * those whose networks carry less than that lose frames.
 *
 * The trap: an encoder may hold its own lock while it pushes into a sink that waits for us. So a
 * thread that finds another one setting the property stores its claim and returns; the busy thread
 * looks again before it stops. */

#include "encoder/encoderclaims.h"

#include "base/arcdebug.h"
#include "encoder/encoderfill.h"
#include "encoder/encoderframes.h"
#include "encoder/encoderrestart.h"
#include "encoder/encodersettings.h"
#include "encoder/encodershared.h"
#include "encoder/framequantiser.h"

#define SHARED_CURE \
    "give groups of receivers that differ an encoder each, and each receiver a selector between " \
    "them, as examples/embed/serve.c does; a sink that shall not count takes adapt-encoder=false"

/* Of a frame whose time is not known. */
#define USUAL_FRAME (GST_SECOND / 30)

#define HALF (.5 + 1e-9)        /* sums of thirds are not exact */
#define QUANTISER_FRAMES 64     /* the mean of about so many */

typedef struct
{
  guint64 number;               /* EncoderOrders.host */
  guint n_claims;
  guint n_shared;               /* of those: with a shared voice */
} ClaimHost;

typedef struct
{
  gconstpointer claimant;
  guint64 bps;                  /* 0: no claim yet */
  EncoderVoice voice;
  ClaimHost *host;              /* NULL: unknown, and one by itself */
} Claim;

struct _EncoderClaims
{
  GMutex lock;
  const EncoderRow *row;
  gboolean video;
  GArray *claims;               /* of Claim, ascending in bps */
  GHashTable *hosts;            /* of the claims: number -> ClaimHost */
  EncoderFill fill;             /* of video */
  EncoderFrames *frames;        /* of video; NULL: audio */
  guint frames_serial;          /* of what settings and bitrate go by */
  EncoderRestart restart;       /* of an encoder that begins anew */
  GstClockTime last_pts;        /* of its frames */
  FrameQuantiser reader;        /* of its streaming thread */
  gint reads;                   /* atomic: somebody wants the quantiser */
  gdouble quantiser;            /* mean of some seconds; RC_H264_NO_QP: not known */
  guint64 set_bps, read_bps;    /* what we set last, and what the property said then; 0: never */
  guint64 cap_bps;
  gboolean busy, warned;
};

static void apply_late (GstElement * encoder, gpointer claims);

static void
claims_clear (gpointer data)
{
  EncoderClaims *self = data;

  g_clear_pointer (&self->frames, encoder_frames_unref);
  frame_quantiser_clear (&self->reader);
  g_array_unref (self->claims);
  g_hash_table_unref (self->hosts);
  g_mutex_clear (&self->lock);
}

void
encoder_claims_unref (EncoderClaims * self)
{
  g_atomic_rc_box_release_full (self, claims_clear);
}

/* B-frames leave after the frame that they come before. */
static gdouble
frame_s (EncoderClaims * self, GstBuffer * frame)
{
  GstClockTime pts = GST_BUFFER_PTS (frame), last = self->last_pts;

  if (!GST_CLOCK_TIME_IS_VALID (pts))
    return GST_TIME_AS_SECONDS ((gdouble) USUAL_FRAME);
  if (GST_CLOCK_TIME_IS_VALID (last) && pts <= last && last - pts < GST_SECOND)
    return 0;
  self->last_pts = pts;
  if (!GST_CLOCK_TIME_IS_VALID (last) || pts < last)
    return GST_TIME_AS_SECONDS ((gdouble) USUAL_FRAME);
  return GST_TIME_AS_SECONDS ((gdouble) MIN (pts - last, GST_SECOND));
}

static gboolean
is_due (EncoderClaims * self)
{
  return encoder_frames_get (self->frames).serial != self->frames_serial
      || (self->row->how == ENCODER_REOPENS && encoder_restart_is_due (&self->restart));
}

/* Of an encoder that begins anew another bitrate may be worth it by now; and the frame rate may
 * have changed. */
static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  EncoderClaims *self = data;
  GstElement *encoder = gst_pad_get_parent_element (pad);
  GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER (info);
  gdouble quantiser = RC_H264_NO_QP;
  gboolean due;

  /* Keyframes say how to read the others. */
  if (g_atomic_int_get (&self->reads) || !GST_BUFFER_FLAG_IS_SET (frame,
          GST_BUFFER_FLAG_DELTA_UNIT))
    quantiser = frame_quantiser_read (&self->reader, pad, frame);
  g_mutex_lock (&self->lock);
  if (self->quantiser == RC_H264_NO_QP)
    self->quantiser = quantiser;
  else if (quantiser != RC_H264_NO_QP)
    self->quantiser += (quantiser - self->quantiser) / QUANTISER_FRAMES;
  encoder_fill_on_frame (&self->fill, gst_buffer_get_size (frame));
  if (self->row->how == ENCODER_REOPENS)
    encoder_restart_on_frame (&self->restart, frame_s (self, frame));
  due = !self->busy && is_due (self);
  g_mutex_unlock (&self->lock);
  if (due && encoder)
    gst_element_call_async (encoder, apply_late, g_atomic_rc_box_acquire (self),
        (GDestroyNotify) encoder_claims_unref);
  g_clear_object (&encoder);
  return GST_PAD_PROBE_OK;
}

static void
watch_frames (EncoderClaims * self, GstElement * encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "src");

  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, g_atomic_rc_box_acquire (self),
        (GDestroyNotify) encoder_claims_unref);
  g_clear_object (&pad);
}

typedef struct
{
  const EncoderRow *row;
  guint64 bps;                  /* before the first claim: of audio the user's upper limit */
  EncoderFrames *frames;        /* of video */
} Found;

static gpointer
claims_new (GstElement * encoder, gconstpointer data)
{
  EncoderClaims *self = g_atomic_rc_box_new0 (EncoderClaims);
  const Found *found = data;
  const EncoderRow *row = found->row;

  g_mutex_init (&self->lock);
  self->row = row;
  self->video = found->frames != NULL;
  self->last_pts = GST_CLOCK_TIME_NONE;
  self->quantiser = RC_H264_NO_QP;
  if (self->video) {
    encoder_fill_init (&self->fill, row->how == ENCODER_REOPENS);
    self->frames = g_atomic_rc_box_acquire (found->frames);
    self->frames_serial = encoder_frames_get (self->frames).serial;
    watch_frames (self, encoder);
  }
  self->claims = g_array_new (FALSE, FALSE, sizeof (Claim));
  self->hosts = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->cap_bps = self->video || found->bps == 0 ? G_MAXUINT64 : found->bps;
  return self;
}

EncoderClaims *
encoder_claims_of (GstElement * encoder, const EncoderRow * row)
{
  Found found = { row, encoder_row_get_bps (row, encoder) };
  EncoderClaims *self;

  if (encoder_row_is_video (encoder))
    found.frames = encoder_frames_of (encoder);
  self = encoder_shared_of (encoder, "gst-arc-encoder-claims", claims_new, &found,
      (GDestroyNotify) encoder_claims_unref);
  g_clear_pointer (&found.frames, encoder_frames_unref);
  return self;
}

static Claim *
find_claim (EncoderClaims * self, gconstpointer claimant)
{
  guint i;

  for (i = 0; i < self->claims->len; i++)
    if (g_array_index (self->claims, Claim, i).claimant == claimant)
      return &g_array_index (self->claims, Claim, i);
  return NULL;
}

void
encoder_claims_join (EncoderClaims * self, gconstpointer claimant)
{
  Claim claim = { claimant };

  g_mutex_lock (&self->lock);
  g_array_prepend_val (self->claims, claim);
  g_mutex_unlock (&self->lock);
}

/* What it counts among many: those of a host together 1. */
static gdouble
weight_of (const Claim * claim)
{
  if (claim->voice != ENCODER_VOICE_SHARED)
    return 0;
  return claim->host ? 1.0 / claim->host->n_shared : 1;
}

/* By the rule for many; weight: the sum of theirs. */
static guint64
shared_bps (const EncoderClaims * self, gdouble weight)
{
  guint64 least_bps = 0;
  gdouble seen = 0;

  for (guint i = 0; i < self->claims->len && least_bps == 0; i++) {
    const Claim *claim = &g_array_index (self->claims, Claim, i);

    seen += weight_of (claim);
    if (seen > weight * HALF)
      least_bps = claim->bps / 2;
  }
  for (guint i = 0; i < self->claims->len; i++) {
    const Claim *claim = &g_array_index (self->claims, Claim, i);

    if (claim->voice == ENCODER_VOICE_SHARED && claim->bps >= least_bps)
      return claim->bps;
  }
  return G_MAXUINT64;
}

/* Of all if none has a voice; 0: no claim. */
static guint64
wanted_bps (const EncoderClaims * self)
{
  guint64 bps = G_MAXUINT64, any_bps = G_MAXUINT64;
  gdouble weight = 0;

  for (guint i = 0; i < self->claims->len; i++) {
    const Claim *claim = &g_array_index (self->claims, Claim, i);

    if (claim->bps == 0)
      continue;
    any_bps = MIN (any_bps, claim->bps);
    if (claim->voice == ENCODER_VOICE_OWN)
      bps = MIN (bps, claim->bps);
    weight += weight_of (claim);
  }
  if (any_bps == G_MAXUINT64)
    return 0;
  bps = MIN (bps, shared_bps (self, weight));
  return MIN (bps < G_MAXUINT64 ? bps : any_bps, self->cap_bps);
}

/* What to set so that bps come out: more at fewer frames than the encoder takes it to get, and
 * where it leaves a part of each frame unused. */
static guint64
to_set (EncoderClaims * self, GstElement * encoder, guint64 bps)
{
  guint64 min_bps, max_bps;

  if (bps == 0 || !self->video)
    return bps;
  encoder_row_get_range (self->row, encoder, &min_bps, &max_bps);
  bps = (guint64) (encoder_frames_get (self->frames).slowness * (gdouble) bps);
  return CLAMP (encoder_fill_to_set (&self->fill, encoder, bps), min_bps, max_bps);
}

/* 0: nothing to do. */
static guint64
take_change (EncoderClaims * self, GstElement * encoder)
{
  guint64 bps = to_set (self, encoder, wanted_bps (self));

  if (self->row->how == ENCODER_REOPENS)
    bps = encoder_restart_take (&self->restart, bps);
  bps -= bps % self->row->bps_per_unit;
  if (bps == 0 || bps == self->set_bps)
    return 0;
  self->set_bps = self->fill.set_bps = bps;
  return bps;
}

/* With the lock held, which it leaves. What the property says, unless we wrote it, is the user's
 * wish. */
static void
read_back (EncoderClaims * self, GstElement * encoder, gboolean ours)
{
  guint64 bps;

  if (self->video)
    return;
  g_mutex_unlock (&self->lock);
  bps = encoder_row_get_bps (self->row, encoder);
  g_mutex_lock (&self->lock);
  if (!ours && self->read_bps > 0 && bps != self->read_bps && bps > 0) {
    self->cap_bps = bps;
    self->set_bps = 0;
  }
  self->read_bps = bps;
}

/* With the lock held, which it leaves. The settings go by the frame rate too. */
static void
follow_frames (EncoderClaims * self, GstElement * encoder)
{
  FramesFound found;

  if (!self->video)
    return;
  found = encoder_frames_get (self->frames);
  if (found.serial == self->frames_serial)
    return;
  self->frames_serial = found.serial;
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (encoder, "frames last %" GST_TIME_FORMAT ", %.2f times what it takes them to",
      GST_TIME_ARGS (found.duration), found.slowness);
  encoder_settings_renew (encoder);
  g_mutex_lock (&self->lock);
}

static gboolean
apply (EncoderClaims * self, GstElement * encoder)
{
  gboolean changed = FALSE;
  guint64 bps;

  g_mutex_lock (&self->lock);
  if (self->busy) {
    g_mutex_unlock (&self->lock);
    return FALSE;
  }
  self->busy = TRUE;
  read_back (self, encoder, FALSE);
  follow_frames (self, encoder);
  while ((bps = take_change (self, encoder)) > 0) {
    g_mutex_unlock (&self->lock);
    GST_DEBUG_OBJECT (encoder, "bitrate %" G_GUINT64_FORMAT " bit/s", bps);
    encoder_row_set_bps (self->row, encoder, bps);
    g_mutex_lock (&self->lock);
    read_back (self, encoder, TRUE);
    changed = TRUE;
  }
  self->busy = FALSE;
  g_mutex_unlock (&self->lock);
  return changed;
}

static void
count_voice (const Claim * claim, guint by)
{
  if (claim->host && claim->voice == ENCODER_VOICE_SHARED)
    claim->host->n_shared += by;
}

/* host: 0: unknown. */
static void
set_host (EncoderClaims * self, Claim * claim, guint64 host)
{
  ClaimHost *before = claim->host;

  if (host == (before ? before->number : 0))
    return;
  claim->host = host ? g_hash_table_lookup (self->hosts, &host) : NULL;
  if (host && !claim->host) {
    claim->host = g_new0 (ClaimHost, 1);
    claim->host->number = host;
    g_hash_table_insert (self->hosts, &claim->host->number, claim->host);
  }
  if (host)
    claim->host->n_claims++;
  if (before && --before->n_claims == 0)
    g_hash_table_remove (self->hosts, &before->number);
}

/* It moves to its place. */
static void
put_claim (EncoderClaims * self, Claim * claim, guint64 bps)
{
  const Claim changed = { claim->claimant, bps, claim->voice, claim->host };
  Claim *first = (Claim *) self->claims->data, *last = first + self->claims->len - 1;

  for (; claim > first && claim[-1].bps > bps; claim--)
    *claim = claim[-1];
  for (; claim < last && claim[1].bps < bps; claim++)
    *claim = claim[1];
  *claim = changed;
}

gboolean
encoder_claims_set (EncoderClaims * self, GstElement * encoder, gconstpointer claimant, guint64 bps,
    EncoderVoice voice, guint64 host)
{
  Claim *claim;

  g_mutex_lock (&self->lock);
  claim = find_claim (self, claimant);
  if (claim != NULL) {
    count_voice (claim, -1);
    set_host (self, claim, host);
    claim->voice = voice;
    count_voice (claim, 1);
    put_claim (self, claim, bps);
  }
  g_mutex_unlock (&self->lock);
  return claim != NULL && apply (self, encoder);
}

static void
apply_late (GstElement * encoder, gpointer claims)
{
  apply (claims, encoder);
}

void
encoder_claims_leave (EncoderClaims * self, GstElement * encoder, gconstpointer claimant)
{
  gboolean others;
  Claim *claim;

  g_mutex_lock (&self->lock);
  claim = find_claim (self, claimant);
  if (claim != NULL) {
    count_voice (claim, -1);
    set_host (self, claim, 0);
    g_array_remove_index (self->claims, (guint) (claim - (Claim *) self->claims->data));
  }
  others = self->claims->len > 0;
  g_mutex_unlock (&self->lock);
  if (others)
    gst_element_call_async (encoder, apply_late, g_atomic_rc_box_acquire (self),
        (GDestroyNotify) encoder_claims_unref);
}

gint64
encoder_claims_margin_bps (EncoderClaims * self, gconstpointer claimant)
{
  gint64 margin_bps = 0;
  const Claim *claim;

  g_mutex_lock (&self->lock);
  claim = find_claim (self, claimant);
  if (claim != NULL && claim->bps > 0 && self->claims->len > 1)
    margin_bps = (gint64) wanted_bps (self) - (gint64) claim->bps;
  g_mutex_unlock (&self->lock);
  return margin_bps;
}

guint64
encoder_claims_cap_bps (EncoderClaims * self)
{
  guint64 bps;

  g_mutex_lock (&self->lock);
  bps = self->cap_bps;
  g_mutex_unlock (&self->lock);
  return bps;
}

gdouble
encoder_claims_quantiser (EncoderClaims * self)
{
  gdouble quantiser;

  g_atomic_int_set (&self->reads, TRUE);
  g_mutex_lock (&self->lock);
  quantiser = self->frames && !encoder_frames_get (self->frames).few ? self->quantiser
      : RC_H264_NO_QP;
  g_mutex_unlock (&self->lock);
  return quantiser;
}

gchar *
encoder_claims_take_warning (EncoderClaims * self, GstElement * encoder)
{
  gboolean own = FALSE, shared = FALSE;
  gchar *warning = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->claims->len; i++) {
    own |= g_array_index (self->claims, Claim, i).voice == ENCODER_VOICE_OWN;
    shared |= g_array_index (self->claims, Claim, i).voice == ENCODER_VOICE_SHARED;
  }
  if (self->claims->len > 1 && (own || shared) && !self->warned) {
    self->warned = TRUE;
    warning = g_strdup_printf (own ? "%s feeds %u sinks that set its bitrate, and makes the "
        "smallest one that a receiver which answers can take: the slowest of them decides for all; "
        SHARED_CURE : "%s feeds %u sinks that set its bitrate, and makes the smallest one that a "
        "viewer can take, but at least half of what the median of them can; " SHARED_CURE,
        GST_OBJECT_NAME (encoder), self->claims->len);
  }
  g_mutex_unlock (&self->lock);
  return warning;
}
