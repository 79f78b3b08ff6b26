/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A source pad for RTCP that we make or pass on. It is a stream of its own, not that of the media beside it: it announces
 * itself with its first buffer, adds no latency, and its buffers have no timestamps: they are to go out at once. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

void rtcp_outlet_init (GstPad * pad);
/* Takes the buffer. FALSE: nobody got it. */
gboolean rtcp_outlet_push (GstPad * pad, GstBuffer * buffer);
/* Takes the event: EOS or a flush. */
void rtcp_outlet_push_event (GstPad * pad, GstEvent * event);

G_END_DECLS
