/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A network of this process alone, where that is permitted, so that the ports are free, the
 * addresses may be changed, and several of these tests may run at the same time. */
#pragma once

#include <glib.h>

/* Before any thread. FALSE: not permitted; the network of the machine is used. */
gboolean privatenet_enter (void);

/* An address that may come and go, there only. */
#define PRIVATENET_ADDRESS "10.77.0.1"
void privatenet_set_address (gboolean present);
