#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors
#
# scripts/sanitize.sh [asan] [valgrind]: the tests under AddressSanitizer and UndefinedBehaviorSanitizer, and start, stream, stop
# under valgrind. Takes some minutes; not part of ./check. Results go to bench/results/sanitize.md.
set -u
cd "$(dirname "$0")/.."
what=${*:-asan valgrind}
out=bench/results/sanitize.md
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

note() { echo "$*"; echo "$*" >> "$out.new"; }

run_asan() {
  [ -d build-asan ] || meson setup build-asan -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debugoptimized > "$log" || return 1
  ninja -C build-asan > "$log" 2>&1 || { tail "$log"; return 1; }
  # Leaks: GStreamer's registry and types live as long as the process, so they are valgrind's part, with its suppressions.
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    meson test -C build-asan --no-rebuild --timeout-multiplier 4 --suite unit --suite loop --suite element --suite fuzz > "$log" 2>&1
  result=$?
  for test in restart; do
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 \
      meson test -C build-asan --no-rebuild --timeout-multiplier 4 "$test" >> "$log" 2>&1 || result=1
  done
  note "### AddressSanitizer and UndefinedBehaviorSanitizer: $([ $result = 0 ] && echo clean || echo FAILED)"
  note '```'
  note "$(grep -hE '^ *[0-9]+/[0-9]+ ' "$log" | sed 's/^ *//')"
  note '```'
  return $result
}

# $1: test program, $2: glob of cases
valgrind_case() {
  GST_CHECKS=$2 CK_FORK=no CK_DEFAULT_TIMEOUT=1200 GST_ARC_CYCLES=50 G_SLICE=always-malloc \
    GST_PLUGIN_PATH_1_0=$PWD/build/gst GST_REGISTRY_1_0=$PWD/build/tests/registry.bin GST_REGISTRY_FORK=no \
    valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=20 \
    --suppressions=tests/valgrind.supp --error-exitcode=99 "build/tests/check/$1" > "$log" 2>&1
  result=$?
  # A leak counts when one of our files is in its stack.
  ours=$(grep -cE '\((gst(rmc|arc)|rmc|arc|send|udp|ledger|media|pacing|encoder|rtcp|meter|reporter|peer|listen|sink|source)[a-z]*\.c:' "$log")
  note "- \`$1\` $2: exit $result, stack lines of ours in valgrind's report: $ours; $(grep -E '^[0-9]+%: Checks' "$log")"
  [ "$ours" = 0 ] && [ $result = 0 -o $result = 99 ] && return 0
  tail -40 "$log"
  return 1
}

run_valgrind() {
  note "### valgrind (definite leaks and invalid accesses): start, stream, stop, 50 times"
  for row in "pipelines/check_restart *new_pipelines*" "elements/check_rmcsink *" "elements/check_rmcsinkfaults *fifty*" \
    "elements/check_arcsrc *fifty*" "elements/check_arcreceiver *"; do
    valgrind_case ${row% *} "${row##* }" || status=1
  done
}

: > "$out.new"
echo "# Sanitizers" >> "$out.new"
echo >> "$out.new"
echo "Made by \`scripts/sanitize.sh $what\` on $(uname -sr), $(gst-launch-1.0 --version | head -1)." >> "$out.new"
echo >> "$out.new"
for w in $what; do
  "run_$w" || status=1
  note ""
done
mv "$out.new" "$out"
echo "$out; status $status"
exit $status
