/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Verifies that the sender of a datagram also receives at its source address: a number that only we
 * can compute and that is sent to that address only. If it is returned, the address is not forged.
 * Stateless: it is a function of the address and a secret.
 *
 * So nobody keeps a table of who asked for a cookie. A sender that moved is known by its old
 * one, and needs no `follow-sender`, which trusts the SSRC. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  guint8 secret[32];
} AddressCookie;

/* A new secret: invalidates all cookies sent before. */
void address_cookie_renew (AddressCookie * self);
/* Of address and port; never 0. */
guint64 address_cookie_of (const AddressCookie * self, GSocketAddress * address);
/* One that holds for this only, such as a period: a recorded one is of no use later. */
guint64 address_cookie_for (const AddressCookie * self, GSocketAddress * address,
    const guint64 * what, guint n);

G_END_DECLS
