/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A program that has the plugin inside, as gst-full has. */
#include "claim.h"

GST_PLUGIN_STATIC_DECLARE (arc);

CLAIM (test_elements_are_there_after_static_registration)
{
  static const gchar *const names[] = { "arcreceiver", "arcscale", "arcsrc", "rampscheduler",
    "rcprelay", "rmcsink", "rtparcbwe"
  };
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (), "arc");

  /* This machine may have it installed, too. */
  if (plugin) {
    gst_registry_remove_plugin (gst_registry_get (), plugin);
    gst_object_unref (plugin);
  }
  GST_PLUGIN_STATIC_REGISTER (arc);
  plugin = gst_registry_find_plugin (gst_registry_get (), "arc");
  fail_unless (plugin != NULL);
  fail_unless (gst_plugin_get_filename (plugin) == NULL);
  gst_object_unref (plugin);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);

    fail_unless (element != NULL, "no %s", names[i]);
    gst_object_unref (element);
  }
}
