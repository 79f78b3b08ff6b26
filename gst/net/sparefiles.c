/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/sparefiles.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#define RESERVE 16              /* and an eighth of the limit beside */

/* The numbers of files below it may be used. */
static rlim_t
usable_files (void)
{
  struct rlimit files;

  if (getrlimit (RLIMIT_NOFILE, &files) < 0 || files.rlim_cur == RLIM_INFINITY)
    return G_MAXINT;
  return files.rlim_cur - MIN (files.rlim_cur, RESERVE + files.rlim_cur / 8);
}

/* The system gives the lowest number that is free: as many files at least are open. */
gboolean
spare_files_left (int fd)
{
  return (rlim_t) fd < usable_files ();
}

guint
spare_files_most (void)
{
  int fd = dup (STDERR_FILENO);
  rlim_t all = usable_files ();

  if (fd < 0)
    return errno == EMFILE ? 0 : (guint) MIN (all, G_MAXINT);
  close (fd);
  return (rlim_t) fd < all ? (guint) MIN (all - (rlim_t) fd, G_MAXINT) : 0;
}
