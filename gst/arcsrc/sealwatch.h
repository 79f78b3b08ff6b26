/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Without a key: does the sender encrypt? SRTP looks like RTP, and a depayloader fails on what it
 * takes for media. SRTCP can be recognised (rc_sealed_rtcp()), and rmcsink with a key sends some
 * before its first media, and every 0.1 s with the media until it gets a report under that key.
 *
 * A datagram is easily forged, even with the sender's address, and plain senders send odd RTCP.
 * So the rule is, for each address:
 *   - RTCP that is plain and well-formed proves that it does not encrypt: nothing is held any more
 *   - before its media went on, one SRTCP packet holds back what comes for SEAL_HOLD
 *   - after media went on, it takes SEAL_REPEATS of them, no two further apart than SEAL_MEMORY
 * A forged packet before a start delays a plain stream by SEAL_HOLD at most, and a single one in a
 * stream has no effect. An attacker that forges them continuously with the sender's address stops a
 * sender that sends no RTCP; rmcsink without a key sends RTCP from the first report on, and forged
 * RTP from that address spoils the stream in any case.
 * No clock and no lock: both are the caller's. */
#pragma once

#include "rtp/rtcpmessage.h"

#include <gio/gio.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define SEAL_HOLD (500 * RC_MSEC)       /* five of rmcsink's: four may be lost */
#define SEAL_REPEATS 3
#define SEAL_MEMORY (10 * RC_SECOND)    /* media that probes comes each 3 s at least */

typedef enum
{
  SEAL_OTHER,                   /* media, or nothing that proves anything */
  SEAL_PLAIN,                   /* well-formed plain RTCP */
  SEAL_SEALED,                  /* SRTCP */
} SealKind;

typedef struct
{
  GSocketAddress *sealed;       /* source of the last SRTCP; NULL: none */
  RcTime sealed_at;
  guint seals;                  /* of it */
  GSocketAddress *open;         /* source of the packets that passed last; NULL: none */
  gboolean plain;               /* it sent plain RTCP */
  gboolean told;                /* the user has been warned; the caller's */
} SealWatch;

/* For a zeroed watch, too. */
void seal_watch_clear (SealWatch * self);
SealKind seal_watch_classify (const RtcpMessage * message);
/* TRUE: it is encrypted, and must not go on. */
gboolean seal_watch_holds (SealWatch * self, GSocketAddress * from, SealKind kind, RcTime now);
/* It was not held, and is from the sender. */
void seal_watch_on_admitted (SealWatch * self, GSocketAddress * from, SealKind kind);

G_END_DECLS
