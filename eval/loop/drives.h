/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The recorded uplinks of cars in drives.txt (drives.md), in the order of their names: two of each
 * drive, one an operator. */
#pragma once

#define N_DRIVES 250

/* FILE#NAME, as opportunitylist_read takes it. */
const char *drive_path (unsigned index);
/* The same of a drive without its ending .kbps. The text holds until the next call. */
const char *drive_named (const char *name);
