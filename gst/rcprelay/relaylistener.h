/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The port of the senders: a socket that reports for each datagram its sender and to which of our
 * addresses, so that answers leave from that one. Datagrams of one sender that the kernel has
 * joined (UDP generic receive offload) come as one train. */
#pragma once

#include "net/localaddress.h"

#include <gio/gio.h>
#include <sys/socket.h>

G_BEGIN_DECLS

#define RELAY_MAX_DATAGRAM 2048
#define RELAY_INBOX_BATCH 32    /* trains in one system call */

typedef struct
{
  GSocket *socket;
  guint32 overflow_pkts;        /* that the kernel dropped, its buffer being full */
} RelayListener;

/* A sender's address. */
typedef struct
{
  socklen_t size;
  struct sockaddr_storage address;      /* zero beyond size */
} RelayPeer;

/* Datagrams of one sender, one behind the other. */
typedef struct
{
  guint8 *data;
  gsize size;
  gsize datagram_bytes;         /* of each but the last, which may be shorter */
  RelayPeer from;
  LocalAddress to;
} RelayTrain;

typedef struct _RelayInbox RelayInbox;

/* joined: the kernel joins datagrams, if it can. Errors are sentences for the user. */
gboolean relay_listener_open (RelayListener * self, const gchar * address, guint16 port,
    gboolean joined, GError ** error);
/* For one that is zeroed, too. */
void relay_listener_close (RelayListener * self);
/* FALSE: the system refuses. */
gboolean relay_listener_answer (const RelayListener * self, const RelayPeer * to,
    const LocalAddress * from, gconstpointer data, gsize size);

RelayInbox *relay_inbox_new (void);
void relay_inbox_free (RelayInbox * self);
/* How many came, at most RELAY_INBOX_BATCH. */
guint relay_inbox_read (RelayInbox * self, RelayListener * listener);
/* Valid until the next read. */
void relay_inbox_get (RelayInbox * self, guint i, RelayTrain * train);

G_END_DECLS
