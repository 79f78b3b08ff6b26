/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A view reads what gst_rtp_buffer_map() reads: gst/rtp/rtpview.c. */
#include <rtp/rtpview.h>

#include "claim.h"

#define HEADER 0x80, 0xe0, 0x12, 0x34, 1, 2, 3, 4, 5, 6, 7, 8
#define PAYLOAD_BYTES 40

typedef struct
{
  const char *name;
  guint8 head[64];              /* what is before the payload */
  guint head_bytes, payload_bytes;
  guint parts[3];               /* bytes of the first memories; 0: the rest is one */
  gboolean quick;               /* without GStreamer */
} Case;

static const Case cases[] = {
  {"one memory", {HEADER}, 12, PAYLOAD_BYTES, {0}, TRUE},
  {"header and payload", {HEADER}, 12, PAYLOAD_BYTES, {12}, TRUE},
  {"no payload", {HEADER}, 12, 0, {0}, TRUE},
  {"CSRCs", {0x82, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 8, 8, 8, 8}, 20,
      PAYLOAD_BYTES, {20}, TRUE},
  {"extension", {0x90, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0xbe, 0xde, 0, 1, 0x51, 1, 2, 0}, 20,
      PAYLOAD_BYTES, {20}, TRUE},
  {"three memories", {HEADER}, 12, PAYLOAD_BYTES, {12, 10}, FALSE},
  {"cut in the payload", {HEADER}, 12, PAYLOAD_BYTES, {20}, FALSE},
  {"padding", {0xa0, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8}, 12, PAYLOAD_BYTES, {0}, FALSE},
  {"too short", {HEADER}, 11, 0, {0}, FALSE},
  {"no RTP", {0x40, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8}, 12, PAYLOAD_BYTES, {0}, FALSE},
  {"too many CSRCs", {0x8f, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8}, 12, 0, {0}, FALSE},
  {"extension of more than there is",
      {0x90, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0xbe, 0xde, 0, 99, 0x51, 1, 2, 0}, 20,
      PAYLOAD_BYTES, {0}, FALSE},
  {"extension without its length", {0x90, 0x60, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0xbe}, 13, 0,
      {0}, FALSE},
};

static GstBuffer *
packet_new (const Case * c)
{
  guint8 bytes[128];
  GstBuffer *buffer = gst_buffer_new ();
  guint from = 0, all = c->head_bytes + c->payload_bytes;

  memset (bytes, 7, sizeof bytes);
  memcpy (bytes, c->head, c->head_bytes);
  for (guint i = 0; from < all; i++) {
    guint size = c->parts[i] > 0 ? c->parts[i] : all - from;
    guint8 *part = g_memdup2 (bytes + from, size);

    gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, part, size, 0, size, part,
            g_free));
    from += size;
  }
  return buffer;
}

CLAIMS (test_a_view_is_what_gstreamer_maps, G_N_ELEMENTS (cases))
{
  const Case *c = &cases[__i__];
  g_autoptr (GstBuffer) buffer = packet_new (c);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  RtpView view;
  gboolean valid = gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);

  fail_unless_equals_int (rtp_view_open (&view, buffer), valid);
  if (!valid)
    return;
  fail_unless_equals_int (view.n_memories > 0, c->quick);
  fail_unless_equals_int (gst_rtp_buffer_get_header_len (&view.rtp),
      gst_rtp_buffer_get_header_len (&rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&view.rtp),
      gst_rtp_buffer_get_payload_len (&rtp));
  fail_unless (memcmp (gst_rtp_buffer_get_payload (&view.rtp), gst_rtp_buffer_get_payload (&rtp),
          gst_rtp_buffer_get_payload_len (&rtp)) == 0, "%s", c->name);
  fail_unless_equals_int (gst_rtp_buffer_get_extension (&view.rtp),
      gst_rtp_buffer_get_extension (&rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_seq (&view.rtp), gst_rtp_buffer_get_seq (&rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_ssrc (&view.rtp), 0x05060708);
  rtp_view_close (&view);
  gst_rtp_buffer_unmap (&rtp);
}

CLAIM (test_an_extension_is_found)
{
  g_autoptr (GstBuffer) buffer = packet_new (&cases[4]);
  guint8 *data;
  guint size;
  RtpView view;

  fail_unless (rtp_view_open (&view, buffer));
  fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&view.rtp, 5, 0, (gpointer *) & data,
          &size));
  fail_unless_equals_int (size, 2);
  fail_unless_equals_int (data[1], 2);
  rtp_view_close (&view);
}

CLAIM (test_a_view_leaves_the_buffer_writable)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstBuffer) buffer = packet_new (&cases[i]);
    GstMapInfo map;
    RtpView view;

    if (rtp_view_open (&view, buffer))
      rtp_view_close (&view);
    fail_unless (gst_buffer_is_all_memory_writable (buffer));
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
    gst_buffer_unmap (buffer, &map);
  }
}
