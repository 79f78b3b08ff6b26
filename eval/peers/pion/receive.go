// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/ccfb"
	"github.com/pion/interceptor/pkg/report"
	"github.com/pion/interceptor/pkg/twcc"
	"github.com/pion/rtcp"
)

// A receiver that only reports. It answers whoever sent the last packet.
type receiver struct {
	conn    *net.UDPConn
	chain   interceptor.Interceptor
	sender  atomic.Pointer[net.UDPAddr]
	streams map[uint32]interceptor.RTPReader
	reports atomic.Int64
	packets int
}

func newReporter(feedback string, interval time.Duration) (interceptor.Interceptor, error) {
	registry := &interceptor.Registry{}
	var factory interceptor.Factory
	var err error
	switch feedback {
	case "ccfb":
		factory, err = ccfb.NewSenderInterceptor(ccfb.SendInterval(interval))
	case "twcc":
		factory, err = twcc.NewSenderInterceptor(twcc.SendInterval(interval))
	case "rr":
		factory, err = report.NewReceiverInterceptor()
	default:
		err = fmt.Errorf("-feedback %s: twcc, ccfb or rr is wanted", feedback)
	}
	if err != nil {
		return nil, err
	}
	registry.Add(factory)
	return registry.Build("receiver")
}

func (r *receiver) write(packets []rtcp.Packet, _ interceptor.Attributes) (int, error) {
	bytes, err := rtcp.Marshal(packets)
	sender := r.sender.Load()
	if err != nil || sender == nil {
		return 0, err
	}
	r.reports.Add(1)
	return r.conn.WriteToUDP(bytes, sender)
}

// stream is what reads the packets of an SSRC through Pion.
func (r *receiver) stream(ssrc uint32) interceptor.RTPReader {
	if reader, known := r.streams[ssrc]; known {
		return reader
	}
	info := &interceptor.StreamInfo{SSRC: ssrc, PayloadType: payloadType, ClockRate: clockRate,
		RTPHeaderExtensions: []interceptor.RTPHeaderExtension{{URI: twccURI, ID: twccID}}}
	reader := r.chain.BindRemoteStream(info, interceptor.RTPReaderFunc(
		func(datagram []byte, a interceptor.Attributes) (int, interceptor.Attributes, error) {
			return len(datagram), a, nil
		}))
	r.streams[ssrc] = reader
	return reader
}

func (r *receiver) run() {
	buffer := make([]byte, datagramBytes)
	for {
		size, from, err := r.conn.ReadFromUDP(buffer)
		if err != nil {
			return
		}
		datagram := buffer[:size]
		if size < 12 || isRTCP(datagram) {
			continue
		}
		r.sender.Store(from)
		r.packets++
		reader := r.stream(binary.BigEndian.Uint32(datagram[8:]))
		if _, _, err := reader.Read(datagram, interceptor.Attributes{}); err != nil {
			fmt.Fprintln(os.Stderr, "peer:", err)
		}
	}
}

func receive(flags *flag.FlagSet, feedback *string) {
	listen := flags.String("listen", "", "`ADDRESS:PORT` of the media")
	interval := flags.Duration("interval", 100*time.Millisecond, "of ccfb and twcc (Pion's default)")
	flags.Parse(os.Args[2:])
	address, err := net.ResolveUDPAddr("udp", *listen)
	if err != nil {
		fail(err)
	}
	r := &receiver{streams: map[uint32]interceptor.RTPReader{}}
	if r.conn, err = net.ListenUDP("udp", address); err != nil {
		fail(err)
	}
	if r.chain, err = newReporter(*feedback, *interval); err != nil {
		fail(err)
	}
	r.chain.BindRTCPWriter(interceptor.RTCPWriterFunc(r.write))
	go func() {
		<-asked()
		r.conn.Close()
	}()
	r.run()
	fmt.Fprintf(os.Stderr, "%d packets, %d reports\n", r.packets, r.reports.Load())
}
