#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The page of gst-arc-monitor in a headless Chromium: its numbers are those of `stats`, and it
survives that a stream, or the monitor, ends and starts again; what happened is text to it.

Usage: page.py MONITOR LAB_FOLDER. It is skipped where there is no Chromium, and on build servers
(CI), whose time it is not worth."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import watched
from toldprocess import ToldProcess

sys.path[:0] = [sys.argv[2], str(Path(__file__).resolve().parents[2])]
import chromium  # pylint: disable=wrong-import-position
from quiet import Claim, judge  # pylint: disable=wrong-import-position

EVENTS = 50     # that the page shows
AGAIN_WITHIN_S = 90     # a trial takes half a minute, and the test has five
AGE = re.compile(r"\d s ago")
CHART_JS = Path("/usr/share/javascript/chart.js/chart.min.js")
# A card as {title, state, ended, figures: {field: [value, text]}, table: {field: text}, charts}.
CARDS = """[...document.querySelectorAll('.stream')].map((card) => ({
  title: card.querySelector('h2').textContent,
  where: card.querySelector('.where').textContent,
  state: card.querySelector('.state').textContent,
  figures: Object.fromEntries([...card.querySelectorAll('output')].map(
    (node) => [node.dataset.field, [node.dataset.value, node.textContent]])),
  table: Object.fromEntries([...card.querySelectorAll('td[data-stat]')].map(
    (node) => [node.dataset.stat, node.textContent])),
  log: [...card.querySelectorAll('.log:not([hidden]) li')].map(
    (node) => [node.dataset.kind, node.querySelector('.text').textContent]),
  charts: card.querySelectorAll('canvas').length}))"""


class Page:
    def __init__(self, folder, url):
        self.processes = []
        self.browser = chromium.Browser(self.start, folder, "browser", url)

    def start(self, command, **popen):
        self.processes.append(subprocess.Popen(command, start_new_session=True, **popen))

    def close(self):
        self.browser.call("Browser.close")
        self.browser.close()
        for process in self.processes:
            process.wait(watched.WAIT_S)

    def run(self, script):
        return self.browser.run(script)

    def card(self, title, where):
        """The only one of that name, else None."""
        found = [card for card in self.run(CARDS)
                 if card["title"] == title and where in card["where"]]
        return found[0] if len(found) == 1 else None

    def wait_for_state(self, title, where, state):
        return watched.wait_for(lambda: (card := self.card(title, where)) is not None
                                and card["state"] == state)


def check(claim, ok, more=""):
    return Claim(claim if ok else f"{claim} {more}", bool(ok))


def written(held):
    """As JavaScript writes it."""
    if isinstance(held, (bool, float)):
        return json.dumps(int(held) if isinstance(held, float) and held == int(held) else held)
    return str(held)


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def differences(shown, held):
    return {field: (text, held[field]) for field, text in shown.items()
            if field in held and number(text) != number(written(held[field]))}


def rate_text(bps):
    return f"{bps / 1e6:.2f} Mbit/s" if bps >= 1e6 else f"{bps / 1e3:.0f} kbit/s"


class Comparison:
    """Of a card with stats of its element."""

    def __init__(self, page, element):
        card = page.card(element.get_name(), "test") or {"figures": {}, "table": {}}
        held = watched.stats(element)
        figures = {field: value for field, (value, _) in card["figures"].items()}
        self.n_figures, self.n_fields = len(figures), len(held)
        self.missing = held.keys() - card["table"].keys()
        self.wrong_figures = differences(figures, held)
        self.wrong_fields = differences(card["table"], held)

    def is_good(self):
        return self.n_figures > 5 and not (self.wrong_figures or self.missing or self.wrong_fields)


def check_numbers(page, elements):
    """The streams stand still, so the page shows in the end what stats has. It may be a moment
    late: in the first seconds some fields still change, such as `feedback` of arcsrc."""
    compared = {}

    def agrees(element):
        compared[element] = Comparison(page, element)
        return compared[element].is_good()

    watched.wait_for(lambda: all(page.card(e.get_name(), "test") for e in elements))
    page.run("for (const node of document.querySelectorAll('details')) node.open = true")
    for element in elements:
        name = element.get_name()
        watched.wait_for(lambda element=element: agrees(element))
        c = compared[element]
        yield check(f"{name}: {c.n_figures} figures are those of stats",
                    c.n_figures > 5 and not c.wrong_figures, c.wrong_figures)
        yield check(f"{name}: all {c.n_fields} fields are in the table, as in stats",
                    not c.missing and not c.wrong_fields, (c.missing, c.wrong_fields))


def check_ends(page):
    yield check("both ends of a stream of this machine are one card", watched.wait_for(
        lambda: page.run("[...document.querySelectorAll('.stream:has(+ .joined) h2, .joined h2')]"
                         ".map((title) => title.textContent)") == ["sender", "receiver"]))


def check_causes(page, sender):
    """Below the rates; what a colour means is said when the pointer is on it."""
    def drawn():
        strips = page.run("[...document.querySelectorAll('.causes .bar')].map((bar) => "
                          "[bar.dataset.cause, bar.style.backgroundImage.split('(')[0]])")
        legend = page.run("Object.fromEntries([...document.querySelectorAll('.legend span')]"
                          ".map((span) => [span.dataset.cause, span.title]))")
        cause = watched.stats(sender)["rate-cause"]
        return ([cause, "linear-gradient"] in strips
                and legend.get(cause, "").startswith(f"{cause}: "))

    return check("the cause of the rate is drawn, and its colour is explained",
                 watched.wait_for(drawn))


def check_texts(page, sender):
    card, held = page.card("sender", "test"), watched.stats(sender)
    text = {field: text for field, (_, text) in card["figures"].items()}
    yield check("a rate is written in its unit", text["rate"] == rate_text(held["rate"])
                and text["target-bitrate"] == rate_text(held["target-bitrate"]), text)
    if CHART_JS.exists():
        drawn = watched.wait_for(lambda: page.card("sender", "test")["charts"] == 2)
        yield check("rates and delays are drawn", drawn)
        yield check_causes(page, sender)
        for span, tick in (("hour", -3600), ("minute", -60)):
            page.run(f"document.getElementById('span').value = '{span}';"
                     "document.getElementById('span').onchange()")
            axis = page.run("[...document.querySelectorAll('.stream canvas')].map("
                            "(canvas) => Chart.getChart(canvas).scales.x.min)")
            yield check(f"over the last {span} too", axis and set(axis) == {tick}, axis)


def check_log(page, path):
    """Of a process that ends and starts again under the same name."""
    hostile = "<img src=x onerror=\"document.title = 'taken'\"> & <b>bold</b>"

    def shown():
        return (page.card("told", "log") or {}).get("log", [])

    wanted, time = [], 0
    for text in ("first", hostile):
        process = ToldProcess(path, "log")
        process.run = text
        process.snapshot()
        process.message("warning", text, time=(time := time + 1000))
        wanted.insert(0, ["warning", text])
        yield check(f"what happened is shown, newest first: {len(wanted)}",
                    watched.wait_for(lambda: shown() == wanted), shown())
        process.close()
        yield check("and stays when the stream has ended",
                    page.wait_for_state("told", "log", "ended") and shown() == wanted, shown())
    yield check("as text, whatever is in it", page.run("document.title") == "gst-arc monitor"
                and page.run("document.querySelectorAll('.log img, .log b').length") == 0)
    yield from check_advice(page, path)
    process = ToldProcess(path, "log")
    process.snapshot()
    for number in range(2 * EVENTS):
        process.message("info", str(number), time=5000 + number)
        if number % 20 == 0:    # the page hears of more than the monitor keeps at once
            watched.wait_for(lambda number=number: ["info", str(number)] in shown())
    last = ["info", str(2 * EVENTS - 1)]
    yield check(f"the last {EVENTS} are shown", watched.wait_for(
        lambda: shown()[:1] == [last] and len(shown()) == EVENTS), shown())
    process.close()


def check_advice(page, path):
    """What the guide says about a message is there without the network."""
    process = ToldProcess(path, "advice")
    process.snapshot()
    process.message("warning", "port 0 is not possible; set port", time=1)
    process.message("warning", "sink3: host 224.0.0.1 is a multicast group, which", time=2)
    process.message("warning", "nobody has written about it", time=3)

    def advice():
        return page.run("""[...document.querySelectorAll('.stream:not(.ended) .log li')].map(
          (row) => row.querySelector('.advice p')?.textContent ?? null)""")

    yield check("a message has its cause and cure of the guide", watched.wait_for(
        lambda: advice()[-3:] == [
            None, "rmcsink adapts to the reports of one receiver. For multicast use `udpsink` at a "
            "fixed bitrate.", "`port` is 0 or was never set. Set it to the port that the receiver "
            "listens on."]), advice())
    process.close()


# As docs/guide/monitor.md has it.
PICTURE = ("queue leaky=downstream max-size-buffers=1 ! videorate drop-only=true ! "
           "video/x-raw,framerate=1/2 ! videoscale ! "
           "video/x-raw,width=160,pixel-aspect-ratio=1/1 ! videoconvert ! jpegenc ! "
           "multifilesink async=false location={}")
# [hidden, width, height, age, address] of the picture on the card of that title and process.
THUMBNAIL = """(() => {{
  const card = [...document.querySelectorAll('.stream')].find((card) =>
    card.querySelector('h2').textContent === '{}'
    && card.querySelector('.where').textContent.includes('{}'));
  card?.scrollIntoView();
  const node = card?.querySelector('.thumbnail'), image = node?.querySelector('img');
  return node && [node.hidden, image.naturalWidth, image.naturalHeight,
    node.querySelector('figcaption').textContent, image.src];
}})()"""


def check_thumbnail(page, path, pictures):
    """Of a stream that offers one."""
    file = pictures / "pictured-sender.jpg"
    line = watched.loopback_line(-1).replace(
        "framerate=30/1 !", f"framerate=30/1 ! tee name=t ! {PICTURE.format(file)} t. ! queue !")
    job = watched.launch(path, line, "pictured")

    def shown():
        return page.run(THUMBNAIL.format("sender", "pictured")) or [True, 0, 0, "", ""]

    yield check("the picture that a stream offers is on its card", watched.wait_for(
        lambda: shown()[:3] == [False, 160, 90]), shown())
    yield check("with its age", watched.wait_for(
        lambda: AGE.fullmatch(shown()[3]) is not None), shown())
    first = shown()[4]
    yield check("and the next one follows", watched.wait_for(
        lambda: not shown()[0] and shown()[4] != first), first)
    yield check("a stream that offers none has none",
                page.run("document.querySelectorAll('.thumbnail:not([hidden])').length") == 1)
    job.kill()
    job.wait()
    yield check("with the stream the picture goes", watched.wait_for(lambda: shown()[0]), shown())
    yield from check_other_thumbnails(page, path, pictures, file.read_bytes())


def check_other_thumbnails(page, path, pictures, jpeg):
    """Of a stream that offers no new one, or no picture; with names as bad as they may be."""
    name = "a&key=b#?%2e\"<img src=x>"
    file = pictures / f"{name}-told.jpg"
    process = ToldProcess(path, name)
    process.snapshot()

    def is_hidden():
        return (page.run(THUMBNAIL.format("told", "a&key=b#")) or [None])[0]

    for claim, content, age_s, hidden in (
            ("a picture whose name means something in addresses is shown", jpeg, 0, False),
            ("one that is older than 10 s is not", jpeg, 11, True),
            ("a new one is again", jpeg, 0, False),
            ("and what is no picture is not", b"<script>" + jpeg, 0, True)):
        file.write_bytes(content)
        os.utime(file, (time.time() - age_s,) * 2)
        yield check(claim, watched.wait_for(lambda hidden=hidden: is_hidden() is hidden))
    process.close()


def check_ladder(page, path):
    """Two encodings stand in the table by their pads, and are drawn."""
    source = ("videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=10/1 ! jpegenc "
              "! choice.")
    job = watched.launch(path, f"arcladder name=choice rungs=0 {source} {source} "
                         "choice. ! fakesink async=false", "ladder")

    def rows():
        page.run("document.querySelector('.rungs:not([hidden])')?.scrollIntoView()")
        return page.run("[...document.querySelectorAll('.rungs:not([hidden]) tbody tr')]"
                        ".map((row) => row.dataset.member)")

    yield check("a ladder's encodings are a table", watched.wait_for(
        lambda: rows() == ["sink_0", "sink_1"]), rows())
    if CHART_JS.exists():
        yield check("and are drawn", watched.wait_for(lambda: rows() and page.run(
            "[...document.querySelectorAll('.ladder canvas')].map((canvas) => "
            "Chart.getChart(canvas).data.datasets.filter((line) => line.stepped).length)") == [2]))
    job.kill()
    job.wait()


# {viewer, since, rate, rendition, ...} of each row, and the text above them.
VIEWERS = """(() => {
  const node = document.querySelector('.viewers:not([hidden])');
  node?.scrollIntoView();
  return node && {count: node.querySelector('.many span').textContent,
    rows: [...node.querySelectorAll('tbody tr')].map((row) => Object.fromEntries(
      [...row.querySelectorAll('[data-column]')].map(
        (cell) => [cell.dataset.column, cell.textContent])))};
})()"""
WIDTHS = (1280, 390)


def check_width(page):
    """Nothing of the page is beyond its right edge."""
    for width in WIDTHS:
        page.browser.resize(width, 900)
        beyond = """document.documentElement.scrollWidth <= document.documentElement.clientWidth
          ? [] : [...document.querySelectorAll('body *:not(.members *)')].filter((node) =>
            node.getBoundingClientRect().right > innerWidth).map((node) =>
            `${node.tagName} ${node.className} ${node.textContent.slice(0, 30)}`).slice(0, 9)"""
        yield check(f"the page fits into {width} pixels",
                    watched.wait_for(lambda beyond=beyond: not page.run(beyond)), page.run(beyond))
    page.browser.resize(WIDTHS[0], 900)


def check_server(page, path):
    """A server with a ladder and viewers, which are in its table with the rendition that they
    get."""
    port = watched.free_port()
    name = "<script>document.title = 'taken'</script>" + 400 * "A"
    job = watched.launch(path, "videotestsrc is-live=true ! video/x-raw,format=I420,width=64,"
                         "height=48,framerate=10/1 ! arcserversink name=server "
                         f"port={port} splitter=arcladder", "server")
    watched.wait_for(lambda: page.card("server", "server"))
    callers = watched.Gst.Pipeline()
    for stream_id in ("lobby", name):
        caller = watched.Gst.parse_bin_from_description(
            f"arcsrc name=caller mode=caller host=127.0.0.1 port={port} ! fakesink async=false",
            False)
        caller.get_by_name("caller").set_property("streamid", stream_id)
        callers.add(caller)
    callers.set_state(watched.Gst.State.PLAYING)

    def rows():
        shown = page.run(VIEWERS) or {"rows": []}
        return {row["viewer"][:10]: row for row in shown["rows"]}

    yield check("the viewers of a server are a table, each with its rendition",
                watched.wait_for(lambda: set(rows()) == {"lobby", "<script>do"} and all(
                    row["rendition"].endswith("bit/s") and row["rate"].endswith("bit/s")
                    and row["state"] == "running" for row in rows().values())), rows())
    yield check("a long name is cut", all(len(row["viewer"]) <= 64 for row in rows().values())
                and page.run("document.title") == "gst-arc monitor", rows())
    yield check("the ladder is at the foot of its server", watched.wait_for(lambda: page.run(
        "[...document.querySelectorAll('.joined h2')].some((node) => "
        "node.textContent.startsWith('arcladder'))")))
    yield from check_width(page)
    callers.set_state(watched.Gst.State.NULL)
    job.kill()
    job.wait()


MANY, SHOWN = 300, 50
HOSTILE = ("<img src=x onerror=\"document.title = 'taken'\">", 2500 * "long", "\u202eevil\u202c",
           "a\tb\u0007c", "\u061b\u0627\u0644\u0639")


def check_crowd(page, path):
    """Those in trouble are shown of many, and one is found by its name, whatever names there
    are."""
    process = ToldProcess(path, "crowd")
    viewers = [{"address": f"192.0.2.1:{5000 + i}", "streamid": f"viewer-{i}",
                "sink": {"state": "running", "rate": 1000000 + i, "packets_sent": 1000,
                         "packets_lost": 0, "rtt": 1000000}} for i in range(MANY)]
    for viewer, name in zip(viewers[100:], HOSTILE):
        viewer["streamid"] = name
        viewer["sink"]["rate"] = 1000
    viewers[200]["sink"]["state"] = "stopped"
    process.snapshot(viewers=viewers, viewers_now=MANY)
    own = {}

    def shown():
        return page.run(VIEWERS) or {"rows": [], "count": ""}

    watched.wait_for(lambda: len(shown()["rows"]) == SHOWN)
    found, count = [row["viewer"] for row in shown()["rows"]], shown()["count"]
    yield check(f"of {MANY} viewers {SHOWN} are shown, those in trouble first",
                len(found) == SHOWN and found[0] == "viewer-200"
                and count.startswith(f"{SHOWN} of {MANY} "), (found[:3], count))
    yield check("names are text, of a length that one reads, without signs that nobody sees",
                page.run("document.title") == "gst-arc monitor"
                and page.run("document.querySelectorAll('.viewers img').length") == 0
                and {HOSTILE[0], "\ufffdevil\ufffd", "a b\ufffdc", HOSTILE[4]} <= set(found)
                and max(map(len, found)) == 64, found[:7])
    yield from check_width(page)
    def health():
        process.snapshot(viewers=viewers, viewers_now=MANY, **own)
        return page.run("""(() => {
          const card = document.querySelector('.stream:has(.viewers:not([hidden]))');
          return [card?.querySelector('.head .health').dataset.health,
            [...card?.querySelectorAll('.alarms li') ?? []].map((row) => row.textContent),
            card?.querySelector('tbody tr').dataset.health];
        })()""")

    yield check("one viewer of many who is silent is red, and the server is not",
                watched.wait_for(lambda: health() == ["green", [
                    f"Viewers1 of {MANY} have an alarm, and come first below"], "red"]), health())
    for viewer in viewers[:160]:
        viewer["sink"]["state"] = "stopped"
    own["state"] = "stopped"
    yield check("of the half of them it is, as of an alarm of its own", watched.wait_for(
        lambda: health()[0] == "red" and health()[1][0].startswith(
            "ReceiverSilentthe receiver does not answer")), health())
    page.run("(() => { const find = document.querySelector('.viewers:not([hidden]) input');"
             "find.value = 'WER-29'; find.oninput(); })()")
    yield check("those of a name are found", watched.wait_for(
        lambda: {row["viewer"] for row in shown()["rows"]}
        == {f"viewer-{i}" for i in (29, *range(290, 300))}), len(shown()["rows"]))
    process.close()


def check_paths(page, path):
    line = watched.loopback_line(-1).replace(
        "name=sender", "name=sender paths=127.0.0.1,127.0.0.2")
    job = watched.launch(path, line, "paths")

    def shown():                # only what is seen is drawn
        page.run("""[...document.querySelectorAll('.stream')].find((card) =>
          card.querySelector('h2').textContent === 'sender'
          && card.querySelector('.where').textContent.includes('paths'))?.scrollIntoView()""")
        card = page.card("sender", "paths") or {"figures": {}, "charts": 0}
        rows = page.run("""Object.fromEntries([...document.querySelectorAll(
          '.paths:not([hidden]) tbody tr')].map((row) => [row.dataset.member,
          row.children[1].textContent]))""")
        return rows, card["charts"]

    drawn = 3 if CHART_JS.exists() else 0
    watched.wait_for(lambda: shown()[0])
    # What is not in sight is not drawn.
    page.run("[...document.querySelectorAll('.stream')].at(-1).scrollIntoView()")
    yield check("each path is shown with its state, and they are drawn", watched.wait_for(
        lambda: shown() == ({"127.0.0.1": "carrying", "127.0.0.2": "carrying"}, drawn)), shown())
    job.kill()
    job.wait()


def is_folded(page, title, where):
    """Of its only card."""
    return page.run(f"""[...document.querySelectorAll('.stream')].filter((card) =>
      card.querySelector('h2').textContent === '{title}'
      && card.querySelector('.where').textContent.includes('{where}')).map(
      (card) => card.closest('#ended') !== null)""") == [True]


def check_restart_of_a_stream(page, path):
    line = watched.loopback_line(-1)
    for count in (1, 2):
        job = watched.launch(path, line, "other")
        yield check(f"start {count} of a stream is shown",
                    page.wait_for_state("sender", "other", "running"))
        frames = watched.wait_for(lambda: page.card("sender", "other")["figures"].get("frames"))
        yield check("with its frame size", frames and frames[1] == "320×180, 30/s", frames)
        yield check("among those that run", not is_folded(page, "sender", "other"))
        job.kill()
        job.wait()
        yield check(f"end {count} of the stream is shown",
                    page.wait_for_state("sender", "other", "ended"))
        yield check("and it is folded away", watched.wait_for(
            lambda: is_folded(page, "sender", "other")))


def connected(page):
    return page.run("document.getElementById('connection').dataset.connected") == "true"


def page_claims(program, socket_folder):
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        with watched.Monitor(program, socket_folder, "--thumbnails", folder) as monitor:
            port = monitor.page.split(":")[2].strip("/")
            watched.start_gstreamer(monitor.path)
            pipeline, sender, receiver = watched.play_for_a_moment()
            stack.callback(pipeline.set_state, watched.Gst.State.NULL)
            page = Page(folder, monitor.page)
            stack.callback(page.close)
            yield from check_numbers(page, (sender, receiver))
            yield from check_ends(page)
            yield from check_texts(page, sender)
            yield from check_log(page, monitor.path)
            yield from check_paths(page, monitor.path)
            yield from check_thumbnail(page, monitor.path, folder)
            yield from check_ladder(page, monitor.path)
            yield from check_server(page, monitor.path)
            yield from check_crowd(page, monitor.path)
            yield from check_restart_of_a_stream(page, monitor.path)
        yield check("the end of the monitor is shown",
                    watched.wait_for(lambda: not connected(page)))
        with watched.Monitor(program, socket_folder, port=port):
            yield check("a monitor that was started again is found",
                        watched.wait_for(lambda: connected(page)))
            yield check("and its streams go on at their places",
                        page.wait_for_state("sender", "test", "ready"))


def claims(program, socket_folder):
    """A machine that stalls can let Chromium wait for more than its patience."""
    begin_s = time.monotonic()
    try:
        yield from page_claims(program, socket_folder)
    except chromium.NoAnswer as error:
        yield Claim(f"{error}, {time.monotonic() - begin_s:.2f} s after the begin", False,
                    timed=True)


def main():
    if why := os.environ.get("CI") and "on a build server" or chromium.why_unavailable():
        print(f"skipped: {why}")
        return watched.SKIPPED
    with tempfile.TemporaryDirectory() as folder:   # where the tracer finds each trial's monitor
        return 0 if judge(lambda: claims(sys.argv[1], folder), AGAIN_WITHIN_S) else 1


if __name__ == "__main__":
    sys.exit(main())
