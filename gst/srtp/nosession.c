/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* In builds without libsrtp: no session can be made and no key read, so nothing else is reached. */

#include "srtp/securekeyfile.h"
#include "srtp/securesession.h"

static void
refuse (GError ** error)
{
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "this build of gst-arc has no SRTP: install libsrtp2-dev, configure with -Dsrtp=enabled, "
      "and build again");
}

GstBuffer *
secure_key_file_read (const gchar * path, gchar ** warning, GError ** error)
{
  refuse (error);
  return NULL;
}

SecureSession *
secure_session_new (const SecureKey * key, GError ** error)
{
  refuse (error);
  return NULL;
}

void
secure_session_free (SecureSession * self)
{
}

void
secure_session_begin (SecureSession * self, SecureDirection direction, guint32 ssrc, guint32 roc)
{
}

void
secure_session_forget (SecureSession * self, SecureDirection direction, guint32 ssrc)
{
}

void
secure_session_skip_rtcp (SecureSession * self, guint32 ssrc, guint32 pkts)
{
}

SecureStatus
secure_session_work (SecureSession * self, SecureDirection direction, gboolean rtcp,
    guint8 * data, gsize * size)
{
  return SECURE_STATUS_UNAUTHENTIC;
}
