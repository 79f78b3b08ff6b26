/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcsrc on machines with several addresses, and with link-local ones. */
#define _GNU_SOURCE
#include "arcsrcfixture.h"
#include "ownnetwork.h"

static void
check_answer_from (const gchar * listens, const gchar * sends_from, const gchar * sends_to)
{
  AT_END (receiver_close) Receiver r;
  g_autoptr (GSocket) sender = sender_new (sends_from);
  g_autoptr (GSocketAddress) from = NULL, to = NULL;
  guint8 bytes[2048];

  receiver_open (&r, listens, 0);
  to = g_inet_socket_address_new_from_string (sends_to, receiver_port (&r));
  sender_send (sender, sends_to, receiver_port (&r), media_new (SSRC, 1));
  check_media_comes (&r, 1);
  fail_unless (g_socket_receive_from (sender, &from, (gchar *) bytes, sizeof (bytes), NULL,
          NULL) > 0);
  ck_assert (g_inet_address_equal (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from)),
          g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (to))));
}

CLAIM (test_reports_leave_from_the_address_that_was_addressed)
{
  check_answer_from ("0.0.0.0", "127.0.0.1", "127.0.0.12");
  check_answer_from ("::", "127.0.0.1", "127.0.0.12");
}

CLAIM (test_the_same_over_ipv6)
{
  if (own_network_enter ("addr add fd00::2/64 dev lo nodad\\naddr add fd00::12/64 dev lo nodad\\n"))
    check_answer_from ("::", "fd00::2", "fd00::12");
}

/* As another udpsrc in the process does that came first. */
CLAIM (test_a_udpsrc_before_does_not_hide_the_address)
{
  gst_object_unref (gst_element_factory_make ("udpsrc", NULL));
  check_answer_from ("0.0.0.0", "127.0.0.1", "127.0.0.12");
}

CLAIM (test_link_local_address_with_its_interface_is_one_to_listen_on)
{
  if (own_network_enter ("addr add fe80::1/64 dev lo nodad\\n"))
    check_answer_from ("fe80::1%lo", "fe80::1%lo", "fe80::1%lo");
}

CLAIM (test_all_addresses_include_link_local_ones)
{
  if (own_network_enter ("addr add fe80::1/64 dev lo nodad\\naddr add fe80::2/64 dev lo nodad\\n"))
    check_answer_from ("::", "fe80::2%lo", "fe80::1%lo");
}
