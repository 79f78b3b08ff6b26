# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The pictures of ./demo --compare: a video of what the viewers saw at each moment, a still of it,
and a plot.

Each picture is shown as soon as it is decoded, and stands until the next one comes."""

import os
import subprocess
import threading
from bisect import bisect_right

import picture as drawing

from .lines import FRAMES_PER_S

WIDTH, HEIGHT = 480, 270  # of one picture beside the others
STRIP_HEIGHT = 190  # below them
STRIPS_PER_S = 5
WINDOW_S = 1  # over which a rate is taken
FREEZE_S = 0.2  # as in eval/lab/framefigures.py
JPEG_RANGE = "video/x-raw,format=I420,colorimetry=(string)1:4:0:0"  # a JPEG has the full range
PLOT_SIZE = "1440,620"
GREY, RATE, SENT, DELAY, BAD = "#333333", "#1b9e77", "#d95f02", "#6baed6", "#e41a1c"


def through_bps(seen, begin_s, end_s):
    """What came out of the link."""
    size_bytes = sum(size for at_s, size, wait_ms, link in seen.packets
                     if link == "forward" and wait_ms is not None
                     and begin_s <= at_s + wait_ms / 1e3 < end_s)
    return 8 * size_bytes / (end_s - begin_s)


def freeze_text(freezes):
    return (f"{len(freezes)} freeze{'s' * (len(freezes) > 1)}, "
            f"{sum(length_s for _, length_s in freezes):.1f} s")


class Column:
    """One sender: what its viewer saw."""

    def __init__(self, run):
        self.run, self.seen = run, run.picture
        self.views = [row[0] for row in self.seen.views]
        shown = sorted((frame.shown_s, frame.captured_s) for frame in self.seen.all_frames
                       if frame.shown_s is not None)
        self.shown_at = [shown_s for shown_s, _ in shown]
        self.captured = [captured_s for _, captured_s in shown]
        self.freezes = self.seen.freezes()

    def view_at(self, second):
        """The number of the picture that stands then, or None."""
        index = bisect_right(self.views, second) - 1
        return index if index >= 0 else None

    def delay_line(self, second):
        """(text, colour)."""
        index = bisect_right(self.shown_at, second) - 1
        since_s = second - (self.shown_at[index] if index >= 0 else 0)
        if since_s > FREEZE_S:
            return f"no whole picture for {since_s:.1f} s", BAD
        if index < 0:
            return "no picture yet", GREY
        return f"delay {1e3 * (self.shown_at[index] - self.captured[index]):.0f} ms", GREY

    def freeze_line(self, second):
        """Of those that began before: (text, colour)."""
        begun = [(begin_s, min(length_s, second - begin_s)) for begin_s, length_s in self.freezes
                 if second - begin_s > FREEZE_S]
        if not begun:
            return "no freeze so far", GREY
        return f"so far {freeze_text(begun)}", BAD


def series(column, step_s=0.25):
    """(second, Mbit/s) through the link."""
    count = int(column.run.case.seconds / step_s)
    return [(i * step_s, through_bps(column.seen, max(i * step_s - WINDOW_S, 0), i * step_s) / 1e6)
            for i in range(1, count + 1)]


def sent_series(column):
    sums = [0] * (int(column.run.case.seconds / WINDOW_S) + 1)
    for at_s, size_bytes, _, link in column.seen.packets:
        if link == "forward" and 0 <= at_s < column.run.case.seconds:
            sums[int(at_s / WINDOW_S)] += size_bytes
    return [((i + 0.5) * WINDOW_S, 8e-6 * size / WINDOW_S) for i, size in enumerate(sums[:-1])]


def capacity_at(case, second):
    return [bps for begin_s, bps in case.capacity if begin_s <= second][-1]


def capacity_rows(case):
    return [(s, bps / 1e6) for s, bps in [*case.capacity, (case.seconds, case.capacity[-1][1])]]


def top_mbps(columns):
    rates = [rate for column in columns for _, rate in sent_series(column)]
    return 1.2 * max(rates + [rate for _, rate in capacity_rows(columns[0].run.case)])


def label(number, text, x, y, colour=GREY, font="sans,15"):
    return (f"set label {number} \"{text}\" at screen {x:.4f},{y:.4f} center font '{font}' "
            f"tc rgb '{colour}'")


def bands(freezes, until_s, first=1):
    """Red behind the curves, where the picture stood or was broken."""
    return [f"set object {number} rectangle from {begin_s:.3f}, graph 0 to "
            f"{min(begin_s + length_s, until_s):.3f}, graph 1 fc rgb '{BAD}' fs solid 0.22 "
            "noborder behind" for number, (begin_s, length_s) in enumerate(freezes, first)
            if begin_s < until_s]


def strip(columns, second, top):
    """Commands that draw what stands below the pictures."""
    case, commands = columns[0].run.case, ["set multiplot"]
    for index, column in enumerate(columns):
        x = (index + 0.5) / len(columns)
        rate = through_bps(column.seen, max(second - WINDOW_S, 0), max(second, 0.1)) / 1e6
        delay, delay_colour = column.delay_line(second)
        freeze, freeze_colour = column.freeze_line(second)
        commands += [
            "unset label", "unset object", "unset border", "unset xtics",
            label(1, column.run.sender.what, x, 0.92, font="sans:Bold,18"),
            label(2, f"{rate:.2f} of {capacity_at(case, second) / 1e6:g} Mbit/s,  {delay}", x,
                  0.77, delay_colour),
            label(3, freeze, x, 0.63, freeze_colour),
            f"set lmargin at screen {(index + 0.09) / len(columns):.4f}",
            f"set rmargin at screen {(index + 0.97) / len(columns):.4f}",
            "set tmargin at screen 0.52", "set bmargin at screen 0.05",
            *bands(column.freezes, second),
            f"set ytics ({', '.join(f'{bps / 1e6:g}' for bps in {b for _, b in case.capacity})}) "
            "font 'sans,13' nomirror",
            drawing.plot(["$capacity using 1:2 with steps lw 1.5 lc rgb '#999999' notitle",
                          f"$through{index} using ($1<={second:.3f}?$1:1/0):2 with lines lw 2.5 "
                          f"lc rgb '{RATE}' notitle"])]
    return [*commands, "unset multiplot"]


def head(columns):
    case = columns[0].run.case
    return [drawing.block("capacity", capacity_rows(case)),
            *(drawing.block(f"through{i}", series(column)) for i, column in enumerate(columns)),
            f"set xrange [0:{case.seconds}]", f"set yrange [0:{top_mbps(columns):.3f}]"]


def draw_strips(columns, folder, seconds):
    top = top_mbps(columns)
    commands = head(columns)
    for number, second in enumerate(seconds):
        commands += [f"set output '{folder}/strip-{number:04d}.png'", *strip(columns, second, top)]
    drawing.draw(folder / "strip-0000.png", f"{WIDTH * len(columns)},{STRIP_HEIGHT}", commands,
                 font="sans,19")


def feed(column, seconds, frame_bytes, pipe):
    """Each moment's picture, one after the other; black before the first."""
    black = bytes([16]) * (frame_bytes * 2 // 3) + bytes([128]) * (frame_bytes // 3)
    with open(pipe, "wb") as out, open(column.run.record, "rb") as record:
        for second in seconds:
            content, number = black, column.view_at(second)
            if number is not None:
                record.seek(number * frame_bytes)
                content = record.read(frame_bytes)
            try:
                out.write(content)
            except BrokenPipeError:
                return


def compose(columns, folder, seconds, raw, strips_per_s, tail):
    """One video of all columns and the strips below."""
    size = dict(part.split("=") for part in raw.split(",") if "=" in part)
    width, height = int(size["width"]), int(size["height"])
    pipes = [os.pipe() for _ in columns]
    places = " ".join(f"sink_{i}::xpos={i * WIDTH} sink_{i}::width={WIDTH} "
                      f"sink_{i}::height={HEIGHT}" for i in range(len(columns)))
    last = len(columns)
    sources = " ".join(
        f"fdsrc fd={end} ! rawvideoparse format=i420 width={width} height={height} "
        f"framerate={FRAMES_PER_S}/1 ! mix.sink_{i}" for i, (end, _) in enumerate(pipes))
    line = (f"gst-launch-1.0 -q compositor name=mix background=black {places} "
            f"sink_{last}::ypos={HEIGHT} ! video/x-raw,width={WIDTH * last},"
            f"height={HEIGHT + STRIP_HEIGHT},framerate={FRAMES_PER_S}/1 ! videoconvert ! {tail} "
            f"{sources} multifilesrc location={folder}/strip-%04d.png "
            f"caps=image/png,framerate={strips_per_s}/1 ! pngdec ! videoconvert ! mix.sink_{last}")
    with subprocess.Popen(line.split(), pass_fds=[end for end, _ in pipes]) as job:
        for end, _ in pipes:
            os.close(end)
        threads = [threading.Thread(target=feed, args=(column, seconds, width * height * 3 // 2,
                                                       end))
                   for column, (_, end) in zip(columns, pipes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if job.returncode:
        raise RuntimeError(f"gst-launch-1.0 ended with status {job.returncode}")


def panel(index, count, row):
    """Margins of one of two rows of panels."""
    top, bottom = ((0.80, 0.47), (0.41, 0.10))[row]
    return [f"set lmargin at screen {(index + 0.15) / count:.4f}",
            f"set rmargin at screen {(index + 0.97) / count:.4f}",
            f"set tmargin at screen {top}", f"set bmargin at screen {bottom}"]


def draw_plot(columns, path):
    case, count = columns[0].run.case, len(columns)
    top_ms = 1.15 * max([1e3 * (s - c) for column in columns
                         for s, c in zip(column.shown_at, column.captured)] + [100])
    commands = head(columns)
    for i, column in enumerate(columns):
        commands += [drawing.block(f"sent{i}", sent_series(column)),
                     drawing.block(f"delay{i}", [(c, 1e3 * (s - c)) for s, c in
                                                 zip(column.shown_at, column.captured)])]
    commands += ["set multiplot", *drawing.STYLE]
    names = [f"set label {number} '{text}' at screen 0.008,{y} center rotate by 90 font 'sans,12'"
             for number, text, y in ((3, "Mbit/s", 0.635), (4, "camera to picture, ms", 0.255))]
    for i, column in enumerate(columns):
        told = freeze_text(column.freezes) if column.freezes else "no freeze"
        commands += ["unset label", "unset object", *(names if i == 0 else ()),
                     *panel(i, count, 0),
                     *bands(column.freezes, case.seconds),
                     label(1, column.run.sender.what, (i + 0.55) / count, 0.96,
                           font="sans:Bold,15"),
                     label(2, told, (i + 0.55) / count, 0.895, BAD if column.freezes else GREY,
                           "sans,14"),
                     f"set yrange [0:{top_mbps(columns):.3f}]", "set format x ''",
                     "set key at graph 0.5,1.13 center horizontal maxrows 1 samplen 2",
                     drawing.plot(["$capacity using 1:2 with steps lw 2 lc rgb '#333333' "
                                   "title 'capacity'",
                                   f"$sent{i} using 1:2 with lines lw 2 lc rgb '{SENT}' "
                                   "title 'sent'",
                                   f"$through{i} using 1:2 with lines lw 2 lc rgb '{RATE}' "
                                   "title 'received'"]),
                     "unset label", *panel(i, count, 1), f"set yrange [0:{top_ms:.0f}]",
                     "set format x '%g'", "set xlabel 'time, s'",
                     drawing.plot([f"$delay{i} using 1:2 with points pt 7 ps 0.4 lc rgb '{DELAY}' "
                                   "notitle"]), "unset xlabel"]
    drawing.draw(path, PLOT_SIZE, commands, font="sans,12")


def make(runs, folder, still_s, raw):
    """compare.mp4, still.jpg and plot.png."""
    columns = [Column(run) for run in runs]
    length_s = columns[0].run.case.seconds
    draw_plot(columns, folder / "plot.png")
    draw_strips(columns, folder, [still_s])
    compose(columns, folder, [still_s], raw, FRAMES_PER_S,
            f"{JPEG_RANGE} ! jpegenc quality=90 ! filesink location={folder}/still.jpg")
    draw_strips(columns, folder, [i / STRIPS_PER_S for i in range(int(length_s * STRIPS_PER_S))])
    compose(columns, folder, [i / FRAMES_PER_S for i in range(int(length_s * FRAMES_PER_S))], raw,
            STRIPS_PER_S, "x264enc speed-preset=veryfast pass=quant quantizer=23 ! h264parse ! "
            f"mp4mux ! filesink location={folder}/compare.mp4")
    for path in folder.glob("strip-*.png"):
        path.unlink()
