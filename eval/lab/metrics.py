# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The figures of RFC 8868 from linkemu's log of packets. Times are seconds since the media
began."""

import csv
import math
import re
from collections import defaultdict

from cases import VIDEO_LEAST_BPS, ceiling_bps
from criteria import CALM_S, WINDOW_S

BIN_S = 0.1
STEP_WINDOW_S = 0.5
RECOVERED_WINDOW_S = 4
AFTER_FALL_S = 2
AFTER_JOIN_S = 20
DARK_S = 0.3  # an outage, if nothing can be sent for so long
AFTER_DARK_S = 1
AFTER_TCP_S = 5
LOOP_FROM_S = 5
LONG_MS = 400
NEVER_S = 99.0
TCP_PATH = 32
FRAMES_FROM_S = 10
FRAME_DELAY = r"frame-delay-p{}=\(guint64\)(\d+)"


def jain(rates):
    return sum(rates) ** 2 / (len(rates) * sum(r * r for r in rates)) if any(rates) else 0.0


def mean(values):
    return sum(values) / max(len(values), 1)


def percentile(values, ratio):
    ordered = sorted(values)
    return ordered[min(int(ratio * len(ordered)), len(ordered) - 1)] if ordered else 0.0


class Run:
    """One case by one contender. packets: (arrived_s, bytes, delay_ms or None, link, path).
    capacity: bit/s of each bin, where the case does not tell it."""

    def __init__(self, case, packets, capacity=()):
        self.case, self.packets, self.capacity = case, packets, capacity
        self.forward = [i for i, flow in enumerate(case.flows) if not flow.back]
        self.bins = math.ceil(case.seconds / BIN_S)
        self.fill_bins()
        self.marks = self.boundaries()
        self.dark, self.falls = list(self.dark_spans()), self.fall_times()
        self.phases = self.phase_figures() if case.steps else [self.span(0, case.seconds)]
        self.steps = self.step_figures() if case.steps else []
        media = [p for p in packets if p[4] != TCP_PATH]
        calm = [p[2] for p in media if self.is_calm(p)]
        self.delay_mean_ms, self.delay_p50_ms = mean(calm), percentile(calm, 0.5)
        self.delay_p95_ms, self.delay_max_ms = percentile(calm, 0.95), max(calm, default=0)
        self.loop_p95_ms = percentile([p[2] for p in media if self.counts_in_loop(p)], 0.95)
        self.loop_use = self.use_from(LOOP_FROM_S)
        late = {int(p[0] / BIN_S) for p in media if p[2] is not None and p[2] > LONG_MS}
        self.above_s = len(late) * BIN_S
        self.loss = sum(p[2] is None for p in media) / max(len(media), 1)
        lit = [p for p in media if not any(a <= p[0] < b + AFTER_DARK_S for a, b in self.dark)]
        self.calm_loss = sum(p[2] is None for p in lit) / max(len(lit), 1)
        self.jain = [jain(self.rates(at, at + WINDOW_S)) for at in self.fair_windows()]
        self.forward_bps = sum(self.rates(10, case.seconds))
        self.late_bps = self.rates(case.seconds / 2, case.seconds)
        self.shares()
        self.faded_s = [self.back_s(end_s) for _, end_s in self.dark]
        begun_s = max(0.0, min((p[0] for p in media), default=0.0))
        self.started_s = self.back_s(begun_s, NEVER_S)
        self.resumed_s = self.resume_time()
        self.least_ten_share = self.least_share(10)

    def fill_bins(self):
        """Bytes by path and bin: arrived, and served by that of its links that served least."""
        self.arrived = defaultdict(lambda: [0] * self.bins)
        served = defaultdict(lambda: defaultdict(lambda: [0] * self.bins))
        for at, size, delay, link, path in self.packets:
            if 0 <= at < self.case.seconds:
                self.arrived[path][int(at / BIN_S)] += size
            if delay is not None and 0 <= (begun := at + delay / 1e3) < self.case.seconds:
                served[path][link][int(begun / BIN_S)] += size
        self.served = defaultdict(lambda: [0] * self.bins)
        for path, links in served.items():
            self.served[path] = min(links.values(), key=sum)
        self.all_served = [sum(column) for column in zip(*(self.served[i + 1] for i in self.forward))]
        self.all_arrived = [sum(column) for column in zip(*(self.arrived[i + 1] for i in self.forward))]

    @staticmethod
    def mean_bps(row, begin_s, end_s):
        bins = row[round(begin_s / BIN_S):round(end_s / BIN_S)]
        return sum(bins) * 8 / BIN_S / max(len(bins), 1)

    def rates(self, begin_s, end_s):
        return [self.mean_bps(self.served[i + 1], begin_s, end_s) for i in self.forward]

    def capacity_at(self, at_s):
        if self.capacity:
            return self.capacity[min(int(at_s / BIN_S), len(self.capacity) - 1)]
        return [bps for second, bps in self.case.capacity if second <= at_s + 1e-9][-1]

    def dark_spans(self):
        """When the link could send nothing for a while."""
        begin = None
        for i, bps in enumerate([*self.capacity, 1]):
            if bps > 0:
                if begin is not None and (i - begin) * BIN_S >= DARK_S and begin > 0:
                    yield begin * BIN_S, i * BIN_S
                begin = None
            elif begin is None:
                begin = i

    def is_calm(self, packet):
        """It was served, and neither a fall nor an outage has made it wait."""
        at, _, delay, _, _ = packet
        if delay is None or self.after_fall(at):
            return False
        return all(at + delay / 1e3 < begin or at >= end + AFTER_DARK_S for begin, end in self.dark)

    def use_from(self, begin_s):
        """Of all that the link could send, as case_carried of eval/loop."""
        able_bps = mean(self.capacity[round(begin_s / BIN_S):])
        served_bps = self.mean_bps(self.all_served, begin_s, self.case.seconds)
        return served_bps / able_bps if able_bps else 0.0

    def counts_in_loop(self, packet):
        """It was served, and in none of the bins of its wait the link could send nothing: what
        loop_queue_outside_outages_ms of eval/loop counts."""
        at, _, delay, _, _ = packet
        return (delay is not None and at >= LOOP_FROM_S
                and all(self.capacity[int(at / BIN_S):int((at + delay / 1e3) / BIN_S) + 1]))

    def active(self, at_s):
        flows = [self.case.flows[i] for i in self.forward]
        at_s += 1e-9
        return [f for f in flows if f.start_s <= at_s and not (f.pause and f.pause[0] <= at_s < f.pause[1])]

    def boundaries(self):
        marks = {0, self.case.seconds}
        if self.case.steps:
            marks |= {second for second, _ in self.case.capacity}
        for flow in self.case.flows:
            marks |= {flow.start_s, *flow.pause}
        if self.case.outage:
            marks |= {self.case.outage[0], sum(self.case.outage)}
        return sorted(marks)

    def achievable_bps(self, begin_s, end_s):
        count = max(round((end_s - begin_s) / BIN_S), 1)
        instants = [begin_s + (i + 0.5) * BIN_S for i in range(count)]
        return sum(min(self.capacity_at(t), sum(map(ceiling_bps, self.active(t)))) for t in instants) / count

    def span(self, begin_s, end_s):
        calm_s = min(begin_s + CALM_S, end_s)
        achievable_bps = self.achievable_bps(calm_s, end_s)
        inside = [p for p in self.packets if begin_s <= p[0] < end_s and p[4] != TCP_PATH]
        delays = [p[2] for p in inside if self.is_calm(p)]
        served_bps = self.mean_bps(self.all_served, calm_s, end_s)
        return {"begin_s": begin_s, "end_s": end_s, "achievable_bps": achievable_bps, "served_bps": served_bps,
                "utilisation": served_bps / max(achievable_bps, 1), "delay_mean_ms": mean(delays),
                "delay_p95_ms": percentile(delays, 0.95),
                "loss": sum(p[2] is None for p in inside) / max(len(inside), 1)}

    def phase_figures(self):
        pairs = zip(self.marks, self.marks[1:])
        return [self.span(a, b) for a, b in pairs if b - a > 2 * CALM_S and self.active(a)]

    def fall_times(self):
        points = self.case.capacity if self.case.steps else ()
        return [b[0] for a, b in zip(points, points[1:]) if b[1] < a[1]]

    def after_fall(self, at_s):
        return any(fall <= at_s < fall + AFTER_FALL_S for fall in self.falls)

    def step_figures(self):
        figures, points = [], self.case.capacity
        for (_, before), (second, after) in zip(points, points[1:]):
            end_s = min((mark for mark in self.marks if mark > second), default=self.case.seconds)
            late = [p[0] - second for p in self.packets
                    if second <= p[0] < end_s and p[2] is not None and p[2] > 100 and p[4] != TCP_PATH]
            figures.append({"at_s": second, "fall": after < before, "drained_s": max(late, default=0.0),
                            "converged_s": self.converge_time(second, end_s)})
        return figures

    def converge_time(self, begin_s, end_s):
        """Begin of the first half second that is used to 90 % and not sent into by more than 11 %
        too much."""
        wanted_bps, at = self.achievable_bps(begin_s, end_s), begin_s
        while at + STEP_WINDOW_S <= end_s:
            window = at, at + STEP_WINDOW_S
            if (self.mean_bps(self.all_served, *window) >= 0.9 * wanted_bps
                    and self.mean_bps(self.all_arrived, *window) <= self.capacity_at(at) / 0.9):
                return at - begin_s
            at += BIN_S
        return NEVER_S

    def fair_windows(self):
        last_join_s = max(flow.start_s for flow in self.case.flows)
        pauses = [mark for flow in self.case.flows for mark in flow.pause]
        for begin_s, end_s in zip(self.marks, self.marks[1:]):
            joined = begin_s == last_join_s or begin_s in pauses
            at = begin_s + (AFTER_JOIN_S if joined else CALM_S)
            while begin_s >= last_join_s and at + WINDOW_S <= end_s and len(self.forward) > 1:
                if len(self.active(at)) == len(self.forward):
                    yield at
                at += WINDOW_S

    def least_share(self, seconds):
        """Of a flow among several, by the fair share of what all were served, in the worst window
        from AFTER_JOIN_S after the last start."""
        last_join_s = int(max(flow.start_s for flow in self.case.flows))
        least = math.inf
        for at in range(last_join_s + AFTER_JOIN_S, int(self.case.seconds - seconds) + 1):
            rates = self.rates(at, at + seconds)
            least = min(least, min(rates) * len(rates) / max(sum(rates), 1))
        return least if len(self.forward) > 1 and math.isfinite(least) else 0.0

    def resume_time(self):
        pauses = [flow.pause[1] for flow in self.case.flows if flow.pause]
        if not pauses:
            return 0.0
        at = pauses[0]
        while at + 5 <= self.case.seconds:
            if jain(self.rates(at, at + 5)) >= 0.95:
                return at - pauses[0]
            at += STEP_WINDOW_S
        return NEVER_S

    def shares(self):
        """Beside long TCP flows, from 15 s after the last start until the first stop. All flows
        have the same fair share."""
        self.video_share = self.tcp_share = self.least_sent_bps = self.video_worst_share = 0.0
        self.quiet_p95_ms = self.fair_bps = 0.0
        tcp = self.case.tcp
        if not tcp or tcp[0].short:
            return
        begin_s = max(flow.start_s for flow in (*self.case.flows, *tcp)) + 15
        end_s = min(flow.stop_s or self.case.seconds for flow in tcp)
        self.fair_bps = fair_bps = self.case.capacity[0][1] / (len(tcp) + len(self.forward))
        tens = [self.mean_bps(self.all_served, at, at + 10)
                for at in range(int(begin_s), int(end_s) - 9)]
        self.video_worst_share = min(tens) / fair_bps / len(self.forward)
        late = [p[2] for p in self.packets
                if p[2] is not None and p[4] != TCP_PATH and p[0] >= end_s + AFTER_TCP_S]
        self.quiet_p95_ms = percentile(late, 0.95)
        self.video_share = self.mean_bps(self.all_served, begin_s, end_s) / fair_bps / len(self.forward)
        self.tcp_share = self.mean_bps(self.served[TCP_PATH], begin_s, end_s) / fair_bps / len(self.case.tcp)
        windows = [self.mean_bps(self.all_arrived, at, at + 2) for at in range(int(begin_s), int(end_s) - 1)]
        self.least_sent_bps = min(windows)

    def back_s(self, end_s, never_s=0.0):
        """After a fade or the start: the begin of the first half second that is used to 80 %."""
        at = end_s
        while at + STEP_WINDOW_S <= self.case.seconds:
            window = at, at + STEP_WINDOW_S
            if self.mean_bps(self.all_served, *window) >= 0.8 * self.achievable_bps(*window):
                return at - end_s
            at += BIN_S
        return never_s  # the run ended

    def recovered_s(self, at_s, ratio):
        """How long after at_s each 4 s are used to the ratio, up to 28 s after."""
        end_s, at, recovered = at_s + 28, at_s, at_s
        wanted_bps = ratio * self.achievable_bps(at_s, end_s)
        while at + RECOVERED_WINDOW_S <= end_s:
            if self.mean_bps(self.all_served, at, at + RECOVERED_WINDOW_S) < wanted_bps:
                recovered = at + STEP_WINDOW_S
            at += STEP_WINDOW_S
        return recovered - at_s

    def below_s(self, at_s, end_s, ratio):
        """For how long less than the ratio is used, over half seconds, from a change to the
        next."""
        wanted_bps = ratio * self.achievable_bps(at_s, end_s)
        starts = [at_s + i * BIN_S for i in range(round((end_s - at_s - STEP_WINDOW_S) / BIN_S))]
        return BIN_S * sum(self.mean_bps(self.all_served, at, at + STEP_WINDOW_S) < wanted_bps
                           for at in starts)

    def returned_s(self, ratio):
        begin_s = self.case.outage[0]
        back_s = begin_s + self.case.outage[1]
        wanted_bps = ratio * self.mean_bps(self.all_served, begin_s - 5, begin_s)
        at = back_s
        while at + STEP_WINDOW_S <= self.case.seconds:
            if self.mean_bps(self.all_served, at, at + STEP_WINDOW_S) >= wanted_bps:
                return at - back_s
            at += BIN_S
        return NEVER_S

    def figures(self):
        names = ("phases", "steps", "delay_mean_ms", "delay_p50_ms", "delay_p95_ms", "delay_max_ms",
                 "loss", "calm_loss", "jain", "forward_bps", "late_bps", "video_share", "tcp_share",
                 "least_sent_bps", "resumed_s", "faded_s", "video_worst_share", "quiet_p95_ms",
                 "fair_bps", "started_s", "least_ten_share", "above_s",
                 "loop_p95_ms", "loop_use")
        return {name: getattr(self, name) for name in names} | {
            "least_bps": VIDEO_LEAST_BPS, "utilisation": self.utilisation(),
            "recovered_s": [self.recovered_s(at, 0.9) for at, _ in self.case.delays[1:]],
            "slowed_s": [self.below_s(at, end, 0.8) for at, end in self.route_spans()],
            "returned_s": self.returned_s(0.8) if self.case.outage else 0.0}

    def route_spans(self):
        """From each change of the delay to the next."""
        changes = [at for at, _ in self.case.delays[1:]]
        return zip(changes, [*changes[1:], self.case.seconds])

    def utilisation(self):
        """Over all phases, by time."""
        total = sum((p["end_s"] - p["begin_s"]) * p["achievable_bps"] for p in self.phases)
        return sum((p["end_s"] - p["begin_s"]) * p["served_bps"] for p in self.phases) / max(total, 1)


def read_sender_queue(paths):
    """What rmcsink's own queue held, as ms; nothing of senders that do not tell."""
    rows = [row for path in paths for row in csv.DictReader(path.open(newline="", encoding="ascii"))]
    return [float(row["queue_ms"]) for row in rows if float(row["rate_bps"]) > 0]


def read_frame_holds(paths):
    """How long rmcsink held the 95th percentile of the last 256 frames, in ms, from FRAMES_FROM_S
    on; nothing of senders that do not tell."""
    found = []
    for path in paths:
        rows = list(csv.DictReader(path.open(newline="", encoding="ascii")))
        found += [float(row["hold_ms"]) for row in rows if float(row.get("hold_ms") or 0) > 0
                  and float(row["at_s"]) >= float(rows[0]["at_s"]) + FRAMES_FROM_S]
    return found


def read_frame_delays(paths, percent=95):
    """Of each second from FRAMES_FROM_S on, how much later than the fastest frame that percentile
    of the last 8 s was whole, in ms; nothing of receivers that do not tell."""
    return [int(ns) / 1e6 for path in paths for ns in
            re.findall(FRAME_DELAY.format(percent), path.read_text(encoding="utf-8"))
            [FRAMES_FROM_S:]]


def frame_figures(senders, receivers):
    """Medians of these over the run; None: they are not told."""
    found = {"frame_hold_p95_ms": read_frame_holds(senders),
             "frame_p50_ms": read_frame_delays(receivers, 50),
             "frame_p95_ms": read_frame_delays(receivers)}
    return {name: percentile(values, 0.5) if values else None for name, values in found.items()}


def log_rows(path, origin_s):
    """Of linkemu's log: (receiver's address, its port, (arrived_s, bytes, delay or None, link))."""
    with open(path, newline="", encoding="ascii") as text:
        for row in csv.DictReader(text):
            host, _, port = row["flow"].rpartition(" ")[2].rpartition(":")
            delay_ms = float(row["queue_delay_ms"]) if row["fate"] == "ok" else None
            yield host, port, (float(row["arrived_s"]) - origin_s, int(row["size_bytes"]), delay_ms,
                               row["link"])


def read_packets(path, case, origin_s):
    """Forward media and TCP only."""
    paths = {f"10.77.2.{i + 1}": i + 1 for i in range(len(case.flows))} | {f"10.77.2.{TCP_PATH}": TCP_PATH}
    return [(*packet, paths[host]) for host, port, packet in log_rows(path, origin_s)
            if host in paths and port in ("5000", "5001")]


def read_capacity(path, case, origin_s):
    """bit/s of each bin, from linkemu's rows; a bin without a row repeats the one before."""
    with open(path, newline="", encoding="ascii") as text:
        rows = [(float(row["time_s"]) - origin_s, float(row["capacity_bps"]))
                for row in csv.DictReader(text)]
    bins = {int((end_s - BIN_S / 2) / BIN_S): bps for end_s, bps in rows if end_s > BIN_S / 2}
    capacity, last = [], next(iter(bins.values()))
    for i in range(math.ceil(case.seconds / BIN_S)):
        last = bins.get(i, last)
        capacity.append(last)
    return capacity
