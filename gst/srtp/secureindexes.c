/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/secureindexes.h"

#include <gst/gst.h>
#include <string.h>

#define APP_TYPE 204
#define VERSION_AND_SUBTYPE 0x80        /* RTP version 2, no padding, subtype 0 */
#define NAME "ARCX"
#define HEADER_BYTES 12
#define ENTRY_BYTES 12

static void
write_entry (guint8 * entry, const SecureStream * stream)
{
  GST_WRITE_UINT32_BE (entry, stream->ssrc);
  GST_WRITE_UINT32_BE (entry + 4, (guint32) (stream->index >> 16));
  GST_WRITE_UINT16_BE (entry + 8, (guint16) stream->index);
  GST_WRITE_UINT16_BE (entry + 10, 0);
}

gsize
secure_indexes_append (SecureStreams * streams, guint8 * rtcp, gsize size)
{
  guint8 *app = rtcp + size;
  guint n = 0, n_streams = secure_streams_n (streams);

  for (guint i = 0; i < n_streams && n < SECURE_INDEXES_MAX; i++) {
    const SecureStream *stream = secure_streams_get (streams, streams->told_turn++ % n_streams);

    if (stream->counted && stream->index >> 16 > 0)
      write_entry (app + HEADER_BYTES + ENTRY_BYTES * n++, stream);
  }
  if (n == 0)
    return 0;
  app[0] = VERSION_AND_SUBTYPE;
  app[1] = APP_TYPE;
  GST_WRITE_UINT16_BE (app + 2, (HEADER_BYTES + n * ENTRY_BYTES) / 4 - 1);
  memcpy (app + 4, rtcp + 4, 4);
  memcpy (app + 8, NAME, 4);
  return HEADER_BYTES + n * ENTRY_BYTES;
}

/* A received sequence number determines the index only within SECURE_HALF of the newest: a
 * signalled index is applied before the stream has moved further than that. */
static void
take_entry (SecureStreams * streams, const guint8 * entry)
{
  guint32 ssrc = GST_READ_UINT32_BE (entry);
  guint64 index = (guint64) GST_READ_UINT32_BE (entry + 4) << 16 | GST_READ_UINT16_BE (entry + 8);
  SecureStream *stream = secure_streams_find (streams, ssrc);

  if (!stream)
    stream = secure_streams_add (streams, ssrc);
  if (stream && (!stream->counted || index > stream->index + SECURE_HALF / 2))
    secure_stream_note (stream, index);
}

/* Where the last packet of the compound begins; `size`: it is malformed. */
static gsize
find_last (const guint8 * rtcp, gsize size)
{
  gsize at = 0, next;

  while (at + 4 <= size) {
    next = at + 4 * (GST_READ_UINT16_BE (rtcp + at + 2) + 1);
    if (next == size)
      return at;
    at = next;
  }
  return size;
}

gsize
secure_indexes_take (SecureStreams * streams, const guint8 * rtcp, gsize size)
{
  gsize last = find_last (rtcp, size);
  const guint8 *app = rtcp + last;

  if (last == 0 || size < last + HEADER_BYTES || app[0] != VERSION_AND_SUBTYPE
      || app[1] != APP_TYPE || memcmp (app + 8, NAME, 4) != 0)
    return size;
  for (gsize at = last + HEADER_BYTES; at + ENTRY_BYTES <= size; at += ENTRY_BYTES)
    take_entry (streams, rtcp + at);
  return last;
}
