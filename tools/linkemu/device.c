/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netns.h"

/* Of every veth end: without ARP a packet goes to the MAC of its own sender. */
#define MAC "02:00:00:00:00:01"
/* As long as the scheduler forgets us, and no longer: this queue is not the link's. */
#define TX_QUEUE_PKTS 5000
#define BUFFER_BYTES (8 << 20)

static gboolean
fail_errno (GError **error, const gchar *what)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved),
      "%s: %s", what, g_strerror (saved));
  return FALSE;
}

static int
open_tun (void)
{
  struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
  int fd = open ("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

  g_strlcpy (request.ifr_name, DEVICE_NAME, sizeof request.ifr_name);
  if (fd >= 0 && ioctl (fd, TUNSETIFF, &request) == 0)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static int
open_packet_socket (struct sockaddr_ll *peer, const gchar *name)
{
  const int size = BUFFER_BYTES, on = 1;
  int fd = socket (AF_PACKET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  *peer = (struct sockaddr_ll) {
    .sll_family = AF_PACKET, .sll_protocol = htons (ETH_P_ALL),
    .sll_ifindex = (int) if_nametoindex (name),
    .sll_halen = ETH_ALEN, .sll_addr = { 2, 0, 0, 0, 0, 1 },
  };
  if (fd < 0)
    return -1;
  if (setsockopt (fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size))
    setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt (fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
  if (bind (fd, (struct sockaddr *) peer, sizeof *peer) == 0)
    return fd;
  close (fd);
  return -1;
}

/* In the home namespace. */
static gboolean
open_veth (Device *self, guint end, GError **error)
{
  gchar *path = netns_path (self->ns_fd), *name = g_strdup_printf ("end%u", end);
  gchar *commands = g_strdup_printf ("link add %s type veth peer name " DEVICE_NAME " netns %s\n"
      "link set %s addrgenmode none\nlink set %s up\n", name, path, name, name);
  gboolean ok = netns_run_ip (commands, error);

  self->is_veth = TRUE;
  if (ok && (self->fd = open_packet_socket (&self->peer, name)) < 0)
    ok = fail_errno (error, "packet socket");
  g_free (commands);
  g_free (name);
  g_free (path);
  return ok;
}

static void
append_addresses (GString *commands, guint end, guint n_paths, gboolean has_ipv6)
{
  for (guint k = 1; k <= n_paths; k++) {
    g_string_append_printf (commands, "address add 10.77.%u.%u/32 dev " DEVICE_NAME "\n", end, k);
    g_string_append_printf (commands,
        "route add 10.77.%u.%u/32 dev " DEVICE_NAME " src 10.77.%u.%u\n", 3 - end, k, end, k);
    if (!has_ipv6)
      continue;
    g_string_append_printf (commands,
        "address add fd77:%u::%x/128 dev " DEVICE_NAME " nodad\n", end, k);
    g_string_append_printf (commands,
        "route add fd77:%u::%x/128 dev " DEVICE_NAME " src fd77:%u::%x\n", 3 - end, k, end, k);
  }
}

static gboolean
configure (const Device *self, guint end, guint n_paths, GError **error)
{
  GString *commands = g_string_new ("link set lo up\nlink set " DEVICE_NAME " addrgenmode none\n");
  gboolean ok;

  if (self->is_veth)
    g_string_append (commands, "link set " DEVICE_NAME " address " MAC " arp off\n");
  g_string_append_printf (commands,
      "link set " DEVICE_NAME " mtu %d txqueuelen %d up\n", DEVICE_MTU_BYTES, TX_QUEUE_PKTS);
  append_addresses (commands, end, n_paths, g_file_test ("/proc/net/if_inet6", G_FILE_TEST_EXISTS));
  ok = netns_run_ip (commands->str, error);
  g_string_free (commands, TRUE);
  return ok;
}

/* A packet socket sees what a network card would be given: segments to cut and checksums to fill
 * in. */
static gboolean
switch_offloads_off (GError **error)
{
  static const guint32 commands[] = { ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  gboolean ok = fd >= 0;

  for (guint i = 0; ok && i < G_N_ELEMENTS (commands); i++) {
    struct ethtool_value value = { commands[i], 0 };
    struct ifreq request = { .ifr_data = (void *) &value };

    g_strlcpy (request.ifr_name, DEVICE_NAME, sizeof request.ifr_name);
    ok = ioctl (fd, SIOCETHTOOL, &request) == 0;
  }
  if (!ok)
    fail_errno (error, "ethtool");
  if (fd >= 0)
    close (fd);
  return ok;
}

static gboolean
open_either (Device *self, guint end, int home_fd, GError **error)
{
  self->fd = open_tun ();
  if (self->fd >= 0)
    return TRUE;
  return netns_enter (home_fd, error) && open_veth (self, end, error)
      && netns_enter (self->ns_fd, error) && switch_offloads_off (error);
}

gboolean
device_open (Device *self, guint end, guint n_paths, int home_fd, GError **error)
{
  *self = (Device) { .fd = -1, .ns_fd = netns_new (error) };
  return self->ns_fd >= 0 && open_either (self, end, home_fd, error)
      && configure (self, end, n_paths, error) && netns_enter (home_fd, error);
}

void
device_close (Device *self)
{
  if (self->fd >= 0)
    close (self->fd);
  if (self->ns_fd >= 0)
    close (self->ns_fd);
}

guint
device_read (Device *self, guint8 *bytes, guint max)
{
  ssize_t n = read (self->fd, bytes, max);

  return n > 0 ? (guint) n : 0;
}

gboolean
device_write (Device *self, const guint8 *bytes, guint len)
{
  if (!self->is_veth)
    return write (self->fd, bytes, len) == (ssize_t) len;
  self->peer.sll_protocol = htons (bytes[0] >> 4 == 6 ? ETH_P_IPV6 : ETH_P_IP);
  return sendto (self->fd, bytes, len, 0, (struct sockaddr *) &self->peer, sizeof self->peer)
      == (ssize_t) len;
}

/* The 12th number behind the name: what was to be transmitted and dropped. */
static guint64
tun_overflow_pkts (void)
{
  gchar *text = NULL, *at;
  guint64 value = 0;

  if (g_file_get_contents ("/proc/thread-self/net/dev", &text, NULL, NULL)
      && (at = strstr (text, DEVICE_NAME ":"))) {
    at += strlen (DEVICE_NAME ":");
    for (guint i = 0; i < 12; i++)
      value = g_ascii_strtoull (at, &at, 10);
  }
  g_free (text);
  return value;
}

guint64
device_overflow_pkts (Device *self)
{
  struct tpacket_stats stats = { 0 };
  socklen_t len = sizeof stats;

  if (!self->is_veth)
    return netns_enter (self->ns_fd, NULL) ? tun_overflow_pkts () : 0;
  getsockopt (self->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len);
  return stats.tp_drops;
}
