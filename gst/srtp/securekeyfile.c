/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#define _DEFAULT_SOURCE         /* O_CLOEXEC */
#include "srtp/securekeyfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wipe.h"
#include "srtp/securekey.h"

#define OTHERS (S_IRWXG | S_IRWXO)
/* Of the longest key there are 92, and lines may be broken. */
#define MAX_CHARS 256

typedef struct
{
  gchar chars[MAX_CHARS];
  gsize n;
} Text;

/* Returns an errno; 0: it was read. */
static gint
read_text (gint fd, Text * text)
{
  gssize got;

  text->n = 0;
  do {
    got = read (fd, text->chars + text->n, MAX_CHARS - text->n);
    if (got > 0)
      text->n += (gsize) got;
  } while (got > 0 || (got < 0 && errno == EINTR));
  return got < 0 ? errno : 0;
}

/* NULL: there is something else than digits, or half a byte, or nothing. */
static GstBuffer *
decode (const Text * text)
{
  guint8 bytes[MAX_CHARS / 2];
  GstBuffer *buffer = NULL;
  guint digits = 0;
  gsize i;

  for (i = 0; i < text->n; i++) {
    if (g_ascii_isspace (text->chars[i]))
      continue;
    if (!g_ascii_isxdigit (text->chars[i]))
      break;
    bytes[digits / 2] = (guint8) ((digits % 2 ? bytes[digits / 2] << 4 : 0)
        | g_ascii_xdigit_value (text->chars[i]));
    digits++;
  }
  if (i == text->n && i < MAX_CHARS && digits > 0 && digits % 2 == 0)
    buffer = secure_key_buffer_new (bytes, digits / 2);
  wipe (bytes, sizeof bytes);
  return buffer;
}

static GstBuffer *
read_key (gint fd, const gchar * path, GError ** error)
{
  GstBuffer *key = NULL;
  Text text;
  gint failure = read_text (fd, &text);

  if (failure != 0)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "cannot read the srtp-key-file “%s”: %s", path, g_strerror (failure));
  else if (!(key = decode (&text)))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the srtp-key-file “%s” holds no key: it must have hexadecimal digits and nothing else, as "
        "“openssl rand -hex 28” prints them", path);
  wipe (&text, sizeof text);
  return key;
}

/* Anything else than a file may block, or be empty when it is read again. */
GstBuffer *
secure_key_file_read (const gchar * path, gchar ** warning, GError ** error)
{
  gint fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failure = fd < 0 ? errno : 0;
  GstBuffer *key = NULL;
  struct stat status;

  *warning = NULL;
  if (fd >= 0 && fstat (fd, &status) < 0)
    failure = errno;
  if (failure != 0)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "cannot open the srtp-key-file “%s”: %s", path, g_strerror (failure));
  else if (!S_ISREG (status.st_mode))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "the srtp-key-file “%s” is not a regular file", path);
  else
    key = read_key (fd, path, error);
  if (key && status.st_mode & OTHERS)
    *warning = g_strdup_printf ("other users of this machine can read or write the srtp-key-file "
        "“%s”: let only its owner, by “chmod 600”", path);
  if (fd >= 0)
    close (fd);
  return key;
}
