/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of the element, shared by gstarcreceiver.c (packets, pads and states) and
 * receiverproperties.c. */
#pragma once

#include "gstarcreceiver.h"

#include "rtp/rtcppads.h"

G_BEGIN_DECLS

/* For the files below gstarcreceiver.c, which knows the type. */
#define GST_ARC_RECEIVER_CAST(object) ((GstArcReceiver *) (object))

struct _GstArcReceiver
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstSegment segment;           /* of sinkpad, its streaming thread only */
  Meter *meter;                 /* too large for an instance, of which GObject takes 64 KiB */
  Reporter reporter;
  RtcpOutlet reports, sender_rtcp;
  gboolean told_latency;        /* of the thread that warns */
};

/* receiverproperties.c */
void gst_arc_receiver_install_properties (GObjectClass * object_class);

G_END_DECLS
