/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securesession.h"

#define EMPTY_REPORT 0x80c90001 /* a receiver report without blocks [RFC 3550 6.4.2] */
#define EMPTY_REPORT_BYTES 8
#define TRAILER_BYTES 160       /* more than SRTCP has: the index, a tag, an MKI */

struct _SecureSession
{
  SecureKey key;
  SecureGroup *homes[2];        /* by direction: with others */
  SecureGroup *own[2];          /* for SSRCs that are others' at home; NULL: there were none */
};

SecureSession *
secure_session_new (const SecureKey * key, GError ** error)
{
  SecureSession *self = g_new0 (SecureSession, 1);

  self->key = *key;
  for (guint i = 0; i < G_N_ELEMENTS (self->homes); i++)
    if (!(self->homes[i] = secure_group_join (key, i, TRUE, error))) {
      secure_session_free (self);
      return NULL;
    }
  return self;
}

void
secure_session_free (SecureSession * self)
{
  if (!self)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->homes); i++) {
    if (self->homes[i])
      secure_group_leave (self->homes[i], self);
    if (self->own[i])
      secure_group_leave (self->own[i], self);
  }
  secure_key_wipe (&self->key);
  g_free (self);
}

/* NULL: libsrtp makes none. */
static SecureGroup *
get_own (SecureSession * self, SecureDirection direction)
{
  if (!self->own[direction])
    self->own[direction] = secure_group_join (&self->key, direction, FALSE, NULL);
  return self->own[direction];
}

/* It stays there when the other one leaves: at home its numbers would begin anew. */
static gboolean
is_at_home (SecureSession * self, SecureDirection direction, guint32 ssrc)
{
  return !self->own[direction] || !secure_group_knows (self->own[direction], self, ssrc);
}

void
secure_session_begin (SecureSession * self, SecureDirection direction, guint32 ssrc, guint32 roc)
{
  SecureGroup *own;

  if (is_at_home (self, direction, ssrc)
      && secure_group_begin (self->homes[direction], self, ssrc, roc))
    return;
  own = get_own (self, direction);
  if (own)
    secure_group_begin (own, self, ssrc, roc);
}

void
secure_session_forget (SecureSession * self, SecureDirection direction, guint32 ssrc)
{
  secure_group_forget (self->homes[direction], self, ssrc);
  if (self->own[direction])
    secure_group_forget (self->own[direction], self, ssrc);
}

/* What RTP has in the clear; G_MAXSIZE: more than there is. */
static gsize
header_bytes (const guint8 * data, gsize size)
{
  gsize bytes = 12 + 4 * (data[0] & 0x0f);

  if (!(data[0] & 0x10))
    return bytes;
  if (size < bytes + 4)
    return G_MAXSIZE;
  return bytes + 4 + 4 * ((gsize) data[bytes + 2] << 8 | data[bytes + 3]);
}

/* libsrtp 2.5 lets a packet pass that is too short for its MKI, and AES-GCM then reads far beyond
 * its end: any host that can send to the port could crash the process. */
static gboolean
is_too_short (const SecureKey * key, gboolean rtcp, const guint8 * data, gsize size)
{
  gsize tag_bytes = secure_key_overhead_bytes (key), header = 8 + 4;

  if (size < 12)
    return TRUE;
  if (!rtcp)
    header = header_bytes (data, size);
  return header > size || size - header < tag_bytes;
}

SecureStatus
secure_session_work (SecureSession * self, SecureDirection direction, gboolean rtcp,
    guint8 * data, gsize * size)
{
  SecureStatus status;
  SecureGroup *own;

  if (direction == SECURE_IN && is_too_short (&self->key, rtcp, data, *size))
    return SECURE_STATUS_MALFORMED;
  if (is_at_home (self, direction, GST_READ_UINT32_BE (data + (rtcp ? 4 : 8)))
      && secure_group_work (self->homes[direction], self, rtcp, data, size, &status))
    return status;
  own = get_own (self, direction);
  if (own && secure_group_work (own, self, rtcp, data, size, &status))
    return status;
  return SECURE_STATUS_UNAUTHENTIC;
}

void
secure_session_skip_rtcp (SecureSession * self, guint32 ssrc, guint32 pkts)
{
  guint32 report[(EMPTY_REPORT_BYTES + TRAILER_BYTES) / 4];
  gsize size;

  while (pkts-- > 0) {
    report[0] = g_htonl (EMPTY_REPORT);
    report[1] = g_htonl (ssrc);
    size = EMPTY_REPORT_BYTES;
    secure_session_work (self, SECURE_OUT, TRUE, (guint8 *) report, &size);
  }
}
