/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What ThreadSanitizer must know of GLib. Problem: the GLib of a system is not instrumented, and
 * its GMutex and GCond are futexes of its own, so that each access under a lock looks like a
 * race. Rule: this library is preloaded and tells ThreadSanitizer of each lock, of each last
 * reference, and of what is handed to a pool of threads or through a queue. GLib's calls of its
 * own functions do not pass here: what it locks inside of itself stays unknown. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gio/gio.h>
#include <gst/gst.h>
#include <sanitizer/tsan_interface.h>

/* The function behind ours of the same name. */
#define REAL(name) \
  static __typeof__ (name) *found; \
  __typeof__ (name) *real = __atomic_load_n (&found, __ATOMIC_RELAXED); \
  if (!real) { \
    real = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name); \
    __atomic_store_n (&found, real, __ATOMIC_RELAXED); \
  }

void
g_mutex_lock (GMutex * mutex)
{
  REAL (g_mutex_lock)

  __tsan_mutex_pre_lock (mutex, 0);
  real (mutex);
  __tsan_mutex_post_lock (mutex, 0, 0);
}

gboolean
g_mutex_trylock (GMutex * mutex)
{
  gboolean locked;
  REAL (g_mutex_trylock)

  __tsan_mutex_pre_lock (mutex, __tsan_mutex_try_lock);
  locked = real (mutex);
  __tsan_mutex_post_lock (mutex,
      __tsan_mutex_try_lock | (locked ? 0 : __tsan_mutex_try_lock_failed), 0);
  return locked;
}

void
g_mutex_unlock (GMutex * mutex)
{
  REAL (g_mutex_unlock)

  __tsan_mutex_pre_unlock (mutex, 0);
  real (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

void
g_mutex_clear (GMutex * mutex)
{
  REAL (g_mutex_clear)

  real (mutex);
  __tsan_mutex_destroy (mutex, 0);
}

static void
begin_wait (GMutex * mutex)
{
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
}

static void
end_wait (GMutex * mutex)
{
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 0);
}

void
g_cond_wait (GCond * cond, GMutex * mutex)
{
  REAL (g_cond_wait)

  begin_wait (mutex);
  real (cond, mutex);
  end_wait (mutex);
}

gboolean
g_cond_wait_until (GCond * cond, GMutex * mutex, gint64 end_time)
{
  gboolean signalled;
  REAL (g_cond_wait_until)

  begin_wait (mutex);
  signalled = real (cond, mutex, end_time);
  end_wait (mutex);
  return signalled;
}

/* Whoever drops the last reference comes after all that the others did with the object. */
#undef g_object_unref
void
g_object_unref (gpointer object)
{
  REAL (g_object_unref)

  __tsan_acquire (object);
  __tsan_release (object);
  real (object);
}

#undef gst_object_unref
void
gst_object_unref (gpointer object)
{
  REAL (gst_object_unref)

  __tsan_acquire (object);
  __tsan_release (object);
  real (object);
}

#undef gst_mini_object_unref
void
gst_mini_object_unref (GstMiniObject * object)
{
  REAL (gst_mini_object_unref)

  __tsan_acquire (object);
  __tsan_release (object);
  real (object);
}

#undef g_ptr_array_unref
void
g_ptr_array_unref (GPtrArray * array)
{
  REAL (g_ptr_array_unref)

  __tsan_acquire (array);
  __tsan_release (array);
  real (array);
}

gboolean
g_atomic_ref_count_dec (gatomicrefcount * count)
{
  REAL (g_atomic_ref_count_dec)

  __tsan_acquire (count);
  __tsan_release (count);
  return real (count);
}

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  REAL (g_atomic_rc_box_release_full)

  __tsan_acquire (box);
  __tsan_release (box);
  real (box, clear);
}

/* What the others did with it is done if it may be written now; one that gets a copy has given up
 * its reference. */
#undef gst_mini_object_make_writable
GstMiniObject *
gst_mini_object_make_writable (GstMiniObject * object)
{
  GstMiniObject *writable;
  REAL (gst_mini_object_make_writable)

  __tsan_release (object);
  writable = real (object);
  __tsan_acquire (writable);
  return writable;
}

/* --- pools of threads --- */

typedef struct
{
  GFunc func;
  gpointer user_data;
} Work;

static void
do_work (gpointer data, gpointer user_data)
{
  Work *work = user_data;

  __tsan_acquire (work);
  __tsan_acquire (data);
  work->func (data, work->user_data);
}

GThreadPool *
g_thread_pool_new (GFunc func, gpointer user_data, gint max_threads, gboolean exclusive,
    GError ** error)
{
  Work *work = g_new (Work, 1); /* as long as the process */
  REAL (g_thread_pool_new)

  *work = (Work) { func, user_data };
  __tsan_release (work);
  return real (do_work, work, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool * pool, gpointer data, GError ** error)
{
  REAL (g_thread_pool_push)

  __tsan_release (data);
  return real (pool, data, error);
}

/* GstHarness hands over by these. */
void
g_async_queue_push (GAsyncQueue * queue, gpointer data)
{
  REAL (g_async_queue_push)

  __tsan_release (queue);
  real (queue, data);
}

gpointer
g_async_queue_try_pop (GAsyncQueue * queue)
{
  gpointer data;
  REAL (g_async_queue_try_pop)

  data = real (queue);
  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue * queue, guint64 timeout_us)
{
  gpointer data;
  REAL (g_async_queue_timeout_pop)

  data = real (queue, timeout_us);
  __tsan_acquire (queue);
  return data;
}
