/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What an attack did to its victims, by their statistics before and after. */
#pragma once

#include "victims.h"

G_BEGIN_DECLS

/* Counters that no packet of an honest peer raises, a lower rate, another sender, media that was
 * not delivered or was not the sender's: in words, "" if there is nothing. `n`: packets of the
 * attack. */
gchar *effects_describe (const Snapshot * before, const Snapshot * after, guint n);
/* How many packets were rejected as not authentic or as replays. */
guint64 effects_rejected (const Snapshot * before, const Snapshot * after);

G_END_DECLS
