#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors
#
# bench/demo.sh [VIDEO...]: ./demo with the test source and with each VIDEO; writes docs/results/demo.md and the plots. 65 s a run, and
# the machine should have nothing else to do.
set -eu
cd "$(dirname "$0")/.."
out=docs/results/demo
table=$(mktemp)
details=$(mktemp)
folder=$(mktemp -d)
trap 'rm -rf "$table" "$details" "$folder"' EXIT
mkdir -p "$out"
rm -f "$table"

one() { # name, arguments of ./demo
  name=$1
  shift
  ./demo --output "$folder/$name" --results "$table" "$@" > "$folder/log" 2>&1 || cat "$folder/log"
  cp "$folder/$name/plot.png" "$out/$name.png"
  {
    echo "## $name"
    echo
    echo '```'
    cat "$folder/$name/summary.txt"
    echo '```'
    echo
    echo "![$name](demo/$name.png)"
    echo
  } >> "$details"
  grep -E '^(ok|MISSED)' "$folder/$name/summary.txt"
}

one test-source
for video in "$@"; do
  name=$(basename "$video")
  one "${name%.*}" --input "$video"
done
{
  echo "# The demo: x264enc over an emulated link, 3 -> 1 -> 3 Mbit/s"
  echo
  echo "Made by \`bench/demo.sh VIDEO...\` ($(uname -sr), $(nproc) cores, $(gst-launch-1.0 --version | head -1))."
  echo "25 ms one way, 300 ms drop-tail queue, steps at 20 and 40 s, start at 500 kbit/s."
  echo "How the figures are made: docs/demo.md."
  echo
  cat "$table"
  echo
  cat "$details"
} > docs/results/demo.md
echo docs/results/demo.md
