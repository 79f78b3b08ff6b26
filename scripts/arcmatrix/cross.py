# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""What a Debian system needs to compile for another architecture and to run that by QEMU: its
compiler, and the libraries and elements of that architecture beside those of its own."""

FILE = "/build/cross.ini"
ADD = "dpkg --add-architecture {}"
COMPILERS = {"arm64": ("aarch64", "aarch64-linux-gnu")}
MESON = """[binaries]
c = ['ccache', '{triplet}-gcc']
ar = '{triplet}-ar'
strip = '{triplet}-strip'
pkgconfig = 'pkg-config'
exe_wrapper = 'qemu-{cpu}'
[properties]
pkg_config_libdir = ['/usr/lib/{triplet}/pkgconfig', '/usr/share/pkgconfig']
[host_machine]
system = 'linux'
cpu_family = '{cpu}'
cpu = '{cpu}'
endian = 'little'
"""


def environment(foreign):
    """For pkg-config outside of meson."""
    return {"PKG_CONFIG_LIBDIR": f"/usr/lib/{COMPILERS[foreign][1]}/pkgconfig"}


def packages(root, foreign, native):
    """The same, of the other architecture where they are no tools. Writes meson's file, too."""
    cpu, triplet = COMPILERS[foreign]
    (root / FILE.lstrip("/")).parent.mkdir(exist_ok=True)
    (root / FILE.lstrip("/")).write_text(MESON.format(cpu=cpu, triplet=triplet), encoding="utf-8")
    tools = ("libc6-dev", "gstreamer1.0-tools")
    return (f"gcc-{triplet}", f"libc6-dev:{foreign}",
            *(f"{name}:{foreign}" if name.startswith(("lib", "gstreamer1.0-"))
              and name not in tools else name for name in native))
