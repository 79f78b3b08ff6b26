// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

package main

// #cgo pkg-config: glib-2.0
// #cgo CFLAGS: -I${SRCDIR}/../../lab
// #cgo LDFLAGS: -lm
// #include "videosource.c"
import "C"

import "time"

// The video source of lab-sender, so that all senders of a lab carry the same frames.
type source struct {
	state C.VideoSource
}

func newSource(seed, leastBps, mostBps, startBps int) *source {
	s := &source{}
	C.video_source_init(&s.state, C.guint32(seed), C.gdouble(leastBps), C.gdouble(mostBps),
		C.gdouble(startBps))
	return s
}

// frame returns the bytes of the frame of now, and how long until the next one.
func (s *source) frame(targetBps int, now time.Duration) (int, time.Duration) {
	var intervalNs C.gint64
	C.video_source_set_target(&s.state, C.gdouble(targetBps))
	bytes := C.video_source_next_frame(&s.state, C.gint64(now), &intervalNs)
	return int(bytes), time.Duration(intervalNs)
}

// monotonic is CLOCK_MONOTONIC, in which eval/lab/run gives its times.
func monotonic() time.Duration {
	return time.Duration(C.g_get_monotonic_time()) * time.Microsecond
}
