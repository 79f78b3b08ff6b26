# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Debian systems in folders, made by debootstrap.

A bare system is unpacked from an archive that is made once for each suite and architecture. A
command runs in a mount and a process namespace of its own, so nothing stays mounted. It runs in a
network namespace of its own, too, unless it installs: so tests neither need a network nor meet
other programs of this machine. The root is changed by pivot_root, since the kernel refuses new user
namespaces, which some tests make, to what runs in a chroot."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

# $1: the root; $2: "yes" if the network is the machine's; the rest: folders FROM:TO, --, a command.
ENTER = r"""
root=$1 network=$2; shift 2
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs tmp
while [ "$1" != -- ]; do
  mkdir -p "$root/${1#*:}"; mount --bind "${1%%:*}" "$root/${1#*:}"; shift
done
shift
[ "$network" = yes ] || ip link set lo up
pivot_root . mnt
umount -l /mnt
exec "$@"
"""
ENVIRONMENT = {"PATH": "/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
               "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
# For systems that are thrown away: no progress bars, no waiting for the disk, no questions.
APT = ("apt-get -qq -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io"
       " -o Dpkg::Options::=--force-confold")
# The package manager needs these of the machine that it runs on.
OF_HOST = ("etc/resolv.conf", "etc/hosts")


@dataclass(frozen=True)
class Place:
    """Where systems come from, and where they are kept."""
    work: Path
    mirror: str
    apt_conf: Path | None       # a folder with settings of this machine, such as a proxy


def bare_archive(place, suite, arch):
    """A minimal system as debootstrap leaves it."""
    archive = place.work / f"{suite}-{arch}.tar"
    if archive.exists():
        return archive
    root = place.work / f"{suite}-{arch}.new"
    shutil.rmtree(root, ignore_errors=True)
    command = ["debootstrap", f"--arch={arch}", "--variant=minbase", suite, root, place.mirror]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for name in OF_HOST:
        shutil.copy(Path("/", name), root / name)
    if place.apt_conf:
        shutil.copytree(place.apt_conf, root / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    subprocess.run(["tar", "-C", root, "-cf", f"{archive}.new", "."], check=True)
    os.rename(f"{archive}.new", archive)
    shutil.rmtree(root)
    return archive


def unpack(place, suite, arch, name):
    """A new bare system of this name; what had the name before is gone."""
    archive, root = bare_archive(place, suite, arch), place.work / name
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    subprocess.run(["tar", "-C", root, "-xf", archive], check=True)
    return root


def run(root, command, log, network=False, environment=(), folders=()):
    """Runs a shell command as root inside; all output goes to the file `log`. Returns its status.
    folders: (outside, inside) pairs."""
    binds = [f"{outside}:{inside}" for outside, inside in folders]
    isolate = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    isolate += [] if network else ["--net"]
    with open(log, "a", encoding="utf-8") as output:
        return subprocess.run(
            [*isolate, "sh", "-euc", ENTER, "enter", root, "yes" if network else "no", *binds, "--",
             "sh", "-euc", command], check=False, stdout=output, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, env=ENVIRONMENT | dict(environment)).returncode


def install(root, packages, log):
    """Installs what is missing; status as of run()."""
    listed = " ".join(packages)
    return run(root, f"dpkg-query -W {listed} >/dev/null 2>&1 || {{ {APT} update;"
               f" {APT} install --no-install-recommends {listed}; }}", log, network=True)
