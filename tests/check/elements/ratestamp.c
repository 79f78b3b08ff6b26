/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rtp/ratestamp.h>
#include <rtp/ratestampextension.h>
#include <string.h>

#include "claim.h"

#define OTHER_ID 3

static GstBuffer *
packet_new (guint csrcs)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (100, 0, csrcs);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, 77);
  memset (gst_rtp_buffer_get_payload (&rtp), 0xaa, 100);
  return buffer;
}

static GstBuffer *
packet_with_other (gboolean two_bytes)
{
  GstBuffer *buffer = packet_new (0);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 other[20] = { 1, 2, 3 };

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  if (two_bytes)
    fail_unless (gst_rtp_buffer_add_extension_twobytes_header (&rtp, 5, OTHER_ID, other, 20));
  else
    fail_unless (gst_rtp_buffer_add_extension_onebyte_header (&rtp, OTHER_ID, other, 3));
  return buffer;
}

static guint64
read_stamp (GstBuffer * buffer, guint8 id)
{
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint64 bps;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  bps = rate_stamp_read (&rtp, id);
  return bps;
}

/* What a relay does; 0: it found no stamp. */
static RcTime
relay (GstBuffer * buffer, guint8 id, guint64 bps)
{
  GstMapInfo map;
  guint8 *stamp;
  RcTime rtt = 0;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  stamp = rate_stamp_find (map.data, map.size, id);
  if (stamp) {
    rtt = rate_stamp_rtt (stamp);
    rate_stamp_offer (stamp, bps);
  }
  gst_buffer_unmap (buffer, &map);
  return rtt;
}

static void
check_payload (GstBuffer * buffer)
{
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *payload;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), 77);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 100);
  payload = gst_rtp_buffer_get_payload (&rtp);
  for (guint i = 0; i < 100; i++)
    fail_unless_equals_int (payload[i], 0xaa);
}

CLAIM (test_smallest_rate_of_the_path_arrives)
{
  for (guint csrcs = 0; csrcs <= 15; csrcs += 5) {
    GstBuffer *buffer = rate_stamp_insert (packet_new (csrcs), RATE_STAMP_ID, 120 * RC_MSEC);

    fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 0);
    fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 8000000), 120 * RC_MSEC);
    fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 5000000), 120 * RC_MSEC);
    relay (buffer, RATE_STAMP_ID, 9000000);
    fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 5000000);
    check_payload (buffer);
    gst_buffer_unref (buffer);
  }
}

/* That of a payloader, before SRTP. */
CLAIM (test_no_relay_writes_into_a_stamp_that_is_shut)
{
  GstBuffer *buffer = rate_stamp_shut (packet_new (0), RATE_STAMP_ID);
  GstMapInfo before, after;
  g_autoptr (GstBuffer) copy = NULL;

  fail_unless_equals_int (relay (buffer, RATE_STAMP_ID, 5000000), 0);
  buffer = rate_stamp_shut (rate_stamp_insert (buffer, RATE_STAMP_ID, RC_MSEC), RATE_STAMP_ID);
  copy = gst_buffer_copy_deep (buffer);
  fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 5000000), RC_MSEC);
  fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 0);
  gst_buffer_map (copy, &before, GST_MAP_READ);
  gst_buffer_map (buffer, &after, GST_MAP_READ);
  fail_unless_equals_int (before.size, after.size);
  fail_unless (memcmp (before.data, after.data, after.size) == 0);
  gst_buffer_unmap (buffer, &after);
  gst_buffer_unmap (copy, &before);
  check_payload (buffer);
  gst_buffer_unref (buffer);
}

CLAIM (test_stamp_joins_other_extensions)
{
  for (guint two_bytes = 0; two_bytes < 2; two_bytes++) {
    GstBuffer *buffer = rate_stamp_insert (packet_with_other (two_bytes), RATE_STAMP_ID, 0);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    gpointer data;
    guint size;

    fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 5000000), RC_TIME_NONE);
    fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 5000000);
    check_payload (buffer);
    fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
    if (two_bytes)
      fail_unless (gst_rtp_buffer_get_extension_twobytes_header (&rtp, NULL, OTHER_ID, 0,
              &data, &size) && size == 20);
    else
      fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, OTHER_ID, 0, &data, &size)
          && size == 3);
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (buffer);
  }
}

CLAIM (test_a_second_insert_writes_into_the_first)
{
  GstBuffer *buffer = rate_stamp_insert (packet_new (0), RATE_STAMP_ID, 0);
  gsize size = gst_buffer_get_size (buffer);

  relay (buffer, RATE_STAMP_ID, 5000000);
  buffer = rate_stamp_insert (buffer, RATE_STAMP_ID, 3 * RC_SECOND);
  fail_unless_equals_uint64 (gst_buffer_get_size (buffer), size);
  fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 0);
  fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 1), 3 * RC_SECOND);
  gst_buffer_unref (buffer);
}

CLAIM (test_packets_that_can_carry_none_stay_as_they_are)
{
  GstBuffer *buffer = packet_new (0), *text = gst_buffer_new_memdup ("no RTP at all", 13);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gsize size;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  fail_unless (gst_rtp_buffer_set_extension_data (&rtp, 0x4711, 1));    /* of RFC 3550 alone */
  gst_rtp_buffer_unmap (&rtp);
  size = gst_buffer_get_size (buffer);
  buffer = rate_stamp_insert (buffer, RATE_STAMP_ID, 0);
  fail_unless_equals_uint64 (gst_buffer_get_size (buffer), size);
  fail_unless_equals_uint64 (read_stamp (buffer, RATE_STAMP_ID), 0);
  fail_unless_equals_int64 (relay (buffer, RATE_STAMP_ID, 5000000), 0);
  text = rate_stamp_insert (text, RATE_STAMP_ID, 0);
  fail_unless_equals_uint64 (gst_buffer_get_size (text), 13);
  gst_buffer_unref (buffer);
  gst_buffer_unref (text);
}

CLAIM (test_no_value_overflows)
{
  guint8 stamp[RATE_STAMP_BYTES];

  rate_stamp_write (stamp, G_MAXINT64);
  fail_unless_equals_int64 (rate_stamp_rtt (stamp), (RcTime) G_MAXUINT32 * RC_USEC);
  rate_stamp_write (stamp, -5);
  fail_unless_equals_int64 (rate_stamp_rtt (stamp), RC_TIME_NONE);
  rate_stamp_offer (stamp, G_MAXUINT64);
  fail_unless_equals_uint64 (rate_stamp_bps (stamp), (guint64) (G_MAXUINT32 - 1) * 1000);
  rate_stamp_offer (stamp, 0);
  fail_unless_equals_uint64 (rate_stamp_bps (stamp), 1000);
}

CLAIM (test_caps_tell_the_id)
{
  static const struct { const gchar *caps; guint id; } rows[] = {
    {"application/x-rtp", RATE_STAMP_ID},
    {"application/x-rtp, extmap-5=(string)" RATE_STAMP_URI, 5},
    {"application/x-rtp, extmap-5=(string)< \"\", \"" RATE_STAMP_URI "\", \"\" >", 5},
    {"application/x-rtp, extmap-5=(string)urn:other", RATE_STAMP_ID},
    {"application/x-rtp, extmap-12=(string)urn:other", 0},
    {"application/x-rtp, extmap-12=(string)urn:other, extmap-14=(string)" RATE_STAMP_URI, 14},
  };

  fail_unless_equals_int (rate_stamp_id_of_caps (NULL), RATE_STAMP_ID);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (rows[i].caps);

    fail_unless (caps && rate_stamp_id_of_caps (caps) == rows[i].id, "row %u", i);
  }
}

/* Bytes that nobody checked: random, and packets with a stamp of which some bytes are changed or
 * cut off. */
CLAIM (test_any_bytes_are_read_within_their_size)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  guint found = 0;

  for (guint i = 0; i < 300000; i++) {
    GstBuffer *buffer = rate_stamp_insert (packet_with_other (i % 2), RATE_STAMP_ID, RC_SECOND);
    guint size = i % 3 ? g_rand_int_range (rand, 1, 48) : 48,
        changes = g_rand_int_range (rand, 0, i % 7 ? 4 : 60);
    guint8 *bytes = g_malloc (size), *stamp;    /* of exactly this size, for the sanitizer */

    gst_buffer_extract (buffer, 0, bytes, size);
    for (guint k = 0; k < changes; k++)
      bytes[g_rand_int_range (rand, 0, (gint) size)] = (guint8) g_rand_int (rand);
    stamp = rate_stamp_find (bytes, size, RATE_STAMP_ID);
    if (stamp) {
      fail_unless (stamp >= bytes + 12 && stamp + RATE_STAMP_BYTES <= bytes + size);
      rate_stamp_offer (stamp, g_rand_int (rand));
      fail_unless (rate_stamp_bps (stamp) <= (guint64) G_MAXUINT32 * 1000);
      found++;
    }
    g_free (bytes);
    gst_buffer_unref (buffer);
  }
  fail_unless (found > 1000 && found < 250000, "%u", found);
}

/* Else a relay would write into the payload. */
CLAIM (test_element_longer_than_the_extension_is_no_stamp)
{
  guint8 one_byte[60] = { 0x90, 96, [12] = 0xbe, 0xde,
      0, 2, RATE_STAMP_ID << 4 | (RATE_STAMP_BYTES - 1) };
  guint8 two_bytes[60] = { 0x90, 96, [12] = 0x10, 0x00, 0, 2, RATE_STAMP_ID, RATE_STAMP_BYTES };

  fail_unless (rate_stamp_find (one_byte, sizeof one_byte, RATE_STAMP_ID) == NULL);
  fail_unless (rate_stamp_find (two_bytes, sizeof two_bytes, RATE_STAMP_ID) == NULL);
  one_byte[15] = two_bytes[15] = 3;
  fail_unless (rate_stamp_find (one_byte, sizeof one_byte, RATE_STAMP_ID) == one_byte + 17);
  fail_unless (rate_stamp_find (two_bytes, sizeof two_bytes, RATE_STAMP_ID) == two_bytes + 18);
}

CLAIM (test_gstreamer_knows_the_extension_by_its_uri)
{
  g_autoptr (GstRTPHeaderExtension) extension = NULL;
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("application/x-rtp");
  guint8 data[RATE_STAMP_BYTES];
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();

  fail_unless (GST_ELEMENT_REGISTER (rtphdrextratestamp, NULL));
  extension = gst_rtp_header_extension_create_from_uri (RATE_STAMP_URI);
  fail_unless (extension != NULL);
  gst_rtp_header_extension_set_id (extension, 7);
  fail_unless (gst_rtp_header_extension_set_caps_from_attributes (extension, caps));
  fail_unless_equals_int (rate_stamp_id_of_caps (caps), 7);
  fail_unless_equals_int (gst_rtp_header_extension_write (extension,
          buffer, GST_RTP_HEADER_EXTENSION_ONE_BYTE, buffer, data, sizeof data), RATE_STAMP_BYTES);
  fail_unless_equals_uint64 (rate_stamp_bps (data), 0);
  fail_unless (gst_rtp_header_extension_read (extension, GST_RTP_HEADER_EXTENSION_ONE_BYTE,
          data, sizeof data, buffer));
  fail_if (gst_rtp_header_extension_read (extension, GST_RTP_HEADER_EXTENSION_ONE_BYTE, data,
          3, buffer));
}
