#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors
#
# Everything between a fresh Debian 12 or 13 and a built tree; with the argument `tests`, also the tests and what they
# need. Says nothing when there is nothing to do.
#   GST_ARC_BUILD_DIR  where to build (default: build)
#   GST_ARC_COMPLETE   1: what the tests can do without is not optional (.ci/run)
set -eu

packages="
  gcc libc6-dev meson ninja-build pkg-config
  libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly gstreamer1.0-libav
  python3 gnuplot-nox
"
# For papers/, calls over WebRTC, the RTSP server, SRTP, the monitor, arcrouter and tests in network namespaces, and to compile
# nothing twice (meson takes ccache where it is): installed before the first build where that needs no password, else ./check says
# which tests were not built or were skipped.
optional_packages="g++ libns3-dev libgsl-dev gstreamer1.0-nice python3-gi gir1.2-gst-plugins-base-1.0 gir1.2-gst-plugins-bad-1.0
  libgstrtspserver-1.0-dev libgstreamer-plugins-bad1.0-dev libsrtp2-dev nettle-dev libsoup-3.0-dev libjson-glib-dev libjs-chart.js
  python3-prometheus-client libbpf-dev clang iproute2 ccache"

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${GST_ARC_BUILD_DIR:-build}
case $build in
  /*) ;;
  *) build=$root/$build ;;
esac
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run WHAT COMMAND...: quiet while it works, the tail of its output when it fails.
run ()
{
  what=$1
  shift
  echo "setup: $what" >&2
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    echo "setup: $what: FAILED" >&2
    exit 1
  fi
}

complete ()
{
  [ "${GST_ARC_COMPLETE:-}" = 1 ]
}

# missing_packages PACKAGE...
missing_packages ()
{
  for package; do
    # "ok installed" and not the exit status: a removed package with configuration left is still known.
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || :) in
      *"ok installed") ;;
      *) printf ' %s' "$package" ;;
    esac
  done
}

# shellcheck disable=SC2086 # lists of words
install_packages ()
{
  missing=$(missing_packages $packages)
  optional=
  if [ ! -f "$build/build.ninja" ] || complete; then
    optional=$(missing_packages $optional_packages)
  fi
  [ -n "$missing$optional" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -n "$missing" ] && [ -t 0 ] && sudo -v; }; }; then
    as_root=sudo
  elif [ -z "$missing" ] && ! complete; then
    return 0
  else
    echo "setup: packages are missing and this user may not install them. As root, run:" >&2
    echo "apt-get update && apt-get install -y --no-install-recommends$missing$optional" >&2
    exit 1
  fi
  install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends"
  if [ -n "$missing" ]; then
    run "updating the package lists" $as_root apt-get update
    run "installing$missing" $install $missing
  fi
  if [ -n "$optional" ]; then
    # In subshells, which `run` may end: offline, or where there are no such packages, we do without.
    [ -n "$missing" ] || (run "updating the package lists" $as_root apt-get update) || ! complete || exit 1
    (run "installing$optional (optional)" $install $optional) || ! complete || exit 1
  fi
}

if command -v dpkg-query >/dev/null; then
  install_packages
else
  echo "setup: not a Debian system; it needs what these packages hold:" $packages >&2
fi

tests=
# The file is one that tests/meson.build writes.
if [ "${1:-}" = tests ] && [ ! -f "$build/tests/not-built.txt" ]; then
  tests=-Dtests=enabled
fi
if [ ! -f "$build/build.ninja" ]; then
  run "configuring $build" meson setup "$build" "$root" $tests
elif [ -n "$tests" ]; then
  run "configuring the tests in $build" meson setup --reconfigure "$build" "$root" "$tests"
fi
# -n: only say what would be done; so that an up-to-date tree costs no line.
if ! ninja -C "$build" -n 2>/dev/null | grep -q 'no work to do'; then
  run "building in $build" ninja -C "$build"
fi
