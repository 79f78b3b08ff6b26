/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The request pads for RTCP that is not in the media's stream. The outlet is a source pad for
 * RTCP that we make or pass on. It is a stream of its own, not that of the media beside it: it
 * announces itself with its first buffer, adds no latency, and its buffers have no timestamps:
 * they are to go out at once. Buffers pushed while the pad is not requested are dropped. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex lock;
  GstPad *pad;                  /* NULL: not requested; the element owns it */
} RtcpOutlet;

void rtcp_outlet_init (RtcpOutlet * self);
void rtcp_outlet_clear (RtcpOutlet * self);
/* A new pad for the element to add; NULL: it is in use already. */
GstPad *rtcp_outlet_request (RtcpOutlet * self, GstPadTemplate * templ);
/* The element is about to remove pad, which may be another outlet's. */
void rtcp_outlet_release (RtcpOutlet * self, GstPad * pad);
/* Takes the buffer. FALSE: it was not delivered. */
gboolean rtcp_outlet_push (RtcpOutlet * self, GstBuffer * buffer);
/* Leaves the event to the caller. For EOS and flushes. */
void rtcp_outlet_push_event (RtcpOutlet * self, GstEvent * event);

gboolean rtcp_outlet_is_requested (RtcpOutlet * self);

/* The inlet is a sink pad for RTCP of other elements, passed to `chain`. Events end in it, since
 * RTCP ends and flushes without us. A new pad for the element to add; NULL: the element has it
 * already. */
GstPad *rtcp_inlet_request (GstElement * element, GstPadTemplate * templ,
    GstPadChainFunction chain);

G_END_DECLS
