/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "callsecret.h"

#include "srtp/securepassphrase.h"

#include <string.h>

void
call_secret_clear (CallSecret * self)
{
  gst_clear_buffer (&self->key);
  gst_clear_buffer (&self->passphrase);
}

void
call_secret_begin (CallSecret * self, const SecureSettings * settings)
{
  self->waits = self->fresh = FALSE;
  if (self->key && self->passphrase && secure_settings_same_passphrase (settings, self->passphrase)
      && gst_buffer_get_size (self->key) == secure_cipher_key_bytes (settings->cipher))
    return;
  call_secret_clear (self);
  if (settings->passphrase)
    self->key = secure_passphrase_guard (settings->cipher);
}

gboolean
call_secret_is_salted (const CallSecret * self)
{
  return self->passphrase != NULL;
}

gboolean
call_secret_is_other (const CallSecret * self, const RcAnswer * answer)
{
  return self->key && answer->salted
      && (!self->passphrase || memcmp (self->salt, answer->salt, sizeof self->salt) != 0);
}

gboolean
call_secret_take_answer (CallSecret * self, const RcAnswer * answer)
{
  if (!self->key || !answer->salted)
    return FALSE;
  self->waits = call_secret_is_other (self, answer);
  memcpy (self->wanted, answer->salt, sizeof self->wanted);
  return self->waits;
}

gboolean
call_secret_must_work (CallSecret * self, const SecureSettings * settings, RcTime now,
    RcTime * next_at, CallSecretWork * work)
{
  *next_at = self->works || !settings->passphrase ? RC_TIME_NONE : self->due_at;
  if (!self->waits || self->works || now < self->due_at || !settings->passphrase)
    return FALSE;
  self->works = TRUE;
  *next_at = RC_TIME_NONE;
  *work = (CallSecretWork) { gst_buffer_ref (settings->passphrase), NULL, {0},
    settings->cipher };
  memcpy (work->salt, self->wanted, sizeof work->salt);
  return TRUE;
}

void
call_secret_derive (CallSecretWork * work)
{
  if (secure_passphrase_check (work->passphrase, NULL))
    work->key = secure_passphrase_derive (work->passphrase, work->salt, work->cipher);
}

void
call_secret_take_work (CallSecret * self, const SecureSettings * settings,
    CallSecretWork * work, RcTime began_at, RcTime now)
{
  self->works = FALSE;
  self->due_at = now + CALL_SECRET_PAUSES * (now - began_at);
  if (self->waits && work->key && memcmp (work->salt, self->wanted, sizeof work->salt) == 0
      && secure_settings_same_passphrase (settings, work->passphrase)
      && gst_buffer_get_size (work->key) == secure_cipher_key_bytes (settings->cipher)) {
    call_secret_clear (self);
    self->key = g_steal_pointer (&work->key);
    self->passphrase = g_steal_pointer (&work->passphrase);
    memcpy (self->salt, work->salt, sizeof self->salt);
    self->waits = FALSE;
    self->fresh = TRUE;
  }
  gst_clear_buffer (&work->key);
  gst_clear_buffer (&work->passphrase);
}
