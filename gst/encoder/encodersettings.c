/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encodersettings.h"

#include "base/arcdebug.h"
#include "encoder/encoderframes.h"
#include "encoder/encodershared.h"

#include <string.h>

#define VBV "vbv-buf-capacity"   /* of x264enc, ms */
/* x265 raises a buffer that holds less than a frame to one frame of its bitrate, which it takes for
 * the largest one too. An option in kbit for every bitrate is not to be had otherwise. Rows that
 * are coded side by side (wpp) make .5 to 1.7 of the bitrate with such a buffer, else .72 to .9. */
#define X265_SMALL_BUFFER "vbv-bufsize=1"
#define X265_ONE_FRAME X265_SMALL_BUFFER ":no-wpp=1"

/* What `better` is. */
typedef enum
{
  A_TEXT,                       /* as gst-launch-1.0 writes it */
  TEXT_IF_SHORT,                /* the same, where the latency is below SHORT_LATENCY */
  MS,                           /* a percentage of the latency, in ms */
  MS_OR_FRAME,                  /* the same, or one frame, which is a mode of its own */
  PERCENT_OF_FRAME,             /* the latency in percent of a frame's duration */
} EncoderSettingKind;

/* What has to be set before the frame rate is known takes it for 30 frames/s. */
#define SHORT_LATENCY (100 * GST_MSECOND)

typedef struct
{
  const gchar *glob, *property;
  const gchar *usual;           /* what the user left alone */
  gboolean running;             /* takes effect while it runs too */
  EncoderSettingKind kind;
  const gchar *better;          /* of texts */
  guint percent;                /* of MS */
} EncoderSetting;

static const EncoderSetting settings[] = {
  /* No frame is larger than what leaves in this time. */
  {"x264enc", VBV, "600", TRUE, MS_OR_FRAME, NULL, 100},
  /* It begins anew with each bitrate and forgets the frames that it was looking at. */
  {"x265enc", "tune", "ssim", FALSE, A_TEXT, "zerolatency"},
  {"x265enc", "option-string", "\"\"", FALSE, TEXT_IF_SHORT, X265_ONE_FRAME},
  /* each is five to ten frames large, and arcsrc asks for those that it needs */
  {"openh264enc", "gop-size", "90", FALSE, A_TEXT, "300"},
  /* With 0 it takes both bounds of its quantiser from a table, 12 and 42, and makes 1.4 Mbit/s of a
   * test picture of 640x360 where .6 is asked for. */
  {"openh264enc", "qp-min", "0", FALSE, A_TEXT, "12"},
  /* Frames; by itself as many as from keyframe to keyframe. */
  {"theoraenc", "rate-buffer", "0", FALSE, A_TEXT, "12"},
  /* 0.1 to 1.3 times the bitrate with vbr; the buffer of 6 s lets a fall pass for as long.
   * With 100 ms instead of 500 a frame leaves within 75 ms (p95) instead of 135 at 1 Mbit/s. */
  {"vp?enc", "end-usage", "vbr", TRUE, A_TEXT, "cbr"},
  {"vp?enc", "buffer-size", "6000", TRUE, MS, NULL, 150},
  {"vp?enc", "buffer-initial-size", "4000", TRUE, MS, NULL, 90},
  {"vp?enc", "buffer-optimal-size", "5000", TRUE, MS, NULL, 120},
  {"vp?enc", "max-intra-bitrate", "0", TRUE, PERCENT_OF_FRAME},
  /* A frame a second is not live. With a deadline longer than a frame vp8enc encodes a frame that
   * became too large once more, in a fifth more time than with 1: at 1 Mbit/s the largest is 6.6
   * times its share instead of 10.9, SSIM .988 instead of .986 (docs/results/encoders.md). */
  {"vp8enc", "cpu-used", "0", TRUE, A_TEXT, "4"},
  {"vp9enc", "deadline", "1000000", TRUE, A_TEXT, "1"},
  {"vp9enc", "cpu-used", "0", TRUE, A_TEXT, "7"},
  /* a second of frames at the bitrate of before */
  {"vp9enc", "lag-in-frames", "25", FALSE, A_TEXT, "0"},
  {"av1enc", "usage-profile", "good-quality", FALSE, A_TEXT, "realtime"},
  {"av1enc", "cpu-used", "0", FALSE, A_TEXT, "8"},
  {"av1enc", "end-usage", "vbr", FALSE, A_TEXT, "cbr"},
  {"av1enc", "max-quantizer", "0", FALSE, A_TEXT, "56"},
  {"av1enc", "buf-sz", "6000", FALSE, MS, NULL, 750},
  {"av1enc", "buf-initial-sz", "4000", FALSE, MS, NULL, 450},
  {"av1enc", "buf-optimal-sz", "5000", FALSE, MS, NULL, 600},
  /* each is ten frames large, and arcsrc asks for those that it needs */
  {"av1enc", "keyframe-max-dist", "30", FALSE, A_TEXT, "300"},
};

/* Settings that make an encoder deaf to its bitrate property. */
typedef struct
{
  const gchar *glob, *property;
  const gchar *value;           /* "!x": any but x */
  const gchar *advice;
} EncoderTrap;

static const EncoderTrap traps[] = {
  /* pass=qual follows: its bitrate is the VBV's maximum. */
  {"x264enc", "pass", "quant", "pass=cbr"},
  /* x264 can only be reconfigured within a VBV that it had from the start. */
  {"x264enc", "vbv-buf-capacity", "0", "vbv-buf-capacity=66"},
  {"x265enc", "qp", "!-1", "qp=-1"},
  {"openh264enc", "rate-control", "off", "rate-control=bitrate"},
  {"vp?enc", "end-usage", "cq", "end-usage=cbr"},
  {"av1enc", "end-usage", "q", "end-usage=cbr"},
  /* 0 is taken literally: every frame at the best quantizer. */
  {"av1enc", "max-quantizer", "0", "max-quantizer=56"},
  {"nv*enc", "rc-mode", "constqp", "rc-mode=cbr"},
  {"nv*enc", "rate-control", "constqp", "rate-control=cbr"},
  {"va*enc", "rate-control", "cqp", "rate-control=cbr"},
  {"msdk*enc", "rate-control", "cqp", "rate-control=cbr"},
  {"qsv*enc", "rate-control", "cqp", "rate-control=cbr"},
  {"amf*enc", "rate-control", "cqp", "rate-control=cbr"},
};

static const gchar *
factory_name (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory ? GST_OBJECT_NAME (factory) : "";
}

static gchar *
property_as_text (GstElement * element, const gchar * property)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  GValue value = G_VALUE_INIT;
  gchar *text;

  if (pspec == NULL || !(pspec->flags & G_PARAM_READABLE))
    return NULL;
  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (element), property, &value);
  text = gst_value_serialize (&value);
  g_value_unset (&value);
  return text;
}

/* Up to 1.1 frames x264enc plans each frame by itself and fills 85 % of the buffer with it
 * (encoderfill.h). With more, a frame may take what the one before left: sizes vary, and with 1.2
 * to 2 frames only 67 to 90 % of the bitrate is made. Below three frames, one frame is better. At 3
 * and 1 Mbit/s and 30 frames/s, eval/lab/frametimes 3-1-3: decoded within 88 and 97 ms (p95), with
 * two frames within 104 and 106; the use of the link is 97 % in both, SSIM .9927 and .9750 (.9933
 * and .9773). */
#define ONE_FRAME_MOST 1.1
#define ONE_FRAME_BELOW 3

/* x264enc without a frame rate in its caps goes by the times of frames, and plans each for a
 * buffer of 25 frames/s: of its bitrate it makes 47 % with one frame in the buffer, 84 with two, 95
 * with two and a half. */
#define UNDECLARED_FRAMES 2.5

/* What settings depend on. */
typedef struct
{
  GstClockTime frame;           /* as long as the encoder takes one to last; 0: not known yet */
  GstClockTime latency;         /* in its time, which may be slow */
  GstClockTime real_frame;
} Spans;

static Spans
spans_of (GstElement * encoder, GstClockTime latency)
{
  EncoderFrames *frames = encoder_frames_of (encoder);
  FramesFound found = encoder_frames_get (frames);

  encoder_frames_unref (frames);
  return (Spans) { found.declared, (GstClockTime) (latency / found.slowness), found.duration };
}

static gchar *
ms_text (GstClockTime span)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, MAX (span / GST_MSECOND, 1));
}

/* A buffer of one frame, or what leaves in the latency. */
static gchar *
frame_or_latency (const EncoderSetting * setting, const Spans * spans)
{
  GstClockTime least = (GstClockTime) (UNDECLARED_FRAMES * (gdouble) spans->real_frame);

  if (spans->latency < ONE_FRAME_BELOW * spans->frame)
    return ms_text (spans->frame + GST_MSECOND - 1);
  if (spans->frame == 0 && spans->latency < least)
    return ms_text (least);
  return ms_text (spans->latency * setting->percent / 100);
}

/* `usual`: nothing is better, as far as is known. */
static gchar *
better_text (const EncoderSetting * setting, GstElement * encoder, GstClockTime latency)
{
  Spans spans = spans_of (encoder, latency);

  switch (setting->kind) {
    case A_TEXT:
      return g_strdup (setting->better);
    case TEXT_IF_SHORT:
      return g_strdup (latency < SHORT_LATENCY ? setting->better : setting->usual);
    case MS_OR_FRAME:
      return frame_or_latency (setting, &spans);
    case MS:
      return ms_text (spans.latency * setting->percent / 100);
    case PERCENT_OF_FRAME:
      if (spans.real_frame > 0)
        return g_strdup_printf ("%" G_GUINT64_FORMAT, MAX (100 * latency / spans.real_frame, 100));
  }
  return g_strdup (setting->usual);
}

/* Of this encoder, and as it came. */
static gboolean
is_usual (const EncoderSetting * setting, GstElement * element)
{
  gchar *text;
  gboolean usual;

  if (!g_pattern_match_simple (setting->glob, factory_name (element)))
    return FALSE;
  text = property_as_text (element, setting->property);
  usual = g_strcmp0 (text, setting->usual) == 0;
  g_free (text);
  return usual;
}

/* What was set at an encoder by the sinks behind it, each on a thread of its own. All values are
 * kept and not the last one: which of two was set last is known to the encoder only. No lock is
 * held while a property is set. */
typedef struct
{
  GMutex lock;
  GHashTable *set;              /* of "property=value" */
  GHashTable *latencies;        /* GstClockTime of each sink */
  GstClockTime latency;         /* the smallest of them, or of who came before; 0: none */
} Memory;

static void
memory_clear (gpointer data)
{
  Memory *self = data;

  g_hash_table_unref (self->set);
  g_hash_table_unref (self->latencies);
  g_mutex_clear (&self->lock);
}

static void
memory_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, memory_clear);
}

static gpointer
memory_new (GstElement * encoder, gconstpointer data)
{
  Memory *self = g_atomic_rc_box_new0 (Memory);

  g_mutex_init (&self->lock);
  self->set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->latencies = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

static Memory *
memory_of (GstElement * encoder)
{
  return encoder_shared_of (encoder, "gst-arc-encoder-settings", memory_new, NULL, memory_unref);
}

/* The property with its present value. */
static gchar *
setting_text (const EncoderSetting * setting, GstElement * element)
{
  gchar *value = property_as_text (element, setting->property);
  gchar *text = g_strconcat (setting->property, "=", value, NULL);

  g_free (value);
  return text;
}

/* As it came, or as it was set here for another latency. */
static gboolean
is_ours (const EncoderSetting * setting, GstElement * element, Memory * memory)
{
  gchar *text;
  gboolean ours;

  if (!g_pattern_match_simple (setting->glob, factory_name (element)))
    return FALSE;
  if (is_usual (setting, element))
    return TRUE;
  text = setting_text (setting, element);
  g_mutex_lock (&memory->lock);
  ours = g_hash_table_contains (memory->set, text);
  g_mutex_unlock (&memory->lock);
  g_free (text);
  return ours;
}

static gboolean
x265_holds_one_frame (GstElement * encoder)
{
  gchar *options = NULL, **each;
  gboolean found;

  g_object_get (encoder, "option-string", &options, NULL);
  each = g_strsplit (options ? options : "", ":", -1);
  found = g_strv_contains ((const gchar * const *) each, X265_SMALL_BUFFER);
  g_strfreev (each);
  g_free (options);
  return found;
}

static gboolean
x264_holds_one_frame (GstElement * encoder, GstClockTime frame)
{
  guint vbv_ms;

  g_object_get (encoder, VBV, &vbv_ms, NULL);
  return vbv_ms > 0 && vbv_ms * GST_MSECOND < ONE_FRAME_MOST * frame;
}

gboolean
encoder_settings_one_frame (GstElement * encoder, GstClockTime * frame)
{
  *frame = spans_of (encoder, 0).frame;
  if (g_str_equal (factory_name (encoder), "x264enc"))
    return x264_holds_one_frame (encoder, *frame);
  return g_str_equal (factory_name (encoder), "x265enc") && x265_holds_one_frame (encoder);
}

static gboolean
is_running (GstElement * element)
{
  return GST_STATE (element) >= GST_STATE_PAUSED;
}

static void
improve (const EncoderSetting * setting, GstElement * encoder, GstClockTime latency,
    Memory * memory)
{
  gchar *better = better_text (setting, encoder, latency);

  GST_INFO_OBJECT (encoder,
      "%s=%s, so that it follows its bitrate", setting->property, better);
  gst_util_set_object_arg (G_OBJECT (encoder), setting->property, better);
  g_free (better);
  better = setting_text (setting, encoder);
  g_mutex_lock (&memory->lock);
  g_hash_table_add (memory->set, better);
  g_mutex_unlock (&memory->lock);
}

static void
improve_all (GstElement * encoder, GstClockTime latency, Memory * memory)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if ((settings[i].running || !is_running (encoder))
        && is_ours (&settings[i], encoder, memory))
      improve (&settings[i], encoder, latency, memory);
}

/* With the lock held, as the next. Of the sinks and of latency. */
static GstClockTime
smallest_latency (Memory * memory, GstClockTime latency)
{
  GHashTableIter iter;
  const GstClockTime *each;

  g_hash_table_iter_init (&iter, memory->latencies);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) & each))
    latency = MIN (latency, *each);
  return latency;
}

/* What the last sink has set holds on. */
static gboolean
follow_latencies (Memory * memory)
{
  GstClockTime latency = smallest_latency (memory, GST_CLOCK_TIME_NONE);

  if (!GST_CLOCK_TIME_IS_VALID (latency) || latency == memory->latency)
    return FALSE;
  memory->latency = latency;
  return TRUE;
}

void
encoder_settings_improve (GstElement * encoder, GstClockTime latency)
{
  Memory *memory = memory_of (encoder);

  g_mutex_lock (&memory->lock);
  latency = memory->latency = smallest_latency (memory, latency);
  g_mutex_unlock (&memory->lock);
  improve_all (encoder, latency, memory);
  memory_unref (memory);
}

void
encoder_settings_join (GstElement * encoder, gconstpointer claimant, GstClockTime latency)
{
  Memory *memory = memory_of (encoder);
  gboolean changed;

  g_mutex_lock (&memory->lock);
  g_hash_table_insert (memory->latencies, (gpointer) claimant, g_memdup2 (&latency,
          sizeof latency));
  changed = follow_latencies (memory);
  g_mutex_unlock (&memory->lock);
  if (changed)
    encoder_settings_renew (encoder);
  memory_unref (memory);
}

static void
renew_late (GstElement * encoder, gpointer data)
{
  encoder_settings_renew (encoder);
}

void
encoder_settings_leave (GstElement * encoder, gconstpointer claimant)
{
  Memory *memory = memory_of (encoder);
  gboolean changed;

  g_mutex_lock (&memory->lock);
  g_hash_table_remove (memory->latencies, claimant);
  changed = follow_latencies (memory);
  g_mutex_unlock (&memory->lock);
  if (changed)
    gst_element_call_async (encoder, renew_late, NULL, NULL);
  memory_unref (memory);
}

void
encoder_settings_renew (GstElement * encoder)
{
  Memory *memory = memory_of (encoder);
  GstClockTime latency;

  g_mutex_lock (&memory->lock);
  latency = memory->latency;
  g_mutex_unlock (&memory->lock);
  if (latency > 0)
    improve_all (encoder, latency, memory);
  memory_unref (memory);
}

gchar *
encoder_settings_line (GstElement * encoder, GstClockTime latency)
{
  GString *line = g_string_new (factory_name (encoder));
  gsize bare = line->len;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_pattern_match_simple (settings[i].glob, factory_name (encoder))
        && g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), settings[i].property)) {
      gchar *better = better_text (&settings[i], encoder, latency);

      if (!g_str_equal (better, settings[i].usual))
        g_string_append_printf (line, " %s=%s", settings[i].property, better);
      g_free (better);
    }
  return g_string_free (line, line->len == bare);
}

static gboolean
trap_matches (const EncoderTrap * trap, const gchar * text)
{
  if (trap->value[0] == '!')
    return strcmp (trap->value + 1, text) != 0;
  return strcmp (trap->value, text) == 0;
}

static gchar *
trap_sentence (const EncoderTrap * trap, GstElement * element)
{
  gchar *text = property_as_text (element, trap->property), *sentence = NULL;

  if (text != NULL && trap_matches (trap, text))
    sentence = g_strdup_printf ("%s does not follow a changing bitrate with %s=%s: set %s "
        "before it starts", GST_OBJECT_NAME (element), trap->property, text, trap->advice);
  g_free (text);
  return sentence;
}

gchar *
encoder_settings_why_stuck (GstElement * encoder)
{
  gchar *sentence = NULL;
  guint i;

  for (i = 0; sentence == NULL && i < G_N_ELEMENTS (traps); i++) {
    if (g_pattern_match_simple (traps[i].glob, factory_name (encoder)))
      sentence = trap_sentence (&traps[i], encoder);
  }
  return sentence;
}

static gboolean
is_best (const EncoderSetting * setting, GstElement * encoder, GstClockTime latency)
{
  gchar *better = better_text (setting, encoder, latency);
  gboolean best = g_str_equal (better, setting->usual);

  g_free (better);
  return best;
}

gchar *
encoder_settings_why_badly (GstElement * encoder, GstClockTime latency)
{
  gchar *line, *sentence = NULL;
  guint i;

  for (i = 0; sentence == NULL && i < G_N_ELEMENTS (settings); i++) {
    if (!is_usual (&settings[i], encoder) || is_best (&settings[i], encoder, latency))
      continue;
    line = encoder_settings_line (encoder, latency);
    sentence = g_strdup_printf ("%s runs already and follows its bitrate badly with %s=%s: "
        "write %s", GST_OBJECT_NAME (encoder), settings[i].property, settings[i].usual, line);
    g_free (line);
  }
  return sentence;
}
