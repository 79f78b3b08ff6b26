/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The emulator as a process, on loopback. Real time: the tolerances leave room for a busy machine. */

#include <arpa/inet.h>
#include <gst/check/gstcheck.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <rc/types.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_GOT 8192
#define DATAGRAM_BYTES 972
#define LINK_BITS 8000.0        /* of it on the link, with the overhead */

typedef struct
{
  guint32 number;
  gint64 sent_at_us;
} Stamp;

typedef struct
{
  Stamp stamp;
  gint64 got_at_us;
} Got;

typedef struct
{
  GPid pid;
  int stderr_fd, receiver_fd, sender_fd;
  Got got[MAX_GOT];
  guint n_got, n_sent;
} Run;

static socklen_t
loopback (struct sockaddr_storage *addr, int family, guint port)
{
  memset (addr, 0, sizeof *addr);
  addr->ss_family = family;
  if (family == AF_INET6) {
    ((struct sockaddr_in6 *) addr)->sin6_addr = in6addr_loopback;
    ((struct sockaddr_in6 *) addr)->sin6_port = htons (port);
    return sizeof (struct sockaddr_in6);
  }
  ((struct sockaddr_in *) addr)->sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  ((struct sockaddr_in *) addr)->sin_port = htons (port);
  return sizeof (struct sockaddr_in);
}

/* A socket at any port of the loopback; -1 if the machine lacks the family. */
static int
open_socket (int family, guint *port)
{
  const int size = 4 << 20;
  struct sockaddr_storage addr;
  socklen_t len = loopback (&addr, family, 0);
  int fd = socket (family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  if (fd < 0 || bind (fd, (struct sockaddr *) &addr, len))
    return -1;
  setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  fail_unless (getsockname (fd, (struct sockaddr *) &addr, &len) == 0);
  *port = ntohs (family == AF_INET6 ? ((struct sockaddr_in6 *) &addr)->sin6_port
      : ((struct sockaddr_in *) &addr)->sin_port);
  return fd;
}

static GPid
spawn (const gchar *options, int *stderr_fd)
{
  const gchar *program = g_getenv ("LINKEMU");
  gchar *line = g_strdup_printf ("%s %s", program ? program : "linkemu", options), **argv;
  GPid pid;

  fail_unless (g_shell_parse_argv (line, NULL, &argv, NULL));
  fail_unless (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
          &pid, NULL, NULL, stderr_fd, NULL));
  g_strfreev (argv);
  g_free (line);
  return pid;
}

/* Up to a newline or the end. */
static gchar *
read_line (int fd)
{
  GString *line = g_string_new (NULL);
  gchar c;

  while (read (fd, &c, 1) == 1 && c != '\n')
    g_string_append_c (line, c);
  return g_string_free (line, FALSE);
}

static guint
start (Run *self, int family, const gchar *options)
{
  guint port = 0;
  gchar *all, *line;

  self->receiver_fd = open_socket (family, &port);
  fail_unless (self->receiver_fd >= 0);
  all = g_strdup_printf (family == AF_INET6 ? "--listen 0 --to [::1]:%u %s" : "--listen 0 --to 127.0.0.1:%u %s", port,
      options);
  self->pid = spawn (all, &self->stderr_fd);
  line = read_line (self->stderr_fd);
  fail_unless (g_str_has_prefix (line, "linkemu: listening on "), "said '%s'", line);
  port = (guint) atoi (strrchr (line, ':') + 1);
  g_free (line);
  g_free (all);
  return port;
}

static int
connect_sender (int family, guint port)
{
  struct sockaddr_storage addr;
  socklen_t len = loopback (&addr, family, port);
  guint own;
  int fd = open_socket (family, &own);

  fail_unless (connect (fd, (struct sockaddr *) &addr, len) == 0);
  return fd;
}

static Run *
run_new (int family, const gchar *options)
{
  Run *self = g_new0 (Run, 1);

  self->sender_fd = connect_sender (family, start (self, family, options));
  return self;
}

/* Stops it (it may have ended by itself) and returns its summary line (g_free). */
static gchar *
run_free (Run *self)
{
  gchar *summary;
  int status;

  kill (self->pid, SIGTERM);
  summary = read_line (self->stderr_fd);
  fail_unless (waitpid (self->pid, &status, 0) == self->pid);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 0, "status %d after '%s'", status, summary);
  close (self->stderr_fd);
  close (self->receiver_fd);
  close (self->sender_fd);
  g_free (self);
  return summary;
}

/* The number after `name` in a summary line. */
static guint
fact (const gchar *summary, const gchar *name)
{
  const gchar *at = strstr (summary, name);

  fail_unless (at != NULL, "no '%s' in '%s'", name, summary);
  return (guint) atoi (at + strlen (name));
}

static void
receive (Run *self, int timeout_ms)
{
  struct pollfd poll_fd = { self->receiver_fd, POLLIN, 0 };
  guint8 bytes[2000];

  poll (&poll_fd, 1, timeout_ms);
  while (self->n_got < MAX_GOT && recv (self->receiver_fd, bytes, sizeof bytes, 0) >= (ssize_t) sizeof (Stamp)) {
    memcpy (&self->got[self->n_got].stamp, bytes, sizeof (Stamp));
    self->got[self->n_got++].got_at_us = g_get_monotonic_time ();
  }
}

static void
send_one (Run *self)
{
  guint8 bytes[DATAGRAM_BYTES] = { 0 };
  Stamp stamp = { self->n_sent++, g_get_monotonic_time () };

  memcpy (bytes, &stamp, sizeof stamp);
  fail_unless_equals_int (send (self->sender_fd, bytes, sizeof bytes, 0), sizeof bytes);
}

/* Sends for `ms` at pps datagrams a second, receives meanwhile and for tail_ms after. A pause of ours is made up for:
 * the number sent is always the same. */
static void
traffic (Run *self, guint pps, guint ms, guint tail_ms)
{
  guint n = self->n_sent, end = n + pps * ms / 1000;
  gint64 begin_us = g_get_monotonic_time (), end_us;

  while (self->n_sent < end) {
    gint64 due = n + (g_get_monotonic_time () - begin_us) * pps / 1000000 + 1;

    while (self->n_sent < MIN (due, end))
      send_one (self);
    receive (self, 1);
  }
  for (end_us = g_get_monotonic_time () + tail_ms * 1000; g_get_monotonic_time () < end_us;)
    receive (self, 5);
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  return *(const gdouble *) a < *(const gdouble *) b ? -1 : 1;
}

static gdouble
median (gdouble *values, guint n)
{
  fail_unless (n > 0);
  qsort (values, n, sizeof *values, compare_doubles);
  return values[n / 2];
}

static gdouble
median_delay_ms (const Run *self)
{
  static gdouble delays[MAX_GOT];

  for (guint i = 0; i < self->n_got; i++)
    delays[i] = (self->got[i].got_at_us - self->got[i].stamp.sent_at_us) * 1e-3;
  return median (delays, self->n_got);
}

/* Over windows of 100 datagrams: a machine that pauses spoils only two of them. */
static gdouble
median_rate_bps (const Run *self)
{
  gdouble rates[MAX_GOT / 100];
  guint n = 0;

  for (guint i = 100; i < self->n_got; i += 100)
    rates[n++] = 100 * LINK_BITS * 1e6 / (self->got[i].got_at_us - self->got[i - 100].got_at_us);
  return median (rates, n);
}

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

GST_START_TEST (test_overload_is_shaped_and_queued_and_counted)
{
  gchar *packets = temporary_name (), *options, *summary, **rows;
  guint tail = 0, n_got;
  gdouble bps, delay_ms;
  Run *run;

  options = g_strdup_printf ("--rate 4M --queue 100ms --packets %s", packets);
  run = run_new (AF_INET, options);
  traffic (run, 750, 2500, 300);
  n_got = run->n_got;
  bps = median_rate_bps (run);
  delay_ms = median_delay_ms (run);
  summary = run_free (run);
  rows = read_rows (packets);
  fail_unless (ABS (bps - 4e6) < 0.02 * 4e6, "%f bit/s", bps);
  fail_unless (delay_ms > 95 && delay_ms < 112, "median delay %f ms", delay_ms);
  fail_unless_equals_string (rows[0], "arrived_s,size_bytes,queue_delay_ms,fate");
  for (guint i = 1; rows[i]; i++)
    tail += g_str_has_suffix (rows[i], ",tail");
  fail_unless (tail > 400);
  fail_unless_equals_int (fact (summary, "tail drops "), tail);
  fail_unless_equals_int (fact (summary, "forward packets "), tail + n_got);
  g_strfreev (rows);
  g_free (summary);
  g_free (options);
}

GST_END_TEST;

static gint64
round_trip_us (Run *run)
{
  struct sockaddr_storage from;
  socklen_t len = sizeof from;
  guint8 bytes[2000];
  gint64 begin_us = g_get_monotonic_time ();

  send_one (run);
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

  traffic (run, 200, 500, 100);
  fail_unless_equals_int (run->n_got, run->n_sent);
  fail_unless (median_delay_ms (run) >= 29.9 && median_delay_ms (run) < 34, "%f ms", median_delay_ms (run));
  for (guint i = 0; i < 5; i++)
    rtt_us = MIN (rtt_us, round_trip_us (run));
  fail_unless (rtt_us >= 59900 && rtt_us < 68000, "%d us", (gint) rtt_us);
  g_free (run_free (run));
}

GST_START_TEST (test_delay_holds_both_ways)
{
  check_delay (AF_INET);
}

GST_END_TEST;

GST_START_TEST (test_ipv6_works_as_ipv4)
{
  guint port;
  int fd = open_socket (AF_INET6, &port);

  if (fd < 0)
    return;
  close (fd);
  check_delay (AF_INET6);
}

GST_END_TEST;

GST_START_TEST (test_each_sender_gets_its_own_answers)
{
  Run *run = g_new0 (Run, 1);
  guint port = start (run, AF_INET, "--delay 1");
  int senders[3];
  gchar byte, answer;
  struct sockaddr_storage from[3];

  run->sender_fd = connect_sender (AF_INET, port);
  for (guint i = 0; i < 3; i++) {
    socklen_t len = sizeof from[i];

    senders[i] = i == 0 ? run->sender_fd : connect_sender (AF_INET, port);
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

GST_END_TEST;

/* The numbers that came through 20 % loss, as a string of 0 and 1 (g_free). */
static gchar *
survivors (const gchar *seed)
{
  gchar *options = g_strdup_printf ("--loss 0.2 --jitter 2 --seed %s", seed), *map = g_strnfill (1000, '0');
  Run *run = run_new (AF_INET, options);

  traffic (run, 2000, 500, 50);
  for (guint i = 0; i < run->n_got; i++) {
    fail_unless (i == 0 || run->got[i].stamp.number > run->got[i - 1].stamp.number, "jitter must not reorder");
    map[run->got[i].stamp.number] = '1';
  }
  g_free (options);
  g_free (run_free (run));
  return map;
}

GST_START_TEST (test_losses_repeat_by_seed)
{
  gchar *a = survivors ("5"), *b = survivors ("5"), *c = survivors ("6");

  fail_unless_equals_string (a, b);
  fail_if (g_str_equal (a, c));
  g_free (a);
  g_free (b);
  g_free (c);
}

GST_END_TEST;

GST_START_TEST (test_blackout_drops_all_for_its_time)
{
  Run *run = run_new (AF_INET, "--start-on-traffic --blackout 0.3:0.2");
  gint64 gap_us = 0;
  gchar *summary;

  traffic (run, 1000, 800, 50);
  for (guint i = 1; i < run->n_got; i++)
    gap_us = MAX (gap_us, run->got[i].stamp.sent_at_us - run->got[i - 1].stamp.sent_at_us);
  fail_unless (gap_us > 195000 && gap_us < 300000, "%d us", (gint) gap_us);
  summary = run_free (run);
  fail_unless (fact (summary, "blackout drops ") > 100);
  g_free (summary);
}

GST_END_TEST;

GST_START_TEST (test_trace_shows_in_the_log_and_duration_ends_the_run)
{
  gchar *log = temporary_name (), *options, *summary, **rows;
  gint64 begin_us;
  Run *run;

  options = g_strdup_printf ("--start-on-traffic --duration 1.1 --interval 250 --trace 0:8M,0.5:2M --log %s", log);
  run = run_new (AF_INET, options);
  g_usleep (300000);            /* the run must not begin before the first datagram */
  begin_us = g_get_monotonic_time ();
  send_one (run);
  summary = read_line (run->stderr_fd);        /* comes at the end */
  fail_unless (g_get_monotonic_time () - begin_us >= 1095000 && g_get_monotonic_time () - begin_us < 1240000);
  fail_unless_equals_int (fact (summary, "delivered "), 1);
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

GST_END_TEST;

GST_START_TEST (test_arrival_is_when_the_kernel_had_it)
{
  gchar *packets = temporary_name (), *options = g_strdup_printf ("--start-on-traffic --packets %s", packets), **rows;
  Run *run = run_new (AF_INET, options);
  gint64 sent_at_us[3];

  send_one (run);
  receive (run, 500);
  kill (run->pid, SIGSTOP);     /* forgotten by the scheduler */
  g_usleep (100000);
  send_one (run);
  g_usleep (100000);
  send_one (run);
  g_usleep (100000);
  kill (run->pid, SIGCONT);
  while (run->n_got < 3)
    receive (run, 500);
  for (guint i = 0; i < 3; i++)
    sent_at_us[i] = run->got[i].stamp.sent_at_us;
  g_free (run_free (run));
  rows = read_rows (packets);
  fail_unless_equals_int (g_strv_length (rows), 4);
  for (guint i = 0; i < 3; i++)
    fail_unless (ABS (g_ascii_strtod (rows[i + 1], NULL) * 1e6 - (sent_at_us[i] - sent_at_us[0])) < 20000, "%s",
        rows[i + 1]);
  g_strfreev (rows);
  g_free (options);
}

GST_END_TEST;

GST_START_TEST (test_bad_option_is_one_clear_line_and_exit_2)
{
  int stderr_fd, status;
  GPid pid = spawn ("--listen 0 --to 127.0.0.1:9 --loss 2", &stderr_fd);
  gchar *line = read_line (stderr_fd), *rest = read_line (stderr_fd);

  fail_unless (waitpid (pid, &status, 0) == pid);
  fail_unless (WIFEXITED (status) && WEXITSTATUS (status) == 2);
  fail_unless_equals_string (line, "linkemu: --loss: not within 0 and 1");
  fail_unless_equals_string (rest, "");
  close (stderr_fd);
  g_free (line);
  g_free (rest);
}

GST_END_TEST;

static Suite *
linkemu_suite (void)
{
  Suite *s = suite_create ("linkemu");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_overload_is_shaped_and_queued_and_counted);
  tcase_add_test (tc, test_delay_holds_both_ways);
  tcase_add_test (tc, test_ipv6_works_as_ipv4);
  tcase_add_test (tc, test_each_sender_gets_its_own_answers);
  tcase_add_test (tc, test_losses_repeat_by_seed);
  tcase_add_test (tc, test_blackout_drops_all_for_its_time);
  tcase_add_test (tc, test_trace_shows_in_the_log_and_duration_ends_the_run);
  tcase_add_test (tc, test_arrival_is_when_the_kernel_had_it);
  tcase_add_test (tc, test_bad_option_is_one_clear_line_and_exit_2);
  return s;
}

GST_CHECK_MAIN (linkemu);
