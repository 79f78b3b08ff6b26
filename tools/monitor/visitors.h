/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The HTTP connections. Problem: libsoup 3.2 keeps any number of them for any time, so that idle
 * ones take all descriptors. Rule: each has a time by which it must be over, and when there are too
 * many, the oldest gives way. */
#pragma once

#include <libsoup/soup.h>

typedef struct _Visitors Visitors;

/* Connections that are taken go to soup. */
Visitors *visitors_new (SoupServer * soup);
void visitors_free (Visitors * self);
/* Takes the connection. */
void visitors_take (Visitors * self, GSocket * connection);
/* The request is there: now the answer has its time. */
void visitors_answer (Visitors * self, SoupServerMessage * message);
/* The answer has no end: the connection may stay. */
void visitors_keep (Visitors * self, SoupServerMessage * message);
void visitors_hang_up (Visitors * self, SoupServerMessage * message);
/* While libsoup reads the message: no byte more, and no answer. */
void visitors_cut (Visitors * self, SoupServerMessage * message);
