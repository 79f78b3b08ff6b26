/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What makes EOS, preroll and pace of the server's stream, with viewers and without, and hands it
 * to them: a sink inside the bin, which appends what it renders to a feed. */
#pragma once

#include "join/joinserver.h"
#include "pacing/mediafeed.h"

#include <gst/base/gstbasesink.h>

G_BEGIN_DECLS

#define SERVER_TYPE_FAN (server_fan_get_type ())
G_DECLARE_FINAL_TYPE (ServerFan, server_fan, SERVER, FAN, GstBaseSink)

/* Those of its guests whose sinks have the feed; the server lives longer. */
void server_fan_set_server (ServerFan * self, JoinServer * server);
Feed *server_fan_get_feed (ServerFan * self);
/* NULL: none yet. A guest that has its place by now gets all later ones. */
GstCaps *server_fan_dup_caps (ServerFan * self);

G_END_DECLS
