/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The event trace of a RateSender (docs/reference/trace.md). */
#pragma once

#include "rc.h"

#include <fstream>
#include <string>

namespace arc {

class RateTrace
{
public:
  /* Throws std::runtime_error if the file cannot be written. */
  RateTrace (const std::string &path, const std::string &title);

  /* After what may have changed the sender. */
  void Look (RcSender &sender, RcLane &lane, RcTime now);

private:
  void Write (size_t n);

  std::ofstream m_file;
  RcEventTrace m_events{};
  RcQlog m_qlog{};
  char m_line[RC_QLOG_MOST_BYTES];
};

}
