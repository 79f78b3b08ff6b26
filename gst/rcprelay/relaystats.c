/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relaystats.h"

#include "base/clockglue.h"

GstStructure *
relay_stats_to_structure (const RelayStats * self)
{
  return gst_structure_new (GST_RCP_RELAY_STATS,
      "flows", G_TYPE_UINT, self->flows,
      "rate", G_TYPE_UINT64, self->rate_bps,
      "arrival-bitrate", G_TYPE_UINT64, self->arrival_bps,
      "kappa", G_TYPE_DOUBLE, self->kappa,
      "loop-delay", G_TYPE_UINT64, clock_glue_to_gst (self->loop_delay),
      "queue-packets", G_TYPE_UINT, self->queue_packets,
      "queue-bytes", G_TYPE_UINT64, self->queue_bytes,
      "max-queue-packets", G_TYPE_UINT, self->max_queue_packets,
      "max-queue-bytes", G_TYPE_UINT64, self->max_queue_bytes,
      "packets-in", G_TYPE_UINT64, self->packets_in,
      "bytes-in", G_TYPE_UINT64, self->bytes_in,
      "packets-out", G_TYPE_UINT64, self->packets_out,
      "bytes-out", G_TYPE_UINT64, self->bytes_out,
      "packets-stamped", G_TYPE_UINT64, self->packets_stamped,
      "packets-dropped", G_TYPE_UINT64, self->packets_dropped,
      "packets-oversize", G_TYPE_UINT64, self->packets_oversize,
      "packets-overflow", G_TYPE_UINT64, self->packets_overflow,
      "packets-implausible", G_TYPE_UINT64, self->packets_implausible,
      "packets-limited", G_TYPE_UINT64, self->packets_limited,
      "packets-refused", G_TYPE_UINT64, self->packets_refused,
      "send-errors", G_TYPE_UINT64, self->send_errors,
      "feedback-packets", G_TYPE_UINT64, self->feedback_packets,
      "flows-evicted", G_TYPE_UINT64, self->flows_evicted,
      "claims-clamped", G_TYPE_UINT64, self->claims_clamped,
      NULL);
}
