/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "srtp/securegroup.h"

#include <srtp2/srtp.h>
#include <string.h>

#include "srtp/securestreams.h"

struct _SecureGroup
{
  SecureKey key;
  SecureDirection direction;
  gboolean shared;
  guint n_members;              /* with the lock of all groups */
  GMutex lock;                  /* of the rest */
  srtp_t context;
  GHashTable *members;          /* by SSRC */
};

static GMutex groups_lock;
static GPtrArray *groups;       /* the shared ones; NULL: none */

/* --- libsrtp --- */

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
    case SECURE_CIPHER_AUTO:     /* none: the key has another */
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtp);
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtcp);
      break;
  }
}

/* Makes the context (ssrc NULL), or adds a stream to it. */
static srtp_err_status_t
apply (SecureGroup * self, const guint32 * ssrc)
{
  srtp_master_key_t master = {.key = self->key.bytes,.mki_id = self->key.mki,
    .mki_size = self->key.mki_bytes
  };
  srtp_master_key_t *masters[1] = { &master };
  srtp_policy_t policy = {.window_size = SECURE_WINDOW,.allow_repeat_tx = 1,
    .keys = masters,.num_master_keys = 1
  };

  policy.ssrc.type = ssrc ? ssrc_specific
      : self->direction == SECURE_IN ? ssrc_any_inbound : ssrc_any_outbound;
  policy.ssrc.value = ssrc ? *ssrc : 0;
  set_crypto (&self->key, &policy);
  return ssrc ? srtp_add_stream (self->context, &policy) : srtp_create (&self->context, &policy);
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

static SecureStatus
work (SecureGroup * self, gboolean rtcp, guint8 * data, gsize * size)
{
  gboolean mki = self->key.mki_bytes > 0;
  int n = (int) *size;
  srtp_err_status_t status;

  if (self->direction == SECURE_OUT)
    status = rtcp ? srtp_protect_rtcp_mki (self->context, data, &n, mki, 0)
        : srtp_protect_mki (self->context, data, &n, mki, 0);
  else
    status = rtcp ? srtp_unprotect_rtcp_mki (self->context, data, &n, mki)
        : srtp_unprotect_mki (self->context, data, &n, mki);
  if (status == srtp_err_status_ok)
    *size = (gsize) n;
  return status_of (status);
}

/* What leaves is protected by the keys that the context has already; a stream that is added has
 * keys of its own, which NSS keeps in its lists too. A packet that never leaves makes one. */
static gboolean
make_stream (SecureGroup * self, guint32 ssrc)
{
  guint32 packet[(16 + SRTP_MAX_TRAILER_LEN) / 4 + 1] = { g_htonl (0x80000000), 0, g_htonl (ssrc) };
  gsize size = 16;

  if (self->direction == SECURE_OUT)
    return work (self, FALSE, (guint8 *) packet, &size) == SECURE_STATUS_OK;
  return apply (self, &ssrc) == srtp_err_status_ok;
}

/* --- members --- */

static void
group_free (SecureGroup * self)
{
  if (self->context)
    srtp_dealloc (self->context);
  secure_key_wipe (&self->key);
  g_hash_table_unref (self->members);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static SecureGroup *
group_new (const SecureKey * key, SecureDirection direction, gboolean shared, GError ** error)
{
  SecureGroup *self = g_new0 (SecureGroup, 1);
  srtp_err_status_t status;

  init_library ();
  *self = (SecureGroup) {.key = *key,.direction = direction,.shared = shared,.n_members = 1 };
  self->members = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->lock);
  status = apply (self, NULL);
  if (status == srtp_err_status_ok)
    return self;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "libsrtp refuses srtp-cipher=%s (error %d)%s", secure_cipher_name (key->cipher), status,
      secure_key_is_gcm (key) ? ": it may be built without AES-GCM; take aes-128-icm" : "");
  group_free (self);
  return NULL;
}

static SecureGroup *
find_room (const SecureKey * key, SecureDirection direction)
{
  for (guint i = groups->len; i > 0; i--) {
    SecureGroup *group = g_ptr_array_index (groups, i - 1);

    if (group->direction == direction && group->n_members < SECURE_GROUP_MEMBERS_MAX
        && secure_key_equal (&group->key, key))
      return group;
  }
  return NULL;
}

SecureGroup *
secure_group_join (const SecureKey * key, SecureDirection direction, gboolean shared,
    GError ** error)
{
  SecureGroup *group;

  if (!shared)
    return group_new (key, direction, FALSE, error);
  g_mutex_lock (&groups_lock);
  if (!groups)
    groups = g_ptr_array_new ();
  group = find_room (key, direction);
  if (group)
    group->n_members++;
  else if ((group = group_new (key, direction, TRUE, error)) != NULL)
    g_ptr_array_add (groups, group);
  g_mutex_unlock (&groups_lock);
  return group;
}

typedef struct
{
  SecureGroup *group;
  gconstpointer member;
} Leaving;

static gboolean
forget_of (gpointer ssrc, gpointer member, gpointer data)
{
  Leaving *leaving = data;

  if (member != leaving->member)
    return FALSE;
  srtp_remove_stream (leaving->group->context, g_htonl (GPOINTER_TO_UINT (ssrc)));
  return TRUE;
}

void
secure_group_leave (SecureGroup * self, gconstpointer member)
{
  Leaving leaving = { self, member };
  gboolean last;

  g_mutex_lock (&self->lock);
  g_hash_table_foreach_remove (self->members, forget_of, &leaving);
  g_mutex_unlock (&self->lock);
  g_mutex_lock (&groups_lock);
  last = --self->n_members == 0;
  if (last && self->shared)
    g_ptr_array_remove_fast (groups, self);
  if (last && self->shared && groups->len == 0)
    g_clear_pointer (&groups, g_ptr_array_unref);
  g_mutex_unlock (&groups_lock);
  if (last)
    group_free (self);
}

typedef enum
{
  PLACE_MINE,
  PLACE_FREE,
  PLACE_TAKEN,                  /* by another member; or there is none left */
} Place;

/* With the lock. */
static Place
place_of (SecureGroup * self, gconstpointer member, guint32 ssrc)
{
  gconstpointer now = g_hash_table_lookup (self->members, GUINT_TO_POINTER (ssrc));

  if (now)
    return now == member ? PLACE_MINE : PLACE_TAKEN;
  return self->shared && g_hash_table_size (self->members) >= SECURE_GROUP_SSRCS_MAX
      ? PLACE_TAKEN : PLACE_FREE;
}

static void
take (SecureGroup * self, gconstpointer member, guint32 ssrc)
{
  g_hash_table_insert (self->members, GUINT_TO_POINTER (ssrc), (gpointer) member);
}

gboolean
secure_group_knows (SecureGroup * self, gconstpointer member, guint32 ssrc)
{
  gboolean knows;

  g_mutex_lock (&self->lock);
  knows = g_hash_table_lookup (self->members, GUINT_TO_POINTER (ssrc)) == member;
  g_mutex_unlock (&self->lock);
  return knows;
}

void
secure_group_forget (SecureGroup * self, gconstpointer member, guint32 ssrc)
{
  g_mutex_lock (&self->lock);
  if (g_hash_table_lookup (self->members, GUINT_TO_POINTER (ssrc)) == member) {
    srtp_remove_stream (self->context, g_htonl (ssrc));
    g_hash_table_remove (self->members, GUINT_TO_POINTER (ssrc));
  }
  g_mutex_unlock (&self->lock);
}

/* libsrtp keeps the ROC apart until a packet was taken by it. */
gboolean
secure_group_begin (SecureGroup * self, gconstpointer member, guint32 ssrc, guint32 roc)
{
  gboolean open;

  g_mutex_lock (&self->lock);
  open = place_of (self, member, ssrc) != PLACE_TAKEN;
  if (open && (srtp_set_stream_roc (self->context, ssrc, roc) == srtp_err_status_ok
          || (make_stream (self, ssrc)
              && srtp_set_stream_roc (self->context, ssrc, roc) == srtp_err_status_ok)))
    take (self, member, ssrc);
  g_mutex_unlock (&self->lock);
  return open;
}

gboolean
secure_group_work (SecureGroup * self, gconstpointer member, gboolean rtcp, guint8 * data,
    gsize * size, SecureStatus * status)
{
  guint32 ssrc = GST_READ_UINT32_BE (data + (rtcp ? 4 : 8));
  Place place;

  g_mutex_lock (&self->lock);
  place = place_of (self, member, ssrc);
  if (place != PLACE_TAKEN)
    *status = work (self, rtcp, data, size);
  if (place == PLACE_FREE && (self->direction == SECURE_OUT || *status == SECURE_STATUS_OK))
    take (self, member, ssrc);
  g_mutex_unlock (&self->lock);
  return place != PLACE_TAKEN;
}
