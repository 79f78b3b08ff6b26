/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encodertable.h"
#include "encoder/encoderquality.h"

#define BIT 1
#define KBIT 1000

/* Below it vp8enc, which keeps kbit/s behind a property in bit/s, rounds to 0: automatic. */
#define MIN_BPS 1000

/* V4L2 encoders have no bitrate property: it is a control, in a structure. */
#define V4L2_PROPERTY "extra-controls"
#define V4L2_FIELD "video_bitrate"

/* The first match counts whose property is there. How an encoder takes a change, and by what it
 * goes, was measured with GStreamer 1.22 where it could be run (docs/guide/encoders.md), and else
 * read from its source or documentation. Of hardware `by_caps` are those whose interface takes a
 * frame rate for its rate control, and no times of frames. */
static const EncoderRow table[] = {
  /* software video */
  {"x264enc", "bitrate", KBIT,.by_caps = TRUE},
  {"x265enc", "bitrate", KBIT, ENCODER_REOPENS,.by_caps = TRUE},
  {"openh264enc", "bitrate", BIT},
  {"vp8enc", "target-bitrate", BIT},
  {"vp9enc", "target-bitrate", BIT},
  {"av1enc", "target-bitrate", KBIT},
  {"svtav1enc", "target-bitrate", KBIT, ENCODER_FIXED},
  {"rav1enc", "bitrate", BIT, ENCODER_FIXED},
  {"theoraenc", "bitrate", KBIT,.by_caps = TRUE},
  {"jpegenc", "quality", BIT, ENCODER_QUALITY},
  {"openjpegenc", NULL, BIT, ENCODER_CONSTANT}, /* JPEG 2000 without loss */
  {"mpeg2enc", "bitrate", KBIT, ENCODER_FIXED},
  {"avenc_*", "bitrate", BIT, ENCODER_FIXED},    /* libav takes no property once it is open */

  /* hardware video: h264, h265, av1, vp8, vp9 alike, with or without a device in the name. Where
   * each is documented: docs/guide/hardware-encoders.md. */
  /* Jetson, DeepStream */
  {"nvv4l2*enc", "bitrate", BIT, ENCODER_FOLLOWS, "force-IDR",.by_caps = TRUE},
  /* nvh264enc, nvcudah265enc, nvautogpuh264enc ... */
  {"nv*enc", "bitrate", KBIT,.by_caps = TRUE},
  {"vulkan*enc", "bitrate", KBIT,.by_caps = TRUE},
  {"d3d12*enc", "bitrate", KBIT,.by_caps = TRUE},
  /* vah264enc, vah264lpenc, varenderD129h264enc, vaapih264enc ... */
  {"va*enc", "bitrate", KBIT, ENCODER_REOPENS,.by_caps = TRUE},
  {"msdk*enc", "bitrate", KBIT,.by_caps = TRUE},
  {"qsv*enc", "bitrate", KBIT,.by_caps = TRUE},
  {"amf*enc", "bitrate", KBIT,.by_caps = TRUE},
  {"mfaacenc", "bitrate", BIT, ENCODER_FIXED},
  {"mf*enc", "bitrate", KBIT, ENCODER_FIXED},
  {"vtenc_*", "bitrate", KBIT},
  {"omx*enc", "target-bitrate", BIT},
  {"amcvidenc-*", "bitrate", BIT},      /* Android; factories have the codec's name behind it */
  {"mpp*enc", "bps", BIT,.by_caps = TRUE},      /* Rockchip */
  {"qtic2venc", "target-bitrate", BIT}, /* Qualcomm */
  {"vpuenc_*", "bitrate", KBIT},        /* NXP's own plugin for i.MX */
  {"imxvpuenc_*", "bitrate", KBIT},     /* gstreamer-imx */
  /* since 1.30 with a property, which counts first */
  {"v4l2*h26?enc", "bitrate", BIT,.by_caps = TRUE},
  {"v4l2*vp?enc", "bitrate", BIT,.by_caps = TRUE},
  {"v4l2*mpeg4enc", "bitrate", BIT,.by_caps = TRUE},
  {"v4l2*h26?enc", V4L2_PROPERTY, BIT,.by_caps = TRUE},
  {"v4l2*vp?enc", V4L2_PROPERTY, BIT,.by_caps = TRUE},
  {"v4l2*mpeg4enc", V4L2_PROPERTY, BIT,.by_caps = TRUE},

  /* cameras that encode */
  {"uvch264src", "average-bitrate", BIT, ENCODER_FOLLOWS, NULL, TRUE},
  {"rpicamsrc", "bitrate", BIT, ENCODER_FOLLOWS, NULL, TRUE},

  /* audio */
  {"opusenc", "bitrate", BIT},
  {"voaacenc", "bitrate", BIT, ENCODER_FIXED},
  {"fdkaacenc", "bitrate", BIT, ENCODER_FIXED},
  {"faac", "bitrate", BIT, ENCODER_FIXED},
  {"lamemp3enc", "bitrate", KBIT, ENCODER_FIXED},
  {"twolamemp2enc", "bitrate", KBIT, ENCODER_FIXED},
  {"vorbisenc", "bitrate", BIT, ENCODER_FIXED},
  {"speexenc", "bitrate", BIT, ENCODER_FIXED},
};

/* --- rows that users add --- */

#define LEAST_FIELDS 3

static GMutex lock;             /* of what is added */
static GSList *added;           /* of EncoderRow, the latest first; not freed: claims have them */

static const EncoderRow *
lookup_added (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  const EncoderRow *found = NULL;

  if (!factory)
    return NULL;
  g_mutex_lock (&lock);
  for (GSList * each = added; each && !found; each = each->next)
    if (g_str_equal (((EncoderRow *) each->data)->glob, GST_OBJECT_NAME (factory)))
      found = each->data;
  g_mutex_unlock (&lock);
  return found;
}

/* Each once at most. */
static gboolean
read_word (const gchar * word, EncoderRow * row)
{
  if (g_str_equal (word, "restarts") && row->how == ENCODER_FOLLOWS) {
    row->how = ENCODER_REOPENS;
    return TRUE;
  }
  if (g_str_equal (word, "caps") && !row->by_caps) {
    row->by_caps = TRUE;
    return TRUE;
  }
  return FALSE;
}

static gboolean
read_row (const gchar * text, EncoderRow * row)
{
  gchar **fields = g_strsplit (text, ",", -1);
  guint n = g_strv_length (fields);
  gboolean valid = n >= LEAST_FIELDS;

  for (guint i = 0; i < n; i++)
    valid &= *g_strstrip (fields[i]) != '\0';
  if (valid) {
    gboolean kbit = g_str_equal (fields[2], "kbit");

    *row = (EncoderRow) {.glob = g_intern_string (fields[0]),
      .property = g_intern_string (fields[1]),.bps_per_unit = kbit ? 1000 : 1,
      .how = ENCODER_FOLLOWS
    };
    valid = kbit || g_str_equal (fields[2], "bit");
    for (guint i = LEAST_FIELDS; i < n; i++)
      valid &= read_word (fields[i], row);
  }
  g_strfreev (fields);
  return valid;
}

static void
add (gpointer row)
{
  g_mutex_lock (&lock);
  added = g_slist_prepend (added, row);
  g_mutex_unlock (&lock);
}

gchar *
encoder_map_add (const gchar * text)
{
  gchar **texts = g_strsplit (text ? text : "", ";", -1), *sentence = NULL;
  guint n = g_strv_length (texts);
  EncoderRow *rows = g_new (EncoderRow, n + 1);

  for (guint i = 0; i < n && !sentence; i++)
    if (!read_row (texts[i], &rows[i]))
      sentence = g_strdup_printf ("encoder-map: “%s” is not FACTORY,PROPERTY,UNIT with the unit "
          "bit or kbit, and behind it \",restarts\" if a new bitrate restarts the encoder, "
          "\",caps\" if it divides by the frame rate of its caps, as in "
          "encoder-map=\"myenc,bitrate,kbit\"", texts[i]);
  for (guint i = 0; i < n && !sentence; i++)
    add (g_memdup2 (&rows[i], sizeof rows[i]));
  g_free (rows);
  g_strfreev (texts);
  return sentence;
}

/* --- lookup --- */

static GstElementFactory *
media_encoder_factory (GstElement * element, GstElementFactoryListType type)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  /* Of bins the encoders within are found. */
  if (factory == NULL || GST_IS_BIN (element))
    return NULL;
  if (!gst_element_factory_list_is_type (factory, type))
    return NULL;
  return factory;
}

/* A camera that has the encoder inside: what its factory says is a source. */
static gboolean
is_camera (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  for (guint i = 0; factory && i < G_N_ELEMENTS (table); i++)
    if (table[i].camera && g_str_equal (table[i].glob, GST_OBJECT_NAME (factory)))
      return TRUE;
  return FALSE;
}

/* Of what users have named the class does not count. */
gboolean
encoder_row_is_encoder (GstElement * element)
{
  return lookup_added (element) || encoder_row_is_video (element) ||
      media_encoder_factory (element, GST_ELEMENT_FACTORY_TYPE_AUDIO_ENCODER) != NULL;
}

gboolean
encoder_row_is_video (GstElement * element)
{
  return media_encoder_factory (element, GST_ELEMENT_FACTORY_TYPE_VIDEO_ENCODER) != NULL
      || is_camera (element) || (lookup_added (element)
      && !media_encoder_factory (element, GST_ELEMENT_FACTORY_TYPE_AUDIO_ENCODER));
}

/* The bounds of an integer property, whatever its width; FALSE: it is no such property. */
static gboolean
integer_range (GParamSpec * pspec, gint64 * min, gint64 * max)
{
  if (G_IS_PARAM_SPEC_INT (pspec)) {
    *min = G_PARAM_SPEC_INT (pspec)->minimum;
    *max = G_PARAM_SPEC_INT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT (pspec)) {
    *min = G_PARAM_SPEC_UINT (pspec)->minimum;
    *max = G_PARAM_SPEC_UINT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_INT64 (pspec)) {
    *min = G_PARAM_SPEC_INT64 (pspec)->minimum;
    *max = G_PARAM_SPEC_INT64 (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT64 (pspec)) {
    *min = MIN (G_PARAM_SPEC_UINT64 (pspec)->minimum, G_MAXINT64);
    *max = MIN (G_PARAM_SPEC_UINT64 (pspec)->maximum, G_MAXINT64);
  } else {
    return FALSE;
  }
  *min = MAX (*min, 1);
  *max = MIN (*max, G_MAXINT64 / KBIT); /* bit/s must fit too */
  return *min <= *max;
}

static gboolean
is_controls (const EncoderRow * row)
{
  return g_strcmp0 (row->property, V4L2_PROPERTY) == 0;
}

static gboolean
has_usable_property (const EncoderRow * row, GstElement * element)
{
  GParamSpec *pspec;
  gint64 min, max;

  if (row->how == ENCODER_CONSTANT)
    return TRUE;
  pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), row->property);
  if (pspec == NULL || !(pspec->flags & G_PARAM_READABLE) || !(pspec->flags & G_PARAM_WRITABLE))
    return FALSE;
  return is_controls (row) ? pspec->value_type == GST_TYPE_STRUCTURE : integer_range (pspec,
      &min, &max);
}

const EncoderRow *
encoder_row_lookup (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  const EncoderRow *mapped = lookup_added (element);
  guint i;

  if (mapped)
    return has_usable_property (mapped, element) ? mapped : NULL;
  for (i = 0; factory != NULL && i < G_N_ELEMENTS (table); i++) {
    if (g_pattern_match_simple (table[i].glob, GST_OBJECT_NAME (factory))
        && has_usable_property (&table[i], element))
      return &table[i];
  }
  return NULL;
}

void
encoder_row_get_range (const EncoderRow * row, GstElement * element, guint64 * min_bps,
    guint64 * max_bps)
{
  gboolean integer = !is_controls (row) && row->how != ENCODER_QUALITY
      && row->how != ENCODER_CONSTANT;
  gint64 min = 1, max = G_MAXINT32;

  if (integer)
    integer_range (g_object_class_find_property (G_OBJECT_GET_CLASS (element), row->property), &min,
        &max);
  *min_bps = MAX ((guint64) min * row->bps_per_unit, MIN_BPS);
  *max_bps = (guint64) max * row->bps_per_unit;
}

static guint64
controls_get_bps (GstElement * element)
{
  GstStructure *controls = NULL;
  gint bps = 0;

  g_object_get (element, V4L2_PROPERTY, &controls, NULL);
  if (controls != NULL) {
    gst_structure_get_int (controls, V4L2_FIELD, &bps);
    gst_structure_free (controls);
  }
  return MAX (bps, 0);
}

/* The other controls that the user set must survive. */
static void
controls_set_bps (GstElement * element, guint64 bps)
{
  GstStructure *controls = NULL;

  g_object_get (element, V4L2_PROPERTY, &controls, NULL);
  if (controls == NULL)
    controls = gst_structure_new_empty ("controls");
  gst_structure_set (controls, V4L2_FIELD, G_TYPE_INT, (gint) bps, NULL);
  g_object_set (element, V4L2_PROPERTY, controls, NULL);
  gst_structure_free (controls);
}

guint64
encoder_row_get_bps (const EncoderRow * row, GstElement * element)
{
  GValue value = G_VALUE_INIT;
  gint64 units;

  if (row->how == ENCODER_QUALITY)
    return encoder_quality_get_bps (element);
  if (row->how == ENCODER_CONSTANT)
    return 0;
  if (is_controls (row))
    return controls_get_bps (element);

  /* g_object_get_property() transforms to the type that we ask for. */
  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (G_OBJECT (element), row->property, &value);
  units = g_value_get_int64 (&value);
  g_value_unset (&value);
  return units > 0 ? (guint64) units * row->bps_per_unit : 0;
}

void
encoder_row_set_bps (const EncoderRow * row, GstElement * element, guint64 bps)
{
  GValue value = G_VALUE_INIT;

  if (row->how == ENCODER_QUALITY) {
    encoder_quality_set_bps (element, row->property, bps);
    return;
  }
  if (is_controls (row)) {
    controls_set_bps (element, bps);
    return;
  }
  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, (gint64) (bps / row->bps_per_unit));
  g_object_set_property (G_OBJECT (element), row->property, &value);
  g_value_unset (&value);
}
