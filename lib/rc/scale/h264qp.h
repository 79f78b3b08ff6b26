/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Reads the quantiser that an H.264 encoder chose (ITU-T H.264 7.3.2.1 SPS, 7.3.2.2 PPS, 7.3.3
 * slice header). Knows one SPS and one PPS at a time. Any bytes are safe; what it does not
 * understand has no quantiser. */
#pragma once

#include <rc/base/types.h>

#define RC_H264_NO_QP (-1)

typedef struct
{
  bool has_sps, has_pps;
  bool mono, separate_planes, frames_only, poc_always_zero;
  unsigned frame_num_bits, poc_type, poc_bits;
  bool cabac, frame_poc, weighted, redundant;
  unsigned n_refs;
  int init_qp;
} RcH264Qp;

void rc_h264qp_init (RcH264Qp *self);
/* One NAL unit without start code or length. The QP of a P slice, at its beginning; RC_H264_NO_QP
 * for everything else. */
int rc_h264qp_on_nal (RcH264Qp *self, const uint8_t *nal, size_t n_bytes);
/* The NAL units of one access unit: each behind its length of so many bytes, or, with 0, behind
 * start codes. The mean QP of the P slices, or RC_H264_NO_QP. */
double rc_h264qp_on_frame (RcH264Qp *self, const uint8_t *data, size_t n_bytes,
    unsigned length_bytes);
/* codec_data of avc (ISO/IEC 14496-15 5.2.4.1). Returns length_bytes; 0: not understood. */
unsigned rc_h264qp_on_codec_data (RcH264Qp *self, const uint8_t *data, size_t n_bytes);
