/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionorders.h"

EncoderOrders
session_orders (const RmcWork * work, const guint32 * ssrc)
{
  static const gdouble all = 1;
  EncoderOrders orders = {.target = work->target,.bps = work->target_bps,
    .has_network_bps = TRUE,.network_bps = work->rate_bps,
    .n_flows = work->n_flows,.ssrcs = work->ssrcs,.shares = work->shares,
    .living = work->living,.made_bps = work->made_bps,.told_bps = work->told_bps,
    .n_keyframes = work->n_keyframes,.keyframes = work->keyframes,
    .fec_percentage = work->fec_percentage
  };

  if (work->n_flows == 0) {
    orders.n_flows = 1;
    orders.ssrcs = ssrc;
    orders.shares = &all;
  }
  return orders;
}
