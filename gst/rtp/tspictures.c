/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/tspictures.h"

#include <string.h>

#define PACKET 188
#define SYNC 0x47
#define PAT_PID 0
#define PAT_TABLE 0
#define PMT_TABLE 2
/* of a section: before its length counts, and the checksum behind it */
#define SECTION_HEAD 3
#define SECTION_CRC 4

/* --- a packet of 188 bytes --- */

static guint16
pid_of (const guint8 * packet)
{
  return (packet[1] & 0x1f) << 8 | packet[2];
}

static gboolean
begins_unit (const guint8 * packet)
{
  return (packet[1] & 0x40) != 0;
}

/* Flags of the adaptation field; 0: none. */
static guint8
adaptation_flags (const guint8 * packet)
{
  return (packet[3] & 0x20) && packet[4] > 0 ? packet[5] : 0;
}

static gboolean
may_begin (const guint8 * packet)
{
  return (adaptation_flags (packet) & 0x40) != 0;
}

static gboolean
has_clock (const guint8 * packet)
{
  return (adaptation_flags (packet) & 0x10) != 0 && packet[4] >= 7 && packet[4] <= 183;
}

/* No payload any more. */
static void
leave_clock (guint8 * packet)
{
  guint used = 5u + packet[4];

  packet[1] &= ~0x40;
  packet[3] = (packet[3] & 0xcf) | 0x20;
  packet[4] = PACKET - 5;
  packet[5] &= ~0x40;
  memset (packet + used, 0xff, PACKET - used);
}

/* --- tables, which fit into one packet --- */

/* What its length counts, without the checksum; NULL: it is not whole, or another table. */
static const guint8 *
section_of (const guint8 * packet, guint8 table, guint * size)
{
  guint at = 4, length;

  if (packet[3] & 0x20)
    at += 1u + packet[4];
  if (!begins_unit (packet) || !(packet[3] & 0x10) || at >= PACKET)
    return NULL;
  at += 1u + packet[at];
  if (at + SECTION_HEAD > PACKET || packet[at] != table)
    return NULL;
  length = (packet[at + 1] & 0x0fu) << 8 | packet[at + 2];
  if (length < SECTION_CRC || at + SECTION_HEAD + length > PACKET)
    return NULL;
  *size = length - SECTION_CRC;
  return packet + at + SECTION_HEAD;
}

/* The first program. */
static void
read_pat (TsPictures * self, const guint8 * packet)
{
  guint size;
  const guint8 *section = section_of (packet, PAT_TABLE, &size);

  for (guint at = 5; section && at + 4 <= size; at += 4)
    if (section[at] != 0 || section[at + 1] != 0) {
      self->pmt_pid = (section[at + 2] & 0x1f) << 8 | section[at + 3];
      return;
    }
}

/* MPEG-1, -2, -4 part 2, H.264, H.265, H.266, AVS. */
static gboolean
is_video (guint8 type)
{
  return type == 0x01 || type == 0x02 || type == 0x10 || type == 0x1b || type == 0x24
      || type == 0x33 || type == 0x42;
}

static void
read_pmt (TsPictures * self, const guint8 * packet)
{
  guint size, at;
  const guint8 *section = section_of (packet, PMT_TABLE, &size);

  if (!section || size < 9)
    return;
  at = 9 + ((section[7] & 0x0fu) << 8 | section[8]);
  for (; at + 5 <= size; at += 5 + ((section[at + 3] & 0x0fu) << 8 | section[at + 4]))
    if (is_video (section[at])) {
      self->video_pid = (section[at + 1] & 0x1f) << 8 | section[at + 2];
      return;
    }
}

static gboolean
is_stream (const guint8 * payload, gsize size)
{
  for (gsize at = 0; at < size; at += PACKET)
    if (size - at < PACKET || payload[at] != SYNC)
      return FALSE;
  return size > 0;
}

gboolean
ts_pictures_read (TsPictures * self, const guint8 * payload, gsize size, gboolean * key)
{
  gboolean begins = FALSE;

  *key = FALSE;
  if (!is_stream (payload, size))
    return FALSE;
  for (const guint8 * packet = payload; packet < payload + size; packet += PACKET) {
    guint16 pid = pid_of (packet);

    if (pid == PAT_PID) {
      read_pat (self, packet);
    } else if (pid == self->pmt_pid) {
      read_pmt (self, packet);
    } else if (pid == self->video_pid && begins_unit (packet)) {
      begins = TRUE;
      *key |= may_begin (packet);
    }
  }
  return begins;
}

gsize
ts_pictures_strip (const TsPictures * self, guint8 * payload, gsize size, gboolean end,
    gboolean begun)
{
  gboolean leaves_out = end;
  guint8 *to = payload;

  if (!is_stream (payload, size))
    return size;
  for (guint8 * packet = payload; packet < payload + size; packet += PACKET) {
    gboolean video = pid_of (packet) == self->video_pid;

    if (video && begins_unit (packet))
      leaves_out = begun;
    if (video && leaves_out) {
      if (!has_clock (packet))
        continue;
      leave_clock (packet);
    }
    memmove (to, packet, PACKET);
    to += PACKET;
  }
  return (gsize) (to - payload);
}
