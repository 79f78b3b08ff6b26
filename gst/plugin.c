/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <gst/gst.h>

#include "arcav/gstarcavsink.h"
#include "arcav/gstarcavsrc.h"
#include "arcladder/gstarcladder.h"
#include "arcreceiver/gstarcreceiver.h"
#include "arcscale/gstarcscale.h"
#include "arcserversink/gstarcserversink.h"
#include "arcsrc/gstarcsrc.h"
#include "monitor/gstarcmonitortracer.h"
#include "rtp/ratestampextension.h"
#include "rampscheduler/gstrampscheduler.h"
#include "rcprelay/gstrcprelay.h"
#include "rmcsink/gstrmcsink.h"
#include "rtparcbwe/gstrtparcbwe.h"

static gboolean
plugin_init (GstPlugin * plugin)
{
  gboolean ok = TRUE;

  ok &= GST_ELEMENT_REGISTER (arcavsrc, plugin);
  ok &= GST_ELEMENT_REGISTER (arcreceiver, plugin);
  ok &= GST_ELEMENT_REGISTER (arcsrc, plugin);
#ifndef GST_ARC_RECEIVER_ONLY
  ok &= GST_ELEMENT_REGISTER (arcavsink, plugin);
  ok &= GST_ELEMENT_REGISTER (arcladder, plugin);
  ok &= GST_ELEMENT_REGISTER (arcscale, plugin);
  ok &= GST_ELEMENT_REGISTER (arcserversink, plugin);
  ok &= GST_ELEMENT_REGISTER (rampscheduler, plugin);
  ok &= GST_ELEMENT_REGISTER (rcprelay, plugin);
  ok &= GST_ELEMENT_REGISTER (rmcsink, plugin);
  ok &= GST_ELEMENT_REGISTER (rtparcbwe, plugin);
  ok &= gst_rtp_arc_bwe_register_as_rtpgccbwe (plugin);
  ok &= GST_ELEMENT_REGISTER (rtphdrextratestamp, plugin);
  ok &= gst_arc_monitor_tracer_register (plugin);
#endif
  return ok;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, arc,
    "Congestion-controlled adaptive video over RTP (ARC, RMC)", plugin_init, VERSION,
    "LGPL", GST_PACKAGE_NAME, GST_PACKAGE_ORIGIN)
