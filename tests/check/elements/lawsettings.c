/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What users call a law's parameters. */

#include "claim.h"
#include "session/lawsettings.h"

#include <rc/law/controller.h>

CLAIM (test_max_delay_reaches_the_law_that_has_it)
{
  RcController law;
  double value = 0;

  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  fail_unless (rc_controller_get_param (&law, "max_delay", &value));
  fail_unless_equals_float (value, 0.4);
  law_settings_set_max_delay (&law, 2 * GST_SECOND);
  fail_unless (rc_controller_get_param (&law, "max_delay", &value));
  fail_unless_equals_float (value, 2);
  rc_controller_init (&law, rc_law_find ("slow"), RC_PROFILE_LIVE);
  law_settings_set_max_delay (&law, 2 * GST_SECOND);
  fail_if (rc_controller_get_param (&law, "max_delay", &value));
}

CLAIM (test_every_law_has_a_value_of_its_own)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (law_settings_get_law_type ());

  fail_unless_equals_string (g_enum_get_value (values, DEFAULT_LAW)->value_nick, "arc");
  for (guint i = 0; rc_laws[i]; i++) {
    const GEnumValue *value = g_enum_get_value_by_nick (values, rc_laws[i]->name);

    fail_unless (value != NULL, "%s is in no row", rc_laws[i]->name);
    fail_unless (law_settings_get_law (value->value) == rc_laws[i]);
    fail_unless (g_enum_get_value (values, value->value) == value);
  }
}

CLAIM (test_the_pacing_gain_is_a_parameter_with_bounds)
{
  g_autoptr (GstStructure) good = gst_structure_from_string ("params,pacing_gain=0.5", NULL);
  g_autoptr (GstStructure) bad = gst_structure_from_string ("params,pacing_gain=2.0", NULL);
  RcRmcParams pacing = RC_RMC_PARAMS_DEFAULT;
  gchar *warning = NULL;
  RcController law;

  rc_controller_init (&law, rc_law_find ("arc"), RC_PROFILE_LIVE);
  law_settings_set_params (&law, &pacing, good, &warning);
  fail_unless (warning == NULL, "%s", warning);
  fail_unless_equals_float (pacing.kr_gain, 0.5);
  law_settings_set_params (&law, &pacing, bad, &warning);
  fail_unless (strstr (warning, "pacing_gain refused") != NULL, "%s", warning);
  fail_unless (strstr (warning, "pacing_gain (0.05 to 1.95)") != NULL, "%s", warning);
  fail_unless_equals_float (pacing.kr_gain, 0.5);
  g_free (warning);
}

static void
check_property (const gchar * factory)
{
  g_autoptr (GstElement) element = gst_element_factory_make (factory, NULL);
  GParamSpecUInt64 *spec = (GParamSpecUInt64 *) g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), "max-delay");
  guint64 value;

  fail_unless (spec != NULL, "%s has no max-delay", factory);
  fail_unless_equals_uint64 (spec->default_value, 400 * GST_MSECOND);
  g_object_set (element, "max-delay", (guint64) GST_SECOND, NULL);
  g_object_get (element, "max-delay", &value, NULL);
  fail_unless_equals_uint64 (value, GST_SECOND);
}

CLAIM (test_both_elements_with_a_session_have_max_delay)
{
  check_property ("rmcsink");
  check_property ("rtparcbwe");
}
