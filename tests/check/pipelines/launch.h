/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include "claim.h"

/* Fails with the parser's own words. */
static inline GstElement *
launch (const gchar * text)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error);

  fail_unless (error == NULL && pipeline != NULL, "%s", error ? error->message : text);
  return pipeline;
}
