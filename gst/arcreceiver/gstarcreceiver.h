/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "meter.h"
#include "reporter.h"

G_BEGIN_DECLS

#define GST_TYPE_ARC_RECEIVER (gst_arc_receiver_get_type ())
G_DECLARE_FINAL_TYPE (GstArcReceiver, gst_arc_receiver, GST, ARC_RECEIVER, GstElement)
GST_ELEMENT_REGISTER_DECLARE (arcreceiver);

/* For the element around it, which read the message of RTCP that came on its way to the pad `sink`:
 * as if that had come there. Leaves the buffer to the caller. */
void gst_arc_receiver_take_rtcp (GstArcReceiver * self, GstBuffer * buffer,
    const RtcpMessage * message);
/* For the same: its meter and its thread, which runs from PAUSED on. They live as long as it. */
void gst_arc_receiver_lend (GstArcReceiver * self, Meter ** meter, Reporter ** reporter);

G_END_DECLS
