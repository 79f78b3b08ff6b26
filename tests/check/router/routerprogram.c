/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcrouter's program in the kernel, with BPF_PROG_TEST_RUN: no packet leaves, and no interface is
 * touched. Skipped where this user may not load it. */
#include "routerframes.h"

#include <arcrouter/routershared.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "claim.h"
#include "routerobject.h"

#define SKIPPED 77
#define RATE_KBPS 4321

static struct bpf_object *object;
static RouterControl *control;

static guint64
now_ns (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (guint64) time.tv_sec * 1000000000 + (guint64) time.tv_nsec;
}

static void
set_control (guint64 alive_at_ns)
{
  *control = (RouterControl) {.alive_at_ns = alive_at_ns,.rate_kbps = RATE_KBPS,.interval = 1,
    .max_rtt_us = 1000000,.stamp_id = FRAME_ID,.ethernet = TRUE };
}

static void
run_program (GByteArray * frame, guint gso_bytes)
{
  struct __sk_buff context = {.gso_size = gso_bytes,.gso_segs = gso_bytes ? 3 : 0,
    .wire_len = frame->len };
  guint8 *out = g_malloc (frame->len);
  LIBBPF_OPTS (bpf_test_run_opts, options,.data_in = frame->data,.data_size_in = frame->len,
      .data_out = out,.data_size_out = frame->len,.ctx_in = &context,
      .ctx_size_in = sizeof context,.repeat = 1);
  int program = bpf_program__fd (bpf_object__find_program_by_name (object, ROUTER_PROGRAM));

  fail_unless_equals_int (bpf_prog_test_run_opts (program, &options), 0);
  fail_unless_equals_int ((gint) options.retval, -1);   /* TC_ACT_UNSPEC: the packet goes on */
  fail_unless_equals_int (options.data_size_out, frame->len);
  memcpy (frame->data, out, frame->len);
  g_free (out);
}

static RouterCounters
read_counters (void)
{
  RouterCounters *each = g_new0 (RouterCounters, libbpf_num_possible_cpus ()), sum = { 0 };
  guint32 key = 0;

  fail_unless_equals_int (bpf_map_lookup_elem (bpf_object__find_map_fd_by_name (object,
              ROUTER_COUNTERS_MAP), &key, each), 0);
  for (int i = 0; i < libbpf_num_possible_cpus (); i++) {
    sum.packets += each[i].packets;
    sum.bytes += each[i].bytes;
    sum.own_packets += each[i].own_packets;
    sum.own_bytes += each[i].own_bytes;
    sum.stamped_packets += each[i].stamped_packets;
    sum.claimed_bytes += each[i].claimed_bytes;
    sum.claimed_us_bytes += each[i].claimed_us_bytes;
    sum.clamped_claims += each[i].clamped_claims;
    sum.longest_rtt_us = MAX (sum.longest_rtt_us, each[i].longest_rtt_us);
  }
  g_free (each);
  return sum;
}

CLAIMS (test_the_kernel_lowers_rates, n_frame_kinds)
{
  const FrameKind *kind = &frame_kinds[__i__];
  GByteArray *frame = frame_new (kind), *before = frame_new (kind);

  if (!kind->raw_ip) {
    set_control (now_ns ());
    run_program (frame, kind->segments > 1 ? frame_segment_bytes (kind) : 0);
    for (guint i = 0; i < MAX (kind->segments, 1); i++)
      fail_unless (frame_rate_bps (frame, kind, i) == RATE_KBPS * 1000, "%s", kind->name);
    fail_unless_equals_int (frame_differs (frame, before, kind), 0);
    if (kind->segments > 1)     /* the kernel makes their checksums later, out of this one */
      fail_unless (memcmp (frame->data + frame_udp_at (kind) + 6, before->data
              + frame_udp_at (kind) + 6, 2) == 0, "%s", kind->name);
    else
      fail_unless (frame_is_sound (frame, kind), "%s", kind->name);
  }
  g_byte_array_unref (before);
  g_byte_array_unref (frame);
}

CLAIM (test_a_stale_rate_is_not_stamped)
{
  GByteArray *frame = frame_new (&frame_kinds[0]);

  set_control (now_ns () - 2 * ROUTER_STALE_NS);
  run_program (frame, 0);
  fail_unless_equals_uint64 (frame_rate_bps (frame, &frame_kinds[0], 0), 0);
  g_byte_array_unref (frame);
}

CLAIM (test_all_bytes_count_and_claims_by_bytes)
{
  RouterCounters before = read_counters (), after;
  GByteArray *ours = frame_new (&frame_kinds[0]), *other = frame_new (&frame_kinds[0]);

  set_control (now_ns ());
  other->data[14 + 9] = 6;
  run_program (other, 0);
  run_program (ours, 0);
  after = read_counters ();
  fail_unless_equals_uint64 (after.packets - before.packets, 2);
  fail_unless_equals_uint64 (after.bytes - before.bytes, 2 * ours->len);
  fail_unless_equals_uint64 (after.own_packets - before.own_packets, 1);
  fail_unless_equals_uint64 (after.own_bytes - before.own_bytes, ours->len);
  fail_unless_equals_uint64 (after.stamped_packets - before.stamped_packets, 1);
  fail_unless_equals_uint64 (after.claimed_us_bytes - before.claimed_us_bytes,
      (guint64) FRAME_RTT_US * ours->len);
  fail_unless_equals_uint64 (after.longest_rtt_us, FRAME_RTT_US);
  g_byte_array_unref (other);
  g_byte_array_unref (ours);
}

CLAIM (test_a_long_claim_is_clamped)
{
  RouterCounters before = read_counters (), after;
  GByteArray *frame = frame_new (&frame_kinds[0]);

  set_control (now_ns ());
  control->max_rtt_us = FRAME_RTT_US / 2;
  control->interval = 2;
  run_program (frame, 0);
  after = read_counters ();
  fail_unless_equals_uint64 (after.clamped_claims - before.clamped_claims, 1);
  fail_unless_equals_uint64 (after.claimed_us_bytes - before.claimed_us_bytes,
      (guint64) FRAME_RTT_US / 2 * frame->len);
  g_byte_array_unref (frame);
}

static int
print_nothing (enum libbpf_print_level level, const char *format, va_list args)
{
  return 0;
}

int
main (int argc, char **argv)
{
  int failed;

  if (geteuid () != 0)
    libbpf_set_print (print_nothing);
  object = bpf_object__open_mem (router_object, sizeof router_object, NULL);
  failed = object ? bpf_object__load (object) : -errno;
  if (failed == -EPERM || failed == -EACCES || failed == -ENOSYS) {
    printf ("the kernel loads no BPF program for this user: %s\n", strerror (-failed));
    return SKIPPED;
  }
  if (failed) {
    printf ("the kernel refuses the BPF program: %s\n", strerror (-failed));
    return 1;
  }
  control = mmap (NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED,
      bpf_object__find_map_fd_by_name (object, ROUTER_CONTROL_MAP), 0);
  return control == MAP_FAILED ? 1 : claim_main (argc, argv);
}
