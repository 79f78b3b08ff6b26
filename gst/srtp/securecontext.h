/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP and SRTCP of one element, in both directions, by libsrtp: packets are protected and
 * unprotected in place. What is not authentic, or was here before, is refused and counted, and
 * changes nothing else; a stream gets a place only by an authentic packet, and keeps it as long as
 * a key that it was seen under. There are SECURE_STREAMS_MAX places in each direction; packets of
 * further streams are refused.
 *
 * A key can be replaced while packets flow. The sender switches to the new key at once; the
 * receiver switches when the first packet under it arrives. Both accept the old key until
 * SECURE_OLD_KEY_TIME after that. So the new key must be set on the receiver first.
 *
 * One lock, held while libsrtp works. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>
#include "base/fields.h"
#include "srtp/securekey.h"

G_BEGIN_DECLS

/* Longer than packets are on their way. */
#define SECURE_OLD_KEY_TIME (5 * RC_SECOND)
/* What protecting may add: the SRTCP index, a tag, an MKI, and a message about indexes. */
#define SECURE_MAX_TRAILER_BYTES 160

/* SRTCP packets of one SSRC under one key [RFC 3711 9.2], and when to speak of it: at 100 a second
 * 15 days before. */
#define SECURE_RTCP_PKTS_MAX 0x7fffffffu
#define SECURE_RTCP_PKTS_WARN (SECURE_RTCP_PKTS_MAX - (1u << 27))

typedef struct _SecureContext SecureContext;

typedef enum
{
  SECURE_WARNING_FULL_OUT,
  SECURE_WARNING_FULL_IN,
  SECURE_WARNING_RTCP_ENDS,
  SECURE_WARNING_RTCP_ENDED,
} SecureWarning;

/* Of a packet that was authentic, or of RTP that was refused since its number came before. */
typedef struct
{
  gboolean rtcp;
  guint32 ssrc;
  gboolean newest;              /* no packet of this SSRC with a higher index came before */
  gboolean copy;                /* it was refused */
  guint16 seq;                  /* of a copy */
} SecureArrival;

/* A packet of RTP that was protected, and may leave. */
typedef struct
{
  guint32 ssrc;                 /* of RTP only */
  gboolean rtp;
  guint64 index;
  guint32 digest;
} SecureDeparture;

/* NULL and *error: the settings are wrong, or this build or this libsrtp cannot do it. The settings
 * have a key. leads: see above. */
SecureContext *secure_context_new (const SecureSettings * settings, gboolean leads,
    GError ** error);
SecureContext *secure_context_ref (SecureContext * self);
void secure_context_unref (SecureContext * self);
/* Cipher and authentication stay. FALSE and *error: so does the key. A key that was used before is
 * refused: RTCP would be numbered from 0 again. */
gboolean secure_context_rekey (SecureContext * self, const SecureSettings * settings,
    GError ** error);
/* It works by these settings, so that it can go on after a restart of its element: it knows what
 * was sent and what came before. */
gboolean secure_context_fits (SecureContext * self, const SecureSettings * settings);
/* It sends nothing until it is used again: another may send its SSRCs by its key. */
void secure_context_rest (SecureContext * self);
/* Bytes that an RTP packet has more. */
guint secure_context_overhead_bytes (SecureContext * self);

/* RTP or RTCP of `size` bytes, with room for SECURE_MAX_TRAILER_BYTES behind. Returns the new size;
 * 0: it must not leave, which is counted: its number was used for another packet, or is far behind
 * the newest, or another element sends this SSRC, or there are too many. */
gsize secure_context_protect (SecureContext * self, guint8 * data, gsize size,
    SecureDeparture * departure, RcTime now);
/* These have left. Until then a number may be used again. */
void secure_context_note_sent (SecureContext * self, const SecureDeparture * departures, guint n);
/* FALSE: refused, and counted but for a copy; the data may be spoilt. Otherwise *size is that of
 * the packet. */
gboolean secure_context_unprotect (SecureContext * self, guint8 * data, gsize * size,
    SecureArrival * arrival, RcTime now);
/* If it is a copy it is one that nobody asked for: it counts as replayed. */
void secure_context_count_copy (SecureContext * self, const SecureArrival * arrival);
/* The next warning for the user; each is returned once. NULL: none. */
const gchar *secure_context_take_warning (SecureContext * self);
/* For tests: so many SRTCP packets of this SSRC have left under the present key. */
void secure_context_skip_rtcp (SecureContext * self, guint32 ssrc, guint32 pkts);
/* Packets; `self` NULL: there is no key. */
void secure_context_add_stats (SecureContext * self, GstStructure * stats);
/* Its fields. */
extern const FieldRow secure_fields[];

G_END_DECLS
