/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The emulator as a process on loopback, with a sender and a receiver around it. */
#pragma once

#include "claim.h"

#define MAX_GOT 8192
#define DATAGRAM_BYTES 972
#define LINK_BITS 8000.0        /* of it on the link, with the overhead */

typedef struct
{
  guint32 number;
  gint64 sent_at_us;
} Stamp;

typedef struct
{
  Stamp stamp;
  gint64 got_at_us;
} Got;

typedef struct
{
  GPid pid;
  int stderr_fd, receiver_fd, sender_fd;
  Got got[MAX_GOT];
  guint n_got, n_sent;
} Run;

/* A socket at any port of the loopback; -1 if the machine lacks the family. */
int emulator_open_socket (int family, guint *port);
int emulator_connect (int family, guint port);
GPid emulator_spawn (const gchar *options, int *stderr_fd);
/* As emulator_spawn(); returns the port that it listens on. */
guint emulator_listen (const gchar *options, GPid *pid, int *stderr_fd);
/* Towards a port of the loopback: FIRST_BPS from the first traffic on, SECOND_BPS after fall_s. */
guint emulator_fall (gint to, guint first_bps, guint fall_s, guint second_bps,
    const gchar *options, GPid *pid, int *stderr_fd);
/* Up to a newline or the end (g_free). */
gchar *emulator_read_line (int fd);
/* The number after `name` in a summary line. */
guint emulator_fact (const gchar *summary, const gchar *name);

/* Starts the emulator and the receiver; returns the port to send to. */
guint run_start (Run *self, int family, const gchar *options);
/* With a sender. */
Run *run_new (int family, const gchar *options);
/* Stops it (it may have ended by itself) and returns its summary line (g_free). */
gchar *run_free (Run *self);
void run_send (Run *self);
void run_receive (Run *self, int timeout_ms);
/* Sends for `ms` at pps datagrams a second, receives meanwhile and for tail_ms after. A pause of
 * ours is made up for: the number sent is always the same. */
void run_traffic (Run *self, guint pps, guint ms, guint tail_ms);
gdouble run_median_delay_ms (const Run *self);
/* Over windows of 100 datagrams: a machine that pauses spoils only two of them. */
gdouble run_median_rate_bps (const Run *self);
