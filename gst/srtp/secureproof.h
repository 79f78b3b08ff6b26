/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* That a caller has the key of the listener's SRTP. A call itself is in the clear, since the key
 * may depend on the stream id; the proof is an HMAC of it under the key, so that who has none is
 * refused with a reason, and gets no media. */
#pragma once

#include "srtp/securekey.h"

#include <rc/feedback/call.h>

G_BEGIN_DECLS

/* settings: with a key, its own or what its file held. The proof is about all of the call but its
 * encoding names. */
void secure_proof_write (const SecureSettings * settings, RcCall * call);
/* NULL: it fits, also if neither has a key; else why not, for the caller, which is a stranger. */
const gchar *secure_proof_check (const SecureSettings * settings, const RcCall * call);
/* The reason for a caller without any proof. */
const gchar *secure_proof_missing (const SecureSettings * settings);

G_END_DECLS
