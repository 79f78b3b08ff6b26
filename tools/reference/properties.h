/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The properties and signals of a type, in Markdown. Those that it inherits are not listed: they
 * are GStreamer's, and differ between its versions. */
#pragma once

#include "structures.h"

G_BEGIN_DECLS

/* FALSE, nothing written: it has none of its own. heading: written before. */
gboolean properties_write (GString * page, const gchar * element, GType type,
    const gchar * heading);
/* texts: what each signal means. */
void signals_write (GString * page, GType type, const GPtrArray * texts);

G_END_DECLS
