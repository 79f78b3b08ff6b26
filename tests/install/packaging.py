#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""The recipes of packaging/ are in step with the build: the version, every option that
meson_options.txt has and no other, what it asks pkg-config for, what it installs, and the licence.

Usage: packaging.py SOURCE BUILD VERSION PREFIX LIBDIR
"""

import hashlib
import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

SPEC, ARCH = "packaging/rpm/gst-arc.spec", "packaging/arch/PKGBUILD"
YOCTO = "packaging/yocto/gst-arc_{}.bb"
# A default that suits every package.
UNSET = {"system-plugin-dir", "chart-js"}
# What only tests, measurements and examples ask for.
NOT_BUILT = ("tests", "eval", "papers", "examples")
VERSIONS = {SPEC: r"^Version: *(\S+)$", ARCH: r"^pkgver=(\S+)$"}
MACROS = {"%{_libdir}": "usr/LIBDIR", "%{_bindir}": "usr/bin", "%{_mandir}": "usr/share/man",
          "%{_includedir}": "usr/include", "%{_datadir}": "usr/share"}


def options(source):
    text = (source / "meson_options.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^option\('([\w-]+)'", text, re.MULTILINE))


def faults_of_options(source, name, text):
    known = options(source)
    given = set(re.findall(r"-D([\w-]+)=", text))
    for option in sorted(given - known):
        yield f"{name}: meson has no option {option}"
    for option in sorted(known - given - UNSET):
        yield f"{name} leaves the option {option} to chance"


def asked(source):
    """{module of pkg-config: the version that the build asks for, or ""}"""
    found = {}
    gst = re.search(r"gst_req = '>= ([\d.]+)'", (source / "meson.build").read_text("utf-8"))[1]
    for path in (source / "meson.build", *source.glob("*/**/meson.build")):
        if path.relative_to(source).parts[0] in (*NOT_BUILT, "subprojects"):
            continue
        for module, rest in re.findall(r"\bdependency\('([\w.-]+)'([^)\n]*)",
                                       path.read_text(encoding="utf-8")):
            version = re.search(r"version: '>= ([\d.]+)'", rest)
            found[module] = (version[1] if version else gst if "version: gst_req" in rest
                             else found.get(module, ""))
    found.pop("gstreamer-check-1.0")
    return found


def faults_of_spec(source, text, paths):
    required = dict(re.findall(r"^BuildRequires: *pkgconfig\(([^)]+)\)(?: >= (\S+))?$", text,
                               re.MULTILINE))
    for module, version in asked(source).items():
        if required.get(module) != version:
            wanted = f"pkgconfig({module})" + (f" >= {version}" if version else "")
            yield f"{SPEC}: the build asks for {wanted}"
    for module in required.keys() - asked(source).keys():
        yield f"{SPEC}: the build does not ask for {module}"
    lines = re.findall(r"^(%\{_\w+\}\S*)$", text, re.MULTILINE)
    patterns = [re.sub(r"^%\{\w+\}", lambda m: MACROS[m[0]], line).rstrip("/") for line in lines]
    for path in paths:
        parents = [str(name) for name in (path, *path.parents)]
        if sum(any(fnmatch(name, pattern) for name in parents) for pattern in patterns) != 1:
            yield f"{SPEC}: {path} is not in just one package"
    # A build without a program's libraries leaves it out.
    programs = {page.stem for page in source.glob("tools/*/*.1")}
    for pattern in patterns:
        if PurePosixPath(pattern).name.removesuffix(".1*") not in programs and not any(
                fnmatch(str(path), pattern) or pattern in map(str, path.parents)
                for path in paths):
            yield f"{SPEC}: nothing is {pattern}"


def installed(build, prefix, libdir):
    text = subprocess.run(["meson", "introspect", "--installed", build], check=True,
                          capture_output=True, text=True).stdout
    for path in json.loads(text).values():
        path = PurePosixPath(path).relative_to(prefix)
        if path.is_relative_to(libdir):
            path = PurePosixPath("LIBDIR", path.relative_to(libdir))
        yield "usr" / path


def main(source, build, version, prefix, libdir):
    source = Path(source)
    yocto = YOCTO.format(version)
    found = []
    if not (source / yocto).exists():
        found.append(f"there is no {yocto}")
        yocto, = (str(path.relative_to(source)) for path in source.glob(YOCTO.format("*")))
    texts = {name: (source / name).read_text(encoding="utf-8") for name in (SPEC, ARCH, yocto)}
    for name, form in VERSIONS.items():
        if re.search(form, texts[name], re.MULTILINE)[1] != version:
            found.append(f"{name} has another version than {version} of meson.build")
    for name, text in texts.items():
        found += faults_of_options(source, name, text)
    found += faults_of_spec(source, texts[SPEC], list(installed(build, prefix, libdir)))
    if hashlib.md5((source / "LICENSE").read_bytes()).hexdigest() not in texts[yocto]:
        found.append(f"{yocto}: LIC_FILES_CHKSUM is of another LICENSE")
    print("\n".join(found) or "in step")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
