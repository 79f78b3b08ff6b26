/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relaystats.h"

#define COUNTER(...) FIELD_COUNTER (RelayStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (RelayStats, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (RelayStats, __VA_ARGS__)

const FieldRow relay_fields[] = {
  GAUGE (flows, "flows", "", "senders now"),
  BITRATE (rate_bps, "rate", "R, offered to each flow now"),
  BITRATE (arrival_bps, "arrival-bitrate", "y, over the last interval"),
  GAUGE (kappa, "kappa", "", "gain of the law now"),
  GAUGE (loop_delay, "loop-delay", "ns", "the longest round trip that senders claim"),
  GAUGE (queue_packets, "queue-packets", "", "packets that wait now"),
  GAUGE (queue_bytes, "queue-bytes", "bytes", "the same"),
  GAUGE (max_queue_packets, "max-queue-packets", "", "the longest queue since start"),
  GAUGE (max_queue_bytes, "max-queue-bytes", "bytes", "the same"),
  COUNTER (packets_in, "packets-in", "", "packets that came from senders"),
  COUNTER (bytes_in, "bytes-in", "bytes", "the same"),
  COUNTER (packets_out, "packets-out", "", "packets that were sent on"),
  COUNTER (bytes_out, "bytes-out", "bytes", "the same"),
  COUNTER (packets_stamped, "packets-stamped", "", "of these: with the rate written into them"),
  COUNTER (packets_dropped, "packets-dropped", "", "the queue was full"),
  COUNTER (packets_oversize, "packets-oversize", "", "above 2048 bytes, either way, dropped"),
  COUNTER (packets_overflow, "packets-overflow", "", "lost before: the kernel's buffer was full"),
  COUNTER (packets_implausible, "packets-implausible", "",
      "refused, from senders that are no flow: neither RTP nor of rmcsink"),
  COUNTER (packets_limited, "packets-limited", "", "refused: too many new senders at once"),
  COUNTER (packets_refused, "packets-refused", "",
      "refused: no place (max-flows), or no file for a socket"),
  COUNTER (send_errors, "send-errors", "", "packets that the system did not send"),
  COUNTER (feedback_packets, "feedback-packets", "", "answers that went back to senders"),
  COUNTER (flows_evicted, "flows-evicted", "", "senders that lost their place to others"),
  COUNTER (rtt_clamped, "rtt-clamped", "", "senders that claimed a round trip above 1 s"),
  {NULL}
};
