/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* SRTP and SRTCP under one key, in both directions. With libsrtp it is securesession.c; a build
 * without it has nosession.c, which says so. No locks; sessions of one key share what securegroup.h
 * has. */
#pragma once

#include "srtp/securegroup.h"
#include "srtp/securestreams.h"

G_BEGIN_DECLS

typedef struct _SecureSession SecureSession;

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
