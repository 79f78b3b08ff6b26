/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcrouter's search for stamps, in user space: the same code as in the kernel. */
#include "routerframes.h"

#include <arcrouter/stampwriter.h>
#include <rtp/ratestamp.h>
#include <rtp/stamptrailer.h>
#include <string.h>

#include "claim.h"

#define RATE_KBPS 4321
#define MUTATIONS 20000           /* of each kind of frame */

/* As the kernel's part does it: of the last segment with a stamp, what was found. */
static StampResult
route (GByteArray * frame, gsize size, gboolean ethernet, guint segment_bytes, guint32 rate_kbps)
{
  StampPacket packet = { frame->data, size };
  StampResult last = { 0 };
  StampDatagram datagram;

  if (!stamp_find_datagram (&packet, (guint32) size, ethernet, &datagram))
    return last;
  for (guint32 at = datagram.udp_at + 8; at < datagram.end_at; at += segment_bytes) {
    StampResult result = stamp_rtp (&packet, datagram.udp_at, at, MIN (at + segment_bytes,
            datagram.end_at), FRAME_ID, rate_kbps);

    if (result.present)
      last = result;
  }
  return last;
}

static StampResult
route_kind (GByteArray * frame, const FrameKind * kind, guint32 rate_kbps)
{
  return route (frame, frame->len, !kind->raw_ip, frame_segment_bytes (kind), rate_kbps);
}

static GByteArray *
copy_of (const GByteArray * frame)
{
  return g_byte_array_append (g_byte_array_new (), frame->data, frame->len);
}

static gboolean
same (const GByteArray * a, const GByteArray * b)
{
  return a->len == b->len && memcmp (a->data, b->data, a->len) == 0;
}

CLAIMS (test_the_rate_is_lowered_and_nothing_else_changes, n_frame_kinds)
{
  const FrameKind *kind = &frame_kinds[__i__];
  GByteArray *frame = frame_new (kind), *before = copy_of (frame);
  StampResult result;

  fail_unless (frame_is_sound (frame, kind), "%s", kind->name);
  result = route_kind (frame, kind, RATE_KBPS);
  fail_unless (result.present && result.lowered && result.rtt_us == FRAME_RTT_US, "%s", kind->name);
  for (guint i = 0; i < MAX (kind->segments, 1); i++)
    fail_unless_equals_uint64 (frame_rate_bps (frame, kind, i), RATE_KBPS * 1000);
  fail_unless_equals_int (frame_differs (frame, before, kind), 0);
  fail_unless (kind->segments > 1 || frame_is_sound (frame, kind), "%s", kind->name);
  g_byte_array_unref (before);
  g_byte_array_unref (frame);
}

CLAIMS (test_a_rate_is_never_raised, n_frame_kinds)
{
  const FrameKind *kind = &frame_kinds[__i__];
  GByteArray *frame = frame_new (kind), *before;
  StampResult result;

  route_kind (frame, kind, RATE_KBPS);
  before = copy_of (frame);
  result = route_kind (frame, kind, RATE_KBPS + 1);
  fail_unless (result.present && !result.lowered);
  fail_unless (same (frame, before));
  result = route_kind (frame, kind, STAMP_NO_RATE);
  fail_unless (result.present && !result.lowered);
  fail_unless (same (frame, before));
  g_byte_array_unref (before);
  g_byte_array_unref (frame);
}

/* Which byte of the IPv4 frame becomes what, so that it is none of ours. */
static const struct
{
  const gchar *what;
  guint at, became;
} strangers[] = {
  {"ARP", 13, 0x06},
  {"TCP", 14 + 9, 6},
  {"a first fragment", 14 + 6, 0x20},
  {"a later fragment", 14 + 7, 1},
  {"IPv5", 14, 0x55},
  {"a header that is too short", 14, 0x44},
  {"a datagram longer than the packet", 34 + 4, 1},
  {"not RTP", 42, 0x50},
  {"without extensions", 42, 0x80},
  {"RTCP", 43, 200},
  {"extensions of another kind", 54, 0xab},
  {"more extensions than packet", 56, 0xff},
  {"another extension", 62, 0xb7},
  {"a rate of no network", 63, 0xee},
  {"a round trip of an hour", 67, 0xd6},
};

CLAIMS (test_strangers_pass_untouched, G_N_ELEMENTS (strangers))
{
  GByteArray *frame = frame_new (&frame_kinds[0]), *before;

  fail_unless_equals_int (frame->data[62], 0xc7);       /* the element of the stamp */
  frame->data[strangers[__i__].at] = (guint8) strangers[__i__].became;
  before = copy_of (frame);
  fail_unless (!route_kind (frame, &frame_kinds[0], 1).present, "%s", strangers[__i__].what);
  fail_unless (same (frame, before), "%s", strangers[__i__].what);
  g_byte_array_unref (before);
  g_byte_array_unref (frame);
}

CLAIM (test_without_an_id_only_trailers_count)
{
  GByteArray *frame = frame_new (&frame_kinds[0]);
  StampPacket packet = { frame->data, frame->len };

  fail_unless (!stamp_rtp (&packet, 34, 42, frame->len, 0, 1).present);
  fail_unless (stamp_rtp (&packet, 34, 42, frame->len, FRAME_ID, 1).present);
  g_byte_array_unref (frame);
}

/* In memory that ends where the packet does, for the sanitizers. */
CLAIMS (test_what_is_cut_off_passes_untouched, n_frame_kinds)
{
  const FrameKind *kind = &frame_kinds[__i__];
  GByteArray *frame = frame_new (kind);

  for (guint size = 0; size < frame->len; size++) {
    GByteArray *cut = g_byte_array_append (g_byte_array_new (), frame->data, size);

    fail_unless (!route (cut, size, !kind->raw_ip, frame_segment_bytes (kind), 1).present);
    fail_unless (memcmp (cut->data ? cut->data : frame->data, frame->data, size) == 0);
    g_byte_array_unref (cut);
  }
  g_byte_array_unref (frame);
}

/* What rcprelay would stamp in that payload. */
static guint8 *
relays_stamp (guint8 * rtp, gsize size)
{
  guint8 *trailer = stamp_trailer_find (rtp, size);

  return trailer ? trailer : rate_stamp_find (rtp, size, FRAME_ID);
}

/* At most the 4 bytes where rcprelay would write, and the checksum. */
static void
check_mutant (GByteArray * frame, const FrameKind * kind)
{
  GByteArray *before = copy_of (frame);
  StampPacket packet = { frame->data, frame->len };
  StampDatagram datagram;
  guint8 *stamp = NULL;
  guint stamp_at = G_MAXUINT, sum_at = G_MAXUINT;

  if (stamp_find_datagram (&packet, frame->len, !kind->raw_ip, &datagram)) {
    stamp = relays_stamp (frame->data + datagram.udp_at + 8, datagram.end_at - datagram.udp_at - 8);
    sum_at = datagram.udp_at + 6;
  }
  stamp_at = stamp ? (guint) (stamp - frame->data) : G_MAXUINT;
  if (route (frame, frame->len, !kind->raw_ip, frame->len, 1).present && !stamp)
    fail ("a stamp where rcprelay finds none: %s", kind->name);
  for (guint i = 0; i < frame->len; i++)
    if (frame->data[i] != before->data[i] && !(stamp && (i - stamp_at < 4 || i - sum_at < 2)))
      fail ("byte %u of %s", i, kind->name);
  g_byte_array_unref (before);
}

CLAIMS (test_hostile_bytes_lead_nowhere_else, n_frame_kinds)
{
  const FrameKind *kind = &frame_kinds[__i__];
  GByteArray *sound = frame_new (kind);
  GRand *random = g_rand_new_with_seed ((guint32) __i__);

  for (guint i = 0; i < MUTATIONS; i++) {
    GByteArray *frame = copy_of (sound);

    for (gint n = g_rand_int_range (random, 1, 5); n > 0; n--)
      frame->data[g_rand_int_range (random, 0, MIN ((gint) frame->len, 120))] =
          (guint8) g_rand_int (random);
    check_mutant (frame, kind);
    g_byte_array_unref (frame);
  }
  g_rand_free (random);
  g_byte_array_unref (sound);
}
