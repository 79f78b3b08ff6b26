/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One simulation run: arc-sim SCENARIO [OPTION VALUE]... See papers/ns3/README.md. */
#include "scenarios.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

#include <iostream>

int
main (int argc, char **argv)
{
  arc::Settings settings = arc::settings_parse (argc, argv);

  ns3::RngSeedManager::SetSeed (1);
  ns3::RngSeedManager::SetRun (settings.seed);
  try {
    if (settings.scenario == "single")
      arc::run_single (settings);
    else if (settings.scenario == "multihop")
      arc::run_multihop (settings);
    else if (settings.scenario == "joins")
      arc::run_joins (settings);
    else
      arc::run_completion (settings);
  } catch (const std::exception &error) {
    std::cerr << "arc-sim: " << error.what () << "\n";
    return 1;
  }
  ns3::Simulator::Destroy ();
  return 0;
}
