# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""From rows to figures, and from figures to "ok" or "MISSED"."""

import math

from . import trace
from .lines import FRAMES_PER_S
from .run import LINK_INTERVAL_S

SETTLE_S = 3.0  # a phase is measured from this long after its start
RISE_WINDOW_S = 0.5
RISE_RATIO = 0.8
AT_THE_END_S = 0.01  # a message so close before the end of the stream tells of all frames

MIN_UTILISATION_RATIO = 0.9
MAX_P95_MS = 40
MAX_RISE_S = 3.0
MENTIONED_STOLEN_RATIO = 0.01  # less is no matter


def percentile(values, ratio):
    ordered = sorted(values)
    return ordered[min(int(ratio * len(ordered)), len(ordered) - 1)] if ordered else 0.0


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def last_ms(rows, name):
    """A quantile over the last 8 s, of the last message in a phase."""
    return float(rows[-1].get(name, 0)) / 1e6 if rows else 0.0


def phase_figures(result, phase):
    start = phase.start_s + SETTLE_S
    rows = [r for r in result.link if start < r["time_s"] - LINK_INTERVAL_S / 2 and r["time_s"] <= phase.end_s + 1e-6]
    if not rows:
        return None
    sent = [r for r in result.sender if start <= r["time_s"] < phase.end_s]
    came = [r for r in result.receiver if start <= r["time_s"] < phase.end_s]
    packets = [p for p in result.packets if start <= p["arrived_s"] < phase.end_s]
    delays = [p["queue_delay_ms"] for p in packets if p["fate"] == "ok"]
    served_bps = sum(r["served_bytes"] for r in rows) * 8 / (len(rows) * LINK_INTERVAL_S)
    figures = {
        "start_s": phase.start_s, "end_s": phase.end_s, "capacity_bps": phase.capacity_bps,
        "served_bps": served_bps, "utilisation_ratio": served_bps / phase.capacity_bps,
        "target_mean_bps": mean(r.get("target-bitrate", 0) for r in sent),
        "encoder_mean_bps": mean(r.get("input-bitrate", 0) for r in sent),
        "queue_delay_mean_ms": mean(delays), "queue_delay_p95_ms": percentile(delays, 0.95),
        "queue_delay_max_ms": max(delays, default=0.0),
        "frame_hold_p95_ms": last_ms(sent, "frame-hold-p95"),
        "frame_delay_p95_ms": last_ms(came, "frame-delay-p95"),
        "tail_dropped_pkts": sum(p["fate"] == "tail" for p in packets),
        "random_lost_pkts": sum(p["fate"] == "random" for p in packets),
    }
    # Where the link stays unused though the encoder was offered nearly all of it, the encoder's own
    # share counts.
    target, encoder = figures["target_mean_bps"], figures["encoder_mean_bps"]
    offered = target >= MIN_UTILISATION_RATIO * phase.capacity_bps
    limited = figures["utilisation_ratio"] < MIN_UTILISATION_RATIO and offered and encoder < 0.95 * target
    figures["encoder_limited"] = limited
    figures["usable_bps"] = phase.capacity_bps * (encoder / target if limited else 1)
    figures["usable_utilisation_ratio"] = served_bps / figures["usable_bps"]
    return figures


def rise_time(result, capacity_bps):
    """Seconds until the link served RISE_RATIO of the capacity over a whole window; None: never."""
    count = round(RISE_WINDOW_S / LINK_INTERVAL_S)
    for i in range(count, len(result.link) + 1):
        window = result.link[i - count:i]
        if sum(r["served_bytes"] for r in window) * 8 / RISE_WINDOW_S >= RISE_RATIO * capacity_bps:
            return window[-1]["time_s"]
    return None


def untold_frames(result):
    """How many frames may have been sent after the sender's last statistics message."""
    if not result.sender or result.ended_at is None:
        return 0
    gap_s = result.ended_at - result.sender[-1]["at"]
    return math.ceil(gap_s * FRAMES_PER_S) if gap_s > AT_THE_END_S else 0


def size_figures(result):
    """What the picture was, and for how long, in the order of the lines."""
    ends = [size.at_s for size in result.sizes[1:]] + [result.length_s]
    spans = {}
    for size, end_s in zip(result.sizes, ends):
        key = size.height, size.width, size.frames_per_s
        spans[key] = spans.get(key, 0.0) + end_s - size.at_s
    return [{"height": key[0], "width": key[1], "frames_per_s": key[2], "seconds": spans[key]}
            for key in sorted(spans, reverse=True) if spans[key] > 0]


def format_size(size):
    return (f"{size['width']}x{size['height']} at {size['frames_per_s']:g}/s "
            f"for {size['seconds']:.1f} s")


def summarise(result, points, frames_stored, frames_decoded):
    phases = trace.phases(points, result.length_s)
    calm = [p for p in result.packets if not trace.after_fall(phases, p["arrived_s"])]
    last = result.sender[-1] if result.sender else {}
    frames_in, frames_dropped = int(last.get("frames-in", 0)), int(last.get("frames-dropped", 0))
    return {
        "length_s": result.length_s,
        "interrupted": result.interrupted,
        "stolen_ratio": result.stolen_ratio,
        "phases": [f for f in (phase_figures(result, p) for p in phases) if f],
        "queue_delay_p95_ms": percentile([p["queue_delay_ms"] for p in calm if p["fate"] == "ok"], 0.95),
        "rise_s": rise_time(result, points[0][1]),
        "tail_dropped_pkts": sum(p["fate"] == "tail" for p in result.packets),
        "tail_dropped_calm_pkts": sum(p["fate"] == "tail" for p in calm),
        "random_lost_pkts": sum(p["fate"] == "random" for p in result.packets),
        "sent_pkts": len(result.packets),
        "frames_in": frames_in, "frames_dropped": frames_dropped, "frames_sent": frames_in - frames_dropped,
        "frames_untold": untold_frames(result),
        "frames_stored": frames_stored, "frames_decoded": frames_decoded,
        "sizes": size_figures(result),
    }


def delivered(s):
    """Does the file hold what was sent? A lost packet spoils one frame at most."""
    lost = s["tail_dropped_pkts"] + s["random_lost_pkts"]
    return 0 < s["frames_sent"] - lost <= s["frames_stored"] <= s["frames_sent"] + s["frames_untold"]


def format_sent(s):
    untold = s["frames_untold"]
    return f"{s['frames_sent']}" + (f"..{s['frames_sent'] + untold}" if untold else "")


def judge(s):
    """[(requirement, value, ok)]."""
    rows = [(f"utilisation {p['start_s']:g}..{p['end_s']:g} s >= {MIN_UTILISATION_RATIO:.0%}"
             + (" of what the encoder can use" if p["encoder_limited"] else ""),
             f"{p['usable_utilisation_ratio']:.1%}", p["usable_utilisation_ratio"] >= MIN_UTILISATION_RATIO)
            for p in s["phases"]]
    rise = s["rise_s"]
    lost = s["tail_dropped_pkts"] + s["random_lost_pkts"]
    rows += [
        (f"p95 queueing delay <= {MAX_P95_MS} ms (but in the second after a fall)",
         f"{s['queue_delay_p95_ms']:.1f} ms", s["queue_delay_p95_ms"] <= MAX_P95_MS),
        ("no drop at the queue (but in the second after a fall)",
         f"{s['tail_dropped_calm_pkts']} packets", s["tail_dropped_calm_pkts"] == 0),
        (f"{RISE_RATIO:.0%} of the capacity within {MAX_RISE_S:g} s of the start",
         "never" if rise is None else f"{rise:.1f} s", rise is not None and rise <= MAX_RISE_S),
        ("the file holds the frames that were sent" + (f" (the link lost {lost} packets)" if lost else ""),
         f"{s['frames_stored']} of {format_sent(s)}", delivered(s)),
        ("the file plays", f"{s['frames_decoded']} frames decoded",
         0 < s["frames_decoded"] and s["frames_stored"] - lost <= s["frames_decoded"] <= s["frames_stored"]),
    ]
    return rows


def format_text(s):
    text = ["", "phase         capacity   served   use    target  encoder   queueing delay, ms  "
            "frames p95, ms     drops",
            "               Mbit/s    Mbit/s          Mbit/s   Mbit/s   mean   p95    max   "
            "held  late     tail random"]
    for p in s["phases"]:
        capacity, served, target, encoder = (
            p[key] / 1e6 for key in ("capacity_bps", "served_bps", "target_mean_bps", "encoder_mean_bps"))
        text.append(f"{p['start_s']:4g}..{p['end_s']:<4g} s   {capacity:7.2f}  {served:7.2f}"
                    f"  {p['utilisation_ratio']:4.0%}  {target:7.2f}  {encoder:7.2f}"
                    f"  {p['queue_delay_mean_ms']:5.1f} {p['queue_delay_p95_ms']:5.1f}  {p['queue_delay_max_ms']:5.1f}"
                    f" {p['frame_hold_p95_ms']:5.0f} {p['frame_delay_p95_ms']:5.0f}"
                    f"  {p['tail_dropped_pkts']:6d} {p['random_lost_pkts']:6d}")
    text.append(f"(measured from {SETTLE_S:g} s after each start; served and capacity with UDP/IP "
                "headers;")
    text.append(" frames: held by rmcsink; whole at the receiver so much later than the fastest)")
    text.append(f"frames: {s['frames_in']} from the encoder, {s['frames_dropped']} dropped before sending, "
                f"{format_sent(s)} sent, {s['frames_stored']} in the file")
    if s["stolen_ratio"] > MENTIONED_STOLEN_RATIO:
        text.append(f"a hypervisor took {s['stolen_ratio']:.1%} of the CPUs' time from this "
                    "machine: delays and drops may be its doing")
    if s["sizes"]:
        text.append("picture: " + ", ".join(map(format_size, s["sizes"])))
    text.append("")
    text += [f"{'ok    ' if ok else 'MISSED'}  {what}: {value}" for what, value, ok in judge(s)]
    return "\n".join(text)


def markdown_row(name, s):
    """One row for a table of runs, and the head of that table."""
    head = ("| run | utilisation by phase | p95 queueing delay, ms "
            "| drops | rise, s | frames sent / stored | missed |\n"
            "|---|---|---|---|---|---|---|\n")
    use = " / ".join(f"{p['utilisation_ratio']:.0%}" for p in s["phases"])
    rise = "never" if s["rise_s"] is None else f"{s['rise_s']:.1f}"
    missed = sum(not ok for _, _, ok in judge(s))
    return head, (f"| {name} | {use} | {s['queue_delay_p95_ms']:.1f} | {s['tail_dropped_pkts']} | {rise} "
                  f"| {s['frames_sent']} / {s['frames_stored']} | {missed} |\n")
