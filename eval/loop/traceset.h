/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours on links that serve as recorded or made traces say. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_cellular; /* made traces: cellmodel.h */
extern LoopSet loop_set_traces;         /* files: empty until traceset_add () */

/* Another file, as opportunitylist.h reads it. false: it cannot be read as such. */
bool traceset_add (const char *path);
