/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The way to the receiver: whether it still leads there, and what a session does when it changed. A way that fails, or on
 * which nobody answers, may lead from another local address now (another network, DHCP, a VPN) or to another address of
 * the receiver's name. */

#include "rmcsessionprivate.h"

#define REFUSED_AFTER (500 * RC_MSEC)   /* a receiver that starts with us, or anew, is no reason for a warning */

void
rmc_session_note_sent (RmcSession * self, const TransportResult * result, RcTime now)
{
  self->stats.send_errors += result->errors;
  self->stats.send_again += result->again;
  if (result->refused > 0)
    rmc_session_note_refused (self, result->refused, now);
  if (result->sent > 0) {
    path_watch_on_sent (&self->path, result->errors > 0, now);
    self->send_error = result->errors > 0 ? result->last_error : 0;
  }
}

void
rmc_session_note_answer (RmcSession * self)
{
  path_watch_on_answer (&self->path);
  self->refused_since = RC_TIME_NONE;
  self->told_port_refused = FALSE;
}

void
rmc_session_note_refused (RmcSession * self, guint n, RcTime now)
{
  self->stats.refused += n;
  if (self->refused_since == RC_TIME_NONE)
    self->refused_since = now;
  if (self->told_port_refused || now - self->refused_since < REFUSED_AFTER)
    return;
  self->told_port_refused = self->work.port_refused = TRUE;
}

/* What was known of the path is wrong now, and the rate that it carried may be too much. */
static void
begin_anew (RmcSession * self, RcTime now)
{
  path_watch_on_answer (&self->path);
  self->stats.path_changes++;
  rc_sender_restart (&self->sender, now);
  rmc_session_follow_sender (self, now);
}

static void
follow_route (RmcSession * self, RcTime now)
{
  TransportRoute route = self->transport->funcs->follow_route (self->transport);

  if (route == TRANSPORT_ROUTE_MOVED)
    begin_anew (self, now);
  else if (route == TRANSPORT_ROUTE_SAME && self->path.failing)
    rc_sender_probe_soon (&self->sender, now);
}

RcTime
rmc_session_watch_path (RmcSession * self, RcTime now)
{
  if (self->follows_route && path_watch_wants_route (&self->path, now))
    follow_route (self, now);
  if (self->has_name && path_watch_wants_name (&self->path, now))
    self->work.look_up = TRUE;
  return self->follows_route ? path_watch_next_at (&self->path) : RC_TIME_NONE;
}

GSocketAddress *
rmc_session_get_peer (RmcSession * self)
{
  GSocketAddress *peer;

  g_mutex_lock (&self->lock);
  peer = self->client ? self->transport->funcs->get_peer (self->transport) : NULL;
  g_mutex_unlock (&self->lock);
  return peer;
}

void
rmc_session_set_peer (RmcSession * self, GSocketAddress * peer)
{
  g_mutex_lock (&self->lock);
  if (self->client && self->transport->funcs->set_peer (self->transport, peer)) {
    begin_anew (self, clock_glue_monotonic ());
    pacing_engine_wake (self->engine, self->client);
  }
  rmc_session_unlock_and_tell (self);
}
