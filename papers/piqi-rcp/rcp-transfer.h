/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of finite length that exists only as long as it takes: by TCP, XCP, or a law of
 * lib/rc. */
#pragma once

#include "settings.h"
#include "transfer-config.h"

#include <functional>
#include <memory>

namespace arc {

class Transfer
{
public:
  virtual ~Transfer () = default;

  /* Begins now. `done` is called when the last byte has come; destroy it later, not in there. */
  static std::unique_ptr<Transfer> Start (const Settings &settings, const TransferConfig &config,
      std::function<void ()> done);
};

}
