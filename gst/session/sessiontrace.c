/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessiontrace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <rc/trace/eventtrace.h>
#include <rc/trace/qlog.h>
#include <unistd.h>

#define VARIABLE "GST_ARC_TRACE"
#define MOST_BYTES (256 * 1024) /* some 10 s: a disk that stands still for longer loses events */
#define WRITE_BYTES (16 * 1024)
#define WRITE_INTERVAL (500 * RC_MSEC)  /* what a process that is killed loses */

struct _SessionTrace
{
  gint refs;                    /* of the session, and of a task that writes */
  RcEventTrace events;
  RcQlog qlog;
  RcTime written_at;

  GMutex lock;                  /* of these */
  GByteArray *buffer;
  gboolean is_due;              /* a task will write it */
  guint64 dropped;              /* since the last event that got in */

  GMutex writing;               /* of the file: one after the other */
  int fd;
  gboolean failed;              /* it was said that events could not be written */
};

/* --- the file: any thread but the pacing thread --- */

static void
write_out (SessionTrace * self)
{
  GByteArray *bytes;
  guint done = 0;

  g_mutex_lock (&self->writing);
  g_mutex_lock (&self->lock);
  bytes = self->buffer;
  self->buffer = g_byte_array_new ();
  self->is_due = FALSE;
  g_mutex_unlock (&self->lock);
  while (done < bytes->len) {
    gssize n = write (self->fd, bytes->data + done, bytes->len - done);

    if (n < 0 && errno != EINTR) {
      if (!self->failed)
        g_printerr ("GST_ARC_TRACE: an event trace lacks events: %s\n", g_strerror (errno));
      self->failed = TRUE;
      break;
    }
    done += MAX (n, 0);
  }
  g_mutex_unlock (&self->writing);
  g_byte_array_unref (bytes);
}

static void
unref (SessionTrace * self)
{
  if (!g_atomic_int_dec_and_test (&self->refs))
    return;
  close (self->fd);
  g_byte_array_unref (self->buffer);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->writing);
  g_free (self);
}

static void
run_task (gpointer trace, gpointer user_data)
{
  write_out (trace);
  unref (trace);
}

static GThreadPool *
writers (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (run_task, NULL, 1, FALSE, NULL));
  return pool;
}

/* --- events: with the session's lock --- */

/* With the lock. */
static void
note_gap (SessionTrace * self, RcTime now)
{
  gchar line[RC_QLOG_MOST_BYTES];
  RcQlogField field = {.name = "events",.suffix = "",.number = (gdouble) self->dropped };

  if (self->dropped == 0)
    return;
  self->dropped = 0;
  g_byte_array_append (self->buffer, (const guint8 *) line,
      (guint) rc_qlog_event (&self->qlog, "arc:gap", 0, &field, 1, now, line));
}

static void
append (SessionTrace * self, const gchar * line, gsize n, RcTime now)
{
  gboolean is_due;

  g_mutex_lock (&self->lock);
  if (self->buffer->len + n > MOST_BYTES) {
    self->dropped++;
  } else {
    note_gap (self, now);
    g_byte_array_append (self->buffer, (const guint8 *) line, (guint) n);
  }
  is_due = !self->is_due && (self->buffer->len >= WRITE_BYTES
      || now - self->written_at >= WRITE_INTERVAL);
  self->is_due |= is_due;
  g_mutex_unlock (&self->lock);
  if (!is_due)
    return;
  self->written_at = now;
  g_atomic_int_inc (&self->refs);
  g_thread_pool_push (writers (), self, NULL);
}

void
session_trace_look (SessionTrace * self, RcSender * sender, guint index, RcLane * lane,
    guint64 queue_bytes, RcTime now)
{
  gchar line[RC_QLOG_MOST_BYTES];
  RcTraceRecord record;

  if (rc_eventtrace_look (&self->events, sender, index, lane, queue_bytes, now, &record))
    append (self, line, rc_qlog_write (&self->qlog, &record, line), now);
}

void
session_trace_on_encoders (SessionTrace * self, guint bps, RcCause cause, RcTime now)
{
  gchar line[RC_QLOG_MOST_BYTES];
  RcQlogField fields[] = {
    {.name = "bitrate",.suffix = "_bps",.number = bps},
    {.name = "cause",.suffix = "",.text = rc_cause_name (cause)},
  };

  append (self, line, rc_qlog_event (&self->qlog, "arc:encoders", 0, fields,
          G_N_ELEMENTS (fields), now, line), now);
}

/* --- life --- */

/* FOLDER/ELEMENT-PROCESS-NUMBER.sqlog. A session that begins again, and a process with the number
 * of an old one, take the next number: no file is written twice. */
static int
open_file (const gchar * folder, const gchar * element)
{
  static gint last;
  g_autofree gchar *name = g_strdelimit (g_strdup (element), "/ ", '_');
  int fd;

  do {
    g_autofree gchar *path = g_strdup_printf ("%s" G_DIR_SEPARATOR_S "%s-%d-%d.sqlog", folder,
        name, (int) getpid (), g_atomic_int_add (&last, 1) + 1);

    fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
      g_printerr ("GST_ARC_TRACE: the event trace %s cannot be written: %s\n", path,
          g_strerror (errno));
  } while (fd < 0 && errno == EEXIST);
  return fd;
}

static void
begin (SessionTrace * self, GstElement * element, RcTime now)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  g_autoptr (GDateTime) utc = g_date_time_new_now_utc ();
  g_autofree gchar *wall_clock = g_date_time_format_iso8601 (utc);
  RcQlogHead head = {.title = GST_OBJECT_NAME (element),
    .vantage_point = factory ? GST_OBJECT_NAME (factory) : "",.code_version = VERSION,
    .wall_clock = wall_clock
  };
  gchar line[RC_QLOG_MOST_BYTES];

  append (self, line, rc_qlog_begin (&self->qlog, &head, now, line), now);
}

SessionTrace *
session_trace_new (GstElement * element, RcTime now)
{
  const gchar *folder = g_getenv (VARIABLE);
  SessionTrace *self;
  int fd;

  if (!folder || !*folder || !element)
    return NULL;
  fd = open_file (folder, GST_OBJECT_NAME (element));
  if (fd < 0)
    return NULL;
  self = g_new0 (SessionTrace, 1);
  self->refs = 1;
  self->fd = fd;
  self->buffer = g_byte_array_new ();
  self->written_at = now;
  g_mutex_init (&self->lock);
  g_mutex_init (&self->writing);
  rc_eventtrace_init (&self->events);
  begin (self, element, now);
  return self;
}

void
session_trace_free (SessionTrace * self)
{
  if (!self)
    return;
  write_out (self);
  unref (self);
}
