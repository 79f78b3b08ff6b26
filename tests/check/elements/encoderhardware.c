/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Encoders of hardware that the machine lacks, played by elements of their names: which property is
 * set in which unit, who is asked for keyframes how, and the rows that users add
 * (gst/encoder/encodertable.c). */
#include "encoderratefixture.h"

#include <encoder/encodertable.h>
#include <encoder/encodertable.h>

typedef struct
{
  GstElement parent;
  guint bitrate, target_bitrate, bps, average_bitrate;
  guint n_keyframes;
} Hardware;
typedef GstElementClass HardwareClass;

enum
{
  HARDWARE_0, HARDWARE_BITRATE, HARDWARE_TARGET, HARDWARE_BPS, HARDWARE_AVERAGE
};

static GType hardware_get_type (void);
G_DEFINE_TYPE (Hardware, hardware, GST_TYPE_ELEMENT);

static guint *
place_of (GObject * object, guint id)
{
  Hardware *self = (Hardware *) object;
  guint *places[] = { NULL, &self->bitrate, &self->target_bitrate, &self->bps,
    &self->average_bitrate
  };

  return places[id];
}

static void
hardware_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  *place_of (object, id) = g_value_get_uint (value);
}

static void
hardware_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  g_value_set_uint (value, *place_of (object, id));
}

static void
make_idr (GstElement * element)
{
  ((Hardware *) element)->n_keyframes++;
}

static void
hardware_init (Hardware * self)
{
  gst_element_add_pad (GST_ELEMENT (self), gst_pad_new ("src", GST_PAD_SRC));
}

static void
hardware_class_init (HardwareClass * klass)
{
  static const gchar *const names[] = { NULL, "bitrate", "target-bitrate", "bps",
    "average-bitrate"
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = hardware_set_property;
  object_class->get_property = hardware_get_property;
  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    g_object_class_install_property (object_class, i, g_param_spec_uint (names[i], "", "", 0,
            G_MAXINT, 0, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_signal_new_class_handler ("force-IDR", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (make_idr), NULL, NULL, NULL, G_TYPE_NONE, 0);
  gst_element_class_set_static_metadata (klass, "hardware", "Codec/Encoder/Video", "fake", "fake");
  gst_element_class_add_pad_template (klass,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_CAPS_ANY));
}

static void
camera_class_init (gpointer klass, gpointer data)
{
  gst_element_class_set_static_metadata (klass, "camera", "Source/Video", "fake", "fake");
}

static const struct
{
  const gchar *factory, *property;
  guint value_of_800_kbps;
  EncoderHow how;
} rows[] = {
  {"nvv4l2fakeenc", "bitrate", 800000},
  {"nvfakeenc", "bitrate", 800},
  {"vafakelpenc", "bitrate", 800, ENCODER_REOPENS},
  {"qsvfakeenc", "bitrate", 800},
  {"amffakeenc", "bitrate", 800},
  {"vulkanfakeenc", "bitrate", 800},
  {"d3d12fakeenc", "bitrate", 800},
  {"msdkfakeenc", "bitrate", 800},
  {"vtenc_fake", "bitrate", 800},
  {"amcvidenc-fake", "bitrate", 800000},
  {"mppfakeenc", "bps", 800000},
  {"qtic2venc", "target-bitrate", 800000},
  {"omxfakeenc", "target-bitrate", 800000},
  {"vpuenc_fake", "bitrate", 800},
  {"imxvpuenc_fake", "bitrate", 800},
  {"v4l2fakeh264enc", "bitrate", 800000},       /* since 1.30 */
  {"uvch264src", "average-bitrate", 800000},
  {"rpicamsrc", "bitrate", 800000},
  {"strangeenc", NULL},
};

/* Once a process; a class remembers one factory. */
BEFORE_EACH
{
  if (g_type_from_name ("Hardware-nvfakeenc") != 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    gboolean camera = g_str_has_suffix (rows[i].factory, "src");
    g_autofree gchar *name = g_strconcat ("Hardware-", rows[i].factory, NULL);
    GType type = g_type_register_static_simple (hardware_get_type (), name,
        sizeof (HardwareClass), camera ? camera_class_init : NULL, sizeof (Hardware), NULL, 0);

    fail_unless (gst_element_register (NULL, rows[i].factory, GST_RANK_NONE, type));
  }
}

CLAIMS (test_each_row_sets_its_property_in_its_unit, G_N_ELEMENTS (rows) - 1)
{
  AT_END (fixture_free) Fixture f = fixture_of_encoder (rows[__i__].factory);
  g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (f.pipeline), "e");

  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_row_lookup (encoder)->how, rows[__i__].how);
  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", rows[__i__].property),
      rows[__i__].value_of_800_kbps);
}

CLAIM (test_keyframes_are_asked_for_by_the_signal_where_the_event_is_none)
{
  AT_END (fixture_free) Fixture deaf = fixture_of_encoder ("nvv4l2fakeenc"),
      other = fixture_of_encoder ("nvfakeenc");
  Hardware *a = (Hardware *) gst_bin_get_by_name (GST_BIN (deaf.pipeline), "e");
  Hardware *b = (Hardware *) gst_bin_get_by_name (GST_BIN (other.pipeline), "e");

  encoder_rate_make_keyframes (deaf.rate);
  encoder_rate_make_keyframes (other.rate);
  fail_unless_equals_int (a->n_keyframes, 1);
  fail_unless_equals_int (b->n_keyframes, 0);
  gst_object_unref (a);
  gst_object_unref (b);
}

CLAIM (test_a_row_of_the_user_makes_an_encoder_follow)
{
  Fixture f = fixture_of_encoder ("strangeenc");

  fail_unless (f.result != ENCODER_RATE_OK);
  fixture_free (&f);
  fail_unless (encoder_map_add ("otherenc,bitrate,bit;strangeenc, bps ,kbit,restarts") == NULL);
  f = fixture_of_encoder ("strangeenc");
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", "bps"), 800);
  fixture_free (&f);
}

CLAIM (test_a_row_of_the_user_says_that_an_encoder_goes_by_its_caps)
{
  g_autoptr (GstElement) encoder = NULL;
  AT_END (fixture_free) Fixture f;

  fail_unless (encoder_map_add ("strangeenc,bps,kbit,caps,restarts") == NULL);
  f = fixture_of_encoder ("strangeenc");
  encoder = gst_bin_get_by_name (GST_BIN (f.pipeline), "e");
  fail_unless (encoder_row_lookup (encoder)->by_caps);
  fail_unless_equals_int (encoder_row_lookup (encoder)->how, ENCODER_REOPENS);
}

static const gchar *const wrong[] = { "myenc", "myenc,bitrate", "myenc,bitrate,byte",
  "myenc,,kbit", "myenc,bitrate,kbit,sometimes", "a,bitrate,bit;", "myenc,bitrate,kbit,caps,caps"
};

CLAIMS (test_a_wrong_map_is_refused_with_an_example, G_N_ELEMENTS (wrong))
{
  g_autofree gchar *sentence = encoder_map_add (wrong[__i__]);

  fail_unless (sentence && strstr (sentence, "myenc,bitrate,kbit"), "%s", sentence);
}
