/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Selects the sender whose packets are accepted. An open port receives packets with any source
 * address, and reports are sent to the sender, so there is one sender at a time:
 *   - the first address whose RTP has an announced payload type, or that returns its cookie
 *   - until it has been silent for `release`. An unverified sender keeps the slot for HOLD_A_PACKET
 *     after each media packet and loses it at once to a verified sender, so that occasional forged
 *     packets lock out no one
 *   - a verified sender that sends a BYE with its cookie releases the slot to the next media. It
 *     keeps it if it sends anything else itself, so that a forged BYE has no lasting effect
 *   - a sender that changes its address (NAT, another network) returns the cookie of the old one.
 *     With `follow`, RTP of the same SSRC suffices: any host with the SSRC can then take over,
 *     hence not the default. With SRTP it always suffices if the packet is newer than all before:
 *     only a holder of the key can make it, and a packet that was held back and replayed from
 *     elsewhere yields to the sender's next one.
 * No clock and no lock: both are the caller's.
 *
 * Rejected: a BYE without the cookie, which anybody could write; a proof by another round trip,
 * since who has stopped answers nothing. */
#pragma once

#include <gio/gio.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define SENDER_LATCH_HOLD_A_PACKET (200 * RC_MSEC)
#define SENDER_LATCH_MAX_SSRCS 8        /* audio and video of some cameras, and their repairs */

typedef enum
{
  SENDER_PACKET_OTHER,          /* selects no sender */
  SENDER_PACKET_MEDIA,          /* RTP */
  SENDER_PACKET_INFO,           /* ours, from a sender */
} SenderPacketKind;

typedef struct
{
  SenderPacketKind kind;
  guint32 ssrc;                 /* of media */
  gboolean announced;           /* media: its payload type may come */
  gboolean proven;              /* info: brings the cookie of the address that it comes from */
  gboolean moved;               /* info: brings the cookie of the present sender's address */
  gboolean bye;                 /* info: the last one */
  gboolean fresh;               /* authentic, and the newest of its SSRC */
} SenderPacket;

typedef enum
{
  SENDER_LATCH_KNOWN,           /* from the sender */
  SENDER_LATCH_CHANGED,         /* from the sender, which is new */
  /* to be dropped: */
  SENDER_LATCH_OTHER,           /* from elsewhere, and says nothing of a sender */
  SENDER_LATCH_TAKEN,           /* another sender holds the slot */
  SENDER_LATCH_UNPROVEN,        /* to be accepted, it must verify its address */
  SENDER_LATCH_MISFIT, /* media of a payload type that was not announced, or an info about that */
} SenderLatchVerdict;

typedef struct
{
  GSocketAddress *sender;       /* NULL: none yet */
  gboolean proven;              /* it returned its cookie: its address is verified */
  gboolean left;                /* it said BYE, and sent nothing since */
  /* It sent media that was announced: other payload types may be its repair packets. */
  gboolean fits;
  guint media_pkts;
  /* Of the sender's RTP, the last that were new. */
  guint32 ssrcs[SENDER_LATCH_MAX_SSRCS];
  guint n_ssrcs;                /* that ever came */
  RcTime heard_at;              /* the sender's last media or info */
  GSocketAddress *misfit;       /* of the last media that was not announced; NULL: none */
} SenderLatch;

/* Releases the slot. For a zeroed latch, too. */
void sender_latch_clear (SenderLatch * self);
/* release: silence after which another address may become the sender. */
SenderLatchVerdict sender_latch_judge (SenderLatch * self, GSocketAddress * from,
    const SenderPacket * packet, gboolean follow, RcTime release, RcTime now);

G_END_DECLS
