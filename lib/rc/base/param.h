/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One tunable of a law, by its name in `controller-params`. */
#pragma once

#include <stddef.h>

typedef struct
{
  const char *name, *unit, *doc;
  double min, max;
  double initial, paper;        /* its value by profile: for real networks; as published */
  size_t offset;                /* of a double in the law's state */
} RcParam;
