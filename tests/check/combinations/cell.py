# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""cell.py ROW COLUMN: runs a cell of table.ini in this process.

Its last line is "ok FIGURES", or what was expected and seen; status 1 then."""

import os
import sys

import scene as scenes
from scene import FRAMES, Gst, Scene, Wrong, set_property
from table import Table

from gi.repository import GLib

SKIPPED = 77
KEYS = [f"{digit}" * 60 for digit in "123"]
SMALLER = (160, 90)

# What a column does, once all plays. Each is called by its name in the column's `run`.
STEPS = {}


def step(function):
    STEPS[function.__name__.replace("_", "-")] = function
    return function


@step
def picture(scene):
    """The picture is there, and statistics move."""
    first_s = scene.picture()
    check_health(scene)
    return f"picture after {first_s:.2f} s"


def check_health(scene):
    parts = scene.parts
    scene.moved(parts["sink-moves"].split(), "the sender's statistics", scene.sessions)
    if parts["source-moves"]:
        scene.moved(parts["source-moves"].split(), "the receiver's statistics", scene.sources)


@step
def statistics(scene):
    """All that moves on a healthy path, and nothing else."""
    figures = picture(scene)
    scene.moved(scene.text("sink-complete").split(), "the sender's statistics", scene.sessions)
    if fields := scene.text("source-complete").split():
        scene.moved(fields, "the receiver's statistics", scene.sources)
    if scene.text("more-complete"):
        name, *fields = scene.text("more-complete").split()
        scene.moved(fields, f"the statistics of {name}",
                    lambda: [scene.stats(scene.sending, name)])
    return figures


@step
def paths(scene):
    """Each carries, and the sums are those of the paths."""
    figures = picture(scene)
    names = scene.text("sink").split("paths=")[1].split(",")

    def carrying():
        return [sum(path["state"] == "carrying" and path["packets-sent"] > FRAMES
                    for path in session["paths"]) for session in scene.sessions()]

    scene.wait(f"{len(names)} paths that carry",
               lambda: carrying() == [len(names)] * len(carrying()) and carrying(),
               seen=lambda: f"{carrying()}")
    scene.picture()
    return figures


@step
def srtp(scene):
    figures = picture(scene)
    scene.wait("srtp on", lambda: all(held["srtp"].startswith("aes") for held in scene.sources()))
    return figures


@step
def rekey(scene):
    """Twice: the receiver keeps the key before, not the one before that."""
    figures = picture(scene)
    for key in KEYS[1:]:
        for end in scene.receivers:
            set_property(end.find("source"), "srtp-key", key)
        scene.picture()
        set_property(scene.sending.find("sink"), "srtp-key", key)
        scene.picture(what="a picture under the new key")
    return figures


@step
def losses(scene):
    """One packet of twenty is lost, and what mends it counts."""
    figures = picture(scene)
    scene.lose()
    for end, fields in (("sink", scene.sessions), ("source", scene.sources)):
        if names := scene.text(f"{end}-mends").split():
            scene.moved(names, f"the repairs at the {end}", fields)
    if scene.parts["mended"]:
        scene.wait(f"{scene.parts['mended']} to count", scene.mended)
    scene.picture()
    return figures


@step
def adapt_latency(scene):
    figures = picture(scene)
    scene.moved(["latency-changes", "latency"], "the receiver's statistics", scene.sources)
    least = [held["latency"] // 1000000 for held in scene.sources()]
    scene.picture()
    return f"{figures}, latency {least} ms"


@step
def restart_sender(scene):
    picture(scene)
    scene.sending.stop()
    scene.still()
    scene.sending.play()
    return f"picture again after {scene.picture(what='a picture again'):.2f} s"


@step
def restart_receiver(scene):
    picture(scene)
    for end in scene.receivers:
        end.stop()
    for end in scene.receivers:
        end.play()
    return f"picture again after {scene.picture(what='a picture again'):.2f} s"


@step
def replace_receiver(scene):
    """Others take the place of the first ones, which just go."""
    picture(scene)
    for end in scene.receivers:
        end.stop()
    scene.receivers = [scene.receiver() for _ in scene.receivers]
    for end in scene.receivers:
        end.play()
    return f"picture again after {scene.picture(what='a picture at the other one'):.2f} s"


@step
def shared(scene):
    """Both have the picture, and one has it when the other one is gone."""
    figures = picture(scene)
    scene.sending.remove("gate", "sink2", "webrtc2", "av2")
    scene.picture([scene.receivers[0]], "a picture when the other sink is gone")
    return figures


@step
def resize(scene):
    figures = picture(scene)
    width, height = SMALLER

    def sizes():
        caps = [sink.get_static_pad("sink").get_current_caps().get_structure(0)
                for end in scene.receivers for sink in end.shown]
        return {(s.get_value("width"), s.get_value("height")) for s in caps
                if s.has_field("width")}

    for element in scenes.elements(scene.sending.pipeline):
        if element.get_name().startswith("size"):
            caps = element.get_property("caps").copy()
            caps.set_value("width", width)
            caps.set_value("height", height)
            element.set_property("caps", caps)
    scene.wait("the new size", lambda: sizes() == {SMALLER}, seen=sizes)
    scene.picture()
    return figures


@step
def law(scene):
    figures = picture(scene)
    wanted = scene.parts["law"]
    scene.wait(f"the law {wanted}", lambda: all(
        held.get("congestion-control") == wanted for held in scene.sessions()),
        seen=lambda: [held.get("congestion-control") for held in scene.sessions()])
    return figures


@step
def stamps(scene):
    """The rate that the relay stamped is what the law obeys."""
    figures = law(scene)
    scene.moved(["law-explicit-rate"], "the rate of the relay", scene.sessions)
    return figures


@step
def recording(scene):
    """The file has the frames, at each receiver."""
    figures = picture(scene)
    scene.picture()
    for file in [file for end in scene.receivers for file in end.finish(scene)]:
        played = scenes.End(f"filesrc location={file} ! matroskademux name=demux "
                            "h264parse name=video ! avdec_h264 ! fakesink sync=false "
                            "signal-handoffs=true", "file")
        scene.ends.append(played)
        played.play()
        scene.picture([played], "a recorded picture")
    return figures


# --- one cell ---

def variants(table, row, column):
    """The parts of each run of the cell."""
    parts = table.parts(row, column)
    if parts.get("each") != "law":
        return [parts]
    kind = Gst.ElementFactory.make(parts["element"]).find_property("congestion-control")
    return [parts | {"law": value.value_nick} for value in kind.enum_class.__enum_values__.values()]


def run_once(parts):
    scene = Scene(parts)
    try:
        scene.build()
        scene.play()
        figures = STEPS[parts["run"]](scene)
        for end, held in (("sink", scene.sessions), ("source", scene.sources)):
            names = set(parts[f"{end}-rests"].split()) - set(parts["forgiven"].split())
            scene.resting(sorted(names), f"the errors at the {end}", held)
        return figures
    finally:
        scene.close()


def begin_watch(column):
    """Of who looks on; or why nobody can."""
    from watch import Watch, why_unavailable  # pylint: disable=import-outside-toplevel
    if why := why_unavailable(column):
        return why
    watch = Watch()
    STEPS.update(page=watch.page, metrics=watch.metrics)
    return watch


def main(row, column):
    """The verdict of the table holds."""
    table = Table()
    verdict, why = table.cell(row, column)
    watch = begin_watch(column) if table.parts(row, column)["run"] in ("page", "metrics") else None
    if isinstance(watch, str):
        return f"skipped: {watch}"
    Gst.init(None)
    figures = []
    try:
        for parts in variants(table, row, column):
            which = f"{parts['law']}: " if "each" in parts else ""
            figures.append(run_once(parts | ({"refusal": why} if verdict == "refused" else {})))
    except (Wrong, GLib.Error) as wrong:
        seen = f"{which}{wrong}"
    else:
        seen = ""
    if watch:
        watch.close()
    if verdict == "refused" and why in seen:
        return f"ok refused: {why}"
    if verdict == "refused":
        return f"expected \"{why}\", saw {seen or 'it work'}"
    if verdict == "fails":
        return f"ok fails: {seen}" if seen else "expected a failure, saw it work: correct table.ini"
    return seen or f"ok {'; '.join(dict.fromkeys(figures))}"


if __name__ == "__main__":
    said = main(*sys.argv[1:])
    said = " ".join(said.split())     # a line
    print(said, flush=True)
    # The interpreter's end would free what streaming threads still call.
    os._exit(SKIPPED if said.startswith("skipped") else not said.startswith("ok "))
