/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relaystats.h"

#define TEXT(...) FIELD_TEXT (RelayStats, __VA_ARGS__)
#define COUNTER(...) FIELD_COUNTER (RelayStats, __VA_ARGS__)
#define GAUGE(...) FIELD_GAUGE (RelayStats, __VA_ARGS__)
#define BITRATE(...) FIELD_BITRATE (RelayStats, __VA_ARGS__)

const FieldRow relay_fields[] = {
  GAUGE (flows, "flows", "", "active senders"),
  BITRATE (capacity_bps, "capacity", "capacity in use, as configured or estimated"),
  TEXT (capacity_state, "capacity-state", "stopped, fixed; or with capacity=0: waiting "
      "(no report yet), silent (no reports any more), or the state of ARC: start, avoid, compete, "
      "yield, drain, outage"),
  GAUGE (uplink_delay, "uplink-delay", "ns",
      "estimated queueing delay behind the relay (capacity=0)"),
  BITRATE (rate_bps, "rate", "R, the rate offered to each flow"),
  BITRATE (arrival_bps, "arrival-bitrate", "y, arrival rate in the last interval"),
  GAUGE (kappa, "gain", "", "current gain of the law (kappa)"),
  GAUGE (loop_delay, "loop-delay", "ns", "longest round-trip time claimed by a sender"),
  GAUGE (queue_packets, "queue-packets", "", "packets queued"),
  GAUGE (queue_bytes, "queue-bytes", "bytes", "bytes queued"),
  GAUGE (max_queue_packets, "max-queue-packets", "", "longest queue since start, in packets"),
  COUNTER (packets_in, "packets-in", "", "packets received from senders"),
  COUNTER (bytes_in, "bytes-in", "bytes", "bytes received from senders"),
  COUNTER (packets_out, "packets-out", "", "packets forwarded"),
  COUNTER (bytes_out, "bytes-out", "bytes", "bytes forwarded"),
  COUNTER (packets_stamped, "packets-stamped", "",
      "packets forwarded with the rate written into them"),
  COUNTER (packets_dropped, "packets-dropped", "", "packets dropped because the queue was full"),
  COUNTER (packets_oversize, "packets-oversize", "",
      "packets dropped in either direction: larger than 2048 bytes"),
  COUNTER (packets_overflow, "packets-overflow", "", "packets lost in the kernel's receive buffer"),
  COUNTER (packets_implausible, "packets-implausible", "",
      "packets of unknown senders rejected: neither RTP nor of rmcsink"),
  COUNTER (packets_limited, "packets-limited", "",
      "packets rejected: too many new senders at once"),
  COUNTER (packets_refused, "packets-refused", "",
      "packets rejected: max-flows reached, or no file descriptor left"),
  COUNTER (send_errors, "send-errors", "", "packets not sent because of a system error"),
  COUNTER (feedback_packets, "feedback-packets", "", "packets forwarded to senders"),
  COUNTER (reports, "reports", "", "receiver reports used to estimate the capacity"),
  COUNTER (reports_refused, "reports-refused", "",
      "receiver reports that contradict what was forwarded"),
  COUNTER (feedback_unreadable, "feedback-unreadable", "",
      "RTCP packets from the host that are encrypted or malformed (capacity=0)"),
  COUNTER (flows_evicted, "flows-evicted", "", "senders evicted by new ones"),
  COUNTER (rtt_clamped, "rtt-clamped", "", "senders that claimed a round trip above 1 s"),
  {NULL}
};
