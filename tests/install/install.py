#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Installs into an empty folder and uses what is there as an application's build would: nothing
lies outside of the prefix, pkg-config finds the header, and the plugin loads from its new place.

Usage: install.py BUILD_DIRECTORY PREFIX PLUGIN_DIRECTORY COMPILER [ARGUMENT...]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <string.h>

int
main (int argc, char **argv)
{
  GstElement *sink;
  GstStructure *stats;

  gst_init (&argc, &argv);
  sink = gst_element_factory_make ("rmcsink", NULL);
  if (!sink)
    return 1;
  g_object_get (sink, "stats", &stats, NULL);
  return strcmp (gst_structure_get_name (stats), GST_RMC_SINK_STATS) == 0 ? 0 : 2;
}
"""


def run(*command, **environment):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ | environment).stdout


def fail_unless(condition, what):
    if not condition:
        sys.exit(what)


def check_places(root, prefix, plugin_dir):
    files = [path for path in root.rglob("*") if path.is_file()]
    fail_unless(plugin_dir / "libgstarc.so" in files, f"no plugin in {plugin_dir}; there are {sorted(files)}")
    outside = [path for path in files if prefix not in path.parents and plugin_dir not in path.parents]
    fail_unless(not outside, f"outside of the prefix {prefix}: {outside}")
    for suffix in ("doc/gst-arc/README.md", "docs/reference/rmcsink.md", "examples/embed/send.c", "examples/pipelines/test-send.launch"):
        fail_unless(any(str(path).endswith(suffix) for path in files), f"{suffix} is not installed")


def move_pc(root):
    """As if the folder were the system's root: pkg-config knows no DESTDIR for one package
    alone."""
    pc, = root.rglob("gst-arc.pc")
    pc.write_text(pc.read_text().replace("=/", f"={root}/"))
    os.environ["PKG_CONFIG_PATH"] = f"{pc.parent}:{os.environ.get('PKG_CONFIG_PATH', '')}"


def check_program(root, plugin_dir, compiler):
    source, program = root / "program.c", root / "program"
    source.write_text(PROGRAM)
    flags = run("pkg-config", "--cflags", "--libs", "gst-arc").split()
    run(*compiler, str(source), "-o", str(program), "-Werror", *flags)
    run(str(program), GST_PLUGIN_PATH_1_0="", GST_PLUGIN_SYSTEM_PATH_1_0=str(plugin_dir),
        GST_REGISTRY_1_0=str(root / "registry.bin"))


def main():
    build, prefix, plugin_dir, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
        # Below the folder, as DESTDIR means it.
        prefix, plugin_dir = (root / path.lstrip("/") for path in (prefix, os.path.join(prefix, plugin_dir)))
        check_places(root, prefix, plugin_dir)
        move_pc(root)
        check_program(root, plugin_dir, compiler)
        told = run("pkg-config", "--variable=pluginsdir", "gst-arc").strip()
        fail_unless(Path(told) == plugin_dir, f"gst-arc.pc says that the plugin is in {told}")


main()
