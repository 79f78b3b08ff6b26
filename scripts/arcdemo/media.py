# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Files that go in and come out: how many frames, and how to make a short one long."""

import shlex
import subprocess

from . import lines

# identity prints one such line a buffer; counting them needs no tool but gst-launch-1.0.
COUNTER = "identity name=counter silent=false"
MARK = "/GstIdentity:counter: last-message = chain"


class MediaError(Exception):
    pass


def run_counting(pipeline, env, wait_s=600):
    """Runs the pipeline to its end and returns how many buffers passed the COUNTER in it."""
    process = subprocess.Popen(["gst-launch-1.0", "-v", *shlex.split(pipeline)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, encoding="utf-8",
                               errors="replace")
    count, other = 0, []
    for line in process.stdout:
        if MARK in line:
            count += 1
        elif "ERROR" in line or "rror:" in line:
            other.append(line.strip())
    if process.wait(wait_s):
        raise MediaError("\n".join(other) or f"gst-launch-1.0 ended with status {process.returncode}")
    return count


def count_frames(path, env):
    """(frames in the container, frames that a decoder gives)."""
    demuxer = "matroskademux" if path.suffix == ".mkv" else "tsdemux"
    source = f"filesrc location={shlex.quote(str(path))} ! {demuxer} ! h264parse"
    stored = run_counting(f"{source} ! {COUNTER} ! fakesink", env)
    decoded = run_counting(f"{source} ! avdec_h264 ! {COUNTER} ! fakesink", env)
    return stored, decoded


def at_least(path, seconds, folder, env, enlarge=False):
    """The path of a video that lasts for `seconds`: the given one, or one that repeats it, kept in
    `folder`."""
    source = lines.file_source(path)
    source = lines.enlarged(source) if enlarge else source
    wanted = int(seconds * lines.FRAMES_PER_S)
    once = folder / "input-once.mkv"
    # Nearly lossless: the encoder under test gets what the file shows. It ends early on long files.
    try:
        frames = run_counting(f"{source} ! identity eos-after={wanted + 1} ! {COUNTER} ! "
                              "x264enc pass=quant quantizer=12 speed-preset=ultrafast key-int-max=60 ! "
                              f"h264parse ! matroskamux ! filesink location={shlex.quote(str(once))}", env)
        if not frames:
            raise MediaError(f"{path}: no video in it")
        return path if frames >= wanted else repeat(once, -(-wanted // frames), folder / "input-looped.mkv", env)
    finally:
        once.unlink(missing_ok=True)


def repeat(path, times, looped, env):
    branch = f"filesrc location={shlex.quote(str(path))} ! matroskademux ! h264parse ! c."
    run_counting(f"concat name=c ! h264parse ! matroskamux ! filesink location={shlex.quote(str(looped))} "
                 + " ".join([branch] * times), env)
    return looped
