/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A stand-in for encoders of hardware that the machine lacks: registered under names that their
 * rows match. It has every sort of bitrate property at once. */
#pragma once

#include "claim.h"
typedef struct
{
  GstElement parent;
  guint bitrate;
  guint64 target_bitrate;
  gchar *rate_control;
} FakeEncoder;
typedef GstElementClass FakeEncoderClass;

enum
{
  PROP_0, PROP_BITRATE, PROP_TARGET_BITRATE, PROP_RATE_CONTROL
};

#define FAKE_MAX_KBPS 500

static GType fake_encoder_get_type (void);
G_DEFINE_TYPE (FakeEncoder, fake_encoder, GST_TYPE_ELEMENT);

static void
fake_encoder_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  FakeEncoder *self = (FakeEncoder *) object;

  GST_OBJECT_LOCK (self);
  if (id == PROP_BITRATE) {
    self->bitrate = g_value_get_uint (value);
  } else if (id == PROP_TARGET_BITRATE) {
    self->target_bitrate = g_value_get_uint64 (value);
  } else {
    g_free (self->rate_control);
    self->rate_control = g_value_dup_string (value);
  }
  GST_OBJECT_UNLOCK (self);
}

static void
fake_encoder_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  FakeEncoder *self = (FakeEncoder *) object;

  GST_OBJECT_LOCK (self);
  if (id == PROP_BITRATE)
    g_value_set_uint (value, self->bitrate);
  else if (id == PROP_TARGET_BITRATE)
    g_value_set_uint64 (value, self->target_bitrate);
  else
    g_value_set_string (value, self->rate_control);
  GST_OBJECT_UNLOCK (self);
}

static void
fake_encoder_finalize (GObject * object)
{
  g_free (((FakeEncoder *) object)->rate_control);
  G_OBJECT_CLASS (fake_encoder_parent_class)->finalize (object);
}

static void
fake_encoder_init (FakeEncoder * self)
{
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("sink", GST_PAD_SINK));
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src", GST_PAD_SRC));
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src2", GST_PAD_SRC));
}

static void
fake_encoder_class_init (FakeEncoderClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = fake_encoder_set_property;
  object_class->get_property = fake_encoder_get_property;
  object_class->finalize = fake_encoder_finalize;
  g_object_class_install_property (object_class, PROP_BITRATE,
      g_param_spec_uint ("bitrate", "", "", 0, FAKE_MAX_KBPS, 0, flags));
  g_object_class_install_property (object_class, PROP_TARGET_BITRATE,
      g_param_spec_uint64 ("target-bitrate", "", "", 0, G_MAXUINT64, 0, flags));
  g_object_class_install_property (object_class, PROP_RATE_CONTROL,
      g_param_spec_string ("rate-control", "", "", NULL, flags));
  gst_element_class_set_static_metadata (klass, "fake", "Codec/Encoder/Video", "fake", "fake");
  gst_element_class_add_pad_template (klass,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_CAPS_ANY));
  gst_element_class_add_pad_template (klass,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
}

/* V4L2 encoders before GStreamer 1.30: a structure, and no bitrate. */
typedef struct
{
  GstElement parent;
  GstStructure *controls;
} FakeV4l2;
typedef GstElementClass FakeV4l2Class;

static GType fake_v4l2_get_type (void);
G_DEFINE_TYPE (FakeV4l2, fake_v4l2, GST_TYPE_ELEMENT);

static void
fake_v4l2_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  FakeV4l2 *self = (FakeV4l2 *) object;

  g_clear_pointer (&self->controls, gst_structure_free);
  self->controls = g_value_dup_boxed (value);
}

static void
fake_v4l2_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  g_value_set_boxed (value, ((FakeV4l2 *) object)->controls);
}

static void
fake_v4l2_finalize (GObject * object)
{
  g_clear_pointer (&((FakeV4l2 *) object)->controls, gst_structure_free);
  G_OBJECT_CLASS (fake_v4l2_parent_class)->finalize (object);
}

static void
fake_v4l2_init (FakeV4l2 * self)
{
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src", GST_PAD_SRC));
}

static void
fake_v4l2_class_init (FakeV4l2Class * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = fake_v4l2_set_property;
  object_class->get_property = fake_v4l2_get_property;
  object_class->finalize = fake_v4l2_finalize;
  g_object_class_install_property (object_class, 1, g_param_spec_boxed ("extra-controls", "", "",
          GST_TYPE_STRUCTURE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gst_element_class_set_static_metadata (klass, "fake", "Codec/Encoder/Video", "fake", "fake");
  gst_element_class_add_pad_template (klass,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
}

/* A bin that calls itself an encoder, as wrappers of encoders do. */
static void
encoder_bin_class_init (gpointer klass, gpointer data)
{
  gst_element_class_set_static_metadata (klass, "bin", "Codec/Encoder/Video", "fake", "fake");
}

/* Once a process: without forks it runs before each test. */
static inline void
fake_encoder_register (void)
{
  static const gchar *const names[] = { "nvfakeh264enc", "vafakeh264enc", "omxfakeh264enc",
      "unheardofenc" };
  GType type;

  if (g_type_from_name ("EncoderBin") != 0)
    return;
  type = g_type_register_static_simple (GST_TYPE_BIN,
      "EncoderBin", sizeof (GstBinClass), encoder_bin_class_init, sizeof (GstBin), NULL, 0);
  fail_unless (gst_element_register (NULL, "encoderbin", GST_RANK_NONE, type));
  fail_unless (gst_element_register (NULL, "v4l2fakeh264enc", GST_RANK_NONE,
          fake_v4l2_get_type ()));
  /* A class remembers one factory: each name needs a class of its own. */
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    type = g_type_register_static_simple (fake_encoder_get_type (), names[i],
        sizeof (FakeEncoderClass), NULL, sizeof (FakeEncoder), NULL, 0);
    fail_unless (gst_element_register (NULL, names[i], GST_RANK_NONE, type));
  }
}
