/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The settings under which an encoder follows a changing bitrate. Its defaults are made for
 * files: a rate control that looks seconds ahead and back. See encodersettings.c for the tables,
 * docs/guide/encoders.md for what each made. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Changes settings at their defaults, as far as the present state permits; latency: see
 * encoderorders.h. Of several sinks behind the encoder the smallest latency counts. May block on
 * the encoder's lock. Any thread. */
void encoder_settings_improve (GstElement * encoder, GstClockTime latency);
/* A sink that goes by the encoder; claimant: any pointer that stays the same. Its latency counts
 * until it leaves. After that the settings are those of the others soon, on another thread. */
void encoder_settings_join (GstElement * encoder, gconstpointer claimant, GstClockTime latency);
void encoder_settings_leave (GstElement * encoder, gconstpointer claimant);
/* The same for the last latency: the frame rate has changed (encoderframes.h). */
void encoder_settings_renew (GstElement * encoder);
/* The encoder with these settings, as in a launch line (g_free); NULL: its defaults suffice, or
 * none are known. */
gchar *encoder_settings_line (GstElement * encoder, GstClockTime latency);
/* Does the encoder's buffer (VBV) hold no more than one frame? Also the duration of a frame; 0: it
 * is not known yet. */
gboolean encoder_settings_one_frame (GstElement * encoder, GstClockTime * frame);
/* NULL: it follows. Else a new sentence that names the setting in the way and the cure (g_free). */
gchar *encoder_settings_why_stuck (GstElement * encoder);
/* NULL: as well as it can. Else a new sentence that names a setting that could no longer be
 * changed, and the line (g_free). */
gchar *encoder_settings_why_badly (GstElement * encoder, GstClockTime latency);

G_END_DECLS
