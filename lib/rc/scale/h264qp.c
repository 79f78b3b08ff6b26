/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/scale/h264qp.h>

#define NAL_SLICE 1
#define NAL_SPS 7
#define NAL_PPS 8
#define MOST_QP 51
/* Of 7.4.2.1 and 7.4.3: more is no H.264, and would only cost time. */
#define MOST_REFS 32
#define MOST_COMMANDS 70
#define MOST_EXTRA_BITS 12      /* log2_max_frame_num_minus4 and the like */

/* Bits without emulation prevention bytes (7.4.1.1). Beyond the end all bits are 0 and failed is
 * set. */
typedef struct
{
  const uint8_t *data;
  size_t n_bytes, at;
  unsigned bit, zeros;
  bool failed;
} Bits;

static unsigned
read_bit (Bits *bits)
{
  unsigned value;

  if (bits->bit == 0 && bits->zeros >= 2 && bits->at < bits->n_bytes
      && bits->data[bits->at] == 3) {
    bits->at++;
    bits->zeros = 0;
  }
  if (bits->at >= bits->n_bytes) {
    bits->failed = true;
    return 0;
  }
  value = bits->data[bits->at] >> (7 - bits->bit) & 1;
  if (++bits->bit == 8) {
    bits->zeros = bits->data[bits->at] == 0 ? bits->zeros + 1 : 0;
    bits->bit = 0;
    bits->at++;
  }
  return value;
}

static uint32_t
read_bits (Bits *bits, unsigned n)
{
  uint32_t value = 0;

  while (n-- > 0)
    value = value << 1 | read_bit (bits);
  return value;
}

/* ue(v) of 9.1 */
static uint32_t
read_ue (Bits *bits)
{
  unsigned zeros = 0;

  while (!bits->failed && read_bit (bits) == 0)
    zeros++;
  if (zeros > 31) {
    bits->failed = true;
    return 0;
  }
  return ((uint32_t) 1 << zeros) - 1 + read_bits (bits, zeros);
}

/* se(v) of 9.1.1 */
static int32_t
read_se (Bits *bits)
{
  uint32_t code = read_ue (bits);

  return code & 1 ? (int32_t) (code / 2 + 1) : -(int32_t) (code / 2);
}

static uint32_t
read_at_most (Bits *bits, uint32_t most)
{
  uint32_t value = read_ue (bits);

  if (value > most)
    bits->failed = true;
  return bits->failed ? 0 : value;
}

/* 7.3.2.1.1.1 */
static void
skip_scaling_list (Bits *bits, unsigned n)
{
  int32_t last = 8, next = 8;

  for (unsigned i = 0; i < n && next != 0 && !bits->failed; i++) {
    next = (last + read_se (bits)) & 255;
    last = next == 0 ? last : next;
  }
}

static bool
has_chroma_fields (uint32_t profile)
{
  static const uint8_t profiles[] = { 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134,
      135 };

  for (unsigned i = 0; i < sizeof profiles; i++)
    if (profiles[i] == profile)
      return true;
  return false;
}

static void
read_chroma_fields (RcH264Qp *self, Bits *bits)
{
  uint32_t chroma = read_at_most (bits, 3);

  self->mono = chroma == 0;
  self->separate_planes = chroma == 3 && read_bit (bits);
  read_ue (bits);               /* bit depths */
  read_ue (bits);
  read_bit (bits);
  if (read_bit (bits))
    for (unsigned i = 0; i < (chroma == 3 ? 12 : 8); i++)
      if (read_bit (bits))
        skip_scaling_list (bits, i < 6 ? 16 : 64);
}

static void
read_poc_fields (RcH264Qp *self, Bits *bits)
{
  self->poc_type = read_at_most (bits, 2);
  if (self->poc_type == 0)
    self->poc_bits = 4 + read_at_most (bits, MOST_EXTRA_BITS);
  if (self->poc_type == 1) {
    self->poc_always_zero = read_bit (bits);
    read_se (bits);
    read_se (bits);
    for (uint32_t n = read_at_most (bits, 255); n > 0; n--)
      read_se (bits);
  }
}

static void
read_sps (RcH264Qp *self, Bits *bits)
{
  uint32_t profile = read_bits (bits, 8);

  self->mono = self->separate_planes = self->poc_always_zero = false;
  read_bits (bits, 16);
  read_ue (bits);
  if (has_chroma_fields (profile))
    read_chroma_fields (self, bits);
  self->frame_num_bits = 4 + read_at_most (bits, MOST_EXTRA_BITS);
  read_poc_fields (self, bits);
  read_ue (bits);
  read_bit (bits);
  read_ue (bits);               /* width, height */
  read_ue (bits);
  self->frames_only = read_bit (bits);
  self->has_sps = !bits->failed;
}

static void
read_pps (RcH264Qp *self, Bits *bits)
{
  read_ue (bits);
  read_ue (bits);
  self->cabac = read_bit (bits);
  self->frame_poc = read_bit (bits);
  if (read_ue (bits) > 0)       /* slice groups: no live encoder uses them */
    bits->failed = true;
  self->n_refs = 1 + read_at_most (bits, MOST_REFS - 1);
  read_ue (bits);
  self->weighted = read_bit (bits);
  read_bits (bits, 2);
  self->init_qp = 26 + read_se (bits);
  read_se (bits);
  read_se (bits);
  read_bits (bits, 2);
  self->redundant = read_bit (bits);
  self->has_pps = !bits->failed;
}

/* 7.3.3.1 */
static void
skip_list_modification (Bits *bits)
{
  unsigned n = 0;

  if (!read_bit (bits))
    return;
  while (!bits->failed && read_ue (bits) != 3) {
    read_ue (bits);
    if (++n > MOST_COMMANDS)
      bits->failed = true;
  }
}

/* 7.3.3.2 */
static void
skip_weights (const RcH264Qp *self, Bits *bits, uint32_t n_refs)
{
  bool chroma = !self->mono && !self->separate_planes;

  read_ue (bits);
  if (chroma)
    read_ue (bits);
  for (uint32_t i = 0; i < n_refs; i++) {
    for (unsigned n = read_bit (bits) ? 2 : 0; n > 0; n--)
      read_se (bits);
    for (unsigned n = chroma && read_bit (bits) ? 4 : 0; n > 0; n--)
      read_se (bits);
  }
}

/* 7.3.3.3, of a picture that is no IDR */
static void
skip_marking (Bits *bits)
{
  uint32_t command;
  unsigned n = 0;

  if (!read_bit (bits))
    return;
  while (!bits->failed && (command = read_ue (bits)) != 0) {
    if (command != 5)
      read_ue (bits);
    if (command == 3)
      read_ue (bits);
    if (++n > MOST_COMMANDS)
      bits->failed = true;
  }
}

static void
skip_numbers (const RcH264Qp *self, Bits *bits)
{
  bool field;

  if (self->separate_planes)
    read_bits (bits, 2);
  read_bits (bits, self->frame_num_bits);
  field = !self->frames_only && read_bit (bits);
  if (field)
    read_bit (bits);
  if (self->poc_type == 0) {
    read_bits (bits, self->poc_bits);
    if (self->frame_poc && !field)
      read_se (bits);
  }
  if (self->poc_type == 1 && !self->poc_always_zero) {
    read_se (bits);
    if (self->frame_poc && !field)
      read_se (bits);
  }
  if (self->redundant)
    read_ue (bits);
}

static int
read_slice_qp (const RcH264Qp *self, Bits *bits, bool is_reference)
{
  uint32_t n_refs = self->n_refs;
  int qp;

  read_ue (bits);
  if (!self->has_sps || !self->has_pps || read_ue (bits) % 5 != 0)      /* not P */
    return RC_H264_NO_QP;
  read_ue (bits);
  skip_numbers (self, bits);
  if (read_bit (bits))
    n_refs = 1 + read_at_most (bits, MOST_REFS - 1);
  skip_list_modification (bits);
  if (self->weighted)
    skip_weights (self, bits, n_refs);
  if (is_reference)
    skip_marking (bits);
  if (self->cabac)
    read_ue (bits);
  qp = self->init_qp + read_se (bits);
  return bits->failed || qp < 0 || qp > MOST_QP ? RC_H264_NO_QP : qp;
}

void
rc_h264qp_init (RcH264Qp *self)
{
  *self = (RcH264Qp) { 0 };
}

int
rc_h264qp_on_nal (RcH264Qp *self, const uint8_t *nal, size_t n_bytes)
{
  Bits bits = { .data = nal, .n_bytes = n_bytes };
  bool is_reference;
  uint32_t type;

  read_bit (&bits);
  is_reference = read_bits (&bits, 2) != 0;
  type = read_bits (&bits, 5);
  if (type == NAL_SPS)
    read_sps (self, &bits);
  if (type == NAL_PPS)
    read_pps (self, &bits);
  return type == NAL_SLICE ? read_slice_qp (self, &bits, is_reference) : RC_H264_NO_QP;
}
