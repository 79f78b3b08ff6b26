#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

# Jobs of a user, in a system that has the packages and nothing of the source tree: tests/jobs/run
# calls this as root there, with the name of a job. All lines are those of the installed documents
# and examples; they run as an unprivileged user, without a display: autovideosink is replaced by
# fakesink, which the log of its base class lets us count. Prints facts, one a line: NAME VALUE.
set -u
doc=/usr/share/doc/gst-arc
examples=$doc/examples
seconds=12              # that a stream runs
patience=20             # for a first picture

fact() { echo "$1 $2"; }
user() { (as_user "$@"); }
# Ends the shell that calls it.
as_user() { exec setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/user LANG=C.UTF-8 "$@"; }
now_ms() { date +%s%3N; }

# A launch file as a user runs it. $1: its name; $2: sed commands for it.
example() { grep -v '^#' "$examples/pipelines/$1.launch" | headless | sed "${2:-}" | tr '\n' ' '; }
headless() { sed 's/autovideosink/fakesink name=video sync=true/;s/autoaudiosink/fakesink name=audio sync=true/'; }
# The nth launch line of a page. $1: the page below docs; $2: which one.
line() {
  awk -v n="$2" '/^```/ { in_code = !in_code; next }
    in_code { sub(/^ *\$ /, ""); if (/^gst-launch-1.0/) i++; if (i == n) { more = /\\$/; sub(/\\$/, "");
      printf "%s", $0; if (!more) exit } }' "$doc/$1" | sed 's/gst-launch-1.0 *//;s/RECEIVER\|SENDER/127.0.0.1/;s/CAMERA/127.0.0.1:8554/' | headless
}

# Plays a line in the background, as the user. $1: a name for its log; the rest: the line.
play() {
  name=$1; shift
  rm -f "/tmp/$name.frames"
  # shellcheck disable=SC2086 # the line is words
  as_user sh -c 'cd; exec "$@"' sh env GST_DEBUG=basesink:5 GST_DEBUG_NO_COLOR=1 \
      GST_DEBUG_FILE="/tmp/$name.frames" gst-launch-1.0 -e $* >"/tmp/$name.log" 2>&1 &
  eval "pid_$name=$!"
}
end() {
  eval "job=\$pid_$1"
  kill -INT "$job" 2>/dev/null
  # What does not end is a failure of its own.
  (sleep 15; kill -KILL "$job" 2>/dev/null && fact failed "$1 does not end on SIGINT") & watch=$!
  wait "$job" 2>/dev/null
  kill "$watch" 2>/dev/null
}
# 0 where there is no log yet.
shown() { n=$(grep -c "<$2> rendering object" "/tmp/$1.frames" 2>/dev/null); echo "${n:-0}"; }
# Waits for the first frame of a sink, and says how long that took. $1: receiver, $2: sink.
first_picture() {
  began=$(now_ms)
  while [ "$(shown "$1" "$2")" -lt 1 ]; do
    if [ $(($(now_ms) - began)) -gt $((patience * 1000)) ]; then
      fact failed "no picture in $patience s"
      return 1
    fi
    sleep 0.05
  done
  fact picture_ms "$(($(now_ms) - began))"
}
# What the user reads beside the usual lines.
stumbles() {
  for name; do
    grep -hE '^(WARNING|ERROR)' "/tmp/$name.log" | sed 's/.*element [^ ]*: //' | while read -r text; do
      fact stumble "$name: $text"
    done
  done
}
# A stream of two lines. $1: the receiver's, $2: the sender's, $3: frames to expect at least.
stream() {
  play receiver "$1"
  sleep 1
  play sender "$2"
  if first_picture receiver video; then
    sleep "$seconds"
    end sender
    fact frames "$(shown receiver video)"
    [ "$(shown receiver video)" -ge "$3" ] || fact failed "fewer than $3 frames"
  else
    end sender
  fi
  end receiver
  stumbles sender receiver
}

job_install() {
  began=$(now_ms)
  apt-get -qq update
  apt-get -qq -y -o Dpkg::Use-Pty=0 install /root/gstreamer1.0-arc_*.deb /root/gst-arc-doc_*.deb \
      /root/gst-arc-tools_*.deb >/tmp/apt.log 2>&1 || fact failed "apt"
  fact install_s "$((($(now_ms) - began) / 1000))"
  id user >/dev/null 2>&1 || useradd --create-home --uid 1000 user
  user gst-inspect-1.0 rmcsink >/tmp/inspect.log 2>&1 || fact failed "gst-inspect-1.0 rmcsink"
}
# What the documents name for the jobs behind it, and iproute2 for this script.
job_more() {
  began=$(now_ms)
  apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends gstreamer1.0-plugins-bad gcc libc6-dev \
      pkg-config libgstreamer-plugins-base1.0-dev python3-gi gir1.2-gst-plugins-bad-1.0 gir1.2-soup-3.0 \
      gir1.2-gst-rtsp-server-1.0 \
      gstreamer1.0-nice iproute2 >/tmp/apt.log 2>&1 || fact failed "apt"
  fact install_s "$((($(now_ms) - began) / 1000))"
}
job_first() { stream "$(line README.md 2)" "$(line README.md 1)" 300; }
job_guide() { stream "$(line docs/guide/first-stream.md 1)" "$(line docs/guide/first-stream.md 3)" 300; }
job_statistics() {
  play receiver "$(example receive-display)"
  play sender "-m $(example test-send) stats-interval=1000000000"
  sleep "$seconds"; end sender; end receiver
  reports=$(grep -c 'GstRmcSinkStats.*state=(string)running' /tmp/sender.log)
  fact frames "$(shown receiver video)"
  [ "$reports" -ge $((seconds - 4)) ] || fact failed "$reports lines of statistics in $seconds s"
}
job_monitor() {
  as_user gst-arc-monitor >/tmp/monitor.log 2>&1 & monitor=$!
  export GST_TRACERS=arcmonitor
  stream "$(example receive-display)" "$(example test-send)" 300 &
  streaming=$!
  sleep 9
  perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:8480") or exit 1;
      print $s "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n"; print while <$s>' >/tmp/metrics
  grep -q '^gst_arc.*rmcsink0' /tmp/metrics || fact failed "/metrics has no rmcsink"
  wait $streaming
  kill $monitor; wait $monitor 2>/dev/null
}
job_record() {
  rm -f /home/user/received.mkv
  play receiver "$(example test-receive)"
  sleep 1
  play sender "$(example test-send)"
  sleep "$seconds"; end sender; end receiver
  plays received.mkv 250
  stumbles sender receiver
}
# A recording plays to its end. $1: the file, $2: frames to expect at least.
plays() {
  user sh -c "cd; GST_DEBUG=basesink:5 GST_DEBUG_NO_COLOR=1 GST_DEBUG_FILE=/tmp/file.frames timeout 60 \
      gst-launch-1.0 filesrc location=$1 ! matroskademux ! h264parse ! avdec_h264 ! fakesink name=video" \
      >/tmp/file.log 2>&1 || fact failed "$1 does not play"
  fact frames "$(shown file video)"
  [ "$(shown file video)" -ge "$2" ] || fact failed "$1 has fewer than $2 frames"
}
job_record_sender() {
  rm -f /home/user/sent.mkv
  stream "$(example receive-display)" "$(example test-send \
      's/! rtph264pay/! tee name=t ! queue ! rtph264pay/') t. ! queue ! h264parse ! matroskamux ! filesink location=sent.mkv" 250
  plays sent.mkv 250
}
job_audio_video() {
  stream "$(example audio-video-receive)" "$(example audio-video-send)" 250
  [ "$(shown receiver audio)" -ge 300 ] || fact failed "$(shown receiver audio) buffers of sound"
}
job_bins() {
  stream "$(example av-receive)" "$(example av-send)" 300
  [ "$(shown receiver audio)" -ge 300 ] || fact failed "$(shown receiver audio) buffers of sound"
}
# Some call and are shown a picture. $1: of which port; $2: what serves them, to be ended then.
callers() {
  for i in 1 2 3; do
    play "viewer$i" "$(line docs/guide/joining.md 2 | sed "s/port=5004/port=$1/")"
  done
  first_picture viewer3 video && sleep "$seconds"
  least=10000
  for i in 1 2 3; do
    end "viewer$i"
    [ "$(shown "viewer$i" video)" -ge "$least" ] || least=$(shown "viewer$i" video)
  done
  for name in $2; do end "$name"; done
  fact frames "$least"
  [ "$least" -ge 300 ] || fact failed "a viewer has $least frames"
  # shellcheck disable=SC2086 # names
  stumbles viewer1 $2
}
job_join() {
  play server "$(line docs/guide/joining.md 3)"
  sleep 1
  callers 5004 server
}
job_edge() {
  play origin "$(example origin)"
  play second "$(example edge)"
  sleep 2
  callers 5006 "second origin"
}
job_paths() { stream "$(example receive-display)" "$(example several-paths-send)" 300; }
# A camera of 720p25, 2 Mbit/s, GOP 2 s, as it comes.
job_camera() {
  cat >/tmp/camera.py <<'END'
import gi
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
Gst.init(None)
server, factory = GstRtspServer.RTSPServer(), GstRtspServer.RTSPMediaFactory()
factory.set_launch("( videotestsrc is-live=true ! video/x-raw,format=I420,width=1280,height=720,"
                   "framerate=25/1 ! x264enc tune=zerolatency speed-preset=ultrafast bitrate=2000 "
                   "key-int-max=50 ! rtph264pay name=pay0 pt=96 )")
server.get_mount_points().add_factory("/stream", factory)
server.attach(None)
GLib.MainLoop().run()
END
  as_user python3 /tmp/camera.py >/tmp/camera.log 2>&1 & camera=$!
  sleep 1
  stream "$(example receive-display)" "$(line docs/guide/ip-camera.md 2)" 250
  kill $camera; wait $camera 2>/dev/null
}
job_mpegts() {
  stream "$(example mpegts-receive)" "$(example mpegts-send)" 300
  [ "$(shown receiver audio)" -ge 300 ] || fact failed "$(shown receiver audio) buffers of sound"
}
job_h265() { stream "$(example h265-receive)" "$(example h265-send)" 250; }
# $1: options of the link; $2: frames.
over_link() {
  # shellcheck disable=SC2086 # options
  as_user linkemu --listen 127.0.0.1:5002 --to 127.0.0.1:5004 $1 2>/tmp/linkemu.log & link=$!
  stream "$3" "$(example test-send 's/port=5004/port=5002/;s/pattern=smpte/pattern=snow/')" "$2"
  kill $link; wait $link 2>/dev/null
}
job_slower() {
  over_link "--trace 0:3M,6:1M --delay 25 --start-on-traffic" 330 "$(example receive-display)"
}
job_loss() {
  over_link "--rate 3M --delay 25 --loss 0.05" 330 "$(line docs/guide/recipes.md "$(recipe_line adapt-latency)")"
}
# Which launch line of the recipes has this word.
recipe_line() {
  awk -v word="$1" '/^```/ { in_code = !in_code; next }
    in_code { if (/^gst-launch-1.0/) i++; if (index ($0, word)) { print i; exit } }' "$doc/docs/guide/recipes.md"
}
job_key() { stream "$(example srtp-receive)" "$(example srtp-send)" 300; }
job_before_network() {
  play receiver "$(example receive-display 's/arcsrc /arcsrc address=0.0.0.0 /')"
  play sender "$(example test-send 's/host=127.0.0.1/host=10.98.76.5/')"
  sleep 5
  ip address add 10.98.76.5/32 dev lo
  first_picture receiver video && { sleep "$seconds"; fact frames "$(shown receiver video)"; }
  end sender; end receiver
  stumbles sender receiver
  ip address del 10.98.76.5/32 dev lo
}
job_restart() {
  play receiver "$(example receive-display)"
  play sender "$(example test-send)"
  first_picture receiver video >/dev/null
  end sender
  sleep 1
  before=$(shown receiver video)
  play sender "$(example test-send)"
  began=$(now_ms)
  while [ "$(shown receiver video)" -le "$((before + 5))" ] && [ $(($(now_ms) - began)) -lt 20000 ]; do sleep 0.05; done
  fact picture_ms "$(($(now_ms) - began))"
  sleep 5; end sender; end receiver
  fact frames "$(shown receiver video)"
  stumbles sender receiver
}
job_ten_viewers() {
  branches=
  for i in 1 2 3 4 5 6 7 8 9 10; do
    port=$((5100 + i))
    play "viewer$i" "$(example receive-display "s/port=5004/port=$port/")"
    branches="$branches t. ! queue ! rmcsink host=127.0.0.1 port=$port"
  done
  sleep 2
  play sender "$(example test-send 's/! rmcsink .*/! tee name=t/') $branches"
  first_picture viewer10 video
  sleep "$seconds"; end sender
  least=10000
  for i in 1 2 3 4 5 6 7 8 9 10; do
    end "viewer$i"
    [ "$(shown "viewer$i" video)" -ge "$least" ] || least=$(shown "viewer$i" video)
  done
  fact frames "$least"
  [ "$least" -ge 250 ] || fact failed "a viewer has $least frames"
  stumbles sender
}
job_programs() {
  for name in send receive; do
    cc "$examples/embed/$name.c" -o "/tmp/$name" $(pkg-config --cflags --libs gstreamer-1.0) || fact failed "$name.c"
  done
  as_user /tmp/receive --sink fakesink 5004 >/tmp/receiver.log 2>&1 & receiver=$!
  user "$examples/embed/send.py" 127.0.0.1 5004 "$seconds" >/tmp/sender.log 2>&1 || fact failed send.py
  kill $receiver; wait $receiver 2>/dev/null
  frames=$(sed -n 's/.*: \([0-9]*\) frames.*/\1/p' /tmp/receiver.log | sort -n | tail -n 1)
  fact frames "${frames:-0}"
  [ "${frames:-0}" -ge 250 ] || fact failed "receive.c has ${frames:-0} frames"
}
# The viewer is that of the tests; the program and the page are the installed ones.
job_browser() {
  # libnice uses no loopback interface.
  ip link add job0 type veth peer name job1 && ip address add 10.98.76.9/24 dev job0
  ip link set job0 up; ip link set job1 up
  user /tests/check/pipelines/browserview.py /lab/webrtcend "$examples/browser/viewer.html" \
      "$examples/browser/publish.py" >/tmp/browser.log 2>&1 || fact failed "$(tail -n 1 /tmp/browser.log)"
  grep -q '^skipped' /tmp/browser.log && fact failed "$(grep '^skipped' /tmp/browser.log)"
}

mkdir -p /tmp && chmod 1777 /tmp
"job_$1"
exit 0
