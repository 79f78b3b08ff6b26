/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Finds and lowers the stamp of ratestamp.h or stamptrailer.h (gst/rtp) in a packet of untrusted
 * bytes, at the link layer. The same code runs in the kernel (arcrouter.bpf.c) and in tests, so
 * whoever includes it first says what a packet is:
 *
 *   StampPacket, a type
 *   stamp_packet_read (packet, at, to, bytes): copies bytes; not 0 if they are not all there
 *   stamp_packet_replace (packet, udp_at, at, from, to): writes the 4 bytes `to` over the 4 bytes
 *     `from`, and corrects the UDP checksum where there is one
 *
 * Not touched: fragments, IPv6 with extension headers, tunnels, what is not RTP over UDP. */
#pragma once

#include <rc/base/bytes.h>
#include <stdbool.h>
#include <stdint.h>

#define STAMP_NO_RATE 0xffffffffu       /* in a stamp: no relay has written yet */
/* What is more is no stamp, but another extension that has our id by chance: 1 Tbit/s, and a
 * minute. */
#define STAMP_MOST_KBPS 1000000000u
#define STAMP_MOST_RTT_US 60000000u

#define STAMP_BYTES 8
#define STAMP_TRAILER 16        /* the stamp and its mark */
#define STAMP_UDP_HEADER 8
#define STAMP_RTP_HEADER 12
#define STAMP_EXTENSION_HEADER 4
#define STAMP_MOST_ELEMENTS 32  /* and bytes of padding: the kernel wants a bound */
#define STAMP_VLAN_TAGS 2
#define STAMP_UDP 17            /* IP protocol */

/* A UDP datagram: where its header begins, and where it ends. */
typedef struct
{
  uint32_t udp_at, end_at;
} StampDatagram;

typedef struct
{
  bool present, lowered;
  uint32_t rtt_us;              /* as the sender claims; 0: it claims none */
} StampResult;

/* --- link and network layer --- */

static inline bool
stamp_find_end (StampPacket *packet, uint32_t udp_at, uint32_t size, StampDatagram *found)
{
  uint8_t header[STAMP_UDP_HEADER];
  uint32_t bytes;

  if (stamp_packet_read (packet, udp_at, header, sizeof header))
    return false;
  bytes = rc_get16 (header + 4);
  if (bytes < STAMP_UDP_HEADER + STAMP_RTP_HEADER + STAMP_EXTENSION_HEADER || bytes > size - udp_at)
    return false;
  *found = (StampDatagram) { udp_at, udp_at + bytes };
  return true;
}

static inline bool
stamp_find_ip (StampPacket *packet, uint32_t ip_at, uint32_t size, StampDatagram *found)
{
  uint8_t header[20];           /* IPv4 without options; enough of IPv6 */
  uint32_t udp_at = ip_at + 40, protocol;

  if (stamp_packet_read (packet, ip_at, header, sizeof header))
    return false;
  protocol = header[6];
  if (header[0] >> 4 == 4) {
    udp_at = ip_at + 4 * (header[0] & 0x0f);
    protocol = header[9];
    if ((header[0] & 0x0f) < 5 || (rc_get16 (header + 6) & 0x3fff)) /* a fragment */
      return false;
  } else if (header[0] >> 4 != 6) {
    return false;
  }
  return protocol == STAMP_UDP && stamp_find_end (packet, udp_at, size, found);
}

/* size: of the whole packet. ethernet: it begins with an Ethernet header; else with that of IP. */
static inline bool
stamp_find_datagram (StampPacket *packet, uint32_t size, bool ethernet, StampDatagram *found)
{
  uint32_t at = 12;
  uint8_t type[2];

  if (!ethernet)
    return stamp_find_ip (packet, 0, size, found);
  for (int i = 0; i <= STAMP_VLAN_TAGS; i++) {
    uint16_t number;

    if (stamp_packet_read (packet, at, type, sizeof type))
      return false;
    number = rc_get16 (type);
    if (number == 0x0800 || number == 0x86dd)
      return stamp_find_ip (packet, at + 2, size, found);
    if (number != 0x8100 && number != 0x88a8)
      return false;
    at += 4;
  }
  return false;
}

/* --- in RTP --- */

/* 0: none. */
static inline uint32_t
stamp_find_trailer (StampPacket *packet, uint32_t at, uint32_t end_at)
{
  /* gst/rtp/stamptrailer.c */
  static const uint8_t mark[] = { 0x70, 0x95, 0xad, 0x86, 0x56, 0x4a, 0x55, 0x90 };
  uint8_t found[sizeof mark];

  if (end_at - at < STAMP_RTP_HEADER + STAMP_TRAILER
      || stamp_packet_read (packet, end_at - sizeof mark, found, sizeof found))
    return 0;
  for (unsigned i = 0; i < sizeof mark; i++)
    if (found[i] != mark[i])
      return 0;
  return end_at - STAMP_TRAILER;
}

static inline uint32_t
stamp_find_element (StampPacket *packet, uint32_t at, uint32_t end_at, uint8_t id, bool two_bytes)
{
  for (int i = 0; i < STAMP_MOST_ELEMENTS && at < end_at; i++) {
    uint8_t head[2] = { 0 };
    uint32_t head_bytes = two_bytes ? 2 : 1, size;

    if (stamp_packet_read (packet, at, head, 1))
      return 0;
    if (head[0] == 0) {         /* padding */
      at++;
      continue;
    }
    if (end_at - at < head_bytes || (two_bytes && stamp_packet_read (packet, at + 1, head + 1, 1))
        || (!two_bytes && head[0] >> 4 == 15))  /* nothing after it is read */
      return 0;
    size = two_bytes ? head[1] : (head[0] & 0x0fu) + 1;
    if (end_at - at < head_bytes + size)
      return 0;
    if ((two_bytes ? head[0] : head[0] >> 4) == id && size == STAMP_BYTES)
      return at + head_bytes;
    at += head_bytes + size;
  }
  return 0;
}

static inline uint32_t
stamp_find_extension (StampPacket *packet, uint32_t at, uint32_t end_at, uint8_t first, uint8_t id)
{
  uint8_t head[STAMP_EXTENSION_HEADER];
  uint32_t elements_at = at + STAMP_RTP_HEADER + 4 * (first & 0x0f) + STAMP_EXTENSION_HEADER;
  uint32_t bytes;
  uint16_t profile;

  if (id == 0 || !(first & 0x10) || elements_at > end_at
      || stamp_packet_read (packet, elements_at - STAMP_EXTENSION_HEADER, head, sizeof head))
    return 0;
  profile = rc_get16 (head);
  bytes = 4 * (uint32_t) rc_get16 (head + 2);
  if (bytes > end_at - elements_at || (profile != 0xbede && (profile & 0xfff0) != 0x1000))
    return 0;
  return stamp_find_element (packet, elements_at, elements_at + bytes, id, profile != 0xbede);
}

/* The RTP packet within [at, end_at) of the UDP datagram at udp_at: lowers its stamp to rate_kbps
 * (STAMP_NO_RATE: leaves it), if it has one. id: of the header extension; 0: trailers only. */
static inline StampResult
stamp_rtp (StampPacket *packet, uint32_t udp_at, uint32_t at, uint32_t end_at, uint8_t id,
    uint32_t rate_kbps)
{
  StampResult result = { false, false, 0 };
  uint8_t head[2], stamp[STAMP_BYTES];
  uint32_t stamp_at, kbps;

  if (end_at < at + STAMP_RTP_HEADER || stamp_packet_read (packet, at, head, sizeof head)
      || head[0] >> 6 != 2 || (head[1] >= 192 && head[1] <= 223)) /* RTCP */
    return result;
  stamp_at = stamp_find_trailer (packet, at, end_at);
  if (stamp_at == 0)
    stamp_at = stamp_find_extension (packet, at, end_at, head[0], id);
  if (stamp_at == 0 || stamp_packet_read (packet, stamp_at, stamp, sizeof stamp))
    return result;
  kbps = rc_get32 (stamp);
  result.rtt_us = rc_get32 (stamp + 4);
  if ((kbps > STAMP_MOST_KBPS && kbps != STAMP_NO_RATE) || result.rtt_us > STAMP_MOST_RTT_US)
    return (StampResult) { false, false, 0 };
  result.present = true;
  if (rate_kbps < kbps) {
    uint8_t lower[4];

    rc_put32 (lower, rate_kbps);
    stamp_packet_replace (packet, udp_at, stamp_at, stamp, lower);
    result.lowered = true;
  }
  return result;
}

/* What 4 bytes at this distance from the UDP header add to its checksum, as if the distance were
 * even: the sum is of pairs of bytes. */
static inline void
stamp_align (uint8_t aligned[4], const uint8_t bytes[4], uint32_t distance)
{
  for (int i = 0; i < 4; i++)
    aligned[i] = bytes[distance % 2 ? (i + 3) % 4 : i];
}
