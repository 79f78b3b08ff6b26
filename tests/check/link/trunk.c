/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The emulator's parts that need neither socket nor clock. */

#include <glib/gstdio.h>

#include "claim.h"
#include "lateness.h"
#include "options.h"
#include "trunk.h"
#include "units.h"

CLAIM (test_rates_take_suffixes_and_refuse_the_rest)
{
  static const gchar *const bad[] = { "", "x", "-1", "+1", "nan", "inf", "3m", "3Mb", "3M ",
      "2000G", "1e999", "0x10" };
  guint64 rate = 0;

  fail_unless (units_parse_rate ("2500000", &rate) && rate == 2500000);
  fail_unless (units_parse_rate ("2.5M", &rate) && rate == 2500000);
  fail_unless (units_parse_rate ("150k", &rate) && rate == 150000);
  fail_unless (units_parse_rate ("1G", &rate) && rate == 1000000000);
  fail_unless (units_parse_rate ("0", &rate) && rate == 0);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (units_parse_rate (bad[i], &rate), "took '%s'", bad[i]);
}

CLAIM (test_times_and_ratios_take_their_unit_or_none)
{
  static const gchar *const bad[] = { "", "ms", "-5", "25s", "25 ms", "25msx", "nan", "0x19" };
  LinkParams params = { 0 };
  gdouble ratio = 0;
  RcTime time = 0;

  fail_unless (units_parse_ms ("25", &time) && time == 25 * RC_MSEC);
  fail_unless (units_parse_ms ("2.5ms", &time) && time == 2500 * RC_USEC);
  fail_unless (units_parse_seconds ("12s", &time) && time == 12 * RC_SECOND);
  fail_unless (units_parse_jitter ("exp:10ms,reorder", &params) && params.overtakes);
  fail_unless_equals_int64 (params.jitter_mean, 10 * RC_MSEC);
  fail_unless (units_parse_stall ("30ms:200ms", &params) && params.stall_mean == 200 * RC_MSEC);
  fail_unless (units_parse_ratio ("0.02", &ratio) && ratio == 0.02);
  fail_if (units_parse_ratio ("2%", &ratio));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (units_parse_ms (bad[i], &time), "took '%s'", bad[i]);
}

CLAIM (test_queue_limit_is_one_of_time_bytes_packets)
{
  static const gchar *const bad[] = { "", "300", "0ms", "-1p", "300 ms", "20pp", "3e99B",
      "nonesuch" };
  LinkParams params = { .queue_pkts = 7 };

  fail_unless (units_parse_queue ("300ms", &params));
  fail_unless (params.queue_time == 300 * RC_MSEC && params.queue_bytes == 0
      && params.queue_pkts == 0);
  fail_unless (units_parse_queue ("60000B", &params));
  fail_unless (params.queue_time == 0 && params.queue_bytes == 60000 && params.queue_pkts == 0);
  fail_unless (units_parse_queue ("20p", &params));
  fail_unless (params.queue_time == 0 && params.queue_bytes == 0 && params.queue_pkts == 20);
  fail_unless (units_parse_queue ("none", &params));
  fail_unless (params.queue_time == 0 && params.queue_bytes == 0 && params.queue_pkts == 0);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (units_parse_queue (bad[i], &params), "took '%s'", bad[i]);
}

static void
check_step (Schedule *schedule, RcTime at, guint64 rate_bps)
{
  LinkParams params = { .rate_bps = 0 };

  fail_unless_equals_int64 (schedule_next_at (schedule), at);
  schedule_take (schedule, &params);
  fail_unless_equals_uint64 (params.rate_bps, rate_bps);
}

/* Writes a trace into a file and reads it, named with that prefix; FALSE: refused. */
static gboolean
parse_file (Schedule *schedule, const gchar *prefix, const gchar *text, GError **error)
{
  gchar *dir = g_dir_make_tmp ("linkemu-XXXXXX", NULL);
  gchar *name = g_build_filename (dir, "trace", NULL);
  gchar *trace = g_strconcat (prefix, name, NULL);
  gboolean ok;

  schedule_init (schedule);
  fail_unless (g_file_set_contents (name, text, -1, NULL));
  ok = schedule_parse_trace (schedule, trace, error);
  g_unlink (name);
  g_rmdir (dir);
  g_free (trace);
  g_free (name);
  g_free (dir);
  return ok;
}

static gboolean
parse_mm (Schedule *schedule, const gchar *text, GError **error)
{
  return parse_file (schedule, "mm:", text, error);
}

CLAIM (test_inline_and_file_traces_say_the_same)
{
  Schedule schedule;

  for (guint i = 0; i < 2; i++) {
    if (i == 0) {
      schedule_init (&schedule);
      fail_unless (schedule_parse_trace (&schedule, "0:3M,20:1M,40.5:300k", NULL));
    } else {
      fail_unless (parse_file (&schedule, "",
              "# s bps\n0 3000000\n20\t1M # fall\n\n 40.5  300k", NULL));
    }
    check_step (&schedule, 0, 3000000);
    check_step (&schedule, 20 * RC_SECOND, 1000000);
    check_step (&schedule, 40500 * RC_MSEC, 300000);
    fail_unless_equals_int64 (schedule_next_at (&schedule), RC_TIME_NONE);
    schedule_clear (&schedule);
  }
}

CLAIM (test_a_mahimahi_trace_is_read_and_a_bad_one_told_by_its_line)
{
  static const gchar *const bad[][2] = {
    {"", ":1: "}, {"0\n0\n", ":3: "}, {"5\n4\n", ":2: "}, {"1\n\nx\n", ":3: "}, {"1 2\n", ":1: "},
    {"99999999999999999999\n", ":1: "}, {"-1\n", ":1: "},
  };
  static const RcTime times[] = { 0, RC_MSEC, 4 * RC_MSEC, 4 * RC_MSEC, 10 * RC_MSEC };
  Schedule schedule;
  GError *error = NULL;

  fail_unless (parse_mm (&schedule, "0\n1\r\n 4\n4\n\n10", &error));
  fail_unless_equals_int (schedule.opportunities->len, G_N_ELEMENTS (times));
  fail_unless (memcmp (schedule.opportunities->data, times, sizeof times) == 0);
  fail_unless_equals_int64 (schedule_next_at (&schedule), RC_TIME_NONE);
  schedule_clear (&schedule);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    fail_if (parse_mm (&schedule, bad[i][0], &error), "took '%s'", bad[i][0]);
    fail_unless (strstr (error->message, bad[i][1]) != NULL, "%s", error->message);
    g_clear_error (&error);
    schedule_clear (&schedule);
  }
}

CLAIM (test_bad_traces_are_refused)
{
  static const gchar *const bad[] = {
    "0:3M,0:1M", "5:1M,4:1M", "0:0", "0:3M,", "0:3M:1", "0:-1", ":", "/nonexistent",
    "mm:/nonexistent", "mm:",
  };
  Schedule schedule;
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    schedule_init (&schedule);
    fail_if (schedule_parse_trace (&schedule, bad[i], &error), "took '%s'", bad[i]);
    fail_unless (error != NULL);
    g_clear_error (&error);
    schedule_clear (&schedule);
  }
}

CLAIM (test_blackouts_begin_and_end_on_time)
{
  Schedule schedule;

  schedule_init (&schedule);
  fail_unless (schedule_parse_blackouts (&schedule, "1:0.5,10:2", NULL));
  fail_if (schedule_is_dark (&schedule, RC_SECOND - 1));
  fail_unless (schedule_is_dark (&schedule, RC_SECOND));
  fail_unless (schedule_is_dark (&schedule, 1500 * RC_MSEC - 1));
  fail_if (schedule_is_dark (&schedule, 1500 * RC_MSEC));
  fail_unless (schedule_is_dark (&schedule, 11 * RC_SECOND));
  fail_if (schedule_parse_blackouts (&schedule, "1", NULL));
  fail_if (schedule_parse_blackouts (&schedule, "1:2:3", NULL));
  schedule_clear (&schedule);
}

/* A trunk whose packets' delivery times are collected. */
typedef struct
{
  Trunk trunk;
  Schedule schedule;
  Log log;
  GArray *delivered;
  gchar *rows, *packets;
  gsize n_rows, n_packets;
} Rig;

static void
collect (Packet *packet, gpointer user_data)
{
  g_array_append_val ((GArray *) user_data, packet->link.deliver_at);
  g_free (packet);
}

static void
rig_init (Rig *self, const LinkParams *params, const gchar *trace, const gchar *blackouts)
{
  schedule_init (&self->schedule);
  fail_unless (!trace || schedule_parse_trace (&self->schedule, trace, NULL));
  fail_unless (!blackouts || schedule_parse_blackouts (&self->schedule, blackouts, NULL));
  log_open (&self->log, "forward", NULL, NULL, 100 * RC_MSEC, NULL);
  self->log.rows.file = open_memstream (&self->rows, &self->n_rows);
  self->log.packets.file = open_memstream (&self->packets, &self->n_packets);
  self->delivered = g_array_new (FALSE, FALSE, sizeof (RcTime));
  trunk_init (&self->trunk, params, 1, &self->schedule, &self->log, collect, self->delivered);
}

static void
rig_arrive (Rig *self, guint size_bytes, RcTime now)
{
  Packet *packet = g_new0 (Packet, 1);

  packet->link.size_bytes = size_bytes;
  trunk_arrive (&self->trunk, packet, now);
}

static void
rig_clear (Rig *self)
{
  packet_free_all (&self->trunk.link);
  log_close (&self->log, NULL);
  schedule_clear (&self->schedule);
  g_array_unref (self->delivered);
  g_free (self->rows);
  g_free (self->packets);
}

#define RIG(trace, blackouts, ...) \
    Rig, rig, rig_init (rig, &(LinkParams) { __VA_ARGS__ }, trace, blackouts), rig_clear (rig)

CLAIM_ON (test_rows_and_packets_tell_what_happened,
    RIG (NULL, "0.2:0.1", .rate_bps = 1000000, .delay = 5 * RC_MSEC, .queue_pkts = 2))
{
  for (guint i = 0; i < 4; i++)
    rig_arrive (rig, 5000, 0);
  rig_arrive (rig, 5000, 150 * RC_MSEC);
  rig_arrive (rig, 5000, 250 * RC_MSEC);
  trunk_advance (&rig->trunk, 300 * RC_MSEC);
  log_close (&rig->log, NULL);
  /* 40 ms a packet: two are done at 80 ms, the third is in service at 100 ms. */
  fail_unless_equals_string (rig->rows, "0.100,1000000,20000,10000,2,1,0,40.000,80.000,5000,0,0,0\n"
      "0.200,1000000,5000,10000,2,0,0,0.000,0.000,0,0,0,0\n"
      "0.300,1000000,5000,0,0,0,0,0.000,0.000,0,0,0,0\n");
  fail_unless_equals_string (rig->packets,
      "0.000000,5000,0.000,ok,0,forward,\n" "0.000000,5000,,tail,0,forward,\n"
      "0.000000,5000,40.000,ok,0,forward,\n" "0.000000,5000,80.000,ok,0,forward,\n"
      "0.150000,5000,0.000,ok,0,forward,\n" "0.250000,5000,,blackout,0,forward,\n");
}

CLAIM_ON (test_capacity_steps_act_at_their_time_however_late_we_wake,
    RIG ("0:1M,0.05:2M", NULL, .rate_bps = 0))
{
  rig_arrive (rig, 12500, 0);
  /* 50 ms at 1 Mbit/s and 25 ms at 2 Mbit/s. */
  trunk_advance (&rig->trunk, RC_SECOND);
  fail_unless_equals_int (rig->delivered->len, 1);
  fail_unless_equals_int64 (g_array_index (rig->delivered, RcTime, 0), 75 * RC_MSEC);
  fflush (rig->log.rows.file);
  fail_unless (g_str_has_prefix (rig->rows, "0.100,1500000,12500,12500,1,"));
}

CLAIM (test_a_delay_trace_changes_the_route_at_its_time)
{
  LinkParams params = { .rate_bps = 0, .delay = 99 * RC_MSEC };
  static const RcTime expected[] = { 20, 30, 60, 70 };
  Rig rig;

  schedule_init (&rig.schedule);
  fail_unless (schedule_parse_delays (&rig.schedule, "0:20,0.02:40.0", NULL));
  fail_unless (schedule_parse_trace (&rig.schedule, "0:1G,0.02:2G", NULL));
  fail_if (schedule_parse_delays (&rig.schedule, "1:-5", NULL));
  log_open (&rig.log, "forward", NULL, NULL, 100 * RC_MSEC, NULL);
  rig.delivered = g_array_new (FALSE, FALSE, sizeof (RcTime));
  rig.rows = rig.packets = NULL;
  trunk_init (&rig.trunk, &params, 1, &rig.schedule, &rig.log, collect, rig.delivered);
  for (guint i = 0; i < 4; i++)
    rig_arrive (&rig, 0, i * 10 * RC_MSEC);
  fail_unless_equals_uint64 (rig.trunk.params.rate_bps, 2000000000);
  trunk_advance (&rig.trunk, RC_SECOND);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int64 (g_array_index (rig.delivered, RcTime, i), expected[i] * RC_MSEC);
  rig_clear (&rig);
}

CLAIM_ON (test_codel_drops_and_marks_are_in_the_files,
    RIG (NULL, NULL, .rate_bps = 1000000, .aqm.codel = { 5 * RC_MSEC, 100 * RC_MSEC, false }))
{
  const gchar *row;

  for (guint i = 0; i < 200; i++)
    rig_arrive (rig, 1250, i * 5 * RC_MSEC);
  trunk_advance (&rig->trunk, 5 * RC_SECOND);
  log_close (&rig->log, NULL);
  fail_unless (rig->trunk.link.queues.aqm_dropped_pkts > 3);
  fail_unless_equals_uint64 (rig->delivered->len + rig->trunk.link.queues.aqm_dropped_pkts, 200);
  fail_unless_equals_uint64 (rig->trunk.totals.served_bytes, rig->delivered->len * 1250);
  /* One packet is dropped, at 130 ms, and costs no capacity. */
  row = strstr (rig->rows, "\n0.200,1000000,25000,12500,10,0,0,");
  fail_unless (row != NULL, "%s", rig->rows);
  fail_unless (g_str_has_prefix (strchr (row + 1, '\n') - strlen (",0,1,0"), ",0,1,0\n"));
  fail_unless (strstr (rig->packets, ",1250,,aqm,0,forward,\n") != NULL);
}

CLAIM_ON (test_drops_of_pie_are_in_the_files,
    RIG (NULL, NULL, .rate_bps = 1000000, .aqm.pie = LINK_PIE_RFC8033))
{
  guint dropped;

  for (guint i = 0; i < 800; i++)
    rig_arrive (rig, 1250, i * 5 * RC_MSEC);
  trunk_advance (&rig->trunk, 20 * RC_SECOND);
  log_close (&rig->log, NULL);
  dropped = rig->trunk.link.queues.aqm_dropped_pkts;
  fail_unless (dropped > 200, "%u", dropped);
  fail_unless_equals_uint64 (rig->delivered->len + dropped, 800);
  fail_unless_equals_uint64 (rig->trunk.totals.served_bytes, rig->delivered->len * 1250);
  fail_unless (strstr (rig->packets, ",1250,,aqm,0,forward,\n") != NULL);
}

CLAIM_ON (test_next_at_wakes_for_step_delivery_and_row,
    RIG ("0:1M,0.05:2M", NULL, .rate_bps = 0))
{
  fail_unless_equals_int64 (trunk_next_at (&rig->trunk), 100 * RC_MSEC);
  rig_arrive (rig, 12500, 0);
  fail_unless_equals_int64 (trunk_next_at (&rig->trunk), 50 * RC_MSEC);
  trunk_advance (&rig->trunk, 50 * RC_MSEC);
  fail_unless_equals_int64 (trunk_next_at (&rig->trunk), 75 * RC_MSEC);
}

CLAIM (test_lateness_quantiles_are_ordered)
{
  Lateness *late = g_new0 (Lateness, 1);

  fail_unless_equals_int (lateness_quantile (late, 0.5), 0);
  for (guint i = 0; i < 100; i++)
    lateness_add (late, i * RC_USEC);
  lateness_add (late, -5 * RC_SECOND);
  lateness_add (late, 5 * RC_SECOND);
  fail_unless_equals_int (lateness_quantile (late, 0.5), 50);
  fail_unless_equals_int (lateness_quantile (late, 1), LATENESS_MAX_US);
  g_free (late);
}

CLAIM (test_a_policer_is_a_rate_and_a_depth)
{
  static const gchar *const bad[] = { "2M", "2M:", ":15000", "0:15000", "2M:0", "2M:1:2", "x:1" };
  LinkParams params = { 0 };

  fail_unless (units_parse_police ("2M:15000", &params));
  fail_unless_equals_uint64 (params.police_bps, 2000000);
  fail_unless_equals_uint64 (params.police_bytes, 15000);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (units_parse_police (bad[i], &params), "took '%s'", bad[i]);
}

CLAIM (test_burst_loss_is_ratio_and_length)
{
  static const gchar *const bad[] = { "", "0.1", "0.1:", "0.1:0.5", "0.9:5", "1:5", "x:5",
      "0.1:5x" };
  LinkParams params = { .rate_bps = 0 };

  fail_unless (units_parse_burst_loss ("0.02:5.5", &params));
  fail_unless (params.burst_loss_ratio == 0.02 && params.burst_loss_pkts == 5.5);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    fail_if (units_parse_burst_loss (bad[i], &params), "took '%s'", bad[i]);
}

static gboolean
options_from (Options *options, const gchar *line)
{
  gchar **argv, **all;
  gint argc;
  GError *error = NULL;
  gboolean ok;

  fail_unless (g_shell_parse_argv (line, &argc, &argv, NULL));
  all = g_memdup2 (argv, (argc + 1) * sizeof *argv);    /* GOption takes words out */
  ok = options_parse (options, &argc, &all, &error);
  fail_unless (ok == (error == NULL));
  g_clear_error (&error);
  g_free (all);
  g_strfreev (argv);
  return ok;
}

CLAIM (test_options_have_their_defaults)
{
  Options options;

  fail_unless (options_from (&options, "linkemu --listen 5000 --to [::1]:6000 --delay 20"));
  fail_unless_equals_int (options.listen.addr.ss_family, AF_INET6);
  fail_unless (options.topology.hops[0].rate_bps == 0
      && options.topology.hops[0].queue_time == 300 * RC_MSEC);
  fail_unless (options.topology.hops[0].delay == 20 * RC_MSEC
      && options.topology.reverse.delay == 20 * RC_MSEC);
  fail_unless (options.overhead_bytes == 28 && options.interval == 100 * RC_MSEC);
  fail_unless_equals_int64 (options.duration, RC_TIME_NONE);
  options_clear (&options);
}

CLAIM (test_options_reach_both_ways)
{
  Options options;

  fail_unless (options_from (&options, "linkemu --tun --rate 2M --delay-trace 0:20,9:40 "
          "--reverse-trace 0:2M,35:800k --hop 8M --hop 1.5M,500ms --path 2:40:1-1 --path 3:40:3-3 "
          "--aqm codel --ecn --mark 3 --blackout 5:1 --reverse-log r.csv --packets p.csv"));
  fail_unless (options.tun && options.overhead_bytes == 0 && options.topology.n_hops == 3);
  fail_unless (options.topology.hops[2].rate_bps == 1500000
      && options.topology.hops[2].queue_time == 500 * RC_MSEC);
  fail_unless (options.topology.hops[2].aqm.codel.marks
      && options.topology.reverse.aqm.codel.target == 5 * RC_MSEC);
  fail_unless (options.topology.reverse.aqm.mark_delay == 3 * RC_MSEC);
  fail_unless (options.topology.paths[1].last == 0 && options.topology.paths[2].first == 2);
  fail_unless (options.topology.paths[0].first == 0 && options.topology.paths[0].last == 2);
  fail_unless (options.schedule.delay.steps->len == 2
      && options.reverse_schedule.delay.steps->len == 2);
  fail_unless (options.schedule.rate.steps->len == 0
      && options.reverse_schedule.rate.steps->len == 2);
  fail_unless (schedule_is_dark (&options.reverse_schedule, 5 * RC_SECOND));
  fail_unless_equals_string (options.reverse_log, "r.csv");
  options_clear (&options);
}

CLAIM (test_pie_reaches_the_links)
{
  Options options;

  fail_unless (options_from (&options, "linkemu --tun --rate 2M --aqm pie"));
  fail_unless_equals_int64 (options.topology.hops[0].aqm.pie.target, 15 * RC_MSEC);
  fail_unless_equals_int64 (options.topology.reverse.aqm.pie.target, 15 * RC_MSEC);
  options_clear (&options);
}

CLAIM (test_noise_and_dualpi2_reach_the_links)
{
  const LinkParams *forward, *reverse;
  Options options;

  fail_unless (options_from (&options, "linkemu --tun --rate 2M --hop 8M --jitter exp:10,reorder "
          "--stall 30:200 --reverse-jitter 5 --reverse-stall 60:500 --aqm dualpi2"));
  forward = &options.topology.hops[0];
  reverse = &options.topology.reverse;
  fail_unless (forward->jitter_mean == 10 * RC_MSEC && forward->overtakes);
  fail_unless (forward->stall_length == 30 * RC_MSEC && forward->stall_mean == 200 * RC_MSEC);
  fail_unless (reverse->jitter_sd == 5 * RC_MSEC && !reverse->overtakes);
  fail_unless (reverse->stall_length == 60 * RC_MSEC && reverse->stall_mean == 500 * RC_MSEC);
  fail_unless_equals_int64 (forward->aqm.dualpi2.target, 15 * RC_MSEC);
  fail_unless_equals_int64 (reverse->aqm.dualpi2.target, 15 * RC_MSEC);
  fail_unless (forward[1].aqm.dualpi2.target == 15 * RC_MSEC && forward[1].stall_length == 0);
  options_clear (&options);
}

static const RcTime list[] = { 40 * RC_MSEC, 60 * RC_MSEC, 60 * RC_MSEC, 200 * RC_MSEC };

/* Bytes that leave, capacity, and delays by opportunities, as the files tell them. */
CLAIM_ON (test_rows_tell_the_capacity_of_opportunities,
    RIG (NULL, NULL, .opportunities = list, .n_opportunities = G_N_ELEMENTS (list)))
{
  rig_arrive (rig, 1504, 10 * RC_MSEC);
  rig_arrive (rig, 1504, 10 * RC_MSEC);
  trunk_advance (&rig->trunk, 200 * RC_MSEC);
  log_close (&rig->log, NULL);
  fail_unless (g_str_has_prefix (rig->rows, "0.100,360960,3008,3008,2,0,0,40.000,50.000,0,"));
  fail_unless (strstr (rig->rows, "\n0.200,120320,0,0,0,") != NULL, "%s", rig->rows);
}

/* With DualPI2 packets do not begin in the order in which they came. */
CLAIM_ON (test_packets_of_both_queues_have_their_row,
    RIG (NULL, NULL, .rate_bps = 1000000, .aqm.dualpi2 = LINK_DUALPI2_RFC9332))
{
  guint ce = 0, lines = 0;

  for (guint i = 0; i < 2000; i++) {
    Packet *packet = g_new0 (Packet, 1);

    packet->link = (LinkPacket) { .size_bytes = 1250, .ecn = i % 2 ? LINK_ECN_ECT1 : 0 };
    trunk_arrive (&rig->trunk, packet, i * 8 * RC_MSEC);
  }
  trunk_advance (&rig->trunk, 60 * RC_SECOND);
  log_close (&rig->log, NULL);
  for (const gchar *line = rig->packets; *line; line = strchr (line, '\n') + 1) {
    lines++;
    ce += strstr (line, ",ok,1,forward,") == strpbrk (line, "\n") - strlen (",ok,1,forward,");
  }
  fail_unless_equals_int (lines, 2000);
  fail_unless (rig->trunk.link.queues.aqm_dropped_pkts > 3);
  fail_unless_equals_uint64 (rig->delivered->len + rig->trunk.link.queues.aqm_dropped_pkts, 2000);
  fail_unless (ce > 100, "%u", ce);
}

CLAIM (test_bad_options_are_refused)
{
  static const gchar *const bad[] = {
    "", "--listen 5000", "--to 127.0.0.1:5000", "--listen 5000 --to 6000 --rate fast",
    "--listen 5000 --to 6000 --loss 1.5", "--listen 5000 --to 6000 --loss nan",
    "--listen 5000 --to 6000 --queue 300",
    "--listen 5000 --to 6000 --delay -1", "--listen 70000 --to 6000", "--listen ::1:5 --to 6000",
    "--listen 5000 --to :6000", "--listen 5000 --to 6000 stray",
    "--listen 5000 --to 6000 --nonsense",
    "--listen 5000 --to 6000 --trace 0:3M,0:4M", "--listen 5000 --to 6000 --blackout 5",
    "--tun --listen 5000 --to 6000", "--listen 5000 --to 6000 --path 1:5", "--tun --ecn",
    "--tun --aqm red", "--tun --aqm dualpi2 --ecn", "--tun --jitter 5,order", "--tun --jitter -1",
    "--tun --stall 30", "--tun --stall 200:200", "--tun --stall 0:5",
    "--tun --trace mm:/nonexistent", "--tun --path 1:0:1-2",
    "--tun --hop 1M --hop 1M --hop 1M", "--tun --burst-loss 0.9:2", "--tun --delay-trace 0:x",
    "--tun --mark -1",
    "--listen 5000 --to 6000 --interval 0", "--listen 5000 --to 6000 --duration 0",
  };
  Options options;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    gchar *line = g_strconcat ("linkemu ", bad[i], NULL);

    fail_if (options_from (&options, line), "took '%s'", bad[i]);
    options_clear (&options);
    g_free (line);
  }
}
