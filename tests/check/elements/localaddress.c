/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All of 127.0.0.0/8 is this machine, so it has several addresses everywhere; for IPv6 the test
 * makes its own. */
#define _GNU_SOURCE
#include <errno.h>

#include "claim.h"
#include "net/localaddress.h"
#include "ownnetwork.h"
#include "boundsocket.h"

#define PATIENCE_S 30

typedef struct
{
  GSocket *ours, *theirs;
  GSocketAddress *to;           /* where theirs sends to */
} Ends;

static GSocket *
bound (const gchar * address)
{
  GSocket *socket = bound_socket (address, 0);

  g_socket_set_timeout (socket, PATIENCE_S);
  return socket;
}

static void
ends_open (Ends * e, const gchar * ours, const gchar * theirs, const gchar * to)
{
  e->ours = bound (ours);
  fail_unless (local_address_watch (e->ours));
  e->theirs = bound (theirs);
  e->to = g_inet_socket_address_new_from_string (to, bound_port (e->ours));
  fail_unless_equals_int (g_socket_send_to (e->theirs, e->to, "media", 5, NULL, NULL), 5);
}

static void
ends_close (Ends * e)
{
  g_object_unref (e->ours);
  g_object_unref (e->theirs);
  g_object_unref (e->to);
}

static LocalAddress
read_message (Ends * e)
{
  gchar data[16];
  union
  {
    struct cmsghdr align;
    guint8 bytes[LOCAL_ADDRESS_CONTROL_BYTES];
  } control;
  struct iovec vector = { data, sizeof (data) };
  struct msghdr message = {.msg_iov = &vector,.msg_iovlen = 1,.msg_control = &control,
      .msg_controllen = sizeof (control) };

  fail_unless_equals_int (recvmsg (g_socket_get_fd (e->ours), &message, 0), 5);
  return local_address_of_message (&message);
}

static void
answer (Ends * e, const LocalAddress * from)
{
  GSocketAddress *theirs = g_socket_get_local_address (e->theirs, NULL);
  gssize size = g_socket_address_get_native_size (theirs);
  struct sockaddr_storage native;

  if (g_socket_get_family (e->ours) != g_socket_address_get_family (theirs)) {
    /* of a socket of both families */
    g_object_unref (theirs);
    theirs = g_inet_socket_address_new_from_string ("::ffff:127.0.0.1", bound_port (e->theirs));
    size = g_socket_address_get_native_size (theirs);
  }
  fail_unless (g_socket_address_to_native (theirs, &native, sizeof (native), NULL));
  fail_unless_equals_int (local_address_send (from, g_socket_get_fd (e->ours),
          (struct sockaddr *) &native, (socklen_t) size, "report", 6), 6);
  g_object_unref (theirs);
}

static void
check_answer_comes_from (Ends * e, const gchar * address)
{
  g_autoptr (GSocketAddress) from = NULL;
  gchar data[16], *text;

  fail_unless_equals_int (g_socket_receive_from (e->theirs, &from, data, sizeof (data), NULL, NULL),
      6);
  text =
      g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (from)));
  fail_unless_equals_string (text, address);
  g_free (text);
}

static void
check_answers (const gchar * ours, const gchar * theirs, const gchar * to)
{
  LocalAddress address;
  AT_END (ends_close) Ends e;

  ends_open (&e, ours, theirs, to);
  address = read_message (&e);
  fail_unless (address.family != AF_UNSPEC);
  answer (&e, &address);
  check_answer_comes_from (&e, to);
}

CLAIM (test_answer_leaves_from_the_address_that_was_addressed)
{
  check_answers ("0.0.0.0", "127.0.0.1", "127.0.0.9");
  check_answers ("127.0.0.9", "127.0.0.1", "127.0.0.9");
  check_answers ("::", "127.0.0.1", "127.0.0.9");
}

CLAIM (test_the_same_over_ipv6)
{
  if (!own_network_enter ("addr add fd00::2/64 dev lo nodad\\naddr add fd00::12/64 dev lo "
          "nodad\\n"))
    return;
  check_answers ("::", "fd00::2", "fd00::12");
  check_answers ("::", "fd00::12", "fd00::2");
}

CLAIM (test_address_that_is_gone_does_not_hold_the_answer)
{
  LocalAddress gone = {.family = AF_INET };
  AT_END (ends_close) Ends e;

  ends_open (&e, "0.0.0.0", "127.0.0.1", "127.0.0.9");
  gone.v4.s_addr = htonl (0xc0000201); /* 192.0.2.1 */
  answer (&e, &gone);
  check_answer_comes_from (&e, "127.0.0.1");
}

CLAIM (test_group_is_no_address_to_answer_from)
{
  struct sockaddr_in group = {.sin_family = AF_INET };
  union
  {
    struct cmsghdr align;
    guint8 bytes[LOCAL_ADDRESS_CONTROL_BYTES];
  } control = { 0 };
  struct msghdr message = {.msg_control = &control,.msg_controllen = CMSG_SPACE (sizeof (group)) };

  control.align = (struct cmsghdr) {.cmsg_level = IPPROTO_IP,.cmsg_type = IP_ORIGDSTADDR,
    .cmsg_len = CMSG_LEN (sizeof (group))
  };
  group.sin_addr.s_addr = htonl (0xe0000001);
  memcpy (CMSG_DATA (&control.align), &group, sizeof (group));
  fail_unless (local_address_of_message (&message).family == AF_UNSPEC);
  group.sin_addr.s_addr = htonl (0x7f000001);
  memcpy (CMSG_DATA (&control.align), &group, sizeof (group));
  fail_unless (local_address_of_message (&message).family == AF_INET);
}
