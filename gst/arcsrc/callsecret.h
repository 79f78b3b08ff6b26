/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The key of a caller with a passphrase. A listener's answer brings the salt of which it is
 * derived; until then it is one that nobody knows, so that nothing unprotected is taken for media,
 * and a listener without a passphrase refuses the proof.
 *
 * To derive takes CPU time, and answers come from the network: it is done off the receiving thread,
 * once for each salt, and as often as takes a fifth of a processor at most. A new passphrase counts
 * from the next salt or start on: it is set at the receivers first.
 *
 * No clock and no lock: both are the caller's. */
#pragma once

#include "srtp/secureproperties.h"

#include <rc/base/types.h>
#include <rc/feedback/call.h>

G_BEGIN_DECLS

#define CALL_SECRET_PAUSES 4    /* as long as it took */

typedef struct
{
  GstBuffer *key;               /* NULL: no passphrase */
  GstBuffer *passphrase;        /* that it came of; NULL: of none */
  guint8 salt[RC_ANSWER_SALT_BYTES];
  guint8 wanted[RC_ANSWER_SALT_BYTES];
  gboolean waits;               /* wanted is to be derived of */
  gboolean works;               /* somebody does it */
  gboolean fresh;               /* the key is another one since the owner last looked */
  RcTime due_at;                /* not before */
} CallSecret;

/* What somebody derives, or has derived. */
typedef struct
{
  GstBuffer *passphrase, *key;  /* key: NULL: not yet */
  guint8 salt[RC_ANSWER_SALT_BYTES];
  SecureCipher cipher;
} CallSecretWork;

void call_secret_clear (CallSecret * self);
/* At the start: with the key of before if it is of the same passphrase and cipher. */
void call_secret_begin (CallSecret * self, const SecureSettings * settings);
/* FALSE: the listener gave none. */
gboolean call_secret_is_salted (const CallSecret * self);
/* It has another salt than the key. */
gboolean call_secret_is_other (const CallSecret * self, const RcAnswer * answer);
/* TRUE: another salt, of which it waits for a key. */
gboolean call_secret_take_answer (CallSecret * self, const RcAnswer * answer);
/* TRUE: derive *work now, by call_secret_derive() without a lock, and give it back. Else ask again
 * at *next_at, while it waits. */
gboolean call_secret_must_work (CallSecret * self, const SecureSettings * settings, RcTime now,
    RcTime * next_at, CallSecretWork * work);
void call_secret_derive (CallSecretWork * work);
/* Takes what is in it. settings: of now. */
void call_secret_take_work (CallSecret * self, const SecureSettings * settings,
    CallSecretWork * work, RcTime began_at, RcTime now);

G_END_DECLS
