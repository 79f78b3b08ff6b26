/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The emulator as a process, on loopback, in real time. */

#include <glib/gstdio.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emulator.h"
#include "quiet.h"

static gchar *
temporary_name (void)
{
  gchar *name = NULL;
  int fd = g_file_open_tmp ("linkemu-XXXXXX.csv", &name, NULL);

  fail_unless (fd >= 0);
  close (fd);
  return name;
}

static gchar **
read_rows (gchar *name)
{
  gchar *text, **rows;

  fail_unless (g_file_get_contents (name, &text, NULL, NULL));
  rows = g_strsplit (g_strchomp (text), "\n", -1);
  g_unlink (name);
  g_free (name);
  g_free (text);
  return rows;
}

CLAIM_TIMEOUT_S (60)

TIMED_CLAIM (test_overload_is_shaped_and_queued_and_counted)
{
  gchar *packets = temporary_name (), *options, *summary, **rows;
  guint tail = 0, n_got;
  gdouble bps, delay_ms;
  Run *run;

  options = g_strdup_printf ("--rate 4M --queue 100ms --packets %s", packets);
  run = run_new (AF_INET, options);
  run_traffic (run, 750, 2500, 300);
  n_got = run->n_got;
  bps = run_median_rate_bps (run);
  delay_ms = run_median_delay_ms (run);
  summary = run_free (run);
  rows = read_rows (packets);
  fail_unless (ABS (bps - 4e6) < 0.02 * 4e6, "%f bit/s", bps);
  fail_unless (delay_ms > 95 && delay_ms < 112, "median delay %f ms", delay_ms);
  fail_unless_equals_string (rows[0], "arrived_s,size_bytes,queue_delay_ms,fate,ce,link,flow");
  for (guint i = 1; rows[i]; i++)
    tail += strstr (rows[i], ",tail,") != NULL;
  fail_unless (tail > 400, "%u packets", tail);
  fail_unless_equals_int (emulator_fact (summary, "tail drops "), tail);
  fail_unless_equals_int (emulator_fact (summary, "forward packets "), tail + n_got);
  g_strfreev (rows);
  g_free (summary);
  g_free (options);
}

static gint64
round_trip_us (Run *run)
{
  struct sockaddr_storage from;
  socklen_t len = sizeof from;
  guint8 bytes[2000];
  gint64 begin_us = g_get_monotonic_time ();

  run_send (run);
  while (recvfrom (run->receiver_fd, bytes, sizeof bytes, 0, (struct sockaddr *) &from, &len) < 0)
    g_usleep (100);
  fail_unless (sendto (run->receiver_fd, "answer", 6, 0, (struct sockaddr *) &from, len) == 6);
  while (recv (run->sender_fd, bytes, sizeof bytes, 0) != 6)
    g_usleep (100);
  fail_unless (memcmp (bytes, "answer", 6) == 0);
  return g_get_monotonic_time () - begin_us;
}

static void
check_delay (int family)
{
  Run *run = run_new (family, "--delay 30");
  gint64 rtt_us = G_MAXINT64;

  run_traffic (run, 200, 500, 100);
  fail_unless_equals_int (run->n_got, run->n_sent);
  fail_unless (run_median_delay_ms (run) >= 29.9 && run_median_delay_ms (run) < 34,
      "%f ms", run_median_delay_ms (run));
  for (guint i = 0; i < 5; i++)
    rtt_us = MIN (rtt_us, round_trip_us (run));
  fail_unless (rtt_us >= 59900 && rtt_us < 68000, "%d us", (gint) rtt_us);
  g_free (run_free (run));
}

TIMED_CLAIM (test_delay_holds_both_ways)
{
  check_delay (AF_INET);
}

TIMED_CLAIM (test_ipv6_works_as_ipv4)
{
  guint port;
  int fd = emulator_open_socket (AF_INET6, &port);

  if (fd < 0)
    return;
  close (fd);
  check_delay (AF_INET6);
}

CLAIM (test_each_sender_gets_its_own_answers)
{
  Run *run = g_new0 (Run, 1);
  guint port = run_start (run, AF_INET, "--delay 1");
  int senders[3];
  gchar byte, answer;
  struct sockaddr_storage from[3];

  run->sender_fd = emulator_connect (AF_INET, port);
  for (guint i = 0; i < 3; i++) {
    socklen_t len = sizeof from[i];

    senders[i] = i == 0 ? run->sender_fd : emulator_connect (AF_INET, port);
    byte = 'a' + i;
    fail_unless (send (senders[i], &byte, 1, 0) == 1);
    while (recvfrom (run->receiver_fd, &answer, 1, 0, (struct sockaddr *) &from[i], &len) != 1)
      g_usleep (100);
    fail_unless_equals_int (answer, byte);
  }
  for (guint i = 3; i-- > 0;) {
    byte = 'A' + i;
    fail_unless (sendto (run->receiver_fd, &byte, 1, 0, (struct sockaddr *) &from[i],
            sizeof (struct sockaddr_in)) == 1);
  }
  for (guint i = 0; i < 3; i++) {
    while (recv (senders[i], &answer, 1, 0) != 1)
      g_usleep (100);
    fail_unless_equals_int (answer, 'A' + i);
  }
  close (senders[1]);
  close (senders[2]);
  g_free (run_free (run));
}

/* Sends a byte, until it comes out or one second has passed. */
static gboolean
passes (Run *run, int sender)
{
  gchar byte;

  fail_unless (send (sender, "x", 1, 0) == 1);
  for (guint i = 0; i < 1000; i++) {
    if (recv (run->receiver_fd, &byte, 1, 0) == 1)
      return TRUE;
    g_usleep (1000);
  }
  return FALSE;
}

/* As when tests are repeated. They stay open, so that each has a port of its own. */
TIMED_CLAIM (test_senders_that_fell_silent_leave_their_places)
{
  Run *run = g_new0 (Run, 1);
  guint port = run_start (run, AF_INET, "--delay 1");
  int senders[63], late;
  gchar *summary;

  run->sender_fd = emulator_connect (AF_INET, port);
  fail_unless (passes (run, run->sender_fd));
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++) {
    senders[i] = emulator_connect (AF_INET, port);
    fail_unless (passes (run, senders[i]), "sender %u", i + 2);
  }
  late = emulator_connect (AF_INET, port);
  fail_if (passes (run, late), "none has gone yet");
  for (guint i = 0; i < 25; i++) {
    fail_unless (passes (run, run->sender_fd), "in round %u", i);
    g_usleep (100000);
  }
  fail_unless (passes (run, late), "all places are taken for good");
  fail_unless (passes (run, run->sender_fd));
  close (late);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    close (senders[i]);
  summary = run_free (run);
  fail_unless_equals_int (emulator_fact (summary, "refused for too many senders "), 1);
  fail_unless_equals_int (emulator_fact (summary, "of senders that are gone "), 0);
  g_free (summary);
}

/* 127.0.0.2 is this machine, and not what the system answers from by itself. */
CLAIM (test_answers_leave_from_the_address_that_was_sent_to)
{
  guint port, listen_port;
  int receiver = emulator_open_socket (AF_INET, &port), sender, stderr_fd;
  gchar *options = g_strdup_printf ("--listen 0.0.0.0:0 --to 127.0.0.1:%u --delay 1", port),
      *line, byte;
  GPid pid = emulator_spawn (options, &stderr_fd);
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK + 1) };
  struct sockaddr_storage from;
  socklen_t len = sizeof from;

  line = emulator_read_line (stderr_fd);
  listen_port = (guint) g_ascii_strtoull (strrchr (line, ':') + 1, NULL, 10);
  to.sin_port = htons (listen_port);
  sender = socket (AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  fail_unless (connect (sender, (struct sockaddr *) &to, sizeof to) == 0);
  fail_unless (send (sender, "x", 1, 0) == 1);
  while (recvfrom (receiver, &byte, 1, 0, (struct sockaddr *) &from, &len) != 1)
    g_usleep (1000);
  fail_unless (sendto (receiver, "y", 1, 0, (struct sockaddr *) &from, len) == 1);
  for (guint i = 0; i < 30000 && recv (sender, &byte, 1, 0) != 1; i++)
    g_usleep (1000);
  fail_unless_equals_int (byte, 'y');
  kill (pid, SIGTERM);
  fail_unless (waitpid (pid, NULL, 0) == pid);
  close (sender);
  close (receiver);
  close (stderr_fd);
  g_free (line);
  g_free (options);
}

CLAIM (test_emulator_refuses_to_send_to_itself)
{
  static const gchar *const formats[] = {
    "--listen 127.0.0.1:%u --to 127.0.0.1:%u", "--listen 0.0.0.0:%u --to 127.0.0.1:%u",
    "--listen 127.0.0.1:%u --to 0.0.0.0:%u",
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    guint port;
    int status, stderr_fd, taken = emulator_open_socket (AF_INET, &port);
    gchar *options = g_strdup_printf (formats[i], port, port), *line;
    GPid pid;

    close (taken);
    pid = emulator_spawn (options, &stderr_fd);
    line = emulator_read_line (stderr_fd);
    if (!g_str_has_prefix (line, "linkemu: --to:"))
      kill (pid, SIGTERM);
    fail_unless (waitpid (pid, &status, 0) == pid);
    fail_unless (g_str_has_prefix (line, "linkemu: --to:"), "%s: %s", options, line);
    fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 1);
    close (stderr_fd);
    g_free (line);
    g_free (options);
  }
}

/* The numbers that came through 20 % loss, as a string of 0 and 1 (g_free). */
static gchar *
survivors (const gchar *seed)
{
  gchar *options = g_strdup_printf ("--loss 0.2 --jitter 2 --seed %s", seed),
      *map = g_strnfill (1000, '0');
  Run *run = run_new (AF_INET, options);

  run_traffic (run, 2000, 500, 50);
  for (guint i = 0; i < run->n_got; i++) {
    fail_unless (i == 0 || run->got[i].stamp.number > run->got[i - 1].stamp.number,
        "jitter must not reorder");
    map[run->got[i].stamp.number] = '1';
  }
  g_free (options);
  g_free (run_free (run));
  return map;
}

TIMED_CLAIM (test_losses_repeat_by_seed)
{
  gchar *a = survivors ("5"), *b = survivors ("5"), *c = survivors ("6");

  fail_unless_equals_string (a, b);
  fail_if (g_str_equal (a, c));
  g_free (a);
  g_free (b);
  g_free (c);
}

TIMED_CLAIM (test_blackout_drops_all_for_its_time)
{
  Run *run = run_new (AF_INET, "--start-on-traffic --blackout 0.3:0.2");
  gint64 gap_us = 0;
  gchar *summary;

  run_traffic (run, 1000, 800, 50);
  for (guint i = 1; i < run->n_got; i++)
    gap_us = MAX (gap_us, run->got[i].stamp.sent_at_us - run->got[i - 1].stamp.sent_at_us);
  fail_unless (gap_us > 195000 && gap_us < 300000, "%d us", (gint) gap_us);
  summary = run_free (run);
  fail_unless (emulator_fact (summary, "blackout drops ") > 100, "%u packets",
      emulator_fact (summary, "blackout drops "));
  g_free (summary);
}

TIMED_CLAIM (test_trace_shows_in_the_log_and_duration_ends_the_run)
{
  gchar *log = temporary_name (), *options, *summary, **rows;
  gint64 begin_us, took_us;
  Run *run;

  options = g_strdup_printf ("--start-on-traffic --duration 1.1 --interval 250 --trace 0:8M,0.5:2M "
      "--log %s", log);
  run = run_new (AF_INET, options);
  g_usleep (300000);            /* the run must not begin before the first datagram */
  begin_us = g_get_monotonic_time ();
  run_send (run);
  summary = emulator_read_line (run->stderr_fd);        /* comes at the end */
  took_us = g_get_monotonic_time () - begin_us;
  fail_unless (took_us >= 1095000 && took_us < 1240000, "%" G_GINT64_FORMAT " us", took_us);
  fail_unless_equals_int (emulator_fact (summary, "delivered "), 1);
  g_free (summary);
  g_free (run_free (run));
  rows = read_rows (log);
  fail_unless_equals_int (g_strv_length (rows), 5);
  fail_unless (g_str_has_prefix (rows[1], "0.250,8000000,1000,1000,1,0,0,0.000,"), "%s", rows[1]);
  fail_unless (g_str_has_prefix (rows[2], "0.500,8000000,0,"), "%s", rows[2]);
  fail_unless (g_str_has_prefix (rows[3], "0.750,2000000,0,"), "%s", rows[3]);
  fail_unless (g_str_has_prefix (rows[4], "1.000,2000000,0,"), "%s", rows[4]);
  g_strfreev (rows);
  g_free (options);
}

static void
check_full_disk (const gchar *option, const gchar *said)
{
  gchar *options = g_strdup_printf ("--duration 0.2 --interval 50 %s /dev/full", option), *line;
  Run *run = run_new (AF_INET, options);
  int status;

  run_send (run);
  line = emulator_read_line (run->stderr_fd);
  fail_unless (strstr (line, "forward packets ") != NULL, "%s", line);
  g_free (line);
  line = emulator_read_line (run->stderr_fd);
  fail_unless_equals_string (line, said);
  fail_unless (waitpid (run->pid, &status, 0) == run->pid);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 1, "status %d", status);
  close (run->stderr_fd);
  close (run->receiver_fd);
  close (run->sender_fd);
  g_free (run);
  g_free (line);
  g_free (options);
}

CLAIM (test_a_full_disk_is_an_error_at_the_end)
{
  check_full_disk ("--log",
      "linkemu: rows of link forward are missing in the file: No space left on device");
  check_full_disk ("--packets",
      "linkemu: packets of link forward are missing in the file: No space left on device");
  check_full_disk ("--reverse-log",
      "linkemu: rows of link reverse are missing in the file: No space left on device");
}

TIMED_CLAIM (test_arrival_is_when_the_kernel_had_it)
{
  gchar *packets = temporary_name (),
      *options = g_strdup_printf ("--start-on-traffic --packets %s", packets), **rows;
  Run *run = run_new (AF_INET, options);
  gint64 sent_at_us[3];

  run_send (run);
  run_receive (run, 500);
  kill (run->pid, SIGSTOP);     /* forgotten by the scheduler */
  g_usleep (100000);
  run_send (run);
  g_usleep (100000);
  run_send (run);
  g_usleep (100000);
  kill (run->pid, SIGCONT);
  while (run->n_got < 3)
    run_receive (run, 500);
  for (guint i = 0; i < 3; i++)
    sent_at_us[i] = run->got[i].stamp.sent_at_us;
  g_free (run_free (run));
  rows = read_rows (packets);
  fail_unless_equals_int (g_strv_length (rows), 4);
  for (guint i = 0; i < 3; i++)
    fail_unless (ABS (g_ascii_strtod (rows[i + 1],
                NULL) * 1e6 - (sent_at_us[i] - sent_at_us[0])) < 20000, "%s", rows[i + 1]);
  g_strfreev (rows);
  g_free (options);
}

/* The ECN bits of the next datagram that came. */
static guint
receive_ecn (Run *run)
{
  _Alignas (struct cmsghdr) guint8 control[64];
  guint8 bytes[2000];
  struct iovec vector = { bytes, sizeof bytes };
  struct msghdr message = {
    .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control,
  };
  gint64 end_us = g_get_monotonic_time () + G_USEC_PER_SEC;

  while (recvmsg (run->receiver_fd, &message, 0) < 0) {
    fail_unless (g_get_monotonic_time () < end_us, "a datagram is missing");
    g_usleep (500);
  }
  for (struct cmsghdr *c = CMSG_FIRSTHDR (&message); c; c = CMSG_NXTHDR (&message, c))
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS)
      return *CMSG_DATA (c) & 3;
  ck_abort_msg ("no traffic class came");
  return 0;
}

TIMED_CLAIM (test_waiting_datagrams_are_marked_if_they_may_be)
{
  const int on = 1;
  Run *run = run_new (AF_INET, "--rate 800k --mark 25");        /* 10 ms each */
  gchar *summary;

  setsockopt (run->receiver_fd, IPPROTO_IP, IP_RECVTOS, &on, sizeof on);
  for (int ect = 0; ect < 3; ect++) {
    gint64 begin_us, sent_us;

    fail_unless (setsockopt (run->sender_fd, IPPROTO_IP, IP_TOS, &ect, sizeof ect) == 0);
    begin_us = g_get_monotonic_time ();
    for (guint i = 0; i < 6; i++)
      run_send (run);
    sent_us = g_get_monotonic_time () - begin_us;
    for (guint i = 0; i < 6; i++) {
      gint ecn = (gint) receive_ecn (run), wanted = ect > 0 && i >= 3 ? 3 : ect;

      fail_unless (ecn == wanted, "%d of datagram %u, not %d; sent within %d us", ecn, i, wanted,
          (gint) sent_us);
    }
  }
  summary = run_free (run);
  fail_unless_equals_int (emulator_fact (summary, "marked "), 6);
  g_free (summary);
}

static const struct
{
  const gchar *options, *line;
} bad[] = {
  {"--loss 2", "linkemu: --loss: not within 0 and 1"},
  {"--loss 2%", "linkemu: --loss: not a ratio (1 % is 0.01)"},
  {"--delay 25s", "linkemu: --delay: not a time in milliseconds (25 or 25ms)"},
  {"--reverse-delay=-5", "linkemu: --reverse-delay: not a time in milliseconds (25 or 25ms)"},
  {"--interval 0", "linkemu: --interval: not within 1 and 1e+08"},
  {"--duration 1m", "linkemu: --duration: not a time in seconds (12 or 12s)"},
  {"--rate 3mbit", "linkemu: 3mbit: not a rate (bit/s; 500k, 3M, 1G)"},
};

CLAIMS (test_bad_option_is_one_clear_line_and_exit_2, G_N_ELEMENTS (bad))
{
  int stderr_fd, status;
  g_autofree gchar *options = g_strconcat ("--listen 0 --to 127.0.0.1:9 ", bad[__i__].options,
      NULL);
  GPid pid = emulator_spawn (options, &stderr_fd);
  gchar *line = emulator_read_line (stderr_fd), *rest = emulator_read_line (stderr_fd);

  fail_unless (waitpid (pid, &status, 0) == pid);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 2);
  fail_unless_equals_string (line, bad[__i__].line);
  fail_unless_equals_string (rest, "");
  close (stderr_fd);
  g_free (line);
  g_free (rest);
}
