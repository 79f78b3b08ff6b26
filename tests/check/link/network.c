/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Several links in virtual time. */

#include "claim.h"
#include "network.h"

#define MBPS 1000000

typedef struct
{
  guint number;
  gboolean reverse;
  RcTime at;
} Delivery;

typedef struct
{
  Network network;
  Topology topology;
  Schedule schedule, reverse_schedule;
  GArray *delivered;
} Rig;

static void
on_output (Packet *packet, gboolean reverse, gpointer user_data)
{
  Delivery delivery = { packet->peer, reverse, packet->link.deliver_at };

  g_array_append_val (((Rig *) user_data)->delivered, delivery);
  g_free (packet);
}

static Rig *
rig_new (const Topology *topology)
{
  Rig *self = g_new0 (Rig, 1);
  NetworkLinkFiles forward = { &self->schedule, NULL, NULL },
      reverse = { &self->reverse_schedule, NULL, NULL };

  self->topology = *topology;
  self->delivered = g_array_new (FALSE, FALSE, sizeof (Delivery));
  schedule_init (&self->schedule);
  schedule_init (&self->reverse_schedule);
  fail_unless (network_init (&self->network, &self->topology, 1, &forward, &reverse, 100 * RC_MSEC,
          on_output, self, NULL));
  return self;
}

static void
rig_free (Rig *self)
{
  network_clear (&self->network);
  schedule_clear (&self->schedule);
  schedule_clear (&self->reverse_schedule);
  g_array_unref (self->delivered);
  g_free (self);
}

/* 1250 bytes on path k (from 1): 10 ms at 1 Mbit/s. */
static void
rig_arrive (Rig *self, guint k, guint number, gboolean reverse, RcTime now)
{
  Packet *packet = g_new0 (Packet, 1);

  packet->link.size_bytes = 1250;
  packet->path = k - 1;
  packet->peer = number;
  network_arrive (&self->network, packet, reverse, now);
}

static void
check_delivery (Rig *self, guint i, guint number, gboolean reverse, RcTime at)
{
  const Delivery *delivery = &g_array_index (self->delivered, Delivery, i);

  fail_unless (i < self->delivered->len);
  fail_unless_equals_int (delivery->number, number);
  fail_unless_equals_int (delivery->reverse, reverse);
  fail_unless_equals_int64 (delivery->at, at);
}

CLAIM (test_each_path_has_its_delay_both_ways_and_shares_the_queue)
{
  Topology topology;
  Rig *rig;

  topology_init (&topology);
  topology.hops[0] = (LinkParams) { .rate_bps = MBPS, .delay = 10 * RC_MSEC };
  topology.reverse = (LinkParams) { .delay = 20 * RC_MSEC };
  fail_unless (topology_set_path (&topology, "2:3", NULL));
  fail_unless (topology_set_path (&topology, "3:100", NULL));
  rig = rig_new (&topology);
  rig_arrive (rig, 3, 30, FALSE, 0);    /* first in, last at the link */
  rig_arrive (rig, 1, 10, FALSE, 0);
  rig_arrive (rig, 2, 20, FALSE, 0);
  rig_arrive (rig, 3, 31, TRUE, 0);
  rig_arrive (rig, 1, 11, TRUE, 0);
  network_advance (&rig->network, RC_SECOND);
  fail_unless_equals_int (rig->delivered->len, 5);
  check_delivery (rig, 0, 10, FALSE, 20 * RC_MSEC);
  check_delivery (rig, 1, 11, TRUE, 20 * RC_MSEC);
  check_delivery (rig, 2, 20, FALSE, 30 * RC_MSEC);     /* waited from 3 to 10 ms */
  check_delivery (rig, 3, 30, FALSE, 120 * RC_MSEC);
  check_delivery (rig, 4, 31, TRUE, 120 * RC_MSEC);
  rig_free (rig);
}

static Rig *
rig_new_chain (void)
{
  Topology topology;

  topology_init (&topology);
  topology.hops[0] = (LinkParams) { .rate_bps = 2 * MBPS, .delay = RC_MSEC };
  fail_unless (topology_add_hop (&topology, "8M,300ms,2", &topology.hops[0], NULL));
  fail_unless (topology_add_hop (&topology, "1M,1p", &topology.hops[0], NULL));
  fail_unless (topology_set_path (&topology, "2:0:1-1", NULL));
  fail_unless (topology_set_path (&topology, "3:0:3-3", NULL));
  fail_unless (topology_set_path (&topology, "4:7:2-3", NULL));
  return rig_new (&topology);
}

CLAIM (test_paths_enter_and_leave_where_they_should)
{
  for (guint k = 1; k <= 4; k++) {
    static const RcTime expected[] = { 19250 * RC_USEC, 6 * RC_MSEC, 10 * RC_MSEC,
        20250 * RC_USEC };
    Rig *rig = rig_new_chain ();

    rig_arrive (rig, k, k, FALSE, 0);
    network_advance (&rig->network, RC_SECOND);
    fail_unless_equals_int (rig->delivered->len, 1);
    check_delivery (rig, 0, k, FALSE, expected[k - 1]);
    rig_free (rig);
  }
}

CLAIM (test_flows_meet_at_the_later_link_in_their_own_time_however_late_we_look)
{
  Rig *rig = rig_new_chain ();

  /* Path 1 comes to the third link at 9.25 ms, path 3 at 9 and 10 ms: one is in service, one
   * waits, the last is lost. All of path 1's way is seen in one look at 10 ms. */
  rig_arrive (rig, 1, 1, FALSE, 0);
  rig_arrive (rig, 3, 3, FALSE, 9 * RC_MSEC);
  rig_arrive (rig, 3, 4, FALSE, 10 * RC_MSEC);
  network_advance (&rig->network, RC_SECOND);
  fail_unless_equals_int (rig->delivered->len, 2);
  check_delivery (rig, 0, 3, FALSE, 19 * RC_MSEC);
  check_delivery (rig, 1, 1, FALSE, 29 * RC_MSEC);
  fail_unless_equals_uint64 (rig->network.hops[2].trunk.link.tail_dropped_pkts, 1);
  rig_free (rig);
}

CLAIM (test_next_at_never_sleeps_over_a_delivery)
{
  for (guint i = 0; i < 8; i++) {       /* each alone: nothing else wakes us */
    guint k = i / 2 + 1;
    Rig *rig = rig_new_chain ();
    RcTime now = 0;
    guint n = 0;

    rig_arrive (rig, k, k, i % 2, 0);
    while (now < RC_SECOND) {
      now = network_next_at (&rig->network);
      network_advance (&rig->network, now);
      for (; n < rig->delivered->len; n++)
        fail_unless_equals_int64 (g_array_index (rig->delivered, Delivery, n).at, now);
    }
    fail_unless_equals_int (n, 1);
    rig_free (rig);
  }
}

CLAIM (test_bad_topologies_are_refused)
{
  static const gchar *const bad_hops[] = { "", "fast", "1M,300", "1M,300ms,x", "1M,300ms,1,1" };
  static const gchar *const bad_paths[] = {
    "", "1", "0:10", "33:10", "1:-1", "1:10:1", "1:10:0-1", "1:10:2-1", "1:10:1-3", "1:10:1-2:3",
  };
  LinkParams defaults = { .aqm.mark_delay = 7 };
  Topology topology;

  topology_init (&topology);
  for (guint i = 0; i < G_N_ELEMENTS (bad_hops); i++)
    fail_if (topology_add_hop (&topology, bad_hops[i], &defaults, NULL), "took '%s'", bad_hops[i]);
  fail_unless (topology_add_hop (&topology, "1M", &defaults, NULL));
  fail_unless_equals_int64 (topology.hops[1].queue_time, 300 * RC_MSEC);
  fail_unless_equals_int64 (topology.hops[1].aqm.mark_delay, 7);
  for (guint i = 0; i < G_N_ELEMENTS (bad_paths); i++)
    fail_if (topology_set_path (&topology, bad_paths[i], NULL), "took '%s'", bad_paths[i]);
  fail_unless (topology_add_hop (&topology, "1M", &defaults, NULL));
  fail_if (topology_add_hop (&topology, "1M", &defaults, NULL));
}
