/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/payloaders.h"

/* makes: NULL: anything. Who says what it makes gets elements of no rank as well: rtpgstpay. */
static GstElement *
make (GstElementFactoryListType type, const GstCaps * takes, const GstCaps * makes)
{
  GList *all = gst_element_factory_list_get_elements (type,
      makes ? GST_RANK_NONE : GST_RANK_MARGINAL);
  GList *take = gst_element_factory_list_filter (all, takes, GST_PAD_SINK, FALSE);
  GList *fit = makes ? gst_element_factory_list_filter (take, makes, GST_PAD_SRC, FALSE)
      : gst_plugin_feature_list_copy (take);
  GstElement *found = NULL;

  fit = g_list_sort (fit, gst_plugin_feature_rank_compare_func);
  if (fit)
    found = gst_element_factory_create (fit->data, NULL);
  gst_plugin_feature_list_free (fit);
  gst_plugin_feature_list_free (take);
  gst_plugin_feature_list_free (all);
  return found;
}

GstElement *
payloader_new (const GstCaps * caps, const GstCaps * rtp)
{
  GstElement *payloader = make (GST_ELEMENT_FACTORY_TYPE_PAYLOADER, caps, rtp);
  GObjectClass *klass = payloader ? G_OBJECT_GET_CLASS (payloader) : NULL;
  GParamSpec *interval = klass ? g_object_class_find_property (klass, "config-interval") : NULL;

  if (interval)                 /* that of rtpgstpay is in seconds only */
    g_object_set (payloader, "config-interval", G_IS_PARAM_SPEC_UINT (interval) ? 1 : -1, NULL);
  if (klass && g_object_class_find_property (klass, "aggregate-mode"))
    gst_util_set_object_arg (G_OBJECT (payloader), "aggregate-mode", "zero-latency");
  return payloader;
}

GstElement *
depayloader_new (const GstCaps * caps)
{
  return make (GST_ELEMENT_FACTORY_TYPE_DEPAYLOADER, caps, NULL);
}
