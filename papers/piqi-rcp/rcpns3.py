# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The paper's figures 11, 12 and 13b in ns-3, beside TCP: simulates with arc-sim what the build
folder does not have."""

import math
from dataclasses import dataclass

from picture import block
from plots import draw, panel
from simulations import Laboratory, Run, read_rows
from provenance import stamp
from verdicts import Claim, count, record, verdict

# As in papers/piqi-rcp/rcpfigures.h.
TAU = (("param", "piqi-rcp.tau1=0.005"), ("param", "piqi-rcp.tau2=0.96"))
TCP_QUEUE_MS = 100              # the paper's rule for buffers: one bandwidth-delay product
COMPLETION_BPS = 240e6          # of the paper's 2.4 Gbit/s a tenth: TCP there takes ns-3 an hour
ARRIVALS_S = 40                 # in figure 13b
LOAD = 0.9
RTT_S = 0.1
NEAR = 1.5                      # a queue agrees within this factor
FLOWS = 10
SPACING_S = 10
SETTLED_S = 20                  # the last of a run of joins


@dataclass(frozen=True)
class Law:
    name: str
    label: str
    colour: str


LAWS = (Law("rcp", "RCP", "#d1495b"), Law("piqi-rcp", "PIQI-RCP", "#1b6ca8"),
        Law("reno", "TCP", "#3a3a3a"))
PIQI = LAWS[1]
ALL_LAWS = (*LAWS, Law("xcp", "XCP", "#8f6bb3"))
SWEEP_TAU1 = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
SWEEP_S = 10                    # of arrivals
COMMAND = "papers/piqi-rcp/run ns3"


def joins_of(law):
    options = [("law", law.name), ("sample", 0.05), *TAU]
    return Run("joins", tuple(options + [("queue-ms", TCP_QUEUE_MS)] * (law.name == "reno")))


def completion_of(law, args):
    return Run("completion", (("law", law.name), ("capacity", int(args.capacity)), ("load", LOAD),
                              ("seconds", int(args.seconds)), *TAU))


def sweep_of(tau1, args):
    return Run("completion", (("law", PIQI.name), ("capacity", int(args.capacity)), ("load", LOAD),
                              ("seconds", SWEEP_S), ("param", f"piqi-rcp.tau1={tau1}"), TAU[1]))


# --- what a run says ---

class Joins:
    def __init__(self, path):
        self.facts, rows = read_rows(path)
        self.flows = {}
        self.queue = []
        for row in rows:
            # The rate that the law decided; TCP decides none.
            rate = float(row["rate_bps"] or row["received_bps"])
            self.flows.setdefault(row["flow"], []).append((float(row["time_s"]), rate))
            if row["flow"] == "flow0":
                self.queue.append((float(row["time_s"]), int(row["queue_pkts"])))
        self.peak_pkts = int(self.facts["peak_queue_pkts"])
        self.end_s = self.queue[-1][0]

    def rate(self, i, second):
        """Over each second, from the flow's start on."""
        bins = {}
        for t, rate in self.flows[f"flow{i}"]:
            if t > i * SPACING_S:
                bins.setdefault(int(t / second) * second, []).append(rate)
        return [(t, sum(values) / len(values)) for t, values in bins.items()]

    def shares(self):
        return [mean(rate for t, rate in samples if t > self.end_s - SETTLED_S) for samples in self.flows.values()]

    def jain(self):
        shares = self.shares()
        return sum(shares) ** 2 / len(shares) / sum(x * x for x in shares)

    def later_peak_pkts(self):
        return max(n for t, n in self.queue if t > 2 * SPACING_S)


class Completion:
    def __init__(self, path):
        self.facts, rows = read_rows(path)
        self.flows = [(int(row["pkts"]), float(row["completion_s"])) for row in rows]

    def of(self, least, most):
        """Mean completion time of flows of least .. most - 1 packets."""
        return mean(s for pkts, s in self.flows if least <= pkts < most)

    def curve(self):
        """By size, four bins a decade: mean size, mean completion time."""
        bins = {}
        for pkts, s in self.flows:
            bins.setdefault(round(4 * math.log10(pkts)), []).append((pkts, s))
        return [(mean(p for p, _ in values), mean(s for _, s in values))
                for _, values in sorted(bins.items()) if len(values) >= 5]


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def processor_sharing_s(pkts, capacity_bps):
    """A handshake, the way of the last packet, and the share of one flow."""
    return 1.5 * RTT_S + pkts * 8000 / (capacity_bps * (1 - LOAD))


# --- claims ---

def claim(key, where, says, criterion, found, good, partly=False, test=""):
    return Claim("PIQI-RCP", key, where, says, criterion, found, verdict(good, partly), test)


def claim_of_joins(law, joins):
    found = (f"Jain {joins.jain():.4f}, all together {sum(joins.shares()) / 1e6:.1f} Mbit/s; queue "
             f"up to {joins.peak_pkts} packets, after the second flow {joins.later_peak_pkts()}")
    pkts = {"rcp": 3500, "piqi-rcp": 550}[law.name]
    near, fair = pkts / NEAR < joins.peak_pkts < pkts * NEAR, joins.jain() > 0.999
    return claim(f"ns3-11-{law.name}", "Fig. 11, 12",
                 f"{law.label}, 120 ms and nine of 300 ms: fair; queue {pkts} packets",
                 f"Jain above 0.999, and the queue's peak within {NEAR} times; partly: one", found,
                 near and fair, near or fair,
                 "test_peak_queue_is_that_of_the_world_in_virtual_time")


SOONEST = "test_short_flows_finish_soonest_with_rcp_and_last_with_tcp"
SIZES = ((5, 15, "10"), (20, 40, "30"), (70, 140, "100"), (700, 1400, "1000"))


def claims_of_completion(runs, capacity_bps):
    times = {law.name: mean(s for _, s in runs[law].flows) for law in ALL_LAWS}
    text = "; ".join(f"{law.label} {times[law.name] * 1000:.0f} ("
                     + ", ".join(f"{runs[law].of(least, most) * 1000:.0f}"
                                 for least, most, _ in SIZES)
                     + f"), queue up to {runs[law].facts['peak_queue_pkts']} packets"
                     for law in ALL_LAWS)
    found = (f"{len(runs[PIQI].flows)} flows on {capacity_bps / 1e6:.0f} Mbit/s, ms (of flows of "
             f"about {', '.join(name for _, _, name in SIZES)} packets): {text}")
    piqi = times["piqi-rcp"]
    ideal = mean(processor_sharing_s(pkts, capacity_bps) for pkts, _ in runs[PIQI].flows)
    return [
        claim("13b-rcp", "Fig. 13b", "flows complete sooner with RCP than with PIQI-RCP",
              "mean completion time", found, times["rcp"] < piqi, test=SOONEST),
        claim("13b-tcp", "Fig. 13b", "sooner with PIQI-RCP than with TCP", "mean completion time",
              f"{piqi * 1000:.0f} and {times['reno'] * 1000:.0f} ms", piqi < times["reno"],
              test=SOONEST),
        claim("13b-xcp", "Fig. 13b", "sooner with PIQI-RCP than with XCP", "mean completion time",
              f"{piqi * 1000:.0f} and {times['xcp'] * 1000:.0f} ms", piqi < times["xcp"]),
        claim("13b-rcp-xcp", "2.2", "RCP completes flows much sooner than XCP and TCP",
              "mean completion time less than half of both; partly: less",
              f"{times['rcp'] * 1000:.0f} against {times['xcp'] * 1000:.0f} and "
              f"{times['reno'] * 1000:.0f} ms", 2 * times["rcp"] < min(times["xcp"], times["reno"]),
              times["rcp"] < min(times["xcp"], times["reno"])),
        claim("13b-ps", "5.2", "RCP comes near to processor sharing", "within 1.5 times its mean; "
              "partly: 2", f"{times['rcp'] * 1000:.0f} against {ideal * 1000:.0f} ms",
              times["rcp"] <= 1.5 * ideal, times["rcp"] <= 2 * ideal)]


def claim_of_sweep(runs):
    times = [mean(s for _, s in run.flows) * 1000 for run in runs.values()]
    queues = [int(run.facts["peak_queue_pkts"]) for run in runs.values()]
    sooner, longer = times[-1] < times[0], queues[-1] > queues[0]
    return claim("13b-tau1", "5.2", "tau1 trades completion time for buffers",
                 "from the least to the largest tau1 flows complete sooner and the queue grows; "
                 "partly: one", f"tau1 {', '.join(map(str, runs))}: "
                 f"{', '.join(f'{t:.0f}' for t in times)} ms, queue up to "
                 f"{', '.join(map(str, queues))} packets", sooner and longer, sooner or longer)


# --- pictures ---

def rates_panel(law, joins):
    blocks = [block(f"{law.label[0]}{i}", [(t, v / 1e6) for t, v in joins.rate(i, 0.5)]) for i in range(FLOWS)]
    parts = [f"${law.label[0]}{i} using 1:2 with lines notitle" for i in range(FLOWS)]
    return panel(f"{law.label}: rates", "s", "Mbit/s", 100, blocks, parts, more=["set xrange [0:120]"])


def queue_panel(law, joins):
    name = f"{law.label[0]}q"
    return panel(f"{law.label}: queue", "s", "packets", 4000, [block(name, joins.queue)],
                 [f"${name} using 1:2 with lines lc rgb '{law.colour}' notitle"], more=["set xrange [0:120]"])


def draw_joins(plots, runs):
    panels = [rates_panel(law, runs[law]) for law in LAWS] + [queue_panel(law, runs[law]) for law in LAWS]
    draw(plots / "ns3-joins.png", "1200,560", panels, columns=3)


def draw_completion(plots, runs, capacity_bps):
    blocks, parts = [], []
    for law in ALL_LAWS:
        blocks.append(block(law.label[0] + "c", runs[law].curve()))
        parts.append(f"${law.label[0]}c using 1:2 with linespoints lw 2 pt 7 ps 0.6 lc rgb '{law.colour}' "
                     f"title '{law.label}'")
    sizes = [10 ** (i / 10) for i in range(9, 41)]
    blocks.append(block("ps", [(n, processor_sharing_s(n, capacity_bps)) for n in sizes]))
    parts.append("$ps using 1:2 with lines dt 2 lc rgb '#000000' title 'processor sharing'")
    draw(plots / "ns3-fig13b.png", "700,420",
         [panel("Mean completion time", "packets of a flow", "s", "*", blocks, parts, "set key top left",
                ["set logscale xy", "set yrange [0.1:*]", "set xrange [8:10000]"])])


def draw_sweep(plots, runs):
    points = [(tau1, mean(s for _, s in run.flows) * 1000, int(run.facts["peak_queue_pkts"]))
              for tau1, run in runs.items()]
    draw(plots / "ns3-tau1.png", "700,360",
         [panel("PIQI-RCP: completion time and queue by tau1", "tau1", "ms", "*",
                [block("sweep", points)],
                ["$sweep using 1:2 with linespoints lw 2 pt 7 title 'mean completion time, ms'",
                 "$sweep using 1:3 axes x1y2 with linespoints lw 2 pt 5 title 'largest queue, "
                 "packets'"], "set key bottom right",
                ["set logscale x", "set xrange [0.004:0.25]", "set yrange [0:*]",
                 "set y2range [0:*]", "set y2tics", "set y2label 'packets'"])])


def run(args, command):
    arc_sim = args.build / "papers" / "ns3" / "arc-sim"
    if not arc_sim.exists():
        command.fail(f"{arc_sim} is not built: it needs libns3-dev and libgsl-dev")
    args.seconds, args.capacity = args.seconds or ARRIVALS_S, args.capacity or COMPLETION_BPS
    laboratory = Laboratory(arc_sim, args.out / "runs", args.jobs)
    laboratory.simulate([joins_of(law) for law in LAWS]
                        + [completion_of(law, args) for law in ALL_LAWS]
                        + [sweep_of(tau1, args) for tau1 in SWEEP_TAU1])
    joins = {law: Joins(laboratory.path(joins_of(law))) for law in LAWS}
    completions = {law: Completion(laboratory.path(completion_of(law, args))) for law in ALL_LAWS}
    sweep = {tau1: Completion(laboratory.path(sweep_of(tau1, args))) for tau1 in SWEEP_TAU1}
    draw_joins(args.plots, joins)
    draw_completion(args.plots, completions, args.capacity)
    draw_sweep(args.plots, sweep)
    found = [*(claim_of_joins(law, joins[law]) for law in LAWS[:2]),
             *claims_of_completion(completions, args.capacity), claim_of_sweep(sweep)]
    record("piqi-ns3", COMMAND, found)
    return "the ns-3 table", f"Recorded {stamp()}. Of {len(found)} claims: {count(found)}."
