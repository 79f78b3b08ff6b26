/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a user is told where nothing has ever come, or nothing that is authentic. A wrong port, a
 * wrong address, a firewall and a wrong key look the same at the receiver; without a word they look
 * like a picture that stays black. */
#include "gstarcsrcprivate.h"

#include "net/listensocket.h"

/* Timeouts after which it is told: 10 s by default, in which a sender that starts later starts. */
#define PATIENCE_TIMEOUTS 5

static guint64
rejected_pkts (GstArcSrc * self)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  guint64 rejected = 0;

  peer_add_stats (&self->peer, stats);
  gst_structure_get_uint64 (stats, "rejected", &rejected);
  gst_structure_free (stats);
  return rejected;
}

void
gst_arc_src_check_wait (GstArcSrc * self)
{
  GstClockTime silence, timeout = peer_timeout (&self->peer);
  guint16 port;

  if (self->wait_told || timeout == 0)
    return;
  self->wait_told = !peer_waits_for_first (&self->peer, &silence);
  if (self->wait_told || silence < PATIENCE_TIMEOUTS * timeout)
    return;
  self->wait_told = TRUE;
  GST_OBJECT_LOCK (self);
  port = self->socket ? listen_socket_port (self->socket) : self->port;
  GST_OBJECT_UNLOCK (self);
  if (rejected_pkts (self) > 0)
    GST_ELEMENT_WARNING (self, RESOURCE, READ, ("packets come to UDP port %u, but none is "
            "authentic: set the same srtp-key, srtp-cipher and srtp-auth at the sender", port),
        (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, READ, ("no packet has come to UDP port %u yet: start the "
            "sender, set its host to this machine and its port to %u, and let UDP port %u through "
            "every firewall between", port, port, port), (NULL));
}
