#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors
#
# scripts/sanitize.sh [asan] [valgrind]: all tests of one process under AddressSanitizer and UndefinedBehaviorSanitizer, and
# the elements' under valgrind, which sees leaks. Default: both. Ends non-zero if anything was found.
set -u
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

# Leaks: GStreamer's registry and types live as long as the process, so they are valgrind's part, with its suppressions.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# Without sim: ns-3 is not ours. Without pipelines that measure delays: the sanitizers make them wait.
run_asan() {
  [ -f build-asan/build.ninja ] \
    || meson setup build-asan -Db_sanitize=address,undefined -Db_lundef=false -Dsim=disabled -Dtests=enabled >"$log" \
    || { tail "$log"; return 1; }
  ninja -C build-asan >"$log" 2>&1 || { tail "$log"; return 1; }
  meson test -C build-asan --no-rebuild --print-errorlogs --timeout-multiplier 5 --no-suite sim --no-suite pipeline
  result=$?
  MESON_TESTTHREADS=1 meson test -C build-asan --no-rebuild --print-errorlogs --timeout-multiplier 5 restart chaos && return $result
}

# $1: test program; $2: glob of cases
valgrind_case() {
  GST_CHECKS=$2 CK_FORK=no CK_DEFAULT_TIMEOUT=1200 GST_ARC_CYCLES=50 G_SLICE=always-malloc LD_LIBRARY_PATH=$PWD/build/gst \
    GST_PLUGIN_PATH_1_0=$PWD/build/gst GST_REGISTRY_1_0=$PWD/build/tests/registry-valgrind.bin GST_REGISTRY_FORK=no \
    valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --num-callers=20 \
    --suppressions=tests/valgrind.supp --error-exitcode=99 "build/tests/check/$1" >"$log" 2>&1
  result=$?
  # A finding counts when one of our files is in its stack; what a test says of its own times does not, at such a speed.
  ours=$(grep -cE "\(($files):" "$log")
  checks=$(grep -E '^[0-9]+%: Checks' "$log")
  echo "valgrind: $1 $2: exit $result, stack lines of ours: $ours; $checks"
  [ "$ours" = 0 ] && { [ $result = 0 ] || [ $result = 99 ]; } && [ "${checks%%:*}" != 0% ] && return 0
  tail -40 "$log"
  return 1
}

# Those that hold something for long. Thousands of cases without a socket or a thread are left to the other sanitizers.
run_valgrind() {
  files=$(git ls-files 'gst/*.c' 'lib/*.c' | sed 's|.*/||; s/\./\\./' | paste -sd '|')
  result_all=0
  ninja -C build >"$log" 2>&1 || { tail "$log"; return 1; }
  valgrind_case pipelines/check_restart "*new_pipelines*" || result_all=1
  for row in "arcsrc *fifty*" "arcreceiver *" "rampscheduler *" "rampfaults *" "rmcsink *" "rmcsinkfaults *fifty*" \
      "rcprelay *" "stampecho *" "ecnbits *"; do
    valgrind_case "elements/check_${row%% *}" "${row#* }" || result_all=1
  done
  return $result_all
}

for what in ${*:-asan valgrind}; do
  "run_$what" || status=1
done
[ $status = 0 ] && echo "sanitize: clean" || echo "sanitize: FAILED"
exit $status
