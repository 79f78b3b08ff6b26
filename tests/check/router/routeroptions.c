/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The command line of arcrouter. */
#include <arcrouter/routeroptions.h>

#include <string.h>

#include "claim.h"

/* more: options beside the two that must be there, in one string; what is refused (g_free), NULL:
 * nothing. */
static gchar *
parse (const gchar *more, RouterOptions *options)
{
  g_autofree gchar *line = g_strdup_printf ("arcrouter --interface=lo --capacity=20M %s", more);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree gchar **left = NULL;       /* GOption takes out what it knows */
  gint n;

  fail_unless (g_shell_parse_argv (line, &n, &words, NULL));
  left = g_memdup2 (words, (gsize) (n + 1) * sizeof *words);
  fail_unless (router_options_parse (options, &n, &left, &error) == (error == NULL));
  return error ? g_strdup (error->message) : NULL;
}

CLAIM (test_gains_are_those_of_the_library_unless_set)
{
  const RcRouterParams usual = RC_ROUTER_PARAMS_DEFAULT;
  RouterOptions options;

  fail_unless (parse ("", &options) == NULL);
  fail_unless (options.alpha_gain == usual.alpha_gain && options.beta_gain == usual.beta_gain
      && options.kappa_ratio == usual.kappa_ratio);
  router_options_clear (&options);
  fail_unless (parse ("--law=rcp --alpha=0.1 --beta=2 --kappa=0.5", &options) == NULL);
  fail_unless (options.law == RC_ROUTER_RCP && options.gamma_ratio == 1);
  fail_unless (options.alpha_gain == 0.1 && options.beta_gain == 2 && options.kappa_ratio == 0.5);
  router_options_clear (&options);
}

static const struct
{
  const gchar *option, *says;
} wrong[] = {
  {"--alpha=0", "--alpha"}, {"--alpha=11", "--alpha"}, {"--alpha=nan", "--alpha"},
  {"--beta=-1", "--beta"}, {"--beta=nan", "--beta"},
  {"--kappa=0", "--kappa"}, {"--kappa=3.1", "--kappa"}, {"--kappa=nan", "--kappa"},
  {"--gamma=1.1", "--gamma"}, {"--others=2", "--others"}, {"--extension-id=256", "--extension-id"},
  {"--law=reno", "--law"}, {"--stats=-1", "--stats"}, {"more", "not an option"},
};

CLAIMS (test_wrong_option_is_refused_by_its_name, G_N_ELEMENTS (wrong))
{
  RouterOptions options;
  g_autofree gchar *says = parse (wrong[__i__].option, &options);

  fail_unless (says && strstr (says, wrong[__i__].says), "%s: %s", wrong[__i__].option, says);
}
