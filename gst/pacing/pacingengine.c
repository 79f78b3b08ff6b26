/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Clients wait in a heap by due time. The thread sleeps in epoll until the first due time, a
 * readable socket, or a wake-up through an eventfd. A due time that others set is a timer in the
 * same epoll: the thread need not wake to learn of it.
 *
 * Locks: `lock` guards heap and clients and is free while a callback runs, so that a callback
 * may take its owner's lock and an owner may call pacing_engine_wake() under its own.
 *
 * One thread carries some 1300 viewers of 0.5 Mbit/s, whatever the processors; so above 64
 * sessions there is one a processor. Fewer share a thread, which wakes less often than two. It
 * asks for time slices of 0.1 ms (sched_setattr, Linux 6.12, no privilege), and so preempts busy
 * threads when it wakes. Real-time priority is a property and off by default. */

#define _GNU_SOURCE             /* ppoll */
#include "base/clockglue.h"

#include "base/arcdebug.h"
#include "pacing/overload.h"
#include "pacing/pacingengine.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <rc/base/heap.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MAX_EVENTS 64
#define DUE_NEVER G_MAXINT64
/* Between two passes for due times alone, and for sockets that become readable more often than
 * that: as RMC's least time between two samples. A thousand clients, or the packets of a relay,
 * would else have the thread sleep and wake for each of their packets. */
#define MIN_PASS_INTERVAL (100 * RC_USEC)
#define SLICE (100 * RC_USEC)   /* the shortest that Linux takes */

struct _PacingClient
{
  RcHeapNode node;              /* the first, so that the heap's root is a client */
  PacingClientFuncs funcs;
  gpointer user_data;
  int fd;
  gint woken;                   /* atomic: a wake-up is pending */
  RcTime asked_at;              /* due then, whatever the callback that runs says */
  gint priority;
  gint aside;                   /* atomic: no media, since the CPU is full */
  gboolean removed;             /* while its callback ran: its remover waits for the end of it */
};

struct _PacingEngine
{
  GThread *thread;
  guint refs;                   /* atomic; changes under `shared_lock` */
  int epoll_fd, wake_fd, timer_fd;

  GMutex lock;
  GCond changed;                /* `tid` is known, a removed client's callback is done */
  pid_t tid;                    /* 0: the thread has not begun */
  gint priority;                /* under SCHED_FIFO; 0: none */
  RcHeap heap;                  /* of all clients, by when they are due */
  GHashTable *clients; /* set of the same: is an epoll event of a client that still lives? */
  GPtrArray *fed;               /* of the same, those with on_fed, as they came */
  gboolean fed_due;             /* all of `fed` are */
  RcTime fed_at;                /* since then */
  Overload load;
  PacingClient *running;        /* its callback runs now */
  RcTime pass_at;               /* of the last pass */
  gboolean crowded;             /* a socket became readable within MIN_PASS_INTERVAL of it */
  gboolean asleep, quit;
  RcTime asleep_until;
};

/* Sessions that an engine takes before another starts: at 6 Mbit/s each they are half of what a
 * thread can send. Few sessions share one thread, which wakes less often for them than two. */
#define FULL 64
#define MAX_ENGINES 16

static GMutex shared_lock;
static PacingEngine *engines[MAX_ENGINES];      /* those that run come first */
static guint n_engines;

static void
set_due (PacingEngine * self, PacingClient * client, RcTime due_at)
{
  if (client->node.key == due_at)
    return;
  rc_heap_remove (&self->heap, &client->node);
  rc_heap_insert (&self->heap, &client->node, due_at);
}

/* With the lock held. The thread reads what changed when it wakes or before it sleeps. */
static void
wake_thread (PacingEngine * self)
{
  guint64 one = 1;

  if (!self->asleep)
    return;
  self->asleep = FALSE;
  if (write (self->wake_fd, &one, sizeof one) < 0)
    GST_WARNING ("pacing engine: cannot wake: %s", g_strerror (errno));
}

/* FALSE: the client is gone. */
static gboolean
end_callback (PacingEngine * self, PacingClient * client)
{
  self->running = NULL;
  if (client->removed)
    g_cond_broadcast (&self->changed);
  return !client->removed;
}

static void
run (PacingEngine * self, PacingClient * client, RcTime (*func) (gpointer user_data, RcTime now),
    RcTime pass_at)
{
  RcTime next_at;

  self->running = client;
  client->asked_at = RC_TIME_NONE;
  g_mutex_unlock (&self->lock);
  next_at = func (client->user_data, clock_glue_monotonic ());
  g_mutex_lock (&self->lock);
  if (!end_callback (self, client))
    return;
  next_at = rc_sooner (next_at, client->asked_at);
  /* Later than this pass: a client that is always due must not keep the others or the sockets
   * waiting. */
  if (!g_atomic_int_get (&client->woken))
    set_due (self, client, next_at == RC_TIME_NONE ? DUE_NEVER : MAX (next_at, pass_at + 1));
}

static void
run_due (PacingEngine * self, PacingClient * client, RcTime pass_at)
{
  g_atomic_int_set (&client->woken, 0);
  run (self, client, client->funcs.on_due, pass_at);
}

/* Clients may come and go meanwhile: who goes has the rest run once more. */
static void
run_all_fed (PacingEngine * self, RcTime pass_at)
{
  self->fed_due = FALSE;
  for (guint i = 0; i < self->fed->len && !self->quit; i++) {
    PacingClient *client = g_ptr_array_index (self->fed, i);

    g_atomic_int_set (&client->aside, i + self->load.aside >= self->fed->len);
    run (self, client, client->funcs.on_fed, pass_at);
  }
}

/* What the client needs is in the caches now, and the heap would be changed twice for it. */
static void
run_readable (PacingEngine * self, PacingClient * client)
{
  self->running = client;
  g_mutex_unlock (&self->lock);
  client->funcs.on_readable (client->user_data, clock_glue_monotonic ());
  g_mutex_lock (&self->lock);
  if (end_callback (self, client))
    run_due (self, client, self->pass_at);
}

/* timeout: RC_TIME_NONE waits for events only. ppoll() on the epoll set sleeps by the
 * nanosecond, and every C library has it: epoll_pwait2() is missing in musl and in glibc before
 * 2.35. A pass for a due time costs one call with either. */
static int
sleep_in_epoll (PacingEngine * self, struct epoll_event *events, RcTime timeout)
{
  struct pollfd set = { self->epoll_fd, POLLIN, 0 };
  struct timespec t = { timeout / RC_SECOND, timeout % RC_SECOND };

  if (timeout != 0 && ppoll (&set, 1, timeout == RC_TIME_NONE ? NULL : &t, NULL) <= 0)
    return 0;
  return epoll_wait (self->epoll_fd, events, MAX_EVENTS, 0);
}

/* While sockets become readable all the time, the thread is deaf for the rest of the interval. */
static int
wait_for_events (PacingEngine * self, struct epoll_event *events, RcTime timeout)
{
  RcTime rest = self->pass_at + MIN_PASS_INTERVAL - clock_glue_monotonic ();
  int n;

  if (self->crowded && timeout != 0 && rest > 0) {
    struct timespec t = { 0, timeout == RC_TIME_NONE ? rest : MIN (rest, timeout) };

    nanosleep (&t, NULL);
    timeout = timeout == RC_TIME_NONE ? timeout : MAX (timeout - rest, 0);
    n = epoll_wait (self->epoll_fd, events, MAX_EVENTS, 0);
    if (n > 0 || timeout == 0)
      return n;
  }
  n = sleep_in_epoll (self, events, timeout);
  self->crowded = n > 0 && clock_glue_monotonic () - self->pass_at < MIN_PASS_INTERVAL;
  return n;
}

/* since: when the first of what has run was due. */
static void
note_pass (PacingEngine * self, RcTime since, RcTime pass_at)
{
  RcTime now = clock_glue_monotonic ();

  if (since < pass_at)
    overload_note (&self->load, now - since);
  overload_look (&self->load, self->fed->len, now);
}

/* How long to sleep then. The clock is read once: MAX() may look twice, and -1 at the second
 * look is for ever. */
static RcTime
run_all_due (PacingEngine * self)
{
  RcTime pass_at = clock_glue_monotonic (), timeout, since = pass_at;

  self->pass_at = pass_at;
  self->asleep_until = DUE_NEVER;
  if (self->fed_due) {
    since = MIN (since, self->fed_at);
    run_all_fed (self, pass_at);
  }
  while (self->heap.root && self->heap.root->key <= pass_at && !self->quit) {
    since = self->heap.root->key > 0 ? MIN (since, self->heap.root->key) : since;
    run_due (self, (PacingClient *) self->heap.root, pass_at);
  }
  note_pass (self, since, pass_at);
  if (self->fed_due)
    return 0;
  if (!self->heap.root || self->heap.root->key == DUE_NEVER)
    return RC_TIME_NONE;
  if (self->heap.root->key <= pass_at + 1)
    return 0;                   /* a client that stays awake */
  self->asleep_until = MAX (self->heap.root->key, pass_at + MIN_PASS_INTERVAL);
  timeout = self->asleep_until - clock_glue_monotonic ();
  return MAX (timeout, 0);
}

/* Those of the eventfd and of the timer, which are told once, have done their work. */
static void
handle_events (PacingEngine * self, const struct epoll_event *events, int n)
{
  for (int i = 0; i < n; i++) {
    PacingClient *client = events[i].data.ptr;

    if (client && g_hash_table_contains (self->clients, client))
      run_readable (self, client);
  }
}

/* Linux 6.12 and later: a thread that asks for short slices of the CPU preempts one with long
 * ones when it wakes, and needs no privilege for it. On a busy machine it otherwise waits for
 * the rest of the other's slice, 3 ms. Older kernels take no notice. */
static void
ask_for_short_slices (void)
{
  struct                        /* sched_attr, which only new C libraries have */
  {
    guint32 size, policy;
    guint64 flags;
    gint32 nice;
    guint32 priority;
    guint64 runtime, deadline, period;
  } attr = {.size = sizeof attr,.policy = SCHED_OTHER,.runtime = SLICE };

  if (sched_getscheduler (0) != SCHED_OTHER)
    return;
  attr.nice = getpriority (PRIO_PROCESS, 0);
  if (syscall (SYS_sched_setattr, 0, &attr, 0) < 0)
    GST_DEBUG ("pacing engine: no short slices: %s", g_strerror (errno));
}

static gpointer
engine_thread (gpointer data)
{
  PacingEngine *self = data;
  struct epoll_event events[MAX_EVENTS];
  RcTime timeout;
  int n;

  prctl (PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  ask_for_short_slices ();
  g_mutex_lock (&self->lock);
  self->tid = (pid_t) syscall (SYS_gettid);
  g_cond_broadcast (&self->changed);
  while (!self->quit) {
    timeout = run_all_due (self);
    if (self->quit)
      break;
    self->asleep = TRUE;
    g_mutex_unlock (&self->lock);
    n = wait_for_events (self, events, timeout);
    g_mutex_lock (&self->lock);
    self->asleep = FALSE;
    handle_events (self, events, n);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

static void
engine_free (PacingEngine * self)
{
  if (self->epoll_fd >= 0)
    close (self->epoll_fd);
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  if (self->timer_fd >= 0)
    close (self->timer_fd);
  g_hash_table_unref (self->clients);
  g_ptr_array_unref (self->fed);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static PacingEngine *
engine_new (GError ** error)
{
  PacingEngine *self = g_new0 (PacingEngine, 1);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET };
  int err;

  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->clients = g_hash_table_new (NULL, NULL);
  self->fed = g_ptr_array_new ();
  self->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  self->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (self->epoll_fd < 0 || self->wake_fd < 0 || self->timer_fd < 0
      || epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, self->wake_fd, &event) < 0
      || epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, self->timer_fd, &event) < 0) {
    err = errno;
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (err),
        "no epoll for pacing: %s", g_strerror (err));
  } else {
    self->thread = g_thread_try_new ("rmc-pacing", engine_thread, self, error);
  }
  if (!self->thread)
    g_clear_pointer (&self, engine_free);
  return self;
}

/* The one with the fewest sessions; NULL: none runs, or all are full and the machine has processors
 * for another. */
static PacingEngine *
find_engine (void)
{
  PacingEngine *least = NULL;

  for (guint i = 0; i < n_engines; i++)
    if (!least || engines[i]->refs < least->refs)
      least = engines[i];
  if (least && least->refs >= FULL && n_engines < MIN (g_get_num_processors (), MAX_ENGINES))
    return NULL;
  return least;
}

PacingEngine *
pacing_engine_ref (GError ** error)
{
  PacingEngine *self;

  g_mutex_lock (&shared_lock);
  self = find_engine ();
  if (!self && (self = engine_new (error)))
    engines[n_engines++] = self;
  if (self)
    g_atomic_int_inc (&self->refs);
  g_mutex_unlock (&shared_lock);
  return self;
}

static void
forget_engine (const PacingEngine * self)
{
  guint i = 0;

  while (engines[i] != self)
    i++;
  engines[i] = engines[--n_engines];
}

void
pacing_engine_unref (PacingEngine * self)
{
  g_mutex_lock (&shared_lock);
  if (g_atomic_int_dec_and_test (&self->refs)) {
    g_mutex_lock (&self->lock);
    self->quit = TRUE;
    wake_thread (self);
    g_mutex_unlock (&self->lock);
    g_thread_join (self->thread);
    forget_engine (self);
    engine_free (self);
  }
  g_mutex_unlock (&shared_lock);
}

PacingClient *
pacing_engine_add (PacingEngine * self, int fd, const PacingClientFuncs * funcs, gpointer user_data,
    GError ** error)
{
  PacingClient *client = g_new0 (PacingClient, 1);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client };
  int err = 0;

  client->funcs = *funcs;
  client->user_data = user_data;
  client->fd = fd;
  client->asked_at = RC_TIME_NONE;
  g_mutex_lock (&self->lock);
  if (fd >= 0 && epoll_ctl (self->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) {
    err = errno;
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (err),
        "cannot watch the socket: %s", g_strerror (err));
    g_clear_pointer (&client, g_free);
  } else {
    g_hash_table_add (self->clients, client);
    if (funcs->on_fed)
      g_ptr_array_add (self->fed, client);
    rc_heap_insert (&self->heap, &client->node, 0);
    wake_thread (self);
  }
  g_mutex_unlock (&self->lock);
  return client;
}

static gboolean
apply_priority (PacingEngine * self)
{
  struct sched_param param = { 0 };
  GHashTableIter iter;
  gpointer client;

  g_hash_table_iter_init (&iter, self->clients);
  while (g_hash_table_iter_next (&iter, &client, NULL))
    param.sched_priority = MAX (param.sched_priority, ((PacingClient *) client)->priority);
  if (param.sched_priority == self->priority)
    return TRUE;
  if (sched_setscheduler (self->tid, param.sched_priority > 0 ? SCHED_FIFO : SCHED_OTHER,
          &param) < 0)
    return FALSE;
  self->priority = param.sched_priority;
  return TRUE;
}

gboolean
pacing_engine_set_priority (PacingEngine * self, PacingClient * client, gint priority)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  while (self->tid == 0)
    g_cond_wait (&self->changed, &self->lock);
  ok = client->priority == priority;
  if (!ok) {                    /* which looks at all clients */
    client->priority = priority;
    ok = apply_priority (self);
  }
  if (!ok)
    client->priority = 0;
  g_mutex_unlock (&self->lock);
  return ok;
}

void
pacing_engine_remove (PacingEngine * self, PacingClient * client)
{
  g_mutex_lock (&self->lock);
  if (client->fd >= 0)
    epoll_ctl (self->epoll_fd, EPOLL_CTL_DEL, client->fd, NULL);
  g_hash_table_remove (self->clients, client);
  self->fed_due |= g_ptr_array_remove (self->fed, client);
  rc_heap_remove (&self->heap, &client->node);
  if (client->priority > 0)
    apply_priority (self);
  client->removed = TRUE;
  while (self->running == client)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  g_free (client);
}

void
pacing_engine_wake (PacingEngine * self, PacingClient * client)
{
  if (!g_atomic_int_compare_and_exchange (&client->woken, 0, 1))
    return;
  g_mutex_lock (&self->lock);
  set_due (self, client, clock_glue_monotonic ());
  wake_thread (self);
  g_mutex_unlock (&self->lock);
}

/* The time is one of this engine's passes, not before. */
static void
set_timer (PacingEngine * self, RcTime at)
{
  struct itimerspec when = { 0 };

  at = MAX (at, self->pass_at + MIN_PASS_INTERVAL);
  when.it_value = (struct timespec) { at / RC_SECOND, at % RC_SECOND };
  if (timerfd_settime (self->timer_fd, TFD_TIMER_ABSTIME, &when, NULL) < 0)
    wake_thread (self);
  self->asleep_until = at;
}

void
pacing_engine_come (PacingEngine * self, PacingClient * client, RcTime at)
{
  g_mutex_lock (&self->lock);
  client->asked_at = rc_sooner (client->asked_at, at);
  if (at < client->node.key) {
    set_due (self, client, at);
    if (self->asleep && at < self->asleep_until)
      set_timer (self, at);
  }
  g_mutex_unlock (&self->lock);
}

gboolean
pacing_engine_is_full (const PacingEngine * self)
{
  return g_atomic_int_get (&self->refs) >= FULL;
}

void
pacing_engine_wake_fed (void)
{
  RcTime now = clock_glue_monotonic ();

  g_mutex_lock (&shared_lock);
  for (guint i = 0; i < n_engines; i++) {
    PacingEngine *self = engines[i];

    g_mutex_lock (&self->lock);
    if (!self->fed_due)
      self->fed_at = now;
    self->fed_due = self->fed->len > 0;
    if (self->fed_due)
      wake_thread (self);
    g_mutex_unlock (&self->lock);
  }
  g_mutex_unlock (&shared_lock);
}

gboolean
pacing_client_is_aside (PacingClient * client)
{
  return g_atomic_int_get (&client->aside);
}

void
pacing_engine_get_load (PacingLoad * load)
{
  *load = (PacingLoad) { 0 };
  g_mutex_lock (&shared_lock);
  for (guint i = 0; i < n_engines; i++) {
    PacingEngine *self = engines[i];

    g_mutex_lock (&self->lock);
    load->lag = MAX (load->lag, self->load.lag);
    load->bound |= self->load.bound;
    load->aside += MIN (self->load.aside, self->fed->len);
    g_mutex_unlock (&self->lock);
  }
  g_mutex_unlock (&shared_lock);
}

guint
pacing_engine_n_threads (void)
{
  guint n;

  g_mutex_lock (&shared_lock);
  n = n_engines;
  g_mutex_unlock (&shared_lock);
  return n;
}
