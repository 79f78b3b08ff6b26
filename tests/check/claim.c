/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "claim.h"

/* Of this program; constructors run in any order. */
static Claim *claims;
static void (*hooks[CLAIM_N_HOOKS]) (void);
static gint timeout_s;

void
claim_add (Claim * self)
{
  Claim **before = &claims;

  while (*before && (*before)->line < self->line)
    before = &(*before)->next;
  self->next = *before;
  *before = self;
}

void
claim_hook (ClaimHook when, void (*hook) (void))
{
  hooks[when] = hook;
}

void
claim_set_timeout_s (gint seconds)
{
  timeout_s = seconds;
}

static void
run_hook (ClaimHook when)
{
  if (hooks[when])
    hooks[when] ();
}

void
claim_run (const Claim * self, void (*body) (gint i), gint i)
{
  tcase_fn_start (self->name, self->file, self->line);
  run_hook (CLAIM_BEFORE_EACH);
  if (self->repeat)
    self->repeat (self->name, body, i);
  else
    body (i);
  gst_task_cleanup_all ();
  run_hook (CLAIM_AFTER_EACH);
}

int
claim_main (int argc, char **argv)
{
  gchar *name = g_path_get_basename (argv[0]);
  Suite *suite = suite_create (name);
  TCase *tcase = tcase_create (name);
  int failed;

  gst_check_init (&argc, &argv);
  run_hook (CLAIM_BEFORE_ALL);
  suite_add_tcase (suite, tcase);
  if (timeout_s > 0)
    tcase_set_timeout (tcase, timeout_s);
  for (Claim *claim = claims; claim; claim = claim->next)
    _tcase_add_test (tcase, claim->run, claim->name, claim->signal, 0, 0, claim->times ());
  failed = gst_check_run_suite (suite, name, claims ? claims->file : name);
  g_free (name);
  return failed;
}

int __attribute__ ((weak))
main (int argc, char **argv)
{
  return claim_main (argc, argv);
}
