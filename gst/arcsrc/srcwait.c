/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The warnings for a user when no packets arrive, or none that are authentic. A wrong port, a
 * wrong address, a firewall and a wrong key look the same at the receiver; without a word they look
 * like a picture that stays black. */
#include "gstarcsrcprivate.h"

#include "net/udpsocket.h"

/* Timeouts before the warning: 10 s by default, time for a sender that is started second. */
#define PATIENCE_TIMEOUTS 5
/* Of who calls, for the first answer: it outlasts the first four calls over an RTT of 600 ms. */
#define CALL_PATIENCE (2 * GST_SECOND)
/* Fewer are stragglers or port scans. */
#define REJECTED_PKTS 10

static guint64
rejected_pkts (GstArcSrc * self)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  guint64 rejected = 0;

  peer_add_stats (&self->peer, stats);
  gst_structure_get_uint64 (stats, "rejected", &rejected);
  gst_structure_free (stats);
  return rejected;
}

/* The end of a sentence that begins with the listener's address. */
static const gchar *
why_no_answer (GstArcSrc * self)
{
  GSocketAddress *listener;
  gboolean answered, refused;

  GST_OBJECT_LOCK (self);
  listener = self->listener ? g_object_ref (self->listener) : NULL;
  answered = self->caller.cookie != 0;
  GST_OBJECT_UNLOCK (self);
  if (!listener)
    return "has no known address: check the spelling of host, or give an IP address";
  refused = !answered && udp_socket_is_refused (listener);
  g_object_unref (listener);
  if (answered)
    return "answers, but no media comes from it: see that its stream runs, and that its packets "
        "are not too large for the path (mtu of its payloader)";
  if (refused)
    return "refuses the connection: no sender listens on that UDP port, or a firewall rejects it. "
        "Start the sender there (rmcsink mode=listener or arcserversink), or correct host or port";
  return "does not answer, and is called again and again: start the sender there (rmcsink "
      "mode=listener or arcserversink), correct host or port, and let that UDP port through every "
      "firewall between";
}

static void
warn_of_no_answer (GstArcSrc * self)
{
  gchar *uri = gst_uri_handler_get_uri (GST_URI_HANDLER (self));

  GST_ELEMENT_WARNING (self, RESOURCE, READ, ("%s %s", uri, why_no_answer (self)),
      (NULL));
  g_free (uri);
}

static gboolean
is_answered (GstArcSrc * self)
{
  gboolean answered;

  GST_OBJECT_LOCK (self);
  answered = self->caller.cookie != 0;
  GST_OBJECT_UNLOCK (self);
  return answered;
}

/* It is told once that there is no answer, and once that nothing follows the answer. */
static gboolean
check_call (GstArcSrc * self, const PeerWait * wait)
{
  GstClockTime patience = PATIENCE_TIMEOUTS * wait->timeout;
  gboolean answered = is_answered (self);

  if (!answered || self->put_off)
    self->answer_silence = wait->silence;
  if (!answered)
    patience = MIN (patience, CALL_PATIENCE);
  if ((!answered && self->call_told)
      || wait->silence - (answered ? self->answer_silence : 0) < patience)
    return FALSE;
  self->call_told = TRUE;
  self->wait_told = answered;
  return TRUE;
}

void
gst_arc_src_check_wait (GstArcSrc * self)
{
  PeerWait wait = peer_wait (&self->peer);
  gboolean calls = gst_arc_src_calls (self);
  guint16 port;

  if (self->wait_told || wait.timeout == 0)
    return;
  self->wait_told = !wait.for_first;
  if (self->wait_told)
    return;
  if (calls && rejected_pkts (self) == 0) {
    if (check_call (self, &wait))
      warn_of_no_answer (self);
    return;
  }
  if (wait.silence < PATIENCE_TIMEOUTS * wait.timeout)
    return;
  self->wait_told = self->rejected_told = TRUE;
  port = peer_port (&self->peer);
  if (rejected_pkts (self) > 0)
    GST_ELEMENT_WARNING (self, RESOURCE, READ, ("packets come to UDP port %u, but none is "
            "authentic: set the same srtp-key, srtp-cipher and srtp-auth at the sender", port),
        (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, READ, ("no packet has come to UDP port %u yet: start the "
            "sender, set its host to this machine and its port to %u, and let UDP port %u through "
            "every firewall between; or, if the sender listens, set mode=caller here", port, port,
            port), (NULL));
}

/* After an outage the sender's next RTCP may bring media back, so it is patient from the first that
 * is rejected on. */
void
gst_arc_src_on_rejected (GstArcSrc * self)
{
  PeerWait wait = peer_wait (&self->peer);
  GstClockTime silence = wait.silence;

  gst_arc_src_check_wait (self);
  if (silence < self->rejected_silence) {       /* media came in between */
    self->rejected_told = FALSE;
    self->rejected_pkts = 0;
  }
  self->rejected_silence = silence;
  if (self->rejected_pkts++ == 0)
    self->rejected_from = silence;
  if (self->rejected_told || wait.timeout == 0 || self->rejected_pkts < REJECTED_PKTS
      || silence - self->rejected_from < PATIENCE_TIMEOUTS * wait.timeout)
    return;
  self->rejected_told = TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, READ, ("media has ended, and the packets that still come to "
          "UDP port %u are rejected: the sender may have another srtp-key now, or begin anew with "
          "its old SSRC. Set the same new srtp-key at both ends", peer_port (&self->peer)), (NULL));
}
