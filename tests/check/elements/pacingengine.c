/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <base/clockglue.h>
#include <pacing/pacingengine.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "quiet.h"

POINTER_END (pacing_engine_unref, PacingEngine)

#define MAX_CALLS 10000

/* What the callbacks see; guarded by `lock`. */
typedef struct
{
  GMutex lock;
  GCond changed;
  guint order[MAX_CALLS];
  guint n;
} Log;

typedef struct
{
  Log *log;
  guint id, calls, reads;
  RcTime first_at, next_in;     /* RC_TIME_NONE: none; after each call again */
  RcTime work;                  /* how long a callback takes */
  int fd, policy, priority;
  gint inside;                  /* atomic */
  GThread *thread;
} Client;

static void
log_init (Log * log)
{
  g_mutex_init (&log->lock);
  g_cond_init (&log->changed);
  log->n = 0;
}

static RcTime
on_due (gpointer user_data, RcTime now)
{
  Client *self = user_data;
  RcTime next = RC_TIME_NONE;
  struct sched_param param;

  g_atomic_int_set (&self->inside, TRUE);
  if (self->work > 0)
    g_usleep ((gulong) (self->work / RC_USEC));
  g_mutex_lock (&self->log->lock);
  self->thread = g_thread_self ();
  self->policy = sched_getscheduler (0);
  sched_getparam (0, &param);
  self->priority = param.sched_priority;
  if (self->first_at > now) {
    next = self->first_at;
  } else {
    if (self->log->n < MAX_CALLS)
      self->log->order[self->log->n++] = self->id;
    self->calls++;
    next = self->next_in == RC_TIME_NONE ? RC_TIME_NONE : now + self->next_in;
    g_cond_broadcast (&self->log->changed);
  }
  g_mutex_unlock (&self->log->lock);
  g_atomic_int_set (&self->inside, FALSE);
  return next;
}

static void
on_readable (gpointer user_data, RcTime now)
{
  Client *self = user_data;
  guint64 value;

  g_mutex_lock (&self->log->lock);
  if (read (self->fd, &value, sizeof value) == sizeof value)
    self->reads++;
  g_mutex_unlock (&self->log->lock);
}

static const PacingClientFuncs funcs = { on_due, on_readable };

static PacingEngine *
engine_ref (void)
{
  GError *error = NULL;
  PacingEngine *engine = pacing_engine_ref (&error);

  fail_unless (engine != NULL);
  return engine;
}

static void
wait_calls (Log * log, guint n)
{
  gint64 until = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;

  g_mutex_lock (&log->lock);
  while (log->n < n)
    fail_unless (g_cond_wait_until (&log->changed, &log->lock, until),
        "only %u of %u calls", log->n, n);
  g_mutex_unlock (&log->lock);
}

/* Nobody has to wake for it before. */
TIMED_CLAIM (test_who_is_to_come_is_called_then_and_not_before)
{
  Log log;
  Client client = {.log = &log,.next_in = RC_TIME_NONE };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  PacingClient *handle;
  RcTime at;

  log_init (&log);
  handle = pacing_engine_add (engine, -1, &funcs, &client, NULL);
  wait_calls (&log, 1);
  for (guint i = 2; i < 20; i++) {
    at = clock_glue_monotonic () + 5 * RC_MSEC;
    client.first_at = at;       /* a call before that is none */
    pacing_engine_come (engine, handle, at);
    pacing_engine_come (engine, handle, at + RC_SECOND);
    wait_calls (&log, i);
    fail_unless (clock_glue_monotonic () >= at);
    fail_unless_equals_int (client.calls, i);
  }
  pacing_engine_remove (engine, handle);
}

TIMED_CLAIM (test_clients_are_called_in_order_of_due_times)
{
  enum { N = 100 };
  Client clients[N] = { 0 };
  PacingClient *handles[N];
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  RcTime now = clock_glue_monotonic ();
  Log log;

  log_init (&log);
  for (guint i = 0; i < N; i++) {
    guint rank = i * 37 % N;    /* added in another order than due */

    clients[i] = (Client) {
      .log = &log,.id = rank,.first_at = now + 100 * RC_MSEC + rank * RC_MSEC / 5,
      .next_in = RC_TIME_NONE
    };
    handles[i] = pacing_engine_add (engine, -1, &funcs, &clients[i], NULL);
  }
  wait_calls (&log, N);
  for (guint i = 0; i < N; i++)
    fail_unless_equals_int (log.order[i], i);
  for (guint i = 0; i < N; i++)
    pacing_engine_remove (engine, handles[i]);
}

TIMED_CLAIM (test_due_time_is_kept_to_a_millisecond)
{
  Client client = {.next_in = RC_TIME_NONE };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  RcTime best = RC_SECOND, late;
  Log log;

  log_init (&log);
  client.log = &log;
  for (guint i = 0; i < 10; i++) {
    PacingClient *handle;

    client.first_at = clock_glue_monotonic () + 3 * RC_MSEC + 300 * RC_USEC;
    handle = pacing_engine_add (engine, -1, &funcs, &client, NULL);
    wait_calls (&log, i + 1);
    late = clock_glue_monotonic () - client.first_at;
    fail_unless (late >= 0);
    best = MIN (best, late);
    pacing_engine_remove (engine, handle);
  }
  fail_unless (best < RC_MSEC, "%" G_GINT64_FORMAT " ns late at best", best);
}

CLAIM (test_wake_calls_a_client_that_has_nothing_due)
{
  Client client = {.next_in = RC_TIME_NONE };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  PacingClient *handle;
  Log log;

  log_init (&log);
  client.log = &log;
  handle = pacing_engine_add (engine, -1, &funcs, &client, NULL);
  wait_calls (&log, 1);
  for (guint i = 2; i < 200; i++) {
    pacing_engine_wake (engine, handle);
    wait_calls (&log, i);
  }
  pacing_engine_remove (engine, handle);
}

CLAIM (test_readable_socket_is_read_and_the_client_called)
{
  Client client = {.next_in = RC_TIME_NONE };
  PacingEngine *engine = engine_ref ();
  PacingClient *handle;
  guint64 one = 1;
  Log log;

  log_init (&log);
  client.log = &log;
  client.fd = eventfd (0, EFD_NONBLOCK);
  handle = pacing_engine_add (engine, client.fd, &funcs, &client, NULL);
  wait_calls (&log, 1);
  fail_unless (write (client.fd, &one, sizeof one) == sizeof one);
  wait_calls (&log, 2);
  fail_unless_equals_int (client.reads, 1);
  pacing_engine_remove (engine, handle);
  pacing_engine_unref (engine);
  close (client.fd);
}

CLAIM (test_client_that_is_always_due_does_not_starve_others)
{
  Client greedy = {.id = 1,.next_in = -RC_SECOND }, socket = {.id = 2,.next_in = RC_TIME_NONE };
  Client timed = {.id = 3,.next_in = RC_TIME_NONE };
  PacingEngine *engine = engine_ref ();
  PacingClient *a, *b, *c;
  guint64 one = 1;
  Log log;

  log_init (&log);
  greedy.log = socket.log = timed.log = &log;
  socket.fd = eventfd (0, EFD_NONBLOCK);
  a = pacing_engine_add (engine, -1, &funcs, &greedy, NULL);
  b = pacing_engine_add (engine, socket.fd, &funcs, &socket, NULL);
  c = pacing_engine_add (engine, -1, &funcs, &timed, NULL);
  fail_unless (write (socket.fd, &one, sizeof one) == sizeof one);
  g_mutex_lock (&log.lock);
  log.n = 0;                    /* the greedy one had its calls while the others came */
  g_mutex_unlock (&log.lock);
  wait_calls (&log, 1000);
  fail_unless (socket.reads == 1 && timed.calls == 1);
  pacing_engine_remove (engine, a);
  pacing_engine_remove (engine, b);
  pacing_engine_remove (engine, c);
  pacing_engine_unref (engine);
  close (socket.fd);
}

CLAIM (test_remove_waits_for_a_running_callback)
{
  Client client = {.next_in = 0,.work = 20 * RC_MSEC };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  PacingClient *handle;
  guint calls;
  Log log;

  log_init (&log);
  client.log = &log;
  handle = pacing_engine_add (engine, -1, &funcs, &client, NULL);
  while (!g_atomic_int_get (&client.inside))
    g_thread_yield ();
  pacing_engine_remove (engine, handle);
  fail_if (g_atomic_int_get (&client.inside));
  calls = client.calls;
  g_usleep (50000);
  fail_unless_equals_int (client.calls, calls);
}

typedef struct
{
  PacingEngine *engine;
  Log *log;
} Churn;

/* A client that lived: nothing may touch it after its removal, since it lies on this stack. */
static gpointer
churn (gpointer data)
{
  Churn *self = data;

  for (guint i = 0; i < 300; i++) {
    Client client = {.log = self->log,.next_in = 10 * RC_USEC };
    PacingClient *handle = pacing_engine_add (self->engine, -1, &funcs, &client, NULL);

    pacing_engine_wake (self->engine, handle);
    if (i % 3)
      g_thread_yield ();
    pacing_engine_remove (self->engine, handle);
    memset (&client, 0xff, sizeof client);
  }
  return NULL;
}

CLAIM (test_clients_come_and_go_from_many_threads_while_others_run)
{
  Churn self = { engine_ref (), NULL };
  GThread *threads[4];
  Log log;

  log_init (&log);
  self.log = &log;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("churn", churn, &self);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  pacing_engine_unref (self.engine);
}

CLAIM (test_many_clients_share_one_thread_that_ends_with_the_last_reference)
{
  enum { N = 1000 };
  g_autofree Client *clients = g_new0 (Client, N);
  PacingClient *handles[N];
  PacingEngine *engine = engine_ref (), *again = engine_ref ();
  Log log;

  fail_unless (engine == again);
  log_init (&log);
  for (guint i = 0; i < N; i++) {
    clients[i] = (Client) {.log = &log,.id = i,.next_in = RC_TIME_NONE };
    handles[i] = pacing_engine_add (engine, -1, &funcs, &clients[i], NULL);
  }
  wait_calls (&log, N);
  fail_unless_equals_int (pacing_engine_n_threads (), 1);
  for (guint i = 0; i < N; i++) {
    fail_unless (clients[i].thread == clients[0].thread && clients[i].calls == 1);
    pacing_engine_remove (engine, handles[i]);
  }
  pacing_engine_unref (engine);
  fail_unless_equals_int (pacing_engine_n_threads (), 1);
  pacing_engine_unref (again);
  fail_unless_equals_int (pacing_engine_n_threads (), 0);
}

/* With one processor one thread is enough. */
CLAIM (test_many_sessions_spread_over_the_processors)
{
  enum { FULL = 64 };
  PacingEngine *refs[2 * FULL];
  guint most = MIN (g_get_num_processors (), 2);
  guint firsts = 0;

  for (guint i = 0; i < FULL; i++)
    refs[i] = engine_ref ();
  fail_unless_equals_int (pacing_engine_n_threads (), 1);
  for (guint i = FULL; i < 2 * FULL; i++)
    refs[i] = engine_ref ();
  fail_unless_equals_int (pacing_engine_n_threads (), most);
  for (guint i = 0; i < 2 * FULL; i++)
    firsts += refs[i] == refs[0];
  fail_unless_equals_int (firsts, 2 * FULL / most);
  for (guint i = 0; i < FULL; i++)
    pacing_engine_unref (refs[i]);
  fail_unless_equals_int (pacing_engine_n_threads (), 1);
  for (guint i = FULL; i < 2 * FULL; i++)
    pacing_engine_unref (refs[i]);
  fail_unless_equals_int (pacing_engine_n_threads (), 0);
}

static RcTime
never (gpointer work_us, RcTime now)
{
  return RC_TIME_NONE;
}

static RcTime
work (gpointer work_us, RcTime now)
{
  g_usleep ((gulong) * (gint *) work_us);
  return RC_TIME_NONE;
}

static PacingLoad
feed_until (gboolean bound)
{
  PacingLoad load = {.bound = !bound };

  for (guint i = 0; i < 3000 && (load.bound != bound || (bound && load.aside == 0)); i++) {
    pacing_engine_wake_fed ();
    g_usleep (10000);
    pacing_engine_get_load (&load);
  }
  fail_unless (load.bound == bound);
  return load;
}

/* What is fed each 10 ms takes 100 ms, as long as one of them works. */
CLAIM (test_who_came_last_is_set_aside_while_the_thread_has_too_much_to_do)
{
  enum { N = 10 };
  const PacingClientFuncs fed_funcs = { never, NULL, work };
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  PacingClient *handles[N];
  gint work_us[N] = { 100000 };

  for (guint i = 0; i < N; i++)
    handles[i] = pacing_engine_add (engine, -1, &fed_funcs, &work_us[i], NULL);
  fail_unless (feed_until (TRUE).lag > 10 * RC_MSEC);
  for (guint i = 0; i < 3000 && !pacing_client_is_aside (handles[N - 1]); i++)
    g_usleep (10000);           /* the next pass says so */
  fail_unless (pacing_client_is_aside (handles[N - 1]));
  fail_if (pacing_client_is_aside (handles[0]));
  pacing_engine_remove (engine, handles[0]);
  fail_unless_equals_int (feed_until (FALSE).aside, 0);
  for (guint i = 1; i < N; i++)
    pacing_engine_remove (engine, handles[i]);
}

CLAIM (test_descriptor_that_cannot_be_watched_is_an_error)
{
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  Client client = { 0 };
  GError *error = NULL;

  fail_unless (pacing_engine_add (engine, 99999, &funcs, &client, &error) == NULL);
  fail_unless (error != NULL);
  g_clear_error (&error);
}

static void
assert_priority (PacingEngine * engine, PacingClient * handle, Client * client, int priority)
{
  client->log->n = 0;           /* nothing else wakes it */
  pacing_engine_wake (engine, handle);
  wait_calls (client->log, 1);
  fail_unless_equals_int (client->priority, priority);
  fail_unless_equals_int (client->policy == SCHED_FIFO, priority > 0);
}

CLAIM (test_highest_priority_asked_for_holds_as_long_as_it_is_asked_for)
{
  AT_END (pacing_engine_unref_at) PacingEngine *engine = engine_ref ();
  Client a = {.next_in = RC_TIME_NONE }, b = a;
  PacingClient *handle_a, *handle_b;
  Log log, log_b;

  log_init (&log);
  log_init (&log_b);
  a.log = &log;
  b.log = &log_b;
  handle_a = pacing_engine_add (engine, -1, &funcs, &a, NULL);
  handle_b = pacing_engine_add (engine, -1, &funcs, &b, NULL);
  wait_calls (&log, 1);
  assert_priority (engine, handle_a, &a, 0);
  if (pacing_engine_set_priority (engine, handle_a, 3)) {
    assert_priority (engine, handle_a, &a, 3);
    fail_unless (pacing_engine_set_priority (engine, handle_b, 2));
    assert_priority (engine, handle_a, &a, 3);
    pacing_engine_set_priority (engine, handle_b, 5);
    assert_priority (engine, handle_a, &a, 5);
    pacing_engine_remove (engine, handle_b);
    assert_priority (engine, handle_a, &a, 3);
    fail_unless (pacing_engine_set_priority (engine, handle_a, 0));
  } else {
    pacing_engine_remove (engine, handle_b);
  }
  assert_priority (engine, handle_a, &a, 0);
  pacing_engine_remove (engine, handle_a);
}
