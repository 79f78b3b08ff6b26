/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Does who sends from an address also receive there? A number that only we can compute and only
 * who receives at the address learns: if it comes back, the source address is no forgery. No
 * table: it follows from the address and a secret of ours. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  guint8 secret[32];
} AddressCookie;

/* A new secret: cookies told before are worth nothing. */
void address_cookie_renew (AddressCookie * self);
/* Of address and port; never 0. */
guint64 address_cookie_of (const AddressCookie * self, GSocketAddress * address);

G_END_DECLS
