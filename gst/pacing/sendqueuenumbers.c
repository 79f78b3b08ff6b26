/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which number a packet came with and left with, for an element upstream that keeps packets by
 * their numbers, as rtprtxsend does, while the receiver asks by those that it saw. Until a packet
 * of the flow was dropped both are the same. */

#include "pacing/sendqueueprivate.h"

/* As many as a receiver asks for: at 1200 bytes a packet and 20 Mbit/s half a second. */
#define N_NUMBERS 1024

struct _SendNumbers
{
  guint n;                      /* so far */
  struct
  {
    guint16 in, out;
    guint32 timestamp;
  } packets[N_NUMBERS];         /* packet i at i % N_NUMBERS */
};

void
send_numbers_add (SendFlow * flow, const SendPacket * packet)
{
  SendNumbers *numbers = flow->numbers;
  guint at;

  if (!flow->has_gaps)
    return;
  if (!numbers)
    numbers = flow->numbers = g_new0 (SendNumbers, 1);
  at = numbers->n++ % N_NUMBERS;
  numbers->packets[at].in = packet->seq_in;
  numbers->packets[at].out = packet->seq;
  numbers->packets[at].timestamp = packet->frame->timestamp;
}

static const SendNumbers *
numbers_of (const SendQueue * self, guint32 ssrc)
{
  for (guint i = 0; i < self->flows->len; i++) {
    const SendFlow *flow = self->flows->pdata[i];

    if (flow->ssrc == ssrc)
      return flow->numbers;
  }
  return NULL;
}

/* What left before the first one that is remembered had nothing dropped before it. What is newer
 * has not left yet: with its number upstream may have another packet. */
gboolean
send_queue_number_in (const SendQueue * self, guint32 ssrc, guint16 out, guint16 * in)
{
  const SendNumbers *numbers = numbers_of (self, ssrc);
  guint n = numbers ? MIN (numbers->n, N_NUMBERS) : 0;

  *in = out;
  for (guint k = 0; k < n; k++) {
    if (numbers->packets[k].out != out)
      continue;
    *in = numbers->packets[k].in;
    return TRUE;
  }
  return n == 0 || (numbers->n <= N_NUMBERS && (gint16) (out - numbers->packets[0].out) < 0);
}

guint16
send_queue_number_out (const SendQueue * self, guint32 but_ssrc, guint32 timestamp, guint16 in)
{
  for (guint i = 0; i < self->flows->len; i++) {
    const SendFlow *flow = self->flows->pdata[i];
    guint n = flow->numbers ? MIN (flow->numbers->n, N_NUMBERS) : 0;

    for (guint k = 0; flow->ssrc != but_ssrc && k < n; k++)
      if (flow->numbers->packets[k].in == in && flow->numbers->packets[k].timestamp == timestamp)
        return flow->numbers->packets[k].out;
  }
  return in;
}
