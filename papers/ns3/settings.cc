/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "settings.h"

#include "rc.h"

#include <getopt.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <variant>
#include <vector>

namespace arc {

struct Param {};

using Place = std::variant<std::string Settings::*, uint64_t Settings::*, double Settings::*,
    Param>;

struct Option
{
  const char *name, *scenarios; /* "a|b"; NULL: of all */
  Place place;
  double least, most;           /* of a number */
  const char *choices;          /* of a string, "a|b"; NULL: any */
  const char *doc;
};

static const char *const scenarios = "single|multihop|joins|completion";

static const Option options[] = {
  {"rate-law", "single", &Settings::rate_law, 0, 0, nullptr,
      "sending law of the rate-based flows; none: no such flows"},
  {"rate-flows", "single", &Settings::rate_flows, 0, 200, nullptr, "M: rate-based flows forward"},
  {"tcp-flows", "single", &Settings::tcp_flows, 0, 200, nullptr, "N: TCP flows forward"},
  {"backward-tcp", "single", &Settings::backward_tcp, 0, 200, nullptr, "TCP flows backward"},
  {"udp-onoff", "single", &Settings::udp_onoff, 0, 0, nullptr,
      "BPS,PERIOD_S: UDP that sends BPS for PERIOD_S, then none as long"},
  {"udp-first", "single", &Settings::udp_first, 0, 0, "on|off", "which of them comes first"},
  {"capacity", "single|joins|completion", &Settings::capacity_bps, 1e4, 1e10, nullptr,
      "bit/s of the bottleneck, both ways"},
  {"max-rtt-ms", "single", &Settings::max_rtt_ms, 5, 10000, nullptr,
      "largest round-trip time; flow i of n has i/n of it"},
  {"c1", "multihop", &Settings::c1, 0, 0, nullptr, "the flow over all hops: a law, or reno"},
  {"cross", "multihop", &Settings::cross, 0, 0, nullptr, "the flows over one hop: a law, or reno"},
  {"hops", "multihop", &Settings::hops, 1, 20, nullptr, "N: links between routers"},
  {"wireless-loss", "multihop", &Settings::wireless_loss_ratio, 0, 1, nullptr,
      "ratio of packets that C1's last link loses, each way"},
  {"wireless-at", "multihop", &Settings::wireless_at, 0, 0, "exit|hop",
      "which link that is: C1's exit link or the last between routers"},
  {"cross-placement", "multihop", &Settings::cross_placement, 0, 0, "both|forward",
      "two cross flows a hop: one each way, or two forward"},
  {"law", "joins|completion", &Settings::law, 0, 0, nullptr, "of all flows: a law, or reno"},
  {"flows", "joins", &Settings::flows, 1, 200, nullptr, "how many join"},
  {"spacing", "joins", &Settings::spacing_s, 0, 1e6, nullptr, "s from one join to the next"},
  {"first-rtt-ms", "joins", &Settings::first_rtt_ms, 100, 10000, nullptr,
      "round-trip time of the first flow,"},
  {"rtt-ms", "joins|completion", &Settings::rtt_ms, 100, 10000, nullptr,
      "of the others; completion: of all, 100"},
  {"load", "completion", &Settings::load_ratio, 0.01, 0.99, nullptr,
      "offered load, of the capacity"},
  {"seconds", nullptr, &Settings::seconds, 0.001, 1e6, nullptr, "simulated time; multihop: "
      "110, joins: 220; completion: 40 s of arrivals, and what they take"},
  {"rate-start", nullptr, &Settings::rate_start_s, 0, 1e6, nullptr,
      "s: when the rate-based flows (single) or C1 (multihop) start"},
  {"jitter", nullptr, &Settings::jitter_s, 0, 100, nullptr,
      "s: each start is later by up to this, at random"},
  {"seed", nullptr, &Settings::seed, 1, 1e9, nullptr, "of all random numbers"},
  {"queue-ms", nullptr, &Settings::queue_ms, 1, 10000, nullptr, "bottleneck queue, ms of "
      "capacity, in whole packets of 1500 bytes; joins, completion: of packet-bytes"},
  {"packet-bytes", nullptr, &Settings::packet_bytes, 100, 1500, nullptr, "IP packets"},
  {"profile", nullptr, &Settings::profile, 0, 0, "paper|live", "of the sending law"},
  {"param", nullptr, Param{}, 0, 0, nullptr,
      "NAME=VALUE of the sending laws, or LAW.NAME=VALUE of one; may be repeated"},
  {"start-bps", nullptr, &Settings::start_bps, 1, 1e10, nullptr,
      "rate limits of the sending law: start,"},
  {"min-bps", nullptr, &Settings::min_bps, 1, 1e10, nullptr, "least"},
  {"max-bps", nullptr, &Settings::max_bps, 1, 1e10, nullptr, "and most"},
  {"source-bps", nullptr, &Settings::source_bps, 0, 1e9, nullptr,
      "rate-based flows are limited to this by their source; 0: greedy"},
  {"tau-ms", nullptr, &Settings::tau_ms, 0, 100000, nullptr,
      "time constant of the receivers' bandwidth filter; 0: theirs"},
  {"tcp-min-rto-ms", nullptr, &Settings::tcp_min_rto_ms, 10, 60000, nullptr,
      "TCP's least retransmission timeout"},
  {"tcp-window", nullptr, &Settings::tcp_window_pkts, 0, 10000, nullptr,
      "packets that TCP has in flight at most; 0: more than any path holds"},
  {"tcp-sack", nullptr, &Settings::tcp_sack, 0, 0, "on|off", "selective acknowledgements"},
  {"sample", nullptr, &Settings::sample_s, 0.001, 1000, nullptr, "s between rows"},
  {"out", nullptr, &Settings::out, 0, 0, nullptr, "FILE.csv; default: standard output"},
  {"trace", nullptr, &Settings::trace, 0, 0, nullptr,
      "FOLDER: an event trace of each rate-based flow in FOLDER/FLOW.sqlog; completion: none"},
};

[[noreturn]] static void
usage (int status)
{
  std::ostream &to = status ? std::cerr : std::cout;
  const Settings defaults;

  to << "arc-sim " << scenarios << " [OPTION VALUE]...\n";
  for (const auto &option : options) {
    to << "  --" << option.name;
    if (option.choices)
      to << " " << option.choices;
    to << (option.scenarios ? std::string (" (") + option.scenarios + ")"
        : "") << "\n      " << option.doc;
    if (auto place = std::get_if<uint64_t Settings::*> (&option.place))
      to << " [" << defaults.*(*place) << "]";
    else if (auto real = std::get_if<double Settings::*> (&option.place))
      to << " [" << defaults.*(*real) << "]";
    else if (auto text = std::get_if<std::string Settings::*> (&option.place))
      to << (defaults.*(*text) == "" ? "" : " [" + defaults.*(*text) + "]");
    to << "\n";
  }
  std::exit (status);
}

static double
parse_number (const std::string &text, const std::string &what)
{
  char *end;
  double value = std::strtod (text.c_str (), &end);

  if (text.empty () || *end || !std::isfinite (value))
    throw std::invalid_argument (what + ": not a number: '" + text + "'");
  return value;
}

static double
parse_in_range (const Option &option, const std::string &text)
{
  double value = parse_number (text, option.name);

  if (value < option.least || value > option.most) {
    std::ostringstream message;

    message << option.name << ": " << text << " is not within " << option.least << " and "
        << option.most;
    throw std::invalid_argument (message.str ());
  }
  return value;
}

/* choices: "a|b" */
static bool
is_one_of (const std::string &choices, const std::string &text)
{
  std::istringstream stream (choices);
  std::string choice;

  while (std::getline (stream, choice, '|'))
    if (choice == text)
      return true;
  return false;
}

static bool
belongs_to (const Option &option, const std::string &scenario)
{
  return !option.scenarios || is_one_of (option.scenarios, scenario);
}

static void
check_choice (const Option &option, const std::string &text)
{
  if (option.choices && !is_one_of (option.choices, text))
    throw std::invalid_argument (std::string (option.name) + ": '" + text + "' is not one of "
        + option.choices);
}

static void
set_param (Settings &settings, const std::string &text)
{
  size_t equals = text.find ('=');

  if (equals == 0 || equals == std::string::npos)
    throw std::invalid_argument ("param: '" + text + "' is not NAME=VALUE");
  settings.params[text.substr (0, equals)] = parse_number (text.substr (equals + 1), "param");
}

static void
set_option (Settings &settings, const Option &option, const std::string &text)
{
  if (!belongs_to (option, settings.scenario))
    throw std::invalid_argument (std::string (option.name) + " belongs to " + option.scenarios);
  if (auto string = std::get_if<std::string Settings::*> (&option.place)) {
    check_choice (option, text);
    settings.*(*string) = text;
  } else if (auto whole = std::get_if<uint64_t Settings::*> (&option.place)) {
    double value = parse_in_range (option, text);

    if (value != std::floor (value))
      throw std::invalid_argument (std::string (option.name) + ": not a whole number: " + text);
    settings.*(*whole) = static_cast<uint64_t> (value);
  } else if (auto real = std::get_if<double Settings::*> (&option.place)) {
    settings.*(*real) = parse_in_range (option, text);
  } else {
    set_param (settings, text);
  }
}

/* Of the scenarios of the PIQI-RCP paper: packets of 1000 bytes, queues that drop nothing. */
static void
set_scenario_defaults (Settings &settings)
{
  if (settings.scenario == "multihop")
    settings.seconds = 110;
  if (settings.scenario != "joins" && settings.scenario != "completion")
    return;
  settings.packet_bytes = 1000;
  settings.queue_ms = 10000;
  settings.jitter_s = 0;
  settings.start_bps = 100000;
  settings.min_bps = 1000;
  settings.max_bps = 10000000000;
  settings.seconds = 220;
  settings.capacity_bps = 100000000;
  if (settings.scenario == "joins")
    return;
  settings.seconds = 40;
  settings.capacity_bps = 240000000;
  settings.rtt_ms = 100;
}

static Settings
parse (int argc, char **argv)
{
  std::vector<struct option> longs;
  Settings settings;
  int index, c;

  for (const auto &option : options)
    longs.push_back ({option.name, required_argument, nullptr, 0});
  longs.push_back ({"help", no_argument, nullptr, 'h'});
  longs.push_back ({});
  if (argc > 1)
    settings.scenario = argv[1];
  if (settings.scenario == "--help" || settings.scenario == "-h")
    usage (0);
  if (!is_one_of (scenarios, settings.scenario))
    usage (2);
  set_scenario_defaults (settings);
  optind = 2;
  while ((c = getopt_long (argc, argv, "h", longs.data (), &index)) != -1) {
    if (c != 0)
      usage (c == 'h' ? 0 : 2);
    set_option (settings, options[index], optarg ? optarg : "");
  }
  if (optind < argc)
    throw std::invalid_argument (std::string ("what is '") + argv[optind] + "'?");
  return settings;
}

Settings
settings_parse (int argc, char **argv)
{
  try {
    return parse (argc, argv);
  } catch (const std::invalid_argument &error) {
    std::cerr << "arc-sim: " << error.what () << "\n";
    std::exit (2);
  }
}

/* --out and --trace do not act on the run. */
void
settings_write (const Settings &settings, std::ostream &out)
{
  out << "# scenario=" << settings.scenario << "\n";
  for (const auto &option : options) {
    std::string name = option.name;

    if (!belongs_to (option, settings.scenario) || name == "out" || name == "trace")
      continue;
    std::replace (name.begin (), name.end (), '-', '_');
    if (auto string = std::get_if<std::string Settings::*> (&option.place))
      out << "# " << name << "=" << settings.*(*string) << "\n";
    else if (auto whole = std::get_if<uint64_t Settings::*> (&option.place))
      out << "# " << name << "=" << settings.*(*whole) << "\n";
    else if (auto real = std::get_if<double Settings::*> (&option.place))
      out << "# " << name << "=" << settings.*(*real) << "\n";
  }
  for (const auto &[name, value] : settings.params)
    out << "# param." << name << "=" << value << "\n";
}

}
