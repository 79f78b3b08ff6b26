# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""One run of eval/lab/scale: the link, both ends (scaleend), then the pictures (scaleshown) and
figures."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import places  # noqa: F401
from picturecases import PictureCase
from picturerun import REALTIME, PictureRun, read_packets
from picturefigures import read_rows
from picturesenders import PORT, REPAIRING
from scalefigures import Scaled, read_ssim
from quiet import cpu_times, stolen_share

HERE = Path(__file__).resolve().parent
PLAYED = "played.json"
STEP_S = 20


def steps(*mbps):
    return tuple((i * STEP_S, int(rate * 1e6)) for i, rate in enumerate(mbps))


CASES = {case.name: case for case in (
    PictureCase("steps", "3, 0.3, 1, 3 Mbit/s for 20 s each", capacity=steps(3, 0.3, 1, 3),
                seconds=4 * STEP_S),
    PictureCase("5.1", "RFC 8867 5.1: 1, 2.5, 0.6, 1 Mbit/s",
                capacity=((0, 1_000_000), (40, 2_500_000), (60, 600_000), (80, 1_000_000)),
                seconds=100))}


@dataclass(frozen=True)
class Scaler:
    """element: what stands between the camera and the encoder."""

    name: str
    what: str
    element: str


SCALERS = {scaler.name: scaler for scaler in (
    Scaler("arcscale", "with arcscale", "arcscale name=scale ! "),
    Scaler("plain", "without", ""),
    Scaler("thresholds", "with webrtcsink's thresholds",
           "videoscale ! videorate drop-only=true ! capsfilter name=thresholds ! "))}

CAMERA = ("appsrc name=camera is-live=true format=time leaky-type=downstream max-buffers=3 "
          "max-bytes=0 max-time=0 caps=video/x-raw,format=I420,width={width},height={height},"
          "framerate={fps},pixel-aspect-ratio=1/1 ! ")
# The line of examples/pipelines/scaled-send.launch.
SEND = (CAMERA + "{element}"
        "x264enc tune=zerolatency speed-preset=superfast key-int-max=300 "
        "! rtph264pay name=payloader config-interval=-1 aggregate-mode=zero-latency mtu=1200 "
        "! rmcsink name=control host={to} port={port} start-bitrate=500000 max-bitrate=4000000")
# A stream that a file can hold. Not from the depayloader: in this format rtph264depay of GStreamer
# 1.22 makes two frames of a keyframe of several slices, for rtph264pay with config-interval=-1
# repeats SPS and PPS before each slice.
UNITS = ("video/x-h264,stream-format=avc,alignment=au ! h264parse config-interval=-1 ! "
         "video/x-h264,stream-format=byte-stream,alignment=au ! identity name=units ! ")
DEPAYLOADER = "rtph264depay request-keyframe=true ! "
RECEIVE = REPAIRING.replace(DEPAYLOADER, DEPAYLOADER.replace("depay ", "depay name=depayloader ")
                            + UNITS)


@dataclass(frozen=True)
class Footage:
    """path: a YUV4MPEG2 file; fps as it is written there, N/D."""

    path: Path
    width: int
    height: int
    fps: str

    @classmethod
    def make(cls, folder, video, size=""):
        """size: WxH, if another one than it has."""
        path = folder / f"{video.stem}{size}.y4m"
        scale = f"scale={size}," if size else ""
        if not path.exists():
            part = path.with_suffix(".part.y4m")
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", video, "-an", "-vf",
                            f"{scale}setsar=1,format=yuv420p", part], check=True)
            part.rename(path)
        with open(path, "rb") as file:
            words = {word[:1]: word[1:] for word in file.readline().decode().split()[1:]}
        return cls(path, int(words["W"]), int(words["H"]), words["F"].replace(":", "/"))

    def rate(self):
        above, _, below = self.fps.partition("/")
        return int(above) / int(below)


class ScaleRun(PictureRun):
    """sender: a Scaler. settings: build, footage, latency_ms."""

    def start_end(self, lab, end, *arguments):
        with open(self.folder / f"{end}.log", "w", encoding="utf-8") as log:
            command = [*REALTIME, HERE / "scaleend", "--log", self.folder / f"{end}.csv",
                       *arguments]
            environment = dict(os.environ, GST_PLUGIN_PATH_1_0=f"{self.settings.build}/gst",
                               GST_REGISTRY_1_0=f"{self.settings.build}/eval/lab/scale.bin")
            return lab.start(end, [str(part) for part in command], stdout=log, stderr=log,
                             env=environment)

    def receive(self, lab):
        text = RECEIVE.format(here=lab.address("receiver"), port=PORT,
                              latency=self.settings.latency_ms)
        return self.start_end(lab, "receiver", "--stream", self.folder / "received.h264", text)

    def send(self, lab, begin_s):
        footage = self.settings.footage
        text = SEND.format(width=footage.width, height=footage.height, fps=footage.fps,
                           element=self.sender.element, to=lab.address("receiver"), port=PORT)
        return self.start_end(lab, "sender", "--footage", footage.path, "--begin-at",
                              f"{begin_s:.3f}", "--stop-at", f"{begin_s + self.case.seconds:.3f}",
                              text)

    def begin(self, lab):
        self.before = cpu_times()
        return super().begin(lab)

    def finish(self, begin_s, link_s):
        """Only notes what measure() needs: that takes as long as the run, and no quiet machine."""
        played = {"begin_s": begin_s, "link_s": link_s, "load": round(os.getloadavg()[0], 2),
                  "stolen": stolen_share(self.before, cpu_times())}
        (self.folder / PLAYED).write_text(json.dumps(played) + "\n", encoding="ascii")
        return played


def played_text(played):
    return f"stolen {played['stolen']:.1%}"


def measure(case, scaler, number, folder, settings):
    """The figures of a run that was played; its stream and packets are no longer needed then."""
    played = json.loads((folder / PLAYED).read_text(encoding="ascii"))
    begin_s = played["begin_s"]
    scaled = Scaled(case, settings.latency_ms, settings.footage.rate(),
                    read_rows(folder / "sender.csv", begin_s),
                    read_rows(folder / "receiver.csv", begin_s),
                    read_packets(folder, begin_s - played["link_s"]))
    compare(scaled, folder, settings.footage)
    scaled.ssim = read_ssim(folder / "ssim.log")
    (folder / "lanes.json").write_text(json.dumps(scaled.lanes()) + "\n", encoding="ascii")
    figures = {"case": case.name, "sender": scaler.name, "run": number, "load": played["load"],
               "stolen": played["stolen"], **scaled.figures()}
    (folder / "metrics.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="ascii")
    for name in ("packets.csv", "back.csv", "received.h264"):
        (folder / name).unlink()
    return figures


def compare(scaled, folder, footage):
    """The SSIM of what is on the screen with each frame of the camera, into ssim.log."""
    for name, rows in (("units.txt", scaled.unit_bytes), ("screen.txt", scaled.screen())):
        (folder / name).write_text("".join(f"{row}\n" for row in rows), encoding="ascii")
    subprocess.run([HERE / "scaleshown", folder, footage.path, str(footage.width),
                    str(footage.height)], check=True)
