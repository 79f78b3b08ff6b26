/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Reports all elements of this plugin in the process to a monitor, on one thread, which exists
 * while there are elements.
 *
 * A tracer tells and a program of its own shows. Rejected: an HTTP server in the tracer, a port
 * and libsoup in each process and requests parsed where media is sent; a property or messages,
 * which each launch line or application would have to hand on. The thread ends with the registry
 * (gst_deinit), since it may hold the last reference of an element. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* name: what the monitor calls this process. path: of the monitor's socket. FALSE: it has begun
 * already; the first name and path stay. It never ends. */
gboolean teller_begin (const gchar * name, const gchar * path);

G_END_DECLS
