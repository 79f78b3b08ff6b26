/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The settings under which an encoder follows a changing bitrate. Its defaults are made for
 * files: a rate control that looks seconds ahead and back. Stateless; see encodersettings.c for
 * the tables, docs/encoders.md for what each made. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sets what the user left at its default and what may be set in the present state. May block on
 * the encoder's lock. */
void encoder_settings_improve (GstElement * encoder);
/* The encoder as one writes it in a launch line so that it follows; NULL: its defaults do, or
 * nothing is known (g_free). */
gchar *encoder_settings_line (GstElement * encoder);
/* NULL: follows. Else a new sentence that says which setting is in the way and what to write
 * (g_free). */
gchar *encoder_settings_why_stuck (GstElement * encoder);
/* NULL: as well as it can. Else a new sentence: a setting that could no longer be improved, and
 * the line (g_free). */
gchar *encoder_settings_why_badly (GstElement * encoder);

G_END_DECLS
