/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/ulpfec.h"

#define HEADER_BYTES 10
#define BASE_AT 2
#define TIMESTAMP_AT 4
#define MASK_AT 12              /* behind the length of level 0 */
#define LONG 0x40               /* L: the mask has 48 bits, else 16 */

static guint8 *
header_of (GstRTPBuffer * rtp)
{
  return gst_rtp_buffer_get_payload (rtp);
}

gboolean
ulpfec_get_base (GstRTPBuffer * rtp, guint16 * base)
{
  if (gst_rtp_buffer_get_payload_len (rtp) <= HEADER_BYTES)
    return FALSE;
  *base = GST_READ_UINT16_BE (header_of (rtp) + BASE_AT);
  return TRUE;
}

void
ulpfec_set_base (GstRTPBuffer * rtp, guint16 base)
{
  GST_WRITE_UINT16_BE (header_of (rtp) + BASE_AT, base);
}

/* The sum is bit by bit: an even number of equal timestamps is 0. */
void
ulpfec_set_timestamp (GstRTPBuffer * rtp, guint32 timestamp)
{
  guint8 *header = header_of (rtp);
  guint mask_bytes = header[0] & LONG ? 6 : 2;
  gboolean odd = FALSE;

  if (gst_rtp_buffer_get_payload_len (rtp) < MASK_AT + mask_bytes)
    return;
  for (guint i = 0; i < 8 * mask_bytes; i++)
    odd ^= header[MASK_AT + i / 8] >> (i % 8) & 1;
  GST_WRITE_UINT32_BE (header + TIMESTAMP_AT, odd ? timestamp : 0);
}
