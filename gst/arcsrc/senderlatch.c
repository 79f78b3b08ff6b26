/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "senderlatch.h"

#include "net/sameaddress.h"

void
sender_latch_clear (SenderLatch * self)
{
  g_clear_object (&self->sender);
  g_clear_object (&self->misfit);
  *self = (SenderLatch) { 0 };
}

static RcTime
hold (const SenderLatch * self, RcTime release)
{
  return self->proven ? release : MIN (release, self->media_pkts * SENDER_LATCH_HOLD_A_PACKET);
}

static gboolean
has_ssrc (const SenderLatch * self, guint32 ssrc)
{
  for (guint i = 0; i < MIN (self->n_ssrcs, SENDER_LATCH_MAX_SSRCS); i++)
    if (self->ssrcs[i] == ssrc)
      return TRUE;
  return FALSE;
}

/* It is the sender that we have, at another address. */
static gboolean
has_moved (const SenderLatch * self, const SenderPacket * packet, gboolean follow)
{
  return packet->moved || ((follow || packet->fresh) && packet->kind == SENDER_PACKET_MEDIA
      && has_ssrc (self, packet->ssrc));
}

static gboolean
place_is_free (const SenderLatch * self, const SenderPacket * packet, gboolean follow,
    RcTime release, RcTime now)
{
  return !self->sender || self->left || has_moved (self, packet, follow)
      || (packet->proven && !self->proven) || now - self->heard_at >= hold (self, release);
}

static gboolean
is_misfit (SenderLatch * self, GSocketAddress * from, const SenderPacket * packet, gboolean known)
{
  gboolean was = self->misfit && same_address (self->misfit, from);

  if (known && self->fits)
    return FALSE;
  if (packet->kind == SENDER_PACKET_INFO)
    return was;
  if (!packet->announced)
    g_set_object (&self->misfit, from);
  else if (was)
    g_clear_object (&self->misfit);
  return !packet->announced;
}

static void
become (SenderLatch * self, GSocketAddress * from, gboolean moved)
{
  g_set_object (&self->sender, from);
  self->proven = self->fits = self->left = FALSE;
  if (!moved)
    self->media_pkts = self->n_ssrcs = 0;
}

static void
note (SenderLatch * self, const SenderPacket * packet, RcTime now)
{
  self->heard_at = now;
  self->proven |= packet->proven;
  self->left = packet->bye && packet->proven;
  if (packet->kind != SENDER_PACKET_MEDIA)
    return;
  self->media_pkts += self->media_pkts < G_MAXUINT16;
  self->fits |= packet->announced;
  if (!has_ssrc (self, packet->ssrc))
    self->ssrcs[self->n_ssrcs++ % SENDER_LATCH_MAX_SSRCS] = packet->ssrc;
}

SenderLatchVerdict
sender_latch_judge (SenderLatch * self, GSocketAddress * from, const SenderPacket * packet,
    gboolean follow, RcTime release, RcTime now)
{
  gboolean known = self->sender && same_address (self->sender, from);

  if (packet->kind == SENDER_PACKET_OTHER || (packet->bye && !known))
    return known ? SENDER_LATCH_KNOWN : SENDER_LATCH_OTHER;
  if (!known && !place_is_free (self, packet, follow, release, now))
    return self->proven ? SENDER_LATCH_TAKEN : SENDER_LATCH_UNPROVEN;
  if (is_misfit (self, from, packet, known))
    return SENDER_LATCH_MISFIT;
  if (!known && packet->kind == SENDER_PACKET_INFO && !packet->proven && !packet->moved)
    return SENDER_LATCH_UNPROVEN;
  if (!known)
    become (self, from, has_moved (self, packet, follow));
  note (self, packet, now);
  return known ? SENDER_LATCH_KNOWN : SENDER_LATCH_CHANGED;
}
