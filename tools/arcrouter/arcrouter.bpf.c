/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcrouter's part in the kernel, at the egress of an interface (tc, direct action): counts each
 * packet and lowers the rate in our stamps. It never drops, delays or redirects a packet.
 *
 * The kernel lends some functions only to programs that are under the GPL. So this file and its
 * headers here are under either licence; section 3 of the LGPL permits that of rc/base/bytes.h.
 * arcrouter itself only loads the result.
 *
 * tc egress, not XDP, which sees what comes in, while stamps are of the interface by which a
 * packet leaves. clsact by libbpf 1.0, not tcx, which needs Linux 6.6. No NFQUEUE, which takes
 * each packet to user space and back. A header extension with our id counts only if its 8 bytes
 * are a possible rate and RTT, since a change to another's would break its SRTP. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#include <linux/pkt_cls.h>

typedef struct __sk_buff StampPacket;

static long stamp_packet_read (StampPacket *packet, __u32 at, void *to, __u32 bytes);
static void stamp_packet_replace (StampPacket *packet, __u32 udp_at, __u32 at, const __u8 from[4],
    const __u8 to[4]);

#include "routershared.h"
#include "stampwriter.h"

#define MOST_SEGMENTS 128       /* UDP_MAX_SEGMENTS */

struct
{
  __uint (type, BPF_MAP_TYPE_ARRAY);
  __uint (map_flags, BPF_F_MMAPABLE);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, RouterControl);
} control SEC (".maps");

struct
{
  __uint (type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint (max_entries, 1);
  __type (key, __u32);
  __type (value, RouterCounters);
} counters SEC (".maps");

static inline long
stamp_packet_read (StampPacket *packet, __u32 at, void *to, __u32 bytes)
{
  return bpf_skb_load_bytes (packet, at, to, bytes);
}

/* Until a checksum is made, its field has only the sum of the addresses, and stays as it is. The
 * hardware makes it later: bpf_l4_csum_replace knows. Or each segment gets its own: of such a
 * packet the kernel does not know that (Linux 6.11, cards without checksums). Without a checksum
 * (IPv4) nothing makes up for the change in the sum that a card made of the whole packet. */
static inline void
stamp_packet_replace (StampPacket *packet, __u32 udp_at, __u32 at, const __u8 from[4],
    const __u8 to[4])
{
  __u32 checksum_at = udp_at + 6, before, after;
  __u16 checksum = 0;

  stamp_align ((__u8 *) &before, from, at - udp_at);
  stamp_align ((__u8 *) &after, to, at - udp_at);
  if (bpf_skb_load_bytes (packet, checksum_at, &checksum, sizeof checksum))
    return;
  if (checksum && !packet->gso_size)
    bpf_l4_csum_replace (packet, checksum_at, before, after, BPF_F_MARK_MANGLED_0 | sizeof after);
  bpf_skb_store_bytes (packet, at, to, 4, checksum ? 0 : BPF_F_RECOMPUTE_CSUM);
}

static inline void
count_claim (RouterCounters *self, const RouterControl *with, __u32 rtt_us, __u32 size_bytes)
{
  if (rtt_us == 0)
    return;
  if (rtt_us > with->max_rtt_us) {
    rtt_us = with->max_rtt_us;
    self->clamped_claims++;
  }
  self->claimed_bytes += size_bytes;
  self->claimed_us_bytes += (__u64) rtt_us * size_bytes;
  if (self->interval != with->interval || rtt_us > self->longest_rtt_us)
    self->longest_rtt_us = rtt_us;
  self->interval = with->interval;
}

typedef struct
{
  StampPacket *packet;
  RouterCounters *counters;
  const RouterControl *control;
  StampDatagram datagram;
  __u32 segment_bytes, rate_kbps;
} Walk;

/* A packet that is to be cut into several later (GSO) has a stamp in each segment. Returns 1 after
 * the last one. */
static long
take_segment (__u32 index, Walk *walk)
{
  __u32 at = walk->datagram.udp_at + STAMP_UDP_HEADER + index * walk->segment_bytes;
  __u32 end_at = walk->datagram.end_at;
  StampResult result;

  if (at >= end_at)
    return 1;
  if (end_at - at > walk->segment_bytes)
    end_at = at + walk->segment_bytes;
  result = stamp_rtp (walk->packet, walk->datagram.udp_at, at, end_at, walk->control->stamp_id,
      walk->rate_kbps);
  if (result.present) {
    __u32 size_bytes = walk->datagram.udp_at + STAMP_UDP_HEADER + end_at - at;

    walk->counters->own_packets++;
    walk->counters->own_bytes += size_bytes;
    walk->counters->stamped_packets += result.lowered;
    count_claim (walk->counters, walk->control, result.rtt_us, size_bytes);
  }
  return 0;
}

SEC ("tc")
int
arcrouter (struct __sk_buff *packet)
{
  __u32 first = 0, gso_bytes = packet->gso_size;
  RouterControl *with = bpf_map_lookup_elem (&control, &first);
  Walk walk = {.packet = packet,.control = with };
  __s64 age_ns;

  walk.counters = bpf_map_lookup_elem (&counters, &first);
  if (!with || !walk.counters)
    return TC_ACT_UNSPEC;
  walk.counters->packets += packet->gso_segs > 1 ? packet->gso_segs : 1;
  walk.counters->bytes += packet->wire_len;
  if (!stamp_find_datagram (packet, packet->len, with->ethernet, &walk.datagram))
    return TC_ACT_UNSPEC;
  age_ns = (__s64) (bpf_ktime_get_ns () - with->alive_at_ns);
  walk.rate_kbps = age_ns > ROUTER_STALE_NS ? STAMP_NO_RATE : with->rate_kbps;
  walk.segment_bytes = gso_bytes ? gso_bytes : packet->len;
  bpf_loop (gso_bytes ? MOST_SEGMENTS : 1, take_segment, &walk, 0);
  return TC_ACT_UNSPEC;
}

char licence[] SEC ("license") = "GPL";
