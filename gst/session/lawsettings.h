/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How users name a law and its parameters: for the properties congestion-control
 * and controller-params of every element that has a law. */
#pragma once

#include <gst/gst.h>
#include <rc/law/limits.h>
#include <rc/pace/rmc.h>

G_BEGIN_DECLS

/* The value of arc. */
#define DEFAULT_LAW 0

/* Enums: a stable value for each of rc_laws; RcProfile. */
GType law_settings_get_law_type (void);
const RcLaw *law_settings_get_law (gint value);
/* The property max-delay, if the law has such a bound. */
void law_settings_set_max_delay (RcController * controller, GstClockTime max_delay);
/* Single parameters of the law, and k_r of the pacer; NULL: none. *warning: a sentence about those
 * refused, else untouched. */
void law_settings_set_params (RcController * controller, RcRmcParams * pacing,
    const GstStructure * params, gchar ** warning);

G_END_DECLS
