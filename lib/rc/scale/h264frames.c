/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the NAL units of a frame begin and end. */
#include <rc/scale/h264qp.h>

/* configurationVersion to numOfSequenceParameterSets */
#define CODEC_DATA_HEAD_BYTES 6

typedef struct
{
  int sum, n;
} Mean;

static void
add (Mean *mean, int qp)
{
  if (qp == RC_H264_NO_QP)
    return;
  mean->sum += qp;
  mean->n++;
}

/* The first start code (00 00 01) at or after `at`; n_bytes: none. */
static size_t
find_start_code (const uint8_t *data, size_t n_bytes, size_t at)
{
  for (; at + 3 <= n_bytes; at++)
    if (data[at] == 0 && data[at + 1] == 0 && data[at + 2] == 1)
      return at;
  return n_bytes;
}

static size_t
big_endian (const uint8_t *data, unsigned n_bytes)
{
  size_t value = 0;

  for (unsigned i = 0; i < n_bytes; i++)
    value = value << 8 | data[i];
  return value;
}

double
rc_h264qp_on_frame (RcH264Qp *self, const uint8_t *data, size_t n_bytes, unsigned length_bytes)
{
  Mean mean = { 0, 0 };
  size_t at = 0, size;

  if (length_bytes == 0) {
    at = find_start_code (data, n_bytes, 0);
    while (at + 3 < n_bytes) {
      size_t next = find_start_code (data, n_bytes, at + 3);

      add (&mean, rc_h264qp_on_nal (self, data + at + 3, next - at - 3));
      at = next;
    }
  } else {
    for (; length_bytes <= 4 && n_bytes - at > length_bytes; at += size) {
      size = big_endian (data + at, length_bytes);
      at += length_bytes;
      if (size > n_bytes - at)
        break;
      add (&mean, rc_h264qp_on_nal (self, data + at, size));
    }
  }
  return mean.n > 0 ? (double) mean.sum / mean.n : RC_H264_NO_QP;
}

unsigned
rc_h264qp_on_codec_data (RcH264Qp *self, const uint8_t *data, size_t n_bytes)
{
  size_t at = CODEC_DATA_HEAD_BYTES, size;

  if (n_bytes < CODEC_DATA_HEAD_BYTES || data[0] != 1)
    return 0;
  for (unsigned i = 0, n_left = data[5] & 31; i < 2; i++) {
    for (; n_left > 0 && n_bytes - at >= 2; n_left--) {
      size = big_endian (data + at, 2);
      at += 2;
      if (size > n_bytes - at)
        return 0;
      rc_h264qp_on_nal (self, data + at, size);
      at += size;
    }
    if (i == 0 && at < n_bytes)
      n_left = data[at++];      /* number of PPS */
  }
  return (data[4] & 3) + 1;
}
