/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "monitor/snapshot.h"

#include "base/fields.h"
#include "encoder/encoderwalk.h"

#include <gst/arc/arc.h>
#include <gst/video/video.h>

static gboolean
has (GstElement * element, const gchar * property)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (element), property) != NULL;
}

/* Of the other end; of arcsrc, which has no host as long as it does not call, its own. */
static gchar *
get_host (GstElement * element)
{
  gchar *host = NULL;

  if (has (element, "host"))
    g_object_get (element, "host", &host, NULL);
  if (!host && has (element, "address"))
    g_object_get (element, "address", &host, NULL);
  return host;
}

static void
add_address (GstElement * element, GstStructure * s)
{
  const gchar *port_name = has (element, "host-port") ? "host-port" : "port";
  gchar *host, *address;
  guint port = 0;

  if (!has (element, port_name) || (!has (element, "host") && !has (element, "address")))
    return;
  g_object_get (element, port_name, &port, NULL);
  host = get_host (element);
  address = g_strdup_printf (host && strchr (host, ':') ? "[%s]:%u" : "%s:%u", host ? host : "",
      port);
  gst_structure_set (s, "address", G_TYPE_STRING, address, NULL);
  g_free (address);
  g_free (host);
}

static void
add_pipeline (GstElement * element, GstStructure * s)
{
  GstObject *top = gst_object_ref (GST_OBJECT (element)), *parent;
  gchar *name;

  while ((parent = gst_object_get_parent (top)) != NULL) {
    gst_object_unref (top);
    top = parent;
  }
  name = gst_object_get_name (top);
  gst_structure_set (s, "pipeline", G_TYPE_STRING, name, NULL);
  g_free (name);
  gst_object_unref (top);
}

/* The next one above with statistics, such as the server around a ladder. */
static void
add_owner (GstElement * element, GstStructure * s)
{
  GstObject *owner = gst_object_get_parent (GST_OBJECT (element)), *above;

  while (owner && !has (GST_ELEMENT (owner), "stats")) {
    above = gst_object_get_parent (owner);
    gst_object_unref (owner);
    owner = above;
  }
  if (owner)
    gst_structure_set (s, "owner", G_TYPE_STRING, GST_OBJECT_NAME (owner), NULL);
  gst_clear_object (&owner);
}

typedef struct
{
  const gchar *pad, *encoder;
  guint width, height;
  gdouble framerate;
} Frames;

static const FieldRow frames_fields[] = {
  FIELD_TEXT (Frames, pad, "pad", "of our element"),
  FIELD_TEXT (Frames, encoder, "encoder", "that the frames go into"),
  FIELD_GAUGE (Frames, width, "width", "pixels", "of the frames"),
  FIELD_GAUGE (Frames, height, "height", "pixels", "of the frames"),
  FIELD_GAUGE (Frames, framerate, "framerate", "frames/s", "as negotiated"),
  {NULL}
};

/* The frames that go into a video encoder now; FALSE for others. */
static gboolean
take_frames (GstElement * encoder, const gchar * pad_name, GValue * frames)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstCaps *caps = pad ? gst_pad_get_current_caps (pad) : NULL;
  GstVideoInfo info;
  gboolean video = caps != NULL && gst_video_info_from_caps (&info, caps);

  if (video) {
    GstStructure *s = gst_structure_new_empty ("frames");
    Frames values = {.pad = pad_name,.encoder = GST_OBJECT_NAME (encoder),
      .width = (guint) GST_VIDEO_INFO_WIDTH (&info),.height = (guint) GST_VIDEO_INFO_HEIGHT (&info),
      .framerate = (gdouble) GST_VIDEO_INFO_FPS_N (&info) / MAX (GST_VIDEO_INFO_FPS_D (&info), 1)
    };
    GValue value = G_VALUE_INIT;

    fields_add (s, frames_fields, &values);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, s);
    gst_value_array_append_and_take_value (frames, &value);
  }
  gst_clear_caps (&caps);
  gst_clear_object (&pad);
  return video;
}

static gboolean
add_frames_of (GstElement * element, GstPad * pad, gpointer frames)
{
  EncoderWalk walk = encoder_walk (pad);
  gchar *name = gst_object_get_name (GST_OBJECT (pad));
  guint i;

  for (i = 0; i < walk.encoders->len; i++)
    take_frames (g_ptr_array_index (walk.encoders, i), name, frames);
  g_free (name);
  g_ptr_array_unref (walk.encoders);
  return TRUE;
}

static void
add_frames (GstElement * element, GstStructure * s)
{
  GValue frames = G_VALUE_INIT;

  g_value_init (&frames, GST_TYPE_ARRAY);
  gst_element_foreach_sink_pad (element, add_frames_of, &frames);
  gst_structure_take_value (s, "frames", &frames);
}

/* What the numbers of the statistics and of the frames are. */
static void
add_kinds (GstElement * element, GstStructure * s)
{
  static const FieldStructure frames[] = { {"frames", "", {frames_fields}}, {NULL} };
  const gchar *kinds_of_stats = fields_kinds_of (G_OBJECT_TYPE (element));
  gchar *kinds_of_frames = fields_kinds (frames);
  gchar *kinds = g_strconcat (kinds_of_frames, kinds_of_stats ? "+" : NULL, kinds_of_stats, NULL);

  gst_structure_set (s, "fields", G_TYPE_STRING, kinds, NULL);
  g_free (kinds);
  g_free (kinds_of_frames);
}

GstStructure *
snapshot_new (GstElement * element)
{
  GstStructure *s, *stats = NULL;
  gchar *name = gst_object_get_name (GST_OBJECT (element));
  GstPluginFeature *factory = GST_PLUGIN_FEATURE (gst_element_get_factory (element));

  s = gst_structure_new (GST_ARC_MONITOR_SNAPSHOT, "element", G_TYPE_STRING, name,
      "factory", G_TYPE_STRING, gst_plugin_feature_get_name (factory),
      "element-state", G_TYPE_STRING, gst_element_state_get_name (GST_STATE (element)),
      "at", G_TYPE_UINT64, (guint64) g_get_monotonic_time () * GST_USECOND, NULL);
  g_free (name);
  add_pipeline (element, s);
  add_owner (element, s);
  add_address (element, s);
  add_frames (element, s);
  add_kinds (element, s);
  g_object_get (element, "stats", &stats, NULL);
  if (stats != NULL)
    gst_structure_set (s, "stats", GST_TYPE_STRUCTURE, stats, NULL);
  g_clear_pointer (&stats, gst_structure_free);
  return s;
}
