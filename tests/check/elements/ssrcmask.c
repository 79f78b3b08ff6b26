/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rtp/ssrcmask.h>

#include "claim.h"

#define VIEWERS 200000          /* of which at random some five would collide */

static gint
compare (gconstpointer a, gconstpointer b)
{
  guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

CLAIM (test_no_viewer_has_the_ssrc_of_another)
{
  g_autofree guint32 *masks = g_new (guint32, VIEWERS);
  guint in_sequence = 0;

  for (guint i = 0; i < VIEWERS; i++) {
    masks[i] = ssrc_mask_new ();
    fail_unless_equals_int (masks[i] & 0xff, 0);        /* streams of one viewer differ there */
    in_sequence += i > 1 && masks[i] - masks[i - 1] == masks[i - 1] - masks[i - 2];
  }
  fail_unless (in_sequence < 10, "%u", in_sequence);    /* nobody can guess the next one */
  qsort (masks, VIEWERS, sizeof masks[0], compare);
  for (guint i = 1; i < VIEWERS; i++)
    fail_unless (masks[i] != masks[i - 1], "%08x twice", masks[i]);
}
