#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors
#
# bench/loop.sh [BUILD]: runs every closed-loop case in virtual time (seed 1), writes bench/results/loop.md and a plot of each case
# that has a story in bench/results/loop/. Needs a build and gnuplot; takes seconds and always gives the same figures.
set -eu
cd "$(dirname "$0")/.."
report=${1:-build}/tests/check/loop/loop-report
out=bench/results/loop
csv=$(mktemp -d)
trap 'rm -rf "$csv"' EXIT

plot() { # case, title
  gnuplot <<GP
set terminal pngcairo size 1000,640 font "sans,10"
set output "$out/$1.png"
set datafile separator ","
set multiplot layout 2,1 title "$2"
set lmargin 9
set rmargin 20
set grid lt 1 lc rgb "#cccccc"
set autoscale xfix
set key outside right top
set ylabel "Mbit/s"
set yrange [0:*]
stats "$csv/$1.csv" skip 1 nooutput
flows = (STATS_columns - 3) / 2
plot "$csv/$1.csv" skip 1 using 1:(\$2/1e6) with steps lw 2 lc rgb "#888888" title "capacity", \
  for [i=0:flows-1] "" skip 1 using 1:(column(4+2*i)/1e6) with lines lw 1.5 title sprintf("rate r %d", i+1), \
  for [i=0:flows-1] "" skip 1 using 1:(column(5+2*i)/1e6) with lines lw 0.7 dt 2 title sprintf("served %d", i+1)
set ylabel "queueing delay, ms"
set xlabel "s"
plot "$csv/$1.csv" skip 1 using 1:3 with lines lw 1 lc rgb "#c03020" title "largest in 0.1 s"
unset multiplot
GP
}

mkdir -p "$out"
{
  echo "# Closed loops in virtual time"
  echo
  echo "Made by \`bench/loop.sh\` (seed 1; no clock is read, so every run gives the same). Spans are from 3 s after each capacity step;"
  echo "utilisation is of the smaller of capacity and what the sources can make; queueing delay is at the link, per packet."
  echo
  echo '```'
  "$report" -c "$csv"
  echo '```'
  echo
  for case in 3-1-3 5.1 black dies loss-2 5.5 paper-1m; do echo "![$case](loop/$case.png)"; echo; done
} > bench/results/loop.md
plot 3-1-3 "3 -> 1 -> 3 Mbit/s, RTT 50 ms, video, profile=live"
plot 5.1 "RFC 8867 5.1: 1 -> 2.5 -> 0.6 -> 1 Mbit/s, RTT 100 ms, source at most 1.52 Mbit/s"
plot black "picture black from 10 to 40 s on 3 Mbit/s"
plot dies "receiver dead from 10 to 30 s on 3 Mbit/s"
plot loss-2 "2 % random loss on 2 Mbit/s"
plot 5.5 "RFC 8867 5.5: five flows, RTT 20..300 ms, 4 Mbit/s"
plot paper-1m "profile=paper, greedy, 1 Mbit/s, RTT 100 ms"
echo "bench/results/loop.md and $out/*.png"
