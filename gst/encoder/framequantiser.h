/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The quantiser of the frames that leave an encoder by a pad, where they are H.264. On the pad's
 * streaming thread. */
#pragma once

#include <gst/gst.h>
#include <rc/scale/h264qp.h>

G_BEGIN_DECLS

typedef struct
{
  GstCaps *caps;                /* that the reader knows */
  RcH264Qp reader;
  guint length_bytes;
  gboolean is_h264;
} FrameQuantiser;

/* All zero is a new one. */
void frame_quantiser_clear (FrameQuantiser * self);
/* RC_H264_NO_QP: it has none, such as a keyframe, or is no H.264. */
gdouble frame_quantiser_read (FrameQuantiser * self, GstPad * pad, GstBuffer * frame);

G_END_DECLS
