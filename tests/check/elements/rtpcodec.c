/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Keyframes by their payload: gst/rtp/rtpcodec.c. */
#include <rtp/rtpcodec.h>

#include "claim.h"

static const struct
{
  RtpCodec codec;
  guint8 payload[12];
  gsize size;
  gboolean key;
} starts[] = {
  {RTP_CODEC_H264, {0x65}, 4, TRUE},    /* IDR */
  {RTP_CODEC_H264, {0x67}, 4, TRUE},    /* SPS */
  {RTP_CODEC_H264, {0x41}, 4, FALSE},
  {RTP_CODEC_H264, {0x7c, 0x85}, 4, TRUE},      /* FU-A, first of an IDR */
  {RTP_CODEC_H264, {0x7c, 0x05}, 4, FALSE},     /* a later one */
  {RTP_CODEC_H264, {0x7c}, 1, FALSE},
  {RTP_CODEC_H264, {0x78, 0, 2, 0x06, 0, 0, 2, 0x65, 0}, 9, TRUE},      /* STAP-A: SEI, IDR */
  {RTP_CODEC_H264, {0x78, 0, 2, 0x06, 0, 0, 9, 0x65, 0}, 9, FALSE},     /* its length lies */
  {RTP_CODEC_H265, {0x26, 1}, 4, TRUE}, /* IDR_W_RADL */
  {RTP_CODEC_H265, {0x40, 1}, 4, TRUE}, /* VPS */
  {RTP_CODEC_H265, {0x02, 1}, 4, FALSE},
  {RTP_CODEC_H265, {0x62, 1, 0x93}, 4, TRUE},   /* FU, first of an IDR */
  {RTP_CODEC_H265, {0x62, 1}, 2, FALSE},
  {RTP_CODEC_H265, {0x60, 1, 0, 2, 0x40, 1}, 6, TRUE},  /* AP */
  {RTP_CODEC_VP8, {0x10, 0x00}, 2, TRUE},
  {RTP_CODEC_VP8, {0x10, 0x01}, 2, FALSE},
  {RTP_CODEC_VP8, {0x00, 0x00}, 2, FALSE},      /* not the start of a partition */
  {RTP_CODEC_VP8, {0x90, 0x80, 0x81, 0x02, 0x00}, 5, TRUE},     /* 15-bit PictureID */
  {RTP_CODEC_VP8, {0x90, 0x80, 0x81, 0x02}, 4, FALSE},
  {RTP_CODEC_VP9, {0x08}, 2, TRUE},
  {RTP_CODEC_VP9, {0x48}, 2, FALSE},
  {RTP_CODEC_AV1, {0x18}, 2, TRUE},
  {RTP_CODEC_AV1, {0x10}, 2, FALSE},
  {RTP_CODEC_OTHER, {0x65}, 2, FALSE},
};

CLAIM (test_keyframes_are_told_from_payloads)
{
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    fail_unless (rtp_codec_is_keyframe_start (starts[i].codec, starts[i].payload, starts[i].size)
        == starts[i].key, "row %u", i);
  fail_if (rtp_codec_is_keyframe_start (RTP_CODEC_H264, starts[0].payload, 0));
}
