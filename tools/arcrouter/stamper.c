/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "stamper.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <gio/gio.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "routerobject.h"
#include "tcqueue.h"

/* Our place among the filters of the interface: behind those that users number by hand, before
 * those that the kernel numbers (49152 and less). */
#define FILTER_PRIORITY 40000
#define FILTER_HANDLE 1

struct _Stamper
{
  struct bpf_object *object;
  RouterControl *control;       /* NULL: not mapped */
  RouterCounters *each;         /* one of each possible CPU */
  struct bpf_tc_hook hook;
  gboolean hooked, attached;    /* we made clsact; the filter is there */
  int counters_fd, cpus;
  int lock;                     /* -1: none */
};

static gboolean
refuse (GError **error, gint number, const gchar *what, const gchar *cure)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s%s", what,
      g_strerror (number), number == EPERM || number == EACCES
      ? ". Run it as root, or with CAP_NET_ADMIN and CAP_BPF" : cure);
  return FALSE;
}

/* --- the interface --- */

/* TRUE if packets there begin with an Ethernet header, as most do, or with that of IP. */
static gboolean
find_link (const gchar *interface, gboolean *ethernet, GError **error)
{
  struct ifreq request = { 0 };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), failed;

  g_strlcpy (request.ifr_name, interface, sizeof request.ifr_name);
  failed = ioctl (fd, SIOCGIFHWADDR, &request) ? errno : 0;
  close (fd);
  if (failed)
    return refuse (error, failed, interface, "");
  switch (request.ifr_hwaddr.sa_family) {
    case ARPHRD_ETHER:
    case ARPHRD_LOOPBACK:
      *ethernet = TRUE;
      return TRUE;
    case ARPHRD_NONE:
    case ARPHRD_PPP:
    case ARPHRD_RAWIP:
      *ethernet = FALSE;
      return TRUE;
    default:
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: links of type %d are not "
          "known; use an Ethernet, PPP, TUN or raw IP interface", interface,
          request.ifr_hwaddr.sa_family);
      return FALSE;
  }
}

/* The name lives as long as this process, and only in this network namespace, as the number of the
 * interface does. */
static gboolean
take_place (Stamper *self, const gchar *interface, GError **error)
{
  struct sockaddr_un name = {.sun_family = AF_UNIX };
  int used = g_snprintf (name.sun_path + 1, sizeof name.sun_path - 1, "arcrouter-%d",
      self->hook.ifindex);

  self->lock = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bind (self->lock, (struct sockaddr *) &name,
          (socklen_t) (offsetof (struct sockaddr_un, sun_path) + 1 + (gsize) used)) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, "%s: another arcrouter serves it", interface);
  return FALSE;
}

/* --- the program --- */

static gboolean
load (Stamper *self, GError **error)
{
  LIBBPF_OPTS (bpf_object_open_opts, options,.object_name = ROUTER_PROGRAM);
  int failed;

  self->object = bpf_object__open_mem (router_object, sizeof router_object, &options);
  if (!self->object)
    return refuse (error, errno, "the BPF program cannot be read", "");
  failed = bpf_object__load (self->object);
  return failed == 0 || refuse (error, -failed, "the kernel refuses the BPF program",
      ". It has to be Linux 5.17 or later with CONFIG_BPF_SYSCALL; --verbose shows the reason");
}

static gboolean
map_memory (Stamper *self, GError **error)
{
  int control_fd = bpf_object__find_map_fd_by_name (self->object, ROUTER_CONTROL_MAP);
  void *memory = mmap (NULL, sizeof (RouterControl), PROT_READ | PROT_WRITE, MAP_SHARED,
      control_fd, 0);

  if (memory == MAP_FAILED)
    return refuse (error, errno, "no memory is shared with the BPF program", "");
  self->control = memory;
  self->counters_fd = bpf_object__find_map_fd_by_name (self->object, ROUTER_COUNTERS_MAP);
  self->cpus = libbpf_num_possible_cpus ();
  if (self->cpus <= 0)
    return refuse (error, -self->cpus, "the number of CPUs is unknown", "");
  self->each = g_new0 (RouterCounters, self->cpus);
  return TRUE;
}

/* Of an arcrouter that was killed. */
static gboolean
is_ours (const Stamper *self)
{
  LIBBPF_OPTS (bpf_tc_opts, found,.handle = FILTER_HANDLE,.priority = FILTER_PRIORITY);
  struct bpf_prog_info info = { 0 };
  guint32 size = sizeof info;
  int fd;
  gboolean ours;

  if (bpf_tc_query (&self->hook, &found))
    return FALSE;
  fd = bpf_prog_get_fd_by_id (found.prog_id);
  ours = fd >= 0 && bpf_obj_get_info_by_fd (fd, &info, &size) == 0
      && g_str_equal (info.name, ROUTER_PROGRAM);
  if (fd >= 0)
    close (fd);
  return ours;
}

static gboolean
attach (Stamper *self, GError **error)
{
  struct bpf_program *program = bpf_object__find_program_by_name (self->object, ROUTER_PROGRAM);
  LIBBPF_OPTS (bpf_tc_opts, options,.handle = FILTER_HANDLE,.priority = FILTER_PRIORITY,
      .prog_fd = bpf_program__fd (program));
  int failed = bpf_tc_hook_create (&self->hook);

  self->hooked = failed == 0;
  if (failed && failed != -EEXIST)
    return refuse (error, -failed, "the kernel refuses a clsact qdisc",
        ". It needs CONFIG_NET_SCH_INGRESS (modprobe sch_ingress)");
  if (is_ours (self))
    options.flags = BPF_TC_F_REPLACE;
  failed = bpf_tc_attach (&self->hook, &options);
  self->attached = failed == 0;
  return self->attached || refuse (error, -failed, "the kernel refuses a BPF filter at the egress",
      ". It needs CONFIG_NET_CLS_BPF (modprobe cls_bpf), and no other filter with priority "
      G_STRINGIFY (FILTER_PRIORITY));
}

/* What somebody else attached to our clsact keeps it. */
static void
detach (Stamper *self)
{
  LIBBPF_OPTS (bpf_tc_opts, options,.handle = FILTER_HANDLE,.priority = FILTER_PRIORITY);
  TcQueue queue;

  if (self->attached)
    bpf_tc_detach (&self->hook, &options);
  if (!self->hooked || !tc_queue_open (&queue, self->hook.ifindex, NULL))
    return;
  self->hook.attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS;
  if (!tc_queue_has_filters (&queue))
    bpf_tc_hook_destroy (&self->hook);
  tc_queue_close (&queue);
}

/* --- life --- */

Stamper *
stamper_open (const gchar *interface, guint8 stamp_id, guint32 max_rtt_us, GError **error)
{
  Stamper *self = g_new0 (Stamper, 1);
  gboolean ethernet = TRUE;

  self->lock = -1;
  self->hook.sz = sizeof self->hook;
  self->hook.attach_point = BPF_TC_EGRESS;
  self->hook.ifindex = (int) if_nametoindex (interface);
  if (find_link (interface, &ethernet, error) && take_place (self, interface, error)
      && load (self, error) && map_memory (self, error)) {
    *self->control = (RouterControl) {.rate_kbps = G_MAXUINT32,.max_rtt_us = max_rtt_us,
      .stamp_id = stamp_id,.ethernet = (guint8) ethernet };
    if (attach (self, error))
      return self;
  }
  stamper_close (self);
  return NULL;
}

void
stamper_close (Stamper *self)
{
  detach (self);
  if (self->control)
    munmap (self->control, sizeof *self->control);
  bpf_object__close (self->object);
  if (self->lock >= 0)
    close (self->lock);
  g_free (self->each);
  g_free (self);
}

int
stamper_ifindex (const Stamper *self)
{
  return self->hook.ifindex;
}

void
stamper_set_rate (Stamper *self, guint64 bps, gint64 now_ns)
{
  __atomic_store_n (&self->control->rate_kbps, (guint32) CLAMP (bps / 1000, 1, G_MAXUINT32 - 1),
      __ATOMIC_RELAXED);
  __atomic_store_n (&self->control->alive_at_ns, (guint64) now_ns, __ATOMIC_RELEASE);
}

gboolean
stamper_read (Stamper *self, RouterCounters *sum, GError **error)
{
  guint32 first = 0, interval = self->control->interval;

  *sum = (RouterCounters) {.interval = interval };
  if (bpf_map_lookup_elem (self->counters_fd, &first, self->each))
    return refuse (error, errno, "the counters cannot be read", "");
  __atomic_store_n (&self->control->interval, interval + 1, __ATOMIC_RELAXED);
  for (int i = 0; i < self->cpus; i++) {
    const RouterCounters *one = &self->each[i];

    sum->packets += one->packets;
    sum->bytes += one->bytes;
    sum->own_packets += one->own_packets;
    sum->own_bytes += one->own_bytes;
    sum->stamped_packets += one->stamped_packets;
    sum->claimed_bytes += one->claimed_bytes;
    sum->claimed_us_bytes += one->claimed_us_bytes;
    sum->clamped_claims += one->clamped_claims;
    if (one->interval == interval && one->longest_rtt_us > sum->longest_rtt_us)
      sum->longest_rtt_us = one->longest_rtt_us;
  }
  return TRUE;
}
