/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* libsrtp under one key: a context for what leaves and one for what comes. securesession.c is the
 * only file that knows libsrtp; a build without it has nosession.c, which says so. No locks. */
#pragma once

#include "srtp/securekey.h"
#include "srtp/securestreams.h"

G_BEGIN_DECLS

typedef struct _SecureSession SecureSession;

typedef enum
{
  SECURE_IN,
  SECURE_OUT,
} SecureDirection;

typedef enum
{
  SECURE_STATUS_OK,
  SECURE_STATUS_UNAUTHENTIC,    /* or by another key */
  SECURE_STATUS_REPLAYED,       /* was here, or is older than the window */
  SECURE_STATUS_MALFORMED,
  SECURE_STATUS_SURPLUS,        /* of more streams than can be kept; not of the session */
} SecureStatus;

SecureSession *secure_session_new (const SecureKey * key, GError ** error);
void secure_session_free (SecureSession * self);
/* The next packet of this SSRC has an index with this ROC; 0: that of the packet before goes on. To
 * be repeated until a packet was taken. */
void secure_session_begin (SecureSession * self, SecureDirection direction, guint32 ssrc,
    guint32 roc);
void secure_session_forget (SecureSession * self, SecureDirection direction, guint32 ssrc);
/* As if so many SRTCP packets of this SSRC had left: libsrtp has no other way to number them on. */
void secure_session_skip_rtcp (SecureSession * self, guint32 ssrc, guint32 pkts);
/* In place. An SSRC that is not known begins with ROC 0. */
SecureStatus secure_session_work (SecureSession * self, SecureDirection direction, gboolean rtcp,
    guint8 * data, gsize * size);

G_END_DECLS
