/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/pathwatch.h"

void
path_watch_init (PathWatch * self)
{
  *self = (PathWatch) { RC_TIME_NONE, RC_TIME_NONE, RC_TIME_NONE, FALSE };
}

void
path_watch_on_sent (PathWatch * self, gboolean failed, RcTime now)
{
  self->failing = failed;
  if (self->silent_since == RC_TIME_NONE)
    self->silent_since = now;
}

void
path_watch_on_answer (PathWatch * self)
{
  path_watch_init (self);
}

gboolean
path_watch_wants_route (PathWatch * self, RcTime now)
{
  RcTime interval = self->failing ? PATH_WATCH_FAILING_INTERVAL : PATH_WATCH_SILENT_INTERVAL;

  if (self->silent_since == RC_TIME_NONE || (!self->failing && now - self->silent_since < interval))
    return FALSE;
  if (self->route_asked_at != RC_TIME_NONE && now - self->route_asked_at < interval)
    return FALSE;
  self->route_asked_at = now;
  return TRUE;
}

RcTime
path_watch_next_at (const PathWatch * self)
{
  if (!self->failing || self->route_asked_at == RC_TIME_NONE)
    return RC_TIME_NONE;
  return self->route_asked_at + PATH_WATCH_SILENT_INTERVAL;
}

gboolean
path_watch_wants_name (PathWatch * self, RcTime now)
{
  if (self->silent_since == RC_TIME_NONE || now - self->silent_since < PATH_WATCH_NAME_AFTER)
    return FALSE;
  if (self->name_asked_at != RC_TIME_NONE && now - self->name_asked_at < PATH_WATCH_NAME_INTERVAL)
    return FALSE;
  self->name_asked_at = now;
  return TRUE;
}
