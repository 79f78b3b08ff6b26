/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What leaves for the other end, as SRTP if there is a key. Uses nothing of peer.c. */

#include "peer.h"

#include "srtp/securetransport.h"

void
peer_set_secure (Peer * self, SecureContext * secure)
{
  SecureContext *before;

  g_mutex_lock (&self->lock);
  before = self->secure;
  self->secure = secure ? secure_context_ref (secure) : NULL;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&before, secure_context_unref);
}

SecureContext *
peer_dup_secure (Peer * self)
{
  SecureContext *secure;

  g_mutex_lock (&self->lock);
  secure = self->secure ? secure_context_ref (self->secure) : NULL;
  g_mutex_unlock (&self->lock);
  return secure;
}

static gboolean
send_to (GSocket * socket, GSocketAddress * to, const LocalAddress * local, GstBuffer * buffer)
{
  struct sockaddr_storage native;
  GstMapInfo map;
  gboolean sent;

  if (!g_socket_address_to_native (to, &native, sizeof (native), NULL)
      || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;
  sent = local_address_send (local, g_socket_get_fd (socket), (struct sockaddr *) &native,
      (socklen_t) g_socket_address_get_native_size (to), map.data, map.size) >= 0;
  gst_buffer_unmap (buffer, &map);
  return sent;
}

gboolean
peer_send_by (SecureContext * secure, GSocket * socket, GSocketAddress * to,
    const LocalAddress * local, GstBuffer * buffer)
{
  GstBuffer *closed = secure ? secure_transport_close (secure, buffer) : gst_buffer_ref (buffer);
  gboolean sent = closed && send_to (socket, to, local, closed);

  gst_clear_buffer (&closed);
  return sent;
}
