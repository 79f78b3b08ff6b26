/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The CSV of a run: settings, flows, a row a flow and sample, costs. The format is in
 * papers/ns3/README.md. */
#pragma once

#include "traffic.h"

#include <chrono>
#include <fstream>

namespace arc {

class Recorder
{
public:
  /* Throws std::runtime_error if the file cannot be written. */
  Recorder (const Settings &settings, const Chain &chain, const Traffic &traffic);

  /* Runs the simulation to its end and writes everything. */
  void Run ();

private:
  void WriteHead ();
  void Sample ();
  void WriteCosts ();

  const Settings &m_settings;
  const Chain &m_chain;
  const Traffic &m_traffic;
  std::ofstream m_file;
  std::ostream &m_out;
  struct Counted
  {
    uint64_t sent_bytes, received_bytes;
  };
  std::vector<Counted> m_counted;       /* at the sample before, by flow */
  uint64_t m_dropped = 0;
  uint64_t m_samples = 0;
  std::chrono::steady_clock::time_point m_began;
};

}
