/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/framequantiser.h"

void
frame_quantiser_clear (FrameQuantiser * self)
{
  gst_clear_caps (&self->caps);
}

static void
read_codec_data (FrameQuantiser * self, GstStructure * s)
{
  const GValue *value = gst_structure_get_value (s, "codec_data");
  GstMapInfo map;

  if (!value || !GST_VALUE_HOLDS_BUFFER (value)
      || !gst_buffer_map (gst_value_get_buffer (value), &map, GST_MAP_READ))
    return;
  self->length_bytes = rc_h264qp_on_codec_data (&self->reader, map.data, map.size);
  gst_buffer_unmap (gst_value_get_buffer (value), &map);
}

static void
look_at_caps (FrameQuantiser * self, GstPad * pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstStructure *s;

  if (caps && caps != self->caps) {
    s = gst_caps_get_structure (caps, 0);
    gst_caps_replace (&self->caps, caps);
    rc_h264qp_init (&self->reader);
    self->length_bytes = 0;
    self->is_h264 = gst_structure_has_name (s, "video/x-h264");
    if (self->is_h264)
      read_codec_data (self, s);
  }
  gst_clear_caps (&caps);
}

gdouble
frame_quantiser_read (FrameQuantiser * self, GstPad * pad, GstBuffer * frame)
{
  GstMapInfo map;
  gdouble qp;

  look_at_caps (self, pad);
  if (!self->is_h264 || !gst_buffer_map (frame, &map, GST_MAP_READ))
    return RC_H264_NO_QP;
  qp = rc_h264qp_on_frame (&self->reader, map.data, map.size, self->length_bytes);
  gst_buffer_unmap (frame, &map);
  return qp;
}
