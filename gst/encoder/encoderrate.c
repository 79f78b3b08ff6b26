/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* `lock` guards the roster, a list that is replaced and never changed, and is held for a pointer
 * copy only. */

#include "encoder/encoderrate.h"
#include "encoder/encoderclaims.h"
#include "encoder/encodersettings.h"
#include "encoder/encodertable.h"
#include "encoder/encoderwalk.h"

GST_DEBUG_CATEGORY_STATIC (encoder_rate_debug);
#define GST_CAT_DEFAULT encoder_rate_debug

/* Video keeps at least this share of the bitrate when audio alone would take all. */
#define VIDEO_MIN_SHARE_PERCENT 10

/* A bit for each pixel: x264 looks lossless with a fifth of that, and noise would take six times as
 * much. With what headers and FEC add. */
#define MOST_BITS_PER_PIXEL 1.25
#define LEAST_MOST_BPS 2000000
#define AUDIO_MOST_BPS 600000

/* Of H.264. Where a picture needs no more bits, its quantiser is as fine as the encoder permits,
 * below 20. */
#define COARSE_QUANTISER 28

/* A smaller difference is of two receivers that get the same. */
#define NOTICED_RATIO .1

/* How an application does it instead. */
#define BY_HAND "from notify::target-bitrate of rmcsink or the upstream event GstArcTargetBitrate"

typedef struct
{
  GWeakRef element;
  const EncoderRow *row;
  gchar *name;
  gboolean video;
  EncoderClaims *claims;        /* joined as long as this lives; NULL: stuck */
} Encoder;

struct _EncoderRate
{
  GMutex lock;
  GPtrArray *roster;            /* of Encoder */
  GstClockTime latency;         /* of the last search */
  guint64 most_bps;             /* with the lock */
  gint follows;                 /* atomic */
  gint bound;                   /* atomic: RcCause of what they cannot be set to; _N: they can */
  /* Of the thread that sets. */
  guint steady_bps;
  guint64 host;
};

static void
encoder_clear (gpointer data)
{
  Encoder *encoder = data;
  GstElement *element = g_weak_ref_get (&encoder->element);

  if (element != NULL && encoder->claims != NULL) {
    encoder_settings_leave (element, encoder);
    encoder_claims_leave (encoder->claims, element, encoder);
  }
  g_clear_pointer (&encoder->claims, encoder_claims_unref);
  g_clear_object (&element);
  g_weak_ref_clear (&encoder->element);
  g_free (encoder->name);
}

static void
encoder_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, encoder_clear);
}

static Encoder *
encoder_new (GstElement * element, const EncoderRow * row, gboolean stuck)
{
  Encoder *encoder = g_atomic_rc_box_new0 (Encoder);

  g_weak_ref_init (&encoder->element, element);
  encoder->row = row;
  encoder->name = gst_object_get_name (GST_OBJECT (element));
  encoder->video = encoder_row_is_video (element);
  if (!stuck) {
    encoder->claims = encoder_claims_of (element, row);
    encoder_claims_join (encoder->claims, encoder);
  }
  return encoder;
}

EncoderRate *
encoder_rate_new (void)
{
  EncoderRate *self = g_new0 (EncoderRate, 1);

  GST_DEBUG_CATEGORY_INIT (encoder_rate_debug, "encoderrate", 0,
      "bitrate of the encoders upstream");
  g_mutex_init (&self->lock);
  self->roster = g_ptr_array_new_with_free_func (encoder_unref);
  self->bound = RC_CAUSE_N;
  return self;
}

void
encoder_rate_free (EncoderRate * self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->roster);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static GPtrArray *
roster_ref (EncoderRate * self)
{
  GPtrArray *roster;

  g_mutex_lock (&self->lock);
  roster = g_ptr_array_ref (self->roster);
  g_mutex_unlock (&self->lock);
  return roster;
}

static void
roster_replace (EncoderRate * self, GPtrArray * roster)
{
  GPtrArray *old;

  g_mutex_lock (&self->lock);
  old = self->roster;
  self->roster = roster;
  g_mutex_unlock (&self->lock);
  g_ptr_array_unref (old);
}

/* What a find has learnt so far; sentences are the first of their sort. */
typedef struct
{
  GPtrArray *roster;
  guint n_video, n_following_video, n_following_audio;
  guint n_foreign;              /* branches whose bitrate is not ours to set */
  guint n_steered;              /* branches where another component sets it */
  gchar *stuck_video, *stuck_audio, *unknown_video, *unknown_audio, *badly;
  GstClockTime latency;         /* encoderorders.h */
  gdouble most_bps;             /* what their pictures can use */
  gboolean unbounded;           /* that of one is not known */
} Survey;

static void
take_first (gchar ** kept, gchar * sentence)
{
  if (*kept == NULL)
    *kept = sentence;           /* or NULL */
  else
    g_free (sentence);
}

/* What was claimed stays claimed over a new find: the same encoder keeps its entry while nothing
 * about it changed. */
static Encoder *
reuse_or_new (GPtrArray * old, GstElement * element, const EncoderRow * row, gboolean stuck)
{
  guint i;

  for (i = 0; i < old->len; i++) {
    Encoder *encoder = g_ptr_array_index (old, i);
    GstElement *known = g_weak_ref_get (&encoder->element);
    gboolean same = known == element && (encoder->claims == NULL) == stuck;

    g_clear_object (&known);
    if (same)
      return g_atomic_rc_box_acquire (encoder);
  }
  return encoder_new (element, row, stuck);
}

static void
survey_unknown (Survey * survey, GstElement * element)
{
  const gchar *factory = GST_OBJECT_NAME (gst_element_get_factory (element));
  gchar *sentence = g_strdup_printf ("it is not known how to set the bitrate of %s (%s): set it "
      BY_HAND "; or name its property for the bitrate, and whether it counts kbit/s or bit/s, by "
      "encoder-map=\"%s,PROPERTY,kbit\" (or bit)", GST_OBJECT_NAME (element), factory, factory);

  survey->n_foreign++;
  take_first (encoder_row_is_video (element) ? &survey->unknown_video : &survey->unknown_audio,
      sentence);
}

/* 0: not known yet, or it has no frame rate. */
static gdouble
pixel_rate (GstElement * encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstCaps *caps = pad ? gst_pad_get_current_caps (pad) : NULL;
  GstStructure *s = caps ? gst_caps_get_structure (caps, 0) : NULL;
  gint width, height, frames, seconds;
  gdouble rate = 0;

  if (s && gst_structure_get_int (s, "width", &width) && gst_structure_get_int (s, "height",
          &height) && gst_structure_get_fraction (s, "framerate", &frames, &seconds))
    rate = (gdouble) width * height * frames / MAX (seconds, 1);
  gst_clear_caps (&caps);
  g_clear_object (&pad);
  return MAX (rate, 0);
}

static gchar *
why_stuck (const EncoderRow * row, GstElement * element)
{
  if (row->how == ENCODER_CONSTANT)
    return g_strdup_printf ("%s has no setting for its bitrate: use another encoder, such as "
        "jpegenc, x264enc or vp8enc", GST_OBJECT_NAME (element));
  if (row->how == ENCODER_FIXED && encoder_row_is_video (element))
    return g_strdup_printf ("%s cannot change its bitrate while it runs: use another encoder, such "
        "as x264enc or vp8enc", GST_OBJECT_NAME (element));
  if (row->how == ENCODER_FIXED)
    return g_strdup_printf ("%s cannot change its bitrate while it runs: use another encoder, such "
        "as opusenc", GST_OBJECT_NAME (element));
  return encoder_settings_why_stuck (element);
}

/* A quality that is steered bounds itself by what the user set. */
static void
survey_picture (Survey * survey, const EncoderRow * row, GstElement * element)
{
  gdouble pixels_per_s = encoder_row_is_video (element) ? pixel_rate (element) : 0;

  if (!encoder_row_is_video (element))
    survey->most_bps += AUDIO_MOST_BPS;
  else if (row->how == ENCODER_QUALITY || pixels_per_s == 0)
    survey->unbounded = TRUE;
  survey->most_bps += MOST_BITS_PER_PIXEL * pixels_per_s;
}

static void
survey_encoder (Survey * survey, GPtrArray * old, GstElement * element)
{
  const EncoderRow *row = encoder_row_lookup (element);
  gchar *stuck;
  Encoder *encoder;

  if (row == NULL) {
    survey_unknown (survey, element);
    return;
  }
  survey_picture (survey, row, element);
  encoder_settings_improve (element, survey->latency);
  stuck = why_stuck (row, element);
  take_first (&survey->badly, encoder_settings_why_badly (element, survey->latency));
  encoder = reuse_or_new (old, element, row, stuck != NULL);
  if (encoder->claims != NULL)
    encoder_settings_join (element, encoder, survey->latency);
  g_ptr_array_add (survey->roster, encoder);
  if (encoder->video)
    survey->n_video++;
  if (stuck != NULL)
    take_first (encoder->video ? &survey->stuck_video : &survey->stuck_audio, stuck);
  else if (encoder->video)
    survey->n_following_video++;
  else
    survey->n_following_audio++;
}

static EncoderRateResult
survey_result (const Survey * survey)
{
  if (survey->n_steered > 0 || survey->n_following_video > 0
      || (survey->n_video == 0 && survey->n_following_audio > 0))
    return ENCODER_RATE_OK;
  return survey->n_video > 0
      || survey->stuck_audio != NULL ? ENCODER_RATE_STUCK : ENCODER_RATE_NO_ENCODER;
}

/* Audio keeps its bitrate beside video, so that it cannot follow matters only where there is no
 * video. */
static gchar *
survey_take_warning (Survey * survey, EncoderRateResult result)
{
  if (survey->stuck_video != NULL)
    return g_steal_pointer (&survey->stuck_video);
  if (survey->unknown_video != NULL)
    return g_steal_pointer (&survey->unknown_video);
  if (result == ENCODER_RATE_OK)
    return g_steal_pointer (&survey->badly);
  if (survey->stuck_audio != NULL)
    return g_steal_pointer (&survey->stuck_audio);
  if (survey->unknown_audio != NULL)
    return g_steal_pointer (&survey->unknown_audio);
  return g_strdup ("no encoder found upstream of rmcsink to adapt; set the bitrate where "
      "the media is encoded " BY_HAND ", or keep it below what the network carries");
}

static void
note_most (EncoderRate * self, const Survey * survey)
{
  gboolean known = survey->n_following_video > 0 && !survey->unbounded && survey->n_foreign == 0
      && survey->n_video == survey->n_following_video;

  g_mutex_lock (&self->lock);
  self->most_bps = known ? MAX ((guint64) survey->most_bps, LEAST_MOST_BPS) : 0;
  g_mutex_unlock (&self->lock);
}

EncoderRateResult
encoder_rate_find (EncoderRate * self, GstPad * sinkpad, GstClockTime latency,
    gchar ** warning)
{
  EncoderWalk walk = encoder_walk (sinkpad);
  GPtrArray *old = roster_ref (self);
  Survey survey = { g_ptr_array_new_with_free_func (encoder_unref),.latency = latency };
  EncoderRateResult result;
  guint i;

  g_mutex_lock (&self->lock);
  self->latency = latency;
  g_mutex_unlock (&self->lock);
  survey.n_foreign = walk.bare_sources + walk.steered;
  survey.n_steered = walk.steered;
  for (i = 0; i < walk.encoders->len; i++)
    survey_encoder (&survey, old, g_ptr_array_index (walk.encoders, i));
  g_ptr_array_unref (walk.encoders);
  g_ptr_array_unref (old);

  /* The whole bitrate for the audio would be wrong while something else fills the stream. */
  if (survey.n_video == 0 && survey.n_foreign > 0) {
    g_ptr_array_set_size (survey.roster, 0);
    survey.n_following_audio = 0;
    g_clear_pointer (&survey.stuck_audio, g_free);
  }
  result = survey_result (&survey);
  if (warning != NULL)
    *warning = survey_take_warning (&survey, result);
  g_free (survey.stuck_video);
  g_free (survey.stuck_audio);
  g_free (survey.unknown_video);
  g_free (survey.unknown_audio);
  g_free (survey.badly);
  roster_replace (self, survey.roster);
  note_most (self, &survey);
  g_atomic_int_set (&self->follows, result == ENCODER_RATE_OK);
  return result;
}

/* An encoder that still exists, with references. */
typedef struct
{
  Encoder *encoder;
  GstElement *element;
  guint64 min_bps, max_bps, share_bps;  /* these and the next during one encoder_rate_set () */
  gboolean target;              /* takes part in sharing */
  gboolean shared;
} Slot;

static void
slot_clear (gpointer data)
{
  encoder_unref (((Slot *) data)->encoder);
  gst_object_unref (((Slot *) data)->element);
}

static GArray *
slots_of (EncoderRate * self)
{
  GArray *slots = g_array_new (FALSE, TRUE, sizeof (Slot));
  GPtrArray *roster = roster_ref (self);

  g_array_set_clear_func (slots, slot_clear);
  for (guint i = 0; i < roster->len; i++) {
    Encoder *encoder = g_ptr_array_index (roster, i);
    Slot slot = { encoder, g_weak_ref_get (&encoder->element) };

    if (slot.element == NULL)
      continue;
    g_atomic_rc_box_acquire (encoder);
    g_array_append_val (slots, slot);
  }
  g_ptr_array_unref (roster);
  return slots;
}

static void
read_range (Slot * slot)
{
  encoder_row_get_range (slot->encoder->row, slot->element, &slot->min_bps, &slot->max_bps);
  if (slot->encoder->claims != NULL)
    slot->max_bps = MIN (slot->max_bps, encoder_claims_cap_bps (slot->encoder->claims));
}

/* Marks the encoders that share, and returns the bitrate to share. */
static guint64
choose_targets (GArray * slots, guint64 bitrate_bps)
{
  guint64 audio_bps = 0, least_bps = bitrate_bps * VIDEO_MIN_SHARE_PERCENT / 100;
  gboolean any_video = FALSE;
  guint i;

  for (i = 0; i < slots->len; i++)
    any_video |= g_array_index (slots, Slot, i).encoder->video;
  for (i = 0; i < slots->len; i++) {
    Slot *slot = &g_array_index (slots, Slot, i);

    read_range (slot);
    slot->target = slot->encoder->video || !any_video;
    if (!slot->target)
      audio_bps += encoder_row_get_bps (slot->encoder->row, slot->element);
  }
  if (audio_bps == 0)
    return bitrate_bps;
  return MAX (bitrate_bps - MIN (audio_bps, bitrate_bps), least_bps);
}

/* Equal shares; what one encoder cannot express goes to the others. */
static void
share_equally (GArray * slots, guint64 bps)
{
  guint n = 0, i;
  gboolean again;

  for (i = 0; i < slots->len; i++)
    n += g_array_index (slots, Slot, i).target;
  do {
    guint64 share_bps = bps / MAX (n, 1);

    again = FALSE;
    for (i = 0; i < slots->len; i++) {
      Slot *slot = &g_array_index (slots, Slot, i);

      if (!slot->target || slot->shared)
        continue;
      slot->share_bps = MIN (share_bps, slot->max_bps);
      if (slot->max_bps < share_bps) {
        slot->shared = again = TRUE;
        bps -= slot->max_bps;
        n--;
      }
    }
  } while (again);
}

/* What keeps them from what they shall share: their own least, or the most that is set at them. */
static RcCause
find_bound (GArray * slots, guint64 bps)
{
  guint64 shared_bps = 0;
  gboolean any = FALSE, least = FALSE;

  for (guint i = 0; i < slots->len; i++) {
    const Slot *slot = &g_array_index (slots, Slot, i);

    if (!slot->target || slot->encoder->claims == NULL)
      continue;
    any = TRUE;
    least |= slot->share_bps < slot->min_bps;
    shared_bps += slot->share_bps;
  }
  if (least)
    return RC_CAUSE_PICTURE;
  return any && (gdouble) shared_bps < (1 - NOTICED_RATIO) * (gdouble) bps ? RC_CAUSE_USER
      : RC_CAUSE_N;
}

/* steady: of what is shared, for an encoder that begins anew. */
static gboolean
slot_apply (Slot * slot, gdouble steady, EncoderVoice voice, guint64 host)
{
  Encoder *encoder = slot->encoder;
  gboolean anew = encoder->row->how == ENCODER_REOPENS;
  guint64 bps = anew ? (guint64) (steady * (gdouble) slot->share_bps) : slot->share_bps;

  bps = CLAMP (bps, slot->min_bps, MAX (slot->min_bps, slot->max_bps));

  return slot->target && encoder->claims != NULL
      && encoder_claims_set (encoder->claims, slot->element, encoder, bps, voice, host);
}

guint
encoder_rate_set (EncoderRate * self, guint bitrate_bps, EncoderVoice voice)
{
  GArray *slots = slots_of (self);
  guint n_set = 0, i;
  guint64 media_bps;
  gdouble steady = self->steady_bps > 0 ? (gdouble) self->steady_bps / MAX (bitrate_bps, 1) : 1;

  media_bps = choose_targets (slots, bitrate_bps);
  share_equally (slots, media_bps);
  g_atomic_int_set (&self->bound, find_bound (slots, media_bps));
  for (i = 0; i < slots->len; i++)
    n_set += slot_apply (&g_array_index (slots, Slot, i), steady, voice, self->host);
  g_array_unref (slots);
  return n_set;
}

guint
encoder_rate_agreed_bps (EncoderRate * self, guint bitrate_bps)
{
  GPtrArray *roster = roster_ref (self);
  gint64 bps = bitrate_bps;

  for (guint i = 0; i < roster->len; i++) {
    Encoder *encoder = g_ptr_array_index (roster, i);

    if (encoder->claims != NULL)
      bps += encoder_claims_margin_bps (encoder->claims, encoder);
  }
  g_ptr_array_unref (roster);
  return (guint) CLAMP (bps, 1, G_MAXUINT);
}

RcCause
encoder_rate_cause (EncoderRate * self, guint bitrate_bps, RcCause cause)
{
  gdouble agreed_bps = encoder_rate_agreed_bps (self, bitrate_bps);
  RcCause bound = g_atomic_int_get (&self->bound);

  if (bitrate_bps > 0 && ABS (agreed_bps / bitrate_bps - 1) > NOTICED_RATIO)
    return RC_CAUSE_OTHER_SINK;
  return bound < RC_CAUSE_N ? bound : cause;
}

void
encoder_rate_set_terms (EncoderRate * self, guint steady_bps, guint64 host)
{
  self->steady_bps = steady_bps;
  self->host = host;
}

void
encoder_rate_forget (EncoderRate * self)
{
  g_atomic_int_set (&self->follows, FALSE);
  g_atomic_int_set (&self->bound, RC_CAUSE_N);
  roster_replace (self, g_ptr_array_new_with_free_func (encoder_unref));
}

gboolean
encoder_rate_follows (EncoderRate * self)
{
  return g_atomic_int_get (&self->follows);
}

guint64
encoder_rate_most_bps (EncoderRate * self)
{
  guint64 most_bps;

  g_mutex_lock (&self->lock);
  most_bps = self->most_bps;
  g_mutex_unlock (&self->lock);
  return most_bps;
}

void
encoder_rate_make_keyframes (EncoderRate * self)
{
  GArray *slots = slots_of (self);

  for (guint i = 0; i < slots->len; i++) {
    const Slot *slot = &g_array_index (slots, Slot, i);
    const gchar *signal = slot->encoder->row->keyframe;

    if (signal && g_signal_lookup (signal, G_OBJECT_TYPE (slot->element)) != 0)
      g_signal_emit_by_name (slot->element, signal);
  }
  g_array_unref (slots);
}

gchar *
encoder_rate_take_sharing_warning (EncoderRate * self)
{
  GArray *slots = slots_of (self);
  gchar *warning = NULL;

  for (guint i = 0; warning == NULL && i < slots->len; i++) {
    const Slot *slot = &g_array_index (slots, Slot, i);

    if (slot->encoder->claims != NULL)
      warning = encoder_claims_take_warning (slot->encoder->claims, slot->element);
  }
  g_array_unref (slots);
  return warning;
}

/* The first of the encoders found as one writes it so that it follows; NULL: nothing is known. */
static gchar *
line_that_follows (EncoderRate * self)
{
  GArray *slots = slots_of (self);
  gchar *line = NULL;

  for (guint i = 0; line == NULL && i < slots->len; i++)
    line = encoder_settings_line (g_array_index (slots, Slot, i).element, self->latency);
  g_array_unref (slots);
  return line;
}

gchar *
encoder_rate_names (EncoderRate * self)
{
  GArray *slots = slots_of (self);
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < slots->len; i++) {
    const Encoder *encoder = g_array_index (slots, Slot, i).encoder;

    if (encoder->claims != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", encoder->name);
  }
  g_array_unref (slots);
  return g_string_free (names, FALSE);
}

/* The first that makes a coarse picture, which would need more. */
static gchar *
describe_shortage (EncoderRate * self, guint made_bps, guint told_bps)
{
  GPtrArray *roster = roster_ref (self);
  gchar *sentence = NULL;

  for (guint i = 0; i < roster->len && sentence == NULL; i++) {
    Encoder *encoder = g_ptr_array_index (roster, i);
    gdouble quantiser = encoder->claims ? encoder_claims_quantiser (encoder->claims) : 0;

    if (quantiser >= COARSE_QUANTISER)
      sentence = g_strdup_printf ("%s made %u kbit/s for some seconds where %u were asked for and "
          "its picture needs them (quantiser %.0f of 51): it does not take a new bitrate while it "
          "runs, or another of its settings limits it. Remove that setting, or use another "
          "encoder (docs/guide/encoders.md)", encoder->name, made_bps / 1000, told_bps / 1000,
          quantiser);
  }
  g_ptr_array_unref (roster);
  return sentence;
}

static gchar *
describe_excess (EncoderRate * self, guint made_bps, guint told_bps)
{
  gchar *names = encoder_rate_names (self), *line = line_that_follows (self), *sentence;

  sentence = g_strdup_printf ("%s made %u kbit/s for some seconds where %u were asked for: frames "
      "wait and are dropped. Make the picture smaller or its frames fewer%s%s "
      "(docs/guide/encoders.md)",
      *names ? names : "what comes in", made_bps / 1000, told_bps / 1000, line ? ", or write " : "",
      line ? line : "");
  g_free (names);
  g_free (line);
  return sentence;
}

gchar *
encoder_rate_describe_misfit (EncoderRate * self, guint made_bps, guint told_bps)
{
  return made_bps > told_bps ? describe_excess (self, made_bps, told_bps)
      : describe_shortage (self, made_bps, told_bps);
}
