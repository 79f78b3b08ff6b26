/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What one run is: every option of arc-sim with its default. The table with units and meaning is
 * in settings.cc. */
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

namespace arc {

struct Settings
{
  std::string scenario;         /* "single", "multihop", "joins" or "completion" */

  /* single */
  std::string rate_law = "arc";
  uint64_t rate_flows = 0, tcp_flows = 0, backward_tcp = 0;
  std::string udp_onoff;        /* "BPS,PERIOD_S"; empty: none */
  std::string udp_first = "on";
  uint64_t capacity_bps = 10000000;
  double max_rtt_ms = 250;

  /* multihop */
  std::string c1 = "arc", cross = "reno";
  uint64_t hops = 1;
  double wireless_loss_ratio = 0;
  std::string wireless_at = "exit";
  std::string cross_placement = "both";

  /* joins, completion */
  std::string law = "piqi-rcp";
  uint64_t flows = 10;
  double spacing_s = 10;
  double first_rtt_ms = 120, rtt_ms = 300;      /* completion: 100 */
  double load_ratio = 0.9;

  /* all */
  double seconds = 1000;        /* multihop: 110 */
  double rate_start_s = 10;
  double jitter_s = 1;
  uint64_t seed = 1;
  double queue_ms = 250;
  uint64_t packet_bytes = 1500;

  std::string profile = "paper";
  std::map<std::string, double> params;
  uint64_t start_bps = 60000, min_bps = 12000, max_bps = 100000000;
  uint64_t source_bps = 0;
  double tau_ms = 0;            /* 0: the receiver's default */

  std::string tcp_sack = "off";
  double tcp_min_rto_ms = 1000;
  uint64_t tcp_window_pkts = 0; /* 0: no limit */

  double sample_s = 1;
  std::string out, trace;
};

/* Prints the usage or what is wrong, and ends the process with status 0 or 2. */
Settings settings_parse (int argc, char **argv);
/* Lines "# key=value", all that act on the scenario. */
void settings_write (const Settings &settings, std::ostream &out);

}
