/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two network namespaces with a veth between them, for tests whose addresses change. A thread is
 * in one of them; sockets and the threads that it starts stay where they were made. All of it
 * goes with the process. */
#pragma once

#include <fcntl.h>
#include <gio/gio.h>
#include <sched.h>
#include <unistd.h>

#include "claim.h"

#define VETH_RECEIVER "10.79.0.9"
#define VETH_SENDER "10.79.0.1" /* at first */
#define VETH_SENDER_2 "10.79.0.2"
#define VETH_SENDER_IPV6 "fe80::1"
#define VETH_RECEIVER_IPV6 "fe80::9"
#define VETH_SKIPPED 77         /* to meson */

typedef struct
{
  int sender, receiver;         /* namespaces */
} VethPair;

static inline void
write_file (const gchar * path, const gchar * text)
{
  int fd = open (path, O_WRONLY);

  if (fd < 0 || write (fd, text, strlen (text)) < 0)
    g_printerr ("%s: %s\n", path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
}

static inline void
veth_in (int namespace)
{
  fail_unless (setns (namespace, CLONE_NEWNET) == 0, "setns: %s", g_strerror (errno));
}

static inline void
veth_ip (const gchar * format, ...)
{
  g_autofree gchar *arguments = NULL, *line = NULL;
  gint status;
  va_list args;

  va_start (args, format);
  arguments = g_strdup_vprintf (format, args);
  va_end (args);
  line = g_strconcat ("ip ", arguments, NULL);
  fail_unless (g_spawn_command_line_sync (line, NULL, NULL, &status, NULL) && status == 0,
      "%s", line);
}

static inline int
veth_new_namespace (void)
{
  fail_unless (unshare (CLONE_NEWNET) == 0);
  veth_ip ("link set lo up");
  return open ("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

static inline void
veth_wake (GstElement * element, gpointer awake)
{
  g_atomic_int_set ((gint *) awake, 1);
}

/* A thread of the pool stays in the namespace of the one that made the pool's first. */
static inline void
veth_pool_here (void)
{
  g_autoptr (GstElement) element = gst_pipeline_new (NULL);
  gint awake = 0;

  gst_element_call_async (element, veth_wake, &awake, NULL);
  while (!g_atomic_int_get (&awake))
    g_usleep (1000);
}

/* Leaves the thread in the sender's. */
static inline void
veth_pair_init (VethPair * self)
{
  self->receiver = veth_new_namespace ();
  self->sender = veth_new_namespace ();
  veth_ip ("link add veth0 type veth peer name veth1 netns /proc/%d/fd/%d", getpid (),
      self->receiver);
  veth_ip ("address add " VETH_SENDER "/24 dev veth0");
  veth_ip ("address add " VETH_SENDER_IPV6 "/64 dev veth0 nodad");
  veth_ip ("link set veth0 up");
  veth_in (self->receiver);
  veth_ip ("address add " VETH_RECEIVER "/24 dev veth1");
  veth_ip ("address add " VETH_RECEIVER_IPV6 "/64 dev veth1 nodad");
  veth_ip ("link set veth1 up");
  veth_in (self->sender);
  veth_pool_here ();
}

static inline void
veth_pair_clear (VethPair * self)
{
  close (self->sender);
  close (self->receiver);
}

/* As after DHCP, or when Wi-Fi gives way to LTE: the address is gone, and another comes. */
static inline void
veth_swap_sender_address (gulong between_us)
{
  veth_ip ("address del " VETH_SENDER "/24 dev veth0");
  g_usleep (between_us);
  veth_ip ("address add " VETH_SENDER_2 "/24 dev veth0");
}

/* A socket in the receiver's namespace, which the thread is in meanwhile; any free port if 0. */
static inline GSocket *
veth_receiver_socket (VethPair * self, const gchar * address, guint * port)
{
  g_autoptr (GSocketAddress) local = g_inet_socket_address_new_from_string (address, *port),
      bound = NULL;
  GSocket *socket;

  veth_in (self->receiver);
  fail_unless (local != NULL, "%s", address);
  socket = g_socket_new (g_socket_address_get_family (local), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  fail_unless (socket && g_socket_bind (socket, local, FALSE, NULL));
  bound = g_socket_get_local_address (socket, NULL);
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  veth_in (self->sender);
  return socket;
}

/* Who sent the next packet, as a text (g_free), and its port; NULL: none came within 5 s (to
 * find a neighbour may take a second attempt). */
static inline gchar *
veth_next_sender (GSocket * socket, guint * port)
{
  g_autoptr (GSocketAddress) from = NULL;
  gchar data[2048], *text;

  if (!g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_TIME_SPAN_SECOND, NULL, NULL))
    return NULL;
  fail_unless (g_socket_receive_from (socket, &from, data, sizeof data, NULL, NULL) >= 0);
  text =
      g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from)));
  *port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from));
  return text;
}

/* Before everything else in main(), while there is one thread: may this process make namespaces?
 * Says why not. */
static inline gboolean
veth_permitted (void)
{
  gchar *map = g_strdup_printf ("0 %u 1", getuid ()), *found = g_find_program_in_path ("ip");
  gboolean ok = found != NULL && unshare (CLONE_NEWNET) == 0;

  g_unsetenv ("LD_PRELOAD");    /* what a sanitizer wants in here, `ip` cannot bear */
  if (found && !ok && unshare (CLONE_NEWUSER | CLONE_NEWNET) == 0) {
    write_file ("/proc/self/uid_map", map);
    write_file ("/proc/self/setgroups", "deny");
    g_free (map);
    map = g_strdup_printf ("0 %u 1", getgid ());
    write_file ("/proc/self/gid_map", map);
    ok = TRUE;
  }
  ok = ok && system ("ip link add veth0 type veth peer name veth1 && ip link del veth0") == 0;
  if (!ok)
    g_print ("skipped: %s\n",
        found ? "this machine permits no network namespaces with a veth" : "no program ip");
  g_free (found);
  g_free (map);
  return ok;
}

/* Skipped where namespaces are not permitted. */
int
main (int argc, char **argv)
{
  return veth_permitted () ? claim_main (argc, argv) : VETH_SKIPPED;
}
