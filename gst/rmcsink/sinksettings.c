/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the user set, as the session wants it. */

#include "gstrmcsinkprivate.h"

GST_DEBUG_CATEGORY (gst_rmc_sink_debug);

#include <rc/law/fixed.h>

RcRmcParams
gst_rmc_sink_get_pacing (GstRmcSink * self)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  params.kr_gain = self->settings.pacing_gain;
  if (self->settings.burst_limit > 0) {
    params.burst_bytes = self->settings.burst_limit;
    params.burst_time = 0;
  }
  return params;
}

/* What nobody set gives way to what the user set. */
static RcLimits
wanted_limits (const SinkSettings * s)
{
  RcLimits limits = { s->min_bps, s->start_bps, s->max_bps };

  if (!s->max_set) {
    limits.max_bps = MAX (limits.max_bps, s->min_set ? s->min_bps : 0);
    limits.max_bps = MAX (limits.max_bps, s->start_set ? s->start_bps : 0);
  }
  if (!s->min_set) {
    limits.min_bps = MIN (limits.min_bps, limits.max_bps);
    limits.min_bps = MIN (limits.min_bps, s->start_set ? s->start_bps : limits.max_bps);
  }
  return limits;
}

RcLimits
gst_rmc_sink_get_limits (GstRmcSink * self, gchar ** warning)
{
  const SinkSettings *s = &self->settings;
  RcLimits limits = wanted_limits (s);
  guint start = s->start_bps;

  *warning = NULL;
  if (limits.min_bps > limits.max_bps) {
    *warning = g_strdup_printf ("min-bitrate %u is above max-bitrate %u: the rate is always "
        "%u; lower min-bitrate or raise max-bitrate", s->min_bps, s->max_bps, s->max_bps);
    limits.min_bps = limits.max_bps;
  }
  limits.start_bps = CLAMP (limits.start_bps, limits.min_bps, limits.max_bps);
  /* While it plays only `fixed` goes by it. */
  if (*warning || limits.start_bps == start || !s->start_set
      || (self->session && rc_laws[s->law] != &rc_fixed_law))
    return limits;
  if (start > limits.max_bps)
    *warning = g_strdup_printf ("start-bitrate %u is above max-bitrate %u, which holds", start,
        s->max_bps);
  else
    *warning = g_strdup_printf ("start-bitrate %u is below min-bitrate %u, which holds", start,
        s->min_bps);
  return limits;
}

typedef struct
{
  RcController *controller;
  GString *refused;
} ParamSetter;

static gboolean
set_param (GQuark field, const GValue * value, gpointer data)
{
  ParamSetter *setter = data;
  GValue number = G_VALUE_INIT;
  const gchar *name = g_quark_to_string (field);

  g_value_init (&number, G_TYPE_DOUBLE);
  if (!g_value_transform (value, &number)
      || !rc_controller_set_param (setter->controller, name, g_value_get_double (&number)))
    g_string_append_printf (setter->refused, "%s%s", setter->refused->len ? ", " : "", name);
  g_value_unset (&number);
  return TRUE;
}

static gchar *
describe_params (const RcLaw * law, const gchar * refused)
{
  GString *text = g_string_new (NULL);
  const RcParam *param;

  g_string_printf (text, "controller-params: %s refused; congestion-control=%s takes", refused,
      law->name);
  for (param = law->params; param && param->name; param++)
    g_string_append_printf (text, "%s %s (%g to %g%s%s)", param == law->params ? "" : ",",
        param->name, param->min, param->max, *param->unit ? " " : "", param->unit);
  return g_string_free (text, FALSE);
}

void
gst_rmc_sink_init_controller (GstRmcSink * self, RcController * controller, gchar ** warning)
{
  ParamSetter setter = { controller, g_string_new (NULL) };

  rc_controller_init (controller, rc_laws[self->settings.law], self->settings.profile);
  if (self->settings.require_feedback && rc_laws[self->settings.law] == &rc_fixed_law)
    rc_controller_set_param (controller, "stop", RC_SILENCE_STOP_S);
  if (self->settings.controller_params)
    gst_structure_foreach (self->settings.controller_params, set_param, &setter);
  if (setter.refused->len > 0)
    *warning = describe_params (controller->law, setter.refused->str);
  g_string_free (setter.refused, TRUE);
}
