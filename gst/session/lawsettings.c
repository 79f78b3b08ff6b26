/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "lawsettings.h"

#include <rc/law/controller.h>
#include <string.h>

/* k_r of RMC: stable within 0 and 2, both excluded [RMC prop. 1]. */
#define PACING_GAIN "pacing_gain"
#define MIN_PACING_GAIN 0.05
#define MAX_PACING_GAIN 1.95

/* A law keeps its value for ever, and a new one takes the next: applications may store them. 1 was
 * tfrc. */
static const struct
{
  gint value;
  const gchar *name;
} laws[] = {
  {DEFAULT_LAW, "arc"},
  {2, "rcp"},
  {3, "qi-rcp"},
  {4, "piqi-rcp"},
  {5, "slow"},
  {6, "fixed"},
};

const RcLaw *
law_settings_get_law (gint value)
{
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
    if (laws[i].value == value)
      return rc_law_find (laws[i].name);
  g_return_val_if_reached (rc_laws[0]);
}

GType
law_settings_get_law_type (void)
{
  static gsize type;
  static GEnumValue values[G_N_ELEMENTS (laws) + 1];

  if (g_once_init_enter (&type)) {
    for (guint i = 0; i < G_N_ELEMENTS (laws); i++)
      values[i] = (GEnumValue) { laws[i].value, rc_law_find (laws[i].name)->doc, laws[i].name };
    g_once_init_leave (&type, g_enum_register_static ("GstArcCongestionControl", values));
  }
  return type;
}

typedef struct
{
  RcController *controller;
  RcRmcParams *pacing;
  GString *refused;
} ParamSetter;

static gboolean
take_param (const ParamSetter * setter, const gchar * name, gdouble value)
{
  if (strcmp (name, PACING_GAIN) != 0)
    return rc_controller_set_param (setter->controller, name, value);
  if (!(value >= MIN_PACING_GAIN && value <= MAX_PACING_GAIN))
    return FALSE;
  setter->pacing->kr_gain = value;
  return TRUE;
}

static gboolean
set_param (GQuark field, const GValue * value, gpointer data)
{
  ParamSetter *setter = data;
  GValue number = G_VALUE_INIT;
  const gchar *name = g_quark_to_string (field);

  g_value_init (&number, G_TYPE_DOUBLE);
  if (!g_value_transform (value, &number)
      || !take_param (setter, name, g_value_get_double (&number)))
    g_string_append_printf (setter->refused, "%s%s", setter->refused->len ? ", " : "", name);
  g_value_unset (&number);
  return TRUE;
}

static gchar *
describe_params (const RcLaw * law, const gchar * refused)
{
  GString *text = g_string_new (NULL);
  RcParam param;
  guint i;

  g_string_printf (text, "controller-params: %s refused; congestion-control=%s takes", refused,
      law->name);
  for (i = 0; rc_law_param (law, i, &param); i++)
    g_string_append_printf (text, "%s %s (%g to %g%s%s)", i == 0 ? "" : ",",
        param.name, param.min, param.max, *param.unit ? " " : "", param.unit);
  g_string_append_printf (text, "%s " PACING_GAIN " (%g to %g)", i == 0 ? "" : ",",
      MIN_PACING_GAIN, MAX_PACING_GAIN);
  return g_string_free (text, FALSE);
}

void
law_settings_set_max_delay (RcController * controller, GstClockTime max_delay)
{
  rc_controller_set_param (controller, "max_delay", (gdouble) max_delay / GST_SECOND);
}

void
law_settings_set_params (RcController * controller, RcRmcParams * pacing,
    const GstStructure * params, gchar ** warning)
{
  ParamSetter setter = { controller, pacing, g_string_new (NULL) };

  if (params)
    gst_structure_foreach (params, set_param, &setter);
  if (setter.refused->len > 0)
    *warning = describe_params (controller->law, setter.refused->str);
  g_string_free (setter.refused, TRUE);
}
