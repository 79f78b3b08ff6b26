/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendpath.h"

/* A receiver that starts with us, or anew, is no reason for a warning. */
#define REFUSED_AFTER (500 * RC_MSEC)
/* Longer than it takes from one probe to the next (RC_INFO_LATER_PROBE_INTERVAL). */
#define LISTENED_AFTER (5 * RC_SECOND)

void
send_path_stats_add (SendPathStats * sum, const SendPathStats * stats)
{
  sum->send_errors += stats->send_errors;
  sum->send_again += stats->send_again;
  sum->refused += stats->refused;
}

void
send_path_init (SendPath * self, Transport * transport, gboolean follows_route, gboolean has_name)
{
  *self = (SendPath) {.transport = transport,.follows_route = follows_route,.has_name = has_name,
    .refused_since = RC_TIME_NONE,.refused_at = RC_TIME_NONE
  };
  path_watch_init (&self->watch);
}

/* Problem: after the warning that the port is closed, a program may open it and not answer, and no
 * further warning would come. Rule: then the silence is reported as well. */
static void
note_listener (SendPath * self, RcTime now)
{
  if (!self->told_port_refused || now - self->refused_at < LISTENED_AFTER)
    return;
  self->refused_since = RC_TIME_NONE;
  self->told_port_refused = FALSE;
  self->unanswered = TRUE;
}

void
send_path_on_batch (SendPath * self, const TransportResult * result, RcTime now)
{
  self->stats.send_errors += result->errors;
  self->stats.send_again += result->again;
  if (result->refused > 0)
    send_path_on_refused (self, result->refused, now);
  if (result->sent > 0) {
    note_listener (self, now);
    path_watch_on_sent (&self->watch, result->errors > 0, now);
    self->send_error = result->errors > 0 ? result->last_error : 0;
  }
}

void
send_path_on_answer (SendPath * self)
{
  path_watch_on_answer (&self->watch);
  self->refused_since = RC_TIME_NONE;
  self->told_port_refused = FALSE;
}

void
send_path_on_refused (SendPath * self, guint n, RcTime now)
{
  self->stats.refused += n;
  self->refused_at = now;
  if (self->refused_since == RC_TIME_NONE)
    self->refused_since = now;
  if (self->told_port_refused || now - self->refused_since < REFUSED_AFTER)
    return;
  self->told_port_refused = self->port_refused = TRUE;
}

void
send_path_begin_anew (SendPath * self)
{
  path_watch_on_answer (&self->watch);
}

SendPathChange
send_path_follow (SendPath * self, RcTime now)
{
  TransportRoute route;

  if (!self->follows_route || !path_watch_wants_route (&self->watch, now))
    return SEND_PATH_SAME;
  route = self->transport->funcs->follow_route (self->transport);
  if (route == TRANSPORT_ROUTE_MOVED)
    return SEND_PATH_MOVED;
  return route == TRANSPORT_ROUTE_SAME && self->watch.failing ? SEND_PATH_BACK : SEND_PATH_SAME;
}

RcTime
send_path_next_at (const SendPath * self)
{
  return self->follows_route ? path_watch_next_at (&self->watch) : RC_TIME_NONE;
}

gboolean
send_path_wants_name (SendPath * self, RcTime now)
{
  return self->has_name && path_watch_wants_name (&self->watch, now);
}
