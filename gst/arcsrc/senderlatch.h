/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose packets count. Anybody can send to an open port, from any address that he cares to write,
 * and reports go to the sender, so there is one sender at a time:
 *   - the first address whose RTP has a payload type that was announced, or that brings its cookie
 *     back
 *   - until it has been silent for `release`. One that has not proven its address holds for
 *     HOLD_A_PACKET only for each packet of media that it sent, and never against one that proves
 *     his: a forged packet now and then shuts out nobody
 *   - a proven sender that says BYE with its cookie leaves the place to the next media. It keeps it
 *     if it sends any more itself: a BYE that is forged frees nothing for longer than that
 *   - the same sender from another address (NAT, another network) brings the cookie of the old one.
 *     With `follow`, RTP of the same SSRC is taken for that, too: anybody who knows the SSRC can
 *     then take its place, hence not the default. With SRTP it is always taken for that, if it is
 *     newer than all before: only who has the key can make it, and a packet that somebody held
 *     back and sends from elsewhere gives way to the sender's next one.
 * No clock and no lock: both are the caller's. */
#pragma once

#include <gio/gio.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define SENDER_LATCH_HOLD_A_PACKET (200 * RC_MSEC)
#define SENDER_LATCH_MAX_SSRCS 8        /* audio and video of some cameras, and their repairs */

typedef enum
{
  SENDER_PACKET_OTHER,          /* makes nobody the sender */
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
  SENDER_LATCH_CHANGED,         /* from the sender, who is a new one from here on */
  /* to be dropped: */
  SENDER_LATCH_OTHER,           /* from elsewhere, and says nothing of a sender */
  SENDER_LATCH_TAKEN,           /* another sender has the place */
  SENDER_LATCH_UNPROVEN,        /* it would be the sender if it proved its address */
  SENDER_LATCH_MISFIT, /* media of a payload type that was not announced, or an info about that */
} SenderLatchVerdict;

typedef struct
{
  GSocketAddress *sender;       /* NULL: nobody yet */
  gboolean proven;              /* its cookie came back: it is where it seems to be */
  gboolean left;                /* it said BYE, and sent nothing since */
  /* It sent media that was announced: other payload types may be its repair packets. */
  gboolean fits;
  guint media_pkts;
  /* Of the sender's RTP, the last that were new. */
  guint32 ssrcs[SENDER_LATCH_MAX_SSRCS];
  guint n_ssrcs;                /* that ever came */
  RcTime heard_at;              /* the sender's last media or info */
  GSocketAddress *misfit;       /* who sent media that was not announced last; NULL: nobody */
} SenderLatch;

/* Nobody is the sender any more. For a zeroed latch, too. */
void sender_latch_clear (SenderLatch * self);
/* release: silence after which another address may become the sender. */
SenderLatchVerdict sender_latch_judge (SenderLatch * self, GSocketAddress * from,
    const SenderPacket * packet, gboolean follow, RcTime release, RcTime now);
/* Address, port and, of IPv6, interface. */
gboolean sender_latch_same_address (GSocketAddress * a, GSocketAddress * b);

G_END_DECLS
