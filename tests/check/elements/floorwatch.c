/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A link below min-bitrate is said once; what only looks like one is not. */

#include "session/floorwatch.h"

#include <string.h>

#include "claim.h"

#define MIN_BPS 100000
#define BYTES 1000              /* of a packet */

static const struct
{
  guint sent_bps, carried_bps, lost_percent;
  gboolean said;
} links[] = {
  {130000, 64000, 40, TRUE},
  {100000, 64000, 36, TRUE},
  {100000, 98000, 2, FALSE},    /* it carries it */
  {100000, 60000, 0, FALSE},    /* a report that is late */
  {30000, 24000, 20, FALSE},    /* sound alone, which loses at random */
  {3000000, 2400000, 20, FALSE},
};

CLAIMS (test_only_a_link_below_the_least_rate_is_said, G_N_ELEMENTS (links))
{
  RcSenderStats stats;
  FloorShortage shortage;
  FloorWatch watch;
  guint said = 0;

  memset (&stats, 0, sizeof stats);
  floor_watch_init (&watch);
  stats.bandwidth_bps = links[__i__].carried_bps;
  for (guint s = 0; s < 40; s++) {
    guint pkts = links[__i__].sent_bps / 8 / BYTES;

    if (floor_watch_is_due (&watch, s * RC_SECOND)
        && floor_watch_look (&watch, &stats, MIN_BPS, s * RC_SECOND, &shortage)) {
      g_autofree gchar *sentence = floor_shortage_describe (&shortage);

      fail_unless (strstr (sentence, "carries 64 kbit/s, less than min-bitrate=100000"), "%s",
          sentence);
      said++;
    }
    stats.packets += pkts;
    stats.bytes += pkts * BYTES;
    stats.reports.lost_pkts += pkts * links[__i__].lost_percent / 100;
  }
  fail_unless_equals_int (said, links[__i__].said);
}

CLAIM (test_a_fade_of_the_link_is_not_said)
{
  RcSenderStats stats;
  FloorShortage shortage;
  FloorWatch watch;

  memset (&stats, 0, sizeof stats);
  floor_watch_init (&watch);
  for (guint s = 0; s < 100; s += 5) {
    gboolean fades = s % 20 == 0;

    stats.bandwidth_bps = fades ? 20000 : MIN_BPS;
    stats.bytes += MIN_BPS / 8 * 5;
    stats.packets += 60;
    stats.reports.lost_pkts += fades ? 40 : 0;
    fail_if (floor_watch_look (&watch, &stats, MIN_BPS, s * RC_SECOND, &shortage));
  }
}
