/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Pictures are read from a folder, where an application leaves them by stock elements. Rejected:
 * a branch that the tracer adds, an encoder in each watched pipeline; pictures through the
 * socket, made and sent whether a page shows them or not; requests by file name, which need a
 * check that a stream's key does not. */

#include "thumbnail.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES 131072        /* one of 160 pixels has 5 to 15 kB */
#define MAX_AGE (10 * G_TIME_SPAN_SECOND)

static const guint8 jpeg[] = { 0xff, 0xd8, 0xff };

/* A process chooses its names: none leads out of the folder. */
static gchar *
path_of (const gchar * folder, const Stream * stream)
{
  gchar *name = g_strconcat (stream_text (stream, "process"), "-", stream_text (stream, "element"),
      ".jpg", NULL);
  gchar *path = NULL;

  if (name[0] != '.' && strchr (name, '/') == NULL)
    path = g_build_filename (folder, name, NULL);
  g_free (name);
  return path;
}

static gint64
written_at (const struct stat *info)
{
  return (gint64) info->st_mtim.tv_sec * G_USEC_PER_SEC + info->st_mtim.tv_nsec / 1000;
}

static gboolean
may_show (const struct stat *info)
{
  return S_ISREG (info->st_mode) && info->st_size > (goffset) sizeof (jpeg)
      && info->st_size <= MAX_BYTES && ABS (g_get_real_time () - written_at (info)) < MAX_AGE;
}

/* -1: there is none. A link could lead to any file of the user, and opening a pipe would wait. */
static gint
open_for (const gchar * folder, const Stream * stream, struct stat *info)
{
  gchar *path = folder ? path_of (folder, stream) : NULL;
  gint file = path ? open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;

  g_free (path);
  if (file >= 0 && (fstat (file, info) != 0 || !may_show (info))) {
    close (file);
    return -1;
  }
  return file;
}

gint64
thumbnail_written_at (const gchar * folder, const Stream * stream)
{
  struct stat info;
  gint file = open_for (folder, stream, &info);

  if (file < 0)
    return 0;
  close (file);
  return written_at (&info);
}

GBytes *
thumbnail_read (const gchar * folder, const Stream * stream)
{
  struct stat info;
  gint file = open_for (folder, stream, &info);
  guint8 *data;
  gboolean good;

  if (file < 0)
    return NULL;
  data = g_malloc ((gsize) info.st_size);
  good = read (file, data, (gsize) info.st_size) == info.st_size
      && memcmp (data, jpeg, sizeof (jpeg)) == 0;
  close (file);
  if (good)
    return g_bytes_new_take (data, (gsize) info.st_size);
  g_free (data);
  return NULL;
}
