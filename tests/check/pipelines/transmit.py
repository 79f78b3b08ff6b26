#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""gst-arc-transmit between files, UDP, RTP, SRT, RTSP and arc:// on the loopback, alone and with
the programs of others.

Usage: transmit.py own TRANSMIT; transmit.py others TRANSMIT [RTSPSERVER]. A program of others that
is not there is a line, and all of them a skip."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from embed import SKIPPED, WAIT_S, Program, free_port, wait_for

ELEMENTS = ("x264enc", "avenc_aac", "mpegtsmux", "tsparse", "srtsrc", "avdec_h264")
PACKET = 188
SECONDS = 6
# What a busy machine is late by is not what this is about.
PATIENT = "latency=3000000000"
# Pictures that show that a program of others got the stream.
ENOUGH = 10


def made(folder, seconds=SECONDS):
    """A file of MPEG-TS with picture and sound, whose packets do not fill the last datagram."""
    path = folder / "made.ts"
    frames = 30 * seconds
    subprocess.run(
        f"gst-launch-1.0 -q mpegtsmux name=m ! filesink location={path} "
        f"videotestsrc num-buffers={frames} ! video/x-raw,format=I420,width=320,height=240,"
        "framerate=30/1 ! x264enc tune=zerolatency speed-preset=superfast key-int-max=15 "
        "bitrate=500 ! h264parse config-interval=-1 ! queue ! m. "
        f"audiotestsrc num-buffers={47 * seconds} samplesperbuffer=1024 ! audio/x-raw,rate=48000 "
        "! avenc_aac ! aacparse ! queue ! m.".replace("\n", " "), shell=True, check=True)
    # The muxer's order, and so the number of packets, differs from run to run.
    return path if len(packets(path.read_bytes())) % 7 else made(folder, seconds)


def ended(transmit, *words, text=""):
    """(status, what it said)"""
    done = subprocess.run([transmit, *map(str, words)], input=text.encode(), capture_output=True,
                          timeout=WAIT_S, check=False)
    return done.returncode, done.stderr.decode()


def last_stats(program):
    lines = [line for line in program.text.splitlines() if line.startswith("{") and
             line.endswith("}")]
    return json.loads(lines[-1]) if lines else {}


def bytes_of(program):
    return last_stats(program).get("bytes", 0)


def size(path):
    return path.stat().st_size if path.exists() else 0


def packets(data):
    assert len(data) % PACKET == 0, f"{len(data)} bytes are no packets of MPEG-TS"
    return [data[at:at + PACKET] for at in range(0, len(data), PACKET)]


def is_clock(packet):
    """What rmcsink leaves of a picture that it drops: the clock, without payload."""
    return packet[3] & 0x30 == 0x20 and set(packet[12:]) == {0xff}


def without_nulls(path):
    """A file to the network ends with null packets, so that the last datagram is full."""
    data = path.read_bytes() if path.exists() else b""
    while data[-PACKET:].startswith(b"\x47\x1f\xff"):
        data = data[:-PACKET]
    return data


def check_part(got, whole, run):
    """What came was sent; run: and in one piece, as from a file that waits for the network."""
    sent = set(packets(whole.read_bytes()))
    assert all(packet in sent or is_clock(packet) for packet in packets(without_nulls(got))), \
        "it is another stream"
    assert not run or without_nulls(got) in whole.read_bytes(), "something is missing"


def end_of_file(receiving, got, whole):
    """The packets of the file do not fill the last datagram."""
    assert len(packets(whole.read_bytes())) % 7, "the file has no remainder"
    wait_for("all of the file comes", lambda: bytes_of(receiving) >= size(whole), receiving)
    receiving.job.terminate()       # what the receiver has not written yet, it writes now
    receiving.job.wait(WAIT_S)
    assert without_nulls(got).endswith(whole.read_bytes()[-PACKET:]), "the end is missing"


def check_files(transmit, folder, made_ts):
    for name, words, text in (("file", (made_ts, folder / "copy.ts"), b""),
                              ("pipe", ("-", "-"), made_ts.read_bytes())):
        done = subprocess.run([transmit, *words], input=text, capture_output=True, check=True,
                              timeout=WAIT_S)
        copy = (folder / "copy.ts").read_bytes() if name == "file" else done.stdout
        assert copy == made_ts.read_bytes(), f"{name}: other bytes"
        print("ok", name, "passes as it is")


def check_statuses(transmit, folder, made_ts):
    taken = free_port()
    for words, status, said in (
            (("one",), 2, "IN and OUT are needed"),
            (("foo://a:1", "-"), 2, "is none of"),
            ((made_ts, "udp://:5"), 2, "is not of the form"),
            (("rtsp://127.0.0.1/a", "rtsp://127.0.0.1/b"), 2, "rtsp for the input"),
            (("-o", "nothing=1", made_ts, "arc://127.0.0.1:5"), 2, "no property"),
            ((folder / "none.ts", "-"), 1, "No such file"),
            ((made_ts, folder / "none" / "x.ts"), 1, "Could not open file"),
            ((made_ts, "arc://127.0.0.1:5?foo=1"), 2, "unknown key"),
            ((made_ts, "arc://127.0.0.1:99999"), 2, "out of range"),
            (("arc://:99999", "-"), 2, "out of range"),
            (("arc://:5?nix=1", "-"), 2, "unknown key"),
            (("arc://:5?mode=foo", "-"), 2, "neither caller nor listener"),
            (("srt://:99999", "-"), 2, "out of range"),
            (("srt://:9000?passphrase=short", "-"), 2, "has 10 to 79 characters"),
            ((made_ts, "srt://127.0.0.1:9000?passphrase=" + 80 * "x"), 2, "10 to 79 characters"),
            (("-i", "uri=arc://:99999", "arc://:5", "-"), 1, "out of range"),
            (("--once", "-i", "auto-reconnect=false", f"srt://127.0.0.1:{taken}?latency=1", "-"), 1,
             f"in: srt://127.0.0.1:{taken}: "),
            (("--timeout=1", f"srt://:{taken}?passphrase=mode=caller12&latency=1", "-"), 3,
             f"in: waiting for a caller at srt://:{taken}"),
            (("--timeout=1", f"udp://127.0.0.1:{taken}", f"srt://127.0.0.1:{free_port()}"
              "?mode=listener"), 3, "out: waiting for a caller at srt://127.0.0.1:"),
            (("--timeout=1", f"udp://127.0.0.1:{taken}", "-"), 3, "nothing has come for 1 s"),
            (("--timeout=11", f"rtp://127.0.0.1:{taken}", "-"), 3,
             f"no MPEG-TS has come to rtp://127.0.0.1:{taken} for 10 s")):
        got, text = ended(transmit, *words)
        lines = text.splitlines()
        assert got == status, f"{words}: status {got}, {text}"
        assert status != 2 or len(lines) == 1, f"{words}: {text}"
        assert text.lower().count(said.lower()) == 1, f"{words}: {text}"
        assert all(line.startswith("gst-arc-transmit: ") for line in lines), text
    print("ok statuses")


def check_arc(transmit, folder, made_ts, calls):
    port = free_port()
    got = folder / f"arc-{calls}.ts"
    secret = "passphrase=correct%20horse"
    there = f"arc://127.0.0.1:{port}" + (f"?mode=caller&{secret}" if calls else "")
    receiving = Program(transmit, "-s", ".2", "-i", PATIENT, there, got)
    sending = Program(transmit, "-s", ".2", made_ts, f"arc://:{port}?{secret}" if calls
                      else f"arc://127.0.0.1:{port}")
    try:
        wait_for("half of the file is there", lambda: size(got) > size(made_ts) / 2, receiving)
        if not calls:
            end_of_file(receiving, got, made_ts)
    finally:
        for program in (receiving, sending):
            program.end()
            print(program.text[-1500:])
    check_part(got, made_ts, run=not calls)
    assert last_stats(receiving)["in-packets-received"] > 0, "no statistics of arcsrc"
    assert (last_stats(receiving)["in-srtp"] != "off") == calls, "the passphrase has no effect"
    assert "out-state" in last_stats(sending) or "out-viewers-joined" in last_stats(sending), \
        "no statistics of the sender"
    print("ok arc://", "called" if calls else "sent to", "passes the stream")


def check_srt_returns(transmit, folder, made_ts):
    """A caller that goes and comes again does not interrupt what is behind."""
    port = free_port()
    got = folder / "srt.ts"
    receiving = Program(transmit, "-s", ".2", f"srt://:{port}", got)
    try:
        for _ in range(2):
            before = size(got)
            sending = Program(transmit, made_ts, f"srt://127.0.0.1:{port}")
            wait_for("SRT comes", lambda before=before: size(got) > before + size(made_ts) / 4,
                     receiving)
            sending.job.terminate()     # it says so to the listener
            assert sending.job.wait(WAIT_S) == 0, sending.text
        wait_for("its statistics come", lambda: last_stats(receiving), receiving)
        assert last_stats(receiving)["restarts"] == 0, "the pipeline was made anew"
    finally:
        receiving.end()
        sending.end()
        print(receiving.text[-1500:])
    print("ok SRT returns")


def check_rtp_tried_again(transmit, folder, made_ts):
    """An end that cannot be opened yet is opened later."""
    port, arc = free_port(), free_port()
    got = folder / "again.ts"
    receiving = Program(transmit, "-s", ".2", f"srt://127.0.0.1:{port}", got)
    try:
        wait_for("the caller is told", lambda: "gst-arc-transmit: in: " in receiving.text,
                 receiving)
        sending = Program(transmit, made_ts, f"srt://:{port}")
        wait_for("it is there when the listener is", lambda: size(got) > 0, receiving)
        sending.end()
        sending = Program(transmit, made_ts, f"rtp://127.0.0.1:{arc}")
        rtp = Program(transmit, f"rtp://127.0.0.1:{arc}", folder / "rtp.ts")
        wait_for("RTP comes", lambda: size(folder / "rtp.ts") > 0, rtp)
    finally:
        for program in (receiving, sending, rtp):
            program.end()
    print("ok tried again")


def check_adapted(transmit, folder, made_ts):
    port = free_port()
    got = folder / "adapted.ts"
    receiving = Program(transmit, "-c", "-s", ".2", "-i", PATIENT, f"arc://:{port}", got)
    sending = Program(transmit, "--adapt", "-s", ".2", "-o", "max-bitrate=400000", made_ts,
                      f"arc://127.0.0.1:{port}")
    try:
        wait_for("an encoder follows", lambda: "x264enc" in last_stats(sending).get(
            "out-encoders", ""), receiving)
        wait_for("its stream comes", lambda: size(got) > 50000, receiving)
    finally:
        for program in (receiving, sending):
            program.end()
            print(program.text[-1500:])
    assert 0 < last_stats(sending)["out-target-bitrate"] <= 400000, last_stats(sending)
    rows = list(csv.DictReader(line for line in receiving.text.splitlines()
                               if "," in line and not line.startswith("gst-arc-transmit")))
    assert rows and int(rows[-1]["in-packets-received"]) > 0, receiving.text
    print("ok adapted,", frames(got), "frames")
    assert frames(got) > 10


def frames(path):
    """That a decoder of ours shows."""
    shown = subprocess.run(["gst-launch-1.0", "-v", "filesrc", f"location={path}", "!", "tsdemux",
                            "!", "h264parse", "!", "avdec_h264", "!", "fakesink", "silent=false"],
                           capture_output=True, text=True, check=False, timeout=WAIT_S)
    return shown.stdout.count("= chain ")


def own(transmit, folder):
    made_ts = made(folder)
    check_files(transmit, folder, made_ts)
    check_statuses(transmit, folder, made_ts)
    check_arc(transmit, folder, made_ts, calls=False)
    check_arc(transmit, folder, made_ts, calls=True)
    check_srt_returns(transmit, folder, made_ts)
    check_rtp_tried_again(transmit, folder, made_ts)
    check_adapted(transmit, folder, made_ts)


# --- programs of others ---

VLC = ["cvlc", "-I", "dummy"]


def unprivileged():
    """VLC does not run as root."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def vlc(folder, *words):
    home = folder / "vlc"
    home.mkdir(exist_ok=True)
    home.chmod(0o777)
    return subprocess.Popen([*VLC, *map(str, words), "vlc://quit"], preexec_fn=unprivileged,
                            env=os.environ | {"HOME": str(home)}, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def quiet(*words, stdout=subprocess.DEVNULL):
    return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=stdout,
                            stderr=subprocess.DEVNULL)


def looped(made_ts, form, uri):
    return quiet("ffmpeg", "-v", "error", "-re", "-stream_loop", "-1", "-i", made_ts, "-c", "copy",
                 "-f", form, uri)


def probed(uri, window=("-read_intervals", "%+3")):
    """(frames of pictures, codecs) that ffprobe finds in 3 s, or in all of a file."""
    done = subprocess.run(["ffprobe", "-v", "quiet", "-count_frames", *window,
                           "-show_entries", "stream=codec_name,nb_read_frames", "-of", "json", uri],
                          capture_output=True, text=True, check=False, timeout=2 * WAIT_S)
    streams = json.loads(done.stdout or "{}").get("streams", [])
    found = {stream["codec_name"]: int(stream.get("nb_read_frames", 0)) for stream in streams}
    return found.get("h264", 0), sorted(found)


def through(transmit, folder, start, uri_in, uri_out, show):
    """IN, arc:// between two, OUT; what show returns while all that runs."""
    arc = free_port()
    receiving = Program(transmit, "-i", PATIENT, f"arc://:{arc}", uri_out)
    sending = Program(transmit, uri_in, f"arc://127.0.0.1:{arc}")
    job = start()
    try:
        wait_for(f"{uri_in} comes out at the other end", lambda: "streaming" in receiving.text,
                 receiving, sending)
        return show()
    finally:
        job.kill()
        job.wait()
        for program in (receiving, sending):
            program.end()
            print(program.text[-1500:])


def case_ffmpeg_srt(transmit, folder, made_ts):
    port, out = free_port(), free_port()
    return through(transmit, folder, lambda: looped(
        made_ts, "mpegts", f"srt://127.0.0.1:{port}?pkt_size=1316"), f"srt://:{port}",
        f"udp://127.0.0.1:{out}", lambda: probed(f"udp://127.0.0.1:{out}?timeout=20000000"))


def case_ffmpeg_rtp(transmit, folder, made_ts):
    port, out = free_port(), free_port()
    return through(transmit, folder, lambda: looped(
        made_ts, "rtp_mpegts", f"rtp://127.0.0.1:{port}?pkt_size=1328"), f"rtp://127.0.0.1:{port}",
        f"srt://:{out}", lambda: probed(f"srt://127.0.0.1:{out}?timeout=20000000"))


def case_srt_live_transmit(transmit, folder, made_ts):
    """srt-live-transmit at both sides, with a passphrase."""
    udp, port, out, last = (free_port() for _ in range(4))
    secret = "passphrase=a-good-password"
    there = quiet("srt-live-transmit", f"udp://127.0.0.1:{udp}",
                  f"srt://127.0.0.1:{port}?{secret}&pbkeylen=16")
    here = quiet("srt-live-transmit", f"srt://127.0.0.1:{out}?{secret}", f"udp://127.0.0.1:{last}")
    try:
        return through(transmit, folder, lambda: looped(
            made_ts, "mpegts", f"udp://127.0.0.1:{udp}?pkt_size=1316"), f"srt://:{port}?{secret}",
            f"srt://:{out}?{secret}", lambda: probed(f"udp://127.0.0.1:{last}?timeout=20000000"))
    finally:
        for job in (there, here):
            job.kill()
            job.wait()


def case_vlc(transmit, folder, made_ts):
    """VLC sends MPEG-TS over UDP, and another one takes SRT and writes what it got: sound at once,
    pictures some 3 s later."""
    port, out = free_port(), free_port()
    got = folder / "vlc" / "got.ts"

    def show():
        job = vlc(folder, f"srt://127.0.0.1:{out}", "--sout",
                  f"#std{{access=file,mux=ts,dst={got}}}")
        try:
            wait_for("VLC gets pictures", lambda: probed(got, ())[0] > ENOUGH)
            return probed(got, ())
        finally:
            job.kill()
            job.wait()
    return through(transmit, folder, lambda: vlc(
        folder, "--repeat", made_ts, "--sout", f"#std{{access=udp,mux=ts,dst=127.0.0.1:{port}}}"),
        f"udp://127.0.0.1:{port}", f"srt://:{out}", show)


def case_rtsp(transmit, folder, made_ts, server):
    """A camera: RTP of H.264 becomes MPEG-TS. Its encoder is not ours, so frames may be dropped."""
    port, got = free_port(), folder / "rtsp.ts"

    def show():
        wait_for("pictures of the camera come", lambda: size(got) > 500000)
        return probed(got)
    return through(transmit, folder, lambda: quiet(server, port),
                   f"rtsp://127.0.0.1:{port}/live", got, show)


# Frames of one slice: h264parse splits others at the start, and mpegtsmux stops at a part without
# a time.
PICTURE = ("videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,"
           "framerate=30/1 ! x264enc tune=zerolatency threads=1 speed-preset=superfast "
           "key-int-max=60 ! rtph264pay name=pay%u pt=96 config-interval=-1 ")
SOUND = ("audiotestsrc is-live=true %s ! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! aacparse "
         "! rtpmp4gpay name=pay%u pt=97 ")
CAMERAS = (f"( {PICTURE % 0} {SOUND % ('', 1)} )", f"( {SOUND % ('', 0)} {PICTURE % 1} )")
SILENT = SOUND.replace(" name=pay%u", "") + "! identity drop-probability=1 name=pay%u "
SILENT_CAMERA = f"( {PICTURE % 0} {SILENT % ('', 1)} )"
# Metadata, such as ONVIF's, may come rarely.
META_CAMERA = SILENT_CAMERA.replace("avenc_aac ! aacparse ! rtpmp4gpay", "rtpgstpay")
H264, AAC = 0x1b, 0x0f


def programs(path):
    """(PID of the clock, {PID: stream type}) of each version of the program, whose table is a
    packet of its own."""
    found, table = [], None
    for packet in packets(path.read_bytes()):
        pid = (packet[1] & 0x1f) << 8 | packet[2]
        start = 5 + (1 + packet[4] if packet[3] & 0x20 else 0)
        if pid == 0:
            table = (packet[start + 10] & 0x1f) << 8 | packet[start + 11]
        elif pid == table:
            section = packet[start:start + 3 + packet[start + 2]]
            at, streams = 12 + section[11], {}
            while at < len(section) - 4:
                streams[(section[at + 1] & 0x1f) << 8 | section[at + 2]] = section[at]
                at += 5 + section[at + 4]
            clock = (section[8] & 0x1f) << 8 | section[9]
            if (clock, streams) not in found:
                found.append((clock, streams))
    return found


def whole(path):
    """packets() of a file that is written now."""
    copy = path.with_suffix(".part")
    copy.write_bytes(path.read_bytes()[:size(path) // PACKET * PACKET])
    return copy


def check_begins_whole(transmit, folder, server):
    """A camera with sound: the first program has both, also when the camera comes again, with the
    same PIDs. What the camera announces and does not send holds up nobody."""
    port, got = free_port(), folder / "whole.ts"
    sending = Program(transmit, f"rtsp://127.0.0.1:{port}/live", got)
    found = []
    try:
        for launch in CAMERAS:
            got.unlink(missing_ok=True)
            camera = quiet(server, port, launch)
            wait_for("picture and sound of the camera come", lambda: size(got) > 80000, sending)
            found += programs(whole(got))
            camera.kill()
            camera.wait()
        assert len(found) == 2 and found[0] == found[1], found
        assert sorted(found[0][1].values()) == [AAC, H264], found
        got.unlink()
        camera = quiet(server, port, META_CAMERA)
        wait_for("so does its picture beside metadata", lambda: size(got) > 80000, sending)
        assert "begins without a stream" not in sending.text, sending.text
        camera.kill()
        camera.wait()
        got.unlink()
        camera = quiet(server, port, SILENT_CAMERA)
        wait_for("so does its picture without its sound", lambda: size(got) > 80000, sending)
        assert "in: MPEG-TS begins without a stream" in sending.text, sending.text
    finally:
        camera.kill()
        camera.wait()
        sending.end()
        print(sending.text[-1500:])
    print("ok the program begins whole:", *found)


LINE = Path(__file__).resolve().parents[3] / "examples" / "pipelines" / "mpegts-receive.launch"


def check_late_start(transmit, server):
    """The receiver's line of the guide at a stream that passes, between two keyframes."""
    port, arc = free_port(), free_port()
    line = re.sub("#.*", "", LINE.read_text(encoding="utf-8")).replace("port=5004", f"port={arc}")
    line = line.replace("autovideosink", "fakesink silent=false")
    line = line.replace("autoaudiosink", "fakesink")
    camera = quiet(server, port, CAMERAS[0].replace("key-int-max=60", "key-int-max=90"))
    sending = Program(transmit, f"rtsp://127.0.0.1:{port}/live", f"arc://127.0.0.1:{arc}")
    try:
        wait_for("a camera is sent", lambda: "streaming" in sending.text, sending)
        for _ in range(4):
            viewer = Program("gst-launch-1.0", "-v", *line.split())
            try:
                wait_for("who starts late sees it", lambda viewer=viewer: viewer.text.count(
                    "= chain ") > ENOUGH, viewer, sending)
            finally:
                viewer.end()
    finally:
        camera.kill()
        camera.wait()
        sending.end()


def others(transmit, folder, *server):
    made_ts = made(folder, 12)
    made_ts.chmod(0o644)
    cases = {"ffmpeg by SRT": (case_ffmpeg_srt, "ffmpeg"),
             "ffmpeg by RTP": (case_ffmpeg_rtp, "ffmpeg"),
             "srt-live-transmit": (case_srt_live_transmit, "srt-live-transmit"),
             "VLC": (case_vlc, "cvlc")}
    if server:
        check_begins_whole(transmit, folder, server[0])
        check_late_start(transmit, server[0])
        cases["an RTSP server"] = (partial(case_rtsp, server=server[0]), "ffprobe")
    tried = 0
    for name, (case, program) in cases.items():
        if not shutil.which(program) or not shutil.which("ffprobe"):
            print(f"{name}: there is no {program}, or no ffprobe")
            continue
        shown, codecs = case(transmit, folder, made_ts)
        print(f"ok {name}: {shown} pictures of", *codecs)
        assert shown > ENOUGH and "h264" in codecs, f"{name}: {shown} pictures of {codecs}"
        tried += 1
    return 0 if tried else SKIPPED


def main():
    kind, transmit, *more = sys.argv[1:]
    missing = [element for element in ELEMENTS if subprocess.run(
        ["gst-inspect-1.0", "--exists", element], check=False).returncode]
    if missing:
        print("skipped: there is no", *missing)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        return {"own": own, "others": others}[kind](transmit, Path(folder), *more) or 0


if __name__ == "__main__":
    sys.exit(main())
