/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securesession.h"

#include <srtp2/srtp.h>
#include <string.h>

#define EMPTY_REPORT 0x80c90001  /* a receiver report without blocks [RFC 3550 6.4.2] */
#define EMPTY_REPORT_BYTES 8
#define SRTCP_INDEX_BYTES 4

struct _SecureSession
{
  SecureKey key;
  srtp_t contexts[2];           /* by direction */
};

static void
set_crypto (const SecureKey * key, srtp_policy_t * policy)
{
  gboolean short_tag = key->auth == SECURE_AUTH_HMAC_SHA1_32;

  /* RTCP keeps the long tag [RFC 4568 6.2]. */
  switch (key->cipher) {
    case SECURE_CIPHER_AES_128_ICM:
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80 (&policy->rtcp);
      if (short_tag)
        srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32 (&policy->rtp);
      else
        srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80 (&policy->rtp);
      break;
    case SECURE_CIPHER_AES_256_ICM:
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80 (&policy->rtcp);
      if (short_tag)
        srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32 (&policy->rtp);
      else
        srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80 (&policy->rtp);
      break;
    case SECURE_CIPHER_AES_128_GCM:
      srtp_crypto_policy_set_aes_gcm_128_16_auth (&policy->rtp);
      srtp_crypto_policy_set_aes_gcm_128_16_auth (&policy->rtcp);
      break;
    case SECURE_CIPHER_AES_256_GCM:
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtp);
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtcp);
      break;
  }
}

/* Makes a context (stream NULL), or adds a stream to one. */
static srtp_err_status_t
apply (SecureSession * self, SecureDirection direction, const guint32 * ssrc)
{
  srtp_master_key_t master = {.key = self->key.bytes,.mki_id = self->key.mki,
    .mki_size = self->key.mki_bytes
  };
  srtp_master_key_t *masters[1] = { &master };
  srtp_policy_t policy = {.window_size = SECURE_WINDOW,.allow_repeat_tx = 1,
    .keys = masters,.num_master_keys = 1
  };

  policy.ssrc.type = ssrc ? ssrc_specific
      : direction == SECURE_IN ? ssrc_any_inbound : ssrc_any_outbound;
  policy.ssrc.value = ssrc ? *ssrc : 0;
  set_crypto (&self->key, &policy);
  return ssrc ? srtp_add_stream (self->contexts[direction], &policy)
      : srtp_create (&self->contexts[direction], &policy);
}

/* An error may mean that libsrtp is already initialised, such as by the plugin of srtpenc; if it is
 * a real one, creating a context fails. */
static void
init_library (void)
{
  static gsize done;

  if (g_once_init_enter (&done)) {
    srtp_init ();
    g_once_init_leave (&done, 1);
  }
}

SecureSession *
secure_session_new (const SecureKey * key, GError ** error)
{
  SecureSession *self = g_new0 (SecureSession, 1);
  srtp_err_status_t status = srtp_err_status_ok;

  init_library ();
  self->key = *key;
  for (guint i = 0; i < G_N_ELEMENTS (self->contexts) && status == srtp_err_status_ok; i++)
    status = apply (self, i, NULL);
  if (status == srtp_err_status_ok)
    return self;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "libsrtp refuses srtp-cipher=%s (error %d)%s", secure_cipher_name (key->cipher), status,
      secure_key_is_gcm (key) ? ": it may be built without AES-GCM; take aes-128-icm" : "");
  secure_session_free (self);
  return NULL;
}

void
secure_session_free (SecureSession * self)
{
  if (!self)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->contexts); i++)
    if (self->contexts[i])
      srtp_dealloc (self->contexts[i]);
  secure_key_wipe (&self->key);
  g_free (self);
}

/* libsrtp keeps the ROC apart until a packet was taken by it. */
void
secure_session_begin (SecureSession * self, SecureDirection direction, guint32 ssrc, guint32 roc)
{
  srtp_t context = self->contexts[direction];

  if (srtp_set_stream_roc (context, ssrc, roc) == srtp_err_status_ok)
    return;
  if (apply (self, direction, &ssrc) == srtp_err_status_ok)
    srtp_set_stream_roc (context, ssrc, roc);
}

void
secure_session_forget (SecureSession * self, SecureDirection direction, guint32 ssrc)
{
  srtp_remove_stream (self->contexts[direction], g_htonl (ssrc));
}

static SecureStatus
status_of (srtp_err_status_t status)
{
  switch (status) {
    case srtp_err_status_ok:
      return SECURE_STATUS_OK;
    case srtp_err_status_replay_fail:
    case srtp_err_status_replay_old:
    case srtp_err_status_pkt_idx_old:
      return SECURE_STATUS_REPLAYED;
    case srtp_err_status_bad_param:
    case srtp_err_status_parse_err:
      return SECURE_STATUS_MALFORMED;
    default:
      return SECURE_STATUS_UNAUTHENTIC;
  }
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
  srtp_t context = self->contexts[direction];
  gboolean mki = self->key.mki_bytes > 0;
  int n = (int) *size;
  srtp_err_status_t status;

  if (direction == SECURE_IN && is_too_short (&self->key, rtcp, data, *size))
    return SECURE_STATUS_MALFORMED;
  if (direction == SECURE_OUT)
    status = rtcp ? srtp_protect_rtcp_mki (context, data, &n, mki, 0)
        : srtp_protect_mki (context, data, &n, mki, 0);
  else
    status = rtcp ? srtp_unprotect_rtcp_mki (context, data, &n, mki)
        : srtp_unprotect_mki (context, data, &n, mki);
  if (status == srtp_err_status_ok)
    *size = (gsize) n;
  return status_of (status);
}

void
secure_session_skip_rtcp (SecureSession * self, guint32 ssrc, guint32 pkts)
{
  guint32 report[(EMPTY_REPORT_BYTES + SRTP_MAX_TRAILER_LEN + SRTCP_INDEX_BYTES) / 4 + 1];
  gsize size;

  while (pkts-- > 0) {
    report[0] = g_htonl (EMPTY_REPORT);
    report[1] = g_htonl (ssrc);
    size = EMPTY_REPORT_BYTES;
    secure_session_work (self, SECURE_OUT, TRUE, (guint8 *) report, &size);
  }
}
