# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The Debian packages of one suite: built, looked at by lintian, tested by autopkgtest, and
installed into a bare system in which README's two lines then run."""

import re
import shutil

from arcmatrix import chroot

RUN_S = 30
PREPARE = f"""
cd /build/src
{chroot.APT} update
{chroot.APT} install --no-install-recommends dpkg-dev fakeroot lintian autopkgtest
{chroot.APT} build-dep --no-install-recommends ./
"""
# Other rows run the tests of the same commit.
# 3.0 (quilt) asks for the archive of upstream beside the tree.
BUILD = r"""
cd /build/src
upstream=$(dpkg-parsechangelog -S Version | sed 's/-[^-]*$//')
archive=/build/gst-arc_$upstream.orig.tar.xz
[ -e $archive ] || tar -C /build --exclude=src/debian --transform "s,^src,gst-arc-$upstream," \
    -cJf $archive src
DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc
"""
# GStreamer makes its registry at its first start, which takes seconds. Frames are counted in the
# log of the sinks' base class: the tracer `latency` of GStreamer 1.26.2 blocks every pipeline.
LINES = """
cd /tmp
gst-inspect-1.0 arcsrc >/dev/null
GST_DEBUG=basesink:5 GST_DEBUG_NO_COLOR=1 {receiver} >receiver.log 2>&1 &
receiver=$!
while kill -0 $receiver && ! grep -q 'to PLAYING' receiver.log; do sleep 0.1; done
timeout {run} {sender} >sender.log 2>&1 || true
kill $receiver || true
wait $receiver || true
tail -n 3 sender.log
frames=$(grep -c ' rendering object ' receiver.log || true)
echo "frames on the screen: $frames"
grep -v ' basesink ' receiver.log | tail -n 20
"""


def readme_lines(source):
    """The sender's and the receiver's line of README, its first block that has both, on one
    machine."""
    text = (source / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    block = next(block for block in blocks if "rmcsink" in block and "arcsrc" in block)
    lines = block.replace("\\\n", " ").strip().split("\n")
    sender, receiver = (" ".join(line.split()) for line in lines)
    return sender.replace("192.0.2.1", "127.0.0.1"), receiver


def lintian_counts(text):
    """How many tags of each kind: errors, warnings, info, pedantic, overridden."""
    return {kind: len(re.findall(rf"^{kind}: ", text, re.MULTILINE)) for kind in "EWIPO"}


def build(root, log, folders):
    """Status. The packages are then in /build."""
    return (chroot.run(root, PREPARE, log, network=True, folders=folders)
            or chroot.run(root, BUILD, log, folders=folders))


def judge(root, log):
    """lintian's counts, and how each test of autopkgtest ended."""
    tags, results = log.with_suffix(".lintian"), log.with_suffix(".autopkgtest")
    for path in (tags, results):
        path.unlink(missing_ok=True)
    chroot.run(root, "cd /build && lintian --allow-root --pedantic -I *.changes || true", tags)
    chroot.run(root, "cd /build && autopkgtest -B *.deb src/ -- null || true",
               results, network=True)
    ended = re.findall(r"^(loopback|application)\s+(PASS|FAIL|SKIP)", results.read_text("utf-8"),
                       re.MULTILINE)
    return {"lintian": lintian_counts(tags.read_text("utf-8")), "autopkgtest": dict(ended)}


def into_bare(place, suite, packages, source, log):
    """How many frames README's lines show in a system that had nothing but debootstrap's."""
    root = chroot.unpack(place, suite, "amd64", f"{suite}-bare")
    for package in packages:
        shutil.copy(package, root / "root")
    install = f"{chroot.APT} update; {chroot.APT} install /root/gstreamer1.0-arc_*.deb"
    if chroot.run(root, install, log, network=True):
        return 0
    sender, receiver = readme_lines(source)
    seen = log.with_suffix(".lines")
    seen.unlink(missing_ok=True)
    chroot.run(root, LINES.format(run=RUN_S, sender=sender, receiver=receiver), seen)
    match = re.search(r"^frames on the screen: (\d+)", seen.read_text("utf-8"), re.MULTILINE)
    return int(match[1]) if match else 0
