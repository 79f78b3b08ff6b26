#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The Debian packages hold what meson installs: each installed file is in exactly one package, each
line of debian/*.install names something, and the versions of meson.build, NEWS and
debian/changelog are one.

Usage: debian.py SOURCE BUILD VERSION PREFIX LIBDIR
"""

import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

TRIPLET = "x86_64-linux-gnu"    # any one that `*` stands for


def installed(build, prefix, libdir):
    """What meson installs, as debhelper sees it: below usr, with the libraries in a folder of the
    architecture. A folder counts as one file."""
    text = subprocess.run(["meson", "introspect", "--installed", build], check=True,
                          capture_output=True, text=True).stdout
    for path in json.loads(text).values():
        path = PurePosixPath(path).relative_to(prefix)
        if path.is_relative_to(libdir):
            path = PurePosixPath("lib", TRIPLET, path.relative_to(libdir))
        yield str("usr" / path)


def patterns(source):
    """(package, pattern) of all lines of debian/*.install."""
    for file in sorted((source / "debian").glob("*.install")):
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.strip() and not line.startswith("#"):
                yield file.stem, line.split()[0]


def holds(pattern, path):
    """A pattern of dh_install is a file, or a folder with all below it."""
    path = PurePosixPath(path)
    return any(fnmatch(str(name), pattern) and str(name).count("/") == pattern.count("/")
               for name in (path, *path.parents))


def faults_of_files(paths, lines):
    for path in paths:
        packages = [package for package, pattern in lines if holds(pattern, path)]
        if len(packages) != 1:
            yield f"{path} is in {packages or 'no package'}: one of debian/*.install must name it"
    for package, pattern in lines:
        if not any(holds(pattern, path) for path in paths):
            yield f"debian/{package}.install: nothing is {pattern}"


def faults_of_versions(source, version):
    for name, form in (("NEWS", r"gst-arc (\S+)"), ("debian/changelog", r"gst-arc \((\S+)-\d+\)")):
        line = (source / name).read_text(encoding="utf-8").split("\n", 1)[0]
        match = re.match(form, line)
        if not match or match[1] != version:
            yield f"{name} begins with '{line}', and meson.build has the version {version}"


def main(source, build, version, prefix, libdir):
    source = Path(source)
    paths = sorted(installed(build, prefix, libdir))
    found = [*faults_of_versions(source, version), *faults_of_files(paths, list(patterns(source)))]
    print("\n".join(found) or f"{len(paths)} files and folders, all in a package")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
