// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// A peer of other people's code for eval/lab/run: RTP over plain UDP, sent and received by the
// interceptors of Pion (github.com/pion/interceptor).
//
//	peer send -to ADDRESS:PORT -feedback twcc|ccfb [OPTION...]
//	peer receive -listen ADDRESS:PORT -feedback twcc|ccfb|rr
//
// The sender is Pion's Google congestion control and pacer behind the video source of
// eval/lab/run. RTCP
// comes back on the port of the media.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const (
	payloadType   = 96
	clockRate     = 90000
	twccID        = 5 // as in eval/lab/contenders.py
	twccURI       = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
	datagramBytes = 1500
	firstRTCPType = 192 // RFC 5761: where RTP and RTCP share a port, these are RTCP
	lastRTCPType  = 223
)

func isRTCP(datagram []byte) bool {
	return len(datagram) > 1 && datagram[1] >= firstRTCPType && datagram[1] <= lastRTCPType
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "peer:", err)
	os.Exit(1)
}

// What asks the program to end, so that it can tell what it counted.
func asked() chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	return signals
}

func main() {
	if len(os.Args) < 2 || (os.Args[1] != "send" && os.Args[1] != "receive") {
		fail(fmt.Errorf("send or receive is wanted"))
	}
	flags := flag.NewFlagSet("peer "+os.Args[1], flag.ExitOnError)
	feedback := flags.String("feedback", "ccfb", "twcc, ccfb or (receive) rr")
	if os.Args[1] == "receive" {
		receive(flags, feedback)
	} else {
		send(flags, feedback)
	}
}
