/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encodersettings.h"

#include <string.h>

/* Values as gst-launch-1.0 writes them. */
typedef struct
{
  const gchar *glob, *property;
  const gchar *usual;           /* what the user left alone */
  const gchar *better;
  gboolean running;             /* takes effect while it runs too */
} EncoderSetting;

static const EncoderSetting settings[] = {
  /* A keyframe is no larger than what leaves in 200 ms. */
  {"x264enc", "vbv-buf-capacity", "600", "200", TRUE},
  /* It begins anew with each bitrate and forgets the frames that it was looking at. */
  {"x265enc", "tune", "ssim", "zerolatency", FALSE},
  /* Frames; by itself as many as from keyframe to keyframe. */
  {"theoraenc", "rate-buffer", "0", "12", FALSE},
  /* 0.1 to 1.3 times the bitrate with vbr; the buffer of 6 s lets a fall pass for as long. */
  {"vp?enc", "end-usage", "vbr", "cbr", TRUE},
  {"vp?enc", "buffer-size", "6000", "500", TRUE},
  {"vp?enc", "buffer-initial-size", "4000", "300", TRUE},
  {"vp?enc", "buffer-optimal-size", "5000", "400", TRUE},
  /* A frame a second is not live. */
  {"vp?enc", "deadline", "1000000", "1", TRUE},
  {"vp8enc", "cpu-used", "0", "4", TRUE},
  {"vp9enc", "cpu-used", "0", "7", TRUE},
  {"vp9enc", "lag-in-frames", "25", "0", FALSE}, /* a second of frames at the bitrate of before */
  {"av1enc", "usage-profile", "good-quality", "realtime", FALSE},
  {"av1enc", "cpu-used", "0", "8", FALSE},
  {"av1enc", "end-usage", "vbr", "cbr", FALSE},
  {"av1enc", "max-quantizer", "0", "56", FALSE},
  {"av1enc", "buf-sz", "6000", "500", FALSE},
  {"av1enc", "buf-initial-sz", "4000", "300", FALSE},
  {"av1enc", "buf-optimal-sz", "5000", "400", FALSE},
  {"av1enc", "keyframe-max-dist", "30", "300", FALSE},  /* each is ten frames large */
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
  {"x264enc", "vbv-buf-capacity", "0", "vbv-buf-capacity=200"},
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

static gboolean
is_running (GstElement * element)
{
  return GST_STATE (element) >= GST_STATE_PAUSED;
}

void
encoder_settings_improve (GstElement * encoder)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (settings); i++) {
    const EncoderSetting *setting = &settings[i];

    if ((is_running (encoder) && !setting->running) || !is_usual (setting, encoder))
      continue;
    GST_INFO_OBJECT (encoder,
        "%s=%s, so that it follows its bitrate", setting->property, setting->better);
    gst_util_set_object_arg (G_OBJECT (encoder), setting->property, setting->better);
  }
}

gchar *
encoder_settings_line (GstElement * encoder)
{
  GString *line = g_string_new (factory_name (encoder));
  gsize bare = line->len;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_pattern_match_simple (settings[i].glob, factory_name (encoder))
        && g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), settings[i].property))
      g_string_append_printf (line, " %s=%s", settings[i].property, settings[i].better);
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

gchar *
encoder_settings_why_badly (GstElement * encoder)
{
  gchar *line, *sentence = NULL;
  guint i;

  for (i = 0; sentence == NULL && i < G_N_ELEMENTS (settings); i++) {
    if (!is_usual (&settings[i], encoder))
      continue;
    line = encoder_settings_line (encoder);
    sentence = g_strdup_printf ("%s runs already and follows its bitrate badly with %s=%s: "
        "write %s", GST_OBJECT_NAME (encoder), settings[i].property, settings[i].usual, line);
    g_free (line);
  }
  return sentence;
}
