#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Live video over an emulated link whose capacity changes: two gst-launch-1.0 processes, figures, a
plot, the video."""

import argparse
import json
import os
import re
import signal
import sys
from pathlib import Path

from arcdemo import comparison, demoplot, lines, livepage, media, paths, summary, trace
from arcdemo.run import RunError, Session, rates

ROOT = Path(__file__).resolve().parent.parent


def rate(text):
    match = re.fullmatch(r"([\d.]+)([kM]?)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"'{text}' is not a rate in bit/s, such as 500k")
    return float(match[1]) * trace.UNITS[match[2]]


def points(text):
    try:
        return trace.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


DEMO = "0:3M,20:1M,40:3M", 65
COMPARE = "0:3M,12:1M,24:3M", 36
PATHS = "0:2M,12:100k,24:2M", 36
SCALE = "0:3M,20:300k,40:1M,60:3M", 80


def parse_args():
    parser = argparse.ArgumentParser(prog="./demo", description=__doc__)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--input", "--media", metavar="FILE", type=Path,
                        help="a video file; repeated if it is too short")
    source.add_argument("--camera", metavar="DEVICE", nargs="?", const="/dev/video0", help="a webcam (/dev/video0)")
    parser.add_argument("--compare", action="store_true",
                        help="plain RTP, SRT and gst-arc beside each other, as one video, a still and a plot")
    parser.add_argument("--paths", action="store_true",
                        help="one stream over two links of 2 Mbit/s, of which the second falls")
    parser.add_argument("--scale", action="store_true",
                        help="1280x720, and arcscale before the encoder: the size of the picture follows the rate")
    parser.add_argument("--fixed", dest="fixed_bps", metavar="RATE", type=rate, default="2M",
                        help="with --compare: bitrate of the two that do not adapt (%(default)s)")
    parser.add_argument("--still", dest="still_s", metavar="S", type=float,
                        help="with --compare: the moment of the still (the middle)")
    link = parser.add_argument_group("the link")
    link.add_argument("--trace", dest="points", metavar="S:RATE,...", type=points,
                      help=f"capacity in bit/s from each second on ({DEMO[0]}; to compare: {COMPARE[0]}; "
                      f"to scale: {SCALE[0]}; of the second of two paths: {PATHS[0]})")
    link.add_argument("--delay", dest="delay_ms", metavar="MS", type=float, default=25, help="one way (%(default)s)")
    link.add_argument("--queue", metavar="SIZE", default="300ms", help="drop-tail limit (%(default)s)")
    link.add_argument("--loss", metavar="RATIO", type=float, default=0, help="random loss, 0..1 (%(default)s)")
    link.add_argument("--jitter", dest="jitter_ms", metavar="MS", type=float, default=0,
                      help="standard deviation (%(default)s)")
    link.add_argument("--seed", type=int, default=1, help="of loss and jitter (%(default)s)")
    parser.add_argument("--seconds", metavar="S", type=float,
                        help=f"length ({DEMO[1]}; to compare: {COMPARE[1]}; to scale: {SCALE[1]}; "
                        f"paths: {PATHS[1]})")
    parser.add_argument("--start", dest="start_bps", metavar="RATE", type=rate, default="500k",
                        help="first bitrate of the sender (%(default)s)")
    parser.add_argument("--web", metavar="PORT", type=int, nargs="?", const=livepage.DEFAULT_PORT,
                        help="show the streams as they run on a page of this port (%(const)s)")
    parser.add_argument("--output", metavar="DIR", type=Path, help="demo-output/<kind of source>")
    parser.add_argument("--json", metavar="FILE", type=Path, help="all figures")
    parser.add_argument("--results", metavar="FILE", type=Path, help="append a row to this markdown table")
    parser.add_argument("--strict", action="store_true", help="end with status 1 if a requirement is missed")
    args = parser.parse_args()
    usual_points, usual_s = (COMPARE if args.compare else SCALE if args.scale else
                             PATHS if args.paths else DEMO)
    args.points = args.points or trace.parse(usual_points)
    args.seconds = args.seconds or usual_s
    if args.still_s is None:
        args.still_s = args.seconds / 2
    if args.compare and args.camera:
        parser.error("--compare sends a file or the test source")
    if args.compare and args.scale:
        parser.error("--compare has pictures of one size")
    if args.paths and (args.compare or args.scale):
        parser.error("--paths is a demo by itself")
    return args


def choose_source(args, folder):
    """The head of the sender's line."""
    if args.camera:
        return lines.camera_source(args.camera)
    if not args.input:
        return lines.TEST_SOURCE
    print(f"preparing {args.input}", flush=True)
    # A second more than the run, so that the video never ends before the run does.
    return lines.file_source(media.at_least(args.input, args.seconds + 5, folder, dict(os.environ),
                                            args.scale))


def print_second(second, rows, sender):
    r = rates(rows)
    target_bps = sender.get("target-bitrate", 0)
    print(f"{second:4d} s   capacity {r['capacity_bps'] / 1e6:5.2f}   target {target_bps / 1e6:5.2f}   "
          f"received {r['served_bps'] / 1e6:5.2f} Mbit/s   queueing delay {r['queue_delay_mean_ms']:5.1f} ms   "
          f"loss {r['loss_ratio']:5.1%}   {sender.get('rate-cause', '')}", flush=True)


def print_lines(session, build):
    print(f"export GST_PLUGIN_PATH={build}/gst\n\nreceiver:\n  {session.receiver_line}\n\n"
          f"link:\n  {session.link_line}\n\nsender:\n  {session.sender_line}\n", flush=True)


def report(args, folder, result, video):
    try:
        stored, decoded = media.count_frames(video, dict(os.environ))
    except media.MediaError as error:
        print(f"demo: {video} does not play: {error}")
        stored = decoded = 0
    figures = summary.summarise(result, args.points, stored, decoded)
    text = summary.format_text(figures)
    print(text)
    (folder / "summary.txt").write_text(text + "\n")
    picture = demoplot.draw(result, args.points, folder)
    for path in filter(None, (folder / "summary.json", args.json)):
        path.write_text(json.dumps(figures, indent=2) + "\n")
    if args.results:
        head, row = summary.markdown_row(folder.name, figures)
        new = not args.results.exists()
        with open(args.results, "a", encoding="utf-8") as table:
            table.write(head + row if new else row)
    print(f"\nplot     {picture or 'none (gnuplot is missing)'}\nvideo    {video}\nsummary  {folder / 'summary.txt'}")
    return all(ok for _, _, ok in summary.judge(figures))


def main():
    args = parse_args()
    # Whoever ends us with SIGTERM gets the same orderly end as with Ctrl-C: no process stays
    # behind. A shell starts background jobs with SIGINT ignored: take it all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    build = ROOT / os.environ.get("GST_ARC_BUILD_DIR", "build")
    kind = "camera" if args.camera else args.input.stem if args.input else "test-source"
    kind = (f"compare-{kind}" if args.compare else f"scale-{kind}" if args.scale else
            f"paths-{kind}" if args.paths else kind)
    folder = (args.output or ROOT / "demo-output" / kind).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if why := args.web is not None and livepage.why_not(args, build):
        sys.exit(f"demo: {why}")
    try:
        if args.compare:
            comparison.compare(args, folder, build)
            return 0
        args.source = choose_source(args, folder)
        if args.scale:
            args.source = lines.enlarged(args.source)
        session = (paths.PathsSession if args.paths else Session)(args, folder, build)
        print_lines(session, build)
        if args.paths:
            session.run(print_second)
            paths.report(session, folder)
            return 0
        good = report(args, folder, session.run(print_second), session.video)
    except (RunError, comparison.CompareError, media.MediaError) as error:
        sys.exit(f"demo: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    return 1 if args.strict and not good else 0


if __name__ == "__main__":
    sys.exit(main())
