/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The command line of arcrouter. */
#pragma once

#include <glib.h>
#include <rc/router/rcprouter.h>

typedef struct
{
  gchar *interface;
  guint64 capacity_bps;
  RcRouterLaw law;
  gdouble gamma_ratio, kappa_ratio;
  gdouble alpha_gain, beta_gain;        /* of RCP */
  gdouble others_ratio;         /* other traffic counts at most as this share of the capacity */
  guint8 stamp_id;
  RcTime stats;                 /* 0: none */
  gboolean verbose;
} RouterOptions;

gboolean router_options_parse (RouterOptions *self, int *argc, char ***argv, GError **error);
void router_options_clear (RouterOptions *self);
