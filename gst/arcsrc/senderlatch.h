/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose packets count: the first address that sends RTP, or speaks as a sender of ours, is the sender. Anybody can send
 * to an open port, and reports go to the sender, so others are refused until the sender has been silent for `release`.
 * With `follow`, RTP of the same SSRC from another address means that the sender moved (NAT, another network): anybody
 * who knows the SSRC can then take its place, hence not the default. No clock and no lock: both are the caller's. */
#pragma once

#include <gio/gio.h>
#include <rc/types.h>

G_BEGIN_DECLS

#define SENDER_LATCH_RELEASE (2 * RC_SECOND)

typedef enum
{
  SENDER_PACKET_OTHER,          /* makes nobody the sender */
  SENDER_PACKET_MEDIA,          /* RTP */
  SENDER_PACKET_INFO,           /* ours, from a sender */
} SenderPacket;

typedef enum
{
  SENDER_LATCH_KNOWN,           /* from the sender */
  SENDER_LATCH_CHANGED,         /* from the sender, who is a new one from here on */
  SENDER_LATCH_FOREIGN,         /* to be dropped */
} SenderLatchVerdict;

typedef struct
{
  GSocketAddress *sender;       /* NULL: nobody yet */
  guint32 ssrc;                 /* of the sender's last RTP packet */
  gboolean has_ssrc;
  RcTime heard_at;              /* the sender's last media or info */
} SenderLatch;

/* Nobody is the sender any more. For a zeroed latch, too. */
void sender_latch_clear (SenderLatch * self);
/* ssrc: of media. release: silence after which another address may become the sender. */
SenderLatchVerdict sender_latch_judge (SenderLatch * self, GSocketAddress * from, SenderPacket packet, guint32 ssrc,
    gboolean follow, RcTime release, RcTime now);

G_END_DECLS
