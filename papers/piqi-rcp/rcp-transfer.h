/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of finite length that exists only as long as it takes: by TCP, or by a law of lib/rc. */
#pragma once

#include "chain.h"
#include "settings.h"

#include <functional>
#include <memory>

namespace arc {

struct TransferConfig
{
  Host source, sink;
  uint32_t id;                  /* of this run, from 0 */
  uint16_t port;                /* of the sink, free there */
  uint64_t pkts;                /* of packet_bytes of the settings */
};

class Transfer
{
public:
  virtual ~Transfer () = default;

  /* Begins now. `done` is called when the last byte has come; destroy it later, not in there. */
  static std::unique_ptr<Transfer> Start (const Settings &settings, const TransferConfig &config,
      std::function<void ()> done);
};

}
