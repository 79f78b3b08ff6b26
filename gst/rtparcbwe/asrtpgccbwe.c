/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The element under the name of rtpgccbwe, when the user asks for it.
 *
 * Problem: webrtcsink of gst-plugins-rs makes its controller by the name `rtpgccbwe`, and offers no
 * choice. Rule: with GST_ARC_AS_RTPGCCBWE=1 in the environment the plugin gives that name to an
 * rtparcbwe as well. It is off by default, because the name belongs to another project. Users of
 * that name set the encoders on notify::estimated-bitrate, so `adapt-encoder` is off there.
 * The registry is rebuilt when the variable changes. */

#include "gstrtparcbweprivate.h"

#define VARIABLE "GST_ARC_AS_RTPGCCBWE"

static void
as_rtpgccbwe_init (GTypeInstance * instance, gpointer klass)
{
  GST_RTP_ARC_BWE_CAST (instance)->host.settings.adapt_encoder = FALSE;
}

gboolean
gst_rtp_arc_bwe_register_as_rtpgccbwe (GstPlugin * plugin)
{
  GType type;

  gst_plugin_add_dependency_simple (plugin, VARIABLE, NULL, NULL, GST_PLUGIN_DEPENDENCY_FLAG_NONE);
  if (g_strcmp0 (g_getenv (VARIABLE), "1") != 0)
    return TRUE;
  type = g_type_register_static_simple (GST_TYPE_RTP_ARC_BWE, "GstRtpArcBweAsGcc",
      sizeof (GstRtpArcBweClass), NULL, sizeof (GstRtpArcBwe), as_rtpgccbwe_init, 0);
  return gst_element_register (plugin, "rtpgccbwe", GST_RANK_NONE, type);
}
