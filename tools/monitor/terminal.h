/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One line a stream, each second: for a terminal over ssh. On a terminal the lines stay where they
 * are; into a file or a pipe they follow each other. A stream that has ended has a line that says
 * so: on a terminal for a minute, else once. */
#pragma once

#include "streamtable.h"

typedef struct _Terminal Terminal;

Terminal *terminal_new (StreamTable * streams);
void terminal_free (Terminal * self);
