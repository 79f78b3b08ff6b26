#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

# Jobs of a user, in a system that has the packages and nothing of the source tree: tests/jobs/run
# calls this as root there, with the name of a job. All lines are those of the installed documents
# and examples, where a test picture stands for the camera; they run as an unprivileged user, and the
# picture is looked for on the screen of an X server (screen.pl). There is no graphics card, so
# autovideosink does not take glimagesink, nor kmssink, which looks for one for 5 s, and no sound
# card: autoaudiosink is replaced by fakesink. Prints facts, one a line: NAME VALUE.
set -u
doc=/usr/share/doc/gst-arc
examples=$doc/examples
seconds=12              # that a stream runs
patience=20             # for a first picture
screens=/tmp/screens
camera="videotestsrc is-live=true"
host=127.0.0.1
within=                 # a command in which what is started runs

fact() { echo "$1 $2"; }
user() { (as_user "$@"); }
# Ends the shell that calls it.
as_user() {
  # shellcheck disable=SC2086 # words, or none
  exec $within setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/user LANG=C.UTF-8 \
      DISPLAY=":7.${screen:-0}" GST_PLUGIN_FEATURE_RANK=glimagesink:NONE,kmssink:NONE "$@"
}
now_ms() { date +%s%3N; }

# A launch file as a user runs it. $1: its name; $2: sed commands for it.
example() { grep -v '^#' "$examples/pipelines/$1.launch" | placed | sed "${2:-}" | tr '\n' ' '; }
placed() {
  sed "s/RECEIVER\\|SENDER\\|GROUND\\|SERVER/$host/g;s/CAMERA/127.0.0.1:8554/;s|v4l2src|$camera|
      s/alsasrc/audiotestsrc is-live=true/;s/autoaudiosink/fakesink name=audio sync=true/"
}
# A line of a page, as one line. $1: the page below docs; $2: what it matches, as awk has it.
line() {
  awk -v word="$2" '/^```/ { in_code = !in_code; next }
    in_code { sub(/^ *\$ /, ""); sub(/ +# .*/, ""); whole = whole $0
      if (sub(/\\$/, "", whole)) next
      if (whole ~ word) { print whole; exit }
      whole = "" }' "$doc/$1" | sed 's/^\(GST_TRACERS=[^ ]* \)\?gst-launch-1.0 *//' | placed
}

# Plays a line in the background, as the user. $1: a name for its log; the rest: the line.
play() {
  name=$1; shift
  # shellcheck disable=SC2086 # the line is words
  start "$name" env GST_DEBUG=basesink:5 GST_DEBUG_NO_COLOR=1 GST_DEBUG_FILE="/tmp/$name.frames" \
      gst-launch-1.0 -e $*
}
# Starts a program in the same way.
start() {
  started=$1; shift
  rm -f "/tmp/$started.frames"
  as_user sh -c 'cd; exec "$@"' sh "$@" >"/tmp/$started.log" 2>&1 &
  eval "pid_$started=$!"
}
# Waits until a line that was played takes what comes.
ready() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q 'to PLAYING' "/tmp/$1.log" && return
    sleep 0.5
  done
  fact failed "$1 does not play"
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
shown() {
  n=$(grep -c "<\($2\|auto$2sink[0-9]*-actual-sink-[a-z]*\)> rendering object" "/tmp/$1.frames" 2>/dev/null)
  echo "${n:-0}"
}
# $1: how many; $2: their size.
start_screens() {
  mkdir -p $screens
  set -- "$1" "$2" 0
  while [ "$3" -lt "$1" ]; do set -- "$1" "$2" $(($3 + 1)) "${4:-} -screen $3 $2x24"; done
  # shellcheck disable=SC2086 # words
  Xvfb :7 $4 -fbdir $screens -ac -noreset -nolisten tcp >/tmp/xvfb.log 2>&1 &
  until perl -MIO::Socket::UNIX -e 'exit !IO::Socket::UNIX->new("/tmp/.X11-unix/X7")'; do sleep 0.05; done
}
look() { what=$1; shift; perl /root/screen.pl "$what" $screens "$@"; }
# Waits until there is a picture on a screen, and says how long that took. $1: the screen; $2, $3: what to look for,
# and on which part of it. Counts from the last begin.
begin() { began=$(now_ms); }
first_picture() {
  if ! look "${2:-wait}" "${1:-0}" $patience "${3:-0.05}"; then
    fact failed "no picture in $patience s"
    return 1
  fi
  fact picture_ms "$(($(now_ms) - began))"
}
# For somebody to look at.
keep_picture() { look ppm "${1:-0}" >"/root/$job_name.ppm"; }
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
  start_screens 1 1280x720
  play receiver "$1"
  ready receiver
  begin
  play sender "$2"
  if first_picture; then
    sleep "$seconds"
    keep_picture
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
# Each program runs, and has its page.
job_tools() {
  for name in linkemu arcrouter gst-arc-monitor gst-arc-serve gst-arc-transmit; do
    user "$name" --help >/tmp/help.log 2>&1 || fact failed "$name --help: $(tail -n 1 /tmp/help.log)"
    [ -f "/usr/share/man/man1/$name.1.gz" ] || fact failed "no manual page of $name"
  done
}
# What the documents name for the jobs behind it, the programs of others that they speak to, and for this script Xvfb,
# and what makes networks.
job_more() {
  began=$(now_ms)
  apt-get -qq -y -o Dpkg::Use-Pty=0 install --no-install-recommends xvfb perl gstreamer1.0-plugins-bad gcc \
      libc6-dev pkg-config libgstreamer-plugins-base1.0-dev python3-gi gir1.2-gst-plugins-bad-1.0 \
      gir1.2-gst-plugins-base-1.0 gir1.2-soup-3.0 gir1.2-gst-rtsp-server-1.0 gstreamer1.0-nice python3-opencv \
      ffmpeg srt-tools chromium iproute2 nftables >/tmp/apt.log 2>&1 || fact failed "apt"
  fact install_s "$((($(now_ms) - began) / 1000))"
}
job_first() { stream "$(line README.md ^gst-launch.*arcsrc)" "$(line README.md ^gst-launch.*rmcsink)" 300; }
job_guide() {
  stream "$(line docs/guide/first-stream.md arcsrc)" "$(line docs/guide/first-stream.md width=640.*rmcsink)" 300
}
job_statistics() {
  start_screens 1 1280x720
  play receiver "$(example receive-display)"
  ready receiver
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
  start_screens 3 320x240
  begin
  for i in 1 2 3; do
    screen=$((i - 1)) play "viewer$i" "$(line docs/guide/joining.md arcsrc.mode=caller | sed "s/port=5004/port=$1/")"
  done
  first_picture 0 && look wait 1 5 && look wait 2 5 && sleep "$seconds"
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
  play server "$(line docs/guide/joining.md 'x264enc.*arcserversink')"
  ready server
  callers 5004 server
}
job_edge() {
  play origin "$(example origin)"
  play second "$(example edge)"
  sleep 2
  callers 5006 "second origin"
}
job_av_call() {
  stream "$(line docs/guide/faq.md arcavsrc.*mode=caller)" "$(line docs/guide/faq.md arcavsink.*mode=listener)" 250
  [ "$(shown receiver audio)" -ge 300 ] || fact failed "$(shown receiver audio) buffers of sound"
}
# Any player of URIs, in place of gst-play-1.0.
job_sound_viewers() {
  start_screens 3 320x240
  play server "$(line docs/guide/faq.md mpegtsmux.*arcserversink)"
  ready server
  begin
  for i in 0 1 2; do
    screen=$i play "viewer$i" playbin3 "uri=arc://127.0.0.1:5004?mode=caller" \
        "audio-sink=\"fakesink name=audio sync=true\""
  done
  look wait 0 $patience && look wait 1 $patience && first_picture 2 && sleep "$seconds"
  for i in 0 1 2; do
    [ "$(shown "viewer$i" audio)" -ge 300 ] || fact failed "$(shown "viewer$i" audio) buffers of sound"
    end "viewer$i"
  done
  end server
  stumbles server viewer0
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
  stream "$(example receive-display)" "$(line docs/guide/ip-camera.md rtspsrc.*rtx-time)" 250
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
  over_link "--rate 3M --delay 25 --loss 0.05" 330 "$(line docs/guide/latency.md "adapt-latency=true *! rtpjitterbuffer")"
}
job_key() { stream "$(example srtp-receive)" "$(example srtp-send)" 300; }
# Any player of URIs, in place of gst-play-1.0.
job_passphrase() {
  start_screens 1 640x480
  play server "$(line docs/guide/security.md mode=listener.*passphrase=)"
  ready server
  begin
  play viewer playbin3 "uri=$(line docs/guide/security.md mode=caller.*passphrase= | sed 's/[^"]*"//;s/"//g')"
  first_picture && { fact rate "$(look rate 0 5)"; keep_picture; }
  end viewer; end server
  stumbles server viewer
}
job_before_network() {
  start_screens 1 1280x720
  play receiver "$(example receive-display 's/arcsrc /arcsrc address=0.0.0.0 /')"
  play sender "$(example test-send 's/host=127.0.0.1/host=10.98.76.5/')"
  sleep 5
  ip address add 10.98.76.5/32 dev lo
  begin
  first_picture && { sleep "$seconds"; fact frames "$(shown receiver video)"; }
  end sender; end receiver
  stumbles sender receiver
  ip address del 10.98.76.5/32 dev lo
}
job_restart() {
  start_screens 1 1280x720
  begin
  play receiver "$(example receive-display)"
  ready receiver
  play sender "$(example test-send)"
  first_picture >/dev/null
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
# Ten screens have a picture.
all_ten() {
  for i in 0 1 2 3 4 5 6 7 8; do look wait $i $patience || fact failed "nothing on screen $i"; done
  first_picture 9
}
job_ten_viewers() {
  start_screens 10 640x360
  branches=
  for i in 1 2 3 4 5 6 7 8 9 10; do
    port=$((5100 + i))
    screen=$((i - 1)) play "viewer$i" "$(example receive-display "s/port=5004/port=$port/")"
    branches="$branches t. ! queue ! rmcsink host=127.0.0.1 port=$port"
  done
  for i in 1 2 3 4 5 6 7 8 9 10; do ready "viewer$i"; done
  begin
  play sender "$(example test-send 's/! rmcsink .*/! tee name=t/') $branches"
  all_ten
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
  another_interface
  user /source/tests/check/pipelines/browserview.py /source/eval/lab/webrtcend "$examples/browser/viewer.html" \
      "$examples/browser/publish.py" >/tmp/browser.log 2>&1 || fact failed "$(tail -n 1 /tmp/browser.log)"
  grep -q '^skipped' /tmp/browser.log && fact failed "$(grep '^skipped' /tmp/browser.log)"
}

# srt-live-transmit and ffmpeg of others, ours between them, ffplay at the screen. $1: to where ffmpeg sends; $2: what
# ffplay plays. The two lines are the guide's.
between_srt() {
  # shellcheck disable=SC2046 # words
  start ours_in $(line docs/guide/from-srt.md '^gst-arc-transmit srt' | sed "${3:-}")
  # shellcheck disable=SC2046
  start ours_out $(line docs/guide/from-srt.md '^gst-arc-transmit arc' | sed "${3:-}")
  sleep 1
  start ffmpeg ffmpeg -nostdin -loglevel error -re -f lavfi -i testsrc2=size=640x360:rate=30 -pix_fmt yuv420p \
      -c:v libx264 -tune zerolatency -b:v 1M -g 60 -f mpegts "$1"
  begin
  start ffplay ffplay -loglevel error -fflags nobuffer -flags low_delay "$2"
  first_picture 0 colour && { sleep 3; fact rate "$(look rate 0 5)"; keep_picture; }
  for name in ffmpeg ours_in ours_out; do
    grep -iE 'error|warning' "/tmp/$name.log" | while read -r text; do fact stumble "$name: $text"; done
  done
}
job_srt() {
  start_screens 1 640x360
  between_srt "srt://127.0.0.1:9000?pkt_size=1316" srt://127.0.0.1:9001
}
job_srt_live() {
  start_screens 1 640x360
  secret="passphrase=a%20secret%20of%20srt"
  start live_in srt-live-transmit -a:yes udp://:1234 "srt://127.0.0.1:9000?passphrase=secretsecret"
  start live_out srt-live-transmit -a:yes "srt://127.0.0.1:9001?passphrase=secretsecret" udp://127.0.0.1:9002
  between_srt "udp://127.0.0.1:1234?pkt_size=1316" udp://127.0.0.1:9002 's/\(srt:[^ ]*\)/\1?passphrase=secretsecret/'
}
job_callers_ladder() {
  start_screens 10 320x240
  play server "$(line docs/guide/ladder.md arcserversink.*splitter=arcladder)"
  ready server
  begin
  for i in 1 2 3 4 5 6 7 8 9 10; do
    screen=$((i - 1)) play "viewer$i" "$(line docs/guide/joining.md arcsrc.mode=caller)"
  done
  all_ten
  sleep "$seconds"
  least=10000
  for i in 1 2 3 4 5 6 7 8 9 10; do
    end "viewer$i"
    [ "$(shown "viewer$i" video)" -ge "$least" ] || least=$(shown "viewer$i" video)
  done
  end server
  fact frames "$least"
  [ "$least" -ge 250 ] || fact failed "a viewer has $least frames"
  stumbles server viewer1
}
# One screen is filmed, and shown on the other: ms from there to here, of 21 changes from black to white and back.
job_latency() {
  start_screens 2 640x480
  camera="ximagesrc display-name=:7.1 use-damage=false show-pointer=false ! video/x-raw,framerate=30/1"
  start link linkemu --listen 127.0.0.1:5002 --to 127.0.0.1:5004 --rate 12M --delay 25
  play receiver "$(line docs/guide/latency.md arcsrc.*max-latency)"
  ready receiver
  begin
  play sender "$(line docs/guide/latency.md v4l2src.*max-bitrate | sed s/port=5004/port=5002/)"
  look flash 1 0 1 >/dev/null
  first_picture
  look flash 1 0 20 >/dev/null
  look flash 1 0 41 >/tmp/glass.log
  sort -n /tmp/glass.log >/tmp/glass
  fact glass_ms "$(sed -n 21p /tmp/glass)"
  fact glass_p95_ms "$(sed -n 39p /tmp/glass)"
  [ "$(head -n 1 /tmp/glass)" -gt 0 ] || fact failed "a change was not seen"
  [ "$(sed -n 21p /tmp/glass)" -le 150 ] || fact failed "more than 150 ms"
  end sender; end receiver
  stumbles sender receiver
}
# libnice uses no loopback interface.
another_interface() {
  ip link add job0 type veth peer name job1 && ip address add 10.98.76.9/24 dev job0
  ip link set job0 up; ip link set job1 up
}
browse() {
  start browser chromium --no-first-run --kiosk --disable-gpu --window-position=0,0 --window-size=1280,720 \
      --user-data-dir=/tmp/chromium --password-store=basic --disable-background-networking \
      --disable-component-update --disable-dev-shm-usage --autoplay-policy=no-user-gesture-required "$@"
}
job_whep() {
  another_interface
  start_screens 1 1280x720
  patience=60
  # shellcheck disable=SC2046 # words
  start serve $(line docs/guide/faq.md '^gst-arc-serve')
  sleep 2
  begin
  browse http://127.0.0.1:8080/desk
  first_picture 0 colour && { sleep 5; fact rate "$(look rate 0 5)"; keep_picture; }
  grep -E '^gst-arc-serve: |CRITICAL' /tmp/serve.log | while read -r text; do fact stumble "serve: $text"; done
}
job_live_page() {
  start_screens 2 1280x720
  patience=60
  # shellcheck disable=SC2046 # words
  start monitor $(line docs/guide/monitor.md '^gst-arc-monitor$')
  export GST_TRACERS=arcmonitor
  screen=1 play receiver "$(line docs/guide/monitor.md arcsrc)"
  ready receiver
  screen=1 play sender "$(line docs/guide/monitor.md rmcsink)"
  unset GST_TRACERS
  begin
  browse http://127.0.0.1:8480/
  first_picture 0 page 0.008
  sleep "$seconds"
  keep_picture
  fact frames "$(shown receiver video)"
  perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:8480") or exit 1;
      print $s "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n"; print while <$s>' >/tmp/metrics
  grep -q '^gst_arc_rmcsink_rate_bytes_per_second.* [1-9]' /tmp/metrics || fact failed "/metrics has no rate"
  tail -n 1 /tmp/metrics | grep -q '^# EOF' || fact failed "/metrics has no end"
  end sender; end receiver
  stumbles sender receiver
}
# At the ground station, for all of robots.md.
ground() {
  start_screens 1 640x480
  play receiver "$(line docs/guide/robots.md '^gst-launch-1.0 arcsrc')"
  ready receiver
  begin
}
robot_ends() {
  first_picture && { sleep "$seconds"; keep_picture; }
  fact frames "$(shown receiver video)"
  [ "$(shown receiver video)" -ge 250 ] || fact failed "$(shown receiver video) frames"
  end receiver
  grep -iE 'error|warning' /tmp/robot.log | while read -r text; do fact stumble "robot: $text"; done
}
job_opencv() {
  ground
  start robot python3 "$examples/robot/opencv.py" 127.0.0.1 5004 30
  robot_ends
}
# The guide's program, and the pictures that it lacks.
job_appsrc() {
  ground
  { cat <<'END'
import time
def pictures():
    for number in range(900):
        grey = bytes((x + 4 * number) % 256 for x in range(640) for _ in range(3))
        yield grey * 480
        time.sleep(1 / 30)
PICTURES = pictures()
END
    sed -n '/^```python/,/^```$/{/^```/!p}' "$doc/docs/guide/robots.md" | placed
  } >/tmp/robot.py
  start robot python3 /tmp/robot.py
  robot_ends
}
job_telemetry() {
  start_screens 1 640x480
  play receiver "$(line docs/guide/robots.md arcavsrc)"
  perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:14551", Proto => "udp") or exit 1;
      $| = 1; while ($s->recv($text, 2000)) { print "$text\n" }' >/tmp/telemetry 2>&1 &
  ready receiver
  begin
  play sender "$(line docs/guide/robots.md arcavsink)"
  first_picture
  perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:14550", Proto => "udp") or exit 1;
      for (1 .. 100) { $s->send("packet $_"); select undef, undef, undef, .1 }'
  sleep 1
  fact telemetry "$(sort -u /tmp/telemetry | grep -c '^packet')"
  fact frames "$(shown receiver video)"
  [ "$(sort -u /tmp/telemetry | grep -c '^packet')" -ge 99 ] || fact failed "not all telemetry came"
  end sender; end receiver
  stumbles sender receiver
}
# $1: a name, $2: its network: a machine 10.$2.0.2 behind a NAT whose public address is 203.0.113.1$2.
behind_nat() {
  ip netns add "$1"; ip netns add "nat$2"
  ip link add "in$2" netns "$1" type veth peer name "in$2" netns "nat$2"
  ip link add "out$2" type veth peer name "out$2" netns "nat$2"
  ip -n "$1" address add "10.$2.0.2/24" dev "in$2"; ip -n "nat$2" address add "10.$2.0.1/24" dev "in$2"
  ip -n "nat$2" address add "203.0.113.1$2/24" dev "out$2"
  for end in "$1 in$2" "nat$2 in$2" "nat$2 out$2" "$1 lo"; do
    # shellcheck disable=SC2086 # a namespace and a device
    set -- "$1" "$2" $end; ip -n "$3" link set "$4" up
  done
  ip link set "out$2" master internet up
  ip -n "$1" route add default via "10.$2.0.1"
  ip netns exec "nat$2" sh -c "echo 1 >/proc/sys/net/ipv4/ip_forward
nft -f - <<END
table inet nat {
  chain out { type nat hook postrouting priority 100; oifname out$2 masquerade; }
  chain through { type filter hook forward priority 0; policy drop; iifname in$2 accept; ct state established accept; }
}
END"
}
# The lines of the FAQ: a machine with a public address between two that have none.
job_nat() {
  rm -rf /run/netns    # of a run before
  ip link add internet type bridge && ip address add 203.0.113.1/24 dev internet && ip link set internet up
  behind_nat camera 1; behind_nat viewer 2
  sleep 2       # the kernel takes a second to notice that the cables are in
  start_screens 1 640x480
  host=203.0.113.1
  play server "$(line docs/guide/faq.md 'arcsrc port=5004.*arcserversink')"
  within="ip netns exec camera"; play sender "$(line docs/guide/faq.md 'v4l2src.*rmcsink host=SERVER')"
  sleep 2
  begin
  within="ip netns exec viewer"; play viewer "$(line docs/guide/faq.md 'arcsrc mode=caller host=SERVER')"
  within=
  first_picture && { sleep "$seconds"; keep_picture; }
  fact frames "$(shown viewer video)"
  [ "$(shown viewer video)" -ge 250 ] || fact failed "$(shown viewer video) frames"
  end viewer; end sender; end server
  stumbles server sender viewer
}

mkdir -p /tmp && chmod 1777 /tmp
job_name=$1
"job_$1"
# For somebody to read, of the last job.
rm -f /root/*.log
cp /tmp/*.log /root/
exit 0
