/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sealwatch.h"

#include "net/sameaddress.h"

void
seal_watch_clear (SealWatch * self)
{
  g_clear_object (&self->sealed);
  g_clear_object (&self->open);
  *self = (SealWatch) { 0 };
}

SealKind
seal_watch_classify (const RtcpMessage * message)
{
  if (message->sealed)
    return SEAL_SEALED;
  return message->verdict == RTCP_VALID && message->n_malformed == 0 ? SEAL_PLAIN : SEAL_OTHER;
}

static gboolean
is (GSocketAddress * address, GSocketAddress * from)
{
  return address && same_address (address, from);
}

static void
note_seal (SealWatch * self, GSocketAddress * from, RcTime now)
{
  if (!is (self->sealed, from) || now - self->sealed_at > SEAL_MEMORY)
    self->seals = 0;
  g_set_object (&self->sealed, from);
  self->sealed_at = now;
  self->seals += self->seals < SEAL_REPEATS;
}

gboolean
seal_watch_holds (SealWatch * self, GSocketAddress * from, SealKind kind, RcTime now)
{
  gboolean open = is (self->open, from);

  if (kind == SEAL_SEALED && !(open && self->plain))
    note_seal (self, from, now);
  if (!is (self->sealed, from))
    return FALSE;
  if (kind == SEAL_PLAIN)
    g_clear_object (&self->sealed);
  return self->sealed && now - self->sealed_at < SEAL_HOLD
      && (!open || self->seals >= SEAL_REPEATS);
}

void
seal_watch_on_admitted (SealWatch * self, GSocketAddress * from, SealKind kind)
{
  if (!is (self->open, from)) {
    g_set_object (&self->open, from);
    self->plain = FALSE;
  }
  self->plain |= kind == SEAL_PLAIN;
}
