/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a flow of finite length is. */
#pragma once

#include "chain.h"

namespace arc {

struct TransferConfig
{
  Host source, sink;
  uint32_t id;                  /* of this run, from 0 */
  uint16_t port;                /* of the sink, free there */
  uint64_t pkts;                /* of packet_bytes of the settings */
};

}
