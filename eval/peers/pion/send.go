// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/cc"
	"github.com/pion/interceptor/pkg/gcc"
	"github.com/pion/interceptor/pkg/twcc"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
)

const (
	payloadBytes = 1200
	logInterval  = 100 * time.Millisecond
	// What an application takes off an estimate of the network's rate, as in lab-sender.
	mediaShare = 0.96
)

type sender struct {
	conn       net.Conn
	estimator  cc.BandwidthEstimator
	writer     interceptor.RTPWriter
	leastBps   int
	mostBps    int
	ssrc       uint32
	number     uint16
	madeBytes  atomic.Int64
	twccs, ccs atomic.Int64
	refused    atomic.Int64
}

// newChain makes Pion's congestion control and, for TWCC, what numbers the packets before it.
func (s *sender) newChain(feedback string, startBps int) (interceptor.Interceptor, error) {
	registry := &interceptor.Registry{}
	control, err := cc.NewInterceptor(func() (cc.BandwidthEstimator, error) {
		return gcc.NewSendSideBWE(gcc.SendSideBWEInitialBitrate(startBps),
			gcc.SendSideBWEMinBitrate(s.leastBps))
	})
	if err != nil {
		return nil, err
	}
	control.OnNewPeerConnection(func(_ string, estimator cc.BandwidthEstimator) {
		s.estimator = estimator
	})
	registry.Add(control)
	switch feedback {
	case "twcc":
		numbers, err := twcc.NewHeaderExtensionInterceptor()
		if err != nil {
			return nil, err
		}
		registry.Add(numbers)
	case "ccfb":
	default:
		return nil, fmt.Errorf("-feedback %s: twcc or ccfb is wanted", feedback)
	}
	return registry.Build("sender")
}

func (s *sender) bind(chain interceptor.Interceptor, feedback string) {
	info := &interceptor.StreamInfo{SSRC: s.ssrc, PayloadType: payloadType, ClockRate: clockRate}
	if feedback == "twcc" {
		info.RTPHeaderExtensions = []interceptor.RTPHeaderExtension{{URI: twccURI, ID: twccID}}
	}
	s.writer = chain.BindLocalStream(info, interceptor.RTPWriterFunc(s.write))
	reader := chain.BindRTCPReader(interceptor.RTCPReaderFunc(
		func(buffer []byte, a interceptor.Attributes) (int, interceptor.Attributes, error) {
			size, err := s.conn.Read(buffer)
			return size, a, err
		}))
	go s.listen(reader)
}

// write is behind the pacer. Where nobody listens yet, the kernel refuses what follows.
func (s *sender) write(header *rtp.Header, payload []byte, _ interceptor.Attributes) (int, error) {
	bytes, err := header.Marshal()
	if err != nil {
		return 0, err
	}
	s.conn.Write(append(bytes, payload...))
	return len(bytes) + len(payload), nil
}

func (s *sender) listen(reader interceptor.RTCPReader) {
	buffer := make([]byte, datagramBytes)
	for {
		attributes := interceptor.Attributes{}
		size, _, err := reader.Read(buffer, attributes)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.refused.Add(1)
			continue
		}
		packets, _ := attributes.GetRTCPPackets(buffer[:size])
		for _, packet := range packets {
			switch packet.(type) {
			case *rtcp.TransportLayerCC:
				s.twccs.Add(1)
			case *rtcp.CCFeedbackReport:
				s.ccs.Add(1)
			}
		}
	}
}

func (s *sender) targetBps() int {
	bps := int(mediaShare * float64(s.estimator.GetTargetBitrate()))
	return min(max(bps, s.leastBps), s.mostBps)
}

// push hands a frame to the pacer, in packets of about one size.
func (s *sender) push(bytes int, at time.Duration) {
	packets := (bytes + payloadBytes - 1) / payloadBytes
	for i := range packets {
		from, to := i*bytes/packets, (i+1)*bytes/packets
		header := &rtp.Header{Version: 2, PayloadType: payloadType, SSRC: s.ssrc,
			SequenceNumber: s.number, Marker: i+1 == packets,
			Timestamp: uint32(at.Microseconds() * clockRate / 1e6)}
		s.number++
		s.writer.Write(header, make([]byte, to-from), interceptor.Attributes{})
	}
	s.madeBytes.Add(int64(bytes))
}

// log has the columns of lab-sender; Pion does not tell the length of its queue.
func (s *sender) log(file *os.File) {
	fmt.Fprintln(file, "at_s,target_bps,made_bps,rate_bps,queue_ms")
	for range time.Tick(logInterval) {
		made := float64(s.madeBytes.Swap(0)) * 8 / logInterval.Seconds()
		fmt.Fprintf(file, "%.3f,%d,%.0f,0,0\n", monotonic().Seconds(), s.targetBps(), made)
	}
}

func seconds(value float64) time.Duration {
	return time.Duration(value * float64(time.Second))
}

func send(flags *flag.FlagSet, feedback *string) {
	s := &sender{}
	to := flags.String("to", "", "`ADDRESS:PORT` of the receiver")
	beginAt := flags.Float64("begin-at", 0, "`second` of CLOCK_MONOTONIC (at once)")
	stopAt := flags.Float64("stop-at", math.Inf(1), "`second`, likewise (never)")
	pause := flags.String("pause", "0:0", "the source is silent from one `second:second` to another")
	flags.IntVar(&s.leastBps, "least", 150000, "bit/s of media, of the source and the control")
	flags.IntVar(&s.mostBps, "most", 1500000, "bit/s of media, of the source")
	startBps := flags.Int("start", 150000, "bit/s of media")
	seed := flags.Int("seed", 1, "of the source")
	ssrc := flags.Uint("ssrc", 1, "of the packets")
	logName := flags.String("log", "", "rates every 0.1 s, to this `file` (CSV)")
	flags.Parse(os.Args[2:])
	s.ssrc = uint32(*ssrc)
	var pauseFrom, pauseTo float64
	if _, err := fmt.Sscanf(*pause, "%f:%f", &pauseFrom, &pauseTo); err != nil {
		fail(fmt.Errorf("-pause %s: FROM:TO is wanted", *pause))
	}
	var err error
	if s.conn, err = net.Dial("udp", *to); err != nil {
		fail(err)
	}
	time.Sleep(seconds(*beginAt) - monotonic())
	chain, err := s.newChain(*feedback, *startBps)
	if err != nil {
		fail(err)
	}
	s.bind(chain, *feedback)
	if *logName != "" {
		file, err := os.Create(*logName)
		if err != nil {
			fail(err)
		}
		go s.log(file)
	}
	s.run(newSource(*seed, s.leastBps, s.mostBps, *startBps), *stopAt, pauseFrom, pauseTo)
	s.conn.Close()
	fmt.Fprintf(os.Stderr, "%d twcc, %d ccfb, %d refused\n", s.twccs.Load(), s.ccs.Load(),
		s.refused.Load())
}

func (s *sender) run(video *source, stopAt, pauseFrom, pauseTo float64) {
	signals := asked()
	for due := monotonic(); due.Seconds() < stopAt; {
		bytes, interval := video.frame(s.targetBps(), due)
		if due.Seconds() < pauseFrom || due.Seconds() >= pauseTo {
			s.push(bytes, due)
		}
		due += interval
		select {
		case <-signals:
			return
		case <-time.After(due - monotonic()):
		}
	}
}
