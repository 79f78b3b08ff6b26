/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "twccevent.h"

#include <rc/feedback/wire.h>

#define MAX_PACKETS 65536       /* all numbers of 16 bits */
#define MAX_PAYLOAD_BYTES 65535
/* A departure that lies further back is of another clock. */
#define MAX_AGE (60 * RC_SECOND)
#define MAX_ARRIVAL ((RcTime) (RC_WIRE_MAX_ARRIVAL_US * 1000))

/* RC_TIME_NONE: the event does not contain it, or it is invalid. */
static RcTime
departure (const GstStructure * packet, RcTime clock_offset, RcTime now)
{
  guint64 local_ts;
  RcTime sent_at;

  if (!gst_structure_get_uint64 (packet, "local-ts", &local_ts) || local_ts > G_MAXINT64 / 2)
    return RC_TIME_NONE;
  sent_at = (RcTime) local_ts + clock_offset;
  return sent_at >= 0 && sent_at <= now && now - sent_at <= MAX_AGE ? sent_at : RC_TIME_NONE;
}

/* FALSE: it says nothing that can be. */
static gboolean
read_packet (const GstStructure * packet, guint header_bytes, RcTime clock_offset, RcTime now,
    RcTold * told)
{
  gboolean lost = FALSE;
  guint number, size;
  guint64 remote_ts;

  *told = (RcTold) {.arrived_at_remote = RC_TIME_NONE };
  if (!gst_structure_get_uint (packet, "seqnum", &number))
    return FALSE;
  told->number = (guint16) number;
  told->sent_at = departure (packet, clock_offset, now);
  if (gst_structure_get_uint (packet, "size", &size) && size > 0 && size <= MAX_PAYLOAD_BYTES)
    told->rtp_bytes = size + header_bytes;
  gst_structure_get_boolean (packet, "lost", &lost);
  if (lost)
    return TRUE;
  if (!gst_structure_get_uint64 (packet, "remote-ts", &remote_ts)
      || remote_ts > (guint64) MAX_ARRIVAL)
    return FALSE;
  told->arrived_at_remote = (RcTime) remote_ts;
  return TRUE;
}

/* GValueArray is deprecated in GLib, but it is what rtpsession sends. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS GArray *
twcc_event_read (const GstStructure * event, guint header_bytes, RcTime clock_offset, RcTime now,
    guint * refused)
{
  const GValue *list = gst_structure_get_value (event, "packets");
  GArray *told = NULL;
  GValueArray *packets;

  *refused = 0;
  if (!list || !G_VALUE_HOLDS (list, g_value_array_get_type ()))
    return NULL;
  packets = g_value_get_boxed (list);
  told = g_array_new (FALSE, FALSE, sizeof (RcTold));
  for (guint i = 0; packets && i < packets->n_values && i < MAX_PACKETS; i++) {
    const GValue *value = &packets->values[i];
    RcTold one;

    if (GST_VALUE_HOLDS_STRUCTURE (value) && gst_value_get_structure (value)
        && read_packet (gst_value_get_structure (value), header_bytes, clock_offset, now, &one))
      g_array_append_val (told, one);
    else
      (*refused)++;
  }
  return told;
}

G_GNUC_END_IGNORE_DEPRECATIONS
