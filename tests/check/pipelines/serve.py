#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""gst-arc-serve: viewers by WHEP, one that publishes by WHIP (another gst-arc-serve), callers of
arc://, and what is refused.

Usage: serve.py GST_ARC_SERVE"""

import contextlib
import http.client
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
from browserview import free_port, own_address, why_skipped
from embed import SKIPPED, WAIT_S, Program, free_port as free_udp_port, view, wait_for

SDP = "application/sdp"
TWCC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
MID = "1 urn:ietf:params:rtp-hdrext:sdes:mid"
TOKEN = "open sesame"
LEAST_FRAMES = 60
BINDING, ALLOCATE = b"\0\1", b"\0\3"  # requests of RFC 8489 and RFC 8656
VIEWER = Path(__file__).resolve().parent / "whepviewer.py"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
# (method, path, body, headers, status)
REFUSED = (
    ("GET", "/none", None, {}, 404), ("GET", "/tests/none", None, {}, 404),
    ("GET", "/testsx", None, {}, 404), ("GET", "/tests/whepx", None, {}, 404),
    ("POST", "/none/whep", "v=0", BEARER, 404),
    ("POST", "/", "x", {}, 405), ("GET", "/tests/whep", None, BEARER, 405),
    ("PATCH", "/tests/whep/1", "x", BEARER, 405), ("DELETE", "/tests/whep/1", None, BEARER, 404),
    ("POST", "/tests/whep", "v=0", {"Content-Type": SDP}, 401),
    ("POST", "/tests/whep", "v=0", {"Content-Type": SDP, "Authorization": "Bearer no"}, 401),
    ("POST", "/tests/whep", "v=0", {"Content-Type": "text/plain", **BEARER}, 415),
    ("POST", "/tests/whep", "x" * 70000, {"Content-Type": SDP, **BEARER}, 413),
    ("POST", "/tests/whep", "", {"Content-Type": SDP, **BEARER}, 406),
    ("POST", "/tests/whep", "no sdp", {"Content-Type": SDP, **BEARER}, 406),
    ("POST", "/tests/whip", "v=0", {"Content-Type": SDP, **BEARER}, 403),
    ("POST", "/stage/whip", "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\n",
     {"Content-Type": SDP, **BEARER}, 406),
)
BAD_LINES = (["=test"], ["a/b=test"], ["a=test", "a=test"], ["a=no-such-element"],
             ["--renditions=9", "a=test"], ["--port=0", "a=test"], ["streams=test"],
             ["--whip=example", "a=test"], ["--stun-server=example:3478", "a=test"])
# As aiortc writes it: two profiles of H.264, and number 1 is another extension than ours.
ICE = ("a=ice-ufrag:ad8n\r\na=ice-pwd:4BcFlntfbhwhJs46TS7B2Yaa\r\na=setup:actpass\r\n"
       "a=fingerprint:sha-256 " + ":".join(["10"] * 32) + "\r\n")
OFFER = """v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r
m=video 9 UDP/TLS/RTP/SAVPF 99 101\r\nc=IN IP4 0.0.0.0\r\na=recvonly\r\na=mid:0\r\na=rtcp-mux\r
a=extmap:""" + MID + """\r
a=rtpmap:99 H264/90000\r\na=fmtp:99 packetization-mode=1;profile-level-id=42001f\r
a=rtpmap:101 H264/90000\r\na=fmtp:101 packetization-mode=1;profile-level-id=42e01f\r
""" + ICE


SILENT = "appsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1"


def ask(server, method, path, body, headers):
    """(status, Location, text)"""
    request = urllib.request.Request(server + path, None if body is None else body.encode(),
                                     method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as reply:
            return reply.status, reply.headers["Location"], reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, None, error.read().decode()


def status_of(server, *request):
    return ask(server, *request)[0]


def most_mb(process):
    """Of memory so far."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(
        encoding="ascii"))[1]) // 1000


def get(server, **headers):
    """The length of the page; the client closes the connection."""
    connection = http.client.HTTPConnection(server.removeprefix("http://"), timeout=WAIT_S)
    connection.request("GET", "/", headers=headers)
    length = len(connection.getresponse().read())
    connection.close()
    return length


def limits(server, serving):
    """What is too long is not kept, nor what says no length, nor who has gone."""
    before_mb = most_mb(serving.job)
    for body, status in ((b" " * 100_000_000, 413), ((b" " * 1_000_000 for _ in range(100)), 411)):
        request = urllib.request.Request(f"{server}/tests/whep", body,
                                         headers={"Content-Type": SDP})
        try:
            raise AssertionError(urllib.request.urlopen(request, timeout=WAIT_S).status)
        except urllib.error.HTTPError as error:
            assert error.code == status, error
    assert most_mb(serving.job) < before_mb + 50, f"{before_mb}, then {most_mb(serving.job)} MB"
    print("ok bodies have a limit")
    page = get(server)
    assert get(server, Range="bytes=" + ",".join(["0-"] * 1000)) == page
    print("ok the page comes once, however often it is asked for")
    files = Path(f"/proc/{serving.job.pid}/fd")
    before = len(os.listdir(files))
    for _ in range(40):
        get(server)
    wait_for("connections end", lambda: len(os.listdir(files)) < before + 20, serving)


def answer_to(server, path, offer):
    status, call, answer = ask(server, "POST", path, offer, {"Content-Type": SDP, **BEARER})
    assert status == 201, f"{status}: {answer}"
    assert status_of(server, "DELETE", call, None, BEARER) == 200
    return answer


def answers(server):
    answer = answer_to(server, "/tests/whep", OFFER)
    assert "m=video 9 UDP/TLS/RTP/SAVPF 101" in answer and "extmap" not in answer, answer
    for offered, wanted in ((f"20 {TWCC}", []), (f"7/sendrecv {TWCC}", [f"7 {TWCC}"])):
        answer = answer_to(server, "/tests/whep", OFFER.replace(MID, offered))
        assert re.findall(r"a=extmap:(.*?)\r", answer) == wanted, answer
    sound = OFFER.replace("m=video", "m=audio 9 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 0.0.0.0\r\n"
                          "a=rtpmap:96 opus/48000/2\r\na=sendonly\r\na=mid:1\r\n"
                          "a=rtcp-mux\r\n" + ICE + "m=video")
    sound = sound.replace("BUNDLE 0", "BUNDLE 1 0").replace("recv", "send")
    answer = answer_to(server, "/stage/whip", sound)
    lines = answer.split("\nm=")
    assert len(lines) == 3 and "OPUS/48000/2" in lines[1], answer
    assert all("a=recvonly" in line for line in lines[1:]), answer
    sound = sound.replace("opus/48000/2", "PCMU/8000")
    for offer in (sound, sound.replace("a=sendonly\r\n", "", 1)):
        answer = answer_to(server, "/stage/whip", offer)
        lines = answer.split("\nm=")
        assert "a=inactive" in lines[1] and "a=recvonly" in lines[2], answer
    print("ok the answer has the profile that is made, no extension of its own, and sound in Opus")


def refuses(server, program):
    for method, path, body, headers, wanted in REFUSED:
        found = status_of(server, method, path, body, headers)
        assert found == wanted, f"{method} {path}: {found}, not {wanted}"
    print("ok what is no call is refused")
    for words in BAD_LINES:
        found = subprocess.run([program, "--port", "1", *words], check=False, timeout=WAIT_S,
                               capture_output=True, text=True)
        assert found.returncode == 1 and found.stderr.strip(), f"{words}: {found}"
    print("ok so is what is no line")


def lists(server):
    status, _, text = ask(server, "GET", "/streams", None, {})
    assert status == 200 and {"tests", "stage"} <= set(json.loads(text)), f"{status}: {text}"
    for path in ("/", "/tests", "/stage"):
        status, _, text = ask(server, "GET", path, None, {})
        assert status == 200 and text.startswith("<!DOCTYPE html>"), f"{path}: {status}: {text}"
    print("ok the page and the names of the streams come")


def cannot_start(program, port):
    """A taken port; and without the plugins of GStreamer no viewer could come."""
    with tempfile.TemporaryDirectory() as none:
        bare = os.environ | {"GST_PLUGIN_SYSTEM_PATH_1_0": none, "GST_REGISTRY_1_0": f"{none}/r"}
        for env, told in ((os.environ, f"port {port} is taken"),
                          (bare, "no element nicesrc: install gstreamer1.0-nice")):
            found = subprocess.run([program, "--port", str(port), "tests=test"], check=False,
                                   timeout=WAIT_S, capture_output=True, text=True, env=env)
            assert found.returncode == 1 and found.stderr.startswith(
                f"gst-arc-serve: {told}"), found
    print("ok a taken port and a missing element are one line")


def loopback_only(program):
    """Nobody could be reached there."""
    if subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode:
        print("a machine with loopback only: there are no namespaces here")
        return
    sending = Program("unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh",
                      program, "--port", free_port(), "--whip", "http://127.0.0.1:9/whip",
                      "tests=test")
    try:
        wait_for("a machine with loopback only is told so", lambda: "http://127.0.0.1:9/whip: no "
                 "ICE candidates within 10 s: the machine of gst-arc-serve needs an address" in
                 sending.text, sending)
    finally:
        sending.end()


def failing_sources(program):
    sending = Program(program, "--port", free_port(), "a=file:///no/such.mkv")
    try:
        wait_for("a missing file is named", lambda: 'a: No such file "/no/such.mkv"' in
                 sending.text, sending)
    finally:
        sending.end()


class Whip(http.server.BaseHTTPRequestHandler):
    """A server of WHIP whose answer has no end (/endless), or fits no offer (/misfit), also without
    a place where it is ended (/nowhere), or that takes none (/refused), or asks for a token
    (/secret); then it says nothing."""

    def do_POST(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response({"/refused": 409, "/secret": 401}.get(self.path, 201))
        if self.path != "/nowhere":
            self.send_header("Location", f"/call{self.path}")
        self.end_headers()
        try:
            if self.path in ("/misfit", "/nowhere"):
                self.wfile.write(b"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
                                 b"m=video 9 UDP/TLS/RTP/SAVPF 96\r\n")
            while self.path == "/endless":
                self.wfile.write(b" " * 100_000)
        except OSError:
            pass

    def do_DELETE(self):  # pylint: disable=invalid-name
        self.server.ended.add(self.path.rpartition("/")[2])
        self.server.is_over.wait()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def bad_servers(program):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Whip) as server:
        server.is_over, server.ended = threading.Event(), set()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for path, told, ends in (("refused", "409 Conflict; again", False),
                                 ("secret", "401 Unauthorized: --whip-token is missing or wrong;",
                                  False),
                                 ("nowhere", "does not fit", False),
                                 ("endless", "longer than 64 kB", True),
                                 ("misfit", "does not fit", True)):
            port = free_port()
            sending = Program(program, "--port", port, "--whip",
                              f"http://127.0.0.1:{server.server_port}/{path}", "tests=test")
            try:
                wait_for(f"an answer to --whip has an end and fits: {told}",
                         lambda: told in sending.text, sending)  # pylint: disable=W0640
                begin_s = time.monotonic()
                get(f"http://127.0.0.1:{port}")
                assert time.monotonic() < begin_s + 5, "the server waited for the other"
                assert most_mb(sending.job) < 300, f"{most_mb(sending.job)} MB"
                wait_for("a call that began is ended", lambda: not ends  # pylint: disable=W0640
                         or path in server.ended, sending)  # pylint: disable=W0640
                assert "CRITICAL" not in sending.text, sending.text
            finally:
                sending.end()
        server.is_over.set()
        server.shutdown()
        assert not {"refused", "secret"} & server.ended, "none began there"


def ice_servers(program):
    """Those of the command line are asked."""
    port, address = free_port(), own_address()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as turn:
        for each in (stun, turn):
            each.bind((address, 0))
            each.settimeout(WAIT_S)
        serving = Program(program, "--port", port, "tests=test",
                          f"--stun-server=stun://{address}:{stun.getsockname()[1]}",
                          f"--turn-server=turn://me:secret@{address}:{turn.getsockname()[1]}")
        try:
            wait_for("a server with others runs", lambda: "/tests" in serving.text, serving)
            ask(f"http://127.0.0.1:{port}", "POST", "/tests/whep", OFFER, {"Content-Type": SDP})
            for each, wanted in ((stun, BINDING), (turn, ALLOCATE)):
                found = each.recv(2000)
                assert found.startswith(wanted), found
        finally:
            serving.end()
    print("ok the servers of STUN and TURN are asked")


def ask_silent(server):
    """Its answer does not come."""
    def wait():
        with contextlib.suppress(OSError):
            ask(server, "POST", "/silent/whep", OFFER, {"Content-Type": SDP, **BEARER})

    threading.Thread(target=wait, daemon=True).start()


def make_video(path):
    subprocess.run(["gst-launch-1.0", "-q", "videotestsrc", "num-buffers=150", "!", "x264enc",
                    "tune=zerolatency", "!", "matroskamux", "!", "filesink", f"location={path}"],
                   check=True, timeout=WAIT_S)


def frames_of(viewer):
    return int((re.findall(r"(\d+) frames", viewer.text) or ["0"])[-1])


def no_viewers(server, program, serving):
    """What needs nobody at the other end who speaks WebRTC."""
    refuses(server, program)
    cannot_start(program, int(server.rpartition(":")[2]))
    limits(server, serving)
    answers(server)
    assert status_of(server, "OPTIONS", "/tests/whep", None, {}) == 204
    ask_silent(server)
    wait_for("a file is shown, whatever its name", lambda: status_of(
        server, "POST", "/file/whep", OFFER, {"Content-Type": SDP, **BEARER}) == 201, serving)
    bad_servers(program)
    loopback_only(program)
    failing_sources(program)
    ice_servers(program)
    wait_for("who waited for a picture in vain is told so", lambda: re.search(
        r"/silent/whep/\S+ ended: the source has given no picture", serving.text), serving)


def main(program):
    why = why_skipped(program) or (not own_address() and "there is no address beside loopback")
    if why:
        print(f"skipped: {why}")
        return SKIPPED
    port, arc_port = free_port(), free_udp_port()
    server = f"http://127.0.0.1:{port}"
    folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
    video = Path(folder.name) / "a!b.mkv"
    make_video(video)
    serving = Program(program, "--port", port, "--token", TOKEN, "--arc-port", arc_port,
                      "--max-viewers", 3, "tests=test", "stage=whip", f"file=file://{video}",
                      f"silent={SILENT}")
    programs = [serving]
    try:
        wait_for("the server runs", lambda: f"{server}/stage" in serving.text, serving)
        lists(server)
        no_viewers(server, program, serving)
        programs.append(Program(program, "--port", free_port(), "--whip", f"{server}/stage/whip",
                                "--whip-token", TOKEN, "tests=test"))
        programs += [Program("/usr/bin/python3", VIEWER, f"{server}/{name}/whep", TOKEN)
                     for name in ("tests", "stage")]
        wait_for("who watches has pictures, of a source and of who publishes", lambda: all(
            frames_of(viewer) >= LEAST_FRAMES for viewer in programs[2:]), *programs)
        wait_for("and hears it", lambda: all("sound is heard" in viewer.text
                                             for viewer in programs[2:]), *programs)
        wait_for("each has a rate", lambda: len(set(re.findall(
            r"/(tests|stage)/whep/\S+: [1-9]\d* kbit/s", serving.text))) == 2, *programs)
        late = Program("/usr/bin/python3", VIEWER, f"{server}/tests/whep", TOKEN)
        wait_for("one more than may is refused", lambda: "refused: 503" in late.text)
        late.end()
        programs.append(view(arc_port))
        wait_for("a caller of arc:// has the picture", lambda: programs[-1].text.count(
            "= chain ") >= LEAST_FRAMES, *programs)
        programs[2].job.terminate()
        wait_for("who leaves is gone", lambda: re.search(r"/tests/whep/\S+ left", serving.text),
                 serving)
        programs[1].end()
        wait_for("who published is gone, too", lambda: re.search(
            r"/stage/whip/\S+ (left|ended)", serving.text), serving)
        ask_silent(server)
        wait_for("one waits for a picture", lambda: len(re.findall(
            r"/silent/whep/\S+ \d+ calls", serving.text)) == 2, serving)
        serving.job.terminate()
        assert serving.job.wait(WAIT_S) == 0, serving.job.returncode
        print("ok the server ends when it is told to")
    finally:
        for each in programs:
            each.end()
            print(each.text[-3000:])
        folder.cleanup()
    assert "CRITICAL" not in serving.text and "GLib" not in serving.text, serving.text
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
