/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rows that users add to the table of encoders, by the property encoder-map. They are those of the
 * process, and stay. */
#pragma once

#include "encoder/encoderrow.h"

G_BEGIN_DECLS

/* "FACTORY,PROPERTY,UNIT[,restarts]" with UNIT bit or kbit, several separated by semicolons; the
 * latest row of a factory counts. Returns NULL, or a new sentence that says what is wrong (g_free),
 * and then nothing was added. */
gchar *encoder_map_add (const gchar * text);
/* NULL: nobody has added it. */
const EncoderRow *encoder_map_lookup (GstElement * element);

G_END_DECLS
