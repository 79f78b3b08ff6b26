# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Pipelines of a cell: one that sends, some that receive, and what is seen at the screens."""

import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "monitor"))
from watched import Gst, free_port  # noqa: E402  pylint: disable=wrong-import-position

PATIENCE_S = 20     # for what must come
FRAMES = 15         # that make a picture
LINKED = ("av", "bin", "demux", "webrtc")   # elements whose pads come while they run
GO_ON_S = 4         # for these, behind the first one
STILL_S = 0.4       # without a frame: no more come
# Looked up here: PyGObject makes a class when it first meets an object of it, and two streaming
# threads that add pads at once find it half made.
CLASSES = (Gst.Pad, Gst.GhostPad, Gst.Element, Gst.Caps, Gst.Structure, Gst.Event)
LOSE_EACH = 20      # the packet that lose() takes, one of so many


class Wrong(Exception):
    """What was expected, what was seen."""


def dicts(value):
    """A GstStructure as {field: value}, with all that is inside."""
    if isinstance(value, Gst.Structure):
        return {name: dicts(field(value, name)) for name in
                (value.nth_field_name(i) for i in range(value.n_fields()))}
    if isinstance(value, list):
        return [dicts(one) for one in value]
    return value


def field(structure, name):
    if structure.get_field_type(name).name == "GstValueArray":
        _, array = structure.get_array(name)
        return [dicts(array.get_nth(i)) for i in range(array.n_values)]
    try:
        return structure.get_value(name)
    except TypeError:
        return None


def elements(top):
    """All that are in a bin."""
    found = []
    top.iterate_recurse().foreach(found.append)
    return found


def made_by(element, *factories):
    return (factory := element.get_factory()) is not None and factory.get_name() in factories


class Ports(dict):
    """{port}, {port2}...: a free one each; {file}: a name."""

    def __missing__(self, name):
        if name == "file":      # another one each time
            return f"{time.monotonic_ns()}"
        if not name.startswith("port"):
            raise KeyError(name)
        self[name] = str(free_port())
        return self[name]


class End:
    """A pipeline, and its screens: all fakesinks that tell of frames"""

    def __init__(self, text, name):
        parsed = Gst.parse_launch(text)
        if not isinstance(parsed, Gst.Pipeline):
            parsed, inner = Gst.Pipeline.new(name), parsed
            parsed.add(inner)
        self.pipeline, self.name, self.shown = parsed, name, {}
        self.pipeline.set_name(name)
        for element in elements(self.pipeline):
            if made_by(element, "fakesink") and element.get_property("signal-handoffs"):
                self.shown[element] = 0
                element.connect("handoff", self.on_frame)
            if element.get_name() in LINKED:
                element.connect("pad-added", self.on_pad)

    def on_frame(self, sink, *_):
        self.shown[sink] += 1

    def on_pad(self, element, pad):
        """To the element called as the pad or its media (video of video_0), or to the one called
        show. The parser does so too, but only once."""
        if pad.direction != Gst.PadDirection.SRC or element.get_parent() != self.pipeline:
            return
        for name in (pad.get_name(), pad.get_name().split("_")[0], "show"):
            if entry := self.pipeline.get_by_name(name):
                sink = entry.get_static_pad("sink")
                if peer := sink.get_peer():     # of who sent before
                    if peer == pad:
                        return
                    peer.unlink(sink)
                pad.link(sink)
                return

    def remove(self, gate, *others):
        """A branch of a tee that begins with gate, and the others of it that are there."""
        tee_pad = self.find(gate).get_static_pad("sink").get_peer()
        tee_pad.get_parent_element().release_request_pad(tee_pad)
        for element in filter(None, map(self.find, (gate, *others))):
            element.set_state(Gst.State.NULL)
            self.pipeline.remove(element)

    def finish(self, scene):
        """Its files get their end, and are returned."""
        files = [one for one in elements(self.pipeline) if made_by(one, "filesink")]
        self.pipeline.send_event(Gst.Event.new_eos())
        scene.wait(f"the end of the files of {self.name}", lambda: all(
            file.get_static_pad("sink").get_sticky_event(Gst.EventType.EOS, 0) for file in files))
        self.stop()
        return [file.get_property("location") for file in files]

    def find(self, name):
        return self.pipeline.get_by_name(name)

    def sockets(self):
        """Pads by which packets come from the network."""
        return [element.get_static_pad("src") for element in elements(self.pipeline)
                if made_by(element, "udpsrc", "nicesrc") or element.get_name() == "udpsrc"]

    def play(self):
        self.pipeline.set_state(Gst.State.PLAYING)

    def stop(self):
        self.pipeline.set_state(Gst.State.NULL)


def set_property(element, name, text):
    """As in a launch line; of a server, to those who are served if it is not its own."""
    if element.find_property(name):
        Gst.util_set_object_arg(element, name, text)
    elif element.find_property("viewer-properties"):
        kind = Gst.ElementFactory.make("rmcsink").find_property(name).value_type.name
        kind = kind if kind.startswith("g") else "string"
        viewer = element.get_property("viewer-properties")
        base = viewer.to_string().rstrip(";") if viewer else "viewer"
        Gst.util_set_object_arg(element, "viewer-properties", f'{base}, {name}=({kind})"{text}"')
    else:
        raise Wrong(f"{element.get_name()} has no property {name}")


class Scene:
    """parts: {name: text} of the table, in which {other} is another part."""

    def __init__(self, parts):
        self.folder = tempfile.TemporaryDirectory()
        self.parts = Ports(parts, folder=self.folder.name)
        self.ends, self.warnings = [], []
        self.calls = []     # of webrtcbins

    # --- building ---

    def text(self, name):
        """tail2, receive2: the same with other ports and names."""
        if name.endswith("2") and name not in self.parts:
            text = self.parts[name[:-1]].replace("{to}", "{to2}")
            text = re.sub(r"{port(\d*)}", r"{port9\1}", text)
            if name == "tail2":
                text = re.sub(r"(?<!-)name=(\w+)", r"name=\g<1>2", text).replace("bin.", "bin2.")
            self.parts[name] = text
        text = self.parts[name]
        while found := re.search(r"{([\w-]+)}", text):
            if (part := found[1]).endswith("2") and not part.startswith("port"):
                self.text(part)
            text = text[:found.start()] + self.parts[part] + text[found.end():]
        return text

    def properties(self, end, name):
        if element := end.find(name):
            self.set_properties(element, name)

    def set_properties(self, element, name):
        for one in self.text(name).split():
            key, value = one.split("=", 1)
            set_property(element, key, value.replace("+", " "))

    def receiver(self, name="receive"):
        end = End(self.text(name), f"receiver{len(self.ends)}")
        self.properties(end, "source")
        self.ends.append(end)
        return end

    def sender(self):
        end = End(self.text("send"), "sender")
        self.properties(end, "sink")
        self.ends.append(end)
        return end

    def build(self):
        """The receivers, then what is on the way, then the sender."""
        self.receivers = [self.receiver(name) for name in self.text("receivers").split()]
        if self.text("between"):
            self.ends.append(End(self.text("between"), "between"))
        self.sending = self.sender()
        if "webrtc" in self.parts:
            from webrtccall import Call  # pylint: disable=import-outside-toplevel
            self.calls = [Call(self, self.sending.find(f"webrtc{'2' * i}"), end.find("webrtc"))
                          for i, end in enumerate(self.receivers)]

    def play(self):
        for end in self.ends:
            end.play()
        for call in self.calls:
            call.begin()

    def close(self):
        for end in reversed(self.ends):
            end.stop()
        self.folder.cleanup()

    # --- looking ---

    def read_messages(self):
        for end in self.ends:
            while message := end.pipeline.get_bus().pop():
                if message.type == Gst.MessageType.LATENCY:
                    end.pipeline.recalculate_latency()
                elif message.type == Gst.MessageType.WARNING:
                    self.warnings.append(message.parse_warning().gerror.message)
                    if self.parts.get("refusal", "\n") in self.warnings[-1]:
                        raise Wrong(self.warnings[-1])
                elif message.type == Gst.MessageType.ERROR:
                    error, more = message.parse_error()
                    raise Wrong(f"error: {error.message} {(more or '').splitlines()[-1:]}")

    def wait(self, what, happened, patience_s=PATIENCE_S, seen=lambda: "nothing of it"):
        """How long it took."""
        begin_s = time.monotonic()
        while not happened():
            self.read_messages()
            if time.monotonic() > begin_s + patience_s:
                more = f"; warning: {self.warnings[-1]}" if self.warnings else ""
                raise Wrong(f"expected {what} within {patience_s} s, saw {seen()}{more}")
            time.sleep(0.01)
        return time.monotonic() - begin_s

    def still(self):
        """Until what is buffered has been shown."""
        def frames():
            return sum(sum(end.shown.values()) for end in self.receivers)
        before = -1
        while before != frames():
            before = frames()
            time.sleep(STILL_S)

    def picture(self, receivers=None, what="a picture"):
        """New frames on each screen; the time to the last of the first ones."""
        screens = [(end, sink, n) for end in receivers or self.receivers
                   for sink, n in end.shown.items()]
        counts = lambda: [end.shown[sink] - n for end, sink, n in screens]
        first_s = self.wait(what, lambda: min(counts()) > 0, seen=lambda: f"{counts()} frames")
        if first_s > float(self.parts["within"]):
            raise Wrong(f"expected {what} within {self.parts['within']} s, saw it after "
                        f"{first_s:.2f} s")
        self.wait(f"{what} that goes on", lambda: min(counts()) >= FRAMES, patience_s=GO_ON_S,
                  seen=lambda: f"{counts()} frames")
        return first_s

    def stats(self, end, name):
        element = end.find(name)
        return dicts(element.get_property("stats")) if element else {}

    def sessions(self):
        """Statistics of each session that sends."""
        held = self.stats(self.sending, "sink")
        return [one["sink"] for one in held["viewers"]] if "viewers" in held else [held]

    def sources(self):
        return [self.stats(end, "source") for end in self.receivers]

    def moved(self, fields, of, read):
        """Waits until these statistics are there and not 0."""
        def still():
            return [name for held in read() or [{}] for name in fields if not held.get(name)]
        self.wait(f"all of {of} to move", lambda: not still(),
                  seen=lambda: f"still 0: {' '.join(still())}")

    def resting(self, fields, of, read):
        """These stay 0."""
        if moved := [f"{name}={held[name]}" for held in read() for name in fields
                     if held.get(name)]:
            raise Wrong(f"expected 0 of {of}, saw {' '.join(moved)}")

    def mended(self):
        """FACTORY.PROPERTY counts in one of the ends."""
        factory, name = self.parts["mended"].split(".")
        return any(made_by(element, factory) and element.get_property(name) > 0
                   for end in self.ends for element in elements(end.pipeline))

    def lose(self):
        """From now on each receiver loses one packet of RTP of twenty, the same in each run."""
        for end in self.receivers:
            for pad in end.sockets():
                pad.add_probe(Gst.PadProbeType.BUFFER, lose_some, [0])


def lose_some(_pad, info, count):
    head = info.get_buffer().extract_dup(0, 2)
    is_rtp = len(head) == 2 and head[0] >> 6 == 2 and not 192 <= head[1] <= 223
    count[0] += is_rtp
    lost = is_rtp and count[0] % LOSE_EACH == 0
    return Gst.PadProbeReturn.DROP if lost else Gst.PadProbeReturn.OK
