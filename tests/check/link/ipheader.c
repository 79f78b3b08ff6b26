/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "claim.h"
#include "ipheader.h"

/* UDP from 10.77.1.2:5000 to 10.77.2.3:6000, ECT(0), correct header checksum. */
static const guint8 ipv4[] = {
  0x45, 0x02, 0x00, 0x20, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, 0x10, 0xf9, 10, 77, 1, 2, 10, 77, 2,
  3,
  0x13, 0x88, 0x17, 0x70, 0x00, 0x0c, 0x00, 0x00, 1, 2, 3, 4,
};

/* TCP from [fd77:1::1]:80 to [fd77:2::10]:81, not ECN-capable, traffic class 0xb8. */
static const guint8 ipv6[] = {
  0x6b, 0x80, 0x00, 0x00, 0x00, 0x04, 0x06, 0x40, 0xfd, 0x77, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  1,
  0xfd, 0x77, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x00, 0x50, 0x00, 0x51,
};

/* Of a correct header it is 0xffff. */
static guint
header_sum (const guint8 *bytes)
{
  guint sum = 0;

  for (guint i = 0; i < 20; i += 2)
    sum += bytes[i] << 8 | bytes[i + 1];
  return (sum & 0xffff) + (sum >> 16);
}

CLAIM (test_flows_are_named)
{
  guint8 bytes[sizeof ipv4];
  IpHeader header;

  fail_unless (ip_header_parse (&header, ipv4, sizeof ipv4));
  fail_unless_equals_string (ip_header_flow (&header), "udp 10.77.1.2:5000 10.77.2.3:6000");
  fail_unless (ip_header_parse (&header, ipv6, sizeof ipv6));
  fail_unless_equals_string (ip_header_flow (&header), "tcp [fd77:1::1]:80 [fd77:2::10]:81");
  memcpy (bytes, ipv4, sizeof bytes);
  bytes[7] = 100;               /* a later fragment: what follows are no ports */
  fail_unless (ip_header_parse (&header, bytes, sizeof bytes));
  fail_unless_equals_string (ip_header_flow (&header), "udp 10.77.1.2 10.77.2.3");
  bytes[9] = 1;
  fail_unless (ip_header_parse (&header, bytes, sizeof bytes));
  fail_unless_equals_string (ip_header_flow (&header), "icmp 10.77.1.2 10.77.2.3");
}

CLAIM (test_what_is_no_whole_packet_is_refused)
{
  guint8 bytes[sizeof ipv6];
  IpHeader header;

  for (guint len = 0; len < sizeof ipv4; len++)
    fail_if (ip_header_parse (&header, ipv4, len), "took %u bytes", len);
  for (guint len = 0; len < sizeof ipv6; len++)
    fail_if (ip_header_parse (&header, ipv6, len), "took %u bytes", len);
  for (guint byte = 0; byte < 256; byte++) {
    memcpy (bytes, ipv4, sizeof ipv4);
    bytes[0] = (guint8) byte;
    fail_unless_equals_int (ip_header_parse (&header, bytes, sizeof ipv4),
        byte >= 0x45 && byte <= 0x48);
  }
}

CLAIM (test_marks_keep_the_checksum_and_the_rest)
{
  guint8 bytes[sizeof ipv6];

  memcpy (bytes, ipv4, sizeof ipv4);
  fail_unless (ip_ecn (bytes) == LINK_ECN_ECT0 && header_sum (bytes) == 0xffff);
  ip_set_ce (bytes);
  fail_unless_equals_int (bytes[1], 0x03);
  fail_unless (ip_ecn (bytes) == LINK_ECN_CE);
  fail_unless_equals_int (header_sum (bytes), 0xffff);
  bytes[1] = ipv4[1];
  bytes[10] = ipv4[10];
  bytes[11] = ipv4[11];
  fail_unless (memcmp (bytes, ipv4, sizeof ipv4) == 0);

  memcpy (bytes, ipv6, sizeof ipv6);
  fail_unless (ip_ecn (bytes) == LINK_ECN_NOT_ECT);
  bytes[1] |= 0x10;
  fail_unless (ip_ecn (bytes) == LINK_ECN_ECT1);
  ip_set_ce (bytes);
  fail_unless (bytes[0] == 0x6b && bytes[1] == 0xb0);
  fail_unless (memcmp (bytes + 2, ipv6 + 2, sizeof ipv6 - 2) == 0);
}
