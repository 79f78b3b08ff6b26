# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The tables of runs in which frames are watched, with medians over the runs. results: {(case,
sender): figures of each run}, as mdtable.load has them."""

import tempfile
from pathlib import Path

import places  # noqa: F401
import boundcurve
import framecases
import framesenders
import mdtable
import traces
from mdtable import UNKNOWN, median
from framecauses import CAUSES


class Cell:
    """Medians of the runs by name."""

    def __init__(self, runs):
        self.runs = runs

    def __getitem__(self, name):
        return self.runs[0][name] if name == "what" else median(self.runs, name)

    def text(self, form, *names, scale=1):
        """The values in that form, between slashes; a dash if one of them is not known."""
        values = [self[name] for name in names]
        return UNKNOWN if None in values else " / ".join(form.format(scale * value)
                                                         for value in values)


def in_order(results, case, senders):
    """(sender, runs) of a case, in the order of the senders."""
    return [(senders[name], results[case, name]) for name in senders if (case, name) in results]


# --- picture ---

IN_FEC_DOCUMENT = ("short", "far")  # of TABLES


def freezes(cell):
    return f"{cell['freezes']:.0f}, {cell['frozen_s']:.1f} s" if cell["freezes"] else "0"


def delays(cell):
    return cell.text("{:.0f}", "delay_p50_ms", "delay_p95_ms")


def sent(cell):
    return f"{cell['video_bps'] / 1e6:.2f} + {cell['overhead']:.0%}"


def ssim(cell):
    return cell.text("{:.3f}", "ssim")


def intact(cell):
    return f"{100 * cell['intact']:.1f}"


def intact_and_freezes(cell):
    return intact(cell) + (f" · {freezes(cell)}" if cell["freezes"] else "")


def shown(cell):
    text = f"{intact(cell)} % · {freezes(cell)}"
    return text if cell["ssim"] is None else f"{text} · {ssim(cell)}"


LOSSES = ("clean", *(case.name for case in framecases.LOSS_CASES))
SOME = ("clean", *(f"{how}-{loss}" for how in ("random", "bursts")
                   for loss in ("5-20", "5-100", "5-200", "10-100")))
TABLES = {  # name: (cases, what a cell is)
    "intact": (LOSSES, intact_and_freezes), "ssim": (LOSSES, ssim), "delays": (SOME, delays),
    "sent": (SOME, sent),
    "short": ([case.name for case in framecases.SHORT_CASES], shown),
    "far": ([case.name for case in framecases.FAR_CASES], shown),
    "fall": (["fall"], lambda cell: f"{intact(cell)} % · {freezes(cell)} · {delays(cell)} · "
             f"{sent(cell)}"),
    "whose": (["random-20-50", "policer"], lambda cell: (
        f"{intact(cell)} % · {freezes(cell)} · {cell['video_bps'] / 1e6:.2f} Mbit/s · "
        f"{100 * cell['lost_ratio']:.0f} %")),
    "outage": (["outage", "short-outage"], lambda cell: (
        f"{cell['back_s']:.2f} s, {cell.text('{:.0f}', 'late_frames')}")),
    "late-start": (["late-start"], lambda cell: f"{cell['first_s']:.2f} s"),
}


IN_PAGE = ("clean", "random-5-100", "random-10-200", "bursts-5-100", "bursts-5-200",
           "bursts-10-200")


def picture_table(results, names, text):
    cases, senders = framecases.PICTURE, framesenders.PICTURE
    found = [name for name in senders if any(name == sender for _, sender in results)]
    return mdtable.table(
        ["case", *(senders[name].what for name in found)],
        [[cases[name].what, *(text(Cell(results[name, sender])) if (name, sender) in results
                              else UNKNOWN for sender in found)]
         for name in names if any((name, sender) in results for sender in found)])


def picture_tables(results):
    return {name: picture_table(results, *what) for name, what in TABLES.items()}


def put_pictures(results, documents):
    """The tables into the data of the documents of loss and of FEC, where what was not measured
    stays; and their rows of IN_PAGE, or all of a table without such rows, into the documents."""
    shown = {framecases.PICTURE[case].what for case in IN_PAGE}
    for name, text in picture_tables(results).items():
        document = documents[name in IN_FEC_DOCUMENT]
        order = [framecases.PICTURE[case].what for case in TABLES[name][0]]
        merged = mdtable.merge(mdtable.kept(document, name), text, order)
        mdtable.record(document, name, merged,
                       (lambda cells: cells[0] in shown) if shown & {*order} else None)


def causes_table(results):
    """What became of the packets that the link lost, in %, where runs followed them."""
    rows = []
    for (case, sender), runs in results.items():
        cell = Cell([run["causes"] for run in runs if "causes" in run])
        if cell.runs:
            lost = max(cell["lost"], 1)
            rows.append([framecases.PICTURE[case].what, framesenders.PICTURE[sender].what,
                         f"{cell['lost']:.0f}",
                         *(f"{100 * cell[name] / lost:.1f}" for name in CAUSES),
                         cell.text("{:.0f}", "ask_p50_ms", "ask_p95_ms"),
                         cell.text("{:.0f}", "answer_p50_ms", "answer_p95_ms"),
                         f"{cell['copies']:.2f}", f"{cell['keyframes_asked']:.0f}"])
    return rows and mdtable.table(["case", "sender", "lost", *CAUSES, "asked after, ms",
                                   "sent again after, ms", "copies", "keyframes asked for"], rows)


# --- frametimes, playout: a row for each window and sender ---

TIMED = ("window", "sender", "use", "network p95, ms", "whole p50 / p95 / p99, ms",
         "decoded p50 / p95, ms", "lost", "in time", "SSIM on the screen")
PLAYOUT = ("window", "playout", "latency, ms", "whole p50 / p95, ms",
           "on the screen p50 / p95 / p99, ms", "late", "never", "longest still (p99), ms",
           "SSIM with the camera")


def windows(results, case, senders):
    """(a window's medians, sender) of all."""
    found = in_order(results, case, senders)
    return [(Cell([run["windows"][number] for run in runs]), sender)
            for number in range(len(found[0][1][0]["windows"])) for sender, runs in found]


def timed_row(window, sender):
    return (window["what"], sender.what, f"{window['use']:.0%}", f"{window['network_p95_ms']:.0f}",
            window.text("{:.0f}", "whole_p50_ms", "whole_p95_ms", "whole_p99_ms"),
            window.text("{:.0f}", "decoded_p50_ms", "decoded_p95_ms"),
            f"{window['lost']:.0f} of {window['frames']:.0f}", f"{window['in_time']:.1%}",
            window.text("{:.4f}", "ssim"))


def playout_row(window, sender):
    return (window["what"], sender.what, f"{window['latency_ms'] or 0:.0f}",
            window.text("{:.0f}", "whole_p50_ms", "whole_p95_ms"),
            window.text("{:.0f}", "glass_p50_ms", "glass_p95_ms", "glass_p99_ms"),
            f"{window['late']:.0f} of {window['shown']:.0f}", f"{window['never']:.0f}",
            f"{window['gap_p99_ms'] or 0:.0f}", f"{window['ssim'] or 0:.4f}")


def summary(results, cases, senders, text):
    """A row for each window of each case, a column for each sender."""
    rows = {}
    for case in cases:
        for window, sender in windows(results, case, senders):
            rows.setdefault(f"{case}: {window['what']}", {})[sender.what] = text(window)
    heads = list(dict.fromkeys(head for cells in rows.values() for head in cells))
    return mdtable.table(["case: window", *heads], [
        (row, *(cells.get(head, UNKNOWN) for head in heads)) for row, cells in rows.items()])


def bound(results, case, build):
    """Of a trace, as far as frames count; None: of no other case."""
    settings = in_order(results, case, framesenders.TIMED)[0][1][0]["settings"]
    if not settings["trace"]:
        return None
    end_ms = 1e3 * settings["windows"][-1][1]
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.writelines(f"{at}\n" for at in traces.read(Path(settings["trace"])) if at <= end_ms)
        file.flush()
        found = boundcurve.curves(build, "-r", str(settings["rtt_ms"]), file.name)
    return next(iter(found.values()))


def of_bound(window, curve):
    """Of the use that the bound has at the same delay in the network."""
    return f"{window['use'] / boundcurve.use_at(curve, window['network_p95_ms']):.2f}"


def timed_table(results, case, curve=None):
    return mdtable.table(TIMED + (("of the bound",) if curve else ()), [
        timed_row(*each) + ((of_bound(each[0], curve),) if curve else ())
        for each in windows(results, case, framesenders.TIMED)])


def playout_table(results, case):
    return mdtable.table(PLAYOUT, [playout_row(*each) for each
                                   in windows(results, case, framesenders.PLAYOUT)])


# --- scale, cameras ---

SCALE = ("link, Mbit/s", "", "SSIM, mean", "SSIM, 5th percentile", "frames shown, %", "freezes",
         "delay 50th / 95th percentile, ms", "use, %", "lines, mean")
CAMERAS = ("link, Mbit/s", "use, %", "queueing delay 95th percentile, ms", "camera", "lines, mean",
           "least and most lines", "steps in 60 s")


def scale_row(scaler, cell):
    capacity = cell["capacity_bps"]
    frozen = f"{cell['freezes']:g}, {cell['frozen_s']:.1f} s" if cell["freezes"] else "0"
    return [f"{capacity / 1e6:g}" if capacity else "all", scaler.what, f"{cell['ssim_mean']:.3f}",
            f"{cell['ssim_p5']:.3f}", f"{100 * cell['shown']:.1f}", frozen,
            cell.text("{:.0f}", "delay_p50_ms", "delay_p95_ms"),
            f"{100 * cell['sent_bps'] / capacity:.0f}" if capacity else UNKNOWN,
            f"{cell['lines_mean']:.0f}"]


def scale_table(results, case):
    found = in_order(results, case, framesenders.SCALE)
    return mdtable.table(SCALE, [
        scale_row(scaler, Cell([run["all"] if phase is None else run["phases"][phase]
                                for run in runs]))
        for phase in [*range(len(found[0][1][0]["phases"])), None] for scaler, runs in found])


def cameras_table(results):
    rows = []
    for case in framecases.CAMERAS.values():
        for run in results.get((case.name, "arcscale"), ())[:1]:
            rows += [[case.what, f"{100 * run['use']:.0f}", f"{run['wait_p95_ms']:.0f}", number,
                      f"{camera['lines_mean']:.0f}", f"{camera['least']} to {camera['most']}",
                      camera["steps"]] for number, camera in enumerate(run["cameras"], 1)]
    return mdtable.table(CAMERAS, rows)


# --- severalpaths ---

PATHS = ("links, Mbit/s", "sender", "video, Mbit/s", "of the sum", "with headers, copies, repair",
         "delay p50 / p95, ms", "intact, %", "longest freeze, s", "other")


def paths_row(case, sender, cell):
    share, back_s = cell["share"], cell["back_s"]
    return [case.what, sender.what, f"{cell['video_bps'] / 1e6:.2f}", f"{cell['video_ratio']:.2f}",
            f"{cell['link_ratio']:.2f}" if cell["link_ratio"] else UNKNOWN,
            " / ".join(cell.text("{:.0f}", name) for name in ("delay_p50_ms", "delay_p95_ms")),
            intact(cell), f"{cell['freeze_s']:.2f}",
            (f"{share:.2f} of a fair share" if share else "")
            + (f"back after {back_s:.1f} s" if back_s is not None else "")]


def paths_table(results):
    return mdtable.table(PATHS, [
        paths_row(case, sender, Cell(runs)) for case in framecases.PATHS.values()
        for sender, runs in in_order(results, case.name, framesenders.PATHS)])
